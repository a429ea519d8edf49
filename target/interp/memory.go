package interp

import (
	"fmt"
	"sort"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/launch"
)

// gap separates buffers in the address space, so that running off one does not reach the next; alignment is that of every buffer.
const (
	gap       = 1 << 20
	alignment = 256
	firstAddr = 0x7f00_0000_0000
)

type buffer struct {
	name string
	addr uint64
	data []byte
}

// memory is the global memory of a launch. Buffers are sorted by address and never change while tile blocks run.
type memory struct{ buffers []*buffer }

func (m *memory) add(name string, data []byte) uint64 {
	addr := uint64(firstAddr)
	if n := len(m.buffers); n > 0 {
		last := m.buffers[n-1]
		addr = (last.addr + uint64(len(last.data)) + gap + alignment - 1) / alignment * alignment
	}
	m.buffers = append(m.buffers, &buffer{name, addr, data})
	return addr
}

// newMemory places the buffers of a request and returns the bit pattern of each argument. A buffer that is passed twice is one memory.
func newMemory(req *launch.Request) (*memory, []uint64) {
	m := &memory{}
	placed := make(map[*launch.Buffer]uint64)
	args := make([]uint64, len(req.Args))
	for i, a := range req.Args {
		if a.Buffer == nil {
			args[i] = a.Scalar.Bits
			continue
		}
		addr, ok := placed[a.Buffer]
		if !ok {
			addr = m.add(fmt.Sprintf("argument %d", i), a.Buffer.Data)
			placed[a.Buffer] = addr
		}
		args[i] = addr
	}
	return m, args
}

// find returns the bytes of an access of size bytes.
func (m *memory) find(addr uint64, size int) ([]byte, error) {
	i := sort.Search(len(m.buffers), func(i int) bool { return m.buffers[i].addr > addr }) - 1
	if i < 0 {
		return nil, fmt.Errorf("address 0x%x is outside every buffer", addr)
	}
	b := m.buffers[i]
	off := addr - b.addr
	if off+uint64(size) > uint64(len(b.data)) {
		return nil, fmt.Errorf("address 0x%x is %d bytes behind the start of %s, which has %d", addr, off, b.name, len(b.data))
	}
	if addr%uint64(size) != 0 {
		return nil, fmt.Errorf("address 0x%x is not aligned to the element's %d bytes", addr, size)
	}
	return b.data[off : off+uint64(size)], nil
}

// elementBytes returns the size of an element in memory: an i1 takes a byte, a pointer eight, a tf32 four.
func elementBytes(t ir.Type) int {
	if _, ok := t.(*cudatile.PtrType); ok {
		return 8
	}
	return max(1, ir.BitWidth(t)/8)
}

func (m *memory) load(addr uint64, elem ir.Type) (uint64, error) {
	b, err := m.find(addr, elementBytes(elem))
	if err != nil {
		return 0, err
	}
	var v uint64
	for i := len(b) - 1; i >= 0; i-- {
		v = v<<8 | uint64(b[i])
	}
	if ir.BitWidth(elem) == 1 && v != 0 {
		v = 1 // any byte but zero is true
	}
	return v, nil
}

func (m *memory) store(addr uint64, elem ir.Type, v uint64) error {
	b, err := m.find(addr, elementBytes(elem))
	if err != nil {
		return err
	}
	for i := range b {
		b[i] = byte(v >> (8 * i))
	}
	return nil
}
