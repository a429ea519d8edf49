package assignlayouts

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/layouts"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
)

// orders returns whether the instruction of a dot should multiply the transposes, and whether else, the better first.
//
// The instruction reads what its descriptors cannot describe from registers, but as A only (matrix.Side). So the transposed product is taken where that is the factor on the right; for the one on the left, and for none, the
// product itself. Where both are such, one is stored to shared memory by threads in any case.
func (c *chooser) orders(op ir.Op) []bool {
	if c.alongRows(op, 1) && !c.alongRows(op, 0) && !c.computed(op.Operand(0)) {
		return []bool{true, false}
	}
	return []bool{false}
}

// separate reports whether a product is shallow and adds to nothing, and has a factor that must pass registers: then what is won is less than what its sum costs, which is apart from that which the products are added up in. Blocks
// with scales are such (block_scaled_matmul_mxf8 on sm_90 would spill).
func (c *chooser) separate(op ir.Op) bool {
	return (c.alongRows(op, 0) || c.alongRows(op, 1)) && !matrix.WorthMoving(op)
}

// alongRows reports whether a factor comes from memory with elements together that no descriptor has so: along rows or columns, where elements have 16 bits only.
func (c *chooser) alongRows(op ir.Op, i int) bool {
	v := op.Operand(i)
	l := c.memoryOrder(v)
	return layouts.Bits(v.Type()) != unitBits && l.Dims() >= 2 && first(l) != l.Dims()-1-i
}

// name names the instruction of a dot that runs beside the threads. Rows of what goes through registers are dealt out to fragments as they are for mma.sync (interleave).
func (c *chooser) name(op ir.Op, a *tileas.MMAAttr, transposed bool) {
	if transposed {
		a = a.Transposing(c.ctx)
	}
	op.SetAttr(tileas.AttrMMA, a)
	if matrix.InTensorMemory(op) {
		return
	}
	var units [2]int // of the instruction's factors
	for i, v := range op.Operands()[:2] {
		units[matrix.Side(op, i)] = 1
		if c.alongRows(op, i) {
			units[matrix.Side(op, i)] = unitAlong(c.memoryOrder(v), v, 2-i)
		}
	}
	for {
		op.SetAttr(tileas.AttrMMA, a.Interleaved(c.ctx, units[0], units[1]))
		if _, err := matrix.TileOf(op); err == nil || units[0] == 1 {
			return
		}
		units[0] /= 2
	}
}

// passFactors lets those factors of a dot that runs beside the threads come in registers which have to: what is computed, where the instruction takes it from there, and what no descriptor describes.
func (c *chooser) passFactors(op ir.Op, s transfer.Signature) (err error) {
	for i := range op.Operands()[:2] {
		if matrix.Side(op, i) == 0 && c.computed(op.Operand(i)) || c.alongRows(op, i) {
			if s.Operands[i], err = matrix.Passing(op, i); err != nil {
				return err
			}
		}
	}
	return nil
}
