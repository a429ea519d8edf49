package memory

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
	"sync"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/fault"
	"github.com/tilewright/tilewright/target/engine/interp/values"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// gap separates buffers in the address space, so that running off one does not reach the next. Every buffer has
// alignment.
const (
	gap       = 1 << 20
	alignment = 256

	firstAddr   = 0x7f00_0000_0000 // buffers and globals; in launches with segments: launch.OwnAddr
	SharedAddr  = 0x2000_0000_0000 // alloca, global
	sharedEnd   = launch.OwnAddr
	PrivateAddr = 0x1000_0000_0000 // alloca; the addresses of different tile blocks overlap
)

// A Buffer is a range of memory.
type Buffer struct {
	Name     string
	Addr     uint64
	Data     []byte
	Written  []uint8 // which halves of each byte are written, in memory that starts without values; nil: all are
	ReadOnly bool
	Alloca   bool            // made by an alloca
	Object   int             // its object number, or -1
	Segment  *launch.Segment // its segment; nil: none
	Serial   int             // which allocation of the tile block made it, from 1 on; 0: none

	Devices int    // how many devices hold a copy; above one only for the first device's buffer
	Apart   uint64 // the distance between the copies
}

func (b *Buffer) end() uint64 { return b.Addr + uint64(len(b.Data)) }

// Memory is the global memory of a launch.
//
// Locks are few and chosen by address, not one for each word. Accesses stronger than weak are rare, and two that share
// a lock by chance only wait.
type Memory struct {
	buffers []*Buffer // by address; fixed while tile blocks run
	Globals map[string]uint64
	first   uint64 // the first address that is not the caller's

	locks [256]sync.Mutex // of atomic accesses, by address

	mu     sync.RWMutex
	shared []*Buffer // by address; made by alloca
}

// AddAfter appends a buffer to a list, after a gap.
func AddAfter(list []*Buffer, first uint64, align uint64, b *Buffer) []*Buffer {
	b.Addr = first
	if n := len(list); n > 0 {
		b.Addr = list[n-1].end() + gap
	}
	align = max(align, alignment)
	b.Addr = (b.Addr + align - 1) / align * align
	return append(list, b)
}

// NewMemory places the buffers of a request and the globals of a kernel. It returns the bit pattern of each argument. A
// buffer that is passed twice is one memory.
func NewMemory(req *launch.Request, globals map[string]ir.Op) (*Memory, []uint64, error) {
	m := &Memory{Globals: make(map[string]uint64), first: firstAddr}
	segments, err := req.SortedSegments()
	if err != nil {
		return nil, nil, err
	}
	if len(segments) > 0 {
		m.first = launch.OwnAddr
	}
	add := func(b *Buffer, align uint64) uint64 {
		m.buffers = AddAfter(m.buffers, m.first, align, b)
		return b.Addr
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
	for _, name := range slices.Sorted(maps.Keys(globals)) {
		g := globals[name]
		align, _ := g.IntAttr("alignment")
		m.Globals[name] = add(&Buffer{Name: "global @" + name, Data: globalBytes(g), ReadOnly: g.HasUnitAttr("constant")}, uint64(align))
	}
	if len(segments) > 0 { // their addresses are the caller's, on both sides of those above
		for _, s := range segments {
			m.buffers = append(m.buffers, &Buffer{Name: s.Label(), Addr: s.Addr, Data: s.Data, Written: unwritten(s.Uninitialized, s.Data), ReadOnly: s.ReadOnly, Segment: s})
		}
		slices.SortStableFunc(m.buffers, func(a, b *Buffer) int { return cmp.Compare(a.Addr, b.Addr) })
		if end := m.buffers; slices.ContainsFunc(end, func(b *Buffer) bool { return b.Segment == nil && b.end() > launch.NotForSegments[1] }) {
			return nil, nil, fmt.Errorf("buffers take more than the %#x bytes of addresses that segments leave", launch.NotForSegments[1]-launch.OwnAddr)
		}
	}
	return m, args, nil
}

// Constant is the error of writing to b, which is read-only.
func (b *Buffer) Constant(addr uint64) error {
	return fault.WrongAt(launch.ReadOnly, addr, "address 0x%x is in %s, which is constant", addr, b.Name)
}

// addReplicas places a buffer of a request, and returns its address on the device that runs the kernel. The copies of
// other devices follow at equal distances.
func (m *Memory) addReplicas(name string, from *launch.Buffer) uint64 {
	first := len(m.buffers)
	devices := max(1, from.Replicas)
	for i := range devices {
		b := &Buffer{Name: name, Data: from.Replica(i), Written: unwritten(from.Uninitialized, from.Replica(i))}
		if i > 0 {
			b.Name = fmt.Sprintf("%s on device %d", name, i)
		}
		m.buffers = AddAfter(m.buffers, m.first, alignment, b)
	}
	b := m.buffers[first]
	b.Devices = devices
	if devices > 1 {
		b.Apart = m.buffers[first+1].Addr - b.Addr
	}
	return b.Addr
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
	elem, n := t.ElemType(), values.Count(t.Dims())
	data := make([]byte, values.StorageBytes(elem, n))
	for i := range n {
		put(data, elem, i, value.Bits(elem, i))
	}
	return data
}

// put stores element i of an array.
func put(data []byte, elem ir.Type, i int, v uint64) {
	if values.IsHalf(elem) {
		shift := i % 2 * 4
		data[i/2] = data[i/2]&^(15<<shift) | byte(v&15)<<shift
		return
	}
	size := values.ElementBytes(elem)
	for k := range size {
		data[i*size+k] = byte(v >> (8 * k))
	}
}

// lookup returns the last buffer of a list that begins at or before an address.
func lookup(list []*Buffer, addr uint64) *Buffer {
	i := sort.Search(len(list), func(i int) bool { return list[i].Addr > addr }) - 1
	if i < 0 {
		return nil
	}
	return list[i]
}

// Lock returns the lock for atomic accesses of the eight bytes around an address.
func (m *Memory) Lock(addr uint64) *sync.Mutex {
	h := addr >> 3
	return &m.locks[(h^h>>8)%uint64(len(m.locks))]
}
