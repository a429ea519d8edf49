package machine

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"

	"github.com/tilewright/tilewright/target/engine/emu/num"
)

// Load reads a little-endian value of 1, 2, 4 or 8 bytes.
//
// The length of the slice selects the width, so that one function serves all types and cannot read past what was
// checked.
func Load(b []byte) uint64 {
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

// Store writes the low bytes of v.
func Store(b []byte, v uint64) {
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

// wordOf returns the aligned 32-bit word that holds b, of one or two bytes,
// and the position of b in it. Every buffer is padded and aligned so that
// the entire word belongs to it.
//
// Go has atomic operations on 32 and 64 bits only, so that a compare-and-swap of
// the word around them stands in for those of one and two bytes.
func wordOf(b []byte) (p *uint32, shift int) {
	u := uintptr(unsafe.Pointer(&b[0]))
	lead := u & 3
	return (*uint32)(unsafe.Add(unsafe.Pointer(&b[0]), -int(lead))), int(lead) * 8
}

// LoadStrong reads as get does, as one atomic access.
func LoadStrong(b []byte) uint64 {
	switch len(b) {
	case 1, 2:
		p, shift := wordOf(b)
		return uint64(atomic.LoadUint32(p)>>shift) & num.Mask(8*len(b))
	case 4:
		return uint64(atomic.LoadUint32((*uint32)(unsafe.Pointer(&b[0]))))
	}
	return atomic.LoadUint64((*uint64)(unsafe.Pointer(&b[0])))
}

// Update replaces the value at b by f of it, atomically, and returns the
// old value.
//
// It is one atomic operation of the host, because CTAs of one launch run on the same bytes in parallel.
func Update(b []byte, f func(old uint64) uint64) uint64 {
	switch len(b) {
	case 1, 2:
		p, shift := wordOf(b)
		ones := uint32(num.Mask(8*len(b))) << shift
		for {
			old := atomic.LoadUint32(p)
			v := uint64(old&ones) >> shift
			if atomic.CompareAndSwapUint32(p, old, old&^ones|uint32(f(v))<<shift&ones) {
				return v
			}
		}
	case 4:
		p := (*uint32)(unsafe.Pointer(&b[0]))
		for {
			old := atomic.LoadUint32(p)
			if atomic.CompareAndSwapUint32(p, old, uint32(f(uint64(old)))) {
				return uint64(old)
			}
		}
	}
	p := (*uint64)(unsafe.Pointer(&b[0]))
	for {
		old := atomic.LoadUint64(p)
		if atomic.CompareAndSwapUint64(p, old, f(old)) {
			return old
		}
	}
}

// StoreStrong writes as put does, as one atomic access.
func StoreStrong(b []byte, v uint64) {
	switch len(b) {
	case 1, 2:
		Update(b, func(uint64) uint64 { return v })
	case 4:
		atomic.StoreUint32((*uint32)(unsafe.Pointer(&b[0])), uint32(v))
	default:
		atomic.StoreUint64((*uint64)(unsafe.Pointer(&b[0])), v)
	}
}

// alignedBytes makes a zeroed byte slice whose words can be accessed
// atomically.
func alignedBytes(n int) []byte {
	words := make([]uint64, (n+15)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n)
}
