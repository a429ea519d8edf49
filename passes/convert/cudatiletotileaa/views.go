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

// A tileView is a tensor_view cut into tiles. Dimension i of the tile lies along dimension dims[i] of the tensor, and tile number n begins at
// element n*steps[i].
type tileView struct {
	tensor      tensorView
	tile        *cudatile.TileType
	dims, steps []int64
	padding     *cudatile.EnumAttr
	// sparse is the dimension of a gather_scatter_view whose coordinates are listed; -1 for other views.
	sparse int64
	// packed is the dimension along which two elements of half a byte share one; -1 when elements take whole bytes.
	packed int
}

func (c *converter) makeTensorView(op ir.Op) error {
	t := op.Result(0).Type().(*cudatile.TensorViewType)
	tv := tensorView{base: c.values[op.OperandNamed("base")]}
	fill := func(static []int64, dynamic []ir.Value) (out []ir.Value) {
		for _, n := range static {
			if n == cudatile.Dynamic {
				out = append(out, c.extend(c.values[dynamic[0]]))
				dynamic = dynamic[1:]
			} else {
				out = append(out, c.const64(n))
			}
		}
		return out
	}
	tv.sizes = fill(t.Shape, op.OperandsNamed("dynamicShape"))
	tv.strides = fill(t.Strides, op.OperandsNamed("dynamicStrides"))
	c.tensors[op.Result(0)] = tv
	return nil
}

func (c *converter) makeView(op ir.Op) error {
	t := op.Result(0).Type().(cudatile.ViewType)
	parts := t.View()
	v := tileView{tensor: c.tensors[op.Operand(0)], tile: t.TileType(), dims: parts.DimMap, steps: parts.TileShape, padding: parts.Padding, sparse: -1,
		packed: cudatile.PackingDim(t)}
	if s, ok := t.(*cudatile.StridedViewType); ok {
		v.steps = s.TraversalStrides
	}
	if g, ok := t.(*cudatile.GatherScatterViewType); ok {
		v.sparse = g.SparseDim
	}
	c.views[op.Result(0)] = v
	return nil
}

// indexSpace: the number of tiles along a dimension covers the tensor, the last one perhaps in part. A gather_scatter_view is indexed by elements, so that its index space is
// the shape of the tensor.
func (c *converter) indexSpace(op ir.Op) error {
	v := c.views[op.Operand(0)]
	for i, r := range op.Results() {
		n := v.tensor.sizes[v.dims[i]]
		if v.sparse < 0 {
			n = c.create(arith.CeilDivSI, c.i64(), []ir.Value{n, c.const64(v.steps[i])})
		}
		if err := c.narrow(op, r, n); err != nil {
			return err
		}
	}
	return nil
}

func (c *converter) tensorShape(op ir.Op) error {
	tv := c.tensors[op.Operand(0)]
	for i, r := range op.Results() {
		if err := c.narrow(op, r, tv.sizes[i]); err != nil {
			return err
		}
	}
	return nil
}

// narrow makes an i64 the integer that result r is.
func (c *converter) narrow(op ir.Op, r, v ir.Value) error {
	t, err := c.typ(r.Type())
	if err != nil {
		return op.Errorf("%v", err)
	}
	if ir.BitWidth(t) < 64 {
		v = c.create(arith.TruncI, t, []ir.Value{v})
	}
	c.bind(r, v)
	return nil
}

// access returns the operand groups and attributes of a tiled access.
func (c *converter) access(op ir.Op, v tileView) ([][]ir.Value, []ir.NamedAttr) {
	var offsets, sizes, strides []ir.Value
	bounds := make([]int64, len(v.dims))
	inbounds, _ := op.Attr("inbounds").(*ir.DenseArrayAttr)
	for i, index := range op.OperandsNamed("index") {
		n := c.extend(c.values[index])
		if v.steps[i] != 1 {
			n = c.create(arith.MulI, c.i64(), []ir.Value{n, c.const64(v.steps[i])})
		}
		offsets = append(offsets, n)
		sizes = append(sizes, v.tensor.sizes[v.dims[i]])
		strides = append(strides, v.tensor.strides[v.dims[i]])
		if inbounds == nil || i >= len(inbounds.Values) || inbounds.Values[i] == 0 {
			bounds[i] = 1
		}
	}
	attrs := append(c.order(op), ir.NamedAttr{Name: tile.AttrBounds, Value: c.ctx.DenseArray(c.ctx.Int(1), bounds...)})
	if v.padding != nil {
		attrs = append(attrs, ir.NamedAttr{Name: tile.AttrPadding, Value: c.ctx.String(v.padding.String())})
	}
	if v.packed >= 0 {
		attrs = append(attrs, ir.NamedAttr{Name: tile.AttrPacked, Value: c.ctx.IntAttr(c.i64(), int64(v.packed))})
	}
	if n, ok := c.objects[v.tensor.base]; ok {
		attrs = append(attrs, ir.NamedAttr{Name: tile.AttrAlias, Value: c.ctx.IntAttr(c.i64(), n)})
	}
	return [][]ir.Value{{v.tensor.base}, offsets, sizes, strides, c.optional(op, "token")}, attrs
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

// optional returns an optional operand as a group.
func (c *converter) optional(op ir.Op, name string) []ir.Value {
	if v := op.OperandNamed(name); !v.IsNil() {
		return []ir.Value{c.values[v]}
	}
	return nil
}

func (c *converter) insert(op ir.Op, def *ir.OpDef, groups [][]ir.Value, attrs []ir.NamedAttr) error {
	st := c.NewState(def, op.Loc())
	st.OperandGroups(groups...)
	st.Attrs = append(st.Attrs, attrs...)
	types, err := c.types(op, op.Results())
	if err != nil {
		return err
	}
	st.Types = types
	to := c.Insert(st)
	for i, r := range op.Results() {
		c.bind(r, to.Result(i))
	}
	return nil
}

func (c *converter) loadView(op ir.Op) error {
	v := c.views[op.OperandNamed("view")]
	if v.sparse >= 0 {
		return c.gather(op, v)
	}
	if err := pairsOf(op, v); err != nil {
		return err
	}
	groups, attrs := c.access(op, v)
	if h, ok := op.Attr("optimization_hints").(*cudatile.HintsAttr); ok {
		if n, ok := hint(h, c.gpu, "latency"); ok {
			attrs = append(attrs, ir.NamedAttr{Name: tile.AttrLatency, Value: c.ctx.IntAttr(c.i64(), n)})
		}
	}
	return c.insert(op, tileaa.Level.TiledLoad, groups, attrs)
}

func (c *converter) storeView(op ir.Op) error {
	v := c.views[op.OperandNamed("view")]
	if v.sparse >= 0 {
		return c.scatter(op, v)
	}
	if err := pairsOf(op, v); err != nil {
		return err
	}
	groups, attrs := c.access(op, v)
	value := []ir.Value{c.values[op.OperandNamed("tile")]}
	return c.insert(op, tileaa.Level.TiledStore, append([][]ir.Value{value}, groups...), attrs)
}

func (c *converter) loadPtr(op ir.Op) error {
	groups := [][]ir.Value{{c.values[op.OperandNamed("source")]}, c.optional(op, "mask"), c.optional(op, "paddingValue"), c.optional(op, "token")}
	return c.insert(op, tileaa.Level.Load, groups, c.order(op))
}

func (c *converter) storePtr(op ir.Op) error {
	groups := [][]ir.Value{{c.values[op.OperandNamed("destination")]}, {c.values[op.OperandNamed("value")]}, c.optional(op, "mask"),
		c.optional(op, "token")}
	return c.insert(op, tileaa.Level.Store, groups, c.order(op))
}

func (c *converter) addPtr(op ir.Op) error { return c.simple(op, tileaa.Level.AddPtr) }

func (c *converter) makeToken(op ir.Op) error { return c.simple(op, tileaa.Level.MakeToken) }

func (c *converter) joinTokens(op ir.Op) error { return c.simple(op, tileaa.Level.JoinTokens) }

func (c *converter) programID(op ir.Op) error {
	if op.Is(cudatile.GetNumTileBlocks) {
		return c.simple(op, tileaa.Level.NumPrograms)
	}
	return c.simple(op, tileaa.Level.ProgramID)
}
