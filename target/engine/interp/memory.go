package interp

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
	"sync"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// gap separates buffers in the address space, so that running off one does not reach the next; alignment is that of every buffer.
const (
	gap       = 1 << 20
	alignment = 256

	firstAddr   = 0x7f00_0000_0000 // buffers and globals; of launches with segments: launch.OwnAddr
	sharedAddr  = 0x2000_0000_0000 // alloca, global
	sharedEnd   = launch.OwnAddr
	privateAddr = 0x1000_0000_0000 // alloca; the addresses of different tile blocks overlap
)

// A buffer is a range of memory.
type buffer struct {
	name     string
	addr     uint64
	data     []byte
	written  []uint8 // which halves of each byte, in memory that begins without a value; nil: all have one
	readOnly bool
	alloca   bool            // made by an alloca,
	object   int             // the object of which has this number, or -1
	segment  *launch.Segment // whose memory it is; nil: of none
	serial   int             // which allocation of the tile block it was, from 1 on; 0: of none

	devices int    // how many hold a copy; more than one only of the buffer of the first device
	apart   uint64 // the distance of the copies
}

func (b *buffer) end() uint64 { return b.addr + uint64(len(b.data)) }

// memory is the global memory of a launch.
//
// The locks are by address and few, instead of one for each word: accesses that are not weak are rare, and two that
// meet at one lock by chance only wait.
type memory struct {
	buffers []*buffer // by address; fixed while tile blocks run
	globals map[string]uint64
	first   uint64 // where those are that have no address of the caller's

	locks [256]sync.Mutex // of accesses that are atomic, by address

	mu     sync.RWMutex
	shared []*buffer // by address; made by alloca
}

// addAfter appends a buffer behind the others of a list.
func addAfter(list []*buffer, first uint64, align uint64, b *buffer) []*buffer {
	b.addr = first
	if n := len(list); n > 0 {
		b.addr = list[n-1].end() + gap
	}
	align = max(align, alignment)
	b.addr = (b.addr + align - 1) / align * align
	return append(list, b)
}

// newMemory places the buffers of a request and the globals of a program, and returns the bit pattern of each argument. A buffer
// that is passed twice is one memory.
func newMemory(req *launch.Request, p *program) (*memory, []uint64, error) {
	m := &memory{globals: make(map[string]uint64), first: firstAddr}
	segments, err := req.SortedSegments()
	if err != nil {
		return nil, nil, err
	}
	if len(segments) > 0 {
		m.first = launch.OwnAddr
	}
	add := func(b *buffer, align uint64) uint64 {
		m.buffers = addAfter(m.buffers, m.first, align, b)
		return b.addr
	}
	placed := make(map[*launch.Buffer]uint64)
	args := make([]uint64, len(req.Args))
	for i, a := range req.Args {
		if a.Buffer == nil {
			args[i] = a.Scalar.Bits
			continue
		}
		addr, ok := placed[a.Buffer]
		if !ok {
			addr = m.addReplicas(fmt.Sprintf("argument %d", i), a.Buffer)
			placed[a.Buffer] = addr
		}
		args[i] = addr + a.Offset
	}
	for _, name := range slices.Sorted(maps.Keys(p.globals)) {
		g := p.globals[name]
		align, _ := g.IntAttr("alignment")
		m.globals[name] = add(&buffer{name: "global @" + name, data: globalBytes(g), readOnly: g.HasUnitAttr("constant")}, uint64(align))
	}
	if len(segments) > 0 { // their addresses are the caller's, before and behind those above
		for _, s := range segments {
			m.buffers = append(m.buffers, &buffer{name: s.Label(), addr: s.Addr, data: s.Data, readOnly: s.ReadOnly, segment: s})
		}
		slices.SortStableFunc(m.buffers, func(a, b *buffer) int { return cmp.Compare(a.addr, b.addr) })
		if end := m.buffers; slices.ContainsFunc(end, func(b *buffer) bool { return b.segment == nil && b.end() > launch.NotForSegments[1] }) {
			return nil, nil, fmt.Errorf("buffers take more than the %#x bytes of addresses that are left beside segments", launch.NotForSegments[1]-launch.OwnAddr)
		}
	}
	return m, args, nil
}

// constant is the error of writing to b, which is read-only.
func (b *buffer) constant(addr uint64) error {
	return wrongf(launch.ReadOnly, "address 0x%x is in %s, which is constant", addr, b.name)
}

// addReplicas places a buffer of a request, and returns its address on the device that the kernel runs on. The copies of other devices
// follow at the same distance from each other.
func (m *memory) addReplicas(name string, from *launch.Buffer) uint64 {
	first := len(m.buffers)
	devices := max(1, from.Replicas)
	for i := range devices {
		b := &buffer{name: name, data: from.Replica(i)}
		if i > 0 {
			b.name = fmt.Sprintf("%s on device %d", name, i)
		}
		m.buffers = addAfter(m.buffers, m.first, alignment, b)
	}
	b := m.buffers[first]
	b.devices = devices
	if devices > 1 {
		b.apart = m.buffers[first+1].addr - b.addr
	}
	return b.addr
}

// globalBytes returns the initial contents of a global.
func globalBytes(g ir.Op) []byte {
	value, ok := g.Attr("value").(*ir.DenseElementsAttr)
	if !ok {
		return nil
	}
	t, ok := value.Type().(ir.ShapedType)
	if !ok {
		return nil
	}
	elem, n := t.ElemType(), count(t.Dims())
	data := make([]byte, storageBytes(elem, n))
	for i := range n {
		put(data, elem, i, value.Bits(elem, i))
	}
	return data
}

// put stores element i of a row of elements.
func put(data []byte, elem ir.Type, i int, v uint64) {
	if isHalf(elem) {
		shift := i % 2 * 4
		data[i/2] = data[i/2]&^(15<<shift) | byte(v&15)<<shift
		return
	}
	size := elementBytes(elem)
	for k := range size {
		data[i*size+k] = byte(v >> (8 * k))
	}
}

// isHalf reports whether two elements of a type share a byte.
func isHalf(t ir.Type) bool { return ir.BitWidth(t) == 4 }

// allHalves is what a byte of buffer.written is when both halves have a value.
const allHalves = 3

func allWritten(list []uint8) bool {
	for _, b := range list {
		if b != allHalves {
			return false
		}
	}
	return true
}

func markWritten(list []uint8) {
	for i := range list {
		list[i] = allHalves
	}
}

// elementBytes returns the size of an element in memory: an i1 takes a byte, a pointer eight, a tf32 four. Elements of four bits share a
// byte, the first in its lower half.
func elementBytes(t ir.Type) int {
	if _, ok := pointee(t); ok {
		return 8
	}
	return max(1, ir.BitWidth(t)/8)
}

// storageBytes returns the size of n elements in a row.
func storageBytes(t ir.Type, n int) int {
	if isHalf(t) {
		return (n + 1) / 2
	}
	return n * elementBytes(t)
}

// lookup returns the buffer of a list that an address may be in.
func lookup(list []*buffer, addr uint64) *buffer {
	i := sort.Search(len(list), func(i int) bool { return list[i].addr > addr }) - 1
	if i < 0 {
		return nil
	}
	return list[i]
}

// find returns the buffer of an access of size bytes at addr, which is not checked for alignment.
//
// The buffer of the access before is tried first; a tile's elements lie in one.
func (m *machine) find(addr, size uint64) (*buffer, error) {
	if b := m.last; b != nil && addr-b.addr < uint64(len(b.data)) && addr-b.addr+size <= uint64(len(b.data)) {
		return b, nil
	}
	b := m.bufferAt(addr)
	if b == nil || addr-b.addr > uint64(len(b.data)) || addr-b.addr+size > uint64(len(b.data)) {
		return nil, m.outside(addr, b)
	}
	m.last = b
	return b, nil
}

// near is how far from memory an address may be to be related to it in messages.
const near = 1 << 32

// outside is the error of an access at an address that is in no buffer or runs off one; b is the last one that begins at or before it.
//
// Of the memory before and behind the address the nearer one is named, for that is what the kernel ran off.
func (m *machine) outside(addr uint64, b *buffer) error {
	var next *buffer
	if addr < privateAddr || addr >= sharedEnd {
		list := m.mem.buffers
		if i := sort.Search(len(list), func(i int) bool { return list[i].addr > addr }); i < len(list) && list[i].addr-addr < near {
			next = list[i]
		}
	}
	switch {
	case b != nil && addr-b.addr >= uint64(len(b.data))+near:
		b = nil
	case b != nil && next != nil && b.end() < addr && next.addr-addr < addr-b.end():
		b = nil
	}
	switch {
	case b != nil:
		return wrongf(launch.OutOfBounds, "address 0x%x is %d bytes behind the start of %s, which has %d", addr, addr-b.addr, b.name, len(b.data))
	case next != nil:
		return wrongf(launch.OutOfBounds, "address 0x%x is %d bytes before the start of %s, which has %d", addr, next.addr-addr, next.name, len(next.data))
	}
	return wrongf(launch.OutOfBounds, "address 0x%x is outside every buffer", addr)
}

func (m *machine) bufferAt(addr uint64) *buffer {
	switch {
	case addr < privateAddr || addr >= sharedEnd:
		return lookup(m.mem.buffers, addr)
	case addr >= sharedAddr:
		m.mem.mu.RLock()
		defer m.mem.mu.RUnlock()
		return lookup(m.mem.shared, addr)
	}
	return lookup(m.private, addr)
}

// lock returns the lock of atomic accesses to the eight bytes around an address.
func (m *memory) lock(addr uint64) *sync.Mutex {
	h := addr >> 3
	return &m.locks[(h^h>>8)%uint64(len(m.locks))]
}
