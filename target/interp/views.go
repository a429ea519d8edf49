package interp

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

func init() {
	define(map[*ir.OpDef]rule{
		cudatile.MakeTensorView:    (*machine).makeTensorView,
		cudatile.MakePartitionView: (*machine).makeView, cudatile.MakeStridedView: (*machine).makeView,
		cudatile.MakeGatherScatterView: (*machine).makeView,
		cudatile.GetTensorShape:        (*machine).tensorShape, cudatile.GetIndexSpaceShape: (*machine).indexSpace,
		cudatile.LoadView: (*machine).loadView, cudatile.StoreView: (*machine).storeView,
		cudatile.LoadPtr: (*machine).loadPtr, cudatile.StorePtr: (*machine).storePtr,
		cudatile.MakeToken: nothing, cudatile.JoinTokens: nothing, cudatile.MemoryFenceAlias: nothing,
	})
}

// nothing: a token has no value.
func nothing(*machine, ir.Op) error { return nil }

func (m *machine) makeTensorView(op ir.Op) error {
	t := op.Result(0).Type().(*cudatile.TensorViewType)
	fill := func(static []int64, dynamic []ir.Value) []int64 {
		out := make([]int64, len(static))
		for i, n := range static {
			if n == cudatile.Dynamic {
				n = m.tile(dynamic[0]).int(0)
				dynamic = dynamic[1:]
			}
			out[i] = n
		}
		return out
	}
	m.set(op.Result(0), value{tensor: &tensorView{
		base: m.tile(op.OperandNamed("base")).data[0], elem: t.Elem,
		sizes: fill(t.Shape, op.OperandsNamed("dynamicShape")), strides: fill(t.Strides, op.OperandsNamed("dynamicStrides")),
	}})
	return nil
}

func (m *machine) makeView(op ir.Op) error {
	m.set(op.Result(0), value{view: &tileView{m.get(op.Operand(0)).tensor, op.Result(0).Type().(cudatile.ViewType)}})
	return nil
}

func (m *machine) tensorShape(op ir.Op) error {
	tv := m.get(op.Operand(0)).tensor
	for i, r := range op.Results() {
		m.result(op, i, integer(elemOf(r.Type()), tv.sizes[i]))
	}
	return nil
}

func integer(t ir.Type, v int64) *tile {
	s := scalar(t, uint64(v))
	s.data[0] = s.width().Wrap(s.data[0])
	return s
}

// steps returns how far apart consecutive tiles are along each dimension of the tile, in elements.
func steps(t cudatile.ViewType) []int64 {
	if s, ok := t.(*cudatile.StridedViewType); ok {
		return s.TraversalStrides
	}
	return t.View().TileShape
}

// indexSpace: tiles cover the tensor along each dimension, the last one perhaps in part.
func (m *machine) indexSpace(op ir.Op) error {
	v := m.get(op.Operand(0)).view
	if _, gather := v.typ.(*cudatile.GatherScatterViewType); gather {
		return fail(op, "is not executed by the interpreter yet for a gather_scatter_view")
	}
	dims := v.typ.View().DimMap
	for i, step := range steps(v.typ) {
		n := (v.tensor.sizes[dims[i]] + step - 1) / step
		m.result(op, i, integer(elemOf(op.Result(i).Type()), n))
	}
	return nil
}

// An axis says which coordinates of the tensor a dimension of a tile covers.
type axis struct {
	coords []int64 // of each position
	size   int64   // of the tensor
	stride int64
}

// axes returns the coordinates that each dimension of the tile at the given indices covers.
func (m *machine) axes(v *tileView, indices []ir.Value) []axis {
	parts := v.typ.View()
	sparse := int64(-1)
	if g, ok := v.typ.(*cudatile.GatherScatterViewType); ok {
		sparse = g.SparseDim
	}
	step := steps(v.typ)
	out := make([]axis, len(parts.TileShape))
	for d, n := range parts.TileShape {
		dim := parts.DimMap[d]
		a := axis{coords: make([]int64, n), size: v.tensor.sizes[dim], stride: v.tensor.strides[dim]}
		index := m.tile(indices[d])
		for i := range a.coords {
			switch {
			case int64(d) == sparse:
				a.coords[i] = index.int(i)
			case sparse >= 0: // a gather_scatter_view counts elements, not tiles
				a.coords[i] = index.int(0) + int64(i)
			default:
				a.coords[i] = index.int(0)*step[d] + int64(i)
			}
		}
		out[d] = a
	}
	return out
}

// visit calls f for each element of a tile: with its number, its address, and whether it is inside the tensor.
func visit(base uint64, size int64, axes []axis, f func(i int, addr uint64, inside bool) error) error {
	n := 1
	for _, a := range axes {
		n *= len(a.coords)
	}
	coord := make([]int, len(axes))
	for i := range n {
		at, inside := int64(0), true
		for d, a := range axes {
			c := a.coords[coord[d]]
			inside = inside && c >= 0 && c < a.size
			at += c * a.stride
		}
		if err := f(i, base+uint64(at*size), inside); err != nil {
			return err
		}
		for d := len(axes) - 1; d >= 0; d-- {
			if coord[d]++; coord[d] < len(axes[d].coords) {
				break
			}
			coord[d] = 0
		}
	}
	return nil
}

// padding returns the bit pattern of elements outside; without a padding value they are undetermined, and zero here.
func padding(t cudatile.ViewType) uint64 {
	parts := t.View()
	f, ok := parts.TensorView.Elem.(*ir.FloatType)
	if parts.Padding == nil || !ok {
		return 0
	}
	switch cudatile.PaddingValue(parts.Padding.Value) {
	case cudatile.PadNegZero:
		return f.Format.Zero(true)
	case cudatile.PadNaN:
		return f.Format.NaN()
	case cudatile.PadPosInf:
		return f.Format.Inf(false)
	case cudatile.PadNegInf:
		return f.Format.Inf(true)
	}
	return 0
}

func (m *machine) loadView(op ir.Op) error {
	v := m.get(op.OperandNamed("view")).view
	out := newTile(op.Result(0).Type())
	pad := padding(v.typ)
	err := visit(v.tensor.base, int64(elementBytes(out.elem)), m.axes(v, op.OperandsNamed("index")), func(i int, addr uint64, inside bool) (err error) {
		if !inside {
			out.data[i] = pad
			return nil
		}
		if out.data[i], err = m.mem.load(addr, out.elem); err != nil {
			return fail(op, "element %d: %v", i, err)
		}
		return nil
	})
	m.result(op, 0, out)
	return err
}

func (m *machine) storeView(op ir.Op) error {
	v := m.get(op.OperandNamed("view")).view
	t := m.tile(op.OperandNamed("tile"))
	return visit(v.tensor.base, int64(elementBytes(t.elem)), m.axes(v, op.OperandsNamed("index")), func(i int, addr uint64, inside bool) error {
		if !inside {
			return nil
		}
		if err := m.mem.store(addr, t.elem, t.data[i]); err != nil {
			return fail(op, "element %d: %v", i, err)
		}
		return nil
	})
}

// optional returns the tile of an optional operand, or nil.
func (m *machine) optional(op ir.Op, name string) *tile {
	if v := op.OperandNamed(name); !v.IsNil() {
		return m.tile(v)
	}
	return nil
}

func (m *machine) loadPtr(op ir.Op) error {
	ptrs, mask, other := m.tile(op.OperandNamed("source")), m.optional(op, "mask"), m.optional(op, "paddingValue")
	out := newTile(op.Result(0).Type())
	for i, addr := range ptrs.data {
		var err error
		switch {
		case mask == nil || mask.data[i] != 0:
			out.data[i], err = m.mem.load(addr, out.elem)
		case other != nil:
			out.data[i] = other.data[i]
		}
		if err != nil {
			return fail(op, "element %d: %v", i, err)
		}
	}
	m.result(op, 0, out)
	return nil
}

func (m *machine) storePtr(op ir.Op) error {
	ptrs, mask, v := m.tile(op.OperandNamed("destination")), m.optional(op, "mask"), m.tile(op.OperandNamed("value"))
	for i, addr := range ptrs.data {
		if mask != nil && mask.data[i] == 0 {
			continue
		}
		if err := m.mem.store(addr, v.elem, v.data[i]); err != nil {
			return fail(op, "element %d: %v", i, err)
		}
	}
	return nil
}
