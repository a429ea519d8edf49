package interp

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A value of buffer type is one number, the address where it begins; so selects, loops and ifs pass it on as they do scalars.
func init() {
	twins[tileas.ConvertLayout] = cudatile.Reshape
	define(map[*ir.OpDef]rule{
		tileas.AllocShared: (*decoder).allocShared, tileas.DeallocShared: (*decoder).deallocShared,
		tileas.BufferSlot: (*decoder).bufferSlot, tileas.BufferSlice: (*decoder).bufferSlice,
		tileas.BufferPermute: (*decoder).samePlace, tileas.BufferReinterpret: (*decoder).samePlace,
		tileas.LocalStore: (*decoder).localStore, tileas.LocalLoad: (*decoder).localLoad,
		tileas.Barrier: (*decoder).barrier, tileas.BarrierArrive: (*decoder).barrierArrive,
	})
}

func bufferType(v ir.Value) *tileas.BufferType { return v.Type().(*tileas.BufferType) }

func (d *decoder) allocShared(op ir.Op) (func(*machine) error, error) {
	t := bufferType(op.Result(0))
	if d.buffers++; d.buffers > maxBuffers {
		return nil, op.Errorf("cannot be interpreted: is one of more than %d allocations", maxBuffers)
	}
	at := unplaced + apart*d.buffers
	if k, ok := op.IntAttr(tileas.AttrOffset); ok {
		at = uint64(k)
	}
	out, hi := d.result(op, 0), at+uint64(t.Bytes())
	value := d.buffers<<addressBits | at
	return func(m *machine) error {
		m.smem.clear(m, at, hi)
		m.put(out, m.scalar(value))
		return nil
	}, nil
}

func (d *decoder) deallocShared(op ir.Op) (func(*machine) error, error) {
	buf, n := d.slot(op.Operand(0)), uint64(bufferType(op.Operand(0)).Bytes())
	return func(m *machine) error {
		at, err := m.address(op, buf)
		if err != nil {
			return err
		}
		m.smem.end(m, at.address(), at.address()+n, op)
		return nil
	}, nil
}

// address returns where the buffer in a slot begins.
func (m *machine) address(op ir.Op, slot int) (location, error) {
	if err := m.defined(op, slot, nil, "buffer"); err != nil {
		return 0, err
	}
	return location(m.vals[slot].data[0]), nil
}

func (d *decoder) bufferSlot(op ir.Op) (func(*machine) error, error) {
	t := bufferType(op.Operand(0))
	buf, index, out := d.slot(op.Operand(0)), d.slot(op.Operand(1)), d.result(op, 0)
	ahead, _ := op.IntAttr(tileas.AttrAhead)
	return func(m *machine) error {
		at, err := m.address(op, buf)
		if err == nil {
			err = m.defined(op, index, nil, "index")
		}
		if err != nil {
			return err
		}
		i := int64(int32(m.vals[index].data[0]))
		if i < 0 || i >= t.Slots {
			return op.Errorf("index must be from 0 to %d, but is %d", t.Slots-1, i)
		}
		m.put(out, m.scalar(uint64(at)+uint64((i+ahead)%t.Slots*t.SlotBytes())))
		return nil
	}, nil
}

func (d *decoder) bufferSlice(op ir.Op) (func(*machine) error, error) {
	buf, out, offset := d.slot(op.Operand(0)), d.result(op, 0), uint64(tileas.SliceOffset(op))
	return func(m *machine) error {
		at, err := m.address(op, buf)
		if err == nil {
			m.put(out, m.scalar(uint64(at)+offset))
		}
		return err
	}, nil
}

// samePlace: another type for the same memory.
func (d *decoder) samePlace(op ir.Op) (func(*machine) error, error) {
	buf, out := d.slot(op.Operand(0)), d.result(op, 0)
	return func(m *machine) error {
		m.share(out, m.vals[buf])
		return nil
	}, nil
}

// local returns what finds the address of an access of a buffer.
func (d *decoder) local(op ir.Op, v ir.Value) (t *tileas.BufferType, at func(*machine) (location, error), err error) {
	t = bufferType(v)
	if n := count(t.Shape); n < 1 || n > maxElements {
		return nil, nil, op.Errorf("cannot be interpreted: accesses a buffer of %d elements", n)
	}
	buf, n := d.slot(v), uint64(t.TileBytes())
	return t, func(m *machine) (location, error) {
		at, err := m.address(op, buf)
		if err == nil {
			err = m.smem.alive(op, at.address(), at.address()+n)
		}
		return at, err
	}, nil
}

func (d *decoder) localStore(op ir.Op) (func(*machine) error, error) {
	t, address, err := d.local(op, op.Operand(1))
	if err != nil {
		return nil, err
	}
	value, acc := d.slot(op.Operand(0)), localAccess(op, t, op.Operand(0).Type(), true)
	return func(m *machine) error {
		at, err := address(m)
		if err == nil {
			err = m.writable(op, at.address(), at.address()+acc.bytes)
		}
		if err == nil {
			m.smem.store(m, at, t, m.vals[value], op)
			err = m.meets(acc, at)
		}
		return err
	}, nil
}

func (d *decoder) localLoad(op ir.Op) (func(*machine) error, error) {
	t, address, err := d.local(op, op.Operand(0))
	if err != nil {
		return nil, err
	}
	out, acc := d.result(op, 0), localAccess(op, t, op.Result(0).Type(), false)
	from, _ := op.Attr(tileas.AttrFrom).(*ir.DenseArrayAttr)
	step, base := strides(t.Shape), int64(0)
	if from != nil {
		for d, n := range from.Values {
			base += n * step[d]
		}
	}
	part := shapeOf(op.Result(0))
	moved, err := d.runTimeStart(op, t.Shape, part)
	if err != nil {
		return nil, err
	}
	return func(m *machine) error {
		at, err := address(m)
		plus := int64(0)
		if err == nil {
			plus, err = moved(m)
		}
		if err == nil {
			v := m.smem.load(m, at, t)
			if from != nil {
				whole := v
				v = m.gather(whole, part, base+plus, step)
				m.release(whole)
			}
			m.put(out, v)
			err = m.meets(acc, at)
		}
		return err
	}, nil
}

// runTimeStart returns what computes by how many elements a part begins further than its coordinates say.
func (d *decoder) runTimeStart(op ir.Op, whole, part []int64) (func(*machine) (int64, error), error) {
	v, along, ok := tileas.RunTimeStart(op)
	if !ok {
		return func(*machine) (int64, error) { return 0, nil }, nil
	}
	plus, step := d.slot(v), strides(whole)[along]
	from := op.Attr(tileas.AttrFrom).(*ir.DenseArrayAttr).Values[along]
	return func(m *machine) (int64, error) {
		if err := m.defined(op, plus, nil, "coordinate"); err != nil {
			return 0, err
		}
		n := int64(int32(m.vals[plus].data[0]))
		if at := from + n; at < 0 || at >= whole[along] || at%part[along] != 0 {
			return 0, op.Errorf("no part of %d begins at %d along dimension %d", part[along], at, along)
		}
		return n * step, nil
	}, nil
}
