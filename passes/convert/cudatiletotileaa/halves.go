package cudatiletotileaa

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
)

// Elements of half a byte have no addresses of their own, so a gather_scatter_view of them is accessed through pointers to bytes. A gather loads, for each element, the
// byte that it is in. A scatter stores bytes when both halves of each are known to be in the tile; else it changes, by atomic operations, the words that the elements are in, since
// other tile blocks may write the rest of them at the same time.

func isHalf(v tileView) bool { return tile.IsHalf(v.tile.Elem) }

// positions is pointers for elements of half a byte: the number of each element, counted from the base.
func (c *converter) positions(op ir.Op, v tileView, at []ir.Value, shape []int64) (positions, inside ir.Value) {
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
	return positions, inside
}

// splatOf returns a tensor, of the shape of another, of one integer.
func (c *converter) splatOf(like ir.Value, elem ir.Type, n int64) ir.Value {
	t := c.ctx.Tensor(tile.Shape(like.Type()), elem, nil)
	return c.create(arith.Constant, t, nil, ir.NamedAttr{Name: arith.AttrValue, Value: arith.OfType(c.ctx.IntAttr(elem, n), t)})
}

// with applies an operation to the elements of a tensor of integers and a number.
func (c *converter) with(def *ir.OpDef, v ir.Value, n int64) ir.Value {
	return c.create(def, v.Type(), []ir.Value{v, c.splatOf(v, ir.ElementType(v.Type()), n)})
}

func (c *converter) cast(def *ir.OpDef, v ir.Value, elem ir.Type) ir.Value {
	return c.create(def, c.ctx.Tensor(tile.Shape(v.Type()), elem, nil), []ir.Value{v})
}

// bytePointers returns pointers to the bytes of positions.
func (c *converter) bytePointers(v tileView, positions ir.Value) ir.Value {
	base := c.create(tileaa.Level.PtrToPtr, tileaa.Level.Ptr(c.ctx, c.ctx.Int(8)), []ir.Value{v.tensor.base})
	ptrs := c.splat(base, tile.Shape(positions.Type()), base.Type())
	return c.create(tileaa.Level.AddPtr, ptrs.Type(), []ir.Value{ptrs, c.with(arith.ShRSI, positions, 1)})
}

func (c *converter) gatherHalves(op ir.Op, v tileView) error {
	i8, i4 := c.ctx.Int(8), c.ctx.Int(4)
	positions, inside := c.positions(op, v, c.allCoordinates(op, v), v.tile.Shape)
	groups := [][]ir.Value{{c.bytePointers(v, positions)}, group(inside), nil, c.optional(op, "token")}
	if !inside.IsNil() && v.padding != nil {
		bits := int64(arith.Bits(tile.Padding(c.ctx, v.tile.Elem, v.padding.String())))
		groups[2] = []ir.Value{c.splatOf(positions, i8, bits|bits<<4)}
	}
	st := c.NewState(tileaa.Level.Load, op.Loc())
	st.OperandGroups(groups...)
	st.Attrs = append(st.Attrs, c.order(op)...)
	st.Types = []ir.Type{c.ctx.Tensor(v.tile.Shape, i8, nil), tileaa.Level.Token(c.ctx)}
	load := c.Insert(st)
	shift := c.with(arith.ShLI, c.cast(arith.TruncI, c.with(arith.AndI, positions, 1), i8), 2)
	bits := c.create(arith.ShRUI, shift.Type(), []ir.Value{load.Result(0), shift})
	value := c.cast(arith.TruncI, bits, i4)
	if v.tile.Elem != ir.Type(i4) {
		value = c.cast(arith.Bitcast, value, v.tile.Elem)
	}
	c.bind(op.Result(0), value)
	c.bind(op.Result(1), load.Result(1))
	return nil
}

func (c *converter) scatterHalves(op ir.Op, v tileView) error {
	if d := c.packingDim(op, v); d >= 0 {
		return c.scatterBytes(op, v, d)
	}
	i64, i32 := c.i64(), c.ctx.Int(32)
	positions, inside := c.positions(op, v, c.allCoordinates(op, v), v.tile.Shape)
	addr := c.cast(tileaa.Level.PtrToInt, c.bytePointers(v, positions), i64)
	low := c.with(arith.AndI, addr, 3)
	words := c.create(arith.XOrI, addr.Type(), []ir.Value{addr, low})
	ptrs := c.cast(tileaa.Level.IntToPtr, words, tileaa.Level.Ptr(c.ctx, i32))
	half := c.with(arith.ShLI, c.with(arith.AndI, positions, 1), 2)
	shift := c.cast(arith.TruncI, c.create(arith.OrI, low.Type(), []ir.Value{c.with(arith.ShLI, low, 3), half}), i32)
	field := c.create(arith.ShLI, shift.Type(), []ir.Value{c.splatOf(shift, i32, 15), shift})
	value := c.cast(arith.ExtUI, c.cast(arith.Bitcast, c.values[op.OperandNamed("tile")], c.ctx.Int(4)), i32)
	token := c.optional(op, "token")
	for _, update := range []struct {
		mode string
		v    ir.Value
	}{{"and", c.with(arith.XOrI, field, -1)}, {"or", c.create(arith.ShLI, shift.Type(), []ir.Value{value, shift})}} {
		st := c.NewState(tileaa.Level.AtomicRMW, op.Loc())
		st.OperandGroups([]ir.Value{ptrs}, []ir.Value{update.v}, group(inside), token)
		st.Attrs = append(st.Attrs, c.sharedOrder(op)...)
		st.SetAttr(tile.AttrMode, c.ctx.String(update.mode))
		st.Types = []ir.Type{update.v.Type(), tileaa.Level.Token(c.ctx)}
		token = c.Insert(st).Results()[1:]
	}
	c.bind(op.Result(0), token[0])
	return nil
}

// sharedOrder is order for updates of words of which other tile blocks may own a part.
func (c *converter) sharedOrder(op ir.Op) []ir.NamedAttr {
	ordering, scope := "relaxed", "device"
	for _, a := range c.order(op) {
		word := a.Value.(*ir.StringAttr).Value
		switch {
		case a.Name == tile.AttrOrdering:
			ordering = word
		case a.Name == tile.AttrScope && word == "sys":
			scope = word
		}
	}
	return []ir.NamedAttr{{Name: tile.AttrOrdering, Value: c.ctx.String(ordering)}, {Name: tile.AttrScope, Value: c.ctx.String(scope)}}
}

// scatterBytes stores pairs of elements that follow each other along dimension d.
func (c *converter) scatterBytes(op ir.Op, v tileView, d int) error {
	shape := append([]int64(nil), v.tile.Shape...)
	shape[d] /= 2
	at := c.allCoordinates(op, v)
	pairs := c.ctx.Tensor(shape[d:d+1], c.i64(), nil)
	first := c.splat(c.extend(c.values[op.OperandsNamed("index")[d]]), pairs.Shape, c.i64())
	at[d] = c.create(arith.AddI, pairs, []ir.Value{first, c.with(arith.ShLI, c.create(tileaa.Level.Range, pairs, nil), 1)})
	positions, inside := c.positions(op, v, at, shape)

	// The elements of a byte become neighbours along the last dimension.
	last := len(shape) - 1
	exchange := func(value ir.Value) ir.Value {
		if d == last {
			return value
		}
		perm, to := make([]int64, len(shape)), append([]int64(nil), tile.Shape(value.Type())...)
		for i := range perm {
			perm[i] = int64(i)
		}
		perm[d], perm[last] = int64(last), int64(d)
		to[d], to[last] = to[last], to[d]
		return c.create(tileaa.Level.Permute, c.ctx.Tensor(to, ir.ElementType(value.Type()), nil), []ir.Value{value},
			ir.NamedAttr{Name: tile.AttrPerm, Value: c.ctx.DenseI64(perm...)})
	}
	value := exchange(c.values[op.OperandNamed("tile")])
	packed := append([]int64(nil), tile.Shape(value.Type())...)
	packed[last] /= 2
	bytes := exchange(c.create(tileaa.Level.Pack, c.ctx.Tensor(packed, c.ctx.Int(8), nil), []ir.Value{value}))
	return c.insert(op, tileaa.Level.Store, [][]ir.Value{{c.bytePointers(v, positions)}, {bytes}, group(inside), c.optional(op, "token")}, c.order(op))
}

// packingDim returns the dimension of the tile along which pairs of its elements share bytes; -1 when that cannot be told.
func (c *converter) packingDim(op ir.Op, v tileView) int {
	found := -1
	for d, index := range op.OperandsNamed("index") {
		stride := v.tensor.strides[v.dims[d]]
		switch k, known := ir.ConstantValue(stride).(*ir.IntegerAttr); {
		case known && k.Value == 1 && found < 0 && int64(d) != v.sparse && v.tile.Shape[d] > 1 && even(c.values[index]):
			found = d
		case !even(stride):
			return -1
		}
	}
	return found
}

// even reports whether an integer is known to be even, by the operations that make it.
func even(v ir.Value) bool {
	if k, ok := ir.ConstantValue(v).(*ir.IntegerAttr); ok {
		return k.Value%2 == 0
	}
	def := v.DefiningOp()
	switch {
	case def.IsNil():
	case def.Is(arith.ExtSI):
		return even(def.Operand(0))
	case def.Is(arith.AddI), def.Is(arith.SubI):
		return even(def.Operand(0)) && even(def.Operand(1))
	case def.Is(arith.MulI):
		return even(def.Operand(0)) || even(def.Operand(1))
	case def.Is(tileaa.Assume):
		n, ok := def.IntAttr(tileaa.AttrDivBy)
		return ok && n%2 == 0 || even(def.Operand(0))
	}
	return false
}
