package numeric

import (
	"fmt"
	"math/bits"
)

// Int is an integer type: its width in bits. Values are patterns in the low bits of a uint64, the rest zero; every
// operation takes and returns such patterns and wraps.
type Int uint8

// The integer element types of Tile IR.
const (
	I1  Int = 1
	I4  Int = 4
	I8  Int = 8
	I16 Int = 16
	I32 Int = 32
	I64 Int = 64
)

func (w Int) String() string { return fmt.Sprintf("i%d", uint8(w)) }

// Mask has the bits of the type set.
func (w Int) Mask() uint64 { return 1<<w - 1 }

// Wrap truncates v to the width.
func (w Int) Wrap(v uint64) uint64 { return v & w.Mask() }

// Signed reads a in two's complement.
func (w Int) Signed(a uint64) int64 { return int64(a<<(64-w)) >> (64 - w) }

// MinSigned is the pattern of the most negative value.
func (w Int) MinSigned() uint64 { return 1 << (w - 1) }

// MaxSigned is the pattern of the largest signed value.
func (w Int) MaxSigned() uint64 { return w.MinSigned() - 1 }

// Extend converts a of type from to w, which may be narrower.
func (w Int) Extend(from Int, a uint64, signed bool) uint64 {
	if signed {
		a = uint64(from.Signed(a))
	}
	return w.Wrap(a)
}

// Add returns a + b.
func (w Int) Add(a, b uint64) uint64 { return w.Wrap(a + b) }

// Sub returns a - b.
func (w Int) Sub(a, b uint64) uint64 { return w.Wrap(a - b) }

// Mul returns the low half of a · b.
func (w Int) Mul(a, b uint64) uint64 { return w.Wrap(a * b) }

// Neg returns -a; the most negative value stays.
func (w Int) Neg(a uint64) uint64 { return w.Wrap(-a) }

// Abs returns the absolute value of the signed a; the most negative value stays.
func (w Int) Abs(a uint64) uint64 {
	if w.Signed(a) < 0 {
		return w.Neg(a)
	}
	return a
}

// MulHigh returns the high half of the double-width product.
func (w Int) MulHigh(a, b uint64, signed bool) uint64 {
	// Two numbers of up to 32 bits: the product fits.
	if w < I64 {
		if signed {
			return w.Wrap(uint64(w.Signed(a) * w.Signed(b) >> w))
		}
		return w.Wrap(a * b >> w)
	}
	hi, _ := bits.Mul64(a, b)
	if signed { // a read as unsigned is too large by 2^64 if negative, and so is b
		if int64(a) < 0 {
			hi -= b
		}
		if int64(b) < 0 {
			hi -= a
		}
	}
	return hi
}

// Div returns a / b rounded to an integer towards zero, NegInf (floor) or PosInf (ceiling). It is undefined, false, for
// b = 0, where it returns all bits set, and for the most negative value over -1, which it returns.
func (w Int) Div(a, b uint64, signed bool, rounding Rounding) (uint64, bool) {
	if b == 0 {
		return w.Mask(), false
	}
	if !signed {
		q := a / b
		if rounding == PosInf && a%b != 0 {
			q++
		}
		return q, true
	}
	if a == w.MinSigned() && b == w.Mask() {
		return a, false
	}
	x, y := w.Signed(a), w.Signed(b)
	q, r := x/y, x%y
	exactSign := (r < 0) == (y < 0) // of the exact quotient, when r is not zero: true if positive
	switch {
	case r == 0:
	case rounding == NegInf && !exactSign:
		q--
	case rounding == PosInf && exactSign:
		q++
	}
	return w.Wrap(uint64(q)), true
}

// Rem returns the remainder of the division towards zero, with the sign of a. It is undefined, false, for b = 0,
// where it returns a; the most negative value modulo -1 is 0.
func (w Int) Rem(a, b uint64, signed bool) (uint64, bool) {
	switch {
	case b == 0:
		return a, false
	case !signed:
		return a % b, true
	case b == w.Mask():
		return 0, true
	}
	return w.Wrap(uint64(w.Signed(a) % w.Signed(b))), true
}

// Shl shifts left by the unsigned b; amounts of the width and above give 0. Tile IR leaves such amounts undefined,
// and constfold computes nothing of them; here they do what PTX does, which clamps the amount.
func (w Int) Shl(a, b uint64) uint64 { return w.Wrap(a << min(b, 64)) }

// Shr shifts right by the unsigned b, filling with the sign if signed, else with zeros; amounts of the width and above
// leave only the filling.
func (w Int) Shr(a, b uint64, signed bool) uint64 {
	if signed {
		return w.Wrap(uint64(w.Signed(a) >> min(b, 63)))
	}
	return a >> min(b, 64)
}

// And returns the bitwise conjunction.
func (w Int) And(a, b uint64) uint64 { return a & b }

// Or returns the bitwise disjunction.
func (w Int) Or(a, b uint64) uint64 { return a | b }

// Xor returns the bitwise exclusive disjunction.
func (w Int) Xor(a, b uint64) uint64 { return a ^ b }

// Min returns the smaller operand.
func (w Int) Min(a, b uint64, signed bool) uint64 {
	if w.order(a, b, signed) <= 0 {
		return a
	}
	return b
}

// Max returns the larger operand.
func (w Int) Max(a, b uint64, signed bool) uint64 {
	if w.order(a, b, signed) >= 0 {
		return a
	}
	return b
}

// Compare evaluates a predicate.
func (w Int) Compare(p Predicate, signed bool, a, b uint64) bool {
	return p.holds(w.order(a, b, signed))
}

func (w Int) order(a, b uint64, signed bool) int {
	if signed { // moves the signed range onto the unsigned one, in order
		a, b = a^w.MinSigned(), b^w.MinSigned()
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Wraps says whether an Int operation left the range of its type.
type Wraps struct{ Signed, Unsigned bool }

// AddWraps reports how a + b overflows.
func (w Int) AddWraps(a, b uint64) Wraps {
	sum := w.Add(a, b)
	return Wraps{Signed: (a^sum)&(b^sum)&w.MinSigned() != 0, Unsigned: sum < a}
}

// SubWraps reports how a - b overflows.
func (w Int) SubWraps(a, b uint64) Wraps {
	return Wraps{Signed: (a^b)&(a^w.Sub(a, b))&w.MinSigned() != 0, Unsigned: a < b}
}

// MulWraps reports how a · b overflows.
func (w Int) MulWraps(a, b uint64) Wraps {
	sign := uint64(0)
	if w.Signed(w.Mul(a, b)) < 0 {
		sign = w.Mask()
	}
	return Wraps{Signed: w.MulHigh(a, b, true) != sign, Unsigned: w.MulHigh(a, b, false) != 0}
}

// ShlWraps reports whether a shift left loses bits: set bits, or bits that differ from the resulting sign.
func (w Int) ShlWraps(a, b uint64) Wraps {
	r := w.Shl(a, b)
	return Wraps{Signed: w.Shr(r, b, true) != a, Unsigned: w.Shr(r, b, false) != a}
}

// GCD returns the greatest common divisor of two numbers that are not negative.
func GCD(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
