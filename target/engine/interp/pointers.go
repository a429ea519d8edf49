package interp

import (
	"github.com/tilewright/tilewright/ir"
)

// A masking is which elements of an access through pointers are made.
type masking struct {
	op    ir.Op
	ptrs  int
	mask  int // slot, or -1
	shape []int64
}

func (d *decoder) masking(op ir.Op, ptrs string) masking {
	v := op.OperandNamed(ptrs)
	return masking{op, d.slot(v), d.optional(op, "mask"), shapeOf(v)}
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
	for i, addr := range ptrs.data {
		if k.off(m, i) {
			continue
		}
		if ptrs.isUndef(i) {
			return m.defined(k.op, k.ptrs, k.shape, "address")
		}
		if err := f(i, addr); err != nil {
			return k.op.Errorf("%s: %v", place(k.shape, i), err)
		}
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
	k, other := d.masking(op, ptrs), d.optional(op, padding)
	c, err := d.cell(op, elemOf(op.Result(0)))
	if err != nil {
		return nil, err
	}
	out, n := d.result(op, 0), count(k.shape)
	return func(m *machine) error {
		r := m.alloc(n)
		m.put(out, r)
		if k.mask >= 0 {
			for i := range r.data {
				switch {
				case !k.off(m, i):
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
			if x.isUndef(i) {
				return unspecified(op, k.shape, i)
			}
			return c.store(m, c.position(addr), x.data[i])
		})
	}, nil
}
