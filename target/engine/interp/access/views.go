package access

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/fault"
	"github.com/tilewright/tilewright/target/engine/interp/memory"
	"github.com/tilewright/tilewright/target/engine/interp/values"
	"github.com/tilewright/tilewright/target/engine/launch"
)

func init() {
	core.Define(core.Table{
		cudatile.MakeTensorView:    {Run: makeTensorView},
		cudatile.MakePartitionView: {Run: makeView}, cudatile.MakeStridedView: {Run: makeView},
		cudatile.MakeGatherScatterView: {Run: makeView},
		cudatile.GetTensorShape:        {Run: tensorShape}, cudatile.GetIndexSpaceShape: {Run: indexSpace},
	})
}

// A dimension is a size or stride of a tensor: static, or in a slot.
type dimension struct {
	value int64
	slot  int // -1: static
}

// makeTensorView gives the view a number in m.Views.Tensors, when the kernel is decoded. A view needs no slot: the
// verifier keeps views inside loops, and out of the results of ifs.
func makeTensorView(d *core.Decoder, op ir.Op) (core.Action, error) {
	t := op.Result(0).Type().(*cudatile.TensorViewType)
	base := d.Slot(op.OperandNamed("base"))
	var dynamic []ir.Value
	dims := func(static []int64, name string) []dimension {
		operands := op.OperandsNamed(name)
		dynamic = append(dynamic, operands...)
		out := make([]dimension, len(static))
		for i, n := range static {
			out[i] = dimension{n, -1}
			if n == cudatile.Dynamic {
				out[i].slot = d.Slot(operands[0])
				operands = operands[1:]
			}
		}
		return out
	}
	sizes, steps := dims(t.Shape, "dynamicShape"), dims(t.Strides, "dynamicStrides")
	shift := uint(0) // sign-extends sizes and strides, which may be narrower than 64 bits
	if len(dynamic) > 0 {
		shift = 64 - uint(values.WidthOf(values.ElemOf(dynamic[0])))
	}
	number := len(d.Program.Tensors)
	d.Program.Tensors = append(d.Program.Tensors, len(t.Shape))
	d.Views[op.Result(0)] = number
	fill := func(m *core.Machine, to []int64, from []dimension, what string, least int64) error {
		for i, dim := range from {
			to[i] = dim.value
			if dim.slot < 0 {
				continue
			}
			if err := m.Defined(op, dim.slot, nil, what); err != nil {
				return err
			}
			if to[i] = int64(m.Vals[dim.slot].Data[0]<<shift) >> shift; to[i] < least && !(to[i] == 0 && m.Launch.Options.LooseStrides) {
				return op.Errorf("%s %d is %d, which is %s", what, i, to[i], [...]string{"negative", "not positive"}[least])
			}
		}
		return nil
	}
	return func(m *core.Machine) error {
		if err := m.Defined(op, base, nil, "base"); err != nil {
			return err
		}
		tv := &m.Views.Tensors[number]
		tv.Base = m.Vals[base].Data[0]
		if err := fill(m, tv.Sizes, sizes, "size", 0); err != nil {
			return err
		}
		return fill(m, tv.Strides, steps, "stride", 1)
	}, nil
}

// makeView has nothing to compute: the type of a view says all that it adds to its tensor.
func makeView(d *core.Decoder, op ir.Op) (core.Action, error) {
	number, ok := d.Views[op.Operand(0)]
	if !ok {
		return nil, op.Errorf("views a tensor that no make_tensor_view made")
	}
	d.Views[op.Result(0)] = number
	return core.Nothing, nil
}

func tensorShape(d *core.Decoder, op ir.Op) (core.Action, error) {
	number, out := d.Views[op.Operand(0)], d.SlotsOf(op.Results())
	return func(m *core.Machine) error {
		return putSizes(m, op, out, m.Views.Tensors[number].Sizes)
	}, nil
}

// putSizes stores sizes in the slots of results.
func putSizes(m *core.Machine, op ir.Op, out []int, sizes []int64) error {
	for i, n := range sizes {
		w := values.WidthOf(values.ElemOf(op.Result(i)))
		if w.Wrap(uint64(n)) != uint64(n) {
			return op.Errorf("result %d does not hold %d", i, n)
		}
		m.Put(out[i], m.Scalar(uint64(n)))
	}
	return nil
}

func viewing(d *core.Decoder, op ir.Op, view ir.Value, index []ir.Value) (*memory.Viewing, error) {
	number, ok := d.Views[view]
	if !ok {
		return nil, op.Errorf("accesses a view that is not made from a make_tensor_view")
	}
	t := view.Type().(cudatile.ViewType)
	parts := t.View()
	v := &memory.Viewing{Op: op, Tensor: number, Elem: parts.TensorView.Elem, Shape: parts.TileShape, Dims: parts.DimMap, Step: parts.TileShape, Sparse: -1,
		Packed: cudatile.PackingDim(t),
		Index:  d.SlotsOf(index), Inbounds: make([]bool, len(parts.TileShape)), Tested: cudatile.Tested(op, t)}
	switch t := t.(type) {
	case *cudatile.StridedViewType:
		v.Step = t.TraversalStrides
	case *cudatile.GatherScatterViewType:
		v.Sparse = int(t.SparseDim)
	}
	for i := range v.Inbounds {
		v.Inbounds[i] = cudatile.StaysInside(op, i)
	}
	return v, nil
}

func indexSpace(d *core.Decoder, op ir.Op) (core.Action, error) {
	v, err := viewing(d, op, op.Operand(0), nil)
	if err != nil {
		return nil, err
	}
	out := d.SlotsOf(op.Results())
	return func(m *core.Machine) error {
		sizes := make([]int64, len(out))
		for dim := range sizes {
			sizes[dim] = v.Space(&m.Views.Tensors[v.Tensor], dim)
		}
		return putSizes(m, op, out, sizes)
	}, nil
}

// A windowing computes where an access is made. The window is valid until the next call of any windowing.
type windowing = func(m *core.Machine) (*memory.Window, error)

// indexed returns the windowing of an access by index.
//
// Index 2 of a partition view of tiles 16 wide has the origin 32. Indices are compared unsigned, so that -1 is outside.
// The message shows it signed.
func indexed(v *memory.Viewing) windowing {
	return func(m *core.Machine) (*memory.Window, error) { return window(v, m) }
}

func window(v *memory.Viewing, m *core.Machine) (*memory.Window, error) {
	t := &m.Views.Tensors[v.Tensor]
	w := m.Views.NewWindow(v, t.Base)
	outside := false
	for dim, slot := range v.Index {
		w.Size[dim], w.Stride[dim] = t.Sizes[v.Dims[dim]], t.Strides[v.Dims[dim]]
		x := m.Vals[slot]
		if dim == v.Sparse {
			if err := m.Defined(v.Op, slot, v.Shape[dim:dim+1], "index"); err != nil {
				return nil, err
			}
			w.Sparse = x.Data
			continue
		}
		if err := m.Defined(v.Op, slot, nil, "index"); err != nil {
			return nil, err
		}
		if space := v.Space(t, dim); x.Data[0] < uint64(space) {
		} else if outside = true; !m.Launch.Options.LooseIndices || !v.Tested[dim] && !v.Inbounds[dim] || x.Data[0] >= 1<<31 {
			return nil, fault.Errorf(v.Op, launch.OutOfBounds, "index %d of dimension %d is outside of the index space of %d", values.WidthOf(values.ElemOf(v.IndexValue(dim))).Signed(x.Data[0]), dim, space)
		}
		w.Origin[dim] = int64(x.Data[0])
		if v.Sparse < 0 {
			w.Origin[dim] *= v.Step[dim]
		}
		if end := w.Origin[dim] + v.Shape[dim]; v.Inbounds[dim] && end > w.Size[dim] {
			if m.Launch.Options.LooseBounds && end > 0 {
				w.Size[dim] = end // no comparison: memory decides
				continue
			}
			return nil, fault.Errorf(v.Op, launch.OutOfBounds, "is marked in bounds along dimension %d, but its tile ends at %d of %d", dim, w.Origin[dim]+v.Shape[dim], w.Size[dim])
		}
	}
	if outside && m.Launch.Options.Outside != nil {
		m.Launch.Options.Outside(core.Outside{Op: v.Op, Block: m.ID, Base: t.Base, Sizes: w.Size, Tile: v.Shape, Index: indices(v, m)})
	}
	return w, nil
}

// indices returns the index of an access; 0 along a dimension that has one for each element.
func indices(v *memory.Viewing, m *core.Machine) []int64 {
	out := make([]int64, len(v.Index))
	for dim, slot := range v.Index {
		if dim != v.Sparse {
			out[dim] = int64(m.Vals[slot].Data[0])
		}
	}
	return out
}
