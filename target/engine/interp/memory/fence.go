package memory

import (
	"github.com/tilewright/tilewright/ir"
)

// Stored says which thread operation last stored to which bytes of global memory, since the last fence. It counts by
// words of eight bytes.
//
// Bulk copies use the async proxy. They see what threads have stored only after a fence (fence_global).
type Stored map[uint64]storedWord

type storedWord struct {
	by    ir.Op
	bytes uint8 // a bit for each
}

// each calls f with the words of a range, and the bytes of each that are in the range, until f returns false.
func (Stored) each(addr, n uint64, f func(word uint64, bytes uint8) bool) {
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

// Mark notes that a thread operation has stored to a range.
func (s Stored) Mark(addr, n uint64, by ir.Op) {
	s.each(addr, n, func(word uint64, bytes uint8) bool {
		s[word] = storedWord{by, s[word].bytes | bytes}
		return true
	})
}

// In returns an operation that has stored to the range, or a zero Op.
func (s Stored) In(addr, n uint64) (by ir.Op) {
	s.each(addr, n, func(word uint64, bytes uint8) bool {
		if w := s[word]; w.bytes&bytes != 0 {
			by = w.by
		}
		return by.IsNil()
	})
	return by
}
