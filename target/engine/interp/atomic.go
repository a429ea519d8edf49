package interp

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

func init() {
	define(map[*ir.OpDef]rule{
		cudatile.AtomicRMW: (*decoder).atomicRMW, cudatile.AtomicCAS: (*decoder).atomicCAS,
		cudatile.AtomicRedView: (*decoder).atomicRedView,
	})
}

// modify returns what a mode stores for an old element and the operand.
func modify(op ir.Op, elem ir.Type) (func(old, arg uint64) uint64, error) {
	w := widthOf(elem)
	switch mode := atomicModeOf(op); mode {
	case cudatile.AtomicAnd:
		return func(old, arg uint64) uint64 { return old & arg }, nil
	case cudatile.AtomicOr:
		return func(old, arg uint64) uint64 { return old | arg }, nil
	case cudatile.AtomicXor:
		return func(old, arg uint64) uint64 { return old ^ arg }, nil
	case cudatile.AtomicAdd:
		return w.Add, nil
	case cudatile.AtomicAddF:
		f := formatOf(elem)
		return func(old, arg uint64) uint64 { return f.Add(old, arg, numeric.Env{}) }, nil
	case cudatile.AtomicMax, cudatile.AtomicUMax:
		return func(old, arg uint64) uint64 { return w.Max(old, arg, mode == cudatile.AtomicMax) }, nil
	case cudatile.AtomicMin, cudatile.AtomicUMin:
		return func(old, arg uint64) uint64 { return w.Min(old, arg, mode == cudatile.AtomicMin) }, nil
	case cudatile.AtomicXchg:
		return func(_, arg uint64) uint64 { return arg }, nil
	}
	return nil, op.Errorf("has an unknown mode")
}

// update replaces the element at a position by what f makes of it, atomically, and returns the old one.
//
// An atomic on memory that nobody has written is an error, unlike a load of it, because its old value enters what is
// stored.
//
// m.ordered says that the tile block looked at memory that others may change, m.changed that it wrote something
// new: a loop that does the first without the second is waiting for another tile block (loopOp).
func (c cell) update(m *machine, addr uint64, f func(old uint64) uint64) (old uint64, err error) {
	b, err := c.check(m, addr, true)
	if err != nil {
		return 0, err
	}
	off := addr - b.addr
	switch {
	case b.readOnly:
		return 0, b.constant(addr)
	case b.written != nil && !allWritten(b.written[off:off+c.size]):
		return 0, fmt.Errorf("address 0x%x is in %s and was never written", addr, b.name)
	}
	if m.race != nil {
		if err := m.race.access(addr, c.size, true); err != nil {
			return 0, err
		}
	}
	m.ordered = true
	data := b.data[off : off+c.size]
	l := m.mem.lock(addr)
	l.Lock()
	old = get(data)
	now := f(old)
	set(data, now)
	l.Unlock()
	m.changed = m.changed || now != old
	if m.race != nil {
		m.race.accessed(addr)
	}
	return old, nil
}

func (d *decoder) atomicRMW(op ir.Op) (func(*machine) error, error) {
	return d.atomicThrough(op, "pointers", "arg")
}

// atomicThrough updates the elements of a tile one after the other, in order; two that have one address both
// count. An element that is masked off yields an unspecified old value (atomicCAS has a rule of its own).
func (d *decoder) atomicThrough(op ir.Op, ptrs, value string) (func(*machine) error, error) {
	k, arg := d.masking(op, ptrs), d.slot(op.OperandNamed(value))
	elem := elemOf(op.Result(0))
	c, err := d.cell(op, elem)
	if err != nil {
		return nil, err
	}
	f, err := modify(op, elem)
	if err != nil {
		return nil, err
	}
	out, n := d.result(op, 0), count(k.shape)
	return func(m *machine) error {
		r, x := m.alloc(n), m.vals[arg]
		m.put(out, r)
		for i := range r.data {
			if k.off(m, i) {
				r.markUndef(i)
			}
		}
		return k.each(m, func(i int, addr uint64) error {
			if x.isUndef(i) {
				return unspecified(op, k.shape, i)
			}
			var err error
			r.data[i], err = c.update(m, c.position(addr), func(old uint64) uint64 { return f(old, x.data[i]) })
			return err
		})
	}, nil
}

// atomicCAS compares patterns, those of floats as well. The result of an element that is masked off is what it would be compared with.
func (d *decoder) atomicCAS(op ir.Op) (func(*machine) error, error) {
	return d.casThrough(op, "pointers", "cmp", "val")
}

// casThrough copies the compared values into the result first: that is what masked elements keep, and the others are overwritten.
func (d *decoder) casThrough(op ir.Op, ptrs, compare, with string) (func(*machine) error, error) {
	k, cmp, value := d.masking(op, ptrs), d.slot(op.OperandNamed(compare)), d.slot(op.OperandNamed(with))
	c, err := d.cell(op, elemOf(op.Result(0)))
	if err != nil {
		return nil, err
	}
	out, n := d.result(op, 0), count(k.shape)
	return func(m *machine) error {
		r, want, x := m.alloc(n), m.vals[cmp], m.vals[value]
		m.put(out, r)
		copy(r.data, want.data)
		for i := range r.data {
			if want.isUndef(i) {
				r.markUndef(i)
			}
		}
		return k.each(m, func(i int, addr uint64) error {
			if x.isUndef(i) || want.isUndef(i) {
				return unspecified(op, k.shape, i)
			}
			var err error
			r.data[i], err = c.update(m, c.position(addr), func(old uint64) uint64 {
				if old == want.data[i] {
					return x.data[i]
				}
				return old
			})
			return err
		})
	}, nil
}

// atomicRedView leaves out the elements outside the tensor, as stores do.
func (d *decoder) atomicRedView(op ir.Op) (func(*machine) error, error) {
	v, err := d.viewing(op, op.OperandNamed("view"), op.OperandsNamed("index"))
	if err != nil {
		return nil, err
	}
	return d.atomicWindow(v, v.window)
}

// atomicWindow decodes the update of a tile in memory by the operand "value".
func (d *decoder) atomicWindow(v *viewing, window windowing) (func(*machine) error, error) {
	op := v.op
	c, err := d.cell(op, v.elem)
	if err != nil {
		return nil, err
	}
	f, err := modify(op, v.elem)
	if err != nil {
		return nil, err
	}
	value := d.slot(op.OperandNamed("value"))
	return func(m *machine) error {
		w, err := window(m)
		if err != nil {
			return err
		}
		x := m.vals[value]
		step := w.stride[len(w.stride)-1] * int64(c.unit)
		return w.runs(func(row run) error {
			addr := c.position(w.base) + uint64(row.offset)*c.unit
			for i := row.first; i < row.first+row.inside; i++ {
				if x.isUndef(i) {
					return unspecified(op, v.shape, i)
				}
				_, err := c.update(m, addr, func(old uint64) uint64 { return f(old, x.data[i]) })
				if err != nil {
					return op.Errorf("%s: %v", place(v.shape, i), err)
				}
				addr += uint64(step)
			}
			return nil
		})
	}, nil
}
