package vectorgen

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rows is how many rows of a sum a product keeps in registers.
const rows = 4

// products makes the kernels for each width of a panel. Four rows of three vectors take twelve of the sixteen registers
// of AVX2, four rows of four sixteen of the 32 of AVX-512. Both are as many as hide the latency of the fused
// multiply-adds.
func (g *generator) products() {
	widths := []int{12, 8, 4}
	if g.avx512 {
		widths = []int{32, 16, 8}
	}
	for _, width := range widths {
		g.pack(width)
		g.product(width, false)
		g.product(width, true)
	}
}

// doubles returns how many f64 a vector has, and what makes one.
func (g *generator) doubles() (lanes int, vector func() reg.VecVirtual) {
	if g.avx512 {
		return 8, g.ZMM
	}
	return 4, g.YMM
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
func (g *generator) pack(width int) {
	lanes, vector := g.doubles()
	name := g.text(fmt.Sprintf("pack%d", width), "func(panel, y *float64, k, stride int)")
	g.Pragma("noescape")
	g.Doc(fmt.Sprintf("%s copies k rows of %d elements. The stride of y is in elements.", name, width))
	panel, y, k, stride := g.Load(g.Param("panel"), g.GP64()), g.Load(g.Param("y"), g.GP64()), g.Load(g.Param("k"), g.GP64()), g.Load(g.Param("stride"), g.GP64())
	g.SHLQ(operand.Imm(3), stride)
	g.Label("loop")
	for j := range width / lanes {
		v, at := vector(), 8*lanes*j
		g.VMOVUPD(operand.Mem{Base: y, Disp: at}, v)
		g.VMOVUPD(v, operand.Mem{Base: panel, Disp: at})
	}
	g.ADDQ(stride, y)
	g.ADDQ(operand.U32(uint64(8*width)), panel)
	g.DECQ(k)
	g.JNE(operand.LabelRef("loop"))
	g.VZEROUPPER()
	g.RET()
}

func (g *generator) product(width int, f32 bool) {
	name, signature := fmt.Sprintf("product%d", width), "func(sum, x, panel *float64, k, sumStride, xStride int)"
	doc := fmt.Sprintf("%%s adds to %d rows of %d sums the products of k elements of as many rows of x with the k rows of a panel.", rows, width)
	if f32 {
		name, signature = name+"F32", "func(out, sum *uint64, x, panel *float64, k, sumStride, xStride int)"
		doc += " The sums are patterns of f32, and rounded once."
	}
	name = g.text(name, signature)
	g.Pragma("noescape")
	g.Doc(fmt.Sprintf(doc, name), "Strides are in elements.")
	sum := g.Load(g.Param("sum"), g.GP64())
	out := sum
	if f32 {
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

	lanes, vector := g.doubles()
	vectors, bytes := width/lanes, 8*lanes
	var acc [rows][]reg.VecVirtual
	at := g.GP64()
	g.MOVQ(sum, at)
	for i := range rows {
		for j := range vectors {
			acc[i] = append(acc[i], vector())
			if from := (operand.Mem{Base: at, Disp: bytes * j}); f32 {
				g.widen(from, acc[i][j])
			} else {
				g.VMOVUPD(from, acc[i][j])
			}
		}
		if i < rows-1 {
			g.ADDQ(sumStride, at)
		}
	}
	step := func(s int) {
		y := make([]reg.VecVirtual, vectors)
		for j := range y {
			y[j] = vector()
			g.VMOVUPD(operand.Mem{Base: panel, Disp: 8*width*s + bytes*j}, y[j])
		}
		for i := range rows {
			v := vector()
			g.VBROADCASTSD(row(x, i, 8*s), v)
			for j := range y {
				g.VFMADD231PD(y[j], v, acc[i][j])
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
	g.ADDQ(operand.U32(8*unroll*width), panel)
	g.SUBQ(operand.Imm(unroll), k)
	g.JMP(operand.LabelRef(label("four")))
	g.Label(label("one"))
	g.TESTQ(k, k)
	g.JE(operand.LabelRef(label("done")))
	step(0)
	g.ADDQ(operand.Imm(8), x)
	g.ADDQ(operand.U32(8*width), panel)
	g.DECQ(k)
	g.JMP(operand.LabelRef(label("one")))
	g.Label(label("done"))
	var nan reg.VecVirtual
	if f32 {
		nan = g.all("nanF32", 0x7fc00000)
	}
	for i := range rows {
		for j := range vectors {
			if f32 {
				g.narrow(acc[i][j], nan)
			}
			g.VMOVUPD(acc[i][j], operand.Mem{Base: out, Disp: bytes * j})
		}
		if i < rows-1 {
			g.ADDQ(sumStride, out)
		}
	}
	g.VZEROUPPER()
	g.RET()
}
