package interp

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// An overflow reports whether the exact result of an operation does not fit the width as a signed or as an unsigned number. The second operand
// of an operation that has one only is zero; that of a truncation is the width of its result.
//
// The checks look at operands before the operation runs, so that operations themselves wrap without a thought, as
// most of them may.
//
// addi of i8: 100 + 100 = 200 wraps to -56 as a signed number and fits as an unsigned one.
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
	// A negation is never promised for unsigned numbers alone, where only that of zero fits.
	cudatile.NegI: func(w numeric.Int, a, _ uint64, signed bool) bool { return signed && a == w.MinSigned() },
	cudatile.ShLI: func(w numeric.Int, a, b uint64, signed bool) bool { return w.Shr(w.Shl(a, b), b, signed) != a },
	cudatile.TruncI: func(w numeric.Int, a, to uint64, signed bool) bool {
		narrow := numeric.Int(to)
		return w.Extend(narrow, narrow.Wrap(a), signed) != a
	},
}

// promisesOf returns whether an operation promises not to overflow, as one of signed and as one of unsigned numbers.
func promisesOf(op ir.Op) (signed, unsigned bool) {
	if op.Dialect() != cudatile.Dialect {
		p := arith.Promises(op)
		return p.Signed, p.Unsigned
	}
	promise := cudatile.OverflowOf(op)
	return promise == cudatile.NoSignedWrap || promise == cudatile.NoWrap, promise == cudatile.NoUnsignedWrap || promise == cudatile.NoWrap
}

// promising wraps a rule for operations that may promise not to overflow: to do so nevertheless is undefined.
func promising(of overflow, r rule) rule {
	return func(d *decoder, op ir.Op) (func(*machine) error, error) {
		run, err := r(d, op)
		signed, unsigned := promisesOf(op)
		if err != nil || !signed && !unsigned {
			return run, err
		}
		w, shape := widthOf(elemOf(op.Operand(0))), shapeOf(op.Result(0))
		a, b := d.slot(op.Operand(0)), -1
		if op.NumOperands() > 1 {
			b = d.slot(op.Operand(1))
		}
		to := uint64(widthOf(elemOf(op.Result(0)))) // in the place of a second operand
		return func(m *machine) error {
			if m.run.engine.LooseOverflow {
				return run(m)
			}
			x, y := m.vals[a], (*vec)(nil)
			n := len(x.data)
			if b >= 0 {
				y = m.vals[b]
				n = max(n, len(y.data))
			}
			for i := range n {
				p, q := x.data[min(i, len(x.data)-1)], to
				if y != nil {
					q = y.data[min(i, len(y.data)-1)]
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
				if !x.isUndef(i) && (y == nil || !y.isUndef(i)) {
					return failf(op, launch.Overflow, "overflows as an operation of %s numbers, which it promises not to: %s", kind, placeIn(shape, i, n))
				}
			}
			return run(m)
		}, nil
	}
}
