package expandmath

import (
	"math"
	"math/bits"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// twoOverPi is the fraction of 2/π in words of 64 bits, the highest first.
var twoOverPi = []uint64{
	0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
	0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
	0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
	0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
}

// window returns count words of 64 bits from the bit position pos, an i64, of a string of words. The position is
// known only at run time, so words are selected by one bit of the position after the other.
func (e expander) window(pos ir.Value, words []uint64, count int) []ir.Value {
	i64 := e.Context().Int(64)
	list := make([]ir.Value, len(words))
	for i, w := range words {
		list[i] = e.Bits(i64, w)
	}
	index := e.Op(arith.ShRUI, pos, e.Int(i64, 6))
	last := len(words) - (count + 1) // the greatest index
	for step := 1 << (bits.Len(uint(last)) - 1); step > 0; step /= 2 {
		set := e.CmpI("ne", e.Op(arith.AndI, index, e.Int(i64, int64(step))), e.Int(i64, 0))
		next := make([]ir.Value, min(len(list), step+count)) // the lower bits select among these
		for i := range next {
			next[i] = list[i]
			if i+step < len(list) {
				next[i] = e.Select(set, list[i+step], list[i])
			}
		}
		list = next
	}
	within := e.Op(arith.AndI, pos, e.Int(i64, 63))
	out := make([]ir.Value, count)
	for i := range out {
		high := e.Op(arith.ShLI, list[i], within)
		low := e.Op(arith.ShRUI, e.Op(arith.ShRUI, list[i+1], e.Int(i64, 1)), e.Op(arith.SubI, e.Int(i64, 63), within))
		out[i] = e.Op(arith.OrI, high, low)
	}
	return out
}

// Payne and Hanek's reduction (Radian reduction for trigonometric functions, 1983). Let x = M·2^k with an integer
// M. The multiple of π/2 in x, modulo 4, and the rest follow from M times some bits of 2/π. These begin about k
// places after the point. Higher bits contribute multiples of 4. Lower bits are left out, since the fraction has
// enough digits without them.

// significand returns M as an i64, and the position of the window for x in a string that has a word of zeros before
// 2/π.
func (e expander) significand(x ir.Value) (m, pos ir.Value) {
	i64 := e.Context().Int(64)
	pattern := e.toBits(e.abs(x))
	if e.single() {
		pattern = e.Cast(arith.ExtUI, pattern, i64)
	}
	man := int64(e.spec.Man)
	field := e.Op(arith.ShRUI, pattern, e.Int(i64, man))
	m = e.Op(arith.OrI, e.Op(arith.AndI, pattern, e.Int(i64, 1<<man-1)), e.Int(i64, 1<<man))
	// The first bit of the window, times M·2^k, is 2M.
	return m, e.Op(arith.AddI, field, e.Int(i64, 62-int64(e.spec.Bias)-man))
}

// nearest splits a fraction of 4, in 64 bits, into the nearest integer and the rest as a signed fraction of 1.
func (e expander) nearest(fraction ir.Value) (quadrant, rest ir.Value) {
	i64 := fraction.Type()
	quadrant = e.Op(arith.ShRUI, e.Op(arith.AddI, fraction, e.Int(i64, 1<<61)), e.Int(i64, 62))
	return quadrant, e.Op(arith.ShLI, fraction, e.Int(i64, 2))
}

// signed gives an angle the sign of x; if x is not finite, the angle is a NaN.
func (e expander) signed(x ir.Value, a angle) angle {
	negative := e.CmpF("olt", x, e.c(0))
	finite := e.CmpF("olt", e.abs(x), e.c(math.Inf(1)))
	hi := e.Select(negative, e.neg(a.rest.hi), a.rest.hi)
	lo := e.Select(negative, e.neg(a.rest.lo), a.rest.lo)
	quadrant := e.Select(negative, e.Op(arith.NegI, a.quadrant), a.quadrant)
	return angle{pair{e.Select(finite, hi, e.c(math.NaN())), lo}, quadrant}
}

func (e expander) reduceLarge32(x ir.Value) angle {
	f64 := e.Context().F64()
	m, pos := e.significand(x)
	w := e.window(pos, append([]uint64{0}, twoOverPi[:4]...), 2)
	fraction := e.Op(arith.AddI, e.Op(arith.MulI, m, w[0]), e.Op(arith.MulHUI, m, w[1]))
	quadrant, rest := e.nearest(fraction)
	r := e.Op(arith.MulF, e.Cast(arith.SIToFP, rest, f64), e.Float(f64, math.Ldexp(math.Pi/2, -64)))
	hi := e.Cast(arith.FToF, r, e.t)
	lo := e.Cast(arith.FToF, e.Op(arith.SubF, r, e.Cast(arith.FToF, hi, f64)), e.t)
	return e.signed(x, angle{pair{hi, lo}, e.Cast(arith.TruncI, quadrant, e.bits)})
}

// reduceFar takes the magnitude of an angle of f64 modulo π/2.
func (e expander) reduceFar(x ir.Value) angle {
	m, pos := e.significand(x)
	w := e.window(pos, append([]uint64{0}, twoOverPi[:19]...), 3)
	low := e.Op(arith.AddI, e.Op(arith.MulI, m, w[1]), e.Op(arith.MulHUI, m, w[2]))
	carry := e.Cast(arith.ExtUI, e.CmpI("ult", low, e.Op(arith.MulHUI, m, w[2])), e.bits)
	high := e.Op(arith.AddI, e.Op(arith.AddI, e.Op(arith.MulI, m, w[0]), e.Op(arith.MulHUI, m, w[1])), carry)
	quadrant, rest := e.nearest(high)
	rest = e.Op(arith.OrI, rest, e.Op(arith.ShRUI, low, e.i(62)))
	low = e.Op(arith.ShLI, low, e.i(2))

	hi := e.Cast(arith.SIToFP, rest, e.t)
	left := e.Op(arith.SubI, rest, e.Cast(arith.FPToSI, hi, e.bits)) // what 53 bits do not hold
	tail := e.fma(e.Cast(arith.UIToFP, low, e.t), e.c(math.Ldexp(1, -64)), e.Cast(arith.SIToFP, left, e.t))
	scaled := e.mulPair(pair{hi, tail}, e.constantPair(constant{math.Pi / 2, 6.123233995736766e-17}))
	scale := e.c(math.Ldexp(1, -64))
	sum := e.fastTwoSum(scaled.hi, scaled.lo)
	return angle{pair{e.mul(sum.hi, scale), e.mul(sum.lo, scale)}, quadrant}
}
