package promotetotmem

import (
	"math/bits"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// Attention scales the rows of its accumulator in each iteration. The scale is 1 if no element of the row is
// larger than all before it, and the longer the loop runs, the more rows have the scale 1. So it is profitable to
// compare before the accumulator is loaded, multiplied and stored. FlashAttention 4 does so by a threshold, which
// changes results; this changes none.

// fewOperands is how many scales a thread compares at most.
const fewOperands = 4

// multiply scales the rows of an accumulator in TMEM (tmem_scale), if that is all that is done to it, and reports
// whether it did.
func (x *rewriter) multiply(b *ir.Builder, accumulator, buffer ir.Value) bool {
	def := accumulator.DefiningOp()
	if def.IsNil() || !def.Is(arith.MulF) || !accumulator.HasOneUse() || len(def.InherentAttrs()) > 0 || ir.ElementType(accumulator.Type()) != ir.Type(x.ctx.F32()) {
		return false
	}
	for i := range 2 {
		load, operands := def.Operand(i).DefiningOp(), def.Operand(1-i)
		if load.IsNil() || !load.Is(tileas.TMEMLoad) || load.Operand(0) != buffer || !load.Result(0).HasOneUse() || !few(operands) {
			continue
		}
		mul := b.Create(tileas.TMEMScale, []ir.Value{operands, buffer}, nil)
		accumulator.ReplaceAllUsesWith(operands) // the MMA takes the buffer; its operand only has to exist
		def.Erase()
		load.Erase()
		return !mul.IsNil()
	}
	return false
}

// few reports whether a thread has few different scales: they are broadcast along the columns, of which it has a
// part.
func few(operands ir.Value) bool {
	def := operands.DefiningOp()
	if def.IsNil() || !def.Is(tileas.Level.Broadcast) {
		return false
	}
	l, ok := tileas.LayoutOf(def.Operand(0).Type())
	return ok && l.Size(linear.Register)>>bits.OnesCount32(l.FreeMask(linear.Register)) <= fewOperands
}
