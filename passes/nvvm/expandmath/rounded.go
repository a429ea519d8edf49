package expandmath

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

// The methods of this file and of wave.go compute functions of f32 to some 40 bits before they are rounded. So
// all but some ten in a million results are correctly rounded. The last steps of a polynomial, whose error
// counts, use sums of two numbers; its first steps do not. A method in f64 would be shorter where the hardware
// computes it at half the rate of f32, and many times slower where the rate is a 64th.

// tiny bounds the arguments for which an odd function is x itself: x³/3 is less than half of the last place.
const tiny = 0x1p-12

// split32 is a constant as the sum of two f32 numbers.
func split32(x float64) constant {
	h := float64(float32(x))
	return constant{h, x - h}
}

// exact is a sum of one number.
func exact(v ir.Value) pair { return pair{hi: v} }

// logOfMantissa returns log(m) for x = m·2^k with m from √½ to √2. It is 2·atanh(s/2) with s = f/(1+f/2), f = m-1.
func (e expander) logOfMantissa(x ir.Value) (l pair, k ir.Value) {
	m, k, _ := e.decompose(x, math.Sqrt2/2)
	f := e.sub(m, e.c(1))
	half := e.mul(f, e.c(0.5))
	inverse := e.reciprocal(e.fma(f, e.c(0.5), e.c(1)))
	s := e.mul(f, inverse)
	// f - s·(1+f/2) in an order in which the difference is exact.
	sum := pair{s, e.mul(e.fma(e.neg(s), half, e.sub(f, s)), inverse)}
	z := e.square(sum)
	p := e.stepPair(z, exact(e.poly(z.hi, logRest32)), e.constantPair(split32(1./12)))
	return e.stepPair(sum, e.mulPair(z, p), sum), k
}

func logF32(e expander, x []ir.Value) ir.Value {
	l, k := e.logOfMantissa(x[0])
	// k times the first 16 bits of ln 2 is exact, and so is what the sum loses.
	const first = 0x1.62e4p-1
	head := e.fma(k, e.c(first), l.hi)
	lost := e.add(e.fma(k, e.c(first), e.neg(head)), l.hi)
	return e.logSpecial(x[0], e.add(head, e.add(lost, e.fma(k, e.c(math.Ln2-first), l.lo))))
}

func log2F32(e expander, x []ir.Value) ir.Value {
	l, k := e.logOfMantissa(x[0])
	l = e.mulPair(l, e.constantPair(log2E))
	sum := e.fastTwoSum(k, l.hi)
	return e.logSpecial(x[0], e.add(sum.hi, e.add(sum.lo, l.lo)))
}

// An expansion is e^a = 2^n·(1+head·growth + rest), where head + rest = a - n·ln2, and sum has n in its bits.
type expansion struct {
	sum        ir.Value
	head, rest ir.Value
	growth     pair // (e^head-1)/head
}

// expansion returns that of a = x·scale, from 0 to some hundred.
func (e expander) expansion(x ir.Value, scale float64) expansion {
	out := expansion{sum: e.fma(x, e.c(scale*math.Log2E), e.c(e.magic()))}
	minus := e.sub(e.c(e.magic()), out.sum)
	ln2Hi, ln2Lo := e.split(ln2)
	a := x
	if scale != 1 {
		a = e.mul(x, e.c(scale))
	}
	first := e.fma(minus, ln2Hi, a) // exact
	r := e.step(minus, ln2Lo, first)
	out.head, out.rest = r.hi, r.lo
	h := exact(r.hi)
	p := e.stepPair(h, exact(e.poly(r.hi, expRest32)), e.constantPair(split32(1./24)))
	p = e.stepPair(h, p, e.constantPair(split32(1./6)))
	p = e.stepPair(h, p, exact(e.c(0.5)))
	out.growth = e.stepPair(h, p, exact(e.c(1)))
	return out
}

// less1 is e^a/2^n - 1.
func (x expansion) less1(e expander) pair {
	m := e.twoProduct(x.head, x.growth.hi)
	low := e.fma(x.head, x.growth.lo, m.lo)
	return pair{m.hi, e.add(low, e.fma(x.rest, m.hi, x.rest))}
}

// power returns 2^(n+k); n+k is an exponent of normal numbers.
func (x expansion) power(e expander, k int64) ir.Value {
	n := e.Op(arith.ShLI, e.toBits(x.sum), e.i(int64(e.spec.Man)))
	return e.fromBits(e.Op(arith.AddI, n, e.i((int64(e.spec.Bias)+k)<<e.spec.Man)))
}

// inversePower returns 2^(k-n), or zero for an n that is so large that it does not matter.
func (x expansion) inversePower(e expander, k int64) ir.Value {
	n := e.Op(arith.ShLI, e.toBits(x.sum), e.i(int64(e.spec.Man)))
	return e.fromBits(e.Op(arith.MaxSI, e.Op(arith.SubI, e.i((int64(e.spec.Bias)+k)<<e.spec.Man), n), e.i(0)))
}

// atMost returns x, or the bound where x is greater. NaN stays.
func (e expander) atMost(x ir.Value, bound float64) ir.Value {
	return e.Op(arith.MinimumF, x, e.c(bound))
}

// overflowing is an argument for which sinh and cosh are infinite, and a quarter of them is finite.
const overflowing = 89.5

// coshF32 adds a quarter of e^a and of e^-a, and doubles the sum: 2^n may be infinite where half of it is not.
func coshF32(e expander, in []ir.Value) ir.Value {
	x := e.expansion(e.atMost(e.abs(in[0]), overflowing), 1)
	power := e.stepPair(exact(x.head), x.growth, exact(e.c(1)))
	power.lo = e.fma(x.rest, power.hi, power.lo)
	inverse := e.inverse(power)
	up, down := exact(x.power(e, -2)), exact(x.inversePower(e, -2))
	large := pair{e.mul(power.hi, up.hi), e.mul(power.lo, up.hi)}
	quarter := e.sum(e.stepPair(down, inverse, large))
	return e.add(quarter, quarter)
}

// sinhF32 uses m = e^a/2^n-1, so that nothing cancels near zero: e^-a = 2^-n·(1 - m/(1+m)).
func sinhF32(e expander, in []ir.Value) ir.Value {
	a := e.abs(in[0])
	x := e.expansion(e.atMost(a, overflowing), 1)
	m := x.less1(e)
	power := e.fastTwoSum(e.c(1), m.hi)
	power.lo = e.add(power.lo, m.lo)
	up, down := x.power(e, -2), x.inversePower(e, -2)
	powers := e.sub(up, down)
	lost := e.sub(e.sub(up, powers), down)
	sum := e.stepPair(exact(up), m, pair{powers, lost})
	sum = e.stepPair(exact(down), e.quotient(m, power), sum)
	quarter := e.sum(sum)
	return e.bySize(in[0], a, tiny, a, e.add(quarter, quarter))
}

// saturated is an argument whose tanh is 1.
const saturated = 9.5

// tanhF32 is y/(y+2) with y = e^2a-1.
func tanhF32(e expander, in []ir.Value) ir.Value {
	if e.approx {
		return e.approximate(nvvm.TanhApprox, in[0])
	}
	a := e.abs(in[0])
	x := e.expansion(e.atMost(a, saturated), 2)
	power := x.power(e, 0)
	y := e.stepPair(exact(power), x.less1(e), exact(e.sub(power, e.c(1))))
	two := e.c(2)
	den := e.fastTwoSum(e.Op(arith.MaxNumF, y.hi, two), e.Op(arith.MinNumF, y.hi, two))
	den.lo = e.add(den.lo, y.lo)
	return e.bySize(in[0], a, tiny, a, e.sum(e.quotient(y, den)))
}
