package async

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/access"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/inflight"
	"github.com/tilewright/tilewright/target/engine/interp/onchip"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// TMA copies are bulk copies whose global side is a tile of a tensor. The value of a tensor map is its base, sizes and
// strides. They are checked when a copy starts, since a map may be made where nothing is copied.

func init() {
	core.Define(core.Table{
		tileas.MakeTensorMap: {Run: tensorMap}, tileas.BuildTensorMap: {Run: tensorMap}, tileas.TMALoad: {Run: tmaLoad}, tileas.TMAStore: {Run: tmaStore}, tileas.TMAReduce: {Run: tmaReduce},
	})
}

// condition decodes the predicate of an operation, which may have none.
func condition(d *core.Decoder, op ir.Op) func(m *core.Machine) (bool, error) {
	if op.Def().OperandField(tile.FieldPredicate) < 0 || op.OperandNamed(tile.FieldPredicate).IsNil() {
		return func(*core.Machine) (bool, error) { return true, nil }
	}
	slot := d.Slot(op.OperandNamed(tile.FieldPredicate))
	return func(m *core.Machine) (bool, error) {
		if err := m.Defined(op, slot, nil, "predicate"); err != nil {
			return false, err
		}
		return m.Vals[slot].Data[0] != 0, nil
	}
}

func tensorMap(d *core.Decoder, op ir.Op) (core.Action, error) {
	operands := op.Operands()
	if op.Is(tileas.BuildTensorMap) { // the first is the scratch buffer
		operands = operands[1:]
	}
	slots, out := d.SlotsOf(operands), d.Result(op, 0)
	return func(m *core.Machine) error {
		for _, l := range m.Flights.Copies { // which read the map that was in the place of this one
			// A multicast load may be that of another CTA, which has a map of its own.
			if !l.Shared && l.Op.Is(tileas.TMALoad) && l.Op.OperandNamed(tileas.FieldMap) == op.Result(0) {
				return op.Errorf("makes a map in the place of one that '%s' is still using", l.Op.Name()).Note(l.Op.Loc(), "the load")
			}
		}
		v := m.Alloc(len(slots))
		for i, s := range slots {
			v.Data[i] = m.Vals[s].Data[0]
			if m.Vals[s].IsUndef(0) {
				v.MarkUndef(i)
			}
		}
		m.Put(out, v)
		return nil
	}, nil
}

// A tmaCopy is a decoded TMA load, store or reduction.
type tmaCopy struct {
	op      ir.Op
	t       *tileas.BufferType
	inner   int
	rounded bool // from f32 to tf32, by a load
	align   uint64
	narrow  bool
	cell    access.Cell
	desc    int
	offsets []int
	rows    int // slot of gathered row numbers; -1: rows are neighbours
	outer   int // the dimension of rows
	boxes   linear.Boxes
	address func(m *core.Machine) (onchip.Location, error)
}

func newTMACopy(d *core.Decoder, op ir.Op) (*tmaCopy, error) {
	t, address, err := access.Local(d, op, op.Operand(0))
	if err != nil {
		return nil, err
	}
	c, err := access.NewCell(d, op, t.Elem)
	if err != nil {
		return nil, err
	}
	access.Proxy(d, &c)
	m := op.OperandNamed(tileas.FieldMap)
	kind := m.Type().(*tileas.TensorMapType)
	rows := -1
	if v := tileas.RowsOf(op); !v.IsNil() {
		rows = d.Slot(v)
	}
	return &tmaCopy{rows: rows, outer: int(kind.Order[len(kind.Order)-1]), op: op, t: t, inner: kind.Inner(), rounded: kind.Rounded, boxes: tileas.TMABoxes(op), align: uint64(tileas.TMABoxes(op).Align()), narrow: op.HasUnitAttr(tileas.AttrNarrow), cell: c, desc: d.Slot(m),
		offsets: d.SlotsOf(op.OperandsNamed("offsets")), address: address}, nil
}

// A tmaWindow is the tile that one execution of a TMA copy transfers.
type tmaWindow struct {
	base                 uint64
	sizes, strides, from []int64
	rows                 []int64 // gathered row numbers; nil: neighbours
}

// places returns where both sides of the copy begin.
func (c *tmaCopy) places(m *core.Machine) (at onchip.Location, w *tmaWindow, err error) {
	if at, err = c.address(m); err == nil && at.Address()%c.align != 0 {
		err = c.op.Errorf("buffer at 0x%x is not aligned to %d bytes", at.Address(), c.align)
	}
	if err == nil {
		w, err = c.window(m)
	}
	return at, w, err
}

// Limits of a tensor map (CUDA driver API, cuTensorMapEncodeTiled).
const (
	mapSizeLimit   = 1 << 31
	mapStrideLimit = 1 << 40
)

func (c *tmaCopy) window(m *core.Machine) (*tmaWindow, error) {
	desc := m.Vals[c.desc]
	for i := range desc.Data {
		if desc.IsUndef(i) {
			return nil, c.op.Errorf("uses a map of unspecified numbers")
		}
	}
	n := len(c.t.Shape)
	w := &tmaWindow{base: desc.Data[0]}
	for d := range n {
		w.sizes, w.strides = append(w.sizes, int64(desc.Data[1+d])), append(w.strides, int64(desc.Data[1+n+d]))
		if err := m.Defined(c.op, c.offsets[d], nil, "offset"); err != nil {
			return nil, err
		}
		w.from = append(w.from, int64(m.Vals[c.offsets[d]].Data[0]))
		if c.narrow && w.from[d] != int64(int32(w.from[d])) {
			return nil, c.op.Errorf("has '%s', but the offset %d along dimension %d is no number of 32 bits", tileas.AttrNarrow, w.from[d], d)
		}
		// The limits of cuTensorMapEncodeTiled: what a driver would reject is an error here too.
		bytes := w.strides[d] * c.t.ElementBytes()
		switch {
		case w.sizes[d] >= mapSizeLimit:
			return nil, c.op.Errorf("map has a size of %d along dimension %d, which is too much", w.sizes[d], d)
		case d == c.inner && w.strides[d] != 1:
			return nil, c.op.Errorf("map has a stride of %d along dimension %d, where it must be 1", w.strides[d], d)
		case d != c.inner && (w.strides[d] < 0 || w.strides[d] >= mapStrideLimit || bytes >= mapStrideLimit || bytes%tile.BulkUnit != 0):
			return nil, c.op.Errorf("map has a stride of %d along dimension %d, whose bytes are no multiple of %d below 2^40", w.strides[d], d, tile.BulkUnit)
		}
	}
	for i := 0; c.rows >= 0 && i < int(c.t.Shape[c.outer]); i++ {
		if m.Vals[c.rows].IsUndef(i) {
			return nil, c.op.Errorf("gathers a row of an unspecified number")
		}
		w.rows = append(w.rows, int64(int32(m.Vals[c.rows].Data[i])))
	}
	if w.base%tile.BulkUnit != 0 {
		return nil, c.op.Errorf("map has its base at 0x%x, which is not aligned to %d bytes", w.base, tile.BulkUnit)
	}
	return w, nil
}

// each calls f with each element of the tile and its address. inside says whether it is in the tensor.
func (c *tmaCopy) each(w *tmaWindow, f func(addr uint64, i int, inside bool) error) error {
	at := make([]int64, len(c.t.Shape))
	for i := range values.Count(c.t.Shape) {
		addr, inside := int64(0), true
		for d, x := range at {
			if w.rows != nil && d == c.outer {
				x = w.rows[x]
			}
			x += w.from[d]
			addr += x * w.strides[d]
			inside = inside && x >= 0 && x < w.sizes[d]
		}
		if err := f(w.base+uint64(addr*c.t.ElementBytes()), i, inside); err != nil {
			return c.op.Errorf("%s: %v", values.Place(c.t.Shape, i), err)
		}
		for d := len(at) - 1; d >= 0; d-- {
			if at[d]++; at[d] < c.t.Shape[d] {
				break
			}
			at[d] = 0
		}
	}
	return nil
}

// spans returns the global memory of the tile.
func (c *tmaCopy) spans(w *tmaWindow) (out []inflight.Span) {
	size := uint64(c.t.ElementBytes())
	_ = c.each(w, func(addr uint64, _ int, inside bool) error { // f returns no error
		switch n := len(out); {
		case !inside:
		case n > 0 && out[n-1].Hi == addr:
			out[n-1].Hi += size
		default:
			out = append(out, inflight.Span{Lo: addr, Hi: addr + size})
		}
		return nil
	})
	return out
}

func (c *tmaCopy) read(m *core.Machine, w *tmaWindow) (*values.Vec, error) {
	v := m.Alloc(values.Count(c.t.Shape))
	return v, c.each(w, func(addr uint64, i int, inside bool) error {
		if !inside {
			v.Data[i] = 0
			return nil
		}
		err := c.cell.Load(m, addr, v, i)
		if c.rounded && err == nil {
			v.Data[i] = numeric.TF32.Convert(numeric.F32, v.Data[i], numeric.Env{})
		}
		return err
	})
}

func (c *tmaCopy) write(m *core.Machine, w *tmaWindow, v *values.Vec) error {
	return c.each(w, func(addr uint64, i int, inside bool) error {
		switch {
		case !inside:
			return nil
		case v.IsUndef(i):
			return errUnspecified
		}
		return c.cell.Store(m, addr, v.Data[i])
	})
}

func tmaLoad(d *core.Decoder, op ir.Op) (core.Action, error) {
	c, err := newTMACopy(d, op)
	if err != nil {
		return nil, err
	}
	bar := op.OperandNamed("mbarrier")
	slot, holds, multicast := d.Slot(bar), condition(d, op), op.HasUnitAttr(tileas.AttrMulticast)
	acc, signals := onchip.AnyThread(op, c.t, true), onchip.AnyThread(op, onchip.BufferType(bar), false)
	return func(m *core.Machine) error {
		if yes, err := holds(m); !yes {
			return err
		}
		at, w, err := c.places(m)
		if err == nil {
			_, err = m.Clash(acc, at) // not noted: who waits for the phase sees the bytes
		}
		if err != nil {
			return err
		}
		if multicast {
			bar, err := m.Address(op, slot)
			if err == nil {
				_, err = Usable(m, op, slot, signals)
			}
			if err != nil {
				return err
			}
			return c.multicast(m, at, bar, w)
		}
		return startBulkLoad(m, op, at, c.t, slot, signals, c.spans(w), func(m *core.Machine) (*values.Vec, error) { return c.read(m, w) })
	}, nil
}

func tmaStore(d *core.Decoder, op ir.Op) (core.Action, error) {
	c, err := newTMACopy(d, op)
	if err != nil {
		return nil, err
	}
	acc := onchip.AnyThread(op, c.t, false)
	return func(m *core.Machine) error {
		at, w, err := c.places(m)
		if err == nil {
			err = m.Meets(acc, at)
		}
		if err != nil {
			return err
		}
		return startBulkStore(m, op, at, c.t, acc, c.spans(w), func(m *core.Machine, v *values.Vec) error { return c.write(m, w, v) })
	}, nil
}

// tmaReduce is a store that combines the tile with the contents of memory, when it lands.
func tmaReduce(d *core.Decoder, op ir.Op) (core.Action, error) {
	c, err := newTMACopy(d, op)
	if err != nil {
		return nil, err
	}
	f, err := access.Modify(op, c.t.Elem)
	if err != nil {
		return nil, err
	}
	acc := onchip.AnyThread(op, c.t, false)
	return func(m *core.Machine) error {
		at, w, err := c.places(m)
		if err == nil {
			err = m.Meets(acc, at)
		}
		if err != nil {
			return err
		}
		return startBulkStore(m, op, at, c.t, acc, c.spans(w), func(m *core.Machine, v *values.Vec) error {
			return c.each(w, func(addr uint64, i int, inside bool) error {
				switch {
				case !inside:
					return nil
				case v.IsUndef(i):
					return errUnspecified
				}
				_, err := c.cell.Update(m, addr, func(old uint64) uint64 { return f(old, v.Data[i]) })
				return err
			})
		})
	}, nil
}
