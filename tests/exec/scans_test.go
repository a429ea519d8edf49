package exec

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/target/engine/npy"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
)

// A scanned is a kernel of one scan of tiles of one shape, whose body is associative.
type scanned struct {
	name       string
	shape      []int
	dim        int
	elem       string // of the tiles
	operands   int
	identities string
	body       string // of arguments %a0, %e0, %a1, ...; yields %r0, ...
}

const (
	sumBody = `    %r0 = addi %a0, %e0 : tile<i32>`
	// Affine functions one after the other: which comes first matters.
	affineBody = `    %r0 = muli %e0, %a0 : tile<i32>
    %m = muli %e0, %a1 : tile<i32>
    %r1 = addi %m, %e1 : tile<i32>`
	// The left operand, unless the right one is odd: associative, not commutative, with control flow.
	lastOddBody = `    %one = constant <i32: 1> : tile<i32>
    %bit = andi %e0, %one : tile<i32>
    %odd = cmpi equal %bit, %one, signed : tile<i32> -> tile<i1>
    %r0 = if %odd -> (tile<i32>) {
      yield %e0 : tile<i32>
    } else {
      yield %a0 : tile<i32>
    }`
	maxBody    = `    %r0 = maxf %a0, %e0 : tile<f32>`
	bytesBody  = `    %r0 = xori %a0, %e0 : tile<i8>`
	doubleBody = `    %r0 = minf %a0, %e0 : tile<f64>`
)

var scans = []scanned{
	{"sum", []int{1024}, 0, "i32", 1, "0 : i32", sumBody},
	{"short sum", []int{256}, 0, "i32", 1, "0 : i32", sumBody},
	{"affine", []int{512}, 0, "i32", 2, "1 : i32, 0 : i32", affineBody},
	{"long affine", []int{4096}, 0, "i32", 2, "1 : i32, 0 : i32", affineBody},
	{"affine rows", []int{2, 512}, 1, "i32", 2, "1 : i32, 0 : i32", affineBody},
	{"affine columns", []int{512, 2}, 0, "i32", 2, "1 : i32, 0 : i32", affineBody},
	{"affine middle", []int{2, 256, 1}, 1, "i32", 2, "1 : i32, 0 : i32", affineBody},
	{"many rows", []int{32, 64}, 1, "i32", 2, "1 : i32, 0 : i32", affineBody},
	{"last odd", []int{1024}, 0, "i32", 1, "0 : i32", lastOddBody},
	{"maxima", []int{2048}, 0, "f32", 1, "0xff800000 : f32", maxBody},
	{"bytes", []int{1024}, 0, "i8", 1, "0 : i8", bytesBody},
	{"minima", []int{512, 1}, 0, "f64", 1, "0x7ff0000000000000 : f64", doubleBody},
}

func (s scanned) source(reverse bool) string {
	n, dims := 1, ""
	for _, d := range s.shape {
		n *= d
		dims += fmt.Sprintf("%dx", d)
	}
	var b strings.Builder
	var params, args, types, results, yields, flat []string
	t := fmt.Sprintf("tile<%s%s>", dims, s.elem)
	for i := range s.operands {
		params = append(params, fmt.Sprintf("%%p%d: tile<ptr<%s>>", i, s.elem))
		args = append(args, fmt.Sprintf("%%x%d", i))
		types, results = append(types, t), append(results, fmt.Sprintf("%%a%[1]d: tile<%[2]s>, %%e%[1]d: tile<%[2]s>", i, s.elem))
		yields, flat = append(yields, fmt.Sprintf("%%r%d", i)), append(flat, "tile<"+s.elem+">")
	}
	fmt.Fprintf(&b, "cuda_tile.module @m {\nentry @k(%s) {\n  %%i = iota : tile<%dxi32>\n", strings.Join(params, ", "), n)
	for i := range s.operands {
		fmt.Fprintf(&b, "  %%f%[1]d = reshape %%p%[1]d : tile<ptr<%[2]s>> -> tile<1xptr<%[2]s>>\n  %%b%[1]d = broadcast %%f%[1]d : tile<1xptr<%[2]s>> -> tile<%[3]dxptr<%[2]s>>\n"+
			"  %%q%[1]d = offset %%b%[1]d, %%i : tile<%[3]dxptr<%[2]s>>, tile<%[3]dxi32> -> tile<%[3]dxptr<%[2]s>>\n"+
			"  %%l%[1]d, %%t%[1]d = load_ptr_tko weak %%q%[1]d : tile<%[3]dxptr<%[2]s>> -> tile<%[3]dx%[2]s>, token\n"+
			"  %%x%[1]d = reshape %%l%[1]d : tile<%[3]dx%[2]s> -> %[4]s\n", i, s.elem, n, t)
	}
	result := "%s"
	if s.operands > 1 {
		result = fmt.Sprintf("%%s:%d", s.operands)
	}
	fmt.Fprintf(&b, "  %s = scan %s dim=%d reverse=%t identities=[%s] : %s -> %s (%s) {\n%s\n    yield %s : %s\n  }\n", result, strings.Join(args, ", "), s.dim, reverse, s.identities,
		strings.Join(types, ", "), strings.Join(types, ", "), strings.Join(results, ", "), s.body, strings.Join(yields, ", "), strings.Join(flat, ", "))
	for i := range s.operands {
		value := "%s"
		if s.operands > 1 {
			value = fmt.Sprintf("%%s#%d", i)
		}
		fmt.Fprintf(&b, "  %%o%[1]d = reshape %[2]s : %[3]s -> tile<%[4]dx%[5]s>\n  %%k%[1]d = store_ptr_tko weak %%q%[1]d, %%o%[1]d : tile<%[4]dxptr<%[5]s>>, tile<%[4]dx%[5]s> -> token\n",
			i, value, t, n, s.elem)
	}
	b.WriteString("  return\n}\n}\n")
	return b.String()
}

// inputs writes the operands and returns the arguments.
func (s scanned) inputs(t *testing.T, dir string) (args []string) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	types := map[string]npy.DType{"i8": npy.Int8, "i32": npy.Int32, "f32": npy.Float32, "f64": npy.Float64}
	for i := range s.operands {
		a := npy.Array{DType: types[s.elem], Shape: []int{1}}
		for _, d := range s.shape {
			a.Shape[0] *= d
		}
		for range a.Shape[0] {
			element := make([]byte, a.DType.Size())
			for k := range element {
				element[k] = byte(r.Uint32())
			}
			element[len(element)-1] &= 0x3f // no NaN
			a.Data = append(a.Data, element...)
		}
		file := filepath.Join(dir, fmt.Sprintf("%d.npy", i))
		if err := npy.WriteFile(file, &a); err != nil {
			t.Fatal(err)
		}
		args = append(args, fmt.Sprintf("--arg=%s:%s", s.elem, file))
	}
	return args
}

// TestScans compares scans with the interpreter, which goes through the elements one by one, in every shape in which
// threads and warps share them.
func TestScans(t *testing.T) {
	t.Parallel()
	for _, s := range scans {
		for _, reverse := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, reverse %t", s.name, reverse), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				file := filepath.Join(dir, "k.mlir")
				if err := os.WriteFile(file, []byte(s.source(reverse)), 0o600); err != nil {
					t.Fatal(err)
				}
				inputs := s.inputs(t, dir)
				for _, way := range []string{"interp,tileas,ptx --gpu-name=sm_80 -O3", "interp,ptx --gpu-name=sm_90 -O0", "interp,ptx --gpu-name=sm_100 -O2 --adversarial --seed=1", "interp,ptx --gpu-name=sm_120 -O1"} {
					args := append([]string{"--entry=k", "--grid=1,1,1", "--timeout=60s"}, strings.Fields("--diff-engines="+way)...)
					var out, errs bytes.Buffer
					status := runtool.Main(context.Background(), append(append(args, inputs...), file), strings.NewReader(""), &out, &errs)
					if same := strings.Count(out.String(), "[ptx against interp]: arg"); status != 0 || same != s.operands || strings.Contains(out.String(), "max abs") {
						t.Errorf("%s: status %d\n%s%s", way, status, &out, &errs)
					}
				}
			})
		}
	}
}

// TestPtxasScans assembles scans, each for the architectures in turn.
func TestPtxasScans(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	for i, s := range scans {
		source := s.source(i%2 == 0)
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			for _, n := range []int{i, i + 5} {
				arch := sm.All()[n%len(sm.All())]
				if kerneltest.Assemble(t, tool, arch.Name, []byte(source)) {
					t.Errorf("%s: spills registers\n%s", arch, source)
				}
			}
		})
	}
}
