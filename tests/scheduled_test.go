package tests

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/convert/nvvmtoptx"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/ptxas"
)

// Kernels written at nv_tileas, as its passes make them: they run in the interpreter as written, again with shared memory and barriers placed, and as PTX in the emulator, adversarially.

const (
	placing  = "tileas-allocate-shared,tileas-insert-barriers"
	lowering = "convert-tileas-to-nvvm,nvvm.func(nvvm-expand-math,nvvm-legalize-arith),emit-ptx"
)

// scheduledIn is how many elements of i32 the second parameter of such a kernel has; element i is 7*i.
const scheduledIn = 4 * 128

// A scheduled is a kernel @k of nv_tileas whose parameters point to its output and its input.
type scheduled struct {
	gpu    string
	text   string
	out    int // elements of i32
	want   func(i int) uint64
	passes string // that run before placing
	maps   contract.TensorMaps
}

const rows = `tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>`

const buf = `!nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>`

// scheduledNames are what the texts of such kernels abbreviate.
var scheduledNames = strings.NewReplacer(
	"ROWS", rows,
	"COLS", `tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[8, 0], [16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [], block = []}">>`,
	"BUF", buf,
	"SLOTS3", `!nv_tileas.buffer<3 x [32x4xi32], #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>`,
	"COPY(", "nv_tileas.copy_async ", ")FROM(", ", %src[", ")ROWS(", ", %zero] sizes [", ")END", ", %four] strides [%four, %unit] {bounds = array<i1: true, false>, base_div = 16 : i64, offset_div = array<i64: 4, 16>, size_div = array<i64: 1, 4>, stride_div = array<i64: 4, 1>, padding = \"zero\"} : "+buf+", !nv_tileas.ptr<i32>",
	"OUT(", "nv_tileas.tiled_store ", ")AT", ", %q[%at, %zero] sizes [%many, %four] strides [%four, %unit] {bounds = array<i1: true, true>} : "+rows+", !nv_tileas.ptr<i32>",
)

// prologue defines what they use.
const prologue = `nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c100 = arith.constant 100 : i32
  %at = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %many = arith.constant 1024 : i64
  %io = nv_tileas.make_range : tensor<32xi32, #nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">>
  %io1 = nv_tileas.reshape %io : tensor<32xi32, #nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">> -> tensor<32x1xi32, #nv_tileas.layout<"{shape = [32, 1], register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>
  %x = nv_tileas.broadcast %io1 : tensor<32x1xi32, #nv_tileas.layout<"{shape = [32, 1], register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">> -> ROWS
  %hundred = nv_tileas.splat %c100 : i32 -> ROWS
  %y = arith.addi %x, %hundred : ROWS
`

func (k scheduled) module(t *testing.T, said *bytes.Buffer) ir.Op {
	t.Helper()
	c := tileir.NewContext()
	c.Diag.Push(c.Diag.PrintTo(said))
	m, err := tileir.Read(c, "k.mlir", []byte(scheduledNames.Replace(prologue+k.text+"\n  nv_tileas.return\n}\n")))
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return m
}

func (k scheduled) request() *launch.Request {
	out := &launch.Buffer{DType: launch.I32, Shape: []int{k.out}, Data: make([]byte, 4*k.out)}
	in := &launch.Buffer{DType: launch.I32, Shape: []int{scheduledIn}, Data: make([]byte, 4*scheduledIn)}
	for i := range scheduledIn {
		in.DType.Store(in.Data, i, uint64(7*i))
	}
	return &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{{Buffer: out}, {Buffer: in}}}
}

func (k scheduled) check(t *testing.T, what string, e launch.Engine) {
	t.Helper()
	req := k.request()
	if err := e.Run(context.Background(), req); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	b := req.Args[0].Buffer
	for i := range k.out {
		if got := b.DType.Load(b.Data, i); got != k.want(i) {
			t.Fatalf("%s: element %d is %d, want %d", what, i, got, k.want(i))
		}
	}
}

// pass runs a pipeline of passes on the kernel, or on the module from a conversion on.
func (k scheduled) pass(m ir.Op, names string) (*pipeline.Result, error) {
	text := "builtin.module(nv_tileas.func(" + names + "))"
	if strings.HasPrefix(names, "convert") {
		text = "builtin.module(" + names + ")"
	}
	p, err := pipeline.Parse(passes.Default, text)
	if err != nil {
		return nil, err
	}
	gpu := k.gpu
	if gpu == "" {
		gpu = "sm_80"
	}
	manager := pipeline.Manager{Target: &passes.Target{GPU: gpu, TensorMaps: k.maps}}
	return manager.Run(context.Background(), p, m)
}

// ptx returns the PTX of a kernel whose shared memory is to be placed, and how it is launched.
func (k scheduled) ptx(t *testing.T, m ir.Op, said *bytes.Buffer) ([]byte, *nvvmtoptx.Launch) {
	t.Helper()
	if _, err := k.pass(m, placing); err != nil {
		t.Fatalf("%s: %v\n%s", k.gpu, err, said)
	}
	return k.lowered(t, m, said)
}

// lowered is ptx of a kernel whose shared memory is placed.
func (k scheduled) lowered(t *testing.T, m ir.Op, said *bytes.Buffer) ([]byte, *nvvmtoptx.Launch) {
	t.Helper()
	result, err := k.pass(m, lowering)
	if err != nil {
		t.Fatalf("%s: %v\n%s", k.gpu, err, said)
	}
	text, _ := result.Artifacts[nvvmtoptx.PTXArtifact].(passes.Text)
	described, _ := result.Artifacts[nvvmtoptx.LaunchArtifact].(*nvvmtoptx.Launch)
	return text, described
}

// assembles has ptxas assemble the PTX of a kernel, without a warning.
func (k scheduled) assembles(t *testing.T, tool *ptxas.Tool, m ir.Op, said *bytes.Buffer) {
	t.Helper()
	text, described := k.ptx(t, m, said)
	out, err := tool.Assemble(context.Background(), text, ptxas.Options{Arch: described.Target, OptLevel: 3})
	if err != nil {
		t.Fatalf("%s: %v\n%s", k.gpu, err, text)
	}
	for _, w := range out.Warnings {
		t.Errorf("%s: %v", k.gpu, w)
	}
}

// interpreted runs a kernel in the interpreter with threads, its copies completing as early as they may and as late: it must say what is wanted, or nothing where that is empty.
func (k scheduled) interpreted(t *testing.T, want string) {
	t.Helper()
	for _, late := range []bool{false, true} {
		var said bytes.Buffer
		e := interp.New(k.module(t, &said))
		e.Threads, e.Adversarial = true, late
		err := e.Run(context.Background(), k.request())
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("late %v: got %v, want %s", late, err, want)
		}
	}
}

// runsAlike executes a kernel at its level and below.
func (k scheduled) runsAlike(t *testing.T) {
	t.Helper()
	var said bytes.Buffer
	m := k.module(t, &said)
	k.check(t, "as written", interp.New(m))
	if k.passes != "" {
		if _, err := k.pass(m, k.passes); err != nil {
			t.Fatalf("%v\n%s", err, &said)
		}
	}
	if _, err := k.pass(m, placing); err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	k.check(t, "placed", interp.New(m))
	ptx, described := k.lowered(t, m, &said)
	for seed := range uint64(4) {
		e, err := emulate.New("k.ptx", ptx)
		if err != nil {
			t.Fatalf("%v\n%s", err, ptx)
		}
		compile.Describe(e, described.Kernels[0])
		e.Adversarial, e.Seed = seed > 0, seed
		k.check(t, fmt.Sprintf("as PTX, seed %d", seed), e)
	}
}

// TestBuffersAsValues passes buffers through control flow. A buffer that one way only reaches would be at the offset of another, or at none.
func TestBuffersAsValues(t *testing.T) {
	t.Parallel()
	same := func(base uint64) func(int) uint64 { return func(i int) uint64 { return base + uint64(i/4) } }
	const two = `
  %a = nv_tileas.alloc_shared : BUF
  %b = nv_tileas.alloc_shared : BUF
  nv_tileas.local_store %x, %a : ROWS, BUF
  nv_tileas.local_store %y, %b : ROWS, BUF`
	// show loads through a layout in which every element is another thread's.
	const show = `
  %cols = nv_tileas.local_load %r : BUF -> COLS
  %back = nv_tileas.alloc_shared : BUF
  nv_tileas.local_store %cols, %back : COLS, BUF
  %rows = nv_tileas.local_load %back : BUF -> ROWS
  %done = OUT(%rows)AT`
	for name, tt := range map[string]struct {
		text string
		want func(int) uint64
	}{
		"select": {two + "\n%c = arith.cmpi slt, %c3, %c2 : i32\n%r = arith.select %c, %a, %b : i1, BUF" + show, same(100)},
		"swap, 3 times": {two + `
  %r, %other = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a, %o = %b) -> (BUF, BUF) : i32 {
    scf.continue %o, %p : BUF, BUF
  }` + show, same(100)},
		"swap, 4 times": {two + `
  %r, %other = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a, %o = %b) -> (BUF, BUF) : i32 {
    scf.continue %o, %p : BUF, BUF
  }` + show, same(0)},
		"written while swapped": {two + `
  %r, %other = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a, %o = %b) -> (BUF, BUF) : i32 {
    %now = nv_tileas.local_load %p : BUF -> COLS
    %one = nv_tileas.splat %c1 : i32 -> COLS
    %more = arith.addi %now, %one : COLS
    nv_tileas.local_store %more, %o : COLS, BUF
    scf.continue %o, %p : BUF, BUF
  }` + show, same(3)},
		"if": {two + `
  %c = arith.cmpi slt, %c3, %c2 : i32
  %r = scf.if %c -> (BUF) {
    %in = nv_tileas.alloc_shared : BUF
    nv_tileas.local_store %y, %in : ROWS, BUF
    scf.yield %in : BUF
  } else {
    %in = nv_tileas.alloc_shared : BUF
    nv_tileas.local_store %x, %in : ROWS, BUF
    scf.yield %in : BUF
  }` + show, same(0)},
		"broken out of a loop": {two + `
  %r = scf.loop iter_args(%p = %a, %o = %b) -> (BUF) : BUF, BUF {
    %c = arith.cmpi eq, %c1, %c1 : i32
    scf.if %c {
      scf.break %o : BUF
    }
    scf.continue %o, %p : BUF, BUF
  }` + show, same(100)},
		"slots": {`
  %s = nv_tileas.alloc_shared : SLOTS3
  %l = scf.for %i = %c0 to %c3 step %c1 iter_args(%last = %c0) -> (i32) : i32 {
    %slot = nv_tileas.buffer_slot %s[%i] : SLOTS3, i32
    %t = nv_tileas.splat %i : i32 -> ROWS
    nv_tileas.local_store %t, %slot : ROWS, BUF
    scf.continue %i : i32
  }
  %r = nv_tileas.buffer_slot %s[%c1] : SLOTS3, i32` + show, func(int) uint64 { return 1 }},
		"slots in a ring": {`
  %s = nv_tileas.alloc_shared : SLOTS3
  %first = nv_tileas.buffer_slot %s[%c0] : SLOTS3, i32
  nv_tileas.local_store %x, %first : ROWS, BUF
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%k = %c0) -> (i32) : i32 {
    %from = nv_tileas.buffer_slot %s[%k] : SLOTS3, i32
    %now = nv_tileas.local_load %from : BUF -> COLS
    %inc = arith.addi %k, %c1 : i32
    %next = arith.remsi %inc, %c3 : i32
    %to = nv_tileas.buffer_slot %s[%next] : SLOTS3, i32
    nv_tileas.local_store %now, %to : COLS, BUF
    scf.continue %next : i32
  }
  %r = nv_tileas.buffer_slot %s[%last] : SLOTS3, i32` + show, same(0)},
		"slice": {two + `
  %low = nv_tileas.buffer_slice %b [16, 0] : BUF -> HALF
  %r2 = nv_tileas.buffer_permute %low [1, 0] : HALF -> TURNED
  %turned = nv_tileas.local_load %r2 : TURNED -> TROWS
  %up = nv_tileas.buffer_slice %a [0, 0] : BUF -> HALF
  %w = nv_tileas.buffer_permute %up [1, 0] : HALF -> TURNED
  nv_tileas.local_store %turned, %w : TROWS, TURNED
  %again = nv_tileas.buffer_reinterpret %a : BUF -> FLAT
  %r = nv_tileas.buffer_reinterpret %again : FLAT -> BUF` + show, func(i int) uint64 {
			if row := uint64(i / 4); row < 16 {
				return 116 + row
			}
			return uint64(i / 4)
		}},
		"dead before the next": {`
  %a = nv_tileas.alloc_shared : BUF
  nv_tileas.local_store %x, %a : ROWS, BUF
  %v = nv_tileas.local_load %a : BUF -> COLS
  nv_tileas.dealloc_shared %a : BUF
  %r = nv_tileas.alloc_shared : BUF
  nv_tileas.local_store %v, %r : COLS, BUF` + show, same(0)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.NewReplacer(
				"TROWS", `tensor<4x16xi32, #nv_tileas.layout<"{shape = [4, 16], register = [[0, 8]], lane = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warp = [], block = []}">>`,
				"TURNED", `!nv_tileas.buffer<4x16xi32, #nv_tileas.shared<"{shape = [4, 16], offset = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4], [0, 8]]}">>`,
				"HALF", `!nv_tileas.buffer<16x4xi32, #nv_tileas.shared<"{shape = [16, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0]]}">>`,
				"FLAT", `!nv_tileas.buffer<128xf32, #nv_tileas.shared<"{shape = [128], offset = [[1], [2], [4], [8], [16], [32], [64]]}">>`).Replace(tt.text)
			scheduled{text: text, out: 128, want: tt.want}.runsAlike(t)
		})
	}
}

// TestOddBuffers: what cannot be right is an error at the operation.
func TestOddBuffers(t *testing.T) {
	t.Parallel()
	const two = `
  %a = nv_tileas.alloc_shared : BUF
  nv_tileas.local_store %x, %a : ROWS, BUF`
	for name, tt := range map[string]struct{ text, want string }{
		"slot": {`
  %s = nv_tileas.alloc_shared : SLOTS3
  %k = arith.addi %c2, %c1 : i32
  %slot = nv_tileas.buffer_slot %s[%k] : SLOTS3, i32`, "'nv_tileas.buffer_slot' op index must be from 0 to 2, but is 3"},
		"freed": {two + `
  nv_tileas.dealloc_shared %a : BUF
  %v = nv_tileas.local_load %a : BUF -> ROWS`, "'nv_tileas.local_load' op accesses a buffer after 'nv_tileas.dealloc_shared' has ended its life"},
		"carried out of its iteration": {two + `
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a) -> (BUF) : i32 {
    %n = nv_tileas.alloc_shared : BUF
    %now = nv_tileas.local_load %p : BUF -> ROWS
    %done = OUT(%now)AT
    nv_tileas.local_store %x, %n : ROWS, BUF
    scf.continue %n : BUF
  }`, "stores an unspecified value"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var said bytes.Buffer
			k := scheduled{text: tt.text, out: 128}
			err := interp.New(k.module(t, &said)).Run(context.Background(), k.request())
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// TestCopyAsync: copies in groups do what their waits say, on every engine.
func TestCopyAsync(t *testing.T) {
	t.Parallel()
	const alloc = `
  %all = arith.constant 128 : i64
  %a = nv_tileas.alloc_shared : BUF`
	const show = `
  %cols = nv_tileas.local_load %a : BUF -> COLS
  %back = nv_tileas.alloc_shared : BUF
  nv_tileas.local_store %cols, %back : COLS, BUF
  %rows = nv_tileas.local_load %back : BUF -> ROWS
  %done = OUT(%rows)AT`
	for name, tt := range map[string]struct {
		text string
		want func(int) uint64
	}{
		"one": {alloc + `
  %t = COPY(%a)FROM(%zero)ROWS(%all)END
  %g = nv_tileas.commit_group : !nv_tileas.group
  nv_tileas.wait_group 0 for %g : !nv_tileas.group` + show, func(i int) uint64 { return uint64(7 * i) }},
		"out of bounds": {alloc + `
  %some = arith.constant 10 : i64
  %t = COPY(%a)FROM(%zero)ROWS(%some)END
  %g = nv_tileas.commit_group : !nv_tileas.group
  nv_tileas.wait_group 0 for %g : !nv_tileas.group` + show, func(i int) uint64 {
			if i >= 40 {
				return 0
			}
			return uint64(7 * i)
		}},
		"the older of two": {alloc + `
  %b = nv_tileas.alloc_shared : BUF
  %second = arith.constant 32 : i64
  %t = COPY(%a)FROM(%second)ROWS(%all)END
  %g = nv_tileas.commit_group : !nv_tileas.group
  %u = COPY(%b)FROM(%zero)ROWS(%all)END
  %h = nv_tileas.commit_group : !nv_tileas.group
  nv_tileas.wait_group 1 for %g : !nv_tileas.group` + show + `
  nv_tileas.wait_group 0 for %h : !nv_tileas.group`, func(i int) uint64 { return uint64(7 * (i + 128)) }},
		// A ring of slots, filled one iteration ahead: the last sum is of four tiles.
		"ahead in a loop": {`
  %all = arith.constant 128 : i64
  %ring = nv_tileas.alloc_shared : SLOTS3
  %rows64 = arith.constant 32 : i64
  %s0 = nv_tileas.buffer_slot %ring[%c0] : SLOTS3, i32
  %t0 = COPY(%s0)FROM(%zero)ROWS(%all)END
  %g0 = nv_tileas.commit_group : !nv_tileas.group
  %none = nv_tileas.splat %c0 : i32 -> COLS
  %sum, %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %none, %g = %g0) -> (COLS, !nv_tileas.group) : i32 {
    %n = arith.addi %i, %c1 : i32
    %ns = arith.remsi %n, %c3 : i32
    %next = nv_tileas.buffer_slot %ring[%ns] : SLOTS3, i32
    %wide = arith.extui %n : i32 to i64
    %from = arith.muli %wide, %rows64 : i64
    %t = COPY(%next)FROM(%from)ROWS(%all)END
    %h = nv_tileas.commit_group : !nv_tileas.group
    nv_tileas.wait_group 1 for %g : !nv_tileas.group
    %is = arith.remsi %i, %c3 : i32
    %now = nv_tileas.buffer_slot %ring[%is] : SLOTS3, i32
    %x0 = nv_tileas.local_load %now : BUF -> COLS
    %more = arith.addi %acc, %x0 : COLS
    scf.continue %more, %h : COLS, !nv_tileas.group
  }
  nv_tileas.wait_group 0 for %last : !nv_tileas.group
  %back = nv_tileas.alloc_shared : BUF
  nv_tileas.local_store %sum, %back : COLS, BUF
  %rows = nv_tileas.local_load %back : BUF -> ROWS
  %done = OUT(%rows)AT`, func(i int) uint64 { return uint64(7 * (4*i + 6*128)) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scheduled{text: tt.text, out: 128, want: tt.want}.runsAlike(t)
		})
	}
}

// TestPlantedAsync: each mistake that a pass could make with asynchronous copies, buffers and barriers is found by executing the level, at the operation.
func TestPlantedAsync(t *testing.T) {
	t.Parallel()
	const start = `
  %all = arith.constant 128 : i64
  %a = nv_tileas.alloc_shared : BUF
  %b = nv_tileas.alloc_shared : BUF
  %t = COPY(%a)FROM(%zero)ROWS(%all)END
  %g = nv_tileas.commit_group : !nv_tileas.group
  %u = COPY(%b)FROM(%zero)ROWS(%all)END
  %h = nv_tileas.commit_group : !nv_tileas.group`
	const end = `
  nv_tileas.wait_group 0 for %g, %h : !nv_tileas.group, !nv_tileas.group
  nv_tileas.barrier`
	for name, tt := range map[string]struct{ text, want string }{
		"waits for the wrong group": {start + `
  nv_tileas.wait_group 1 for %h : !nv_tileas.group` + end, "'nv_tileas.wait_group' op returns while group #0 that it waits for is under way"},
		"reads too early": {start + `
  nv_tileas.wait_group 1 for %g : !nv_tileas.group
  nv_tileas.barrier
  %x0 = nv_tileas.local_load %b : BUF -> ROWS
  %done = OUT(%x0)AT` + end, "'nv_tileas.tiled_store' op stores an unspecified value"},
		"writes the destination too early": {start + `
  nv_tileas.local_store %x, %b : ROWS, BUF` + end, "'nv_tileas.local_store' op writes a buffer that 'nv_tileas.copy_async'"},
		"writes the source too early": {start + `
  %done = nv_tileas.tiled_store %x, %src[%at, %zero] sizes [%many, %four] strides [%four, %unit] {bounds = array<i1: true, true>} : ` + rows + `, !nv_tileas.ptr<i32>` + end,
			"writes what 'nv_tileas.copy_async' is still reading"},
		"does not wait": {start, "'nv_tileas.copy_async' op is still under way when the kernel ends"},
		"does not commit": {start + end + `
  %v = COPY(%b)FROM(%zero)ROWS(%all)END
  nv_tileas.wait_group 0`, "'nv_tileas.copy_async' op is still under way when the kernel ends"},
		"no barrier behind the wait": {start + `
  nv_tileas.wait_group 0 for %g, %h : !nv_tileas.group, !nv_tileas.group
  %x0 = nv_tileas.local_load %b : BUF -> ROWS`, "'nv_tileas.local_load' op accesses shared memory that another thread accesses in 'nv_tileas.copy_async'"},
		"no barrier between threads": {`
  %a = nv_tileas.alloc_shared : BUF
  nv_tileas.local_store %x, %a : ROWS, BUF
  %v = nv_tileas.local_load %a : BUF -> COLS`, "'nv_tileas.local_load' op accesses shared memory that another thread accesses in 'nv_tileas.local_store'"},
		"no barrier before the next write": {`
  %a = nv_tileas.alloc_shared : BUF
  nv_tileas.local_store %x, %a : ROWS, BUF
  nv_tileas.barrier
  %v = nv_tileas.local_load %a : BUF -> COLS
  nv_tileas.local_store %x, %a : ROWS, BUF`, "'nv_tileas.local_store' op accesses shared memory that another thread accesses in 'nv_tileas.local_load'"},
		"the same thread needs none": {`
  %a = nv_tileas.alloc_shared : BUF
  nv_tileas.local_store %x, %a : ROWS, BUF
  %v = nv_tileas.local_load %a : BUF -> ROWS
  nv_tileas.local_store %v, %a : ROWS, BUF`, ""},
		"a life cut short": {`
  %a = nv_tileas.alloc_shared at 0 : BUF
  nv_tileas.local_store %x, %a : ROWS, BUF
  %b = nv_tileas.alloc_shared at 256 : BUF
  nv_tileas.barrier
  nv_tileas.local_store %y, %b : ROWS, BUF
  nv_tileas.barrier
  %v = nv_tileas.local_load %a : BUF -> ROWS
  %done = OUT(%v)AT`, "'nv_tileas.tiled_store' op stores an unspecified value"},
		"swapped slots": {`
  %all = arith.constant 128 : i64
  %ring = nv_tileas.alloc_shared : SLOTS3
  %s0 = nv_tileas.buffer_slot %ring[%c0] : SLOTS3, i32
  %s1 = nv_tileas.buffer_slot %ring[%c1] : SLOTS3, i32
  %t = COPY(%s1)FROM(%zero)ROWS(%all)END
  %g = nv_tileas.commit_group : !nv_tileas.group
  nv_tileas.wait_group 0 for %g : !nv_tileas.group
  nv_tileas.barrier
  %v = nv_tileas.local_load %s0 : BUF -> ROWS
  %done = OUT(%v)AT`, "'nv_tileas.tiled_store' op stores an unspecified value"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, late := range []bool{false, true} {
				var said bytes.Buffer
				k := scheduled{text: tt.text, out: 128}
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

// TestStaticHazards: what no barrier can mend is an error of the pass that inserts them, and so is control flow that nobody declares.
func TestStaticHazards(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ text, want string }{
		"under way": {`
  %all = arith.constant 128 : i64
  %a = nv_tileas.alloc_shared : BUF
  %t = COPY(%a)FROM(%zero)ROWS(%all)END
  %g = nv_tileas.commit_group : !nv_tileas.group
  %v = nv_tileas.local_load %a : BUF -> ROWS
  nv_tileas.wait_group 0 for %g : !nv_tileas.group`, "'nv_tileas.local_load' op accesses what 'nv_tileas.copy_async' accesses while that may be under way"},
		"loop that waits too late": {`
  %all = arith.constant 128 : i64
  %a = nv_tileas.alloc_shared : BUF
  scf.for %i = %c0 to %c4 step %c1 : i32 {
    %t = COPY(%a)FROM(%zero)ROWS(%all)END
    %g = nv_tileas.commit_group : !nv_tileas.group
    nv_tileas.wait_group 1
    scf.continue
  }
  nv_tileas.wait_group 0`, "'nv_tileas.copy_async' op accesses what 'nv_tileas.copy_async' accesses while that may be under way"},
		// A wait for reads lets go of the buffer, not of what is written.
		"buffer written while a bulk store reads it": {bulkNames.Replace(storeBulk) + `
  nv_tileas.local_store %x, %a : ROWS, BUF
  nv_tileas.bulk_wait read 0 for %g : !nv_tileas.group`, "'nv_tileas.local_store' op accesses what 'nv_tileas.bulk_store' accesses while that may be under way"},
		"read behind a bulk store that is still writing": {bulkNames.Replace(storeBulk) + `
  nv_tileas.bulk_wait read 0 for %g : !nv_tileas.group
  %j = nv_tileas.join_mem_token %t, %t
  %w, %tw = nv_tileas.tiled_load %q[%zero, %zero] sizes [%many, %unit] strides [%unit, %unit] token %j {bounds = array<i1: true, true>} : !nv_tileas.ptr<i32> -> ROWS`,
			"'nv_tileas.tiled_load' op accesses what 'nv_tileas.bulk_store' accesses while that may be under way"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var said bytes.Buffer
			k := scheduled{text: tt.text, out: 128}
			if _, err := k.pass(k.module(t, &said), placing); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s\n%s", err, tt.want, &said)
			}
		})
	}
}
