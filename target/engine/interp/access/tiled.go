package access

import (
	"cmp"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/memory"
)

func init() {
	for _, l := range core.Levels {
		core.Define(core.Table{l.TiledLoad: {Run: tiledLoad}, l.TiledStore: {Run: tiledStore}, l.TiledAtomic: {Run: tiledAtomic}})
	}
}

// Tiled decodes the place of a tiled access. Base, offsets, sizes and strides are operands.
//
// An access promises divisors of those, and that a dimension needs no check. An analysis of the compiler has put the
// promises there, and the levels below rely on them: a wrong one corrupts memory on a device, silently. Here each is
// checked against the run's numbers. So a wrong analysis fails at its own level, with the dimension.
func Tiled(d *core.Decoder, op ir.Op) (*memory.Viewing, windowing) {
	a := tile.AccessOf(op)
	v := &memory.Viewing{Op: op, Elem: ir.ElementType(a.Tile), Shape: tile.Shape(a.Tile), Sparse: -1, Packed: -1}
	if dim, ok := op.IntAttr(tile.AttrPacked); ok {
		v.Packed = int(dim)
	}
	base, rank := d.Slot(a.Base), len(v.Shape)
	baseFact, isFact := op.IntAttr(tile.AttrBaseDiv)
	offsetFacts, sizeFacts, strideFacts := factsOf(op, tile.AttrOffsetDiv), factsOf(op, tile.AttrSizeDiv), factsOf(op, tile.AttrStrideDiv)
	offsets, sizes, steps := d.SlotsOf(a.Offsets), d.SlotsOf(a.Sizes), d.SlotsOf(a.Strides)
	if rank == 0 {
		v.Shape = []int64{1}
	}
	return v, func(m *core.Machine) (*memory.Window, error) {
		if err := m.Defined(op, base, nil, "base"); err != nil {
			return nil, err
		}
		w := m.Views.NewWindow(v, m.Vals[base].Data[0])
		if isFact && w.Base%uint64(baseFact) != 0 {
			return nil, op.Errorf("promises that its base is divisible by %d, but it is at 0x%x", baseFact, w.Base)
		}
		if rank == 0 {
			w.Size[0], w.Stride[0] = 1, 1
		}
		// A promise says where elements are. An object without extent has none, so that it breaks none: a load
		// prefetched beyond the last iteration is one.
		var broken error
		empty := false
		for dim := range rank {
			for _, from := range [...]struct {
				slot  int
				what  string
				to    []int64
				facts []int64
			}{{offsets[dim], "offset", w.Origin, offsetFacts}, {sizes[dim], "size", w.Size, sizeFacts}, {steps[dim], "stride", w.Stride, strideFacts}} {
				if err := m.Defined(op, from.slot, nil, from.what); err != nil {
					return nil, err
				}
				n := int64(m.Vals[from.slot].Data[0])
				if from.facts != nil && n%from.facts[dim] != 0 {
					broken = cmp.Or(broken, error(op.Errorf("promises that %s %d is divisible by %d, but it is %d", from.what, dim, from.facts[dim], n)))
				}
				from.to[dim] = n
			}
			if w.Size[dim] < 0 { // as make_tensor_view rejects it: code compares offsets unsigned
				return nil, op.Errorf("size %d is %d, which is negative", dim, w.Size[dim])
			}
			if end := w.Origin[dim] + v.Shape[dim]; !a.Checked(dim) && (w.Origin[dim] < 0 || end > w.Size[dim]) {
				broken = cmp.Or(broken, error(op.Errorf("is not checked along dimension %d, but its tile is from %d to %d of %d", dim, w.Origin[dim], end, w.Size[dim])))
			} else if a.Checked(dim) && w.Size[dim] == 0 {
				empty = true
			}
		}
		if broken != nil && !empty {
			return nil, broken
		}
		return w, nil
	}
}

// factsOf returns the promised divisors of each dimension, or nil.
func factsOf(op ir.Op, name string) []int64 {
	if a, ok := op.Attr(name).(*ir.DenseArrayAttr); ok {
		return a.Values
	}
	return nil
}

func tiledLoad(d *core.Decoder, op ir.Op) (core.Action, error) {
	v, window := Tiled(d, op)
	keyword := op.StringAttr(tile.AttrPadding)
	pad := uint64(0)
	if _, isFloat := v.Elem.(*ir.FloatType); isFloat {
		pad = arith.Bits(tile.Padding(op.Context(), v.Elem, keyword))
	}
	return loadWindow(d, v, window, pad, keyword != "")
}

func tiledStore(d *core.Decoder, op ir.Op) (core.Action, error) {
	v, window := Tiled(d, op)
	return storeWindow(d, v, window, d.Slot(op.OperandNamed("value")))
}

func tiledAtomic(d *core.Decoder, op ir.Op) (core.Action, error) {
	v, window := Tiled(d, op)
	return atomicWindow(d, v, window)
}
