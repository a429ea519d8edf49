package expandmath

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

func powF32(e expander, x []ir.Value) ir.Value {
	return pow(e, x[0], x[1], 200, func(p, low ir.Value) ir.Value {
		whole, _ := e.round(p)
		n := e.clamp(whole, -126, 127)
		return exp2Single(e, n, e.add(e.sub(p, n), low))
	})
}

func powF64(e expander, x []ir.Value) ir.Value {
	return pow(e, x[0], x[1], 1100, func(p, low ir.Value) ir.Value {
		n, sum := e.round(p)
		f := e.add(e.sub(p, n), low)
		hi, lo := e.split(ln2)
		return e.ldexp(e.expReduced(e.fma(f, hi, e.mul(f, lo))), sum, 0)
	})
}

// pow returns x^y as 2^(y·log2|x|) with the sign that follows from x and y. exp2 gets the exponent as a sum,
// within ±limit. At these ends the result is zero or infinite.
func pow(e expander, x, y ir.Value, limit float64, exp2 func(p, low ir.Value) ir.Value) ir.Value {
	if c, ok := ir.ConstantValue(y).(*ir.FloatAttr); ok && c.Float64() == 2 {
		return e.mul(x, x)
	}
	zero, one, inf := e.c(0), e.c(1), e.c(math.Inf(1))
	magnitude := e.abs(x)
	l := e.log2Pair(magnitude)
	product := e.twoProduct(y, l.hi)
	low := e.fma(y, l.lo, product.lo)
	bounded := e.clamp(product.hi, -limit, limit)
	low = e.Select(e.CmpF("oeq", bounded, product.hi), low, zero)
	result := exp2(bounded, low)

	// Zero and infinity to a power are either.
	isZero, isInf := e.CmpF("oeq", magnitude, zero), e.CmpF("oeq", magnitude, inf)
	positive := e.CmpF("ogt", y, zero)
	extreme := e.Select(e.Op(arith.XOrI, positive, isZero), inf, zero)
	result = e.Select(e.Op(arith.OrI, isZero, isInf), extreme, result)

	// A negative base: the sign of the result is that of odd powers; fractional ones have no value unless the base is
	// zero or infinite.
	whole := e.CmpF("oeq", e.Op(arith.Floor, y), y)
	half := e.mul(y, e.c(0.5))
	odd := e.Op(arith.AndI, whole, e.CmpF("one", e.Op(arith.Floor, half), half))
	negative := e.CmpI("slt", e.toBits(x), e.i(0))
	result = e.Select(e.Op(arith.AndI, negative, odd), e.neg(result), result)
	finiteNegative := e.Op(arith.AndI, e.CmpF("olt", x, zero), e.Not(isInf))
	result = e.Select(e.Op(arith.AndI, finiteNegative, e.Not(whole)), e.c(math.NaN()), result)

	// -1 to an infinite power is 1, and so are x^0 and 1^y, NaN or not.
	endless := e.CmpF("oeq", e.abs(y), inf)
	result = e.Select(e.Op(arith.AndI, endless, e.CmpF("oeq", magnitude, one)), one, result)
	result = e.Select(e.CmpF("uno", x, y), e.c(math.NaN()), result)
	return e.Select(e.Op(arith.OrI, e.CmpF("oeq", x, one), e.CmpF("oeq", y, zero)), one, result)
}
