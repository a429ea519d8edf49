package tests

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/internal/judges"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/ptxas"
)

// Kernels at nv_tileas that multiply into tensor memory.

// A tensorKernel multiplies an M x K tile by a K x N tile, in one product or several.
type tensorKernel struct {
	m, n, k, instruction int
	elem, sum            string
	a, b                 stored
	warpsM, warpsN       int
	body                 string // what stands between the factors' being there and the result %r
	planted              [2]string
}

// stored is how a factor lies in shared memory.
type stored struct {
	swizzle int
	order   []int
}

var (
	byRows = []int{1, 0}
	byCols = []int{0, 1}
)

// plain is one product, waited for.
const plain = `
  TDOT(%sa, %sb, %acc if %false, %bar)INTO
  nv_tileas.tensor_wait 0 for %bar, %c0)IS
  %r = TLOAD(%acc)SUM`

// twice adds the product to a sum that the threads have stored.
const twice = `
  %one = arith.constant 1.0 : f32
  %ones = nv_tileas.splat %one : f32 -> SUM
  TSTORE(%ones, %acc)CELLS
  nv_tileas.barrier
  TDOT(%sa, %sb, %acc if %true, %bar)INTO
  TDOT(%sa, %sb, %acc if %true, %two)INTO
  nv_tileas.tensor_wait 0 for %two, %c0)IS
  %r = TLOAD(%acc)SUM`

// loop makes four products, of which one is under way while the next is started.
const tensorLoop = `
  %left = scf.for %i = %c0 to %c4 step %c1 iter_args(%last = %c0) -> (i32) : i32 {
    %add = arith.cmpi ne, %i, %c0 : i32
    %which = arith.andi %i, %c1 : i32
    %nb = nv_tileas.buffer_slot %bars[%which] : BAR2, i32
    TDOT(%sa, %sb, %acc if %add, %nb)INTO
    %before = arith.subi %i, %c1 : i32
    %old = arith.andi %before, %c1 : i32
    %ob = nv_tileas.buffer_slot %bars[%old] : BAR2, i32
    %round = arith.shrsi %before, %c1 : i32
    %parity = arith.andi %round, %c1 : i32
    nv_tileas.tensor_wait 1 for %ob, %parity)IS
    nv_tileas.barrier
    scf.continue %i : i32
  }
  nv_tileas.tensor_wait 0 for %two, %c1)IS
  %r = TLOAD(%acc)SUM`

const anBarrier = `!nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>`

// columns is how many columns of tensor memory the sum takes, of half of the lanes when it has 64 rows.
func (k tensorKernel) columns() int { return k.n * max(k.m, 128) / 128 }

func (k tensorKernel) text(t *testing.T) string {
	t.Helper()
	must := func(s fmt.Stringer, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s.String()
	}
	bits := map[string]int{"f16": 16, "bf16": 16, "tf32": 32, "f8E4M3FN": 8, "i8": 8}[k.elem]
	tile := func(m, n int, elem, layout string) string {
		return fmt.Sprintf(`tensor<%dx%dx%s, #nv_tileas.layout<"%s">>`, m, n, elem, layout)
	}
	buffer := func(m, n int, elem, layout, space string) string {
		return fmt.Sprintf(`!nv_tileas.buffer<%dx%dx%s, #nv_tileas.shared<"%s">%s>`, m, n, elem, layout, space)
	}
	w := k.warpsM * k.warpsN
	la := tile(k.m, k.k, k.elem, must(linear.Coalesced([]int{k.m, k.k}, bits, 64, 32, w, byRows)))
	lb := tile(k.k, k.n, k.elem, must(linear.Coalesced([]int{k.k, k.n}, bits, 64, 32, w, byRows)))
	sum := tile(k.m, k.n, k.sum, must(linear.TensorSum([]int{k.m, k.n}, k.warpsM, k.warpsN)))
	sa := buffer(k.m, k.k, k.elem, must(linear.SharedTMA([]int{k.m, k.k}, bits, k.a.swizzle, k.a.order)), "")
	sb := buffer(k.k, k.n, k.elem, must(linear.SharedTMA([]int{k.k, k.n}, bits, k.b.swizzle, k.b.order)), "")
	cells := buffer(k.m, k.n, k.sum, must(linear.TensorCells([]int{k.m, k.n})), ", space = tensor")
	depth := 256 / bits
	head := `nv_tileas.func @k(%q: !nv_tileas.ptr<` + k.sum + `>, %pa: !nv_tileas.ptr<` + k.elem + `>, %pb: !nv_tileas.ptr<` + k.elem + `>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = ` + fmt.Sprint(w) + `>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %true = arith.constant 1 : i1
  %false = arith.constant 0 : i1
  %zero = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %m = arith.constant ` + fmt.Sprint(k.m) + ` : i64
  %n = arith.constant ` + fmt.Sprint(k.n) + ` : i64
  %k = arith.constant ` + fmt.Sprint(k.k) + ` : i64
  %slot = nv_tileas.alloc_shared : !nv_tileas.buffer<4xi32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
  nv_tileas.reserve_tensor ` + fmt.Sprint(max(32, k.columns())) + `, %slot : !nv_tileas.buffer<4xi32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
  %acc = nv_tileas.alloc_tensor at 0 : CELLBUF
  %bars = nv_tileas.alloc_shared : BAR2
  %bar = nv_tileas.buffer_slot %bars[%c0] : BAR2, i32
  %two = nv_tileas.buffer_slot %bars[%c1] : BAR2, i32
  nv_tileas.mbarrier_init %bar, 1 : ` + anBarrier + `
  nv_tileas.mbarrier_init %two, 1 : ` + anBarrier + `
  %a, %ta = nv_tileas.tiled_load %pa[%zero, %zero] sizes [%m, %k] strides [%k, %unit] {bounds = array<i1: true, true>} : !nv_tileas.ptr<` + k.elem + `> -> LA
  %b, %tb = nv_tileas.tiled_load %pb[%zero, %zero] sizes [%k, %n] strides [%n, %unit] {bounds = array<i1: true, true>} : !nv_tileas.ptr<` + k.elem + `> -> LB
  %sa = nv_tileas.alloc_shared align 1024 : SA
  %sb = nv_tileas.alloc_shared align 1024 : SB
  nv_tileas.local_store %a, %sa : LA, SA
  nv_tileas.local_store %b, %sb : LB, SB
  nv_tileas.fence_async
  nv_tileas.barrier
` + k.body + `
  %done = nv_tileas.tiled_store %r, %q[%zero, %zero] sizes [%m, %n] strides [%n, %unit] {bounds = array<i1: true, true>} : SUM, !nv_tileas.ptr<` + k.sum + `>
  nv_tileas.release_tensor ` + fmt.Sprint(max(32, k.columns())) + `
  nv_tileas.return
}`
	if old := k.planted[0]; old != "" {
		if !strings.Contains(head, old) {
			t.Fatalf("%q is not in the program", old)
		}
		head = strings.Replace(head, old, k.planted[1], 1)
	}
	return strings.NewReplacer("TDOT(", "nv_tileas.tensor_dot ", ")INTO", fmt.Sprintf(` {mma = #nv_tileas.mma<tcgen05.mma, m%dn%dk%d, warps = [%d, %d]>} : %s, %s, %s, %s`, min(k.m, 128), k.instruction, depth, k.warpsM, k.warpsN, sa, sb, cells, anBarrier),
		")IS", " : "+anBarrier+", i32", "TLOAD(", "nv_tileas.tensor_load ", ")SUM", " : "+cells+" -> "+sum, "TSTORE(", "nv_tileas.tensor_store ", ")CELLS", " : "+sum+", "+cells,
		"CELLBUF", cells, "SUM", sum, "LA", la, "LB", lb, "SA", sa, "SB", sb,
		"BAR2", `!nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier], #nv_tileas.shared<"{shape = [1], offset = []}">>`).Replace(head)
}

func (k tensorKernel) module(t *testing.T, said *bytes.Buffer) ir.Op {
	t.Helper()
	c := tileir.NewContext()
	c.Diag.Push(c.Diag.PrintTo(said))
	m, err := tileir.Read(c, "k.mlir", []byte(k.text(t)))
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return m
}

// Elements of the factors, small numbers that all types hold.
func factorA(i, k int) int { return (i+3*k)%5 - 2 }
func factorB(k, j int) int { return (2*k+j)%7 - 3 }

var tensorTypes = map[string]launch.DType{"f16": launch.F16, "bf16": launch.BF16, "tf32": launch.F32, "f8E4M3FN": launch.F8E4M3, "i8": launch.I8, "f32": launch.F32, "i32": launch.I32}

func (k tensorKernel) request() *launch.Request {
	buffer := func(elem string, m, n int, f func(i, j int) int) launch.Arg {
		d := tensorTypes[elem]
		b := &launch.Buffer{DType: d, Shape: []int{m, n}, Data: make([]byte, d.Size()*m*n)}
		for i := range m * n {
			x := f(i/n, i%n)
			switch elem {
			case "f16", "bf16", "f8E4M3FN", "f32", "tf32":
				d.Store(b.Data, i, encodeSmall(elem, x))
			default:
				d.Store(b.Data, i, uint64(x)&(1<<(8*d.Size())-1))
			}
		}
		return launch.Arg{Buffer: b}
	}
	return &launch.Request{Entry: "k", Grid: [3]uint32{2, 1, 1}, Args: []launch.Arg{buffer(k.sum, k.m, k.n, func(int, int) int { return 0 }),
		buffer(k.elem, k.m, k.k, factorA), buffer(k.elem, k.k, k.n, factorB)}}
}

// encodeSmall returns the pattern of a small integer.
func encodeSmall(elem string, x int) uint64 {
	bits := math.Float32bits(float32(x))
	switch elem {
	case "bf16":
		return uint64(bits >> 16)
	case "f32", "tf32":
		return uint64(bits)
	}
	exponent, mantissa, bias := 5, 10, 15
	if elem == "f8E4M3FN" {
		exponent, mantissa, bias = 4, 3, 7
	}
	if x == 0 {
		return 0
	}
	e := int(bits>>23&0xff) - 127 + bias
	return uint64(bits>>31)<<(exponent+mantissa) | uint64(e)<<mantissa | uint64(bits&(1<<23-1))>>(23-mantissa)
}

func (k tensorKernel) check(t *testing.T, what string, e launch.Engine, times, plus int) {
	t.Helper()
	req := k.request()
	if err := e.Run(context.Background(), req); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	out := req.Args[0].Buffer
	for i := range k.m {
		for j := range k.n {
			want := 0
			for d := range k.k {
				want += factorA(i, d) * factorB(d, j)
			}
			want = times*want + plus
			got := out.DType.Load(out.Data, i*k.n+j)
			if value := int(int32(got)); k.sum == "f32" && math.Float32frombits(uint32(got)) != float32(want) || k.sum == "i32" && value != want {
				t.Fatalf("%s: element %d, %d is %#x, want %d", what, i, j, got, want)
			}
		}
	}
}

// TestTensorMemory: products into tensor memory do what they say, on every engine, from all layouts of factors.
func TestTensorMemory(t *testing.T) {
	t.Parallel()
	k := stored{128, byRows}
	for name, tt := range map[string]struct {
		tensorKernel
		gpu         string
		times, plus int
	}{
		"f16, both along K":   {tensorKernel{m: 128, n: 64, k: 64, instruction: 64, elem: "f16", sum: "f32", a: k, b: stored{128, byCols}, warpsM: 4, warpsN: 1, body: plain}, "sm_100", 1, 0},
		"f16, as rows lie":    {tensorKernel{m: 128, n: 64, k: 64, instruction: 64, elem: "f16", sum: "f32", a: k, b: stored{128, byRows}, warpsM: 4, warpsN: 1, body: twice}, "sm_103", 2, 1},
		"f16, both across K":  {tensorKernel{m: 128, n: 64, k: 64, instruction: 64, elem: "f16", sum: "f32", a: stored{128, byCols}, b: stored{128, byRows}, warpsM: 4, warpsN: 2, body: tensorLoop}, "sm_100", 4, 0},
		"bf16, two along M":   {tensorKernel{m: 256, n: 32, k: 32, instruction: 32, elem: "bf16", sum: "f32", a: stored{64, byRows}, b: stored{64, byRows}, warpsM: 8, warpsN: 1, body: plain}, "sm_110", 1, 0},
		"f16, two along N":    {tensorKernel{m: 128, n: 128, k: 16, instruction: 64, elem: "f16", sum: "f32", a: stored{32, byRows}, b: stored{128, byRows}, warpsM: 4, warpsN: 1, body: plain}, "sm_107", 1, 0},
		"f16, 64 rows":        {tensorKernel{m: 64, n: 64, k: 64, instruction: 64, elem: "f16", sum: "f32", a: k, b: stored{128, byRows}, warpsM: 4, warpsN: 1, body: twice}, "sm_100", 2, 1},
		"f16, 64 x 8":         {tensorKernel{m: 64, n: 8, k: 64, instruction: 8, elem: "f16", sum: "f32", a: k, b: stored{128, byCols}, warpsM: 4, warpsN: 1, body: plain}, "sm_103", 1, 0},
		"bf16, 64 in 8 warps": {tensorKernel{m: 64, n: 128, k: 64, instruction: 128, elem: "bf16", sum: "f32", a: k, b: stored{128, byRows}, warpsM: 4, warpsN: 2, body: tensorLoop}, "sm_100", 4, 0},
		"i8, 64 rows":         {tensorKernel{m: 64, n: 64, k: 64, instruction: 32, elem: "i8", sum: "i32", a: stored{64, byRows}, b: stored{64, byCols}, warpsM: 4, warpsN: 1, body: plain}, "sm_110", 1, 0},
		"tf32":                {tensorKernel{m: 128, n: 32, k: 32, instruction: 32, elem: "tf32", sum: "f32", a: k, b: stored{128, byCols}, warpsM: 4, warpsN: 1, body: plain}, "sm_100", 1, 0},
		"f8":                  {tensorKernel{m: 128, n: 64, k: 64, instruction: 64, elem: "f8E4M3FN", sum: "f32", a: stored{64, byRows}, b: stored{64, byCols}, warpsM: 4, warpsN: 1, body: plain}, "sm_100", 1, 0},
		"f8, B across K":      {tensorKernel{m: 128, n: 64, k: 64, instruction: 64, elem: "f8E4M3FN", sum: "f32", a: stored{64, byRows}, b: stored{64, byRows}, warpsM: 4, warpsN: 1, body: plain}, "sm_100", 1, 0},
		"i8":                  {tensorKernel{m: 128, n: 64, k: 64, instruction: 64, elem: "i8", sum: "i32", a: stored{64, byRows}, b: stored{64, byCols}, warpsM: 4, warpsN: 1, body: plain}, "sm_100", 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var said bytes.Buffer
			m := tt.module(t, &said)
			for _, late := range []bool{false, true} {
				e := interp.New(m)
				e.Threads, e.Adversarial = true, late
				tt.check(t, fmt.Sprintf("as written, late %v", late), e, tt.times, tt.plus)
			}
			s := scheduled{gpu: tt.gpu}
			if _, err := s.pass(m, placing); err != nil {
				t.Fatalf("%v\n%s", err, &said)
			}
			tt.check(t, "placed", interp.New(m), tt.times, tt.plus)
			ptx, _ := s.lowered(t, m, &said)
			for seed := range uint64(4) {
				e, err := emulate.New("k.ptx", ptx)
				if err != nil {
					t.Fatalf("%v\n%s", err, ptx)
				}
				e.Adversarial, e.Seed = seed > 0, seed
				tt.check(t, fmt.Sprintf("as PTX, seed %d", seed), e, tt.times, tt.plus)
			}
		})
	}
}

// TestPtxasTensorMemory assembles such kernels for each target that has tensor memory.
func TestPtxasTensorMemory(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	k := tensorKernel{m: 128, n: 64, k: 64, instruction: 64, elem: "f16", sum: "f32", a: stored{128, byRows}, b: stored{128, byRows}, warpsM: 4, warpsN: 1, body: twice}
	for _, gpu := range []string{"sm_100", "sm_103", "sm_107", "sm_110"} {
		var said bytes.Buffer
		m, s := k.module(t, &said), scheduled{gpu: gpu}
		s.assembles(t, tool, m, &said)
	}
}

// TestPlantedTensorMemory: mistakes with tensor memory are found by executing the level, at the operation, and none of them hangs.
func TestPlantedTensorMemory(t *testing.T) {
	t.Parallel()
	const unspecified = "'nv_tileas.tiled_store' op stores an unspecified value"
	k := tensorKernel{m: 128, n: 64, k: 64, instruction: 64, elem: "f16", sum: "f32", a: stored{128, byRows}, b: stored{128, byRows}, warpsM: 4, warpsN: 1}
	const wait = "nv_tileas.tensor_wait 0 for %bar, %c0)IS"
	const sum = "  %r = TLOAD(%acc)SUM"
	for name, tt := range map[string]struct{ body, old, new, want string }{
		"none":          {plain, "", "", ""},
		"none, a store": {twice, "", "", ""},
		"none, a loop":  {tensorLoop, "", "", ""},
		"wait dropped":  {plain, wait, "", unspecified},
		"wrong parity":  {plain, "tensor_wait 0 for %bar, %c0", "tensor_wait 0 for %bar, %c1", "'nv_tileas.tensor_wait' op leaves 1 products under way, where the program counts on at most 0"},
		"wrong mbarrier": {plain, "tensor_wait 0 for %bar", "tensor_wait 0 for %two",
			"'nv_tileas.tensor_wait' op waits for phase 0, which never ends: no product that is under way tells the mbarrier"},
		"parity not kept":             {tensorLoop, "tensor_wait 1 for %ob, %parity", "tensor_wait 1 for %ob, %c0", "'nv_tileas.tensor_wait' op"},
		"loop, wait for older":        {tensorLoop, "tensor_wait 0 for %two, %c1", "tensor_wait 0 for %bar, %c1", "'nv_tileas.tensor_wait' op"},
		"waits for too few":           {twice, "tensor_wait 0 for %two", "tensor_wait 0 for %bar", "'nv_tileas.tensor_wait' op leaves 1 products under way"},
		"read in front":               {sum + "\n  nv_tileas.barrier\n  TDOT(%sa, %sb, %acc if %false, %bar)INTO\n  " + wait, "", "", unspecified},
		"not initialised":             {plain, "if %false", "if %true", unspecified},
		"not given back":              {plain, "nv_tileas.release_tensor 64", "", "'nv_tileas.reserve_tensor' op has reserved tensor memory that is not given back when the kernel ends"},
		"some given back":             {plain, "nv_tileas.release_tensor 64", "nv_tileas.release_tensor 32", "'nv_tileas.release_tensor' op gives back 32 columns of tensor memory, but 64 are reserved"},
		"too few columns":             {plain, "nv_tileas.reserve_tensor 64", "nv_tileas.reserve_tensor 32", "'nv_tileas.alloc_tensor' op needs column 63 of tensor memory, but 32 are reserved"},
		"wrong column":                {plain, "alloc_tensor at 0", "alloc_tensor at 512", "'nv_tileas.alloc_tensor' op needs column 64 of tensor memory, but 64 are reserved"},
		"given back too early":        {plain, "  nv_tileas.tensor_wait", "  nv_tileas.release_tensor 64\n  nv_tileas.tensor_wait", "'nv_tileas.release_tensor' op gives back tensor memory that 'nv_tileas.tensor_dot' is still writing"},
		"no fence":                    {plain, "nv_tileas.fence_async", "", "'nv_tileas.tensor_dot' op reads what 'nv_tileas.local_store' has stored, and no fence_async has stood between them"},
		"no barrier":                  {plain, "nv_tileas.fence_async\n  nv_tileas.barrier", "nv_tileas.fence_async", "'nv_tileas.tensor_dot' op accesses shared memory that another thread accesses"},
		"no barrier behind the store": {twice, "%ones, %acc)CELLS\n  nv_tileas.barrier", "%ones, %acc)CELLS", "'nv_tileas.tensor_dot' op accesses shared memory that another thread accesses in 'nv_tileas.tensor_store'"},
		"mbarrier told twice in a turn": {tensorLoop, "tensor_wait 1 for %ob, %parity)IS\n    nv_tileas.barrier", "tensor_wait 1 for %ob, %parity)IS",
			"'nv_tileas.tensor_dot' op accesses shared memory that another thread accesses in 'nv_tileas.tensor_wait'"},
		"factor written": {plain, "  nv_tileas.tensor_wait", "  nv_tileas.local_store %a, %sa : LA, SA\n  nv_tileas.tensor_wait", "'nv_tileas.local_store' op writes a buffer that 'nv_tileas.tensor_dot' is still reading"},
		"sum written":    {twice, "  nv_tileas.tensor_wait", "  TSTORE(%ones, %acc)CELLS\n  nv_tileas.tensor_wait", "'nv_tileas.tensor_store' op writes tensor memory that 'nv_tileas.tensor_dot' is still writing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := k
			k.body = tt.body
			k.planted = [2]string{tt.old, tt.new}
			for _, late := range []bool{false, true} {
				var said bytes.Buffer
				e := interp.New(k.module(t, &said))
				e.Threads, e.Adversarial = true, late
				err := e.Run(context.Background(), k.request())
				if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
					t.Errorf("late %v: got %v, want %s", late, err, tt.want)
				}
			}
		})
	}
}
