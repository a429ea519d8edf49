package bound_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/pipeline/check/bound"
	"github.com/tilewright/tilewright/pipeline/check/exact"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A family is a kernel of tile judge and a launch; the last argument is what it computes.
type family struct {
	file     string
	grid     [3]uint32
	args     []string
	change   []string
	relative float64 // the largest relative bound; of sums, of the largest element
}

var families = []family{
	{"add", [3]uint32{4, 1, 1}, []string{"f32[500]=random", "f32[500]=random", "f32[500]", "i32:500"}, nil, 1e-6},
	{"rowsum", [3]uint32{12, 1, 1}, []string{"f32[12x75]=random", "i32:12", "i32:75", "f32[12]"}, nil, 1e-4},
	{"matmul", [3]uint32{3, 2, 1}, []string{"f16[39x50]=random", "i32:39", "i32:50", "f16[50x27]=random", "i32:27", "f32[39x27]"}, nil, 1e-4},
	{"softmax", [3]uint32{7, 1, 1}, []string{"f32[7x100]=random", "i32:7", "i32:100", "f32[7x100]"}, nil, 1e-4},
	{"softmax", [3]uint32{7, 1, 1}, []string{"f32[7x100]=random", "i32:7", "i32:100", "f32[7x100]"}, []string{"exp %shifted", "exp2 %shifted"}, 1e-4},
}

// wider is a kernel in f64.
var wider = strings.NewReplacer("f32", "f64", "f16", "f64", "0xFF800000", "0xFFF0000000000000", "%aw = ftof %ae : tile<f16> -> tile<f32>", "")

func read(t *testing.T, text string) ir.Op {
	t.Helper()
	var said strings.Builder
	ctx := tileir.NewContext()
	ctx.Diag.Push(ctx.Diag.PrintTo(&said))
	module, err := tileir.Read(ctx, "k.mlir", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	return module
}

func (f *family) text(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "cmd", "tile", "judge", "testdata", f.file+".mlir"))
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(data), "  entry @plain")
	text := head + "}\n"
	for i := 0; i < len(f.change); i += 2 {
		text = strings.ReplaceAll(text, f.change[i], f.change[i+1])
	}
	return text
}

func (f *family) request(t *testing.T) *launch.Request {
	t.Helper()
	req := &launch.Request{Entry: "k", Grid: f.grid}
	for _, s := range f.args {
		a, err := launch.ParseArg(s, nil)
		if err != nil {
			t.Fatal(err)
		}
		if format, ok := a.DType().Format(); ok && strings.HasSuffix(s, "=random") { // numbers with all of their bits
			r := rand.New(rand.NewPCG(1, 2))
			for i := range a.Buffer.Len() {
				a.Buffer.DType.Store(a.Buffer.Data, i, format.Encode(r.Float64()*2-1, numeric.Env{}))
			}
		}
		req.Args = append(req.Args, a)
	}
	return req
}

func number(b *launch.Buffer, i int) float64 {
	f, _ := b.DType.Format()
	return f.Decode(b.DType.Load(b.Data, i))
}

// TestSound compares kernels with the same kernels in f64, which are closer to what they compute without rounding by far.
func TestSound(t *testing.T) {
	t.Parallel()
	for _, f := range families {
		t.Run(f.file+strings.Join(f.change, " "), func(t *testing.T) {
			t.Parallel()
			text := f.text(t)
			req := f.request(t)
			out := len(req.Args) - 1
			if f.file == "add" {
				out = 2
			}
			wide := req.Clone()
			for _, a := range wide.Args {
				if b := a.Buffer; b != nil {
					data := make([]byte, 8*b.Len())
					for i := range b.Len() {
						launch.F64.Store(data, i, math.Float64bits(number(b, i)))
					}
					*b = launch.Buffer{DType: launch.F64, Shape: b.Shape, Data: data}
				}
			}
			bounds, err := bound.Of(read(t, text), req)
			if err != nil {
				t.Fatal(err)
			}
			if err := interp.New(read(t, text)).Run(t.Context(), req); err != nil {
				t.Fatal(err)
			}
			if err := interp.New(read(t, wider.Replace(text))).Run(t.Context(), wide); err != nil {
				t.Fatal(err)
			}
			tol, most := bounds[out], 0.0
			got, want := req.Args[out].Buffer, wide.Args[out].Buffer
			for i := range got.Len() {
				x, y := number(got, i), number(want, i)
				most = max(most, math.Abs(y))
				if math.Abs(x-y) > tol.Absolute+tol.Relative*math.Abs(y) {
					t.Fatalf("element %d is %g and %g without rounding, which is more than %+v", i, x, y, tol)
				}
			}
			if tol == (launch.Tolerance{}) || tol.Relative+tol.Absolute/most > f.relative {
				t.Errorf("the bound is %+v, elements are up to %g", tol, most)
			}
		})
	}
}

// TestExact: nothing is rounded of small integers, but by functions.
func TestExact(t *testing.T) {
	t.Parallel()
	for _, f := range families[:3] {
		req := f.request(t)
		exact.Redraw(req, 1)
		bounds, err := bound.Of(read(t, f.text(t)), req)
		if err != nil {
			t.Fatal(err)
		}
		for arg, b := range bounds {
			if b != (launch.Tolerance{}) {
				t.Errorf("%s: argument %d has the bound %+v", f.file, arg, b)
			}
		}
	}
}

// TestNone: where there is no bound, the error says why.
func TestNone(t *testing.T) {
	t.Parallel()
	const where = "'cuda_tile."
	for _, tt := range []struct {
		file   string
		change []string
		is     string
	}{
		{"add", []string{"%sum = fma %yv, %two, %xv", "%q = addf %yv, %xv : tile<128xf32>\n    %sum = divf %yv, %q"}, where + "divf"},
		{"add", []string{"%sum = fma %yv, %two, %xv", "%q = addf %yv, %xv : tile<128xf32>\n    %big = cmpf greater_than ordered %q, %two : tile<128xf32> -> tile<128xi1>\n" +
			"    %n0 = constant <i32: 0> : tile<128xi32>\n    %at = select %big, %i, %n0 : tile<128xi1>, tile<128xi32>\n    %wp = offset %yb, %at : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>\n" +
			"    %t4 = store_ptr_tko weak %wp, %q : tile<128xptr<f32>>, tile<128xf32> -> token\n    %sum = fma %yv, %two, %xv"}, "rounding may decide what is stored, or where"},
		{"softmax", []string{"exp %shifted", "sin %shifted"}, where + "divf"},
		{"rowsum", []string{"entry @k(", "entry @other("}, "no entry 'k'"},
	} {
		f := families[map[string]int{"add": 0, "rowsum": 1, "softmax": 3}[tt.file]]
		f.change = tt.change
		_, err := bound.Of(read(t, f.text(t)), f.request(t))
		if err == nil || !strings.Contains(err.Error(), tt.is) {
			t.Errorf("%s: got %v, want %s", tt.file, err, tt.is)
		}
	}
}
