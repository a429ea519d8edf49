package interp

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A buffer in shared memory holds a tile. Once buffers have places, one that is stored to takes away the contents of those that share bytes
// with it, so that an allocation which is too tight shows as an unspecified value.
func init() {
	twins[tileas.ConvertLayout] = cudatile.Reshape
	define(map[*ir.OpDef]rule{
		tileas.AllocShared: (*decoder).allocShared, tileas.LocalStore: (*decoder).localStore, tileas.LocalLoad: (*decoder).localLoad,
		tileas.Barrier: ordering,
	})
}

// A sharedBuffer is what an alloc_shared makes.
type sharedBuffer struct {
	slot     int
	lo, hi   int64 // bytes of shared memory; lo < 0: not known
	conflict []int // the slots of the buffers that share bytes with it
}

func (d *decoder) allocShared(op ir.Op) (func(*machine) error, error) {
	t := op.Result(0).Type().(*tileas.BufferType)
	n := count(t.Shape)
	if n < 1 || n > maxElements {
		return nil, op.Errorf("cannot be interpreted: makes a buffer of %d elements", n)
	}
	b := &sharedBuffer{slot: d.tempSlot(), lo: -1}
	if at, ok := op.IntAttr(tileas.AttrOffset); ok {
		b.lo, b.hi = at, at+t.Bytes()
		for _, other := range d.buffers {
			if other.lo >= 0 && b.lo < other.hi && other.lo < b.hi {
				b.conflict = append(b.conflict, other.slot)
				other.conflict = append(other.conflict, b.slot)
			}
		}
	}
	d.buffers[op.Result(0)] = b
	return func(m *machine) error {
		m.put(b.slot, m.unspecified(n))
		return nil
	}, nil
}

// unspecified returns n elements without values.
func (m *machine) unspecified(n int) *vec {
	v := m.alloc(n)
	v.undef = slices.Repeat([]bool{true}, n)
	clear(v.data)
	return v
}

// buffer returns the buffer that an operand is.
func (d *decoder) buffer(op ir.Op, v ir.Value) (*sharedBuffer, error) {
	b := d.buffers[v]
	if b == nil {
		return nil, op.Errorf("cannot be interpreted: its buffer is not the result of 'nv_tileas.alloc_shared'")
	}
	return b, nil
}

func (d *decoder) localStore(op ir.Op) (func(*machine) error, error) {
	b, err := d.buffer(op, op.Operand(1))
	if err != nil {
		return nil, err
	}
	value := d.slot(op.Operand(0))
	return func(m *machine) error {
		m.share(b.slot, m.vals[value])
		for _, s := range b.conflict {
			if m.vals[s] != nil {
				m.put(s, m.unspecified(len(m.vals[s].data)))
			}
		}
		return nil
	}, nil
}

func (d *decoder) localLoad(op ir.Op) (func(*machine) error, error) {
	b, err := d.buffer(op, op.Operand(0))
	if err != nil {
		return nil, err
	}
	out := d.result(op, 0)
	return func(m *machine) error {
		m.share(out, m.vals[b.slot])
		return nil
	}, nil
}
