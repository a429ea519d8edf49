package memory

import (
	"bytes"
	"slices"
)

// Memory that begins without values has a byte for each of its own, which says which halves are written. A row of a tile
// is looked at, and marked, at once.

// allHalves is a byte of Buffer.Written whose two halves have values.
const allHalves = 3

// written is bytes whose halves all have values, to compare with and to copy.
var written = slices.Repeat([]uint8{allHalves}, 1<<12)

// unwritten is Buffer.Written of memory that holds nothing yet, if it does not.
func unwritten(uninitialized bool, data []byte) []uint8 {
	if !uninitialized {
		return nil
	}
	return make([]uint8, len(data))
}

// HasValue reports whether size bytes from an offset on have values.
func (b *Buffer) HasValue(off, size uint64) bool {
	return b.Written == nil || hasValue(b.Written[off:off+size])
}

func hasValue(list []uint8) bool {
	for ; len(list) > len(written); list = list[len(written):] {
		if !bytes.Equal(list[:len(written)], written) {
			return false
		}
	}
	return bytes.Equal(list, written[:len(list)])
}

// SetValue notes that size bytes from an offset on have got values.
func (b *Buffer) SetValue(off, size uint64) {
	if b.Written == nil {
		return
	}
	for list := b.Written[off : off+size]; len(list) > 0; list = list[copy(list, written):] {
	}
}

// RowHasValue is HasValue of n elements of size bytes, which are step bytes apart.
func (b *Buffer) RowHasValue(off uint64, n int, size uint64, step int64) bool {
	if b.Written == nil || uint64(step) == size {
		return b.HasValue(off, uint64(n)*size)
	}
	for i := range uint64(n) {
		if !b.HasValue(off+i*uint64(step), size) {
			return false
		}
	}
	return true
}

// SetRow is SetValue of n elements of size bytes, which are step bytes apart.
func (b *Buffer) SetRow(off uint64, n int, size uint64, step int64) {
	if b.Written == nil || uint64(step) == size {
		b.SetValue(off, uint64(n)*size)
		return
	}
	for i := range uint64(n) {
		b.SetValue(off+i*uint64(step), size)
	}
}
