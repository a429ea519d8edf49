package interp

import (
	"encoding/binary"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

func init() {
	define(map[*ir.OpDef]rule{
		cudatile.LoadView: (*decoder).loadView, cudatile.StoreView: (*decoder).storeView,
		cudatile.LoadPtr: (*decoder).loadPtr, cudatile.StorePtr: (*decoder).storePtr,
	})
}

// A cell is how elements of a type lie in memory. Accesses are made at positions: addresses of bytes or, where two elements share a byte,
// of halves of bytes.
//
//	f32       size 4, unit 4      positions are addresses
//	i1        size 1, unit 1      any byte but 0 is true
//	f4E2M1FN  size 1, unit 1      positions are 2 * address + half: neighbours are one position apart
type cell struct {
	size uint64 // of what is accessed, in bytes
	unit uint64 // the distance of neighbours, in positions
	bool bool
	half bool // positions count halves of bytes
	weak bool // no one else accesses the memory at the same time
	bulk bool // of a bulk copy

	op    ir.Op
	claim *claim // nil: the operation does not say
}

// position returns that of an address.
func (c cell) position(addr uint64) uint64 {
	if c.half {
		return addr << 1
	}
	return addr
}

func (d *decoder) cell(op ir.Op, elem ir.Type) (cell, error) {
	_, weak := accessing(op)
	d.p.synchronises = d.p.synchronises || !weak
	if isHalf(elem) {
		d.p.halves = true
		return cell{size: 1, unit: 1, half: true, weak: weak, op: op, claim: claimOf(op)}, nil
	}
	size := uint64(elementBytes(elem))
	if size > 8 || size&(size-1) != 0 {
		return cell{}, op.Errorf("accesses elements of %d bytes, which the interpreter cannot", size)
	}
	return cell{size: size, unit: size, bool: ir.BitWidth(elem) == 1, weak: weak, op: op, claim: claimOf(op)}, nil
}

// check returns the buffer of an access.
func (c cell) check(m *machine, addr uint64, write bool) (*buffer, error) {
	b, err := m.find(addr, c.size)
	if err == nil && addr&(c.size-1) != 0 {
		return nil, wrongf(launch.Misaligned, "address 0x%x is not aligned to the element's %d bytes", addr, c.size)
	}
	if err == nil {
		err = c.seen(m, b, addr, c.size, write)
	}
	if err == nil && m.prog.bulk {
		err = c.throughProxy(m, addr, c.size, write)
	}
	if write && err == nil && b.segment != nil && !b.readOnly {
		b.segment.MarkWritten()
	}
	return b, err
}

func get(b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

func set(b []byte, v uint64) {
	switch len(b) {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	default:
		binary.LittleEndian.PutUint64(b, v)
	}
}

// load reads element i of r at a position.
//
// Order of the checks: is there memory, is the address aligned, does the operation's claim about objects hold;
// then races, which need a valid address.
func (c cell) load(m *machine, addr uint64, r *vec, i int) error {
	if c.half {
		return c.loadHalf(m, addr, r, i)
	}
	b, err := c.check(m, addr, false)
	if err != nil {
		return err
	}
	if m.race != nil {
		if err := m.race.access(addr, c.size, false); err != nil {
			return err
		}
	}
	off := addr - b.addr
	data := b.data[off : off+c.size]
	if c.weak {
		r.data[i] = get(data)
	} else {
		m.ordered = true
		l := m.mem.lock(addr)
		l.Lock()
		r.data[i] = get(data)
		l.Unlock()
		if m.race != nil {
			m.race.accessed(addr)
		}
	}
	if c.bool && r.data[i] != 0 {
		r.data[i] = 1 // any byte but zero is true
	}
	if b.written != nil && !allWritten(b.written[off:off+c.size]) {
		r.markUndef(i)
	}
	return nil
}

// store writes an element, which is specified, at a position.
//
// A pending asynchronous copy that reads the bytes makes the store an error too (flights): it would see the old
// or the new value.
func (c cell) store(m *machine, addr uint64, x uint64) error {
	if c.half {
		return c.storeHalf(m, addr, x)
	}
	b, err := c.check(m, addr, true)
	if err != nil {
		return err
	}
	if b.readOnly {
		return b.constant(addr)
	}
	if m.race != nil {
		if err := m.race.access(addr, c.size, true); err != nil {
			return err
		}
	}
	if m.flights.copies != nil {
		if err := m.flights.reads(addr, c.size); err != nil {
			return err
		}
	}
	m.changed = true
	off := addr - b.addr
	data := b.data[off : off+c.size]
	if c.weak {
		set(data, x)
	} else {
		l := m.mem.lock(addr)
		l.Lock()
		set(data, x)
		l.Unlock()
	}
	if b.written != nil {
		markWritten(b.written[off : off+c.size])
	}
	return nil
}

// plain returns the bytes of n elements at addr that are step bytes apart, if they can be accessed without looking at each: they are
// in one buffer, aligned, and not of a kind that needs more care.
//
// The usual access is one of a row of a tile in one buffer: found once and copied by a loop without checks.
// Everything that could make an element special (races, orders, halves of bytes, memory that begins without a value)
// takes the way element by element, whose errors name the element.
func (c cell) plain(m *machine, addr uint64, n int, step int64, write bool) []byte {
	if m.race != nil || m.run.engine.Access != nil || write && len(m.flights.copies) > 0 || !c.weak || c.half || c.bool && !write || step < 0 || addr&(c.size-1) != 0 {
		return nil
	}
	length := uint64(n-1)*uint64(step) + c.size
	b, err := m.find(addr, length)
	if err != nil || b.written != nil || write && b.readOnly || c.seen(m, b, addr, length, write) != nil {
		return nil
	}
	if write && b.segment != nil {
		b.segment.MarkWritten()
	}
	if write && m.prog.bulk {
		m.stored.mark(addr, length, c.op)
	}
	return b.data[addr-b.addr:][:length]
}

// loadRow reads elements that are step bytes apart.
func loadRow(out []uint64, data []byte, size uint64, step int) {
	switch {
	case size == 4 && step == 4:
		for i := range out {
			out[i] = uint64(binary.LittleEndian.Uint32(data[4*i:]))
		}
	case size == 2 && step == 2:
		for i := range out {
			out[i] = uint64(binary.LittleEndian.Uint16(data[2*i:]))
		}
	case size == 8 && step == 8:
		for i := range out {
			out[i] = binary.LittleEndian.Uint64(data[8*i:])
		}
	case size == 1 && step == 1:
		data = data[:len(out)]
		for i := range out {
			out[i] = uint64(data[i])
		}
	default:
		for i := range out {
			at := i * step
			out[i] = get(data[at : at+int(size)])
		}
	}
}

// storeRow writes elements that are step bytes apart.
func storeRow(data []byte, in []uint64, size uint64, step int) {
	switch {
	case size == 4 && step == 4:
		for i, x := range in {
			binary.LittleEndian.PutUint32(data[4*i:], uint32(x))
		}
	case size == 2 && step == 2:
		for i, x := range in {
			binary.LittleEndian.PutUint16(data[2*i:], uint16(x))
		}
	default:
		for i, x := range in {
			at := i * step
			set(data[at:at+int(size)], x)
		}
	}
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

func (d *decoder) loadView(op ir.Op) (func(*machine) error, error) {
	view := op.OperandNamed("view")
	v, err := d.viewing(op, view, op.OperandsNamed("index"))
	if err != nil {
		return nil, err
	}
	pad, padded := padding(view.Type().(cudatile.ViewType))
	return d.loadWindow(v, v.window, pad, padded)
}

// loadWindow decodes the load of a tile; elements outside are pad if they are padded.
func (d *decoder) loadWindow(v *viewing, window windowing, pad uint64, padded bool) (func(*machine) error, error) {
	return d.loadTo(v, window, d.result(v.op, 0), pad, padded)
}

// loadTo is loadWindow to a slot.
//
// What lies outside is filled first, then the inside is read: a row leaves the tensor at its end only.
func (d *decoder) loadTo(v *viewing, window windowing, out int, pad uint64, padded bool) (func(*machine) error, error) {
	op := v.op
	c, err := d.cell(op, v.elem)
	if err != nil {
		return nil, err
	}
	n := count(v.shape)
	return func(m *machine) error {
		w, err := window(m)
		if err != nil {
			return err
		}
		if err := w.wholeBytes(); err != nil {
			return err
		}
		r := m.alloc(n)
		step := w.stride[len(w.stride)-1] * int64(c.unit)
		err = w.runs(func(row run) error {
			for i := row.first + row.inside; i < row.first+row.n; i++ {
				if r.data[i] = pad; !padded {
					r.markUndef(i)
				}
			}
			if row.inside == 0 {
				return nil
			}
			addr := c.position(w.base) + uint64(row.offset)*c.unit
			if data := c.plain(m, addr, row.inside, step, false); data != nil {
				loadRow(r.data[row.first:row.first+row.inside], data, c.size, int(step))
				return nil
			}
			for i := range row.inside {
				if err := c.load(m, addr+uint64(int64(i)*step), r, row.first+i); err != nil {
					return failAt(op, v.shape, row.first+i, err)
				}
			}
			return nil
		})
		m.put(out, r)
		return err
	}, nil
}

func (d *decoder) storeView(op ir.Op) (func(*machine) error, error) {
	v, err := d.viewing(op, op.OperandNamed("view"), op.OperandsNamed("index"))
	if err != nil {
		return nil, err
	}
	return d.storeWindow(v, v.window, d.slot(op.OperandNamed("tile")))
}

// storeWindow decodes the store of the tile in a slot.
func (d *decoder) storeWindow(v *viewing, window windowing, tile int) (func(*machine) error, error) {
	op := v.op
	c, err := d.cell(op, v.elem)
	if err != nil {
		return nil, err
	}
	return func(m *machine) error {
		w, err := window(m)
		if err != nil {
			return err
		}
		if err := w.wholeBytes(); err != nil {
			return err
		}
		x := m.vals[tile]
		step := w.stride[len(w.stride)-1] * int64(c.unit)
		return w.runs(func(row run) error {
			if row.inside == 0 {
				return nil
			}
			addr := c.position(w.base) + uint64(row.offset)*c.unit
			if x.undef == nil || m.run.engine.LooseStores {
				if data := c.plain(m, addr, row.inside, step, true); data != nil {
					m.changed = true
					storeRow(data, x.data[row.first:row.first+row.inside], c.size, int(step))
					return nil
				}
			}
			for i := row.first; i < row.first+row.inside; i++ {
				if x.isUndef(i) && !m.run.engine.LooseStores {
					return unspecified(op, v.shape, i)
				}
				if err := c.store(m, addr+uint64(int64(i-row.first)*step), x.data[i]); err != nil {
					return failAt(op, v.shape, i, err)
				}
			}
			return nil
		})
	}, nil
}

// unspecified returns the error of storing an element without a value.
func unspecified(op ir.Op, shape []int64, i int) error {
	return failf(op, launch.Unspecified, "stores an unspecified value (read out of bounds without padding, masked off or never written): %s", place(shape, i)).at(shape, i)
}
