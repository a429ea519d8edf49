package cudatiletotileaa

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
)

// Elements of half a byte have no addresses of their own. So a gather_scatter_view of them is accessed through
// pointers to bytes, each of which holds a pair of elements along the packed dimension. No pair is split, by a
// rule of the language. The packed dimension is not the sparse one and has a static stride of one, and tiles
// begin at an even element. The verifier rejects other views, as tileirdisasm 13.5 does.
//
//	tile 4 x 8 of f4E2M1FN, packed along dimension 1      memory, little-endian in the byte
//	bytes 4 x 4:  [e1|e0] [e3|e2] [e5|e4] [e7|e6]          element 2k in bits 0-3 of byte k, 2k+1 in bits 4-7
//
// pack and unpack work along the last dimension alone, as in cuda_tile. A tile packed along another one is
// transposed before and after, which is a change of layout and moves nothing (exchanged).

func isHalf(v tileView) bool { return tile.IsHalf(v.tile.Elem) }

// bytePointers is pointers for the bytes of a tile: their shape, addresses, and the condition that they are inside; a
// zero Value when that need not be checked.
func (c *converter) bytePointers(op ir.Op, v tileView) (shape []int64, ptrs, inside ir.Value) {
	shape = append([]int64(nil), v.tile.Shape...)
	shape[v.packed] /= 2
	at := c.allCoordinates(op, v)
	// The coordinates of the first element of each pair.
	pairs := c.ctx.Tensor(shape[v.packed:v.packed+1], c.i64(), nil)
	first := c.splat(c.extend(c.Value(op.OperandsNamed("index")[v.packed])), pairs.Shape, c.i64())
	at[v.packed] = c.create(arith.AddI, pairs, []ir.Value{first, c.with(arith.ShLI, c.create(tileaa.Level.Range, pairs, nil), 1)})
	// The bounds of a pair are those of its first element. A tensor of dynamic size that ends inside a byte is taken
	// not to happen; the interpreter reports it.

	var positions ir.Value // counted in elements from the base
	for d, list := range at {
		dim := v.dims[d]
		inside = c.inBounds(op, d, list, v.tensor.sizes[dim], shape, inside)
		step := c.create(arith.MulI, list.Type(), []ir.Value{list, c.splat(v.tensor.strides[dim], shape[d:d+1], c.i64())})
		step = c.along(step, shape, d)
		if !positions.IsNil() {
			step = c.create(arith.AddI, step.Type(), []ir.Value{positions, step})
		}
		positions = step
	}
	base := c.create(tileaa.Level.PtrToPtr, tileaa.Level.Ptr(c.ctx, c.ctx.Int(8)), []ir.Value{v.tensor.base})
	ptrs = c.splat(base, shape, base.Type())
	ptrs = c.create(tileaa.Level.AddPtr, ptrs.Type(), []ir.Value{ptrs, c.with(arith.ShRSI, positions, 1)})
	return shape, ptrs, inside
}

// splatOf returns a tensor, of the shape of another, of one integer.
//
// A dense constant of one value and not nv_tileaa.splat of a scalar: arith folds constants only.
func (c *converter) splatOf(like ir.Value, elem ir.Type, n int64) ir.Value {
	t := c.ctx.Tensor(tile.Shape(like.Type()), elem, nil)
	return c.create(arith.Constant, t, nil, ir.NamedAttr{Name: arith.AttrValue, Value: arith.OfType(c.ctx.IntAttr(elem, n), t)})
}

// with applies an operation to the elements of a tensor of integers and a number.
func (c *converter) with(def *ir.OpDef, v ir.Value, n int64) ir.Value {
	return c.create(def, v.Type(), []ir.Value{v, c.splatOf(v, ir.ElementType(v.Type()), n)})
}

func (c *converter) gatherHalves(op ir.Op, v tileView) error {
	if err := pairsOf(op, v); err != nil {
		return err
	}
	shape, ptrs, inside := c.bytePointers(op, v)
	groups := [][]ir.Value{{ptrs}, group(inside), nil, c.Named(op, "token")}
	i8 := c.ctx.Int(8)
	if !inside.IsNil() && v.padding != nil {
		bits := int64(arith.Bits(tile.Padding(c.ctx, v.tile.Elem, v.padding.String())))
		groups[2] = []ir.Value{c.splatOf(ptrs, i8, bits|bits<<4)}
	}
	st := c.NewState(tileaa.Level.Load, op.Loc())
	st.OperandGroups(groups...)
	st.Attrs = append(st.Attrs, c.order(op)...)
	st.Types = []ir.Type{c.ctx.Tensor(shape, i8, nil), tileaa.Level.Token(c.ctx)}
	load := c.Insert(st)
	bytes := c.exchanged(load.Result(0), v.packed)
	wide := append([]int64(nil), tile.Shape(bytes.Type())...)
	wide[len(wide)-1] *= 2
	value := c.create(tileaa.Level.Unpack, c.ctx.Tensor(wide, c.elem(v.tile.Elem), nil), []ir.Value{bytes})
	c.Bind(op.Result(0), c.exchanged(value, v.packed))
	c.Bind(op.Result(1), load.Result(1))
	return nil
}

func (c *converter) scatterHalves(op ir.Op, v tileView) error {
	if err := pairsOf(op, v); err != nil {
		return err
	}
	_, ptrs, inside := c.bytePointers(op, v)
	value := c.exchanged(c.Value(op.OperandNamed("tile")), v.packed)
	shape := append([]int64(nil), tile.Shape(value.Type())...)
	shape[len(shape)-1] /= 2
	bytes := c.exchanged(c.create(tileaa.Level.Pack, c.ctx.Tensor(shape, c.ctx.Int(8), nil), []ir.Value{value}), v.packed)
	return c.insert(op, tileaa.Level.Store, [][]ir.Value{{ptrs}, {bytes}, group(inside), c.Named(op, "token")}, c.order(op))
}

// exchanged exchanges dimension d and the last one, along which elements are packed and unpacked.
func (c *converter) exchanged(value ir.Value, d int) ir.Value {
	shape := append([]int64(nil), tile.Shape(value.Type())...)
	last := len(shape) - 1
	if d == last {
		return value
	}
	perm := make([]int64, len(shape))
	for i := range perm {
		perm[i] = int64(i)
	}
	perm[d], perm[last] = int64(last), int64(d)
	shape[d], shape[last] = shape[last], shape[d]
	return c.create(tileaa.Level.Permute, c.ctx.Tensor(shape, ir.ElementType(value.Type()), nil), []ir.Value{value},
		ir.NamedAttr{Name: tile.AttrPerm, Value: c.ctx.DenseI64(perm...)})
}

// pairsOf rejects accesses of half a byte, which the verifier of the reference takes: tiles of one element along the
// packed dimension, whose stores the reference drops, and tensors that end inside a byte, all of whose last byte it
// writes. The specification asks for an even number of elements ("Element type encoding", "Tensor view").
func pairsOf(op ir.Op, v tileView) error {
	if v.packed < 0 {
		return nil
	}
	if v.tile.Shape[v.packed] < 2 {
		return op.Errorf("accesses one element along dimension %d, along which two elements share a byte", v.packed)
	}
	d := v.dims[v.packed]
	if n := v.view.Shape[d]; n != cudatile.Dynamic && n%2 != 0 {
		return op.Errorf("accesses a tensor of %d elements along dimension %d, along which two elements share a byte: their number must be even", n, d)
	}
	return nil
}
