package interp

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// A vec is the elements of a tile in row-major order, each as its bit pattern, zero-extended. It is not changed after the operation
// that made it. Where a body of scalar operations runs on whole vectors, a vec of one element stands for any number of equal ones.
//
// Patterns of 64 bits for every type, an i1 too: eight times the memory of an i8 tile, and one representation for all
// operations, kernels and checks. A tile is small (2^24 elements at most, a few thousand usually); packing by type
// would multiply the code of every operation by the widths.
//
// Unspecified elements are a list beside the patterns, which is nil for nearly all tiles, so that an operation on
// specified tiles pays one comparison for them.
type vec struct {
	data  []uint64
	undef []bool // which elements are unspecified; nil: none
	refs  int32
	fixed bool // belongs to the program: never reused
	// product is an asynchronous product of which this is the result: what stands here is unspecified.
	product *asyncProduct
}

// A pool keeps the vecs of one machine that nothing refers to, by the logarithm of their capacity.
type pool struct {
	free     [bits.UintSize][]*vec
	scribble bool // overwrite what is given back, to find uses after that
	elements int  // allocated since the context was looked at
}

// alloc returns a vec of n elements, of any value.
//
// Capacities are powers of two, so that a few lists serve all shapes of a kernel and a loop reuses the memory of its
// iteration before.
func (p *pool) alloc(n int) *vec {
	p.elements += n
	class := bits.Len(uint(n - 1))
	if list := p.free[class]; len(list) > 0 {
		v := list[len(list)-1]
		p.free[class] = list[:len(list)-1]
		v.data, v.undef, v.refs, v.product = v.data[:n], nil, 1, nil
		return v
	}
	return &vec{data: make([]uint64, n, 1<<class), refs: 1}
}

func (p *pool) retain(v *vec) {
	if v != nil && !v.fixed {
		v.refs++
	}
}

func (p *pool) release(v *vec) {
	if v == nil || v.fixed {
		return
	}
	if v.refs--; v.refs > 0 {
		return
	}
	if p.scribble {
		for i := range v.data {
			v.data[i] = 0xdead_dead_dead_dead
		}
	}
	class := bits.Len(uint(cap(v.data) - 1))
	p.free[class] = append(p.free[class], v)
}

// isUndef reports whether element i is unspecified.
func (v *vec) isUndef(i int) bool {
	if v.undef == nil {
		return false
	}
	return v.undef[min(i, len(v.undef)-1)]
}

// markUndef marks element i as unspecified and gives it a fixed pattern.
//
// The pattern is fixed so that what a kernel computes with it does not depend on chance: a mistake repeats.
func (v *vec) markUndef(i int) {
	if v.undef == nil {
		v.undef = make([]bool, len(v.data))
	}
	v.undef[i] = true
	v.data[i] = 0
}

// unionUndef returns which of n elements are unspecified when an operation uses element i of each operand for element i of its result.
func unionUndef(n int, vs ...*vec) []bool {
	var out []bool
	for _, v := range vs {
		if v.undef == nil {
			continue
		}
		if out == nil {
			out = make([]bool, n)
		}
		for i := range out {
			out[i] = out[i] || v.undef[min(i, len(v.undef)-1)]
		}
	}
	return out
}

// shapeOf returns the shape of a value that is a tile, or of the tile that it is a place for.
func shapeOf(v ir.Value) []int64 {
	if t, ok := tileas.HeldType(v).(ir.ShapedType); ok {
		return t.Dims()
	}
	return nil
}

// elemOf returns the element type of a value that is a tile, or of the tile that it is a place for.
func elemOf(v ir.Value) ir.Type { return ir.ElementType(tileas.HeldType(v)) }

// isTile reports whether values of a type are tiles at some level: below cuda_tile those of rank 0 are scalars.
func isTile(t ir.Type) bool {
	switch t.(type) {
	case *cudatile.TileType, *ir.TensorType, *ir.IntegerType, *ir.IndexType, *ir.FloatType, *tile.PtrType:
		return true
	}
	return false
}

// isToken reports whether values of a type are tokens.
func isToken(t ir.Type) bool {
	switch t.(type) {
	case *cudatile.TokenType, *tile.TokenType:
		return true
	}
	return false
}

// pointee returns what an element type points to, if it is a pointer.
func pointee(t ir.Type) (ir.Type, bool) {
	switch t := t.(type) {
	case *cudatile.PtrType:
		return t.Pointee, true
	case *tile.PtrType:
		return t.Pointee, true
	}
	return nil, false
}

func count(shape []int64) int {
	n := 1
	for _, d := range shape {
		n *= int(d)
	}
	return n
}

// formatOf returns the format of a floating-point element type.
func formatOf(t ir.Type) numeric.Format { return t.(*ir.FloatType).Format }

// widthOf returns the width of an element type as an integer: of its bit pattern.
func widthOf(t ir.Type) numeric.Int {
	if _, ok := pointee(t); ok {
		return numeric.I64
	}
	return numeric.Int(ir.BitWidth(t))
}

// strides returns the distance of neighbours along each dimension of a row-major tile.
func strides(shape []int64) []int64 {
	out := make([]int64, len(shape))
	n := int64(1)
	for i := len(shape) - 1; i >= 0; i-- {
		out[i] = n
		n *= shape[i]
	}
	return out
}

// placeIn is place for element i of n, which are not those of a tile where the body of a reduction runs on whole vectors.
func placeIn(shape []int64, i, n int) string {
	if n != count(shape) {
		return "an element"
	}
	return place(shape, i)
}

// place names element i of a tile by its coordinates.
func place(shape []int64, i int) string {
	if len(shape) == 0 {
		return "element []"
	}
	at := positionOf(shape, i)
	text := make([]string, len(at))
	for d, x := range at {
		text[d] = strconv.FormatInt(x, 10)
	}
	return "element [" + strings.Join(text, ", ") + "]"
}
