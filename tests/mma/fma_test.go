package mma

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
)

// A threadProduct is a kernel that adds up products of tiles for which the target has no matrix instruction.
type threadProduct struct {
	name          string
	batch         int // 0: matrices without
	m, n, k       int
	elem, sum     string // types; empty: f32
	columns, rows bool   // A lies in memory by columns, B by rows
	computed      bool   // operands are computed from what is loaded, so that they come from registers
	ragged        bool   // the last tiles along K are not full
	turns         int    // of the loop over K; 0: no loop
	long          bool   // the MMA is a loop over steps
}

func (p threadProduct) text() string {
	elem, sum := p.elem, p.sum
	if elem == "" {
		elem = "f32"
	}
	if sum == "" {
		sum = "f32"
	}
	depth := p.depth()
	var sb strings.Builder
	fmt.Fprintf(&sb, "cuda_tile.module @m {\nentry @k(%%po: tile<ptr<%s>>, %%pa: tile<ptr<%s>>, %%pb: tile<ptr<%s>>) {\n  %%tok = make_token : token\n  %%zero = constant <i32: 0> : tile<i32>\n  %%one = constant <i32: 1> : tile<i32>\n",
		sum, elem, elem)
	shape := func(r, c int) string {
		if p.batch > 0 {
			return fmt.Sprintf("%dx%dx%d", p.batch, r, c)
		}
		return fmt.Sprintf("%dx%d", r, c)
	}
	index := func(i, j string) string {
		if p.batch > 0 {
			return "%zero, " + i + ", " + j
		}
		return i + ", " + j
	}
	// view makes a view of r x c elements in tiles, perhaps by columns, and says how to load one.
	view := func(name, typ string, r, c, tr, tc int, swapped bool) (load func(i, j string) string) {
		strides, dims := fmt.Sprintf("%d,1", c), strings.ReplaceAll(shape(r, c), "x", ", ")
		if swapped {
			strides = fmt.Sprintf("1,%d", r)
		}
		if p.batch > 0 {
			strides = fmt.Sprintf("%d,%s", r*c, strides)
		}
		tensor := fmt.Sprintf("tensor_view<%sx%s, strides=[%s]>", shape(r, c), typ, strides)
		part := fmt.Sprintf("partition_view<tile=(%s), padding_value = zero, %s>", shape(tr, tc), tensor)
		fmt.Fprintf(&sb, "  %%%s = assume div_by<16>, %%p%s : tile<ptr<%s>>\n", name, name, typ)
		fmt.Fprintf(&sb, "  %%v%s = make_tensor_view %%%s, shape = [%s], strides = [%s] : %s\n  %%t%s = make_partition_view %%v%s : %s\n", name, name, dims, strides, tensor, name, name, part)
		return func(i, j string) string {
			return fmt.Sprintf("load_view_tko weak %%t%s[%s] token = %%tok : %s, tile<i32> -> tile<%sx%s>, token", name, index(i, j), part, shape(tr, tc), typ)
		}
	}
	a := view("a", elem, p.m, depth, p.m, p.k, p.columns)
	b := view("b", elem, depth, p.n, p.k, p.n, p.rows)
	view("o", sum, p.m, p.n, p.m, p.n, false)
	acc := fmt.Sprintf("tile<%sx%s>", shape(p.m, p.n), sum)
	ta, tb := fmt.Sprintf("tile<%sx%s>", shape(p.m, p.k), elem), fmt.Sprintf("tile<%sx%s>", shape(p.k, p.n), elem)
	zero := "0"
	if strings.HasPrefix(sum, "f") {
		zero = "0.0"
	}
	fmt.Fprintf(&sb, "  %%none = constant <%s: %s> : %s\n", sum, zero, acc)
	body := func(s, from, to string) {
		fmt.Fprintf(&sb, "  %%la, %%ua = %s\n  %%lb, %%ub = %s\n", a("%zero", s), b(s, "%zero"))
		x, y := "%la", "%lb"
		if p.computed {
			fmt.Fprintf(&sb, "  %%xa = addf %%la, %%la rounding<nearest_even> : %s\n  %%xb = addf %%lb, %%lb rounding<nearest_even> : %s\n", ta, tb)
			x, y = "%xa", "%xb"
		}
		if strings.HasPrefix(sum, "i") {
			fmt.Fprintf(&sb, "  %s = mmai %s, %s, %s signed signed : %s, %s, %s\n", to, x, y, from, ta, tb, acc)
		} else {
			fmt.Fprintf(&sb, "  %s = mmaf %s, %s, %s : %s, %s, %s\n", to, x, y, from, ta, tb, acc)
		}
	}
	if p.turns > 0 {
		fmt.Fprintf(&sb, "  %%end = constant <i32: %d> : tile<i32>\n  %%r = for %%i in (%%zero to %%end, step %%one) : tile<i32> iter_values(%%acc = %%none) -> (%s) {\n", p.turns, acc)
		body("%i", "%acc", "%d")
		fmt.Fprintf(&sb, "  continue %%d : %s\n  }\n", acc)
	} else {
		body("%zero", "%none", "%r")
	}
	strides := fmt.Sprintf("%d,1", p.n)
	if p.batch > 0 {
		strides = fmt.Sprintf("%d,%s", p.m*p.n, strides)
	}
	fmt.Fprintf(&sb, "  %%done = store_view_tko weak %%r, %%to[%s] token = %%tok : %s, partition_view<tile=(%s), padding_value = zero, tensor_view<%sx%s, strides=[%s]>>, tile<i32> -> token\n  return\n}\n}\n",
		index("%zero", "%zero"), acc, shape(p.m, p.n), shape(p.m, p.n), sum, strides)
	return sb.String()
}

var productTypes = map[string]launch.DType{"": launch.F32, "f32": launch.F32, "f64": launch.F64, "f16": launch.F16, "i8": launch.I8, "i32": launch.I32}

// depth is the extent of K in memory.
func (p threadProduct) depth() int {
	n := p.k * max(1, p.turns)
	if p.ragged {
		n -= p.k/2 + 1
	}
	return n
}

// request is a launch with numbers of so many bits and a sign.
func (p threadProduct) request(t *testing.T, width int) (r *launch.Request, a, b []float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(p.m*p.n+p.k)))
	buffer := func(typ string, n int) (launch.Arg, []float64) {
		d := productTypes[typ]
		b := &launch.Buffer{DType: d, Shape: []int{n}, Data: make([]byte, d.Bytes(n))}
		values := make([]float64, n)
		for i := range n {
			v := rng.IntN(2<<width) - 1<<width
			values[i] = float64(v)
			d.Store(b.Data, i, kerneltest.Bits(t, d, int64(v)))
		}
		return launch.Arg{Buffer: b}, values
	}
	batch := max(1, p.batch)
	out, _ := buffer(p.sum, batch*p.m*p.n)
	left, a := buffer(p.elem, batch*p.m*p.depth())
	right, b := buffer(p.elem, batch*p.depth()*p.n)
	return &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{out, left, right}}, a, b
}

// sums writes down what the sums are, added one after the other along K with one rounding each.
func (p threadProduct) sums(t *testing.T, r *launch.Request, a, b []float64) {
	t.Helper()
	out := r.Args[0].Buffer
	depth := p.depth()
	for i := range out.Data[:max(1, p.batch)*p.m*p.n] {
		batch, m, n := i/(p.m*p.n), i/p.n%p.m, i%p.n
		sum := 0.0
		for k := range depth {
			ia, ib := m*depth+k, k*p.n+n
			if p.columns {
				ia = k*p.m + m
			}
			if p.rows {
				ib = n*depth + k
			}
			x, y := a[batch*p.m*depth+ia], b[batch*depth*p.n+ib]
			if p.computed {
				x, y = 2*x, 2*y
			}
			if sum = math.FMA(x, y, sum); p.sum != "f64" {
				sum = float64(float32(sum)) // of what fits a float64 exactly, since the numbers are of 13 bits
			}
		}
		if _, _, ok := out.DType.Int(); ok {
			out.DType.Store(out.Data, i, uint64(uint32(int32(sum))))
			continue
		}
		bits, err := out.DType.ParseValue(fmt.Sprint(sum))
		if err != nil {
			t.Fatal(err)
		}
		out.DType.Store(out.Data, i, bits)
	}
}

var threadProducts = []threadProduct{
	{name: "64x64x16", m: 64, n: 64, k: 16, turns: 4, long: true},
	{name: "64x64x16 once", m: 64, n: 64, k: 16},
	{name: "128x128x32", m: 128, n: 128, k: 32, turns: 3, long: true},
	{name: "128x128x64", m: 128, n: 128, k: 64, turns: 2, long: true},
	{name: "128x128x64 once", m: 128, n: 128, k: 64, long: true},
	{name: "256x128x32", m: 256, n: 128, k: 32, turns: 2, long: true},
	{name: "A by columns", m: 64, n: 128, k: 32, turns: 2, columns: true, long: true},
	{name: "B by rows", m: 128, n: 64, k: 32, turns: 2, rows: true, long: true},
	{name: "both the other way", m: 128, n: 128, k: 16, turns: 2, columns: true, rows: true, long: true},
	{name: "ragged", m: 64, n: 64, k: 32, turns: 3, ragged: true, long: true},
	{name: "computed", m: 64, n: 64, k: 64, turns: 2, computed: true, long: true},
	{name: "computed once", m: 64, n: 128, k: 32, computed: true, long: true},
	{name: "batches", batch: 4, m: 32, n: 32, k: 32, turns: 2, long: true},
	{name: "many batches", batch: 16, m: 8, n: 16, k: 64, turns: 2, long: true},
	{name: "tall", m: 512, n: 1, k: 16, turns: 3},
	{name: "one row", m: 1, n: 64, k: 128, turns: 2},
	{name: "one element", m: 1, n: 1, k: 64, turns: 2},
	{name: "depth 1", m: 64, n: 64, k: 1, turns: 3},
	{name: "depth 2", m: 128, n: 32, k: 2, turns: 2},
	{name: "doubles", m: 32, n: 64, k: 2, elem: "f64", sum: "f64", turns: 2},
	{name: "deep", m: 16, n: 16, k: 512, turns: 2, long: true},
	{name: "halves", m: 128, n: 128, k: 4, elem: "f16", turns: 2},
	{name: "bytes", m: 64, n: 128, k: 8, elem: "i8", sum: "i32", turns: 3},
}

// TestFMAMatchesSequentialSums: products without matrix instructions give, bit for bit, the sum along K one element after the
// other, on both engines, for targets and levels of optimisation in turn; their code does not grow with K, and they
// meet no bank conflicts.
func TestFMAMatchesSequentialSums(t *testing.T) {
	t.Parallel()
	gpus := []string{"sm_80", "sm_90", "sm_120", "sm_86"}
	for i, p := range threadProducts {
		if !tier.Try(i, 4) {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			p.compare(t, gpus[i%len(gpus)], 3)
			if i%3 == 0 && tier.All() {
				p.compare(t, gpus[(i+1)%len(gpus)], 1+i%2)
			}
			if p.m*p.n*p.k <= 1<<16 {
				p.compare(t, "sm_80", 0)
			}
		})
	}
}

// exact and rounded are the bits of numbers whose sums are exact, and are not.
const exact, rounded = 4, 12

func (p threadProduct) compare(t *testing.T, gpu string, level int) {
	t.Helper()
	wide := rounded
	switch p.elem {
	case "i8":
		wide = 7
	case "f16":
		wide = 10
	case "f64":
		wide = 28
	}
	interpreted := wide
	if p.elem == "f16" { // the interpreter rounds sums of products of f16 once
		interpreted = exact
	}
	check := func(engine string, e launch.Engine, width int) {
		t.Helper()
		want, a, b := p.request(t, width)
		p.sums(t, want, a, b)
		got, _, _ := p.request(t, width)
		kerneltest.RunAndCompare(t, fmt.Sprintf("%s, -O%d, %s", gpu, level, engine), e, got, 0, want.Args[0].Buffer)
	}
	var said bytes.Buffer
	m := kerneltest.Read(t, &said, "k.mlir", []byte(p.text()))
	w := kerneltest.AtTileAS{Seen: func(m ir.Op) {
		e := interp.New(m)
		e.Adversarial = true
		check("tileas", e, interpreted)
	}}
	if level == 3 {
		check("cuda_tile", interp.New(m), interpreted)
	}
	result, err := compile.To(context.Background(), m, compile.Options{GPU: gpu, OptLevel: level, Instruments: []pipeline.Instrument{w}})
	if err != nil {
		t.Fatalf("%s, -O%d: %v\n%s", gpu, level, err, &said)
	}
	for seed := range uint64(2) {
		e := kerneltest.Emulator(t, result, "k")
		e.Adversarial, e.Seed = seed > 0, seed
		if seed == 0 {
			e.Profile = &emu.Profile{}
		}
		check(fmt.Sprintf("ptx, seed %d", seed), e, wide)
		if seed == 0 && level == 3 {
			r, err := e.Report("k")
			if err != nil {
				t.Fatal(err)
			}
			if taken, ideal := kerneltest.SharedWavefronts(r); taken != ideal {
				t.Errorf("%s: shared memory takes %d wavefronts, without conflicts %d", gpu, taken, ideal)
			}
		}
	}
	const mostFMAs = 2*512 + 64 // two versions of the loop
	if n := strings.Count(string(result.PTX), "fma.rn."); p.long && level > 0 && (n == 0 || n > mostFMAs) {
		t.Errorf("%s, -O%d: the code has %d multiply-adds", gpu, level, n)
	}
}

// productKernels returns the kernels of products, of the form and the tiles of real use.
func productKernels(t *testing.T) (files []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no kernels: %v", err)
	}
	return files
}

// TestFMAKernels: kernels of products of f32 give the sums of their elements along K on both engines, with
// extents that the tiles divide and that they do not.
func TestFMAKernels(t *testing.T) {
	t.Parallel()
	for i, file := range productKernels(t) {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var tm, tn, tk int
		if _, err := fmt.Sscanf(filepath.Base(file), "matmul_f32_%dx%dx%d.mlir", &tm, &tn, &tk); err != nil {
			t.Fatal(err)
		}
		gpu := []string{"sm_80", "sm_90", "sm_120"}[i%3]
		code, err := compile.To(context.Background(), kerneltest.ReadQuiet(t, file, source), compile.Options{GPU: gpu, OptLevel: 3})
		if err != nil {
			t.Fatal(err)
		}
		for k, extent := range [][3]int{{tm, tn, 3 * tk}, {tm + 16, tn, 2*tk + 16}} {
			if !tier.Try(i+k, 2) {
				continue
			}
			t.Run(fmt.Sprint(filepath.Base(file), " ", gpu, " ", extent), func(t *testing.T) {
				t.Parallel()
				p := threadProduct{m: extent[0], n: extent[1], k: extent[2]}
				request := func(width int) (r *launch.Request, a, b []float64) {
					r, a, b = p.request(t, width)
					r.Entry = "matmul_f32"
					r.Grid = [3]uint32{uint32((p.m + tm - 1) / tm), uint32((p.n + tn - 1) / tn), 1}
					out := r.Args[0]
					r.Args = []launch.Arg{r.Args[1], r.Args[2], out}
					for _, n := range []int{p.m, p.n, p.k} {
						r.Args = append(r.Args, launch.Arg{Scalar: launch.Scalar{DType: launch.I32, Bits: uint64(n)}})
					}
					return r, a, b
				}
				check := func(engine string, e launch.Engine, width int) {
					t.Helper()
					got, a, b := request(width)
					want := &launch.Request{Args: []launch.Arg{{Buffer: &launch.Buffer{DType: launch.F32, Shape: []int{p.m * p.n}, Data: make([]byte, 4*p.m*p.n)}}}}
					p.sums(t, want, a, b)
					kerneltest.RunAndCompare(t, engine, e, got, 2, want.Args[0].Buffer)
				}
				check("cuda_tile", interp.New(kerneltest.ReadQuiet(t, file, source)), exact)
				e := kerneltest.Emulator(t, code, "matmul_f32")
				e.Adversarial, e.Seed = true, uint64(p.k)
				check("ptx", e, rounded)
			})
		}
	}
}

// TestPtxasFMA: no register of a product without tensor cores spills.
func TestPtxasFMA(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	sources := map[string]string{"chain": chainOfProducts}
	for _, p := range threadProducts {
		sources[p.name] = p.text()
	}
	for _, file := range productKernels(t) {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources[file] = string(source)
	}
	for i, name := range slices.Sorted(maps.Keys(sources)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for k, n := range []int{i, i + 5} {
				if !tier.Try(i+k, 18) {
					continue
				}
				arch := sm.All()[n%len(sm.All())]
				if kerneltest.Assemble(t, tool, arch.Name, []byte(sources[name])) {
					t.Errorf("%s: spills registers", arch)
				}
			}
		})
	}
}

// chainOfProducts is attention without its softmax: a factor that stays from in front of the loop, one that is
// computed from what another product makes, and two that are copied.
const chainOfProducts = `cuda_tile.module @m {
entry @k(%po: tile<ptr<f32>>, %pa: tile<ptr<f32>>, %pb: tile<ptr<f32>>, %pc: tile<ptr<f32>>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %turns = constant <i32: 3> : tile<i32>
  %o = assume div_by<16>, %po : tile<ptr<f32>>
  %a = assume div_by<16>, %pa : tile<ptr<f32>>
  %b = assume div_by<16>, %pb : tile<ptr<f32>>
  %c = assume div_by<16>, %pc : tile<ptr<f32>>
  %vo = make_tensor_view %o, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf32, strides=[128,1]>
  %va = make_tensor_view %a, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf32, strides=[128,1]>
  %vb = make_tensor_view %b, shape = [128, 192], strides = [1, 128] : tensor_view<128x192xf32, strides=[1,128]>
  %vc = make_tensor_view %c, shape = [192, 128], strides = [128, 1] : tensor_view<192x128xf32, strides=[128,1]>
  %to = make_partition_view %vo : partition_view<tile=(64x128), tensor_view<64x128xf32, strides=[128,1]>>
  %ta = make_partition_view %va : partition_view<tile=(64x128), tensor_view<64x128xf32, strides=[128,1]>>
  %tb = make_partition_view %vb : partition_view<tile=(128x64), tensor_view<128x192xf32, strides=[1,128]>>
  %tc = make_partition_view %vc : partition_view<tile=(64x128), tensor_view<192x128xf32, strides=[128,1]>>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %start = constant <f32: 0.0> : tile<64x128xf32>
  %q, %u = load_view_tko weak %ta[%zero, %zero] token = %tok : partition_view<tile=(64x128), tensor_view<64x128xf32, strides=[128,1]>>, tile<i32> -> tile<64x128xf32>, token
  %r = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%acc = %start) -> (tile<64x128xf32>) {
    %k, %v = load_view_tko weak %tb[%zero, %i] token = %tok : partition_view<tile=(128x64), tensor_view<128x192xf32, strides=[1,128]>>, tile<i32> -> tile<128x64xf32>, token
    %s = mmaf %q, %k, %none : tile<64x128xf32>, tile<128x64xf32>, tile<64x64xf32>
    %p = addf %s, %s rounding<nearest_even> : tile<64x64xf32>
    %w, %x = load_view_tko weak %tc[%i, %zero] token = %tok : partition_view<tile=(64x128), tensor_view<192x128xf32, strides=[128,1]>>, tile<i32> -> tile<64x128xf32>, token
    %d = mmaf %p, %w, %acc : tile<64x64xf32>, tile<64x128xf32>, tile<64x128xf32>
    continue %d : tile<64x128xf32>
  }
  %done = store_view_tko weak %r, %to[%zero, %zero] token = %tok : tile<64x128xf32>, partition_view<tile=(64x128), tensor_view<64x128xf32, strides=[128,1]>>, tile<i32> -> token
  return
}
}
`

// TestFMAChain: such a chain gives on PTX and at the level of layouts what the program gives, where
// shared memory holds two stages of what is copied, and where it does not.
func TestFMAChain(t *testing.T) {
	t.Parallel()
	for _, gpu := range []string{"sm_80", "sm_90", "sm_120"} {
		t.Run(gpu, func(t *testing.T) {
			t.Parallel()
			request := func() *launch.Request {
				const small = 1 // bits: all sums are exact
				first, _, _ := threadProduct{m: 64, n: 192, k: 128}.request(t, small)
				second, _, _ := threadProduct{m: 64, n: 128, k: 192}.request(t, small)
				return &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{second.Args[0], first.Args[1], first.Args[2], second.Args[2]}}
			}
			want := request()
			if err := interp.New(kerneltest.ReadQuiet(t, "k.mlir", []byte(chainOfProducts))).Run(context.Background(), want); err != nil {
				t.Fatal(err)
			}
			check := func(engine string, e launch.Engine) {
				t.Helper()
				kerneltest.RunAndCompare(t, engine, e, request(), 0, want.Args[0].Buffer)
			}
			w := kerneltest.AtTileAS{Seen: func(m ir.Op) {
				e := interp.New(m)
				e.Adversarial = true
				check("tileas", e)
			}}
			code, err := compile.To(context.Background(), kerneltest.ReadQuiet(t, "k.mlir", []byte(chainOfProducts)), compile.Options{GPU: gpu, OptLevel: 3, Instruments: []pipeline.Instrument{w}})
			if err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(3) {
				e := kerneltest.Emulator(t, code, "k")
				e.Adversarial, e.Seed = seed > 0, seed
				check(fmt.Sprintf("ptx, seed %d", seed), e)
			}
			const mostFMAs = 4 * 512 // two products in two versions of the loop
			if n := strings.Count(string(code.PTX), "fma.rn."); n == 0 || n > mostFMAs {
				t.Errorf("the code has %d multiply-adds", n)
			}
		})
	}
}
