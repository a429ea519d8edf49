package interp

import (
	"fmt"

	"github.com/tilewright/tilewright/ir"
)

// Bulk copies access global memory in another way than threads, and see what those have stored behind a fence alone (fence_global). The machine of a tile block notes what its threads have stored since the last one.

// stored says which operation of threads has stored last to which bytes of global memory since the last fence, by words of eight bytes.
type stored map[uint64]storedWord

type storedWord struct {
	by    ir.Op
	bytes uint8 // a bit for each
}

// each calls f with the words of a range, and which of their bytes are in it, until it says no.
func (stored) each(addr, n uint64, f func(word uint64, bytes uint8) bool) {
	for at, end := addr, addr+n; at < end; at = at&^7 + 8 {
		bytes := uint8(0xff) << (at & 7)
		if last := at&^7 + 8; last > end {
			bytes &= 0xff >> (last - end)
		}
		if !f(at/8, bytes) {
			return
		}
	}
}

func (s stored) mark(addr, n uint64, by ir.Op) {
	s.each(addr, n, func(word uint64, bytes uint8) bool {
		s[word] = storedWord{by, s[word].bytes | bytes}
		return true
	})
}

// in returns the operation that has stored to a range.
func (s stored) in(addr, n uint64) (by ir.Op) {
	s.each(addr, n, func(word uint64, bytes uint8) bool {
		if w := s[word]; w.bytes&bytes != 0 {
			by = w.by
		}
		return by.IsNil()
	})
	return by
}

// proxy makes a cell one of a bulk copy.
func (d *decoder) proxy(c *cell) {
	c.weak, c.bulk, d.p.bulk = true, true, true
}

// throughProxy notes what a thread stores, and reports what a copy accesses too early.
func (c cell) throughProxy(m *machine, addr, n uint64, write bool) error {
	switch {
	case c.bulk:
		if by := m.stored.in(addr, n); !by.IsNil() {
			return fmt.Errorf("'%s' has stored to address 0x%x, and no fence_global has stood between them", by.Name(), addr)
		}
	case write:
		m.stored.mark(addr, n, c.op)
	}
	return nil
}

func fenceGlobal(*decoder, ir.Op) (func(*machine) error, error) {
	return func(m *machine) error { clear(m.stored); return nil }, nil
}
