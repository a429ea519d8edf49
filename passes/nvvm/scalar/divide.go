package scalar

import (
	"math/big"
	"math/bits"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// Divisions by constants are products with their reciprocals: Granlund and Montgomery, Division by invariant integers
// using multiplication (PLDI 1994); Warren, Hacker's Delight, 2nd ed., chapter 10.
//
// With m = ⌈2^s/d⌉ and e = m·d - 2^s, n·m/2^s lies above n/d by n·e/(d·2^s). No integer lies between the two as
// long as that is less than 1/d, which is the least that n/d keeps to the next one: n·e < 2^s.
//
// ptxas (13.5) does not do that. Whatever the divisor, it generates 18 instructions with two conversions and an
// approximate reciprocal for 32 bits, and a call of 55 to 75 instructions for 64 bits.

// DivideUnsigned returns x / d of unsigned numbers; x is at most most. The divisor is neither a power of two nor
// zero.
func (b Builder) DivideUnsigned(x ir.Value, d, most uint64) ir.Value {
	t, width := x.Type(), ir.BitWidth(x.Type())
	switch {
	case d > most:
		return b.Int(t, 0)
	case width < 32:
		return b.Cast(arith.TruncI, b.DivideUnsigned(b.Cast(arith.ExtUI, x, b.Context().Int(32)), d, most), t)
	case width == 64 && most < 1<<32:
		return b.Cast(arith.ExtUI, b.DivideUnsigned(b.Cast(arith.TruncI, x, b.Context().Int(32)), d, most), t)
	}
	if m, s, ok := multiplier(width, d, most); ok {
		return b.shifted(arith.ShRUI, b.Op(arith.MulHUI, x, b.Bits(t, m)), s)
	}
	// The multiplier has one bit too many. An even divisor leaves the dividend a bit of room.
	if k := bits.TrailingZeros64(d); k > 0 {
		return b.DivideUnsigned(b.shifted(arith.ShRUI, x, k), d>>k, most>>k)
	}
	// x·(m + 2^width) / 2^(width+l) is (t + x)/2^l for the upper half t of x·m; halved first, that sum does not
	// overflow.
	l := bits.Len64(d - 1)
	m := ceilPower(width+l, d)
	high := b.Op(arith.MulHUI, x, b.Bits(t, m.Uint64())) // without the highest bit
	half := b.shifted(arith.ShRUI, b.Op(arith.SubI, x, high), 1)
	return b.shifted(arith.ShRUI, b.Op(arith.AddI, half, high), l-1)
}

// DivideSigned returns x / d of signed numbers, rounded towards zero. The magnitude of x is at most most; that of
// the divisor is neither a power of two nor zero.
//
// Here the multiplier is above 2^s/d even if that is an integer. So a negative x gives a product below the
// quotient, and its floor is one too low.
func (b Builder) DivideSigned(x ir.Value, d int64, most uint64) ir.Value {
	t, width := x.Type(), ir.BitWidth(x.Type())
	if width < 32 {
		return b.Cast(arith.TruncI, b.DivideSigned(b.Cast(arith.ExtSI, x, b.Context().Int(32)), d, most), t)
	}
	m, s, _ := multiplier(width, magnitude(d), most) // half of the numbers of a width always have one
	q := b.Op(arith.MulHSI, x, b.Bits(t, m))
	if m>>(width-1) != 0 { // read as signed, the multiplier is 2^width too low
		q = b.Op(arith.AddI, q, x)
	}
	q = b.shifted(arith.ShRSI, q, s)
	if sign := b.shifted(arith.ShRUI, x, width-1); d > 0 {
		return b.Op(arith.AddI, q, sign)
	}
	return b.Op(arith.SubI, b.shifted(arith.ShRSI, x, width-1), q)
}

// shifted shifts by a constant, or not at all.
func (b Builder) shifted(def *ir.OpDef, x ir.Value, by int) ir.Value {
	if by == 0 {
		return x
	}
	return b.Op(def, x, b.Int(x.Type(), int64(by)))
}

func magnitude(d int64) uint64 {
	if d < 0 {
		return -uint64(d)
	}
	return uint64(d)
}

// multiplier returns the multiplier of width bits, and the shift after the product's upper half, that divide
// numbers up to most by d. It takes the smallest shift possible.
func multiplier(width int, d, most uint64) (m uint64, shift int, ok bool) {
	for shift = range bits.Len64(d) + 1 {
		product := ceilPower(width+shift, d)
		if product.BitLen() > width {
			break
		}
		m = product.Uint64()
		product.Mul(product, new(big.Int).SetUint64(d))
		power := new(big.Int).Lsh(big.NewInt(1), uint(width+shift))
		excess := product.Sub(product, power)
		if excess.Mul(excess, new(big.Int).SetUint64(most)).Cmp(power) < 0 {
			return m, shift, true
		}
	}
	return 0, 0, false
}

// ceilPower returns ⌈2^s/d⌉, which is more than 2^s/d since d is no power of two.
func ceilPower(s int, d uint64) *big.Int {
	power := new(big.Int).Lsh(big.NewInt(1), uint(s))
	return power.Add(power.Quo(power, new(big.Int).SetUint64(d)), big.NewInt(1))
}

// Corrected rounds a division up (ceildivui, ceildivsi) or down (floordivsi). divide builds the division towards
// zero that it is asked for, with its remainder, which says whether a correction is needed.
func (b Builder) Corrected(def *ir.OpDef, y ir.Value, divide func(def *ir.OpDef) (quotient, remainder ir.Value)) ir.Value {
	towardsZero := arith.DivSI
	if def == arith.CeilDivUI {
		towardsZero = arith.DivUI
	}
	q, rem := divide(towardsZero)
	zero := b.Int(q.Type(), 0)
	inexact := b.CmpI("ne", rem, zero)
	// Rounding to zero is too low exactly for positive quotients that are not integers, and too high for such
	// negative ones. The remainder has the dividend's sign, so the quotient is positive if the divisor has the
	// same sign.
	switch def {
	case arith.CeilDivSI:
		positive := b.CmpI("sge", b.Op(arith.XOrI, rem, y), zero)
		return b.Op(arith.AddI, q, b.Cast(arith.ExtUI, b.Op(arith.AndI, inexact, positive), q.Type()))
	case arith.FloorDiv:
		negative := b.CmpI("slt", b.Op(arith.XOrI, rem, y), zero)
		// Sign-extended, true is -1: the correction is an addition, as for the ceiling.
		return b.Op(arith.AddI, q, b.Cast(arith.ExtSI, b.Op(arith.AndI, inexact, negative), q.Type()))
	}
	return b.Op(arith.AddI, q, b.Cast(arith.ExtUI, inexact, q.Type()))
}
