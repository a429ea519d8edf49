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
		cudatile.LoadView: {Run: loadView}, cudatile.StoreView: {Run: storeView},
		cudatile.LoadPtr: {Run: loadPtr}, cudatile.StorePtr: {Run: storePtr},
	})
}

// A Cell is how elements of a type lie in memory. Accesses are made at positions: addresses of bytes or, where two
// elements share a byte, of halves of bytes.
//
//	f32       size 4, unit 4      positions are addresses
//	i1        size 1, unit 1      any byte but 0 is true
//	f4E2M1FN  size 1, unit 1      positions are 2 * address + half: neighbours are one position apart
type Cell struct {
	size uint64 // of what is accessed, in bytes
	unit uint64 // the distance of neighbours, in positions
	bool bool
	half bool // positions count halves of bytes
	weak bool // nobody else accesses the memory at the same time
	bulk bool // through the async proxy
	// noted is the address below which races have been looked for already.
	noted uint64

	op    ir.Op
	claim *claim // nil: the operation does not say
}

// position returns the position of an address.
func (c Cell) position(addr uint64) uint64 {
	if c.half {
		return addr << 1
	}
	return addr
}

// NewCell decodes how an operation accesses elements of a type.
func NewCell(d *core.Decoder, op ir.Op, elem ir.Type) (Cell, error) {
	_, weak := core.Accessing(op)
	d.Program.Synchronises = d.Program.Synchronises || !weak
	if values.IsHalf(elem) {
		d.Program.Halves = true
		return Cell{size: 1, unit: 1, half: true, weak: weak, op: op, claim: claimOf(op)}, nil
	}
	size := uint64(values.ElementBytes(elem))
	if size > 8 || size&(size-1) != 0 {
		return Cell{}, op.Errorf("accesses elements of %d bytes, which the interpreter cannot", size)
	}
	return Cell{size: size, unit: size, bool: ir.BitWidth(elem) == 1, weak: weak, op: op, claim: claimOf(op)}, nil
}

// check returns the buffer of an access.
func (c Cell) check(m *core.Machine, addr uint64, write bool) (*memory.Buffer, error) {
	b, err := m.Mem.Find(addr, c.size)
	if err == nil && addr&(c.size-1) != 0 {
		return nil, fault.WrongAt(launch.Misaligned, addr, "address 0x%x is not aligned to the element's %d bytes", addr, c.size)
	}
	if err == nil {
		err = c.seen(m, b, addr, c.size, write)
	}
	if err == nil && m.Program.Bulk {
		err = c.throughProxy(m, addr, c.size, write)
	}
	if write && err == nil && b.Segment != nil && !b.ReadOnly {
		b.Segment.MarkWritten()
	}
	return b, err
}

// Load reads the element at a position into element i of r.
//
// The order of the checks: is there memory, is the address aligned, is the memory one of the objects that the operation
// names. Races come last, since they need a valid address.
func (c Cell) Load(m *core.Machine, addr uint64, r *values.Vec, i int) error {
	if c.half {
		return c.loadHalf(m, addr, r, i)
	}
	b, err := c.check(m, addr, false)
	if err != nil {
		return err
	}
	if m.Race != nil && addr >= c.noted {
		if err := m.Race.Access(addr, c.size, false); err != nil {
			return err
		}
	}
	off := addr - b.Addr
	data := b.Data[off : off+c.size]
	var specified bool
	if c.weak {
		r.Data[i], specified = values.FromBytes(data), b.HasValue(off, c.size)
	} else {
		m.Ordered = true
		l := m.Mem.Lock(addr)
		l.Lock()
		r.Data[i], specified = values.FromBytes(data), b.HasValue(off, c.size)
		l.Unlock()
		if m.Race != nil {
			m.Race.Accessed(addr)
		}
	}
	if c.bool && r.Data[i] != 0 {
		r.Data[i] = 1 // any byte but zero is true
	}
	if !specified {
		r.MarkUndef(i)
	}
	return nil
}

// Store writes a specified element at a position.
//
// A flight that reads the bytes makes the store an error too: the flight could read the old or the new value.
func (c Cell) Store(m *core.Machine, addr uint64, x uint64) error {
	if c.half {
		return c.storeHalf(m, addr, x)
	}
	b, err := c.check(m, addr, true)
	if err != nil {
		return err
	}
	if b.ReadOnly {
		return b.Constant(addr)
	}
	if m.Race != nil && addr >= c.noted {
		if err := m.Race.Access(addr, c.size, true); err != nil {
			return err
		}
	}
	if m.Flights.Copies != nil {
		if err := m.Flights.Reads(addr, c.size); err != nil {
			return err
		}
	}
	m.Changed = true
	off := addr - b.Addr
	data := b.Data[off : off+c.size]
	if c.weak {
		values.ToBytes(data, x)
		b.SetValue(off, c.size)
	} else {
		l := m.Mem.Lock(addr)
		l.Lock()
		values.ToBytes(data, x)
		b.SetValue(off, c.size)
		l.Unlock()
	}
	return nil
}

// note looks for races of all elements of a window, and returns the cell that accesses them. If there is one, or if the
// elements are no box, the cell looks for what is left, element by element: so an error names the element.
//
// Only weak accesses are noted together. Others learn, element by element, what another tile block has released.
func (c Cell) note(m *core.Machine, w *memory.Window, write bool) Cell {
	if m.Race == nil || !c.weak || c.half {
		return c
	}
	if offset, dims, ok := w.Box(); ok {
		c.noted = m.Race.Tile(w.Base+uint64(offset)*c.unit, c.size, dims, write)
	}
	return c
}

// padding returns the pattern of elements outside the tensor, and whether it is specified.
func padding(t cudatile.ViewType) (uint64, bool) {
	parts := t.View()
	if parts.Padding == nil {
		return 0, false
	}
	f, ok := parts.TensorView.Elem.(*ir.FloatType)
	if !ok {
		return 0, true
	}
	switch cudatile.PaddingValue(parts.Padding.Value) {
	case cudatile.PadNegZero:
		return f.Format.Zero(true), true
	case cudatile.PadNaN:
		return f.Format.NaN(), true
	case cudatile.PadPosInf:
		return f.Format.Inf(false), true
	case cudatile.PadNegInf:
		return f.Format.Inf(true), true
	}
	return f.Format.Zero(false), true
}

func loadView(d *core.Decoder, op ir.Op) (core.Action, error) {
	view := op.OperandNamed("view")
	v, err := viewing(d, op, view, op.OperandsNamed("index"))
	if err != nil {
		return nil, err
	}
	pad, padded := padding(view.Type().(cudatile.ViewType))
	return loadWindow(d, v, indexed(v), pad, padded)
}

// loadWindow decodes the load of a tile. Elements outside the tensor get the pattern pad if padded, else they are
// unspecified.
func loadWindow(d *core.Decoder, v *memory.Viewing, window windowing, pad uint64, padded bool) (core.Action, error) {
	return LoadTo(d, v, window, d.Result(v.Op, 0), pad, padded)
}

// LoadTo is loadWindow with the slot of the result.
func LoadTo(d *core.Decoder, v *memory.Viewing, window windowing, out int, pad uint64, padded bool) (core.Action, error) {
	op := v.Op
	c, err := NewCell(d, op, v.Elem)
	if err != nil {
		return nil, err
	}
	n := values.Count(v.Shape)
	stays := len(v.Shape) == 2 && op.NumResults() > 0 && d.InMemory(op)
	return func(m *core.Machine) error {
		w, err := window(m)
		if err != nil {
			return err
		}
		if err := w.WholeBytes(); err != nil {
			return err
		}
		c := c.note(m, w, false)
		data, dims := c.box(m, w, n, false)
		if stays && data != nil && !m.Watched() {
			if s, ok := stored(data, dims, v.Shape[1], int(c.size)); ok {
				m.Put(out, m.InMemory(s))
				return nil
			}
		}
		r := m.Alloc(n)
		if data != nil {
			loadBox(r.Data, data, dims, c.size)
			m.Put(out, r)
			return nil
		}
		step, next := w.Stride[len(w.Stride)-1]*int64(c.unit), 0
		if rank := len(w.Stride); rank > 1 {
			next = int(w.Stride[rank-2] * int64(c.unit))
		}
		err = w.Runs(func(row memory.Run) error {
			for i := row.First + row.Inside; i < row.First+row.N; i++ {
				if r.Data[i] = pad; !padded {
					r.MarkUndef(i)
				}
			}
			if row.Inside == 0 {
				return nil
			}
			addr := c.position(w.Base) + uint64(row.Offset)*c.unit
			if data := c.plain(m, addr, row.Inside, step, false); data != nil {
				loadRow(r.Data[row.First:row.First+row.Inside], data, c.size, int(step), next)
				return nil
			}
			for i := range row.Inside {
				if err := c.Load(m, addr+uint64(int64(i)*step), r, row.First+i); err != nil {
					return fault.At(op, v.Shape, row.First+i, err)
				}
			}
			return nil
		})
		m.Put(out, r)
		return err
	}, nil
}

func storeView(d *core.Decoder, op ir.Op) (core.Action, error) {
	v, err := viewing(d, op, op.OperandNamed("view"), op.OperandsNamed("index"))
	if err != nil {
		return nil, err
	}
	return storeWindow(d, v, indexed(v), d.Slot(op.OperandNamed("tile")))
}

// storeWindow decodes the store of the tile in a slot.
func storeWindow(d *core.Decoder, v *memory.Viewing, window windowing, tile int) (core.Action, error) {
	op := v.Op
	c, err := NewCell(d, op, v.Elem)
	if err != nil {
		return nil, err
	}
	return func(m *core.Machine) error {
		w, err := window(m)
		if err != nil {
			return err
		}
		if err := w.WholeBytes(); err != nil {
			return err
		}
		x, c := m.Vals[tile], c.note(m, w, true)
		if x.Undef == nil || m.Launch.Options.LooseStores {
			if data, dims := c.box(m, w, len(x.Data), true); data != nil {
				m.Changed = true
				storeBox(data, x.Data, dims, c.size)
				return nil
			}
		}
		step := w.Stride[len(w.Stride)-1] * int64(c.unit)
		return w.Runs(func(row memory.Run) error {
			if row.Inside == 0 {
				return nil
			}
			addr := c.position(w.Base) + uint64(row.Offset)*c.unit
			if x.Undef == nil || m.Launch.Options.LooseStores {
				if data := c.plain(m, addr, row.Inside, step, true); data != nil {
					m.Changed = true
					storeRow(data, x.Data[row.First:row.First+row.Inside], c.size, int(step))
					return nil
				}
			}
			for i := row.First; i < row.First+row.Inside; i++ {
				if x.IsUndef(i) && !m.Launch.Options.LooseStores {
					return unspecified(op, v.Shape, i)
				}
				if err := c.Store(m, addr+uint64(int64(i-row.First)*step), x.Data[i]); err != nil {
					return fault.At(op, v.Shape, i, err)
				}
			}
			return nil
		})
	}, nil
}

// unspecified returns the error of storing an unspecified element.
func unspecified(op ir.Op, shape []int64, i int) error {
	return fault.Errorf(op, launch.Unspecified, "stores an unspecified value (read out of bounds without padding, masked off or never written): %s", values.Place(shape, i)).At(shape, i)
}
