package interp

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

func init() {
	define(map[*ir.OpDef]rule{cudatile.Alloca: (*decoder).alloca, cudatile.GetGlobal: (*decoder).getGlobal})
}

// maxAlloca bounds the memory of an alloca, and that of all private ones of a tile block: one that cannot be satisfied traps.
const maxAlloca = 1 << 30

func (d *decoder) alloca(op ir.Op) (func(*machine) error, error) {
	elem, _ := pointee(elemOf(op.Result(0)))
	n, _ := op.IntAttr("num_elem")
	align, _ := op.IntAttr("alignment")
	size := maxAlloca + 1
	if n >= 0 && n <= maxAlloca {
		size = storageBytes(elem, int(n))
	}
	return d.allocate(op, fmt.Sprintf("%d elements", n), size, align, op.HasUnitAttr("global"))
}

// allocate decodes an allocation of size bytes, which are described as what.
func (d *decoder) allocate(op ir.Op, what string, size int, align int64, global bool) (func(*machine) error, error) {
	out := d.result(op, 0)
	return func(m *machine) error {
		if size > maxAlloca || align > maxAlloca {
			return op.Errorf("cannot allocate %s", what)
		}
		m.allocated++
		b := &buffer{name: "the memory of an alloca", data: make([]byte, size), alloca: true, object: objectOf(op), serial: m.allocated}
		if global {
			if err := m.allocateShared(b, uint64(align)); err != nil {
				return op.Errorf("cannot allocate %s: %v", what, err)
			}
		} else {
			total := size
			for _, p := range m.private {
				total += len(p.data)
			}
			if total > maxAlloca {
				return op.Errorf("cannot allocate %s: the tile block has %d bytes", what, total-size)
			}
			b.written = make([]uint8, size)
			m.private = addAfter(m.private, privateAddr, uint64(align), b)
		}
		if m.race != nil {
			m.race.forget(b.addr, uint64(size))
		}
		m.put(out, m.scalar(b.addr))
		return nil
	}, nil
}

// allocateShared places a buffer that other tile blocks can access. Each tile block has its own part of the address space, so that addresses
// do not depend on which one allocates first.
func (m *machine) allocateShared(b *buffer, align uint64) error {
	part := (sharedEnd - sharedAddr) / m.run.total / alignment * alignment
	first := sharedAddr + m.number*part
	m.shared = addAfter(m.shared, first, align, b)
	if end := b.end(); b.addr < first || end-first > part {
		m.shared = m.shared[:len(m.shared)-1]
		return fmt.Errorf("the tile block has %d bytes of the address space", part)
	}
	m.mem.mu.Lock()
	defer m.mem.mu.Unlock()
	i, _ := slices.BinarySearchFunc(m.mem.shared, b, func(a, b *buffer) int { return cmp.Compare(a.addr, b.addr) })
	m.mem.shared = slices.Insert(slices.Clone(m.mem.shared), i, b)
	return nil
}

// leave ends the lifetime of what was allocated since there were so many private and shared buffers.
//
// The list of shared buffers is replaced, not changed: other tile blocks look addresses up in it.
func (m *machine) leave(private, shared int) {
	m.last = nil
	m.private = m.private[:private]
	if len(m.shared) == shared {
		return
	}
	gone := m.shared[shared:]
	m.mem.mu.Lock()
	m.mem.shared = slices.DeleteFunc(slices.Clone(m.mem.shared), func(b *buffer) bool { return slices.Contains(gone, b) })
	m.mem.mu.Unlock()
	m.shared = m.shared[:shared]
}

func (d *decoder) getGlobal(op ir.Op) (func(*machine) error, error) {
	return d.globalNamed(op, op.Attr("name").(*ir.SymbolRefAttr).Root, cudatile.Global)
}

// globalNamed decodes the address of a global, which def defines.
func (d *decoder) globalNamed(op ir.Op, name string, def *ir.OpDef) (func(*machine) error, error) {
	out := d.result(op, 0)
	table := op.NearestSymbolTable()
	if table.IsNil() {
		return nil, op.Errorf("is in no symbol table")
	}
	global := table.LookupSymbol(name)
	if global.IsNil() || !global.Is(def) {
		return nil, op.Errorf("'%s' is no global", name)
	}
	d.p.globals[name] = global
	return func(m *machine) error {
		m.put(out, m.scalar(m.mem.globals[name]))
		return nil
	}, nil
}
