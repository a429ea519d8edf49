package narrowintegers

import (
	"math"
	"strconv"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/remark"
)

// wideIndices reports that offsets of elements of views take 64 bits, once for a kernel, as tileiras does. That
// is so if the largest element of some view may be 2^31 elements or more after the first one.
func wideIndices(r *passes.Run, ranges *intrange.Ranges) {
	bits := 0
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileaa.Level.TiledLoad) || op.Is(tileaa.Level.TiledStore) {
			bits = max(bits, indexBits(tile.AccessOf(op), ranges))
		}
		return ir.Advance
	})
	if bits > 32 {
		remark.IndexNarrowing.At(r, r.Op.Loc(), "Could not narrow tensor_view indexing to i32: index computations may require %d bits", bits).Arg("Bits", strconv.Itoa(bits)).
			Cure("promise by assume bounded<0, n> that sizes and strides are small enough").Report()
	}
}

// indexBits returns how many bits the offset of an element of a view takes, its sign included.
func indexBits(a tile.Access, ranges *intrange.Ranges) int {
	// A float does not overflow, and its logarithm is exact enough for a number of bits.
	var last float64
	for d := range a.Sizes {
		size, stride := ranges.Of(a.Sizes[d]).SMax, ranges.Of(a.Strides[d]).SMax
		last += math.Max(0, float64(size)) * math.Max(1, float64(stride))
	}
	return min(64, 2+int(math.Log2(math.Max(1, last))))
}
