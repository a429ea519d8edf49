package machine

import (
	"fmt"
	"math/bits"
	"sort"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// globalBase is where device allocations start. It is far above 32 bits, so that an address without its upper half is
// caught, and away from the windows of the other spaces (see windows in space.go).
const globalBase = 0x7f00_0000_0000

// guardGap is the least distance between two allocations; an index that runs off one buffer does not land in the next
// one.
//
// An alternative is a shadow map of every byte, as sanitizers have. With gaps, one comparison with the bounds of an
// allocation finds the same mistakes unless an index is off by more than the gap.
const guardGap = 1 << 16

// maxMemory bounds the bytes of one Memory.
const maxMemory = 64 << 30

// Memory is the global memory of a device: a set of named allocations.
// Kernels may run on it in parallel; Alloc, Free, Write and Read must not
// run at the same time as a kernel that uses the same bytes.
//
// The list of allocations is replaced, never changed: every access of a kernel looks it up, without a lock, while
// malloc in another CTA may be adding to it.
type Memory struct {
	mu     sync.Mutex
	next   uint64
	used   uint64
	heap   uint64                        // of that, what malloc reserved
	allocs atomic.Pointer[[]*allocation] // sorted by base
	vars   map[*syntax.Module]map[*syntax.Symbol]uint64
}

// allocation is one buffer. Its bytes are aligned to 16 in this process, so
// that naturally aligned words can be accessed with atomic instructions.
type allocation struct {
	name     string
	Base     uint64
	Data     []byte
	Constant bool
	lazy     *lazyBytes // nil: all bytes are what they are
}

// NewMemory returns an empty device memory.
func NewMemory() *Memory {
	m := &Memory{next: globalBase, vars: map[*syntax.Module]map[*syntax.Symbol]uint64{}}
	m.allocs.Store(new([]*allocation))
	return m
}

// Alloc reserves size zeroed bytes aligned to align, a power of two, and
// returns their device address. Errors about accesses use the name.
func (m *Memory) Alloc(name string, size, align uint64) (uint64, error) {
	return m.allocAligned(name, size, align, zeroed)
}

// zeroed makes words that are zero.
func zeroed(n uint64) []uint64 { return make([]uint64, n) }

func (m *Memory) allocAligned(name string, size, align uint64, words func(n uint64) []uint64) (uint64, error) {
	if align == 0 {
		align = 256
	}
	if bits.OnesCount64(align) != 1 || align > 1<<30 {
		return 0, fmt.Errorf("alignment %d of '%s' is not a power of two up to 2^30", align, name)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	a, err := m.alloc(name, size, align, words)
	if err != nil {
		return 0, err
	}
	return a.Base, nil
}

// Addresses are never given out twice, so that an access to freed memory is always found.
func (m *Memory) alloc(name string, size, align uint64, take func(n uint64) []uint64) (*allocation, error) {
	if size > maxMemory-m.used {
		return nil, fmt.Errorf("allocation of %d bytes for '%s' exceeds the device memory of %d bytes", size, name, uint64(maxMemory))
	}
	m.used += size
	align = max(align, 16)
	base := (m.next + align - 1) &^ (align - 1)
	m.next = base + size + guardGap
	words := take((size + 15) / 8)
	a := &allocation{name: name, Base: base, Data: unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), size)}
	old := *m.allocs.Load()
	i := sort.Search(len(old), func(i int) bool { return old[i].Base > base }) // the last, unless memory was mapped after it
	list := make([]*allocation, len(old)+1)
	copy(list, old[:i])
	list[i] = a
	copy(list[i+1:], old[i:])
	m.allocs.Store(&list)
	return a, nil
}

// Map makes data the memory at an address that the caller chose: bytes of the host, used in place. Its own address
// should agree with the other in the last four bits, so that words can be accessed with atomic instructions, or it is
// an error. Nothing may overlap.
//
// Later allocations keep away from it only if they are made in a memory that OwnBase moved.
func (m *Memory) Map(name string, addr uint64, data []byte, constant bool) error {
	switch end := addr + uint64(len(data)); {
	case addr == 0 || end < addr:
		return fmt.Errorf("'%s' of %d bytes cannot be at address %#x", name, len(data), addr)
	case !Agrees(addr, data):
		return fmt.Errorf("'%s' at address %#x is not where its bytes are, in the last bits", name, addr)
	case isWindow(addr) || isWindow(end):
		return fmt.Errorf("'%s' at address %#x is in the window of another space", name, addr)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	old := *m.allocs.Load()
	i := sort.Search(len(old), func(i int) bool { return old[i].Base > addr })
	if i > 0 && old[i-1].Base+uint64(len(old[i-1].Data)) > addr || i < len(old) && addr+uint64(len(data)) > old[i].Base {
		return fmt.Errorf("'%s' at address %#x overlaps other memory", name, addr)
	}
	list := make([]*allocation, 0, len(old)+1)
	list = append(append(append(list, old[:i]...), &allocation{name: name, Base: addr, Data: data, Constant: constant}), old[i:]...)
	m.allocs.Store(&list)
	return nil
}

// Agrees reports whether bytes of the host can be memory at an address as they are: naturally aligned words are in
// both.
func Agrees(addr uint64, data []byte) bool {
	return len(data) == 0 || uint64(uintptr(unsafe.Pointer(unsafe.SliceData(data))))&15 == addr&15
}

func isWindow(addr uint64) bool {
	sp, _ := Classify(addr)
	return sp != syntax.Global
}

// OwnBase moves later allocations to a range of addresses that no mapped memory is in.
func (m *Memory) OwnBase(addr uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.next = addr
}

// Free releases the allocation that starts at addr.
func (m *Memory) Free(addr uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	old := *m.allocs.Load()
	for i, a := range old {
		if a.Base == addr {
			list := append(append([]*allocation(nil), old[:i]...), old[i+1:]...)
			m.allocs.Store(&list)
			m.used -= uint64(len(a.Data))
			return nil
		}
	}
	return fmt.Errorf("no allocation starts at %#x", addr)
}

// Write copies p to device memory.
func (m *Memory) Write(addr uint64, p []byte) error {
	b, err := m.bytes(addr, uint64(len(p)))
	if err != nil {
		return fmt.Errorf("write: %w", err)
	}
	copy(b, p)
	return nil
}

// Read copies device memory to p.
func (m *Memory) Read(addr uint64, p []byte) error {
	b, err := m.bytes(addr, uint64(len(p)))
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}
	copy(p, b)
	return nil
}

func (m *Memory) bytes(addr, n uint64) ([]byte, error) {
	a := m.Find(addr)
	if a == nil || addr-a.Base > uint64(len(a.Data)) || n > uint64(len(a.Data))-(addr-a.Base) {
		return nil, fmt.Errorf("%d bytes at %s", n, m.describe(addr))
	}
	a.need(addr-a.Base, n)
	return a.Data[addr-a.Base:][:n], nil
}

// Find returns the allocation with the greatest base not above addr.
func (m *Memory) Find(addr uint64) *allocation {
	list := *m.allocs.Load()
	i := sort.Search(len(list), func(i int) bool { return list[i].Base > addr })
	if i == 0 {
		return nil
	}
	return list[i-1]
}

// describe relates an address to the nearest allocation.
func (m *Memory) describe(addr uint64) string {
	list := *m.allocs.Load()
	if addr < 1<<16 {
		return fmt.Sprintf("address %#x (null)", addr)
	}
	a := m.Find(addr)
	past := uint64(1 << 32) // what is further away says nothing
	if a != nil {
		off, size := addr-a.Base, uint64(len(a.Data))
		if off < size {
			return fmt.Sprintf("address %#x, offset %d of '%s' (%d bytes)", addr, off, a.name, size)
		}
		past = min(past, off-size)
	}
	i := sort.Search(len(list), func(i int) bool { return list[i].Base > addr })
	if past < 1<<32 && !(i < len(list) && list[i].Base-addr < past) {
		return fmt.Sprintf("address %#x, %d bytes past the end of '%s' (%d bytes)", addr, past, a.name, len(a.Data))
	}
	if i < len(list) {
		if n := list[i]; n.Base-addr < 1<<32 {
			return fmt.Sprintf("address %#x, %d bytes before '%s' (%d bytes)", addr, n.Base-addr, n.name, len(n.Data))
		}
	}
	return fmt.Sprintf("address %#x, outside of every allocation", addr)
}

// load places the module's .global and .const variables, once for each
// memory, and returns their addresses.
//
// Module variables live as long as the memory: a second launch sees what the first one wrote, as within a CUDA
// context.
func (m *Memory) load(mod *syntax.Module) (map[*syntax.Symbol]uint64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v := m.vars[mod]; v != nil {
		return v, nil
	}
	at := map[*syntax.Symbol]uint64{}
	placed := make([]*allocation, len(mod.Vars))
	for i, v := range mod.Vars {
		a, err := m.alloc(v.Name, uint64(v.Size), uint64(max(v.Align, 1)), zeroed)
		if err != nil {
			return nil, err
		}
		a.Constant = v.Space == syntax.Const
		at[v], placed[i] = a.Base, a
	}
	for i, v := range mod.Vars {
		for _, it := range v.Init {
			bits := it.Bits
			if it.Sym != nil {
				bits += at[it.Sym]
			}
			for k := range it.Size {
				placed[i].Data[it.Offset+int64(k)] = byte(bits >> (8 * k))
			}
		}
	}
	m.vars[mod] = at
	return at, nil
}
