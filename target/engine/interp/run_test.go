package interp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// parse returns an engine for the text of a module's body.
func parse(t testing.TB, body string) *Engine {
	t.Helper()
	ctx := ir.NewContext(ops.Dialect)
	module, err := asm.Parse(ctx, "k.mlir", []byte("cuda_tile.module @m {\n"+body+"\n}\n"), asm.ParseOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	if err := ir.Verify(module); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	e := New(module)
	e.scribble = true
	return e
}

// buffer returns a launch argument that holds elements.
func bufferOf(d launch.DType, elems ...uint64) launch.Arg {
	b := &launch.Buffer{DType: d, Shape: []int{len(elems)}, Data: make([]byte, d.Size()*len(elems))}
	for i, x := range elems {
		d.Store(b.Data, i, x)
	}
	return launch.Arg{Buffer: b}
}

func i32(v int32) launch.Arg {
	return launch.Arg{Scalar: launch.Scalar{DType: launch.I32, Bits: uint64(uint32(v))}}
}

func elements(a launch.Arg) []uint64 {
	out := make([]uint64, a.Buffer.Len())
	for i := range out {
		out[i] = a.Buffer.DType.Load(a.Buffer.Data, i)
	}
	return out
}

// runKernel runs @k on one tile block.
func runKernel(t testing.TB, e *Engine, args ...launch.Arg) error {
	t.Helper()
	return e.Run(t.Context(), &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: args})
}

// storing returns the text of an entry that computes %r, a tile of n elements, and stores it to its argument.
func storing(body, elem string, n int) string {
	return fmt.Sprintf(`entry @k(%%out: tile<ptr<%s>>) {
%s
%%z = constant <i32: 0> : tile<i32>
%%tv = make_tensor_view %%out, shape = [%d], strides = [1] : tensor_view<%dx%s, strides=[1]>
%%pv = make_partition_view %%tv : partition_view<tile=(%d), tensor_view<%dx%s, strides=[1]>>
%%tok = store_view_tko weak %%r, %%pv[%%z] : tile<%dx%s>, partition_view<tile=(%d), tensor_view<%dx%s, strides=[1]>>, tile<i32> -> token
return
}`, elem, body, n, n, elem, n, n, elem, n, elem, n, n, elem)
}

// compute returns the elements of %r.
func compute(t testing.TB, body, elem string, n int) ([]uint64, error) {
	t.Helper()
	d, err := launch.ParseDType(elem)
	nibbles := elem == "f4E2M1FN"
	if nibbles {
		d, err = launch.U8, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	size := n
	if nibbles {
		size = (n + 1) / 2
	}
	out := bufferOf(d, make([]uint64, size)...)
	if err := runKernel(t, parse(t, storing(body, elem, n)), out); err != nil {
		return nil, err
	}
	got := elements(out)
	if nibbles {
		for i := n - 1; i >= 0; i-- {
			b := got[i/2]
			if len(got) < n {
				got = append(got, make([]uint64, n-len(got))...)
			}
			got[i] = b >> (i % 2 * 4) & 15
		}
	}
	return got, nil
}

// consts returns the text of constants %a, %b, ... of a type, one for each list of elements.
func consts(elem string, lists ...string) string {
	var out strings.Builder
	for i, list := range lists {
		fmt.Fprintf(&out, "%%%c = constant <%s: [%s]> : tile<%dx%s>\n", 'a'+i, elem, list, strings.Count(list, ",")+1, elem)
	}
	return out.String()
}

func hex(list []uint64) string { return fmt.Sprintf("%#x", list) }

// expectError checks that err says what.
func expectError(t *testing.T, err error, what string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), what) {
		t.Errorf("got error %v\nwant %s", err, what)
	}
}

// replaceElem puts an element type into a text.
func replaceElem(text, elem string) string { return strings.ReplaceAll(text, "ELEM", elem) }
