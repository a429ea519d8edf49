package access

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/memory"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

func init() {
	core.Define(core.Table{
		cudatile.AtomicRMW: {Run: atomicRMW}, cudatile.AtomicCAS: {Run: atomicCAS},
		cudatile.AtomicRedView: {Run: atomicRedView},
	})
}

// Modify returns how an atomic combines an old element with its operand.
func Modify(op ir.Op, elem ir.Type) (func(old, arg uint64) uint64, error) {
	w := values.WidthOf(elem)
	switch mode := core.AtomicModeOf(op); mode {
	case cudatile.AtomicAnd:
		return func(old, arg uint64) uint64 { return old & arg }, nil
	case cudatile.AtomicOr:
		return func(old, arg uint64) uint64 { return old | arg }, nil
	case cudatile.AtomicXor:
		return func(old, arg uint64) uint64 { return old ^ arg }, nil
	case cudatile.AtomicAdd:
		return w.Add, nil
	case cudatile.AtomicAddF:
		f := values.FormatOf(elem)
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

// Update replaces the element at a position by f of it, atomically, and returns the old element.
//
// An atomic on memory without a value is an error, unlike a load of it: its old value enters what it stores.
//
// m.Ordered says that the tile block read memory which others may change, m.Changed that it wrote something new. A loop
// iteration with the first and without the second is waiting for another tile block (control.loopOp).
func (c Cell) Update(m *core.Machine, addr uint64, f func(old uint64) uint64) (old uint64, err error) {
	b, err := c.check(m, addr, true)
	if err != nil {
		return 0, err
	}
	off, l := addr-b.Addr, m.Mem.Lock(addr)
	l.Lock()
	specified := b.HasValue(off, c.size)
	l.Unlock()
	switch {
	case b.ReadOnly:
		return 0, b.Constant(addr)
	case !specified:
		return 0, fmt.Errorf("address 0x%x is in %s and was never written", addr, b.Name)
	}
	if m.Race != nil {
		if err := m.Race.Access(addr, c.size, true); err != nil {
			return 0, err
		}
	}
	m.Ordered = true
	data := b.Data[off : off+c.size]
	l.Lock()
	old = values.FromBytes(data)
	now := f(old)
	values.ToBytes(data, now)
	l.Unlock()
	m.Changed = m.Changed || now != old
	if m.Race != nil {
		m.Race.Accessed(addr)
	}
	return old, nil
}

func atomicRMW(d *core.Decoder, op ir.Op) (core.Action, error) {
	return atomicThrough(d, op, "pointers", "arg")
}

// atomicThrough updates the elements of a tile one after another, in order. Two with the same address both count. A
// masked element has an unspecified old value.
func atomicThrough(d *core.Decoder, op ir.Op, ptrs, value string) (core.Action, error) {
	k, arg := Masking(d, op, ptrs), d.Slot(op.OperandNamed(value))
	elem := values.ElemOf(op.Result(0))
	c, err := NewCell(d, op, elem)
	if err != nil {
		return nil, err
	}
	f, err := Modify(op, elem)
	if err != nil {
		return nil, err
	}
	out, n := d.Result(op, 0), values.Count(k.shape)
	return func(m *core.Machine) error {
		r, x := m.Alloc(n), m.Vals[arg]
		m.Put(out, r)
		for i := range r.Data {
			if k.off(m, i) {
				r.MarkUndef(i)
			}
		}
		return k.Each(m, func(i int, addr uint64) error {
			if x.IsUndef(i) {
				return unspecified(op, k.shape, i)
			}
			var err error
			r.Data[i], err = c.Update(m, c.position(addr), func(old uint64) uint64 { return f(old, x.Data[i]) })
			return err
		})
	}, nil
}

// atomicCAS compares patterns, also those of floats. The result of a masked element is what it would be compared with.
func atomicCAS(d *core.Decoder, op ir.Op) (core.Action, error) {
	return casThrough(d, op, "pointers", "cmp", "val")
}

// casThrough copies the compared values into the result first. Masked elements keep them, the others are overwritten.
func casThrough(d *core.Decoder, op ir.Op, ptrs, compare, with string) (core.Action, error) {
	k, cmp, value := Masking(d, op, ptrs), d.Slot(op.OperandNamed(compare)), d.Slot(op.OperandNamed(with))
	c, err := NewCell(d, op, values.ElemOf(op.Result(0)))
	if err != nil {
		return nil, err
	}
	out, n := d.Result(op, 0), values.Count(k.shape)
	return func(m *core.Machine) error {
		r, want, x := m.Alloc(n), m.Vals[cmp], m.Vals[value]
		m.Put(out, r)
		copy(r.Data, want.Data)
		for i := range r.Data {
			if want.IsUndef(i) {
				r.MarkUndef(i)
			}
		}
		return k.Each(m, func(i int, addr uint64) error {
			if x.IsUndef(i) || want.IsUndef(i) {
				return unspecified(op, k.shape, i)
			}
			var err error
			r.Data[i], err = c.Update(m, c.position(addr), func(old uint64) uint64 {
				if old == want.Data[i] {
					return x.Data[i]
				}
				return old
			})
			return err
		})
	}, nil
}

// atomicRedView leaves out the elements outside the tensor, as stores do.
func atomicRedView(d *core.Decoder, op ir.Op) (core.Action, error) {
	v, err := viewing(d, op, op.OperandNamed("view"), op.OperandsNamed("index"))
	if err != nil {
		return nil, err
	}
	return atomicWindow(d, v, indexed(v))
}

// atomicWindow decodes the update of a tile in memory by the operand "value".
func atomicWindow(d *core.Decoder, v *memory.Viewing, window windowing) (core.Action, error) {
	op := v.Op
	c, err := NewCell(d, op, v.Elem)
	if err != nil {
		return nil, err
	}
	f, err := Modify(op, v.Elem)
	if err != nil {
		return nil, err
	}
	value := d.Slot(op.OperandNamed("value"))
	return func(m *core.Machine) error {
		w, err := window(m)
		if err != nil {
			return err
		}
		x := m.Vals[value]
		step := w.Stride[len(w.Stride)-1] * int64(c.unit)
		return w.Runs(func(row memory.Run) error {
			addr := c.position(w.Base) + uint64(row.Offset)*c.unit
			for i := row.First; i < row.First+row.Inside; i++ {
				if x.IsUndef(i) {
					return unspecified(op, v.Shape, i)
				}
				_, err := c.Update(m, addr, func(old uint64) uint64 { return f(old, x.Data[i]) })
				if err != nil {
					return op.Errorf("%s: %v", values.Place(v.Shape, i), err)
				}
				addr += uint64(step)
			}
			return nil
		})
	}, nil
}
