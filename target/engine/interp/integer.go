package interp

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/kernel"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// masked is an operation of integers computed modulo 2^64 and wrapped.
type masked func(mask uint64) kernel.Binary

func init() {
	more := make(map[*ir.OpDef]rule)
	for def, k := range map[*ir.OpDef]masked{
		cudatile.AddI: addI, cudatile.SubI: subI, cudatile.MulI: mulI, cudatile.AndI: andI, cudatile.OrI: orI, cudatile.XorI: xorI,
	} {
		more[def] = func(d *decoder, op ir.Op) (func(*machine) error, error) {
			mask := widthOf(elemOf(op.Operand(0))).Mask()
			return d.applyAbsorbing(op, k(mask), absorbsInt(def, mask))
		}
	}
	for def, f := range map[*ir.OpDef]func(w numeric.Int, a, b uint64, signed bool) uint64{
		cudatile.ShRI: numeric.Int.Shr, cudatile.MaxI: numeric.Int.Max, cudatile.MinI: numeric.Int.Min,
		cudatile.MulhiI: func(w numeric.Int, a, b uint64, _ bool) uint64 { return w.MulHigh(a, b, false) },
		cudatile.ShLI:   func(w numeric.Int, a, b uint64, _ bool) uint64 { return w.Shl(a, b) },
	} {
		more[def] = func(d *decoder, op ir.Op) (func(*machine) error, error) {
			w, signed := widthOf(elemOf(op.Operand(0))), isSigned(op)
			return d.applyBinary(op, func(out, a, b []uint64) {
				for i := range out {
					out[i] = f(w, a[i], b[i], signed)
				}
			})
		}
	}
	for def, f := range map[*ir.OpDef]func(w numeric.Int, a uint64) uint64{cudatile.NegI: numeric.Int.Neg, cudatile.AbsI: numeric.Int.Abs} {
		more[def] = func(d *decoder, op ir.Op) (func(*machine) error, error) {
			w := widthOf(elemOf(op.Operand(0)))
			return d.applyUnary(op, func(out, a []uint64) {
				for i, x := range a {
					out[i] = f(w, x)
				}
			})
		}
	}
	more[cudatile.CmpI] = (*decoder).cmpI
	more[cudatile.DivI] = (*decoder).divI
	more[cudatile.RemI] = (*decoder).remI
	defineVector(more)
}

// absorbsInt returns which operands decide the result of an operation.
//
// All bits known of an and, or and product by one operand: x & 0, x * 0, x | ~0. Of single bits nothing is
// kept.
func absorbsInt(def *ir.OpDef, mask uint64) func(x uint64) bool {
	switch def {
	case cudatile.AndI, cudatile.MulI:
		return func(x uint64) bool { return x == 0 }
	case cudatile.OrI:
		return func(x uint64) bool { return x == mask }
	}
	return nil
}

// The mask is applied to the result only: operands are zero-extended, and what is above the width does not reach down
// in a sum, difference or product.
func addI(mask uint64) kernel.Binary {
	return func(out, a, b []uint64) {
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = (a[i] + b[i]) & mask
		}
	}
}

func subI(mask uint64) kernel.Binary {
	return func(out, a, b []uint64) {
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = (a[i] - b[i]) & mask
		}
	}
}

func mulI(mask uint64) kernel.Binary {
	return func(out, a, b []uint64) {
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = a[i] * b[i] & mask
		}
	}
}

func andI(uint64) kernel.Binary {
	return func(out, a, b []uint64) {
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = a[i] & b[i]
		}
	}
}

func orI(uint64) kernel.Binary {
	return func(out, a, b []uint64) {
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = a[i] | b[i]
		}
	}
}

func xorI(uint64) kernel.Binary {
	return func(out, a, b []uint64) {
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = a[i] ^ b[i]
		}
	}
}

// cmpI compares patterns as signed numbers of 64 bits: shifted to the top, with the sign bit inverted if they are unsigned.
//
// The three answers are looked up once, so that the loop does not depend on the predicate.
func (d *decoder) cmpI(op ir.Op) (func(*machine) error, error) {
	w, p, signed := widthOf(elemOf(op.Operand(0))), predicateOf(op), isSigned(op)
	less, equal, greater := kernel.Truth(w.Compare(p, false, 0, 1)), kernel.Truth(w.Compare(p, false, 0, 0)), kernel.Truth(w.Compare(p, false, 1, 0))
	shift := 64 - uint(w)
	flip := uint64(0)
	if !signed {
		flip = 1 << 63
	}
	return d.applyBinary(op, func(out, a, b []uint64) {
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			x, y := int64(a[i]<<shift^flip), int64(b[i]<<shift^flip)
			switch {
			case x < y:
				out[i] = less
			case x == y:
				out[i] = equal
			default:
				out[i] = greater
			}
		}
	})
}

func (d *decoder) divI(op ir.Op) (func(*machine) error, error) {
	w, signed, rounding := widthOf(elemOf(op.Operand(0))), isSigned(op), envOf(op).Rounding
	return d.divide(op, func(a, b uint64) (uint64, bool) { return w.Div(a, b, signed, rounding) })
}

func (d *decoder) remI(op ir.Op) (func(*machine) error, error) {
	w, signed := widthOf(elemOf(op.Operand(0))), isSigned(op)
	return d.divide(op, func(a, b uint64) (uint64, bool) { return w.Rem(a, b, signed) })
}

// divide decodes a division: one by zero, or of the most negative number by -1, is an error unless it involves an unspecified element.
//
// What an unspecified element divides by, or is divided by, gets a mark and no error: the program may throw the
// quotient away.
func (d *decoder) divide(op ir.Op, f func(a, b uint64) (uint64, bool)) (func(*machine) error, error) {
	a, b, out := d.slot(op.Operand(0)), d.slot(op.Operand(1)), d.result(op, 0)
	shape := shapeOf(op.Result(0))
	return func(m *machine) error {
		x, y := m.vals[a], m.vals[b]
		n := max(len(x.data), len(y.data))
		r := m.alloc(n)
		xs, xt := m.stretch(x, n)
		ys, yt := m.stretch(y, n)
		r.undef = unionUndef(n, x, y)
		for i := range r.data {
			q, ok := f(xs[i], ys[i])
			switch {
			case ok || r.isUndef(i):
			case ys[i] == 0:
				return failf(op, launch.Division, "divides by zero: %s", placeIn(shape, i, n))
			case !m.run.engine.LooseOverflow:
				return op.Errorf("overflows: %s is the most negative number, divided by -1", placeIn(shape, i, n))
			}
			r.data[i] = q
		}
		m.release(xt)
		m.release(yt)
		m.put(out, r)
		return nil
	}, nil
}
