package access

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/fault"
	"github.com/tilewright/tilewright/target/engine/interp/memory"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

func init() {
	for _, l := range core.Levels {
		core.Define(core.Table{
			l.Load:      {Run: func(d *core.Decoder, op ir.Op) (core.Action, error) { return loadThrough(d, op, "ptrs", "other") }},
			l.Store:     {Run: func(d *core.Decoder, op ir.Op) (core.Action, error) { return storeThrough(d, op, "ptrs") }},
			l.AtomicRMW: {Run: func(d *core.Decoder, op ir.Op) (core.Action, error) { return atomicThrough(d, op, "ptrs", "value") }},
			l.AtomicCAS: {Run: func(d *core.Decoder, op ir.Op) (core.Action, error) {
				return casThrough(d, op, "ptrs", "compare", "value")
			}},
		})
	}
}

// A masking is the pointers of an access, and which of its elements are made.
type masking struct {
	op    ir.Op
	ptrs  int
	mask  int // slot, or -1
	shape []int64
	runs  []int64 // what the access says of its pointers (tile.AttrRuns)
	size  uint64  // of an element, if runs are given
}

// Masking decodes the pointers and the mask of an access.
func Masking(d *core.Decoder, op ir.Op, ptrs string) masking {
	v := op.OperandNamed(ptrs)
	k := masking{op: op, ptrs: d.Slot(v), mask: d.Optional(op, "mask"), shape: values.ShapeOf(v)}
	// Accesses of cuda_tile make no such promise. There, an attribute of that name is unknown, and nothing has verified
	// it.
	if ptr, ok := ir.ElementType(v.Type()).(*tile.PtrType); ok {
		if list, ok := op.Attr(tile.AttrRuns).(*ir.DenseArrayAttr); ok {
			k.runs, k.size = list.Values, uint64(values.ElementBytes(ptr.Pointee))
		}
	}
	return k
}

// Each calls f with the number and the address of each element that is not masked off. The address of a masked element
// is not read: it may be anything, even unspecified ("load_ptr_tko", mask).
func (k masking) Each(m *core.Machine, f func(i int, addr uint64) error) error {
	if k.mask >= 0 {
		if err := m.Defined(k.op, k.mask, k.shape, "mask"); err != nil {
			return err
		}
	}
	ptrs := m.Vals[k.ptrs]
	if err := k.promised(m, ptrs); err != nil {
		return err
	}
	for i, addr := range ptrs.Data {
		if k.off(m, i) {
			continue
		}
		if ptrs.IsUndef(i) {
			return m.Defined(k.op, k.ptrs, k.shape, "address")
		}
		if err := f(i, addr); err != nil {
			return fault.At(k.op, k.shape, i, err)
		}
	}
	return nil
}

// promised rejects pointers that break the promise of runs. The pointers of a run must be neighbours, and all or none
// of them masked: compiled code reads only the first.
func (k masking) promised(m *core.Machine, ptrs *values.Vec) error {
	step := 1 // between neighbours along the dimension
	for d := len(k.runs) - 1; d >= 0; d-- {
		n := int(min(k.runs[d], k.shape[d]))
		for i := range ptrs.Data {
			at := i / step % int(k.shape[d]) % n
			first := i - at*step
			switch {
			case n == 1 || ptrs.IsUndef(i) || ptrs.IsUndef(first):
			case k.off(m, i) != k.off(m, first):
				return k.op.Errorf("%s: is masked off or not alone, but the access says that runs of %d along dimension %d are so together", values.Place(k.shape, i), n, d)
			case !k.off(m, i) && (ptrs.Data[i] != ptrs.Data[first]+uint64(at)*k.size || ptrs.Data[first]%(uint64(n)*k.size) != 0):
				return k.op.Errorf("%s: address 0x%x does not follow 0x%x, but the access says that runs of %d along dimension %d do, aligned as a run", values.Place(k.shape, i), ptrs.Data[i],
					ptrs.Data[first], n, d)
			}
		}
		step *= int(k.shape[d])
	}
	return nil
}

// note looks for races of all elements, and returns the cell that accesses them. Like Cell.note it leaves the search to
// the cell if there is one.
func (k masking) note(m *core.Machine, c Cell, write bool) Cell {
	if m.Race == nil || !c.weak || c.half {
		return c
	}
	ptrs, addrs := m.Vals[k.ptrs], m.Addresses[:0]
	for i, addr := range ptrs.Data {
		if !k.off(m, i) && !ptrs.IsUndef(i) {
			addrs = append(addrs, addr)
		}
	}
	m.Addresses, c.noted = addrs, m.Race.Elements(addrs, c.size, write)
	return c
}

// off reports whether element i is masked off.
func (k masking) off(m *core.Machine, i int) bool {
	return k.mask >= 0 && m.Vals[k.mask].Data[i]&1 == 0
}

func loadPtr(d *core.Decoder, op ir.Op) (core.Action, error) {
	return loadThrough(d, op, "source", "paddingValue")
}

// loadThrough decodes a load through the pointers of one operand. Another operand has the values of masked elements.
func loadThrough(d *core.Decoder, op ir.Op, ptrs, padding string) (core.Action, error) {
	return LoadThroughTo(d, op, ptrs, d.Optional(op, padding), d.Result(op, 0), values.ElemOf(op.Result(0)))
}

// ZerosElsewhere, as the slot of the other operand, makes masked elements zero.
const ZerosElsewhere = -2

// LoadThroughTo is loadThrough with the slots of the other operand, which may be negative, and of the result.
func LoadThroughTo(d *core.Decoder, op ir.Op, ptrs string, other, out int, elem ir.Type) (core.Action, error) {
	k := Masking(d, op, ptrs)
	c, err := NewCell(d, op, elem)
	if err != nil {
		return nil, err
	}
	n := values.Count(k.shape)
	return func(m *core.Machine) error {
		r := m.Alloc(n)
		m.Put(out, r)
		if k.mask >= 0 {
			for i := range r.Data {
				switch {
				case !k.off(m, i):
				case other == ZerosElsewhere:
					r.Data[i] = 0
				case other < 0 || m.Vals[other].IsUndef(i):
					r.MarkUndef(i)
				default:
					r.Data[i] = m.Vals[other].Data[i]
				}
			}
		}
		c := k.note(m, c, false)
		// Most elements are in the buffer of the one before, which has passed the checks that are about buffers. Of one
		// where bytes may lack values each element is checked.
		var last *memory.Buffer
		plain := c.simple(m, false) && !m.Program.Bulk
		return k.Each(m, func(i int, addr uint64) error {
			addr = c.position(addr)
			if last == nil || !c.inside(last, addr) {
				err := c.Load(m, addr, r, i)
				if plain && err == nil {
					if last, err = m.Mem.Find(addr, c.size); last.Written != nil {
						plain, last = false, nil
					}
				}
				return err
			}
			if m.Race != nil && addr >= c.noted {
				if err := m.Race.Access(addr, c.size, false); err != nil {
					return err
				}
			}
			r.Data[i] = values.FromBytes(last.Data[addr-last.Addr:][:c.size])
			return nil
		})
	}, nil
}

// inside reports whether an element at an address is aligned, and in a buffer.
func (c Cell) inside(b *memory.Buffer, addr uint64) bool {
	off, n := addr-b.Addr, uint64(len(b.Data))
	return off < n && n-off >= c.size && addr&(c.size-1) == 0
}

func storePtr(d *core.Decoder, op ir.Op) (core.Action, error) {
	return storeThrough(d, op, "destination")
}

func storeThrough(d *core.Decoder, op ir.Op, ptrs string) (core.Action, error) {
	k, value := Masking(d, op, ptrs), d.Slot(op.OperandNamed("value"))
	c, err := NewCell(d, op, values.ElemOf(op.OperandNamed("value")))
	if err != nil {
		return nil, err
	}
	return func(m *core.Machine) error {
		x, c := m.Vals[value], k.note(m, c, true)
		return k.Each(m, func(i int, addr uint64) error {
			if x.IsUndef(i) && !m.Launch.Options.LooseStores {
				return unspecified(op, k.shape, i)
			}
			return c.Store(m, c.position(addr), x.Data[i])
		})
	}, nil
}
