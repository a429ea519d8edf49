package expandmath

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// A wave is the sine or cosine of an angle r from -π/4 to π/4, in the form first·(1 + r²·p(r²)). It has the first
// term and the coefficients of p, those that are sums of two numbers first.
type wave struct {
	first pair
	sums  []pair
	rest  []ir.Value
}

func (e expander) wave(first pair, sums []float64, rest []float64) wave {
	w := wave{first: first}
	for _, x := range sums {
		p := e.constantPair(split32(x))
		if x == float64(float32(x)) {
			p.lo = ir.Value{}
		}
		w.sums = append(w.sums, p)
	}
	for _, x := range rest {
		w.rest = append(w.rest, e.c(x))
	}
	return w
}

func (e expander) waves(r pair) (sine, cosine wave) {
	return e.wave(r, []float64{-1. / 6, 1. / 120}, sinRest32), e.wave(exact(e.c(1)), []float64{-0.5, 1. / 24}, cosRest32)
}

// selectWave selects one of two waves, which costs less than evaluating both.
func (e expander) selectWave(cond ir.Value, yes, no wave) wave {
	out := wave{first: e.selectPair(cond, yes.first, no.first)}
	for i := range yes.sums {
		out.sums = append(out.sums, e.selectPair(cond, yes.sums[i], no.sums[i]))
	}
	for i := range yes.rest {
		out.rest = append(out.rest, e.Select(cond, yes.rest[i], no.rest[i]))
	}
	return out
}

func (e expander) selectPair(cond ir.Value, yes, no pair) pair {
	for _, low := range []*ir.Value{&yes.lo, &no.lo} {
		if low.IsNil() {
			*low = e.c(0)
		}
	}
	return pair{e.Select(cond, yes.hi, no.hi), e.Select(cond, yes.lo, no.lo)}
}

// evaluate returns a wave at the angle with the square z.
func (e expander) evaluate(w wave, z pair) pair {
	last := len(w.rest) - 1
	p := exact(w.rest[last])
	for i := last - 1; i >= 0; i-- {
		p.hi = e.fma(p.hi, z.hi, w.rest[i])
	}
	for i := len(w.sums) - 1; i >= 0; i-- {
		p = e.stepPair(z, p, w.sums[i])
	}
	return e.stepPair(w.first, e.mulPair(z, p), w.first)
}

func sinF32(e expander, x []ir.Value) ir.Value { return e.ownIfTiny(x[0], e.circular32(x[0], 0)) }
func cosF32(e expander, x []ir.Value) ir.Value { return e.circular32(x[0], 1) }

// ownIfTiny returns x where it is tiny, else y.
func (e expander) ownIfTiny(x, y ir.Value) ir.Value {
	return e.Select(e.CmpF("olt", e.abs(x), e.c(tiny)), x, y)
}

// circular32 returns sin(x + shift·π/2).
func (e expander) circular32(x ir.Value, shift int64) ir.Value {
	a := e.reduce(x)
	quadrant := a.quadrant
	if shift != 0 {
		quadrant = e.Op(arith.AddI, quadrant, e.i(shift))
	}
	sine, cosine := e.waves(a.rest)
	v := e.sum(e.evaluate(e.selectWave(e.bit(quadrant, 1), cosine, sine), e.square(a.rest)))
	return e.Select(e.bit(quadrant, 2), e.neg(v), v)
}

// tanF32 is sine by cosine, or minus cosine by sine.
func tanF32(e expander, x []ir.Value) ir.Value {
	a := e.reduce(x[0])
	z := e.square(a.rest)
	sineWave, cosineWave := e.waves(a.rest)
	sine, cosine := e.evaluate(sineWave, z), e.evaluate(cosineWave, z)
	odd := e.bit(a.quadrant, 1)
	v := e.sum(e.quotient(e.selectPair(odd, cosine, sine), e.selectPair(odd, sine, cosine)))
	return e.ownIfTiny(x[0], e.Select(odd, e.neg(v), v))
}
