package canonical

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/rewrite"
)

// The canonical forms of this dialect are those of the public one: what if, select and addf have in NVIDIA/cuda-tile
// 13.3. A few for shapes and sizes of views are our own. Loops have none there and here.

// Attach gives the rows their folds and patterns.
func Attach() {
	attachElements()
	attachShapes()
	attachAlgebra()
	attachIf()
	attachSelect()
	attachTruth()
	attachViews()
}

func attachAlgebra() {
	cudatile.AddF.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{{Name: "product-to-the-left", Rewrite: productToTheLeft}}))
	cudatile.Reshape.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{{Name: "reshape-of-reshape", Rewrite: throughSame}}))
	cudatile.Broadcast.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{{Name: "broadcast-of-broadcast", Rewrite: throughSame}}))
	cudatile.Bitcast.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{{Name: "bitcast-of-bitcast", Rewrite: throughSame}}))
	cudatile.PtrToPtr.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{{Name: "ptr-to-ptr-of-ptr-to-ptr", Rewrite: throughSame}}))
	cudatile.AbsF.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{{Name: "absolute-of-negative", Rewrite: absoluteOfNegative}}))
}

// productToTheLeft makes the product the first operand of a sum, where it is looked for when the two are fused. The
// sum is the same. Exact: IEEE 754 addition is commutative but for the payloads of NaN, and a NaN result here is
// always the canonical one (package numeric).
//
//	addf %x, (mulf %a, %b)      ->      addf (mulf %a, %b), %x          which fuse-fma makes an fma of
func productToTheLeft(op ir.Op, rw *rewrite.Rewriter) bool {
	a, b := op.Operand(0), op.Operand(1)
	// If both operands are products, nothing changes: exchanging them would never end.
	if isProduct(a) || !isProduct(b) {
		return false
	}
	rw.SetOperand(op, 0, b)
	rw.SetOperand(op, 1, a)
	return true
}

func isProduct(v ir.Value) bool {
	def := v.DefiningOp()
	return !def.IsNil() && def.Is(cudatile.MulF)
}

// throughSame makes an operation on the result of one of its kind one on that one's operand. Only for rows whose
// result follows from the operand and the result type alone. An exti is none of them: its inner one may be of the
// other signedness, and a chain of ftof rounds twice.
//
//	reshape (reshape %x : A -> B) : B -> C      ->      reshape %x : A -> C
//
// The inner operation stays if something else uses it.
func throughSame(op ir.Op, rw *rewrite.Rewriter) bool {
	inner := op.Operand(0).DefiningOp()
	if inner.IsNil() || !inner.Is(op.Def()) {
		return false
	}
	rw.SetOperand(op, 0, inner.Operand(0))
	return true
}

// absoluteOfNegative: |-x| is |x|, for a NaN too: only the sign bit differs.
func absoluteOfNegative(op ir.Op, rw *rewrite.Rewriter) bool {
	inner := op.Operand(0).DefiningOp()
	if inner.IsNil() || !inner.Is(cudatile.NegF) {
		return false
	}
	rw.SetOperand(op, 0, inner.Operand(0))
	return true
}

// not inserts xor(v, true).
func not(rw *rewrite.Rewriter, v ir.Value) ir.Value {
	ones := splatAtStart(rw, v.Type().(*cudatile.TileType), 1)
	return rw.Create(cudatile.XorI, []ir.Value{v, ones}, []ir.Type{v.Type()}).Result(0)
}

// splatAtStart makes a constant at the start of the function, where the driver keeps its constants: anywhere else it
// would be moved there, and count as one more change.
func splatAtStart(rw *rewrite.Rewriter, t *cudatile.TileType, bits uint64) ir.Value {
	here := *rw.Builder
	region := rw.Block().Region()
	for op := region.Op(); !op.IsNil() && !op.HasTrait(ir.IsolatedFromAbove) && !op.Block().IsNil(); op = region.Op() {
		region = op.ParentRegion()
	}
	rw.SetInsertionPointToStart(region.First())
	v := cudatile.NewSplat(rw.Builder, t, bits)
	*rw.Builder = here
	return v
}
