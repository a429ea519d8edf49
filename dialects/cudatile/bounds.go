package cudatile

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// Tested returns the dimensions of the tile along which code tests bounds in an access of a view, unless facts prove
// that the tile is inside.
//
// A tile number outside of the index space is undefined (Tile IR specification, partition_view and strided_view). So
// the tests that a program needs are for tiles of the index space that leave the tensor:
//
//	size  tile  step   the last tile
//	1024   256   256    768 to 1023   ends with the tensor
//	1000   256   256    768 to 1023   leaves it
//	1024   256   128    896 to 1151   leaves it
//	   ?     1     1    one element   begins inside, so that it ends there too
//
// Programs that do more than the specification allows work with tileiras 13.5, and so they do here:
//   - One dimension to test makes a load or store test all: a row after the last one is padding. Atomic operations test
//     each dimension for itself.
//   - A size that is a multiple of the tile by an assumption is tested as any other.
//
// A tensor of static sizes is tested along all dimensions, which tileiras does not: a launch may have a tile block too
// many for it. A gather_scatter_view is indexed by elements, so that a tile may begin anywhere.
func Tested(op ir.Op, view ViewType) []bool {
	parts := view.View()
	tested := make([]bool, len(parts.TileShape))
	all, static := false, !slices.Contains(parts.TensorView.Shape, Dynamic)
	for i, extent := range parts.TileShape {
		size, step := parts.TensorView.Shape[parts.DimMap[i]], extent
		_, anywhere := view.(*GatherScatterViewType)
		if t, ok := view.(*StridedViewType); ok {
			step = t.TraversalStrides[i]
		}
		leaves := anywhere || extent > 1 && (size == Dynamic || (size-1)/step*step > size-extent)
		tested[i] = (leaves || static) && !StaysInside(op, i)
		all = all || tested[i] && !op.Is(AtomicRedView)
	}
	for i := range tested {
		tested[i] = tested[i] || all && !StaysInside(op, i)
	}
	return tested
}

// StaysInside reports whether the program promises that an access of a view is inside along a dimension of the tile.
func StaysInside(op ir.Op, dim int) bool {
	inbounds, _ := op.Attr("inbounds").(*ir.DenseArrayAttr)
	return inbounds != nil && dim < len(inbounds.Values) && inbounds.Values[dim] != 0
}
