package vectorgen

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rows is how many rows of a sum a product keeps in registers.
const rows = 4

// products makes the kernels for each width of a panel. Four rows of three vectors take twelve of sixteen registers, as
// many as hide the latency of the fused multiply-adds.
func (g *generator) products() {
	for _, width := range []int{12, 8, 4} {
		g.pack(width)
		g.product(width, false)
		g.product(width, true)
	}
}

// pack makes what copies columns of a matrix into a panel.
func (g *generator) pack(width int) {
	name := fmt.Sprintf("pack%d", width)
	g.text(name, "func(panel, y *float64, k, stride int)")
	g.Pragma("noescape")
	g.Doc(fmt.Sprintf("%s copies k rows of %d elements. The stride of y is in elements.", name, width))
	panel, y, k, stride := g.Load(g.Param("panel"), g.GP64()), g.Load(g.Param("y"), g.GP64()), g.Load(g.Param("k"), g.GP64()), g.Load(g.Param("stride"), g.GP64())
	g.SHLQ(operand.Imm(3), stride)
	g.Label("loop")
	for j := range width / 4 {
		v := g.YMM()
		g.VMOVUPD(operand.Mem{Base: y, Disp: 32 * j}, v)
		g.VMOVUPD(v, operand.Mem{Base: panel, Disp: 32 * j})
	}
	g.ADDQ(stride, y)
	g.ADDQ(operand.Imm(uint64(8*width)), panel)
	g.DECQ(k)
	g.JNE(operand.LabelRef("loop"))
	g.VZEROUPPER()
	g.RET()
}

func (g *generator) product(width int, f32 bool) {
	name, signature := fmt.Sprintf("product%d", width), "func(sum, x, panel *float64, k, sumStride, xStride int)"
	doc := fmt.Sprintf("%%s adds to %d rows of %d sums the products of k elements of as many rows of x with the k rows of a panel.", rows, width)
	if f32 {
		name, signature = fmt.Sprintf("product%dF32", width), "func(out, sum *uint64, x, panel *float64, k, sumStride, xStride int)"
		doc += " The sums are patterns of f32, and rounded once."
	}
	g.text(name, signature)
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

	vectors := width / 4
	var acc [rows][]reg.VecVirtual
	at := g.GP64()
	g.MOVQ(sum, at)
	for i := range rows {
		for j := range vectors {
			acc[i] = append(acc[i], g.YMM())
			if from := (operand.Mem{Base: at, Disp: 32 * j}); f32 {
				v := g.XMM()
				g.VMOVUPS(from, v)
				g.VSHUFPS(operand.Imm(0x88), operand.Mem{Base: at, Disp: 32*j + 16}, v, v)
				g.VCVTPS2PD(v, acc[i][j])
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
			y[j] = g.YMM()
			g.VMOVUPD(operand.Mem{Base: panel, Disp: 8*width*s + 32*j}, y[j])
		}
		for i := range rows {
			v := g.YMM()
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
				v, m := g.XMM(), g.XMM()
				g.VCVTPD2PSY(acc[i][j], v)
				g.VCMPPS(operand.Imm(unordered), v, v, m)
				g.VBLENDVPS(m, nan.AsX(), v, v)
				g.VPMOVZXDQ(v, acc[i][j])
			}
			g.VMOVUPD(acc[i][j], operand.Mem{Base: out, Disp: 32 * j})
		}
		if i < rows-1 {
			g.ADDQ(sumStride, out)
		}
	}
	g.VZEROUPPER()
	g.RET()
}
