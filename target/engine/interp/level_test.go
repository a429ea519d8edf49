package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/builtin"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// Every row of the levels below cuda_tile is executed.
func TestEveryRowOfTheLevels(t *testing.T) {
	t.Parallel()
	for _, d := range []*ir.Dialect{arith.Dialect, scf.Dialect, tileaa.Dialect, tileas.Dialect} {
		for _, def := range d.Ops() {
			global := def == tileaa.Level.Global || def == tileas.Level.Global
			if r := core.RowOf(def); r.Run == nil && r.Nest == nil && r.End == core.ExitNone && !r.Entry && !global {
				t.Errorf("%s is not executed", def.FullName())
			}
		}
	}
}

// parseLevel returns an engine for the text of a module below cuda_tile.
func parseLevel(t testing.TB, text string) *Engine {
	t.Helper()
	ctx := ir.NewContext(builtin.Dialect, arith.Dialect, scf.Dialect, tileaa.Dialect, tileas.Dialect)
	module, err := asm.Parse(ctx, "k.mlir", []byte(text), asm.ParseOptions{ImplicitModule: builtin.Module})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := ir.Verify(module); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	e := New(module)
	e.scribble = true
	return e
}

// tiledCopy is a kernel that copies the tile of four elements at %i of %n to the beginning of %q, with what the
// attributes say.
func tiledCopy(attrs string) string {
	return fmt.Sprintf(`nv_tileaa.func @k(%%p: !nv_tileaa.ptr<i32>, %%q: !nv_tileaa.ptr<i32>, %%n: i32, %%i: i32) {
  %%one = arith.constant 1 : i64
  %%zero = arith.constant 0 : i64
  %%four = arith.constant 4 : i64
  %%size = arith.extsi %%n : i32 to i64
  %%at = arith.extsi %%i : i32 to i64
  %%x, %%t = nv_tileaa.tiled_load %%p[%%at] sizes [%%size] strides [%%one] {%s} : !nv_tileaa.ptr<i32> -> tensor<4xi32>
  %%s = nv_tileaa.tiled_store %%x, %%q[%%zero] sizes [%%four] strides [%%one] {bounds = array<i1: true>} : tensor<4xi32>, !nv_tileaa.ptr<i32>
  nv_tileaa.return
}`, attrs)
}

// A tiled access leaves out what is outside on either side, and is held to its promise not to need that.
func TestTiledAccess(t *testing.T) {
	t.Parallel()
	const padded, bare, unchecked = `padding = "zero", bounds = array<i1: true>`, `bounds = array<i1: true>`, `bounds = array<i1: false>`
	for _, tt := range []struct {
		attrs string
		n, at int32
		want  []uint64
		err   string
	}{
		{padded, 6, 1, []uint64{11, 12, 13, 14}, ""},
		{padded, 6, 4, []uint64{14, 15, 0, 0}, ""},
		{padded, 6, -2, []uint64{0, 0, 10, 11}, ""},
		{padded, 6, 9, []uint64{0, 0, 0, 0}, ""},
		{unchecked, 6, 2, []uint64{12, 13, 14, 15}, ""},
		{unchecked, 6, 3, nil, "is not checked along dimension 0, but its tile is from 3 to 7 of 6"},
		{unchecked, 6, -1, nil, "is not checked along dimension 0, but its tile is from -1 to 3 of 6"},
		{padded, -1, 0, nil, "'nv_tileaa.tiled_load' op size 0 is -1, which is negative"},
		{padded + ", base_div = 16 : i64, offset_div = array<i64: 2>, size_div = array<i64: 3>, stride_div = array<i64: 1>", 6, 2, []uint64{12, 13, 14, 15}, ""},
		{padded + ", offset_div = array<i64: 2>", 6, 3, nil, "promises that offset 0 is divisible by 2, but it is 3"},
		{padded + ", size_div = array<i64: 4>", 6, 0, nil, "promises that size 0 is divisible by 4, but it is 6"},
		{padded + ", stride_div = array<i64: 2>", 6, 0, nil, "promises that stride 0 is divisible by 2, but it is 1"},
		{padded + ", base_div = 1125899906842624 : i64", 6, 0, nil, "promises that its base is divisible by 1125899906842624, but it is at 0x"},
		{bare, 6, 4, nil, "stores an unspecified value"},
		{bare, 9, 5, nil, "after the start of argument 0"},
	} {
		out := bufferOf(launch.I32, 9, 9, 9, 9)
		err := runKernel(t, parseLevel(t, tiledCopy(tt.attrs)), bufferOf(launch.I32, 10, 11, 12, 13, 14, 15), out, i32(tt.n), i32(tt.at))
		if tt.err != "" {
			expectError(t, err, tt.err)
		} else if got := elements(out); err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("{%s} of %d at %d: got %v, %v, want %v", tt.attrs, tt.n, tt.at, got, err, tt.want)
		}
	}
}

// pointerCopy is a kernel that copies eight elements, from %i on and every so many, masked from %n on, to %q, with
// what the attributes say of the load.
func pointerCopy(attrs string, every int) string {
	return fmt.Sprintf(`nv_tileaa.func @k(%%p: !nv_tileaa.ptr<i32>, %%q: !nv_tileaa.ptr<i32>, %%n: i32, %%i: i32) {
  %%seven = arith.constant dense<7> : tensor<8xi32>
  %%every = arith.constant dense<%d> : tensor<8xi32>
  %%count = nv_tileaa.make_range : tensor<8xi32>
  %%end = nv_tileaa.splat %%n : i32 -> tensor<8xi32>
  %%in = arith.cmpi slt, %%count, %%end : tensor<8xi32>
  %%first = nv_tileaa.splat %%i : i32 -> tensor<8xi32>
  %%apart = arith.muli %%count, %%every : tensor<8xi32>
  %%at = arith.addi %%first, %%apart : tensor<8xi32>
  %%ps = nv_tileaa.splat %%p : !nv_tileaa.ptr<i32> -> tensor<8x!nv_tileaa.ptr<i32>>
  %%from = nv_tileaa.addptr %%ps, %%at : tensor<8x!nv_tileaa.ptr<i32>>, tensor<8xi32>
  %%qs = nv_tileaa.splat %%q : !nv_tileaa.ptr<i32> -> tensor<8x!nv_tileaa.ptr<i32>>
  %%to = nv_tileaa.addptr %%qs, %%count : tensor<8x!nv_tileaa.ptr<i32>>, tensor<8xi32>
  %%x, %%t = nv_tileaa.load %%from mask %%in : tensor<8xi1> other %%seven : tensor<8xi32> {%s} : tensor<8x!nv_tileaa.ptr<i32>> -> tensor<8xi32>, !nv_tileaa.mem_token
  %%s = nv_tileaa.store %%to, %%x : tensor<8x!nv_tileaa.ptr<i32>>, tensor<8xi32> -> !nv_tileaa.mem_token
  nv_tileaa.return
}`, every, attrs)
}

// An access through pointers is held to what it says of runs: that they are neighbours, aligned, and masked together.
func TestRuns(t *testing.T) {
	t.Parallel()
	const fours, pairs = "runs = array<i64: 4>", "runs = array<i64: 2>"
	for _, tt := range []struct {
		attrs string
		every int
		n, at int32
		err   string
	}{
		{fours, 1, 8, 0, ""},
		{fours, 1, 4, 4, ""},
		{fours, 1, 0, 1, ""},
		{pairs, 1, 6, 2, ""},
		{fours, 1, 8, 2, "element [0]: address 0x"},
		{fours, 1, 6, 0, "element [6]: is masked off or not alone, but the access says that runs of 4 along dimension 0 are so together"},
		{pairs, 2, 8, 0, "does not follow 0x"},
	} {
		out := bufferOf(launch.I32, make([]uint64, 8)...)
		from := make([]uint64, 24)
		for i := range from {
			from[i] = uint64(i)
		}
		err := runKernel(t, parseLevel(t, pointerCopy(tt.attrs, tt.every)), bufferOf(launch.I32, from...), out, i32(tt.n), i32(tt.at))
		if tt.err != "" {
			expectError(t, err, tt.err)
			continue
		}
		want := slices.Repeat([]uint64{7}, 8)
		for i := range tt.n {
			want[i] = uint64(tt.at + i)
		}
		if got := elements(out); err != nil || !slices.Equal(got, want) {
			t.Errorf("{%s} %d from %d: got %v, %v, want %v", tt.attrs, tt.n, tt.at, got, err, want)
		}
	}
}

// sharedCopy is a kernel that stores 1 to the first buffer and 2 to the second, and then the contents of the first to
// %q.
func sharedCopy(first, second string) string {
	const rows = `#nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">`
	const buf = `!nv_tileas.buffer<32xi32, #nv_tileas.shared<"{shape = [32], offset = [[1], [2], [4], [8], [16]]}">>`
	return strings.NewReplacer("ROWS", "tensor<32xi32, "+rows+">", "BUF", buf, "FIRST", first, "SECOND", second).Replace(`
nv_tileas.func @k(%q: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %zero = arith.constant 0 : i64
  %step = arith.constant 1 : i64
  %size = arith.constant 32 : i64
  %x = nv_tileas.splat %one : i32 -> ROWS
  %y = nv_tileas.splat %two : i32 -> ROWS
  %a = nv_tileas.alloc_shared FIRST : BUF
  %b = nv_tileas.alloc_shared SECOND : BUF
  nv_tileas.local_store %x, %a : ROWS, BUF
  nv_tileas.local_store %y, %b : ROWS, BUF
  nv_tileas.barrier
  %z = nv_tileas.local_load %a : BUF -> ROWS
  %s = nv_tileas.tiled_store %z, %q[%zero] sizes [%size] strides [%step] {bounds = array<i1: true>} : ROWS, !nv_tileas.ptr<i32>
  nv_tileas.return
}`)
}

// Buffers keep what is stored to them, unless another one that shares their bytes is stored to.
func TestSharedBuffers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ first, second, err string }{
		{"", "", ""}, {"at 0", "at 128", ""}, {"at 0", "at 64", "stores an unspecified value"},
	} {
		out := bufferOf(launch.I32, make([]uint64, 32)...)
		err := runKernel(t, parseLevel(t, sharedCopy(tt.first, tt.second)), out)
		if tt.err != "" {
			expectError(t, err, tt.err)
		} else if got := elements(out); err != nil || !slices.Equal(got, slices.Repeat([]uint64{1}, 32)) {
			t.Errorf("%q, %q: got %v, %v", tt.first, tt.second, got, err)
		}
	}
}

// What the text of a level can say and the interpreter cannot do is an error that names the operation.
func TestLevelErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ body, want string }{
		{"%x = nv_tileaa.splat %n : i32 -> tensor<1048576x1048576xi32>", "'nv_tileaa.splat' op cannot be interpreted: 'tensor<1048576x1048576xi32>' is no tile"},
		{"%x = nv_tileaa.assume %n div_by<4> : i32", "does not hold: element [] is 6, which is not divisible by 4"},
		{"%x = nv_tileaa.assume %n lower<0> upper<5> : i32", "does not hold: element [] is 6, not in [0, 5]"},
		{"%z = arith.constant 0 : i32\n%x = arith.floordivsi %n, %z : i32", "'arith.floordivsi' op divides by zero"},
	} {
		e := parseLevel(t, "nv_tileaa.func @k(%n: i32) {\n"+tt.body+"\nnv_tileaa.return\n}")
		expectError(t, runKernel(t, e, i32(6)), tt.want)
	}
}
