package vectorgen

import (
	"fmt"
	"math/bits"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rows is how many rows of a sum a product keeps in registers.
const rows = 4

// A precision is in what numbers a product computes, and what its sums are.
type precision struct {
	suffix string
	single bool // f32: sums are patterns, and each addition is rounded to f32
	sums   bool // sums are patterns of f32 before and after, and f64 between
}

// products makes the kernels for each width of a panel. Four rows of three vectors take twelve of the sixteen registers
// of AVX2, four rows of four sixteen of the 32 of AVX-512. Both are as many as hide the latency of the fused
// multiply-adds.
func (g *generator) products() {
	vectors := []int{3, 2, 1}
	if g.avx512 {
		vectors = []int{4, 2, 1}
	}
	for _, p := range []precision{{}, {suffix: "F32", sums: true}, {suffix: "Single", single: true}} {
		for _, n := range vectors {
			if !p.sums {
				g.pack(n, p)
			}
			g.product(n, p)
		}
	}
}

// lanes returns how many numbers a vector has, and what makes one.
func (g *generator) lanes(p precision) (lanes int, vector func() reg.VecVirtual) {
	lanes, vector = 4, g.YMM
	if g.avx512 {
		lanes, vector = 8, g.ZMM
	}
	if p.single {
		lanes *= 2
	}
	return lanes, vector
}

// singles reads patterns of f32 as a vector of f32. The pattern of element j is beside that of j + 4, or j + 8 of AVX-512:
//
//	x0 0 x1 0 x2 0 x3 0 and x4 0 x5 0 x6 0 x7 0   become   x0 x4 x1 x5 x2 x6 x3 x7
//
// The upper halves of patterns are zero. So the second vector, read four bytes early, goes into the odd places. No
// instruction moves elements across a vector, for which there is one port, that multiply-adds need too.
func (g *generator) singles(from operand.Mem, y reg.VecVirtual) {
	odd := from
	if g.avx512 {
		odd.Disp += 64 - 4
		g.VMOVDQU64(from, y)
		g.VMOVDQU32(odd, g.every(0xaaaa), y)
		return
	}
	odd.Disp += 32 - 4
	g.VMOVUPS(from, y)
	g.VBLENDPS(operand.Imm(0xaa), odd, y, y)
}

// interleave reads a vector of f32 in the order of singles.
func (g *generator) interleave(from operand.Mem, y reg.VecVirtual) {
	upper := from
	if g.avx512 {
		upper.Disp += 32
		q := g.ZMM()
		g.VPMOVZXDQ(from, y)
		g.VPMOVZXDQ(upper, q)
		g.VPSLLQ(operand.Imm(32), q, q)
		g.VPORQ(q, y, y)
		return
	}
	upper.Disp += 16
	q := g.YMM()
	g.VPMOVZXDQ(from, y)
	g.VPMOVZXDQ(upper, q)
	g.VPSLLQ(operand.Imm(32), q, q)
	g.VPOR(q, y, y)
}

// every returns the mask of the elements of a vector whose bits are set. A function has each once.
func (g *generator) every(bits uint32) reg.OpmaskVirtual {
	if g.masks[bits] == nil {
		r := g.GP32()
		g.masks[bits] = g.K()
		g.MOVL(operand.U32(bits), r)
		g.KMOVW(r, g.masks[bits])
	}
	return g.masks[bits]
}

// storeSingles stores what singles reads.
func (g *generator) storeSingles(y, nan reg.VecVirtual, to operand.Mem) {
	next := to
	g.canonical(y, nan)
	if g.avx512 {
		next.Disp += 64
		q := g.ZMM()
		g.VPSRLQ(operand.Imm(32), y, q)
		g.VMOVDQU64(q, next)
		g.VMOVDQA32_Z(y, g.every(0x5555), y)
		g.VMOVDQU64(y, to)
		return
	}
	next.Disp += 32
	q := g.YMM()
	g.VPSRLQ(operand.Imm(32), y, q)
	g.VMOVDQU(q, next)
	g.VPXOR(q, q, q)
	g.VPBLENDD(operand.Imm(0xaa), q, y, y)
	g.VMOVDQU(y, to)
}

// widen reads patterns of f32 as a vector of f64.
func (g *generator) widen(from operand.Mem, y reg.VecVirtual) {
	if g.avx512 {
		d := g.YMM()
		g.VMOVDQU64(from, y)
		g.VPMOVQD(y, d)
		g.VCVTPS2PD(d, y)
		return
	}
	v := g.XMM()
	g.VMOVUPS(from, v)
	from.Disp += 16
	g.VSHUFPS(operand.Imm(0x88), from, v, v)
	g.VCVTPS2PD(v, y)
}

// narrow rounds a vector of f64 to patterns of f32.
func (g *generator) narrow(y, nan reg.VecVirtual) {
	if g.avx512 {
		d := g.YMM()
		g.VCVTPD2PS(y, d)
		g.canonical(d, nan)
		g.VPMOVZXDQ(d, y)
		return
	}
	v, m := g.XMM(), g.XMM()
	g.VCVTPD2PSY(y, v)
	g.VCMPPS(operand.Imm(unordered), v, v, m)
	g.VBLENDVPS(m, nan.AsX(), v, v)
	g.VPMOVZXDQ(v, y)
}

// pack makes what copies columns of a matrix into a panel.
func (g *generator) pack(vectors int, p precision) {
	lanes, vector := g.lanes(p)
	width, size, signature := lanes*vectors, 8, "func(panel, y *float64, k, stride int)"
	if p.single {
		size, signature = 4, "func(panel, y *float32, k, stride int)"
	}
	name := g.text(fmt.Sprintf("pack%d%s", width, p.suffix), signature)
	g.Pragma("noescape")
	g.Doc(fmt.Sprintf("%s copies k rows of %d elements. The stride of y is in elements.", name, width))
	panel, y, k, stride := g.Load(g.Param("panel"), g.GP64()), g.Load(g.Param("y"), g.GP64()), g.Load(g.Param("k"), g.GP64()), g.Load(g.Param("stride"), g.GP64())
	g.SHLQ(operand.Imm(uint64(bits.TrailingZeros(uint(size)))), stride)
	g.Label("loop")
	for j := range vectors {
		v, from := vector(), operand.Mem{Base: y, Disp: size * lanes * j}
		if p.single {
			g.PREFETCHT0(operand.Mem{Base: y, Disp: size * lanes * j, Index: stride, Scale: 8})
			g.interleave(from, v)
		} else {
			g.VMOVUPD(from, v)
		}
		g.VMOVUPD(v, operand.Mem{Base: panel, Disp: size * lanes * j})
	}
	g.ADDQ(stride, y)
	g.ADDQ(operand.U32(uint64(size*width)), panel)
	g.DECQ(k)
	g.JNE(operand.LabelRef("loop"))
	g.VZEROUPPER()
	g.RET()
}

// product makes what multiplies by a panel.
func (g *generator) product(vectors int, p precision) {
	lanes, vector := g.lanes(p)
	width, size, doc := lanes*vectors, 8, ""
	broadcast, add := g.VBROADCASTSD, g.VFMADD231PD
	signature := "func(sum, x, panel *float64, k, sumStride, xStride int)"
	switch {
	case p.sums:
		doc, signature = " The sums are patterns of f32, and rounded once.", "func(out, sum *uint64, x, panel *float64, k, sumStride, xStride int)"
	case p.single:
		size, broadcast, add = 4, g.VBROADCASTSS, g.VFMADD231PS
		doc, signature = " The sums are patterns of f32.", "func(out, sum *uint64, x, panel *float32, k, sumStride, xStride int)"
	}
	name := g.text(fmt.Sprintf("product%d%s", width, p.suffix), signature)
	g.Pragma("noescape")
	g.Doc(fmt.Sprintf("%s adds to %d rows of %d sums the products of k elements of as many rows of x with the k rows of a panel.%s", name, rows, width, doc),
		"Strides are in elements.")
	sum := g.Load(g.Param("sum"), g.GP64())
	out := sum
	if p.sums || p.single {
		out = g.Load(g.Param("out"), g.GP64())
	}
	x, panel, k := g.Load(g.Param("x"), g.GP64()), g.Load(g.Param("panel"), g.GP64()), g.Load(g.Param("k"), g.GP64())
	sumStride, xStride := g.Load(g.Param("sumStride"), g.GP64()), g.Load(g.Param("xStride"), g.GP64())
	g.SHLQ(operand.Imm(3), sumStride)
	g.SHLQ(operand.Imm(uint64(bits.TrailingZeros(uint(size)))), xStride)
	x3 := g.GP64()
	g.LEAQ(operand.Mem{Base: xStride, Index: xStride, Scale: 2}, x3)
	row := func(base reg.Register, i, disp int) operand.Mem {
		m := operand.Mem{Base: base, Disp: disp}
		switch i {
		case 1, 2:
			m.Index, m.Scale = xStride, uint8(i)
		case 3:
			m.Index, m.Scale = x3, 1
		}
		return m
	}

	var acc [rows][]reg.VecVirtual
	at := g.GP64()
	g.MOVQ(sum, at)
	for i := range rows {
		for j := range vectors {
			acc[i] = append(acc[i], vector())
			from := operand.Mem{Base: at, Disp: 8 * lanes * j}
			switch {
			case p.sums:
				g.widen(from, acc[i][j])
			case p.single:
				g.singles(from, acc[i][j])
			default:
				g.VMOVUPD(from, acc[i][j])
			}
		}
		g.ADDQ(sumStride, at)
	}
	// Meanwhile the caches get the sums of the rows that come next.
	for range rows {
		for line := 0; line < 8*width; line += 64 {
			g.PREFETCHT0(operand.Mem{Base: at, Disp: line})
		}
		g.ADDQ(sumStride, at)
	}
	step := func(s int) {
		y := make([]reg.VecVirtual, vectors)
		for j := range y {
			y[j] = vector()
			g.VMOVUPD(operand.Mem{Base: panel, Disp: size * (width*s + lanes*j)}, y[j])
		}
		for i := range rows {
			v := vector()
			broadcast(row(x, i, size*s), v)
			for j := range y {
				add(y[j], v, acc[i][j])
			}
		}
	}
	const unroll = 4 // rows at least, so that each of those that come next is asked for
	next := g.GP64()
	if p.single {
		g.LEAQ(operand.Mem{Base: x, Index: xStride, Scale: 4}, next)
	}
	label := func(s string) string { return fmt.Sprintf("%s%d", s, width) }
	g.Label(label("four"))
	g.CMPQ(k, operand.Imm(unroll))
	g.JL(operand.LabelRef(label("one")))
	for s := range unroll {
		if p.single {
			g.PREFETCHT0(row(next, s, 0))
		}
		step(s)
	}
	g.ADDQ(operand.Imm(uint64(size*unroll)), x)
	if p.single {
		g.ADDQ(operand.Imm(uint64(size*unroll)), next)
	}
	g.ADDQ(operand.U32(uint64(size*unroll*width)), panel)
	g.SUBQ(operand.Imm(unroll), k)
	g.JMP(operand.LabelRef(label("four")))
	g.Label(label("one"))
	g.TESTQ(k, k)
	g.JE(operand.LabelRef(label("done")))
	step(0)
	g.ADDQ(operand.Imm(uint64(size)), x)
	g.ADDQ(operand.U32(uint64(size*width)), panel)
	g.DECQ(k)
	g.JMP(operand.LabelRef(label("one")))
	g.Label(label("done"))
	var nan reg.VecVirtual
	switch {
	case p.sums:
		nan = g.all("nanF32", 0x7fc00000)
	case p.single:
		nan = vector()
		g.VBROADCASTSS(g.constant("nanF32", operand.U32(0x7fc00000)), nan)
	}
	for i := range rows {
		for j := range vectors {
			to := operand.Mem{Base: out, Disp: 8 * lanes * j}
			if p.single {
				g.storeSingles(acc[i][j], nan, to)
				continue
			}
			if p.sums {
				g.narrow(acc[i][j], nan)
			}
			g.VMOVUPD(acc[i][j], to)
		}
		if i < rows-1 {
			g.ADDQ(sumStride, out)
		}
	}
	g.VZEROUPPER()
	g.RET()
}
