package memory

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/tilewright/tilewright/target/engine/interp/fault"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A Reach is the memory that one CTA can access: the launch's, and its own allocations.
type Reach struct {
	*Memory
	last    *Buffer   // of the latest access
	Private []*Buffer // made by alloca and not global, by address
	Shared  []*Buffer // made by alloca and global
	// Allocated counts the allocations of allocas. An address may be reused after its lifetime, the count is not.
	Allocated int
	Stored    Stored
}

// Find returns the buffer of an access of size bytes at addr. It does not check the alignment.
//
// The buffer of the previous access is tried first: the elements of a tile usually lie in one.
func (m *Reach) Find(addr, size uint64) (*Buffer, error) {
	if b := m.last; b != nil && addr-b.Addr < uint64(len(b.Data)) && addr-b.Addr+size <= uint64(len(b.Data)) {
		return b, nil
	}
	b := m.BufferAt(addr)
	if b == nil || addr-b.Addr > uint64(len(b.Data)) || addr-b.Addr+size > uint64(len(b.Data)) {
		return nil, m.outside(addr, b)
	}
	m.last = b
	return b, nil
}

// BufferAt returns the last buffer that begins at or before an address, in the part of the address space that it is in.
func (m *Reach) BufferAt(addr uint64) *Buffer {
	switch {
	case addr < PrivateAddr || addr >= sharedEnd:
		return lookup(m.buffers, addr)
	case addr >= SharedAddr:
		m.mu.RLock()
		defer m.mu.RUnlock()
		return lookup(m.Memory.shared, addr)
	}
	return lookup(m.Private, addr)
}

// Bounds returns the first byte, and the end, of the buffer of the launch that has an address; 0 and 0 for others.
func (m *Reach) Bounds(addr uint64) (first, end uint64) {
	if addr >= PrivateAddr && addr < sharedEnd {
		return 0, 0
	}
	if b := lookup(m.buffers, addr); b != nil && addr < b.end() {
		return b.Addr, b.end()
	}
	return 0, 0
}

// near bounds the distance at which a message relates an address to memory.
const near = 1 << 32

// outside is the error of an access at an address that is in no buffer or runs off one. b is the last buffer that
// begins at or before it.
//
// The message names the nearer of the two neighbours, since that is what the kernel ran off.
func (m *Reach) outside(addr uint64, b *Buffer) error {
	var next *Buffer
	if addr < PrivateAddr || addr >= sharedEnd {
		list := m.buffers
		if i := sort.Search(len(list), func(i int) bool { return list[i].Addr > addr }); i < len(list) && list[i].Addr-addr < near {
			next = list[i]
		}
	}
	switch {
	case b != nil && addr-b.Addr >= uint64(len(b.Data))+near:
		b = nil
	case b != nil && next != nil && b.end() < addr && next.Addr-addr < addr-b.end():
		b = nil
	}
	switch {
	case b != nil:
		return fault.WrongAt(launch.OutOfBounds, addr, "address 0x%x is %d bytes after the start of %s, which has %d", addr, addr-b.Addr, b.Name, len(b.Data))
	case next != nil:
		return fault.WrongAt(launch.OutOfBounds, addr, "address 0x%x is %d bytes before the start of %s, which has %d", addr, next.Addr-addr, next.Name, len(next.Data))
	}
	return fault.WrongAt(launch.OutOfBounds, addr, "address 0x%x is outside every buffer", addr)
}

// AllocateShared places a buffer that other tile blocks can access. Each CTA has a part of the address space by its
// number, so that addresses do not depend on who allocates first.
func (m *Reach) AllocateShared(b *Buffer, align, number, total uint64) error {
	part := (sharedEnd - SharedAddr) / total / alignment * alignment
	first := SharedAddr + number*part
	m.Shared = AddAfter(m.Shared, first, align, b)
	if end := b.end(); b.Addr < first || end-first > part {
		m.Shared = m.Shared[:len(m.Shared)-1]
		return fmt.Errorf("the tile block has %d bytes of the address space", part)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	i, _ := slices.BinarySearchFunc(m.Memory.shared, b, func(a, b *Buffer) int { return cmp.Compare(a.Addr, b.Addr) })
	m.Memory.shared = slices.Insert(slices.Clone(m.Memory.shared), i, b)
	return nil
}

// Leave ends the lifetime of all allocations after the first so many private and shared ones.
//
// The list of shared buffers is replaced, not changed: other tile blocks look addresses up in it.
func (m *Reach) Leave(private, shared int) {
	m.last = nil
	m.Private = m.Private[:private]
	if len(m.Shared) == shared {
		return
	}
	gone := m.Shared[shared:]
	m.mu.Lock()
	m.Memory.shared = slices.DeleteFunc(slices.Clone(m.Memory.shared), func(b *Buffer) bool { return slices.Contains(gone, b) })
	m.mu.Unlock()
	m.Shared = m.Shared[:shared]
}
