package interp

import (
	"context"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// mmaNames are the abbreviations in kernels with asynchronous MMAs.
var mmaNames = strings.NewReplacer(
	"TILE", "tensor<16x16xf16>", "SUM", "tensor<16x16xf32>",
	"BUF", `!nv_tileas.buffer<16x16xf16, #nv_tileas.shared<"{shape = [16, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]]}">>`,
	"PUT(", "nv_tileas.local_store ",
	"FENCE", "nv_tileas.fence_async", "MEET", "nv_tileas.barrier",
)

// asyncMMAs makes the kernel: %a holds ones, %b twos, and the text's %r is stored.
func asyncMMAs(t *testing.T, text string) *Engine {
	t.Helper()
	const mma = " {mma = #nv_tileas.mma<wgmma, m64n16k16, warps = [4, 1]>} : "
	text = strings.NewReplacer(")MUL", mma+"BUF, BUF -> SUM", ")REG", mma+"TILE, BUF -> SUM", ")IN", " : TILE, BUF", ")LEFT0", " {pending = 0 : i32} : SUM", ")LEFT1", " {pending = 1 : i32} : SUM").Replace(text)
	text = `nv_tileas.func @k(%q: !nv_tileas.ptr<f32>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 16 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %ones = arith.constant dense<1.0> : TILE
  %twos = arith.constant dense<2.0> : TILE
  %c = arith.constant dense<0.0> : SUM
  %a = nv_tileas.alloc_shared : BUF
  %b = nv_tileas.alloc_shared : BUF
  PUT( %ones, %a : TILE, BUF
  PUT( %twos, %b : TILE, BUF
  ` + text + `
  %done = nv_tileas.tiled_store %r, %q[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : SUM, !nv_tileas.ptr<f32>
  nv_tileas.return
}`
	return parseLevel(t, mmaNames.Replace(text))
}

// TestAsyncMMAs: the result of an asynchronous MMA is there after a wait, not before. Mistakes are errors at the
// operation.
func TestAsyncMMAs(t *testing.T) {
	t.Parallel()
	const start = "FENCE\n  MEET\n  %d = nv_tileas.dot_async %a, %b, %c)MUL\n"
	const wait = "  %r = nv_tileas.dot_wait %d)LEFT0\n"
	const chain = `FENCE
  MEET
  %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %c) -> (SUM) : i32 {
    %e = nv_tileas.dot_async %ones, %b, %acc)REG
    nv_tileas.dot_wait {pending = 1 : i32}
    scf.continue %e : SUM
  }
  %r = nv_tileas.dot_wait %s)LEFT0
`
	for name, tt := range map[string]struct {
		text string
		want float64
		err  string
	}{
		"waited for":                          {start + wait, 32, ""},
		"A in registers":                      {strings.Replace(start, "%a, %b, %c)MUL", "%ones, %b, %c)REG", 1) + wait, 32, ""},
		"a chain through a loop":              {chain, 128, ""},
		"two, the older waited for":           {start + "  %e = nv_tileas.dot_async %a, %b, %c)MUL\n  %r = nv_tileas.dot_wait %d)LEFT1\n  nv_tileas.dot_wait {pending = 0 : i32}\n", 32, ""},
		"a finished MMA":                      {start + wait + "  nv_tileas.dot_wait {pending = 0 : i32}\n", 32, ""},
		"buffer written again after the wait": {start + wait + "  MEET\n  PUT(%ones, %b)IN\n", 32, ""},

		"no wait":             {start + "  %r = arith.addf %d, %c : SUM\n", 0, "'nv_tileas.tiled_store' op stores an unspecified value"},
		"wait for too few":    {start + "  %r = nv_tileas.dot_wait %d)LEFT1\n", 0, "'nv_tileas.dot_wait' op returns while MMA #0 that it waits for is in flight"},
		"left in flight":      {start + "  %r = arith.addf %c, %c : SUM\n", 0, "'nv_tileas.dot_async' op is still in flight when the kernel ends"},
		"no fence":            {strings.Replace(start, "FENCE", "", 1) + wait, 0, "'nv_tileas.dot_async' op reads what 'nv_tileas.local_store' has stored, with no fence_async in between"},
		"no barrier":          {strings.Replace(start, "MEET", "", 1) + wait, 0, "'nv_tileas.dot_async' op accesses shared memory that another thread accesses in 'nv_tileas.local_store'"},
		"buffer written":      {start + "  PUT(%ones, %b)IN\n" + wait, 0, "'nv_tileas.local_store' op writes a buffer that 'nv_tileas.dot_async' is still reading"},
		"written, no barrier": {start + wait + "  PUT(%ones, %b)IN\n", 0, "'nv_tileas.local_store' op accesses shared memory that another thread accesses in 'nv_tileas.dot_async'"},
		"A written":           {start + "  PUT(%ones, %a)IN\n" + wait, 0, "'nv_tileas.local_store' op writes a buffer that 'nv_tileas.dot_async' is still reading"},
		"another instruction": {start + "  %e = nv_tileas.dot_async %a, %b, %d {mma = #nv_tileas.mma<wgmma, m64n8k16, warps = [4, 1]>} : BUF, BUF -> SUM\n  %r = nv_tileas.dot_wait %e)LEFT0\n", 0,
			"'nv_tileas.dot_async' op accumulates onto the result of 'nv_tileas.dot_async', which is in flight and uses another instruction"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, late := range []bool{false, true} {
				e := asyncMMAs(t, tt.text)
				e.Threads, e.Adversarial = true, late
				out := &launch.Buffer{DType: launch.F32, Shape: []int{16, 16}, Data: make([]byte, 4*256)}
				err := e.Run(context.Background(), &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{{Buffer: out}}})
				if tt.err != "" {
					if err == nil || !strings.Contains(err.Error(), tt.err) {
						t.Errorf("late %v: got %v, want %s", late, err, tt.err)
					}
					continue
				}
				if err != nil {
					t.Errorf("late %v: %v", late, err)
					continue
				}
				for i := range 256 {
					if got := numeric.F32.Decode(out.DType.Load(out.Data, i)); got != tt.want {
						t.Fatalf("late %v: element %d is %v, want %v", late, i, got, tt.want)
					}
				}
			}
		})
	}
}
