package expandmath

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

// A pair is an unevaluated sum of two values, the second one small compared to the first.
type pair struct{ hi, lo ir.Value }

// fastTwoSum is the exact sum of a and b where b is not larger.
func (e expander) fastTwoSum(a, b ir.Value) pair {
	s := e.add(a, b)
	return pair{s, e.sub(b, e.sub(s, a))}
}

// twoProduct is the exact product.
func (e expander) twoProduct(a, b ir.Value) pair {
	p := e.mul(a, b)
	return pair{p, e.fma(a, b, e.neg(p))}
}

// mulPair is the product of two sums.
func (e expander) mulPair(a, b pair) pair {
	p := e.twoProduct(a.hi, b.hi)
	return pair{p.hi, e.fma(a.hi, b.lo, e.fma(a.lo, b.hi, p.lo))}
}

func (e expander) constantPair(k constant) pair {
	hi, lo := e.split(k)
	return pair{hi, lo}
}

// twoDifference is the exact difference, whichever is larger.
func (e expander) twoDifference(a, b ir.Value) pair {
	d := e.sub(a, b)
	taken := e.sub(a, d)
	back := e.add(d, taken)
	return pair{d, e.add(e.sub(a, back), e.sub(taken, b))}
}

// step is one step of Horner's rule, a·b+c, with the rounding error; a·b is not larger than c. The multiplication
// is not rounded, so this is one operation less than a product and a sum.
func (e expander) step(a, b, c ir.Value) pair {
	s := e.fma(a, b, c)
	return pair{s, e.fma(a, b, e.sub(c, s))}
}

// stepPair is step for sums. A part that is not set is zero, and the product of both low parts is too small to matter.
func (e expander) stepPair(a, b, c pair) pair {
	s := e.step(a.hi, b.hi, c.hi)
	if !b.lo.IsNil() {
		s.lo = e.fma(a.hi, b.lo, s.lo)
	}
	if !a.lo.IsNil() {
		s.lo = e.fma(a.lo, b.hi, s.lo)
	}
	if !c.lo.IsNil() {
		s.lo = e.add(s.lo, c.lo)
	}
	return s
}

// square is the square of a sum.
func (e expander) square(a pair) pair {
	p := e.twoProduct(a.hi, a.hi)
	return pair{p.hi, e.fma(e.add(a.hi, a.hi), a.lo, p.lo)}
}

// quotient returns n/d, of two sums. The reciprocal need not be exact: the remainder is exact, and corrects its
// error. d.hi and its reciprocal are normal numbers.
func (e expander) quotient(n, d pair) pair {
	inverse := e.reciprocal(d.hi)
	q := e.mul(n.hi, inverse)
	minus := e.neg(q)
	rest := e.fma(minus, d.lo, e.fma(minus, d.hi, n.hi))
	if !n.lo.IsNil() {
		rest = e.add(rest, n.lo)
	}
	return pair{q, e.mul(rest, inverse)}
}

// inverse is 1/d.
func (e expander) inverse(d pair) pair {
	q := e.reciprocal(d.hi)
	minus := e.neg(q)
	return pair{q, e.mul(e.fma(minus, d.lo, e.fma(minus, d.hi, e.c(1))), q)}
}

// reciprocal is the instruction, for a normal number whose reciprocal is normal too. The form that flushes all
// others spares the assembler the code for them.
func (e expander) reciprocal(x ir.Value) ir.Value {
	e.ftz = true
	return e.approximate(nvvm.RcpApprox, x)
}

func (e expander) sum(a pair) ir.Value { return e.add(a.hi, a.lo) }
