package instr

import (
	"math/bits"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// Attention scales the rows of its accumulator in each iteration. The scale is 1 if no element of the row is
// larger than all before it, and the longer the loop runs, the more rows have the scale 1. So it is profitable to
// compare before the accumulator is loaded, multiplied and stored (tmem_scale). FlashAttention 4 does so by a
// threshold, which changes results; this changes none.

// fewOperands is how many scales a thread compares at most.
const fewOperands = 4

// RowScale returns what multiplies the rows of an accumulator in TMEM, if a value is that product; a zero Value if
// not. isAccumulator says which operand the accumulator is.
func RowScale(product ir.Value, isAccumulator func(ir.Value) bool) ir.Value {
	def := product.DefiningOp()
	if def.IsNil() || !def.Is(arith.MulF) || !product.HasOneUse() || len(def.InherentAttrs()) > 0 || ir.ElementType(product.Type()) != ir.Type(def.Context().F32()) {
		return ir.Value{}
	}
	for i := range 2 {
		if scale := def.Operand(1 - i); isAccumulator(def.Operand(i)) && few(scale) {
			return scale
		}
	}
	return ir.Value{}
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
