package kernel

import (
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/vector"
)

// Integer returns the kernel of '+', '-', '*', '&', '|' or '^' on zero-extended operands, modulo 2^64. It keeps the bits
// of a mask: those above the width of the operands do not affect those below.
func Integer(op byte, mask uint64) Binary { return first2(vector.Integer(op, mask), integer(op, mask)) }

func integer(op byte, mask uint64) Binary {
	switch op {
	case '+':
		return func(out, a, b []uint64) {
			a, b = a[:len(out)], b[:len(out)]
			for i := range out {
				out[i] = (a[i] + b[i]) & mask
			}
		}
	case '-':
		return func(out, a, b []uint64) {
			a, b = a[:len(out)], b[:len(out)]
			for i := range out {
				out[i] = (a[i] - b[i]) & mask
			}
		}
	case '*':
		return func(out, a, b []uint64) {
			a, b = a[:len(out)], b[:len(out)]
			for i := range out {
				out[i] = a[i] * b[i] & mask
			}
		}
	case '&':
		return func(out, a, b []uint64) {
			a, b = a[:len(out)], b[:len(out)]
			for i := range out {
				out[i] = a[i] & b[i]
			}
		}
	case '|':
		return func(out, a, b []uint64) {
			a, b = a[:len(out)], b[:len(out)]
			for i := range out {
				out[i] = a[i] | b[i]
			}
		}
	default:
		return func(out, a, b []uint64) {
			a, b = a[:len(out)], b[:len(out)]
			for i := range out {
				out[i] = a[i] ^ b[i]
			}
		}
	}
}

// CompareI returns the kernel of cmpi on zero-extended operands. With a bit changed they compare as signed numbers of 64
// bits: the sign of narrower ones, or the highest of unsigned ones of 64 bits.
func CompareI(w numeric.Int, p numeric.Predicate, signed bool) Binary {
	answer := func(a, b uint64) uint64 { return Truth(w.Compare(p, false, a, b)) }
	r := vector.Answers{Less: answer(0, 1), Equal: answer(0, 0), Greater: answer(1, 0)}
	flip := uint64(0)
	if signed != (w == 64) {
		flip = 1 << (w - 1)
	}
	var v vector.Binary
	if vector.CompareI != nil {
		v = func(out, a, b []uint64) int { return vector.CompareI(out, a, b, flip, &r) }
	}
	return first2(v, func(out, a, b []uint64) {
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			x, y := int64(a[i]^flip), int64(b[i]^flip)
			is := r.Greater // the forms of if are moves without branches
			if x < y {
				is = r.Less
			}
			if x == y {
				is = r.Equal
			}
			out[i] = is
		}
	})
}
