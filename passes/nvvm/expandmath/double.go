package expandmath

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

// The methods of f64 use the upper word of a number as an integer where that is enough: to bound a number, to take its
// exponent or to add to it. An instruction on one word does what takes four to seven on f64, which has no instructions
// for minimum and select.

// words returns the lower and the upper word of an f64.
func (e expander) words(x ir.Value) (lo, hi ir.Value) {
	i32 := e.Context().Int(32)
	parts := e.Create(nvvm.Unpack, []ir.Value{e.toBits(x)}, []ir.Type{i32, i32}).Results()
	return parts[0], parts[1]
}

// join is the f64 with these words.
func (e expander) join(lo, hi ir.Value) ir.Value {
	return e.fromBits(e.Create(nvvm.Pack, []ir.Value{lo, hi}, []ir.Type{e.bits}).Result(0))
}

// word is an i32.
func (e expander) word(v int64) ir.Value { return e.Int(e.Context().Int(32), v) }

// upper is the upper word of a number.
func upper(x float64) int64 { return int64(int32(math.Float64bits(x) >> 32)) }

// powerWord is the upper word of 2^(n+k); the lower one is zero.
func (e expander) powerWord(n ir.Value, k int64) ir.Value {
	const inWord = 20 // bits of the mantissa there
	return e.Op(arith.AddI, e.Op(arith.ShLI, n, e.word(inWord)), e.word((int64(e.spec.Bias)+k)<<inWord))
}

// addExponent adds n to the exponent of x, which stays that of a normal number.
func (e expander) addExponent(x, n ir.Value) ir.Value {
	lo, hi := e.words(x)
	return e.join(lo, e.Op(arith.AddI, hi, e.Op(arith.ShLI, n, e.word(20))))
}

// bounded returns x from least, which is negative, to most, but for what the lower word adds. A negative NaN becomes
// least, another one most: of integers, those are the greatest.
func (e expander) bounded(x ir.Value, least, most float64) ir.Value {
	lo, hi := e.words(x)
	hi = e.Op(arith.MinUI, hi, e.word(upper(least)))
	return e.join(lo, e.Op(arith.MinSI, hi, e.word(upper(most))))
}

// atMostWord returns the positive x, or most where it is greater or NaN, but for what the lower word adds.
func (e expander) atMostWord(x ir.Value, most float64) ir.Value {
	lo, hi := e.words(x)
	return e.join(lo, e.Op(arith.MinSI, hi, e.word(upper(most))))
}

// whole returns the integer nearest to x·scale as f64, negated, and as i32.
func (e expander) whole(x ir.Value, scale float64) (minus, n ir.Value) {
	magic := e.c(e.magic())
	var sum ir.Value
	if scale == 1 {
		sum = e.add(x, magic)
	} else {
		sum = e.fma(x, e.c(scale), magic)
	}
	n, _ = e.words(sum)
	return e.sub(magic, sum), n
}

// scaled returns y·2^n for y from ½ to 2, rounded once: one power is added to the exponent, and one is a factor, since
// the result may be subnormal or infinite.
func (e expander) scaled(y, n ir.Value) ir.Value {
	half := e.Op(arith.ShRSI, n, e.word(1))
	power := e.join(e.word(0), e.powerWord(e.Op(arith.SubI, n, half), 0))
	return e.mul(e.addExponent(y, half), power)
}

// orNaN returns y, or a NaN if x is one.
func (e expander) orNaN(y, x ir.Value) ir.Value {
	lo, hi := e.words(y)
	return e.join(lo, e.Select(e.CmpF("uno", x, x), e.word(upper(math.NaN())), hi))
}

// growth returns (e^(r·factor)-1)/r for |r·factor| <= ln2/2 and a factor that is a power of two.
func (e expander) growth(r ir.Value, factor float64) ir.Value {
	c := make([]float64, len(expPoly64))
	for i, x := range expPoly64 {
		c[i] = x * math.Pow(factor, float64(i+2))
	}
	return e.fma(r, e.poly(r, c), e.c(factor))
}

// The range in which e^x is neither zero nor infinite, and some more, and that of 2^x.
const (
	leastExp, mostExp   = -750, 711
	leastExp2, mostExp2 = -1088, 1026
)

func expF64(e expander, in []ir.Value) ir.Value {
	x := e.bounded(in[0], leastExp, mostExp)
	minus, n := e.whole(x, log2E.hi)
	r := e.fma(minus, e.c(ln2.lo), e.fma(minus, e.c(ln2.hi), x))
	return e.orNaN(e.scaled(e.fma(r, e.growth(r, 1), e.c(1)), n), in[0])
}

func exp2F64(e expander, in []ir.Value) ir.Value {
	x := e.bounded(in[0], leastExp2, mostExp2)
	minus, n := e.whole(x, 1)
	f := e.add(x, minus)
	return e.orNaN(e.scaled(e.fma(f, e.poly(f, exp2Poly64), e.c(1)), n), in[0])
}

// cosh and sinh of a = r + n·ln2 are sums of powers and of the two functions of r, which have short polynomials:
//
//	cosh(a) = (S+T)·cosh(r) + (S-T)·sinh(r)      S = 2^n/2, T = 2^-n/2
//	sinh(a) = (S-T)·cosh(r) + (S+T)·sinh(r)
//
// There is no division, and nothing cancels near zero. All is computed for a quarter of the result, whose powers are
// normal numbers. A part of hyperbolic is what both need: S and T, and r before the low part of ln2 is taken away;
// cosh(r)-1; and sinh(r) less that r.
type hyperbolic struct{ s, t, first, even, odd ir.Value }

// overflowing64 is an argument whose functions are infinite, and half of them is finite.
const overflowing64 = 710.6875

func (e expander) hyperbolic(a ir.Value) hyperbolic {
	minus, n := e.whole(e.atMostWord(a, overflowing64), log2E.hi)
	// An a beyond the bound makes the polynomials infinite, or NaN, as the functions are.
	first := e.fma(minus, e.c(ln2.hi), a)
	r := e.fma(minus, e.c(ln2.lo), first)
	z := e.mul(r, r)
	odd := e.mul(e.mul(r, z), e.poly(z, sinhRest64))
	const quarter = -2
	inverse := e.Op(arith.MaxSI, e.powerWord(e.Op(arith.SubI, e.word(0), n), quarter), e.word(0))
	return hyperbolic{
		s: e.join(e.word(0), e.powerWord(n, quarter)), t: e.join(e.word(0), inverse),
		first: first, even: e.mul(z, e.poly(z, coshRest64)), odd: e.fma(minus, e.c(ln2.lo), odd),
	}
}

// coshF64 adds T to the small terms: S+T would lose a T that is half of the last place of S.
func coshF64(e expander, in []ir.Value) ir.Value {
	h := e.hyperbolic(e.abs(in[0]))
	sum, difference := e.add(h.s, h.t), e.sub(h.s, h.t)
	small := e.fma(difference, h.odd, e.fma(sum, h.even, h.t))
	half := e.add(h.s, e.fma(difference, h.first, small))
	return e.add(half, half)
}

func sinhF64(e expander, in []ir.Value) ir.Value {
	h := e.hyperbolic(e.abs(in[0]))
	sum, difference := e.add(h.s, h.t), e.sub(h.s, h.t)
	small := e.fma(sum, h.odd, e.mul(difference, h.even))
	half := e.add(difference, e.fma(sum, h.first, small))
	return e.copySign(e.add(half, half), in[0])
}

// Below tanhSmall64, tanh is a polynomial; above, 1 - 2/(e^2a+1). saturated64 is an argument whose tanh is 1.
const tanhSmall64, saturated64 = 0.35, 21

func tanhF64(e expander, in []ir.Value) ir.Value {
	magnitude := e.abs(in[0])
	a := e.atMostWord(magnitude, saturated64)
	minus, n := e.whole(a, twoLog2E.hi)
	r := e.fma(minus, e.c(ln2.lo/2), e.fma(minus, e.c(ln2.hi/2), a))
	power := e.join(e.word(0), e.powerWord(n, 0))
	// The denominator, e^2a+1 = 2^n·(e^2r-1) + (2^n+1), as a sum of two.
	base, part := e.add(power, e.c(1)), e.mul(power, r)
	g := e.growth(r, 2)
	d := e.fma(part, g, base)
	lost := e.fma(part, g, e.sub(base, d))
	u := e.reciprocal(d)
	rest := e.squared(e.fma(e.neg(u), lost, e.fma(e.neg(u), d, e.c(1))))
	// u has 21 bits, so that 1-2u is exact where it matters, and the result is rounded once.
	twice := e.mul(u, e.c(-2))
	large := e.fma(twice, rest, e.add(twice, e.c(1)))
	small := e.oddPoly(magnitude, tanhPoly64) // or NaN
	return e.copySign(e.Select(e.CmpF("oge", magnitude, e.c(tanhSmall64)), large, small), in[0])
}

// squared returns x+x²: 1/(1-x)-1 for a small x. A reciprocal's 21 bits become 63.
func (e expander) squared(x ir.Value) ir.Value { return e.fma(x, x, x) }
