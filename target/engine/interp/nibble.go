package interp

import (
	"github.com/tilewright/tilewright/ir"
)

// Elements of four bits lie in memory two to a byte, the first in the lower half. A pointer says a byte, so through pointers only the
// lower half can be accessed; views reach both. The other half may belong to another tile block, so every access holds the lock of its byte.

// access calls f with the byte of a position, how far its bits are shifted, and which halves have a value, if that is not known
// of all.
func (c cell) access(m *machine, position uint64, write bool, f func(b *byte, shift int, written *uint8) error) error {
	addr, shift := position>>1, int(position&1)*4
	buf, err := m.find(addr, 1)
	if err != nil {
		return err
	}
	if err := c.seen(m, buf, addr, 1, write); err != nil {
		return err
	}
	if m.prog.bulk {
		if err := c.throughProxy(m, addr, 1, write); err != nil {
			return err
		}
	}
	if write && buf.readOnly {
		return buf.constant(addr)
	}
	if write && buf.segment != nil {
		buf.segment.MarkWritten()
	}
	if m.race != nil {
		if err := m.race.accessHalf(position, write); err != nil {
			return err
		}
	}
	var written *uint8
	if buf.written != nil {
		written = &buf.written[addr-buf.addr]
	}
	l := m.mem.lock(addr)
	l.Lock()
	old := buf.data[addr-buf.addr]
	err = f(&buf.data[addr-buf.addr], shift, written)
	m.changed = m.changed || buf.data[addr-buf.addr] != old
	l.Unlock()
	if !c.weak {
		m.ordered = true
		if m.race != nil {
			m.race.accessed(addr)
		}
	}
	return err
}

// halfBit is the bit of buffer.written of the half whose bits are shifted.
func halfBit(shift int) uint8 { return 1 << (shift / 4) }

func (c cell) loadHalf(m *machine, position uint64, r *vec, i int) error {
	return c.access(m, position, false, func(b *byte, shift int, written *uint8) error {
		if r.data[i] = uint64(*b >> shift & 15); written != nil && *written&halfBit(shift) == 0 {
			r.markUndef(i)
		}
		return nil
	})
}

func (c cell) storeHalf(m *machine, position uint64, x uint64) error {
	return c.access(m, position, true, func(b *byte, shift int, written *uint8) error {
		*b = *b&^(15<<shift) | byte(x&15)<<shift
		if written != nil {
			*written |= halfBit(shift)
		}
		return nil
	})
}

// offsetHalves decodes the offset of pointers to halves of bytes. One by an odd number of elements has no address.
func (d *decoder) offsetHalves(op ir.Op) (func(*machine) error, error) {
	shift := 64 - uint(widthOf(elemOf(op.Operand(1))))
	b, shape := d.slot(op.Operand(1)), shapeOf(op.Result(0))
	move, err := d.applyBinary(op, func(out, ptr, n []uint64) {
		for i := range out {
			out[i] = ptr[i] + uint64(int64(n[i]<<shift)>>shift>>1)
		}
	})
	if err != nil {
		return nil, err
	}
	return func(m *machine) error {
		x := m.vals[b]
		for i, n := range x.data {
			if n&1 != 0 && !x.isUndef(i) {
				return op.Errorf("%s: %d elements of half a byte lead to the middle of a byte, which has no address", placeIn(shape, i, len(x.data)), int64(n<<shift)>>shift)
			}
		}
		return move(m)
	}, nil
}
