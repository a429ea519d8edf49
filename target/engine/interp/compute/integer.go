package compute

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/fault"
	"github.com/tilewright/tilewright/target/engine/interp/kernel"
	"github.com/tilewright/tilewright/target/engine/interp/values"
	"github.com/tilewright/tilewright/target/engine/launch"
)

func init() {
	more := make(map[*ir.OpDef]core.Rule)
	for def, operator := range map[*ir.OpDef]byte{
		cudatile.AddI: '+', cudatile.SubI: '-', cudatile.MulI: '*', cudatile.AndI: '&', cudatile.OrI: '|', cudatile.XorI: '^',
	} {
		more[def] = func(d *core.Decoder, op ir.Op) (core.Action, error) {
			mask := values.WidthOf(values.ElemOf(op.Operand(0))).Mask()
			return applyAbsorbing(d, op, kernel.Integer(operator, mask), absorbsInt(def, mask))
		}
	}
	for def, f := range map[*ir.OpDef]func(w numeric.Int, a, b uint64, signed bool) uint64{
		cudatile.ShRI: numeric.Int.Shr, cudatile.MaxI: numeric.Int.Max, cudatile.MinI: numeric.Int.Min,
		cudatile.MulhiI: func(w numeric.Int, a, b uint64, _ bool) uint64 { return w.MulHigh(a, b, false) },
		cudatile.ShLI:   func(w numeric.Int, a, b uint64, _ bool) uint64 { return w.Shl(a, b) },
	} {
		more[def] = func(d *core.Decoder, op ir.Op) (core.Action, error) {
			w, signed := values.WidthOf(values.ElemOf(op.Operand(0))), isSigned(op)
			return applyBinary(d, op, func(out, a, b []uint64) {
				for i := range out {
					out[i] = f(w, a[i], b[i], signed)
				}
			})
		}
	}
	for def, f := range map[*ir.OpDef]func(w numeric.Int, a uint64) uint64{cudatile.NegI: numeric.Int.Neg, cudatile.AbsI: numeric.Int.Abs} {
		more[def] = func(d *core.Decoder, op ir.Op) (core.Action, error) {
			w := values.WidthOf(values.ElemOf(op.Operand(0)))
			return applyUnary(d, op, func(out, a []uint64) {
				for i, x := range a {
					out[i] = f(w, x)
				}
			})
		}
	}
	more[cudatile.CmpI] = cmpI
	defineElementwise(more)
	defineVector(map[*ir.OpDef]core.Rule{cudatile.DivI: divI, cudatile.RemI: remI})
}

// absorbsInt returns which elements decide the result of an operation.
//
// They decide all bits: x & 0, x * 0, x | ~0. The interpreter does not track single bits.
func absorbsInt(def *ir.OpDef, mask uint64) func(x uint64) bool {
	switch def {
	case cudatile.AndI, cudatile.MulI:
		return func(x uint64) bool { return x == 0 }
	case cudatile.OrI:
		return func(x uint64) bool { return x == mask }
	}
	return nil
}

func cmpI(d *core.Decoder, op ir.Op) (core.Action, error) {
	return applyBinary(d, op, kernel.CompareI(values.WidthOf(values.ElemOf(op.Operand(0))), predicateOf(op), isSigned(op)))
}

func divI(d *core.Decoder, op ir.Op) (core.Action, error) {
	w, signed, rounding := values.WidthOf(values.ElemOf(op.Operand(0))), isSigned(op), envOf(op).Rounding
	return divide(d, op, func(a, b uint64) (uint64, bool) { return w.Div(a, b, signed, rounding) })
}

func remI(d *core.Decoder, op ir.Op) (core.Action, error) {
	w, signed := values.WidthOf(values.ElemOf(op.Operand(0))), isSigned(op)
	return divide(d, op, func(a, b uint64) (uint64, bool) { return w.Rem(a, b, signed) })
}

// divide decodes a division. Division by zero, and of the most negative number by -1, are errors.
//
// If dividend or divisor is unspecified, so is the quotient, without an error: the program may not use it.
func divide(d *core.Decoder, op ir.Op, f func(a, b uint64) (uint64, bool)) (core.Action, error) {
	a, b, out := d.Slot(op.Operand(0)), d.Slot(op.Operand(1)), d.Result(op, 0)
	shape := values.ShapeOf(op.Result(0))
	return func(m *core.Machine) error {
		x, y := m.Vals[a], m.Vals[b]
		n := max(len(x.Data), len(y.Data))
		r := m.Alloc(n)
		xs, xt := m.Stretch(x, n)
		ys, yt := m.Stretch(y, n)
		r.Undef = values.UnionUndef(n, x, y)
		for i := range r.Data {
			q, ok := f(xs[i], ys[i])
			switch {
			case ok || r.IsUndef(i):
			case ys[i] == 0:
				return fault.Errorf(op, launch.Division, "divides by zero: %s", values.PlaceIn(shape, i, n))
			case !m.Launch.Options.LooseOverflow:
				return op.Errorf("overflows: %s is the most negative number, divided by -1", values.PlaceIn(shape, i, n))
			}
			r.Data[i] = q
		}
		m.Release(xt)
		m.Release(yt)
		m.Put(out, r)
		return nil
	}, nil
}
