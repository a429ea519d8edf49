package vectorgen

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rows is how many rows of a sum a product keeps in registers.
const rows = 4

// A precision is in what numbers a product computes, and what its operands and sums are.
type precision struct {
	suffix string
	single bool // f32: operands and sums are patterns, and each addition is rounded to f32
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

// singles reads patterns of f32 as a vector of f32.
func (g *generator) singles(from operand.Mem, y reg.VecVirtual) {
	next := from
	if g.avx512 {
		lo, hi := g.YMM(), g.YMM()
		next.Disp += 64
		g.VMOVDQU64(from, y)
		g.VPMOVQD(y, lo)
		g.VMOVDQU64(next, y)
		g.VPMOVQD(y, hi)
		g.VINSERTI64X4(operand.Imm(1), hi, lo.AsZ(), y)
		return
	}
	next.Disp += 32
	g.VMOVUPS(from, y)
	g.VSHUFPS(operand.Imm(0x88), next, y, y)
	g.VPERMQ(operand.Imm(0xd8), y, y)
}

// storeSingles stores a vector of f32 as patterns.
func (g *generator) storeSingles(y, nan reg.VecVirtual, to operand.Mem) {
	next := to
	if g.avx512 {
		q, hi, m := g.ZMM(), g.YMM(), g.K()
		next.Disp += 64
		g.VCMPPS(operand.Imm(unordered), y, y, m)
		g.VBROADCASTSS(nan.AsX(), m, y)
		g.VEXTRACTI64X4(operand.Imm(1), y, hi)
		g.VPMOVZXDQ(y.AsY(), q)
		g.VMOVDQU64(q, to)
		g.VPMOVZXDQ(hi, q)
		g.VMOVDQU64(q, next)
		return
	}
	q, hi := g.YMM(), g.XMM()
	next.Disp += 32
	g.canonical(y, nan)
	g.VPMOVZXDQ(y.AsX(), q)
	g.VMOVDQU(q, to)
	g.VEXTRACTI128(operand.Imm(1), y, hi)
	g.VPMOVZXDQ(hi, q)
	g.VMOVDQU(q, next)
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
		size, signature = 4, "func(panel *float32, y *uint64, k, stride int)"
	}
	name := g.text(fmt.Sprintf("pack%d%s", width, p.suffix), signature)
	g.Pragma("noescape")
	g.Doc(fmt.Sprintf("%s copies k rows of %d elements. The stride of y is in elements.", name, width))
	panel, y, k, stride := g.Load(g.Param("panel"), g.GP64()), g.Load(g.Param("y"), g.GP64()), g.Load(g.Param("k"), g.GP64()), g.Load(g.Param("stride"), g.GP64())
	g.SHLQ(operand.Imm(3), stride)
	g.Label("loop")
	for j := range vectors {
		v, from := vector(), operand.Mem{Base: y, Disp: 8 * lanes * j}
		if p.single {
			g.singles(from, v)
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
		doc, signature = " All but the panel are patterns of f32.", "func(out, sum, x *uint64, panel *float32, k, sumStride, xStride int)"
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
	g.SHLQ(operand.Imm(3), xStride)
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
			broadcast(row(x, i, 8*s), v)
			for j := range y {
				add(y[j], v, acc[i][j])
			}
		}
	}
	const unroll = 4
	label := func(s string) string { return fmt.Sprintf("%s%d", s, width) }
	g.Label(label("four"))
	g.CMPQ(k, operand.Imm(unroll))
	g.JL(operand.LabelRef(label("one")))
	for s := range unroll {
		step(s)
	}
	g.ADDQ(operand.Imm(8*unroll), x)
	g.ADDQ(operand.U32(uint64(size*unroll*width)), panel)
	g.SUBQ(operand.Imm(unroll), k)
	g.JMP(operand.LabelRef(label("four")))
	g.Label(label("one"))
	g.TESTQ(k, k)
	g.JE(operand.LabelRef(label("done")))
	step(0)
	g.ADDQ(operand.Imm(8), x)
	g.ADDQ(operand.U32(uint64(size*width)), panel)
	g.DECQ(k)
	g.JMP(operand.LabelRef(label("one")))
	g.Label(label("done"))
	var nan reg.VecVirtual
	if p.sums || p.single {
		nan = g.all("nanF32", 0x7fc00000)
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
