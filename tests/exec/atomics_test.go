package exec

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/pipeline/check/generate"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// atomicTile is how many elements one operation of TestAtomics changes.
const atomicTile = 64

var (
	atomicModes  = []string{"and", "or", "xor", "add", "addf", "max", "min", "umax", "umin", "xchg"}
	atomicOrders = []string{"relaxed", "acquire", "release", "acq_rel"}
	atomicScopes = []string{"tl_blk", "device", "sys"}
)

// TestAtomics compares every atomic operation that the verifier admits, on each element type and with each ordering
// and scope, with the interpreter. No two change the same element; each returns what was there.
func TestAtomics(t *testing.T) {
	t.Parallel()
	for elem, want := range map[string]int{"i32": 148, "i64": 148, "f16": 20, "bf16": 20, "f32": 40, "f64": 40, "i16": 0, "tf32": 0} {
		t.Run(elem, func(t *testing.T) {
			t.Parallel()
			var forms []string
			for _, form := range atomicForms() {
				if _, err := tileir.Read(tileir.NewContext(), "atomic", []byte(atomicText(elem, []string{form}))); err == nil {
					forms = append(forms, form)
				}
			}
			if len(forms) < want || want == 0 && len(forms) > 0 {
				t.Fatalf("%d forms are admitted, expected at least %d, or none if that is 0", len(forms), want)
			}
			// Many in one kernel take the assembler long.
			for len(forms) > 0 {
				n := min(len(forms), 32)
				if tier.Try(len(forms)/32, 3) {
					agrees(t, atomicKernel(t, elem, forms[:n]))
				}
				forms = forms[n:]
			}
		})
	}
}

func atomicForms() (list []string) {
	for _, order := range atomicOrders {
		for _, scope := range atomicScopes {
			where := order + " " + scope
			list = append(list, "%old, %u = atomic_cas_tko "+where+" %p_at, %guess, %x : PTRS, TILE -> TILE, token",
				"%old, %u = atomic_cas_tko "+where+" %p_at, %guess, %x, %some : PTRS, TILE, MASK -> TILE, token")
			for _, mode := range atomicModes {
				list = append(list, "%old, %u = atomic_rmw_tko "+where+" %p_at, "+mode+", %x : PTRS, TILE -> TILE, token",
					"%u = atomic_red_view_tko "+where+" %view[%number], "+mode+", %x : TILE, VIEW, tile<i32> -> token")
			}
			list = append(list, "%old, %u = atomic_rmw_tko "+where+" %p_at, addf, %x, %some : PTRS, TILE, MASK -> TILE, token")
		}
	}
	return list
}

// atomicText is a kernel in which form i changes the elements from atomicTile*i on of %p, with those of %q, and
// stores what it returns in %r. Elements that a mask leaves out return what memory would have been compared with from
// a compare-and-swap, and something undefined, which is not stored, from the other operations.
func atomicText(elem string, forms []string) string {
	var b strings.Builder
	types := strings.NewReplacer("PTRS", "tile<64xptr<T>>", "TILE", "tile<64xT>", "MASK", "tile<64xi1>",
		"VIEW", "partition_view<tile=(64), tensor_view<?xT, strides=[1]>>")
	fmt.Fprintf(&b, `entry @k(%%p: tile<ptr<T>>, %%q: tile<ptr<T>>, %%r: tile<ptr<T>>) {
  %%io = iota : tile<64xi32>
  %%two = constant <i32: 2> : tile<64xi32>
  %%bit = andi %%io, %%two : tile<64xi32>
  %%some = cmpi equal %%bit, %%two, signed : tile<64xi32> -> tile<64xi1>
  %%size = constant <i32: %d> : tile<i32>
  %%tv = make_tensor_view %%p, shape = [%%size], strides = [1] : tile<i32> -> tensor_view<?xT, strides=[1]>
  %%view = make_partition_view %%tv : VIEW
`, atomicTile*len(forms))
	for i, form := range forms {
		fmt.Fprintf(&b, "  %%number%[1]d = constant <i32: %[1]d> : tile<i32>\n  %%base%[1]d = constant <i32: %[2]d> : tile<64xi32>\n  %%i%[1]d = addi %%base%[1]d, %%io : tile<64xi32>\n", i, atomicTile*i)
		for _, ptr := range []string{"p", "q", "r"} {
			fmt.Fprintf(&b, "  %%%[1]sa%[2]d = reshape %%%[1]s : tile<ptr<T>> -> tile<1xptr<T>>\n  %%%[1]sb%[2]d = broadcast %%%[1]sa%[2]d : tile<1xptr<T>> -> PTRS\n"+
				"  %%%[1]s_at%[2]d = offset %%%[1]sb%[2]d, %%i%[2]d : PTRS, tile<64xi32> -> PTRS\n", ptr, i)
		}
		var names []string
		for _, name := range []string{"%old", "%p_at", "%x", "%guess", "%number"} {
			names = append(names, name, name+strconv.Itoa(i))
		}
		named := strings.NewReplacer(append(names, "%u ", fmt.Sprintf("%%u%d ", i))...).Replace(form)
		fmt.Fprintf(&b, "  %%x%[1]d, %%t%[1]d = load_ptr_tko weak %%q_at%[1]d : PTRS -> TILE, token\n  %%guess%[1]d, %%s%[1]d = load_ptr_tko weak %%r_at%[1]d : PTRS -> TILE, token\n  %[2]s\n", i, named)
		if strings.HasPrefix(form, "%old") {
			fmt.Fprintf(&b, "  %%w%[1]d = join_tokens %%s%[1]d, %%u%[1]d : token\n", i)
			mask := ""
			if strings.Contains(form, "%some") && !strings.Contains(form, "atomic_cas") {
				mask = ", %some"
			}
			types := "PTRS, TILE"
			if mask != "" {
				types += ", MASK"
			}
			fmt.Fprintf(&b, "  %%v%[1]d = store_ptr_tko weak %%r_at%[1]d, %%old%[1]d%[2]s token=%%w%[1]d : %[3]s -> token\n", i, mask, types)
		}
	}
	b.WriteString("  return\n}\n")
	return withElement(types.Replace(b.String()), elem)
}

// withElement puts a type in the place of T.
func withElement(text, elem string) string {
	return strings.NewReplacer("xT", "x"+elem, "<T", "<"+elem).Replace(text)
}

func atomicKernel(t *testing.T, elem string, forms []string) *generate.Kernel {
	t.Helper()
	d, err := launch.ParseDType(elem)
	if err != nil {
		t.Fatal(err)
	}
	k := &generate.Kernel{Text: []byte(atomicText(elem, forms)), Launch: &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}}}
	r := rand.New(rand.NewPCG(3, 5))
	size, n := d.Size(), atomicTile*len(forms)
	bufs := make([]*launch.Buffer, 3)
	for i := range bufs {
		bufs[i] = &launch.Buffer{DType: d, Shape: []int{n}, Data: make([]byte, n*size)}
		k.Launch.Args = append(k.Launch.Args, launch.Arg{Buffer: bufs[i]})
	}
	edges := []float64{0, math.Copysign(0, -1), 1, -1, 256, 1.0 / 3, math.Inf(1), math.Inf(-1), math.NaN(), 1e-40, -1e-40, 65504, 3e38, -3e38}
	format, isFloat := numeric.ParseFormat(elem)
	for i := range n {
		for _, b := range bufs {
			v := r.Uint64()
			if isFloat && r.IntN(2) == 0 {
				v = format.Encode(edges[r.IntN(len(edges))], numeric.Env{})
			}
			if elem == "f32" && v>>23&0xff == 0 {
				v &= 1 << 31 // additions to global memory flush subnormal numbers (PTX ISA, atom), and the interpreter keeps them
			}
			var word [8]byte
			binary.LittleEndian.PutUint64(word[:], v)
			copy(b.Data[i*size:(i+1)*size], word[:])
		}
		if r.IntN(2) == 0 { // what a compare-and-swap finds
			copy(bufs[2].Data[i*size:(i+1)*size], bufs[0].Data[i*size:(i+1)*size])
		}
	}
	return k
}
