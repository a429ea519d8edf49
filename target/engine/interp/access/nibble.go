package access

import (
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// Two elements of four bits share a byte, the first in the lower half. A pointer refers to a byte, so through pointers
// only lower halves are accessed; views reach both. The other half may belong to another tile block. So every access
// locks its byte.

// access calls f with the byte of a position, the shift of its half, and which halves have values, or nil if all have.
func (c Cell) access(m *core.Machine, position uint64, write bool, f func(b *byte, shift int, written *uint8) error) error {
	addr, shift := position>>1, int(position&1)*4
	buf, err := m.Mem.Find(addr, 1)
	if err != nil {
		return err
	}
	if err := c.seen(m, buf, addr, 1, write); err != nil {
		return err
	}
	if m.Program.Bulk {
		if err := c.throughProxy(m, addr, 1, write); err != nil {
			return err
		}
	}
	if write && buf.ReadOnly {
		return buf.Constant(addr)
	}
	if write && buf.Segment != nil {
		buf.Segment.MarkWritten()
	}
	if m.Race != nil {
		if err := m.Race.AccessHalf(position, write); err != nil {
			return err
		}
	}
	var written *uint8
	if buf.Written != nil {
		written = &buf.Written[addr-buf.Addr]
	}
	l := m.Mem.Lock(addr)
	l.Lock()
	old := buf.Data[addr-buf.Addr]
	err = f(&buf.Data[addr-buf.Addr], shift, written)
	m.Changed = m.Changed || buf.Data[addr-buf.Addr] != old
	l.Unlock()
	if !c.weak {
		m.Ordered = true
		if m.Race != nil {
			m.Race.Accessed(addr)
		}
	}
	return err
}

// halfBit is the bit of Buffer.Written of the half at a shift.
func halfBit(shift int) uint8 { return 1 << (shift / 4) }

func (c Cell) loadHalf(m *core.Machine, position uint64, r *values.Vec, i int) error {
	return c.access(m, position, false, func(b *byte, shift int, written *uint8) error {
		if r.Data[i] = uint64(*b >> shift & 15); written != nil && *written&halfBit(shift) == 0 {
			r.MarkUndef(i)
		}
		return nil
	})
}

func (c Cell) storeHalf(m *core.Machine, position uint64, x uint64) error {
	return c.access(m, position, true, func(b *byte, shift int, written *uint8) error {
		*b = *b&^(15<<shift) | byte(x&15)<<shift
		if written != nil {
			*written |= halfBit(shift)
		}
		return nil
	})
}
