package mma_test

import (
	"fmt"
	"math/bits"
	"math/rand"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/mma"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

type wmmaCase struct {
	mma.Shape
	ta, td     syntax.Type
	rowA, rowB bool
	rowC       bool
	pad        int // elements after each row or column of A and B
	bitOp      string
	a, b, c    int // registers
}

// line is where element (r, c) of a matrix stands, in elements.
func line(rows bool, lead, r, c int) int {
	if rows {
		return r*lead + c
	}
	return c*lead + r
}

// TestWmma multiplies matrices in memory with all shapes and types.
func TestWmma(t *testing.T) {
	t.Parallel()
	for _, c := range []wmmaCase{
		{mma.Shape{M: 16, N: 16, K: 16}, syntax.F16, syntax.F32, true, false, true, 0, "", 8, 8, 8},
		{mma.Shape{M: 16, N: 16, K: 16}, syntax.F16, syntax.F16, false, true, false, 16, "", 8, 8, 4},
		{mma.Shape{M: 8, N: 32, K: 16}, syntax.F16, syntax.F32, true, true, false, 16, "", 8, 8, 8},
		{mma.Shape{M: 32, N: 8, K: 16}, syntax.F16, syntax.F16, false, false, true, 0, "", 8, 8, 4},
		{mma.Shape{M: 16, N: 16, K: 16}, syntax.BF16, syntax.F32, true, false, true, 8, "", 4, 4, 8},
		{mma.Shape{M: 8, N: 32, K: 16}, syntax.BF16, syntax.F32, false, false, true, 16, "", 2, 8, 8},
		{mma.Shape{M: 32, N: 8, K: 16}, syntax.BF16, syntax.F32, true, true, false, 16, "", 8, 2, 8},
		{mma.Shape{M: 16, N: 16, K: 8}, syntax.TF32, syntax.F32, true, false, false, 4, "", 4, 4, 8},
		{mma.Shape{M: 16, N: 16, K: 8}, syntax.TF32, syntax.F32, false, true, true, 0, "", 4, 4, 8},
		{mma.Shape{M: 8, N: 8, K: 4}, syntax.F64, syntax.F64, true, false, true, 2, "", 1, 1, 2},
		{mma.Shape{M: 8, N: 8, K: 4}, syntax.F64, syntax.F64, false, true, false, 0, "", 1, 1, 2},
		{mma.Shape{M: 16, N: 16, K: 16}, syntax.S8, syntax.S32, true, false, true, 16, "", 2, 2, 8},
		{mma.Shape{M: 8, N: 32, K: 16}, syntax.U8, syntax.S32, false, true, false, 0, "", 1, 4, 8},
		{mma.Shape{M: 32, N: 8, K: 16}, syntax.S8, syntax.S32, true, true, true, 0, "", 4, 1, 8},
		{mma.Shape{M: 8, N: 8, K: 32}, syntax.S4, syntax.S32, true, false, true, 32, "", 1, 1, 2},
		{mma.Shape{M: 8, N: 8, K: 32}, syntax.U4, syntax.S32, true, false, false, 0, "", 1, 1, 2},
		{mma.Shape{M: 8, N: 8, K: 128}, syntax.B1, syntax.S32, true, false, true, 128, "xor", 1, 1, 2},
		{mma.Shape{M: 8, N: 8, K: 128}, syntax.B1, syntax.S32, true, false, false, 0, "and", 1, 1, 2},
	} {
		t.Run(fmt.Sprintf("%v %s %s %s %v", c.Shape, c.ta, c.td, c.bitOp, c.rowA), func(t *testing.T) {
			t.Parallel()
			c.run(t, rand.New(rand.NewSource(1)))
		})
	}
}

func (c wmmaCase) run(t *testing.T, rng *rand.Rand) {
	value := func(ty syntax.Type) int {
		if ty == syntax.B1 {
			return rng.Intn(2)
		}
		return small(rng, ty)
	}
	encode := func(ty syntax.Type, v int) uint64 {
		if ty == syntax.B1 {
			return uint64(v)
		}
		if ty == syntax.F64 {
			return fp.Bits64(float64(v))
		}
		return encodeSmall(ty, v)
	}
	in := make([]byte, 3<<12)
	fill := func(at int, ty syntax.Type, rows, cols int, byRows bool, pad int) (lead int, m []int) {
		if lead = rows + pad; byRows {
			lead = cols + pad
		}
		for r := range rows {
			for k := range cols {
				v := value(ty)
				m = append(m, v)
				bit := line(byRows, lead, r, k) * ty.Bits()
				x := encode(ty, v) & num.Mask(ty.Bits()) << (bit % 8)
				for i := 0; i < max(ty.Bytes(), 1); i++ {
					in[at+bit/8+i] |= byte(x >> (8 * i))
				}
			}
		}
		return lead, m
	}
	leadA, A := fill(0, c.ta, c.M, c.K, c.rowA, c.pad)
	leadB, B := fill(1<<12, c.ta, c.K, c.N, c.rowB, c.pad)
	_, C := fill(2<<12, c.td, c.M, c.N, c.rowC, 0)
	layout := func(rows bool) string { return map[bool]string{true: "row", false: "col"}[rows] }
	regs := func(name string, n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf("%%%s%d", name, i))
		}
		return "{" + strings.Join(list, ", ") + "}"
	}
	elem := map[syntax.Type]string{syntax.F32: "f32", syntax.F64: "f64", syntax.S32: "b32", syntax.F16: "b32"}
	regA := "b32"
	if c.ta == syntax.F64 {
		regA = "f64"
	}
	shape := fmt.Sprintf("m%dn%dk%d", c.M, c.N, c.K)
	types := fmt.Sprintf("%s.%s.%s.%s", c.td, c.ta, c.ta, c.td)
	op := ""
	switch {
	case c.ta == syntax.F16:
		types = fmt.Sprintf("%s.%s", c.td, c.td)
	case c.bitOp != "":
		op = "." + c.bitOp + ".popc"
	}
	body := fmt.Sprintf(`.reg .%[1]s %%wa<8>, %%wb<8>; .reg .%[2]s %%wc<8>, %%wd<8>;
	mov.b32 %%r1, %[3]d; mov.b32 %%r2, %[4]d;
	wmma.load.a.sync.aligned.%[5]s.%[6]s.global.%[7]s %[8]s, [%%d31], %%r1;
	wmma.load.b.sync.aligned.%[9]s.%[6]s.global.%[7]s %[10]s, [%%d31+4096], %%r2;
	wmma.load.c.sync.aligned.%[11]s.%[6]s.global.%[12]s %[13]s, [%%d31+8192];
	wmma.mma%[14]s.sync.aligned.%[5]s.%[9]s.%[6]s.%[15]s %[16]s, %[8]s, %[10]s, %[13]s;
	wmma.store.d.sync.aligned.%[17]s.%[6]s.global.%[12]s [%%d30], %[16]s;
`, regA, elem[c.td], leadA, leadB, layout(c.rowA), shape, c.ta, regs("wa", c.a), layout(c.rowB), regs("wb", c.b), layout(c.rowC), c.td, regs("wc", c.c), op, types, regs("wd", c.c), layout(!c.rowC))
	out := emutest.RunAdversarial(t, emutest.Kernel(body), 32, c.M*c.N*c.td.Bytes(), in, 1)
	lead := c.M
	if !c.rowC {
		lead = c.N
	}
	for r := range c.M {
		for col := range c.N {
			sum := C[r*c.N+col]
			for k := range c.K {
				x, y := A[r*c.K+k], B[k*c.N+col]
				switch c.bitOp {
				case "xor":
					sum += bits.OnesCount(uint(x ^ y))
				case "and":
					sum += bits.OnesCount(uint(x & y))
				default:
					sum += x * y
				}
			}
			n := c.td.Bytes()
			got, want := machine.Load(out[n*line(!c.rowC, lead, r, col):][:n]), encode(c.td, sum)
			if c.td == syntax.F16 {
				want = fp.F16.Round(float64(sum), fp.Nearest)
			}
			if got != want {
				t.Fatalf("element (%d, %d): got %#x, want %#x (%d)", r, col, got, want, sum)
			}
		}
	}
}

func TestWmmaErrors(t *testing.T) {
	t.Parallel()
	regs := "{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}"
	for _, c := range []struct{ inst, want string }{
		{"wmma.load.a.sync.aligned.row.m16n16k8.global.f16 " + regs + ", [%d31];", "this shape, layout and type is not supported"},
		{"wmma.load.a.sync.aligned.col.m8n8k32.global.s4 {%r0}, [%d31];", "this shape, layout and type is not supported"},
		{"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0}, [%d31];", "expected a vector of 8 operands"},
		{"wmma.load.d.sync.aligned.row.m16n16k16.global.f16 " + regs + ", [%d31];", "needs .load.a"},
		{"wmma.load.a.sync.aligned.row.m16n16k16.local.f16 " + regs + ", [%d31];", "accesses global and shared memory only"},
		{"wmma.mma.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {%r0, %r1}, {%r2}, {%r3}, {%r0, %r1};", "needs .xor.popc or .and.popc"},
		{"wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.u8.s32 " + regs + ", {%r0, %r1}, {%r0, %r1}, " + regs + ";", "with these types is not supported"},
		{"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " + regs + ", [%d31+2];", "misaligned"},
		{"mov.b32 %r9, 1000; wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " + regs + ", [%d31], %r9;", "misaligned"},
		{"mov.b32 %r9, 1024; wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " + regs + ", [%d31], %r9;", "out of bounds"},
		{"cvt.u64.u32 %d1, %r31; shl.b64 %d1, %d1, 5; add.u64 %d1, %d1, %d31; wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " + regs + ", [%d1];", "different addresses"},
		{"setp.eq.u32 %p0, %r31, 0; @%p0 wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " + regs + ", [%d31];", "needs all 32 lanes"},
	} {
		m, err := emu.Parse("test.ptx", []byte(emutest.Header+emutest.Kernel(c.inst)))
		if err == nil {
			_, err = emutest.TryLaunch(m, 32, 64, make([]byte, 4096))
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.inst, err, c.want)
		}
	}
}
