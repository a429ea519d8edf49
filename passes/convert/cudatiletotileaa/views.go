package cudatiletotileaa

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
)

// A tensorView is what a tensor_view dissolves into; sizes and strides are i64, in elements.
type tensorView struct {
	base           ir.Value
	sizes, strides []ir.Value
}

// A tileView is a tensor_view cut into tiles. Dimension i of the tile lies along dimension dims[i] of the
// tensor, and tile number n begins at element n*steps[i].
//
//	view                 steps              tile n covers, along one dimension
//	partition_view       the tile's shape   [n*T, n*T + T)             side by side
//	strided_view         traversal strides  [n*S, n*S + T)             overlapping if S < T, with gaps if S > T
//	gather_scatter_view  not used           the coordinates listed     sparse dimension
type tileView struct {
	tensor      tensorView
	tile        *cudatile.TileType
	dims, steps []int64
	padding     *cudatile.EnumAttr
	// sparse is the dimension of a gather_scatter_view whose coordinates are listed; -1 for other views.
	sparse int64
	// packed is the dimension along which two elements of half a byte share one; -1 when elements are bytes or more.
	packed int
	view   *cudatile.TensorViewType
	typ    cudatile.ViewType
}

func (c *converter) makeTensorView(op ir.Op) error {
	t := op.Result(0).Type().(*cudatile.TensorViewType)
	parts := []ir.Value{c.Value(op.OperandNamed("base"))}
	fill := func(static []int64, dynamic []ir.Value) {
		for _, n := range static {
			if n == cudatile.Dynamic {
				parts = append(parts, c.extend(c.Value(dynamic[0])))
				dynamic = dynamic[1:]
			} else {
				parts = append(parts, c.const64(n))
			}
		}
	}
	fill(t.Shape, op.OperandsNamed("dynamicShape"))
	fill(t.Strides, op.OperandsNamed("dynamicStrides"))
	c.Bind(op.Result(0), parts...)
	return nil
}

// makeView: a view of tiles is the tensor_view that it is of; the rest is in its type.
func makeView(c *converter, op ir.Op) error {
	c.Bind(op.Result(0), c.Values(op.Operand(0))...)
	return nil
}

// tensorView returns the parts of a tensor_view, or of the one that a view of tiles is of.
func (c *converter) tensorView(v ir.Value) tensorView {
	vs := c.Values(v)
	rank := len(vs) / 2
	return tensorView{base: vs[0], sizes: vs[1 : 1+rank], strides: vs[1+rank:]}
}

// tileView says how a view cuts its tensor. PackingDim is asked of the view and not of the element type: which
// dimension two elements share a byte along depends on the strides.
func (c *converter) tileView(v ir.Value) tileView {
	t := v.Type().(cudatile.ViewType)
	parts := t.View()
	view := tileView{tensor: c.tensorView(v), tile: t.TileType(), dims: parts.DimMap, steps: parts.TileShape, padding: parts.Padding, sparse: -1,
		packed: cudatile.PackingDim(t), view: parts.TensorView, typ: t}
	switch t := t.(type) {
	// Its tiles may overlap or leave gaps; only the step from one to the next is other than in a partition.
	case *cudatile.StridedViewType:
		view.steps = t.TraversalStrides
	case *cudatile.GatherScatterViewType:
		view.sparse = t.SparseDim
	}
	return view
}

// indexSpace: the number of tiles along a dimension covers the tensor, the last one perhaps in part. A
// gather_scatter_view is indexed by elements, so that its index space is the shape of the tensor.
//
// A partial tile at the edge counts for strided views as well (Tile IR specification, strided view). A tile
// counts if it begins inside, so the step divides and not the tile's extent.
func (c *converter) indexSpace(op ir.Op) error {
	v := c.tileView(op.Operand(0))
	for i, r := range op.Results() {
		n := v.tensor.sizes[v.dims[i]]
		if v.sparse < 0 {
			n = c.create(arith.CeilDivSI, c.i64(), []ir.Value{n, c.const64(v.steps[i])})
		}
		c.narrow(r, n)
	}
	return nil
}

func (c *converter) tensorShape(op ir.Op) error {
	tv := c.tensorView(op.Operand(0))
	for i, r := range op.Results() {
		c.narrow(r, tv.sizes[i])
	}
	return nil
}

// narrow makes an i64 the integer that result r is.
//
// Sizes are i64 here whatever type the program asks for; a number that does not fit is cut.
func (c *converter) narrow(r, v ir.Value) {
	t := c.typ(r.Type())
	if ir.BitWidth(t) < 64 {
		v = c.create(arith.TruncI, t, []ir.Value{v})
	}
	c.Bind(r, v)
}

// access returns the operand groups and attributes of a tiled access.
//
// The groups are those of the tiled rows: base, offsets, sizes, strides, token. All but the base have one value
// for each dimension of the tile, in the tile's order: what dimension map exchanges is resolved here.
func (c *converter) access(op ir.Op, v tileView) ([][]ir.Value, []ir.NamedAttr) {
	var offsets, sizes, strides []ir.Value
	bounds := make([]int64, len(v.dims))
	tested := cudatile.Tested(op, v.typ)
	for i, index := range op.OperandsNamed("index") {
		// An access counts from the base in elements: the number of the tile times the step, in 64 bits, since a
		// tensor may have more than 2^31 elements.
		n := c.extend(c.Value(index))
		if v.steps[i] != 1 {
			n = c.create(arith.MulI, c.i64(), []ir.Value{n, c.const64(v.steps[i])})
		}
		offsets = append(offsets, n)
		sizes = append(sizes, v.tensor.sizes[v.dims[i]])
		strides = append(strides, v.tensor.strides[v.dims[i]])
		if tested[i] {
			bounds[i] = 1 // a later pass drops checks that facts make true
		}
	}
	attrs := append(c.order(op), ir.NamedAttr{Name: tile.AttrBounds, Value: c.ctx.DenseArray(c.ctx.Int(1), bounds...)})
	if v.padding != nil {
		attrs = append(attrs, ir.NamedAttr{Name: tile.AttrPadding, Value: c.ctx.String(v.padding.String())})
	}
	if v.packed >= 0 {
		attrs = append(attrs, ir.NamedAttr{Name: tile.AttrPacked, Value: c.ctx.IntAttr(c.i64(), int64(v.packed))})
	}
	if a := cudatile.Hint(op, c.gpu, "allow_tma"); a != nil && !truth(a) {
		attrs = append(attrs, ir.NamedAttr{Name: tile.AttrNoTMA, Value: c.ctx.Unit()})
	}
	return [][]ir.Value{{v.tensor.base}, offsets, sizes, strides, c.Named(op, "token")}, attrs
}

// order returns the attributes for memory ordering, scope and latency; weak is the default.
func (c *converter) order(op ir.Op) (attrs []ir.NamedAttr) {
	keyword := func(name, word string) {
		attrs = append(attrs, ir.NamedAttr{Name: name, Value: c.ctx.String(word)})
	}
	if o := cudatile.MemoryOrderingOf(op).String(); o != "weak" {
		keyword(tile.AttrOrdering, o)
	}
	if s, ok := cudatile.MemoryScopeOf(op); ok {
		keyword(tile.AttrScope, s.String())
	}
	return attrs
}

func (c *converter) insert(op ir.Op, def *ir.OpDef, groups [][]ir.Value, attrs []ir.NamedAttr) error {
	st := c.NewState(def, op.Loc())
	st.OperandGroups(groups...)
	st.Attrs = append(st.Attrs, attrs...)
	st.Types = c.ResultTypes(op)
	c.BindResults(op, c.Insert(st))
	return nil
}

func (c *converter) loadView(op ir.Op) error {
	v := c.tileView(op.OperandNamed("view"))
	if v.sparse >= 0 {
		return c.gather(op, v)
	}
	if err := pairsOf(op, v); err != nil {
		return err
	}
	groups, attrs := c.access(op, v)
	if n, ok := cudatile.IntHint(op, c.gpu, "latency"); ok {
		attrs = append(attrs, ir.NamedAttr{Name: tile.AttrLatency, Value: c.ctx.IntAttr(c.i64(), n)})
	}
	return c.insert(op, tileaa.Level.TiledLoad, groups, attrs)
}

func (c *converter) storeView(op ir.Op) error {
	v := c.tileView(op.OperandNamed("view"))
	if v.sparse >= 0 {
		return c.scatter(op, v)
	}
	if err := pairsOf(op, v); err != nil {
		return err
	}
	groups, attrs := c.access(op, v)
	value := []ir.Value{c.Value(op.OperandNamed("tile"))}
	return c.insert(op, tileaa.Level.TiledStore, append([][]ir.Value{value}, groups...), attrs)
}

func (c *converter) loadPtr(op ir.Op) error {
	groups := [][]ir.Value{{c.Value(op.OperandNamed("source"))}, c.Named(op, "mask"), c.Named(op, "paddingValue"), c.Named(op, "token")}
	return c.insert(op, tileaa.Level.Load, groups, c.order(op))
}

func (c *converter) storePtr(op ir.Op) error {
	groups := [][]ir.Value{{c.Value(op.OperandNamed("destination"))}, {c.Value(op.OperandNamed("value"))}, c.Named(op, "mask"),
		c.Named(op, "token")}
	return c.insert(op, tileaa.Level.Store, groups, c.order(op))
}
