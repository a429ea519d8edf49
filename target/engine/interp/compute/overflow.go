package compute

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/fault"
	"github.com/tilewright/tilewright/target/engine/interp/values"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// An overflow reports whether the exact result of an operation does not fit the width, as a signed or an unsigned
// number. The second operand is zero for unary operations, and the width of the result for a truncation.
//
// addi of i8: 100 + 100 = 200 wraps to -56 as a signed number, and fits as an unsigned one.
//
// Checks look at the operands before the operation runs. So the operations themselves simply wrap, which most of them
// may.
type overflow func(w numeric.Int, a, b uint64, signed bool) bool

var overflows = map[*ir.OpDef]overflow{
	cudatile.AddI: func(w numeric.Int, a, b uint64, signed bool) bool {
		r := w.Add(a, b)
		if signed {
			return (a^r)&(b^r)&w.MinSigned() != 0
		}
		return r < a
	},
	cudatile.SubI: func(w numeric.Int, a, b uint64, signed bool) bool {
		if signed {
			return (a^b)&(a^w.Sub(a, b))&w.MinSigned() != 0
		}
		return a < b
	},
	cudatile.MulI: func(w numeric.Int, a, b uint64, signed bool) bool {
		high := uint64(0)
		if signed && w.Mul(a, b)&w.MinSigned() != 0 {
			high = w.Mask()
		}
		return w.MulHigh(a, b, signed) != high
	},
	// No negation promises unsigned numbers only, since only zero would fit.
	cudatile.NegI: func(w numeric.Int, a, _ uint64, signed bool) bool { return signed && a == w.MinSigned() },
	cudatile.ShLI: func(w numeric.Int, a, b uint64, signed bool) bool { return w.Shr(w.Shl(a, b), b, signed) != a },
	cudatile.TruncI: func(w numeric.Int, a, to uint64, signed bool) bool {
		narrow := numeric.Int(to)
		return w.Extend(narrow, narrow.Wrap(a), signed) != a
	},
}

// promisesOf reports whether an operation promises not to overflow, as signed and as unsigned numbers.
func promisesOf(op ir.Op) (signed, unsigned bool) {
	if op.Dialect() != ops.Dialect {
		p := arith.Promises(op)
		return p.Signed, p.Unsigned
	}
	promise := cudatile.OverflowOf(op)
	return promise == cudatile.NoSignedWrap || promise == cudatile.NoWrap, promise == cudatile.NoUnsignedWrap || promise == cudatile.NoWrap
}

// promising wraps the rule of an operation that may promise not to overflow. Breaking the promise is undefined.
func promising(of overflow, r core.Rule) core.Rule {
	return func(d *core.Decoder, op ir.Op) (core.Action, error) {
		run, err := r(d, op)
		signed, unsigned := promisesOf(op)
		if err != nil || !signed && !unsigned {
			return run, err
		}
		w, shape := values.WidthOf(values.ElemOf(op.Operand(0))), values.ShapeOf(op.Result(0))
		a, b := d.Slot(op.Operand(0)), -1
		if op.NumOperands() > 1 {
			b = d.Slot(op.Operand(1))
		}
		to := uint64(values.WidthOf(values.ElemOf(op.Result(0)))) // in place of a second operand
		return func(m *core.Machine) error {
			if m.Launch.Options.LooseOverflow {
				return run(m)
			}
			x, y := m.Vals[a], (*values.Vec)(nil)
			n := len(x.Data)
			if b >= 0 {
				y = m.Vals[b]
				n = max(n, len(y.Data))
			}
			for i := range n {
				p, q := x.Data[min(i, len(x.Data)-1)], to
				if y != nil {
					q = y.Data[min(i, len(y.Data)-1)]
				}
				var kind string
				switch {
				case signed && of(w, p, q, true):
					kind = "signed"
				case unsigned && of(w, p, q, false):
					kind = "unsigned"
				default:
					continue
				}
				if !x.IsUndef(i) && (y == nil || !y.IsUndef(i)) {
					return fault.Errorf(op, launch.Overflow, "overflows as an operation of %s numbers, which it promises not to: %s", kind, values.PlaceIn(shape, i, n))
				}
			}
			return run(m)
		}, nil
	}
}
