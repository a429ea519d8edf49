package cudatiletotileaa

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
)

// A gather_scatter_view has a list of coordinates along its sparse dimension and the first coordinate, counted
// in elements, along the others. Its accesses become accesses through pointers, one for each element of the
// tile:
//
//	view of [rows x 64], sparse_dim = 0, indices %i = [7, 2, 2, 9], %j = 16, tile 4 x 8
//	element (r, c) is at base + %i[r] * stride0 + (%j + c) * stride1
//
// Not tiled accesses with a list as an offset: facts, layouts and alias analysis of tiled accesses all rest on
// offsets being scalars that all elements share. What is lost is that neighbours along a dense dimension of
// stride 1 are neighbours in memory: each element is an access of its own.

// pointers returns the address of every element and the condition that it is inside; a zero Value when that need not
// be checked.
func (c *converter) pointers(op ir.Op, v tileView) (ptrs, inside ir.Value) {
	shape := v.tile.Shape
	// addptr counts elements of the pointee, as strides do, so that nothing is scaled to bytes here.
	ptrs = c.splat(v.tensor.base, shape, v.tensor.base.Type())
	// Coordinates, bounds and steps are computed along each dimension alone and then repeated: lists of n elements
	// instead of tiles of n x m.
	for d, at := range c.allCoordinates(op, v) {
		dim := v.dims[d]
		inside = c.inBounds(op, d, at, v.tensor.sizes[dim], shape, inside)
		step := c.create(arith.MulI, at.Type(), []ir.Value{at, c.splat(v.tensor.strides[dim], shape[d:d+1], c.i64())})
		ptrs = c.create(tileaa.Level.AddPtr, ptrs.Type(), []ir.Value{ptrs, c.along(step, shape, d)})
	}
	return ptrs, inside
}

// inBounds adds to a condition, which may be a zero Value, that coordinates along dimension d of a shape are inside,
// unless the operation promises it.
func (c *converter) inBounds(op ir.Op, d int, at, size ir.Value, shape []int64, inside ir.Value) ir.Value {
	if cudatile.StaysInside(op, d) {
		return inside
	}
	// Unsigned, so that a negative coordinate is outside as well.
	in := c.create(arith.CmpI, c.ctx.Tensor(shape[d:d+1], c.ctx.Int(1), nil), []ir.Value{at, c.splat(size, shape[d:d+1], c.i64())},
		ir.NamedAttr{Name: arith.AttrPredicate, Value: c.ctx.String("ult")})
	in = c.along(in, shape, d)
	if !inside.IsNil() {
		in = c.create(arith.AndI, in.Type(), []ir.Value{inside, in})
	}
	return in
}

// allCoordinates returns the coordinates of the tile along each dimension.
func (c *converter) allCoordinates(op ir.Op, v tileView) (out []ir.Value) {
	for d, index := range op.OperandsNamed("index") {
		out = append(out, c.coordinates(c.Value(index), v.tile.Shape[d], int64(d) == v.sparse))
	}
	return out
}

// coordinates returns the n coordinates along one dimension as a tensor of i64.
func (c *converter) coordinates(index ir.Value, n int64, sparse bool) ir.Value {
	t := c.ctx.Tensor([]int64{n}, c.i64(), nil)
	if !sparse {
		first := c.splat(c.extend(index), t.Shape, c.i64())
		return c.create(arith.AddI, t, []ir.Value{first, c.create(tileaa.Level.Range, t, nil)})
	}
	if ir.BitWidth(ir.ElementType(index.Type())) < 64 {
		return c.create(arith.ExtSI, t, []ir.Value{index})
	}
	return index
}

func (c *converter) splat(v ir.Value, shape []int64, elem ir.Type) ir.Value {
	return c.create(tileaa.Level.Splat, c.ctx.Tensor(shape, elem, nil), []ir.Value{v})
}

// along repeats a list along dimension d of a shape.
func (c *converter) along(list ir.Value, shape []int64, d int) ir.Value {
	elem := ir.ElementType(list.Type())
	ones := make([]int64, len(shape))
	for i := range ones {
		ones[i] = 1
	}
	ones[d] = shape[d]
	if len(shape) > 1 {
		list = c.create(tileaa.Level.Reshape, c.ctx.Tensor(ones, elem, nil), []ir.Value{list})
	}
	return c.create(tileaa.Level.Broadcast, c.ctx.Tensor(shape, elem, nil), []ir.Value{list})
}

func group(v ir.Value) []ir.Value {
	if v.IsNil() {
		return nil
	}
	return []ir.Value{v}
}

func (c *converter) gather(op ir.Op, v tileView) error {
	if isHalf(v) {
		return c.gatherHalves(op, v)
	}
	ptrs, inside := c.pointers(op, v)
	var other []ir.Value
	if !inside.IsNil() && v.padding != nil {
		t := c.ctx.Tensor(v.tile.Shape, c.elem(v.tile.Elem), nil)
		other = []ir.Value{c.create(arith.Constant, t, nil, ir.NamedAttr{Name: arith.AttrValue,
			Value: arith.OfType(tile.Padding(c.ctx, t.Elem, v.padding.String()), t)})}
	}
	return c.insert(op, tileaa.Level.Load, [][]ir.Value{{ptrs}, group(inside), other, c.Named(op, "token")}, c.order(op))
}

func (c *converter) scatter(op ir.Op, v tileView) error {
	if isHalf(v) {
		return c.scatterHalves(op, v)
	}
	ptrs, inside := c.pointers(op, v)
	return c.insert(op, tileaa.Level.Store, [][]ir.Value{{ptrs}, {c.Value(op.OperandNamed("tile"))}, group(inside), c.Named(op, "token")}, c.order(op))
}
