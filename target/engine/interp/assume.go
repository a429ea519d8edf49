package interp

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

func init() { defineVector(map[*ir.OpDef]rule{cudatile.Assume: (*decoder).assume}) }

// assume passes its operand on, after a check of what it promises.
//
// An assumption that does not hold is undefined behaviour, on which the compiler builds vector widths; found here, it
// is an error of the program and not a wrong result of the compiler.
func (d *decoder) assume(op ir.Op) (func(*machine) error, error) {
	v := op.Operand(0)
	if number, ok := d.views[v]; ok {
		d.views[op.Result(0)] = number
		p, ok := op.Attr("predicate").(*cudatile.DivByAttr)
		return func(m *machine) error {
			if base := m.tensors[number].base; ok && base%max(1, p.Divisor) != 0 {
				return failf(op, launch.Assumption, "does not hold: the address 0x%x is not divisible by %d", base, p.Divisor)
			}
			return nil
		}, nil
	}
	if _, ok := d.slots[v]; !ok {
		return nothing, nil // a token
	}
	check := promise(op, op.Attr("predicate"))
	if check != nil && addressesNothing(op.Result(0)) {
		strict := check
		check = func(m *machine, v *vec) error {
			if m.run.engine.LooseStrides {
				return nil
			}
			return strict(m, v)
		}
	}
	return d.promised(op, check)
}

// addressesNothing reports whether a value is only the stride of dimensions of size 1, perhaps behind further assumptions: whatever it is, no address depends on it.
//
// NVIDIA's front end promises a divisor of the constant stride 1 of every array whose last dimension has one element.
func addressesNothing(v ir.Value) bool {
	used := false
	for use := range v.Uses() {
		used = true
		switch op := use.Owner(); {
		case op.Is(cudatile.Assume):
			if !addressesNothing(op.Result(0)) {
				return false
			}
		case op.Is(cudatile.MakeTensorView):
			if !idleStride(op, use.Index()) {
				return false
			}
		default:
			return false
		}
	}
	return used
}

// idleStride reports whether operand n of a make_tensor_view is the stride of a dimension of static size 1.
func idleStride(op ir.Op, n int) bool {
	t := op.Result(0).Type().(*cudatile.TensorViewType)
	k := n - 1 // behind the base come the dynamic sizes, then the dynamic strides
	for _, size := range t.Shape {
		if size == cudatile.Dynamic {
			k--
		}
	}
	for dim, stride := range t.Strides {
		if stride != cudatile.Dynamic {
			continue
		}
		if k == 0 {
			return t.Shape[dim] == 1
		}
		k--
	}
	return false
}

// promised decodes what passes its operand on after a check.
func (d *decoder) promised(op ir.Op, checks ...func(m *machine, v *vec) error) (func(*machine) error, error) {
	a, out := d.slot(op.Operand(0)), d.result(op, 0)
	return func(m *machine) error {
		x := m.vals[a]
		for _, check := range checks {
			if check == nil {
				continue
			}
			if err := check(m, x); err != nil {
				return err
			}
		}
		m.share(out, x)
		return nil
	}, nil
}

func nothing(*machine) error { return nil }

// promise returns the check of a predicate of an assume. Unspecified elements satisfy every one.
func promise(op ir.Op, predicate ir.Attribute) func(m *machine, v *vec) error {
	shape, elem := shapeOf(op.Operand(0)), elemOf(op.Operand(0))
	w := widthOf(elem)
	_, pointers := pointee(elem)
	switch p := predicate.(type) {
	case *cudatile.DivByAttr:
		return divisible(op, p, shape, elem)
	case *cudatile.BoundedAttr:
		return func(_ *machine, v *vec) error {
			for i, b := range v.data {
				x := w.Signed(b)
				if (p.Lower.Given && x < p.Lower.Value || p.Upper.Given && x > p.Upper.Value) && !v.isUndef(i) {
					return failf(op, launch.Assumption, "does not hold: %s is %d, not in [%s, %s]", place(shape, i), x, p.Lower, p.Upper)
				}
			}
			return nil
		}
	case *cudatile.SameElementsAttr:
		if len(shape) == 0 {
			return nil
		}
		return func(_ *machine, v *vec) error {
			step := strides(shape)
			for i, x := range v.data {
				first := int64(0)
				for dim, n := range shape {
					c := int64(i) / step[dim] % n
					if dim < len(p.Values) && p.Values[dim] > 0 {
						c -= c % p.Values[dim]
					}
					first += c * step[dim]
				}
				if y := v.data[first]; x != y && !v.isUndef(i) && !v.isUndef(int(first)) {
					if pointers {
						return failf(op, launch.Assumption, "does not hold: %s is 0x%x, but %s is 0x%x", place(shape, i), x, place(shape, int(first)), y)
					}
					return failf(op, launch.Assumption, "does not hold: %s is %d, but %s is %d", place(shape, i), w.Signed(x), place(shape, int(first)), w.Signed(y))
				}
			}
			return nil
		}
	}
	return nil
}

// divisible checks that the first of each group of elements is divisible, and that the others count up from it.
//
// div_by<16, every 4 along 1> of a tile: elements 0, 4, 8, ... of each row are multiples of 16, and those
// between count up by one; of pointers, by the size of an element.
func divisible(op ir.Op, p *cudatile.DivByAttr, shape []int64, elem ir.Type) func(m *machine, v *vec) error {
	if p.Divisor == 0 {
		return nil
	}
	w, unit := widthOf(elem), int64(1)
	to, pointers := pointee(elem)
	if pointers {
		unit = int64(elementBytes(to))
	}
	every, step := int64(1), int64(1)
	if p.Every.Given && p.Along.Value >= 0 && int(p.Along.Value) < len(shape) {
		every, step = max(1, p.Every.Value), strides(shape)[p.Along.Value]
	}
	size := int64(1) // of the dimension
	if every > 1 {
		size = shape[p.Along.Value]
	}
	return func(_ *machine, v *vec) error {
		for i, b := range v.data {
			k := int64(i) / step % size % every // in its group
			first := i - int(k*step)
			if v.isUndef(i) || v.isUndef(first) {
				continue
			}
			x := w.Signed(b)
			if want := w.Signed(v.data[first]) + k*unit; k > 0 && x != want {
				return failf(op, launch.Assumption, "does not hold: %s is %d, not %d", place(shape, i), x, want)
			}
			if k == 0 && w.Signed(b)%int64(p.Divisor) != 0 {
				return failf(op, launch.Assumption, "does not hold: %s is %d, which is not divisible by %d", place(shape, i), x, p.Divisor)
			}
		}
		return nil
	}
}
