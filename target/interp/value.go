package interp

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// A tile is the value of a tile: the bit pattern of each element, zero-extended. Tiles are immutable once made, so they may share data.
type tile struct {
	shape []int64
	elem  ir.Type
	data  []uint64
}

// A tensorView is the value of a tensor_view; sizes and strides are in elements.
type tensorView struct {
	base           uint64
	elem           ir.Type
	sizes, strides []int64
}

// A tileView is the value of a partition_view, strided_view or gather_scatter_view.
type tileView struct {
	tensor *tensorView
	typ    cudatile.ViewType
}

// A value is what one SSA value is: a tile, a view, or nothing (a token).
type value struct {
	tile   *tile
	tensor *tensorView
	view   *tileView
}

func newTile(t ir.Type) *tile {
	tt := t.(*cudatile.TileType)
	return &tile{shape: tt.Shape, elem: tt.Elem, data: make([]uint64, tt.NumElements())}
}

func scalar(elem ir.Type, v uint64) *tile { return &tile{elem: elem, data: []uint64{v}} }

// format returns the format of a floating-point element type.
func (t *tile) format() numeric.Format { return t.elem.(*ir.FloatType).Format }

// width returns the width of an integer element type.
func (t *tile) width() numeric.Int { return numeric.Int(ir.BitWidth(t.elem)) }

// int returns element i as a signed integer.
func (t *tile) int(i int) int64 { return t.width().Signed(t.data[i]) }

// strides returns the distance in data of neighbours along each dimension.
func strides(shape []int64) []int64 {
	out := make([]int64, len(shape))
	n := int64(1)
	for i := len(shape) - 1; i >= 0; i-- {
		out[i] = n
		n *= shape[i]
	}
	return out
}

// gather returns the tile of the given shape whose element at coordinates c is src.data[base + sum(c[d]*step[d])].
func gather(src *tile, shape []int64, base int64, step []int64) *tile {
	n := int64(1)
	for _, d := range shape {
		n *= d
	}
	out := &tile{shape: shape, elem: src.elem, data: make([]uint64, n)}
	walk(shape, base, step, func(i int, at int64) { out.data[i] = src.data[at] })
	return out
}

// walk visits the coordinates of a shape in row-major order with at = base + sum(c[d]*step[d]).
func walk(shape []int64, base int64, step []int64, visit func(i int, at int64)) {
	if len(shape) == 0 {
		visit(0, base)
		return
	}
	coord := make([]int64, len(shape))
	last := len(shape) - 1
	at := base
	for i := 0; ; {
		for k := int64(0); k < shape[last]; k++ {
			visit(i, at+k*step[last])
			i++
		}
		d := last - 1
		for ; d >= 0; d-- {
			coord[d]++
			at += step[d]
			if coord[d] < shape[d] {
				break
			}
			at -= coord[d] * step[d]
			coord[d] = 0
		}
		if d < 0 {
			return
		}
	}
}
