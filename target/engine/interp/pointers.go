package interp

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// A masking is which elements of an access through pointers are made.
type masking struct {
	op    ir.Op
	ptrs  int
	mask  int // slot, or -1
	shape []int64
	runs  []int64 // what the access says of its pointers (tile.AttrRuns)
	size  uint64  // of an element, where it says that
}

func (d *decoder) masking(op ir.Op, ptrs string) masking {
	v := op.OperandNamed(ptrs)
	k := masking{op: op, ptrs: d.slot(v), mask: d.optional(op, "mask"), shape: shapeOf(v)}
	// cuda_tile's accesses make no such promise: there an attribute of that name is anybody's, and nothing has verified it.
	if ptr, ok := ir.ElementType(v.Type()).(*tile.PtrType); ok {
		if list, ok := op.Attr(tile.AttrRuns).(*ir.DenseArrayAttr); ok {
			k.runs, k.size = list.Values, uint64(elementBytes(ptr.Pointee))
		}
	}
	return k
}

// each calls f with the number and the address of each element that is not masked off.
//
// Addresses of elements that are masked off may be anything, unspecified too: they are not looked at ("load_ptr_tko",
// mask).
func (k masking) each(m *machine, f func(i int, addr uint64) error) error {
	if k.mask >= 0 {
		if err := m.defined(k.op, k.mask, k.shape, "mask"); err != nil {
			return err
		}
	}
	ptrs := m.vals[k.ptrs]
	if err := k.promised(m, ptrs); err != nil {
		return err
	}
	for i, addr := range ptrs.data {
		if k.off(m, i) {
			continue
		}
		if ptrs.isUndef(i) {
			return m.defined(k.op, k.ptrs, k.shape, "address")
		}
		if err := f(i, addr); err != nil {
			return failAt(k.op, k.shape, i, err)
		}
	}
	return nil
}

// promised returns an error if the pointers are not neighbours where the access says so, or are not all masked off or none: compiled code looks at the first of a run only.
func (k masking) promised(m *machine, ptrs *vec) error {
	step := 1 // from an element to the next along the dimension
	for d := len(k.runs) - 1; d >= 0; d-- {
		n := int(min(k.runs[d], k.shape[d]))
		for i := range ptrs.data {
			at := i / step % int(k.shape[d]) % n
			first := i - at*step
			switch {
			case n == 1 || ptrs.isUndef(i) || ptrs.isUndef(first):
			case k.off(m, i) != k.off(m, first):
				return k.op.Errorf("%s: is masked off or not alone, but the access says that runs of %d along dimension %d are so together", place(k.shape, i), n, d)
			case !k.off(m, i) && (ptrs.data[i] != ptrs.data[first]+uint64(at)*k.size || ptrs.data[first]%(uint64(n)*k.size) != 0):
				return k.op.Errorf("%s: address 0x%x does not follow 0x%x, but the access says that runs of %d along dimension %d do, aligned as a whole", place(k.shape, i), ptrs.data[i],
					ptrs.data[first], n, d)
			}
		}
		step *= int(k.shape[d])
	}
	return nil
}

// off reports whether element i is masked off.
func (k masking) off(m *machine, i int) bool { return k.mask >= 0 && m.vals[k.mask].data[i]&1 == 0 }

func (d *decoder) loadPtr(op ir.Op) (func(*machine) error, error) {
	return d.loadThrough(op, "source", "paddingValue")
}

// loadThrough decodes a load through the pointers of one operand, with another one for the elements that are masked off.
func (d *decoder) loadThrough(op ir.Op, ptrs, padding string) (func(*machine) error, error) {
	return d.loadThroughTo(op, ptrs, d.optional(op, padding), d.result(op, 0), elemOf(op.Result(0)))
}

// zerosElsewhere, as the slot of the other operand, makes elements that are masked off zero.
const zerosElsewhere = -2

// loadThroughTo is loadThrough with the slots of the other operand, which may be negative, and of the result.
func (d *decoder) loadThroughTo(op ir.Op, ptrs string, other, out int, elem ir.Type) (func(*machine) error, error) {
	k := d.masking(op, ptrs)
	c, err := d.cell(op, elem)
	if err != nil {
		return nil, err
	}
	n := count(k.shape)
	return func(m *machine) error {
		r := m.alloc(n)
		m.put(out, r)
		if k.mask >= 0 {
			for i := range r.data {
				switch {
				case !k.off(m, i):
				case other == zerosElsewhere:
					r.data[i] = 0
				case other < 0 || m.vals[other].isUndef(i):
					r.markUndef(i)
				default:
					r.data[i] = m.vals[other].data[i]
				}
			}
		}
		return k.each(m, func(i int, addr uint64) error { return c.load(m, c.position(addr), r, i) })
	}, nil
}

func (d *decoder) storePtr(op ir.Op) (func(*machine) error, error) {
	return d.storeThrough(op, "destination")
}

func (d *decoder) storeThrough(op ir.Op, ptrs string) (func(*machine) error, error) {
	k, value := d.masking(op, ptrs), d.slot(op.OperandNamed("value"))
	c, err := d.cell(op, elemOf(op.OperandNamed("value")))
	if err != nil {
		return nil, err
	}
	return func(m *machine) error {
		x := m.vals[value]
		return k.each(m, func(i int, addr uint64) error {
			if x.isUndef(i) && !m.run.engine.LooseStores {
				return unspecified(op, k.shape, i)
			}
			return c.store(m, c.position(addr), x.data[i])
		})
	}, nil
}
