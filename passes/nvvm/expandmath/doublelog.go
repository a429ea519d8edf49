package expandmath

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// A mantissa is what logarithms need of x = m·2^k: f = m-1, for m from √½ to √2, and k·2^20. Of an x that is zero,
// negative, infinite or NaN they are those of another number; scaled is then no positive normal number.
type mantissa struct{ scaled, scaledWord, f, k ir.Value }

func (e expander) mantissa(x ir.Value) mantissa {
	const shift, inWord = 54, 20
	_, hi := e.words(x)
	small := e.CmpI("slt", hi, e.word(1<<inWord)) // or negative
	m := mantissa{scaled: e.Select(small, e.mul(x, e.c(1<<shift)), x)}
	lo, hi := e.words(m.scaled)
	m.scaledWord = hi
	exponent := e.Op(arith.AndI, e.Op(arith.SubI, hi, e.word(upper(math.Sqrt2/2))), e.word(-1<<inWord))
	m.f = e.sub(e.join(lo, e.Op(arith.SubI, hi, exponent)), e.c(1))
	exponent = e.Select(small, e.Op(arith.SubI, exponent, e.word(shift<<inWord)), exponent)
	m.k = e.Cast(arith.SIToFP, exponent, e.t)
	return m
}

// logSpecial64 returns y, the logarithm of a positive finite x, or the special result for another x.
func (e expander) logSpecial64(x ir.Value, m mantissa, y ir.Value) ir.Value {
	inf := e.c(math.Inf(1))
	y = e.Select(e.CmpI("uge", m.scaledWord, e.word(upper(math.Inf(1)))), e.fma(m.scaled, inf, inf), y)
	return e.Select(e.CmpF("oeq", x, e.c(0)), e.c(math.Inf(-1)), y)
}

// atanhArgument returns s = f/(2+f). The reciprocal's error 1-(2+f)u is computed without rounding 2+f.
func (e expander) atanhArgument(f ir.Value) ir.Value {
	u := e.reciprocal(e.add(f, e.c(2)))
	minus := e.neg(u)
	rest := e.squared(e.fma(minus, f, e.fma(minus, e.c(2), e.c(1))))
	return e.mul(f, e.fma(rest, u, u))
}

// logF64 uses log(1+f) = 2s + s·z·p(z) with z = s², and 2s = f - s·f, in the form f - s·(f-z·p(z)). f is exact, and
// what is subtracted is small: 0.86 ulp.
func logF64(e expander, x []ir.Value) ir.Value {
	m := e.mantissa(x[0])
	s := e.atanhArgument(m.f)
	z := e.mul(s, s)
	small := e.fma(e.neg(z), e.poly(z, logPoly64), m.f)
	l := e.add(m.f, e.fma(e.neg(s), small, e.mul(m.k, e.c(math.Ldexp(ln2.lo, -20)))))
	return e.logSpecial64(x[0], m, e.fma(m.k, e.c(math.Ldexp(ln2.hi, -20)), l))
}

// log2F64 has log2(e) in the coefficients. That of f itself needs two numbers: 0.97 ulp.
func log2F64(e expander, x []ir.Value) ir.Value {
	m := e.mantissa(x[0])
	s := e.atanhArgument(m.f)
	z := e.mul(s, s)
	hi, lo := e.split(log2E)
	small := e.fma(m.f, hi, e.neg(e.mul(z, e.poly(z, log2Poly64))))
	l := e.fma(m.f, hi, e.fma(e.neg(s), small, e.mul(m.f, lo)))
	return e.logSpecial64(x[0], m, e.fma(m.k, e.c(math.Ldexp(1, -20)), l))
}
