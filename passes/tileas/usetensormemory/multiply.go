package usetensormemory

import (
	"math/bits"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

// Attention scales its sum by rows in each iteration, by 1 where no element of the row is larger than all before it. The longer its loop goes on the fewer rows have another factor, so that it pays to ask before the sum is loaded,
// multiplied and stored (FlashAttention 4 does so by a threshold, which changes results; this changes none).

// fewFactors is how many factors a thread asks at most.
const fewFactors = 4

// multiply multiplies a sum where it is by factors of its rows, if that is all that is done to it, and reports whether it did.
func (x *rewriter) multiply(b *ir.Builder, sum, buffer ir.Value) bool {
	def := sum.DefiningOp()
	if def.IsNil() || !def.Is(arith.MulF) || !sum.HasOneUse() || len(def.InherentAttrs()) > 0 || ir.ElementType(sum.Type()) != ir.Type(x.ctx.F32()) {
		return false
	}
	for i := range 2 {
		load, factors := def.Operand(i).DefiningOp(), def.Operand(1-i)
		if load.IsNil() || !load.Is(tileas.TensorLoad) || load.Operand(0) != buffer || !load.Result(0).HasOneUse() || !few(factors) {
			continue
		}
		mul := b.Create(tileas.TensorMul, []ir.Value{factors, buffer}, nil)
		sum.ReplaceAllUsesWith(factors) // of the product, which takes the buffer
		def.Erase()
		load.Erase()
		return !mul.IsNil()
	}
	return false
}

// few reports whether a thread has few different factors: they are broadcast along the columns, of which it has a part.
func few(factors ir.Value) bool {
	def := factors.DefiningOp()
	if def.IsNil() || !def.Is(tileas.Level.Broadcast) {
		return false
	}
	l, ok := tileas.LayoutOf(def.Operand(0).Type())
	return ok && l.Size(linear.Register)>>bits.OnesCount32(l.FreeMask(linear.Register)) <= fewFactors
}
