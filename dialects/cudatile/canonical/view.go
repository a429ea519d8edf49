package canonical

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/ir/rewrite"
)

func attachViews() {
	cudatile.GetTensorShape.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{{Name: "static-tensor-shape", Rewrite: staticTensorShape}}))
	cudatile.GetIndexSpaceShape.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{{Name: "static-index-space", Rewrite: staticIndexSpace}}))
}

// staticTensorShape replaces the sizes of a tensor that its type or the operation that makes it says.
//
// What is replaced is each use of a result, not the operation: it goes when all its results are known, as dead.
func staticTensorShape(op ir.Op, rw *rewrite.Rewriter) bool {
	changed := false
	for i := range op.NumResults() {
		r := op.Result(i)
		if !r.HasUses() {
			continue
		}
		// A size given in another type would need a conversion, which is no simpler than the operation; only its
		// constant is taken.
		size, v := sizeOf(op.Operand(0), i)
		if v.IsNil() || v.Type() != r.Type() {
			if v = sizeConstant(rw, r.Type(), size); v.IsNil() {
				continue
			}
		}
		rw.ReplaceUses(r, v)
		changed = true
	}
	return changed
}

// staticIndexSpace replaces the sizes of an index space that follow from the sizes of the tensor: as many as there are
// tiles that begin inside. Those of a gather_scatter_view are left.
//
// For a tensor of 100 in tiles of 16, the index space is 7. In steps of 8 with the same tiles it is 13, since a tile
// counts if it begins inside.
func staticIndexSpace(op ir.Op, rw *rewrite.Rewriter) bool {
	view := op.Operand(0).Type().(cudatile.ViewType)
	var steps []int64
	switch t := view.(type) {
	case *cudatile.PartitionViewType:
		steps = t.TileShape
	case *cudatile.StridedViewType:
		steps = t.TraversalStrides
	default:
		return false
	}
	maker := op.Operand(0).DefiningOp()
	changed := false
	for i := range op.NumResults() {
		r := op.Result(i)
		if !r.HasUses() || steps[i] <= 0 {
			continue
		}
		dim := int(view.View().DimMap[i])
		size := view.View().TensorView.Shape[dim]
		// The type of the view knows static sizes only; the operand that a dynamic one was made with may be a
		// constant all the same.
		if size == cudatile.Dynamic && (cudatile.MakePartitionView.Is(maker) || cudatile.MakeStridedView.Is(maker)) {
			size, _ = sizeOf(maker.Operand(0), dim)
		}
		if size == cudatile.Dynamic {
			continue
		}
		// Not (size + step - 1) / step: a size near 2^63 would overflow.
		tiles := size / steps[i]
		if size%steps[i] != 0 {
			tiles++
		}
		if v := sizeConstant(rw, r.Type(), tiles); !v.IsNil() {
			rw.ReplaceUses(r, v)
			changed = true
		}
	}
	return changed
}

// sizeOf returns the size of a dimension of a tensor_view if it is known, else Dynamic; and the value that it was
// made with, if there is one.
func sizeOf(view ir.Value, dim int) (int64, ir.Value) {
	t := view.Type().(*cudatile.TensorViewType)
	if n := t.Shape[dim]; n != cudatile.Dynamic {
		return n, ir.Value{}
	}
	maker := view.DefiningOp()
	if maker.IsNil() || !maker.Is(cudatile.MakeTensorView) {
		return cudatile.Dynamic, ir.Value{}
	}
	before := 0 // sizes that are operands
	for _, size := range t.Shape[:dim] {
		if size == cudatile.Dynamic {
			before++
		}
	}
	v := maker.OperandsNamed("dynamicShape")[before]
	// A negative size has no meaning (sizes are strictly positive, Tile IR specification 5.6.5): it is left as the
	// program gives it.
	if n, ok := cudatile.SplatInt(v); ok && n >= 0 {
		return n, v
	}
	return cudatile.Dynamic, v
}

// sizeConstant inserts the constant of a type that a size is, if the type holds it; else it returns a zero Value.
// What does not fit is left to the target, because how it wraps is not for a folder to decide.
func sizeConstant(rw *rewrite.Rewriter, t ir.Type, size int64) ir.Value {
	tile := t.(*cudatile.TileType)
	if size == cudatile.Dynamic || size < 0 || numeric.Int(ir.BitWidth(tile.Elem)).Wrap(uint64(size)) != uint64(size) {
		return ir.Value{}
	}
	return cudatile.NewSplat(rw.Builder, tile, uint64(size))
}
