package tileaa

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/rewrite"
)

func init() {
	Level.Reduce.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{{Name: "reduce-of-reduce", Rewrite: reduceOfReduce}}))
}

// reduceOfReduce reduces two dimensions that are next to each other at once:
//
//	%r = reduce %x, dim 0 : 128x64 -> 64             %y = reshape %x : 128x64 -> 8192
//	%s = reduce %r, dim 0 : 64 -> scalar       ->    %s = reduce %y, dim 0 : 8192 -> scalar
//
// A front end writes the maximum of a tile so. Each thread then combines all its elements before it exchanges one with
// others. In two steps it exchanges one for each column: 124 shuffles for 128 columns. The combiner is assumed to be
// associative and commutative.
func reduceOfReduce(op ir.Op, rw *rewrite.Rewriter) bool {
	if op.NumOperands() != 1 || !op.Operand(0).HasOneUse() {
		return false
	}
	inner := op.Operand(0).DefiningOp()
	if inner.IsNil() || !inner.Is(Level.Reduce) || inner.NumOperands() != 1 || !sameCombiner(op.Body(), inner.Body()) {
		return false
	}
	first, _ := inner.IntAttr(tile.AttrDim)
	second, _ := op.IntAttr(tile.AttrDim)
	if second >= first { // as a dimension of what the inner one reduces
		second++
	}
	at := min(first, second)
	if max(first, second) != at+1 || op.Attr(tile.AttrIdentities) != inner.Attr(tile.AttrIdentities) {
		return false
	}
	x := inner.Operand(0)
	shape := slices.Clone(tile.Shape(x.Type()))
	shape[at] *= shape[at+1]
	shape = slices.Delete(shape, int(at)+1, int(at)+2)
	rw.SetInsertionPointBefore(op)
	rw.SetLocOf(op)
	flat := rw.Create(Level.Reshape, []ir.Value{x}, []ir.Type{op.Context().Tensor(shape, ir.ElementType(x.Type()), nil)}).Result(0)
	rw.Update(op, func() { op.SetAttr(tile.AttrDim, op.Context().IntAttr(op.Context().Int(64), at)) })
	rw.SetOperand(op, 0, flat)
	rw.Erase(inner)
	return true
}

// sameCombiner reports whether two reductions combine their elements by the same operation.
func sameCombiner(a, b ir.Block) bool {
	x, y := a.First(), b.First()
	for _, body := range []ir.Block{a, b} {
		op := body.First()
		if op.Next() != body.Last() || op.NumOperands() != 2 || !slices.Contains(op.Operands(), body.Arg(0)) || !slices.Contains(op.Operands(), body.Arg(1)) ||
			body.Last().Operand(0) != op.Result(0) {
			return false
		}
	}
	return x.Def() == y.Def() && slices.Equal(x.InherentAttrs(), y.InherentAttrs())
}
