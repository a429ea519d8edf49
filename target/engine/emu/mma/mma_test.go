package mma_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/emutest"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/mma"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// place3 gives row and column of element i for lane group g, member t, in
// the words of the ISA's section on that shape.
type place3 func(g, t, i int) (row, col int)

func pick(cond bool, a, b int) int {
	if cond {
		return a
	}
	return b
}

// mmaCase is one form of mma with the fragment formulas of the ISA.
type mmaCase struct {
	s              mma.Shape
	ta, tb, tc     syntax.Type
	na, nb, nc     int // elements per lane
	a, b, c        place3
	wantsSatfinite bool
	kind           string
}

var (
	accum16 place3 = func(g, t, i int) (int, int) { return pick(i < 2, g, g+8), t*2 + i&1 }
	accum8  place3 = func(g, t, i int) (int, int) { return g, t*2 + i }

	a16k8half place3 = func(g, t, i int) (int, int) { return pick(i < 2, g, g+8), t*2 + i&1 }
	b8half    place3 = func(g, t, i int) (int, int) { return t*2 + i, g }
	a16half   place3 = func(g, t, i int) (int, int) {
		return pick(i < 2 || i >= 4 && i < 6, g, g+8), t*2 + i&1 + pick(i < 4, 0, 8)
	}
	b16half place3 = func(g, t, i int) (int, int) { return t*2 + i&1 + pick(i < 2, 0, 8), g }

	a4tf32 place3 = func(g, t, i int) (int, int) { return pick(i == 0, g, g+8), t }
	b4tf32 place3 = func(g, t, i int) (int, int) { return t, g }
	a8tf32 place3 = func(g, t, i int) (int, int) { return pick(i == 0 || i == 2, g, g+8), t + pick(i < 2, 0, 4) }
	b8tf32 place3 = func(g, t, i int) (int, int) { return t + pick(i == 0, 0, 4), g }

	a884f64 place3 = func(g, t, i int) (int, int) { return g, t }
	a16f64  place3 = func(g, t, i int) (int, int) {
		return pick(i%2 == 0, g, g+8), pick(i%2 == 0, i*2+t, i*2-2+t)
	}
	b16f64 place3 = func(g, t, i int) (int, int) { return t + i*4, g }

	a8816byte place3 = func(g, t, i int) (int, int) { return g, t*4 + i }
	b16byte   place3 = func(g, t, i int) (int, int) { return t*4 + i, g }
	a16byte   place3 = func(g, t, i int) (int, int) { return pick(i < 4, g, g+8), t*4 + i&3 }
	a32byte   place3 = func(g, t, i int) (int, int) {
		return pick(i < 4 || i >= 8 && i < 12, g, g+8), t*4 + i&3 + pick(i < 8, 0, 16)
	}
	b32byte place3 = func(g, t, i int) (int, int) { return t*4 + i&3 + pick(i < 4, 0, 16), g }

	a8832nib place3 = func(g, t, i int) (int, int) { return g, t*8 + i }
	b32nib   place3 = func(g, t, i int) (int, int) { return t*8 + i, g }
	a32nib   place3 = func(g, t, i int) (int, int) { return pick(i < 8, g, g+8), t*8 + i&7 }
	a64nib   place3 = func(g, t, i int) (int, int) {
		return pick(i < 8 || i >= 16 && i < 24, g, g+8), t*8 + i&7 + pick(i < 16, 0, 32)
	}
	b64nib place3 = func(g, t, i int) (int, int) { return t*8 + i&7 + pick(i < 8, 0, 32), g }
)

var mmaCases = []mmaCase{
	{s: mma.Shape{M: 16, N: 8, K: 8}, ta: syntax.F16, tb: syntax.F16, tc: syntax.F32, na: 4, nb: 2, nc: 4, a: a16k8half, b: b8half, c: accum16},
	{s: mma.Shape{M: 16, N: 8, K: 16}, ta: syntax.F16, tb: syntax.F16, tc: syntax.F32, na: 8, nb: 4, nc: 4, a: a16half, b: b16half, c: accum16},
	{s: mma.Shape{M: 16, N: 8, K: 16}, ta: syntax.F16, tb: syntax.F16, tc: syntax.F16, na: 8, nb: 4, nc: 4, a: a16half, b: b16half, c: accum16},
	{s: mma.Shape{M: 16, N: 8, K: 8}, ta: syntax.BF16, tb: syntax.BF16, tc: syntax.F32, na: 4, nb: 2, nc: 4, a: a16k8half, b: b8half, c: accum16},
	{s: mma.Shape{M: 16, N: 8, K: 16}, ta: syntax.BF16, tb: syntax.BF16, tc: syntax.F32, na: 8, nb: 4, nc: 4, a: a16half, b: b16half, c: accum16},
	{s: mma.Shape{M: 16, N: 8, K: 4}, ta: syntax.TF32, tb: syntax.TF32, tc: syntax.F32, na: 2, nb: 1, nc: 4, a: a4tf32, b: b4tf32, c: accum16},
	{s: mma.Shape{M: 16, N: 8, K: 8}, ta: syntax.TF32, tb: syntax.TF32, tc: syntax.F32, na: 4, nb: 2, nc: 4, a: a8tf32, b: b8tf32, c: accum16},
	{s: mma.Shape{M: 8, N: 8, K: 4}, ta: syntax.F64, tb: syntax.F64, tc: syntax.F64, na: 1, nb: 1, nc: 2, a: a884f64, b: b4tf32, c: accum8},
	{s: mma.Shape{M: 16, N: 8, K: 4}, ta: syntax.F64, tb: syntax.F64, tc: syntax.F64, na: 2, nb: 1, nc: 4, a: a4tf32, b: b4tf32, c: accum16},
	{s: mma.Shape{M: 16, N: 8, K: 8}, ta: syntax.F64, tb: syntax.F64, tc: syntax.F64, na: 4, nb: 2, nc: 4, a: a8tf32, b: b8tf32, c: accum16},
	{s: mma.Shape{M: 16, N: 8, K: 16}, ta: syntax.F64, tb: syntax.F64, tc: syntax.F64, na: 8, nb: 4, nc: 4, a: a16f64, b: b16f64, c: accum16},
	{s: mma.Shape{M: 16, N: 8, K: 16}, ta: syntax.E4M3, tb: syntax.E5M2, tc: syntax.F32, na: 8, nb: 4, nc: 4, a: a16byte, b: b16byte, c: accum16},
	{s: mma.Shape{M: 16, N: 8, K: 32}, ta: syntax.E4M3, tb: syntax.E4M3, tc: syntax.F32, na: 16, nb: 8, nc: 4, a: a32byte, b: b32byte, c: accum16},
	{s: mma.Shape{M: 16, N: 8, K: 32}, ta: syntax.E4M3, tb: syntax.E5M2, tc: syntax.F32, na: 16, nb: 8, nc: 4, a: a32byte, b: b32byte, c: accum16, kind: "kind::f8f6f4"},
	{s: mma.Shape{M: 16, N: 8, K: 32}, ta: syntax.E5M2, tb: syntax.E4M3, tc: syntax.F16, na: 16, nb: 8, nc: 4, a: a32byte, b: b32byte, c: accum16, kind: "kind::f8f6f4"},
	{s: mma.Shape{M: 16, N: 8, K: 32}, ta: syntax.E5M2, tb: syntax.E5M2, tc: syntax.F16, na: 16, nb: 8, nc: 4, a: a32byte, b: b32byte, c: accum16},
	{s: mma.Shape{M: 8, N: 8, K: 16}, ta: syntax.S8, tb: syntax.U8, tc: syntax.S32, na: 4, nb: 4, nc: 2, a: a8816byte, b: b16byte, c: accum8},
	{s: mma.Shape{M: 16, N: 8, K: 16}, ta: syntax.U8, tb: syntax.S8, tc: syntax.S32, na: 8, nb: 4, nc: 4, a: a16byte, b: b16byte, c: accum16},
	{s: mma.Shape{M: 16, N: 8, K: 32}, ta: syntax.S8, tb: syntax.S8, tc: syntax.S32, na: 16, nb: 8, nc: 4, a: a32byte, b: b32byte, c: accum16},
	{s: mma.Shape{M: 16, N: 8, K: 32}, ta: syntax.S8, tb: syntax.S8, tc: syntax.S32, na: 16, nb: 8, nc: 4, a: a32byte, b: b32byte, c: accum16, wantsSatfinite: true},
	{s: mma.Shape{M: 8, N: 8, K: 32}, ta: syntax.S4, tb: syntax.S4, tc: syntax.S32, na: 8, nb: 8, nc: 2, a: a8832nib, b: b32nib, c: accum8},
	{s: mma.Shape{M: 16, N: 8, K: 32}, ta: syntax.U4, tb: syntax.S4, tc: syntax.S32, na: 16, nb: 8, nc: 4, a: a32nib, b: b32nib, c: accum16},
	{s: mma.Shape{M: 16, N: 8, K: 64}, ta: syntax.S4, tb: syntax.U4, tc: syntax.S32, na: 32, nb: 16, nc: 4, a: a64nib, b: b64nib, c: accum16},
}

// encodeSmall is the pattern of a small integer in a type.
func encodeSmall(t syntax.Type, x int) uint64 {
	switch t {
	case syntax.F64:
		return math.Float64bits(float64(x))
	case syntax.F32, syntax.TF32:
		return uint64(math.Float32bits(float32(x)))
	case syntax.BF16:
		return uint64(math.Float32bits(float32(x)) >> 16)
	case syntax.F16:
		return fp.F16.Round(float64(x), fp.Nearest)
	case syntax.E4M3:
		return fp.E4M3.Round(float64(x), fp.Nearest)
	case syntax.E5M2:
		return fp.E5M2.Round(float64(x), fp.Nearest)
	}
	return uint64(x) & num.Mask(t.Bits())
}

func small(rng *rand.Rand, t syntax.Type) int {
	switch t {
	case syntax.U4, syntax.U8:
		return rng.Intn(16)
	case syntax.S4:
		return rng.Intn(16) - 8
	case syntax.E5M2:
		return rng.Intn(9) - 4
	}
	return rng.Intn(17) - 8
}

// TestMma multiplies matrices of small integers, for which every type and
// every order of summation is exact, and compares with a triple loop.
func TestMma(t *testing.T) {
	t.Parallel()
	for n, c := range mmaCases {
		sat := map[bool]string{true: ".satfinite", false: ""}[c.wantsSatfinite]
		if c.kind != "" {
			sat = "." + c.kind
		}
		name := fmt.Sprintf("mma.sync.aligned.m%dn%dk%d.row.col%s.%s.%s.%s.%s", c.s.M, c.s.N, c.s.K, sat, c.tc, c.ta, c.tb, c.tc)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewSource(int64(n)))
			A, B, C := make([]int, c.s.M*c.s.K), make([]int, c.s.K*c.s.N), make([]int, c.s.M*c.s.N)
			for i := range A {
				A[i] = small(rng, c.ta)
			}
			for i := range B {
				B[i] = small(rng, c.tb)
			}
			for i := range C {
				C[i] = rng.Intn(100) - 50
				if c.wantsSatfinite {
					C[i] = math.MaxInt32 - rng.Intn(40)
				}
			}
			ra, rb, rc := words(c.na, c.ta), words(c.nb, c.tb), words(c.nc, c.tc)
			// Each lane reads its registers for A, B and C from the input.
			var in []byte
			for lane := range 32 {
				g, m := lane/4, lane%4
				in = append(in, packFragment(c.na, c.ta, func(i int) int { r, k := c.a(g, m, i); return A[r*c.s.K+k] })...)
				in = append(in, packFragment(c.nb, c.tb, func(i int) int { r, k := c.b(g, m, i); return B[r*c.s.N+k] })...)
				in = append(in, packFragment(c.nc, c.tc, func(i int) int { r, k := c.c(g, m, i); return C[r*c.s.N+k] })...)
			}
			wide := c.ta == syntax.F64
			load := func(reg string, n, off int) (code, list string) {
				var regs []string
				for i := range n {
					r := fmt.Sprintf("%%%s%d", reg, i)
					regs = append(regs, r)
					if wide {
						code += fmt.Sprintf("\tld.global.f64 %s, [%%d1+%d];\n", r, off+8*i)
					} else {
						code += fmt.Sprintf("\tld.global.b32 %s, [%%d1+%d];\n", r, off+4*i)
					}
				}
				return code, "{" + strings.Join(regs, ", ") + "}"
			}
			size := pick(wide, 8, 4)
			stride := (ra + rb + rc) * size
			codeA, listA := load("a", ra, 0)
			codeB, listB := load("b", rb, ra*size)
			codeC, listC := load("c", rc, (ra+rb)*size)
			decl, accDecl := ".b32", map[syntax.Type]string{syntax.F32: ".f32", syntax.S32: ".b32", syntax.F16: ".b32", syntax.F64: ".f64"}[c.tc]
			if wide {
				decl = ".f64"
			}
			body := fmt.Sprintf("\t.reg %s %%a<8>, %%b<8>; .reg %s %%c<8>;\n\tmul.wide.u32 %%d1, %%r31, %d; add.u64 %%d1, %%d1, %%d31;\n", decl, accDecl, stride) +
				codeA + codeB + codeC + fmt.Sprintf("\t%s %s, %s, %s, %s;\n\tmul.wide.u32 %%d1, %%r31, %d; add.u64 %%d1, %%d1, %%d30;\n", name, listC, listA, listB, listC, rc*size)
			for i := range rc {
				body += fmt.Sprintf("\tst.global%s [%%d1+%d], %%c%d;\n", map[bool]string{true: ".f64", false: ".b32"}[wide], i*size, i)
			}
			out := emutest.Launch(t, emutest.Kernel(body), 32, 32*rc*size, in)
			for lane := range 32 {
				want := packFragment(c.nc, c.tc, func(i int) int {
					r, k := c.c(lane/4, lane%4, i)
					sum := C[r*c.s.N+k]
					for x := range c.s.K {
						sum += A[r*c.s.K+x] * B[x*c.s.N+k]
					}
					if c.wantsSatfinite {
						sum = min(sum, math.MaxInt32)
					}
					return sum
				})
				if got := out[lane*rc*size:][:rc*size]; string(got) != string(want) {
					t.Fatalf("lane %d: got %x, want %x", lane, got, want)
				}
			}
		})
	}
}

func words(n int, t syntax.Type) int {
	if t == syntax.F64 {
		return n
	}
	return max(1, n*t.Bits()/32)
}

// packFragment puts a lane's elements into registers, the first one lowest.
func packFragment(n int, t syntax.Type, elem func(i int) int) []byte {
	if t == syntax.F64 {
		var b []byte
		for i := range n {
			b = binary.LittleEndian.AppendUint64(b, encodeSmall(t, elem(i)))
		}
		return b
	}
	per := 32 / t.Bits()
	var b []byte
	for w := range words(n, t) {
		var v uint64
		for i := range per {
			v |= encodeSmall(t, elem(w*per+i)) << (i * t.Bits())
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	return b
}

// TestMmaRounding checks that products are exact and the sum is rounded
// once: 1 + 2^-12 * 2^-12 keeps its tail next to -1.
func TestMmaRounding(t *testing.T) {
	t.Parallel()
	// a0 = (2^-12, 1), b0 = (2^-12, 1), c = -1 in every element.
	out := emutest.Launch(t, emutest.Kernel(`.reg .b32 %a<4>, %b<2>; .reg .f32 %c<4>;
	and.b32 %r1, %r31, 3; setp.eq.u32 %p0, %r1, 0;
	selp.b32 %a0, 0x3c000c00, 0, %p0; mov.b32 %a1, %a0; mov.b32 %a2, 0; mov.b32 %a3, 0;
	selp.b32 %b0, 0x3c000c00, 0, %p0; mov.b32 %b1, 0;
	mov.f32 %c0, -1.0; mov.f32 %c1, -1.0; mov.f32 %c2, -1.0; mov.f32 %c3, -1.0;
	mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%c0, %c1, %c2, %c3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%c0, %c1, %c2, %c3};
	mov.b32 %r0, %c3;`+emutest.Store), 32, 128, nil)
	for lane, got := range emutest.U32s(out) {
		if got != math.Float32bits(0x1p-24) {
			t.Errorf("lane %d: got %#x, want 2^-24", lane, got)
		}
	}
}

func TestMatrixMoves(t *testing.T) {
	t.Parallel()
	// Shared memory holds four 8x8 matrices; element (r, c) of matrix k is
	// 100k + 8r + c. Lane 8k+r gives the address of row r of matrix k.
	fill := `.shared .align 16 .b8 s[512]; .shared .align 16 .b8 o[512];
	mov.u32 %r20, s; mov.u32 %r21, 0;
	shr.u32 %r22, %r31, 3; and.b32 %r23, %r31, 7; mul.lo.u32 %r24, %r22, 100; mad.lo.u32 %r24, %r23, 8, %r24; shl.b32 %r25, %r31, 4; add.u32 %r26, %r20, %r25;
F:	add.u32 %r27, %r24, %r21; shl.b32 %r28, %r21, 1; add.u32 %r28, %r28, %r26; st.shared.u16 [%r28], %r27; add.u32 %r21, %r21, 1; setp.lt.u32 %p0, %r21, 8; @%p0 bra F;
	bar.sync 0;
`
	for _, c := range []struct {
		name, body string
		want       func(lane int) uint32
	}{
		{"ldmatrix x4", "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r0, %r3}, [%r26];",
			func(l int) uint32 { lo := uint32(200 + 8*(l/4) + l%4*2); return lo | (lo+1)<<16 }},
		{"ldmatrix x2 trans", "ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 {%r1, %r0}, [%r26];",
			func(l int) uint32 { lo := uint32(100 + 8*(l%4*2) + l/4); return lo | (lo+8)<<16 }},
		{"ldmatrix x1", "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r26];",
			func(l int) uint32 { lo := uint32(8*(l/4) + l%4*2); return lo | (lo+1)<<16 }},
		{"movmatrix", "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r26]; movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;",
			func(l int) uint32 { lo := uint32(8*(l%4*2) + l/4); return lo | (lo+8)<<16 }},
		{"stmatrix x2", `ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r26]; mov.u32 %r10, o; add.u32 %r11, %r10, %r25;
			stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r11], {%r3, %r4}; bar.sync 0; shl.b32 %r12, %r31, 2; add.u32 %r12, %r12, %r10; ld.shared.u32 %r0, [%r12+128];`,
			func(l int) uint32 { lo := uint32(300 + 2*l); return lo | (lo+1)<<16 }},
		{"stmatrix trans", `ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r26]; mov.u32 %r10, o; add.u32 %r11, %r10, %r25;
			stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%r11], {%r1}; bar.sync 0; shl.b32 %r12, %r31, 2; add.u32 %r12, %r12, %r10; ld.shared.u32 %r0, [%r12];`,
			func(l int) uint32 { r, k := l/4, l%4*2; return uint32(8*k+r) | uint32(8*(k+1)+r)<<16 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for lane, got := range emutest.U32s(emutest.Launch(t, emutest.Kernel(fill+c.body+emutest.Store), 32, 128, nil)) {
				if want := c.want(lane); got != want {
					t.Errorf("lane %d: got %#x, want %#x", lane, got, want)
				}
			}
		})
	}
}
