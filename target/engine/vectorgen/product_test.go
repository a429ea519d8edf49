package vectorgen

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rows is how many rows of a sum a product keeps in registers.
const rows = 4

// products makes a kernel for each width of a panel. Four rows of three vectors take twelve of sixteen registers, as
// many as hide the latency of the fused multiply-adds.
func (g *generator) products() {
	for _, width := range []int{12, 8, 4} {
		g.product(width)
	}
}

func (g *generator) product(width int) {
	g.text(fmt.Sprintf("product%d", width), "func(sum, x, panel *float64, k, sumStride, xStride int)")
	g.Pragma("noescape")
	g.Doc(fmt.Sprintf("product%d adds to %d rows of %d sums the products of k elements of as many rows of x", width, rows, width),
		"with the k rows of a panel. Strides are in elements.")
	sum, x, panel, k := g.Load(g.Param("sum"), g.GP64()), g.Load(g.Param("x"), g.GP64()), g.Load(g.Param("panel"), g.GP64()), g.Load(g.Param("k"), g.GP64())
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
			g.VMOVUPD(operand.Mem{Base: at, Disp: 32 * j}, acc[i][j])
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
	for i := range rows {
		for j := range vectors {
			g.VMOVUPD(acc[i][j], operand.Mem{Base: sum, Disp: 32 * j})
		}
		if i < rows-1 {
			g.ADDQ(sumStride, sum)
		}
	}
	g.VZEROUPPER()
	g.RET()
}
