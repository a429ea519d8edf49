package launch

import (
	"cmp"
	"fmt"
	"slices"
	"sync/atomic"
	"unsafe"
)

// A Segment is memory at an address that the caller chose. It serves memory of the host in place, views into it,
// arguments that share memory, and memory that only pointers in other memory refer to.
//
// The alternative, buffers that know their views, needs a rule for each way to share memory, and has none for pointers
// in memory.
type Segment struct {
	Name string // for messages; "" is named by its address
	Addr uint64
	// Data is used in place where its own address agrees with Addr in the last bits (SegmentAlign), so that words of it
	// can be accessed atomically. Engines that emulate atomics otherwise copy it, and copy it back.
	Data     []byte
	ReadOnly bool // a kernel that writes to it is wrong
	// DType and Shape are how the memory is compared and written to a file; without a type as bytes.
	DType DType
	Shape []int
	// Uninitialized is as that of a Buffer.
	Uninitialized bool

	written atomic.Bool
}

// SegmentAlign is the power of two to which an address and the memory after it should agree.
const SegmentAlign = 16

// NotForSegments is the range of addresses that engines keep for memory of their own, shared and private memory
// included: no system gives it to a process.
var NotForSegments = [2]uint64{0x0100_0000_0000, 0x4000_0000_0000}

// OwnAddr is where engines place buffers and variables of a launch that has segments.
const OwnAddr = 0x3000_0000_0000

// End is the address after the segment.
func (s *Segment) End() uint64 { return s.Addr + uint64(len(s.Data)) }

// Label names the segment in messages.
func (s *Segment) Label() string {
	if s.Name != "" {
		return s.Name
	}
	return fmt.Sprintf("memory at %#x", s.Addr)
}

// MarkWritten notes that a kernel may have changed the segment. Any goroutine may call it.
func (s *Segment) MarkWritten() {
	if !s.written.Load() {
		s.written.Store(true)
	}
}

// Written reports whether a launch may have changed the segment since the last Clear.
func (s *Segment) Written() bool { return s.written.Load() }

// Clear makes the segment one that was not written.
func (s *Segment) Clear() { s.written.Store(false) }

// Clone returns a copy that shares nothing.
func (s *Segment) Clone() *Segment {
	return &Segment{Name: s.Name, Addr: s.Addr, Data: alignedTo(s.Addr, s.Data), ReadOnly: s.ReadOnly, DType: s.DType, Shape: slices.Clone(s.Shape), Uninitialized: s.Uninitialized}
}

// alignedTo returns a copy of data that an engine can use in place at an address.
func alignedTo(addr uint64, data []byte) []byte {
	room := make([]byte, len(data)+2*SegmentAlign)
	here := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(room))))
	from := (addr - here) % SegmentAlign
	out := room[from : from+uint64(len(data)) : from+uint64(len(data))]
	copy(out, data)
	return out
}

// Buffer returns the memory of the segment as elements. The data is shared.
func (s *Segment) Buffer() *Buffer {
	b := &Buffer{DType: s.DType, Shape: s.Shape, Data: s.Data, Uninitialized: s.Uninitialized}
	if b.DType == 0 {
		b.DType, b.Shape = U8, []int{len(s.Data)}
	}
	return b
}

// maxAddr bounds addresses: PTX and the hosts we know use 47 or 48 bits, some 57.
const maxAddr = 1 << 57

// SortedSegments returns the segments by address, or an error if two overlap or one is where no memory can be.
func (r *Request) SortedSegments() ([]*Segment, error) {
	list := slices.Clone(r.Segments)
	for i, s := range list {
		if s == nil {
			return nil, fmt.Errorf("segments[%d]: missing", i)
		}
	}
	slices.SortStableFunc(list, func(a, b *Segment) int { return cmp.Compare(a.Addr, b.Addr) })
	for i, s := range list {
		switch {
		case s.Addr == 0 || s.Addr >= maxAddr || uint64(len(s.Data)) > maxAddr-s.Addr:
			return nil, fmt.Errorf("%s: %d bytes from address %#x on are outside of the address space of %d bits", s.Label(), len(s.Data), s.Addr, 57)
		case s.Addr < NotForSegments[1] && s.End() > NotForSegments[0]:
			return nil, fmt.Errorf("%s: addresses from %#x to %#x are the engine's own", s.Label(), NotForSegments[0], NotForSegments[1])
		case i > 0 && list[i-1].End() > s.Addr:
			return nil, fmt.Errorf("%s overlaps %s: it begins at %#x, the other one ends at %#x", s.Label(), list[i-1].Label(), s.Addr, list[i-1].End())
		}
	}
	return list, nil
}
