package reducedivisions_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/nvvm/reducedivisions"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/tests/ptxprobe"
)

var divisions = []struct {
	name   string
	signed bool
	of     func(w numeric.Int, a, b uint64) (uint64, bool)
}{
	{"divsi", true, func(w numeric.Int, a, b uint64) (uint64, bool) { return w.Div(a, b, true, numeric.Zero) }},
	{"divui", false, func(w numeric.Int, a, b uint64) (uint64, bool) { return w.Div(a, b, false, numeric.Zero) }},
	{"ceildivsi", true, func(w numeric.Int, a, b uint64) (uint64, bool) { return w.Div(a, b, true, numeric.PosInf) }},
	{"ceildivui", false, func(w numeric.Int, a, b uint64) (uint64, bool) { return w.Div(a, b, false, numeric.PosInf) }},
	{"floordivsi", true, func(w numeric.Int, a, b uint64) (uint64, bool) { return w.Div(a, b, true, numeric.NegInf) }},
	{"remsi", true, func(w numeric.Int, a, b uint64) (uint64, bool) { return w.Rem(a, b, true) }},
	{"remui", false, func(w numeric.Int, a, b uint64) (uint64, bool) { return w.Rem(a, b, false) }},
}

// masks bound the dividend and the divisor, so that each way to divide is taken; 0: no bound.
var masks = []struct{ x, y uint64 }{{0, 0}, {1<<31 - 1, 0}, {0, 1<<31 - 1}, {1<<31 - 1, 1<<31 - 1}, {1<<20 - 1, 1<<10 - 1}, {1<<63 - 1, 1<<32 - 1}}

const threads = 32

// kernel is the text of a function that divides the numbers at %p by %d, threads of them at a time. It divides their
// complements too: two divisions in a loop pay for every method, and one test of their length serves both.
func kernel(name, op string, w numeric.Int, mask struct{ x, y uint64 }) string {
	bound := func(v string, mask uint64) string {
		if mask == 0 || w.Wrap(mask) == w.Mask() {
			return fmt.Sprintf("  %%%s1 = arith.ori %%%s, %%%s : %s\n", v, v, v, w)
		}
		return fmt.Sprintf("  %%%[1]sm = arith.constant %[2]d : %[3]s\n  %%%[1]s1 = arith.andi %%%[1]s, %%%[1]sm : %[3]s\n", v, w.Wrap(mask), w)
	}
	all := mask.x
	if all == 0 {
		all = w.Mask()
	}
	return fmt.Sprintf(`nvvm.func @%[1]s(%%p: !nvvm.ptr<1>, %%q: !nvvm.ptr<1>, %%n: i32, %%size: i32, %%d: %[2]s) attributes {nvvm.reqntid = array<i32: %[3]d>} {
  %%tid = nvvm.read.ptx.sreg.tid.x : i32
  %%zero = arith.constant 0 : i32
  %%step = arith.constant %[3]d : i32
  %%bytes = arith.constant %[4]d : i32
%[5]s  cf.br ^head(%%zero : i32)
^head(%%i: i32):
  %%more = arith.cmpi slt, %%i, %%n : i32
  cf.cond_br %%more, ^body, ^end
^body:
  %%at = arith.addi %%i, %%tid : i32
  %%off = arith.muli %%at, %%bytes : i32
  %%from = nvvm.ptradd %%p, %%off : !nvvm.ptr<1>, i32
  %%to = nvvm.ptradd %%q, %%off : !nvvm.ptr<1>, i32
  %%x = nvvm.ld %%from : !nvvm.ptr<1> -> %[2]s
%[6]s  %%all = arith.constant %[8]d : %[2]s
  %%x2 = arith.xori %%x1, %%all : %[2]s
  %%r = arith.%[7]s %%x1, %%d1 : %[2]s
  nvvm.st %%to, %%r : !nvvm.ptr<1>, %[2]s
  %%s = arith.%[7]s %%x2, %%d1 : %[2]s
  %%too = nvvm.ptradd %%to, %%size : !nvvm.ptr<1>, i32
  nvvm.st %%too, %%s : !nvvm.ptr<1>, %[2]s
  %%next = arith.addi %%i, %%step : i32
  cf.br ^head(%%next : i32)
^end:
  nvvm.return
}
`, name, w, threads, int(w)/8, bound("d", mask.y), bound("x", mask.x), op, int64(w.Wrap(all)))
}

// TestDivisions divides by numbers that do not change in a loop: edge values, those beside powers of two, random
// ones, and of bytes all.
func TestDivisions(t *testing.T) {
	t.Parallel()
	for _, w := range []numeric.Int{8, 16, 32, 64} {
		t.Run(w.String(), func(t *testing.T) {
			t.Parallel()
			var src strings.Builder
			for i, op := range divisions {
				for j, m := range masks {
					src.WriteString(kernel(fmt.Sprintf("k%d_%d", i, j), op.name, w, m))
				}
			}
			module := ptxprobe.Parse(t, src.String())
			for op := range module.Body().Ops() {
				reducedivisions.Reduce(op)
				if err := ir.Verify(op); err != nil {
					t.Fatal(err)
				}
			}
			ptxprobe.Lower(t, module, "sm_80")
			m, text := ptxprobe.Emit(t, module, "sm_80")
			em := ptxprobe.Load(t, text)
			r := rand.New(rand.NewPCG(uint64(w), 2))
			for i, op := range divisions {
				for j, mask := range masks {
					for _, d := range divisors(w, r) {
						xs := dividends(w, d, r)
						got := run(t, em, fmt.Sprintf("k%d_%d", i, j), w, d, xs)
						by := bounded(w, d, mask.y)
						for k := range got {
							x := bounded(w, xs[k%len(xs)], mask.x)
							if k >= len(xs) {
								x = bounded(w, ^x, mask.x)
							}
							if want, ok := op.of(w, x, by); by != 0 && ok && got[k] != want {
								t.Fatalf("%s of %d, %d in %v bounded by %x, %x: got %d, want %d", op.name, x, by, w, mask.x, mask.y, got[k], want)
							}
						}
					}
				}
			}
			ptxprobe.Assemble(t, m, text)
		})
	}
}

func bounded(w numeric.Int, x, mask uint64) uint64 {
	if mask == 0 {
		return w.Wrap(x)
	}
	return x & w.Wrap(mask)
}

func divisors(w numeric.Int, r *rand.Rand) (out []uint64) {
	add := func(d uint64) {
		if d = w.Wrap(d); !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	if w == 8 {
		for d := range uint64(256) {
			add(d)
		}
		return out
	}
	for k := range w {
		for _, beside := range []uint64{0, 1, ^uint64(0)} {
			if k < 3 || k > w-3 || k%8 == 7 || k%8 == 0 {
				add(1<<k + beside)
				add(-(1<<k + beside))
			}
		}
	}
	for _, d := range []uint64{6, 7, 10, 641, 6700417, w.Mask() / 3, w.Mask() / 3 * 2, r.Uint64(), r.Uint64() >> (64 - w/2)} {
		add(d)
	}
	return out
}

// dividends returns numbers at and beside multiples of d, where a wrong multiplier shows first; of bytes all.
func dividends(w numeric.Int, d uint64, r *rand.Rand) (out []uint64) {
	if w == 8 {
		for x := range uint64(256) {
			out = append(out, x)
		}
		return out
	}
	for _, by := range []uint64{d, w.Neg(d)} {
		last := w.Mask() / max(by, 1)
		for _, q := range []uint64{0, 1, last / 2, last/2 + 1, last, r.Uint64() % max(last, 1)} {
			out = append(out, w.Wrap(q*by), w.Wrap(q*by-1), w.Wrap(q*by+1))
		}
	}
	out = append(out, w.MinSigned(), w.MaxSigned(), w.MinSigned()+1, w.Mask())
	for len(out)%threads != 0 {
		out = append(out, w.Wrap(r.Uint64()))
	}
	return out
}

// run divides xs, and then their complements, by d.
func run(t *testing.T, m *emu.Module, name string, w numeric.Int, d uint64, xs []uint64) []uint64 {
	t.Helper()
	mem := emu.NewMemory()
	size := int(w) / 8
	data := make([]byte, 0, 2*len(xs)*size)
	for _, x := range xs {
		data = append(data, binary.LittleEndian.AppendUint64(nil, x)[:size]...)
	}
	bytes := len(data)
	data = append(data, data...)
	var params [][]byte
	for _, buffer := range []string{"in", "out"} {
		addr, err := mem.Alloc(buffer, uint64(len(data)), 16)
		if err == nil {
			err = mem.Write(addr, data)
		}
		if err != nil {
			t.Fatal(err)
		}
		params = append(params, binary.LittleEndian.AppendUint64(nil, addr))
	}
	params = append(params, binary.LittleEndian.AppendUint32(nil, uint32(len(xs))), binary.LittleEndian.AppendUint32(nil, uint32(bytes)), binary.LittleEndian.AppendUint64(nil, d)[:size])
	if _, err := m.Run(context.Background(), mem, emu.Launch{Entry: name, Grid: [3]uint32{1, 1, 1}, Params: params, Workers: 1}); err != nil {
		t.Fatalf("%s by %d: %v", name, d, err)
	}
	if err := mem.Read(binary.LittleEndian.Uint64(params[1]), data); err != nil {
		t.Fatal(err)
	}
	out := make([]uint64, 2*len(xs))
	for i := range out {
		var word [8]byte
		copy(word[:], data[i*size:(i+1)*size])
		out[i] = binary.LittleEndian.Uint64(word[:])
	}
	return out
}
