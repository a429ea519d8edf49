package compute

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/fault"
	"github.com/tilewright/tilewright/target/engine/interp/values"
	"github.com/tilewright/tilewright/target/engine/launch"
)

func init() {
	defineVector(map[*ir.OpDef]core.Rule{cudatile.Assume: assume})
	core.Define(core.Table{tileaa.Assume: {Run: assumeFacts}})
}

// assume passes its operand on after checking the assumption.
//
// The compiler derives vector widths from assumptions. One that does not hold is undefined behaviour: here it is an
// error of the program, not a wrong result of the compiler.
func assume(d *core.Decoder, op ir.Op) (core.Action, error) {
	v := op.Operand(0)
	if number, ok := d.Views[v]; ok {
		d.Views[op.Result(0)] = number
		p, ok := op.Attr("predicate").(*cudatile.DivByAttr)
		return func(m *core.Machine) error {
			if base := m.Views.Tensors[number].Base; ok && base%max(1, p.Divisor) != 0 {
				return fault.Errorf(op, launch.Assumption, "does not hold: the address 0x%x is not divisible by %d", base, p.Divisor)
			}
			return nil
		}, nil
	}
	if _, ok := d.Slots[v]; !ok {
		return core.Nothing, nil // a token
	}
	check := promise(op, op.Attr("predicate"))
	if check != nil && addressesNothing(op.Result(0)) {
		strict := check
		check = func(m *core.Machine, v *values.Vec) error {
			if m.Launch.Options.LooseStrides {
				return nil
			}
			return strict(m, v)
		}
	}
	return promised(d, op, check)
}

// assumeFacts checks what an assume of nv_tileaa promises.
func assumeFacts(d *core.Decoder, op ir.Op) (core.Action, error) {
	var checks []func(m *core.Machine, v *values.Vec) error
	if n, ok := op.IntAttr(tileaa.AttrDivBy); ok {
		checks = append(checks, promise(op, &cudatile.DivByAttr{Divisor: uint64(n)}))
	}
	var bounds cudatile.BoundedAttr
	bounds.Lower.Value, bounds.Lower.Given = op.IntAttr(tileaa.AttrLower)
	bounds.Upper.Value, bounds.Upper.Given = op.IntAttr(tileaa.AttrUpper)
	return promised(d, op, append(checks, promise(op, &bounds))...)
}

// addressesNothing reports whether a value, or a further assumption about it, is used only as the stride of dimensions
// of size 1. No address depends on such a stride.
//
// NVIDIA's front end assumes a divisor of the constant stride 1 of every array whose last dimension has one element.
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
	k := n - 1 // the base comes first, then the dynamic sizes, then the dynamic strides
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

// promised decodes an operation that passes its operand on after checks.
func promised(d *core.Decoder, op ir.Op, checks ...func(m *core.Machine, v *values.Vec) error) (core.Action, error) {
	a, out := d.Slot(op.Operand(0)), d.Result(op, 0)
	return func(m *core.Machine) error {
		x := m.Vals[a]
		for _, check := range checks {
			if check == nil {
				continue
			}
			if err := check(m, x); err != nil {
				return err
			}
		}
		m.Share(out, x)
		return nil
	}, nil
}

// promise returns the check of a predicate of an assume. Unspecified elements satisfy every predicate.
func promise(op ir.Op, predicate ir.Attribute) func(m *core.Machine, v *values.Vec) error {
	shape, elem := values.ShapeOf(op.Operand(0)), values.ElemOf(op.Operand(0))
	w := values.WidthOf(elem)
	_, pointers := values.Pointee(elem)
	switch p := predicate.(type) {
	case *cudatile.DivByAttr:
		return divisible(op, p, shape, elem)
	case *cudatile.BoundedAttr:
		return func(_ *core.Machine, v *values.Vec) error {
			for i, b := range v.Data {
				x := w.Signed(b)
				if (p.Lower.Given && x < p.Lower.Value || p.Upper.Given && x > p.Upper.Value) && !v.IsUndef(i) {
					return fault.Errorf(op, launch.Assumption, "does not hold: %s is %d, not in [%s, %s]", values.Place(shape, i), x, p.Lower, p.Upper)
				}
			}
			return nil
		}
	case *cudatile.SameElementsAttr:
		if len(shape) == 0 {
			return nil
		}
		return func(_ *core.Machine, v *values.Vec) error {
			step := values.Strides(shape)
			for i, x := range v.Data {
				// The first element of the group that i is in: its coordinates, rounded down to the group's.
				first := int64(0)
				for dim, n := range shape {
					c := int64(i) / step[dim] % n
					if dim < len(p.Values) && p.Values[dim] > 0 {
						c -= c % p.Values[dim]
					}
					first += c * step[dim]
				}
				if y := v.Data[first]; x != y && !v.IsUndef(i) && !v.IsUndef(int(first)) {
					if pointers {
						return fault.Errorf(op, launch.Assumption, "does not hold: %s is 0x%x, but %s is 0x%x", values.Place(shape, i), x, values.Place(shape, int(first)), y)
					}
					return fault.Errorf(op, launch.Assumption, "does not hold: %s is %d, but %s is %d", values.Place(shape, i), w.Signed(x), values.Place(shape, int(first)), w.Signed(y))
				}
			}
			return nil
		}
	}
	return nil
}

// divisible checks that the first element of each group is divisible, and that the others count up from it.
//
// div_by<16, every 4 along 1> of a tile: elements 0, 4, 8, ... of each row are multiples of 16, and those between count
// up by one. Pointers count up by the size of an element.
func divisible(op ir.Op, p *cudatile.DivByAttr, shape []int64, elem ir.Type) func(m *core.Machine, v *values.Vec) error {
	if p.Divisor == 0 {
		return nil
	}
	w, unit := values.WidthOf(elem), int64(1)
	to, pointers := values.Pointee(elem)
	if pointers {
		unit = int64(values.ElementBytes(to))
	}
	every, step := int64(1), int64(1)
	if p.Every.Given && p.Along.Value >= 0 && int(p.Along.Value) < len(shape) {
		every, step = max(1, p.Every.Value), values.Strides(shape)[p.Along.Value]
	}
	size := int64(1) // of the dimension
	if every > 1 {
		size = shape[p.Along.Value]
	}
	return func(_ *core.Machine, v *values.Vec) error {
		for i, b := range v.Data {
			k := int64(i) / step % size % every // in its group
			first := i - int(k*step)
			if v.IsUndef(i) || v.IsUndef(first) {
				continue
			}
			x := w.Signed(b)
			if want := w.Signed(v.Data[first]) + k*unit; k > 0 && x != want {
				return fault.Errorf(op, launch.Assumption, "does not hold: %s is %d, not %d", values.Place(shape, i), x, want)
			}
			if k == 0 && w.Signed(b)%int64(p.Divisor) != 0 {
				return fault.Errorf(op, launch.Assumption, "does not hold: %s is %d, which is not divisible by %d", values.Place(shape, i), x, p.Divisor)
			}
		}
		return nil
	}
}
