package interp

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// Tensor copies: bulk copies whose side in global memory is a tile of a strided memory object. The value of a map is its base, sizes and strides; what a copy asks of them is looked at when it starts,
// since a map may be made where nothing is copied.

func init() {
	define(map[*ir.OpDef]rule{
		tileas.MakeTensorMap: (*decoder).tensorMap, tileas.BuildTensorMap: (*decoder).tensorMap, tileas.TMALoad: (*decoder).tmaLoad, tileas.TMAStore: (*decoder).tmaStore, tileas.TMAReduce: (*decoder).tmaReduce,
	})
}

// condition returns what tells whether an operation does anything: its predicate, if it has one.
func (d *decoder) condition(op ir.Op) func(m *machine) (bool, error) {
	if op.Def().OperandField(tile.FieldPredicate) < 0 || op.OperandNamed(tile.FieldPredicate).IsNil() {
		return func(*machine) (bool, error) { return true, nil }
	}
	slot := d.slot(op.OperandNamed(tile.FieldPredicate))
	return func(m *machine) (bool, error) {
		if err := m.defined(op, slot, nil, "predicate"); err != nil {
			return false, err
		}
		return m.vals[slot].data[0] != 0, nil
	}
}

func (d *decoder) tensorMap(op ir.Op) (func(*machine) error, error) {
	operands := op.Operands()
	if op.Is(tileas.BuildTensorMap) { // behind the scratch buffer
		operands = operands[1:]
	}
	slots, out := d.slotsOf(operands), d.result(op, 0)
	return func(m *machine) error {
		v := m.alloc(len(slots))
		for i, s := range slots {
			v.data[i] = m.vals[s].data[0]
			if m.vals[s].isUndef(0) {
				v.markUndef(i)
			}
		}
		m.put(out, v)
		return nil
	}, nil
}

// A tensorCopy is a decoded tensor copy.
type tensorCopy struct {
	op      ir.Op
	t       *tileas.BufferType
	inner   int
	rounded bool // from f32 to tf32, when loaded
	align   uint64
	narrow  bool
	cell    cell
	desc    int
	offsets []int
	rows    int // slot; -1: rows are neighbours
	outer   int // the dimension of rows
	boxes   linear.Boxes
	address func(m *machine) (location, error)
}

func (d *decoder) tensorCopy(op ir.Op) (*tensorCopy, error) {
	t, address, err := d.local(op, op.Operand(0))
	if err != nil {
		return nil, err
	}
	c, err := d.cell(op, t.Elem)
	if err != nil {
		return nil, err
	}
	d.proxy(&c)
	m := op.OperandNamed(tileas.FieldMap)
	kind := m.Type().(*tileas.TensorMapType)
	rows := -1
	if v := tileas.RowsOf(op); !v.IsNil() {
		rows = d.slot(v)
	}
	return &tensorCopy{rows: rows, outer: int(kind.Order[len(kind.Order)-1]), op: op, t: t, inner: kind.Inner(), rounded: kind.Rounded, boxes: tileas.TensorBoxes(op), align: uint64(tileas.TensorBoxes(op).Align()), narrow: op.HasUnitAttr(tileas.AttrNarrow), cell: c, desc: d.slot(m),
		offsets: d.slotsOf(op.OperandsNamed("offsets")), address: address}, nil
}

// A tensorWindow is the tile that one execution of a tensor copy moves.
type tensorWindow struct {
	base                 uint64
	sizes, strides, from []int64
	rows                 []int64 // what each row adds; nil: its number in the tile
}

// places returns where both sides of the copy begin.
func (c *tensorCopy) places(m *machine) (at location, w *tensorWindow, err error) {
	if at, err = c.address(m); err == nil && at.address()%c.align != 0 {
		err = c.op.Errorf("buffer at 0x%x is not aligned to %d bytes", at.address(), c.align)
	}
	if err == nil {
		w, err = c.window(m)
	}
	return at, w, err
}

// What a tensor map can hold (CUDA driver API, cuTensorMapEncodeTiled), and a copy name.
const (
	mapSizeLimit   = 1 << 31
	mapStrideLimit = 1 << 40
)

func (c *tensorCopy) window(m *machine) (*tensorWindow, error) {
	desc := m.vals[c.desc]
	for i := range desc.data {
		if desc.isUndef(i) {
			return nil, c.op.Errorf("uses a map of unspecified numbers")
		}
	}
	n := len(c.t.Shape)
	w := &tensorWindow{base: desc.data[0]}
	for d := range n {
		w.sizes, w.strides = append(w.sizes, int64(desc.data[1+d])), append(w.strides, int64(desc.data[1+n+d]))
		if err := m.defined(c.op, c.offsets[d], nil, "offset"); err != nil {
			return nil, err
		}
		w.from = append(w.from, int64(m.vals[c.offsets[d]].data[0]))
		if c.narrow && w.from[d] != int64(int32(w.from[d])) {
			return nil, c.op.Errorf("has '%s', but the offset %d along dimension %d is no number of 32 bits", tileas.AttrNarrow, w.from[d], d)
		}
		bytes := w.strides[d] * c.t.ElementBytes()
		switch {
		case w.sizes[d] >= mapSizeLimit:
			return nil, c.op.Errorf("map has a size of %d along dimension %d, which is too much", w.sizes[d], d)
		case d == c.inner && w.strides[d] != 1:
			return nil, c.op.Errorf("map has a stride of %d along dimension %d, where it must be 1", w.strides[d], d)
		case d != c.inner && (w.strides[d] < 0 || w.strides[d] >= mapStrideLimit || bytes >= mapStrideLimit || bytes%tileas.BulkUnit != 0):
			return nil, c.op.Errorf("map has a stride of %d along dimension %d, whose bytes are no multiple of %d below 2^40", w.strides[d], d, tileas.BulkUnit)
		}
	}
	for i := 0; c.rows >= 0 && i < int(c.t.Shape[c.outer]); i++ {
		if m.vals[c.rows].isUndef(i) {
			return nil, c.op.Errorf("gathers a row of an unspecified number")
		}
		w.rows = append(w.rows, int64(int32(m.vals[c.rows].data[i])))
	}
	if w.base%tileas.BulkUnit != 0 {
		return nil, c.op.Errorf("map has its base at 0x%x, which is not aligned to %d bytes", w.base, tileas.BulkUnit)
	}
	return w, nil
}

// each calls f with each element of the tile and its address; inside says whether it is in the object.
func (c *tensorCopy) each(w *tensorWindow, f func(addr uint64, i int, inside bool) error) error {
	at := make([]int64, len(c.t.Shape))
	for i := range count(c.t.Shape) {
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
			return c.op.Errorf("%s: %v", place(c.t.Shape, i), err)
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

// spans returns what of global memory the tile is.
func (c *tensorCopy) spans(w *tensorWindow) (out []span) {
	size := uint64(c.t.ElementBytes())
	_ = c.each(w, func(addr uint64, _ int, inside bool) error { // which has no error of its own
		switch n := len(out); {
		case !inside:
		case n > 0 && out[n-1].hi == addr:
			out[n-1].hi += size
		default:
			out = append(out, span{addr, addr + size})
		}
		return nil
	})
	return out
}

func (c *tensorCopy) read(m *machine, w *tensorWindow) (*vec, error) {
	v := m.alloc(count(c.t.Shape))
	return v, c.each(w, func(addr uint64, i int, inside bool) error {
		if !inside {
			v.data[i] = 0
			return nil
		}
		err := c.cell.load(m, addr, v, i)
		if c.rounded && err == nil {
			v.data[i] = numeric.TF32.Convert(numeric.F32, v.data[i], numeric.Env{})
		}
		return err
	})
}

func (c *tensorCopy) write(m *machine, w *tensorWindow, v *vec) error {
	return c.each(w, func(addr uint64, i int, inside bool) error {
		switch {
		case !inside:
			return nil
		case v.isUndef(i):
			return errUnspecified
		}
		return c.cell.store(m, addr, v.data[i])
	})
}

func (d *decoder) tmaLoad(op ir.Op) (func(*machine) error, error) {
	c, err := d.tensorCopy(op)
	if err != nil {
		return nil, err
	}
	bar := op.OperandNamed("mbarrier")
	slot, holds, multicast := d.slot(bar), d.condition(op), op.HasUnitAttr(tileas.AttrMulticast)
	acc, tells := anyThread(op, c.t, true), anyThread(op, bufferType(bar), false)
	return func(m *machine) error {
		if yes, err := holds(m); !yes {
			return err
		}
		at, w, err := c.places(m)
		if err == nil {
			_, err = m.clash(acc, at) // nothing to note: whoever waits for the phase sees the bytes
		}
		if err != nil {
			return err
		}
		if multicast {
			bar, err := m.address(op, slot)
			if err == nil {
				_, err = m.usable(op, slot, tells)
			}
			if err != nil {
				return err
			}
			return c.multicast(m, at, bar, w)
		}
		return m.bulkLoad(op, at, c.t, slot, tells, c.spans(w), func(m *machine) (*vec, error) { return c.read(m, w) })
	}, nil
}

func (d *decoder) tmaStore(op ir.Op) (func(*machine) error, error) {
	c, err := d.tensorCopy(op)
	if err != nil {
		return nil, err
	}
	acc := anyThread(op, c.t, false)
	return func(m *machine) error {
		at, w, err := c.places(m)
		if err == nil {
			err = m.meets(acc, at)
		}
		if err != nil {
			return err
		}
		return m.bulkStore(op, at, c.t, acc, c.spans(w), func(m *machine, v *vec) error { return c.write(m, w, v) })
	}, nil
}

// tmaReduce is a store that combines what it writes with what is there, when it lands.
func (d *decoder) tmaReduce(op ir.Op) (func(*machine) error, error) {
	c, err := d.tensorCopy(op)
	if err != nil {
		return nil, err
	}
	f, err := modify(op, c.t.Elem)
	if err != nil {
		return nil, err
	}
	acc := anyThread(op, c.t, false)
	return func(m *machine) error {
		at, w, err := c.places(m)
		if err == nil {
			err = m.meets(acc, at)
		}
		if err != nil {
			return err
		}
		return m.bulkStore(op, at, c.t, acc, c.spans(w), func(m *machine, v *vec) error {
			return c.each(w, func(addr uint64, i int, inside bool) error {
				switch {
				case !inside:
					return nil
				case v.isUndef(i):
					return errUnspecified
				}
				_, err := c.cell.update(m, addr, func(old uint64) uint64 { return f(old, v.data[i]) })
				return err
			})
		})
	}, nil
}
