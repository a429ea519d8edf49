package intrange

import (
	"math/bits"

	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/numeric"
)

// Of returns the range of an element-wise operation from those of its operands.
func Of(s *constfold.Spec, in []Range) Range {
	w := s.Out.Int
	if w == 0 {
		return Range{}
	}
	switch s.Op {
	case constfold.Select:
		return choose(in)
	case constfold.Bitcast:
		if s.In.Int == w {
			return in[0]
		}
		return Full(w)
	}
	if s.In.Int == 0 {
		return Full(w) // from floats
	}
	for _, r := range in {
		if r.W == 0 {
			return Full(w)
		}
	}
	t := transfer{Spec: s, w: s.In.Int, out: w}
	switch f := binary[s.Op]; {
	case f != nil && len(in) == 2:
		in[0].parts(func(a part) {
			in[1].parts(func(b part) { f(&t, a, b) })
		})
	case len(in) == 1:
		in[0].parts(t.unary)
	}
	return t.done(w)
}

// choose is the range of a select: in[0] is that of the condition.
func choose(in []Range) Range {
	if c, ok := in[0].IsConst(); ok {
		if c != 0 {
			return in[1]
		}
		return in[2]
	}
	return Join(in[1], in[2])
}

// A transfer collects the results of an operation on pairs of parts of its operands.
type transfer struct {
	*constfold.Spec
	builder
	w, out numeric.Int
}

var binary map[constfold.Op]func(t *transfer, a, b part)

func init() {
	binary = map[constfold.Op]func(t *transfer, a, b part){
		constfold.Add: (*transfer).add, constfold.Sub: (*transfer).subtract, constfold.Mul: (*transfer).mul,
		constfold.MulHigh: (*transfer).mulHigh, constfold.Div: (*transfer).div, constfold.Rem: (*transfer).rem,
		constfold.Min: (*transfer).min, constfold.Max: (*transfer).max, constfold.And: (*transfer).and, constfold.Or: (*transfer).or,
		constfold.Xor: (*transfer).xor, constfold.Shl: (*transfer).shl, constfold.Shr: (*transfer).shr, constfold.Compare: (*transfer).compare,
	}
}

// An interval of integers that are read from a part.
type interval struct{ lo, hi wide }

func (t *transfer) signed(p part) interval {
	return interval{fromSigned(t.w.Signed(p.lo)), fromSigned(t.w.Signed(p.hi))}
}

func (t *transfer) unsigned(p part) interval { return interval{fromUnsigned(p.lo), fromUnsigned(p.hi)} }

// limits returns the integers of the result type, signed or unsigned.
func (t *transfer) limits(signed bool) interval {
	if signed {
		return interval{fromSigned(t.out.Signed(t.out.MinSigned())), fromSigned(t.out.Signed(t.out.MaxSigned()))}
	}
	return interval{hi: fromUnsigned(t.out.Mask())}
}

func (a interval) clip(b interval) interval {
	return interval{maxWide(a.lo, b.lo), minWide(a.hi, b.hi)}
}

// reduce adds what is s when operands are read as signed and u when they are read as unsigned, modulo 2^width,
// without what the program promises not to happen.
func (t *transfer) reduce(s, u interval) {
	var bySign, byMagnitude builder
	if t.Promise.Signed {
		s = s.clip(t.limits(true))
	}
	bySign.wrapped(t.out, s.lo, s.hi)
	// Both readings have the same patterns modulo 2^w; the second one is worth its cost only when a promise cuts
	// something off.
	if !t.Promise.Unsigned {
		t.join(bySign)
		return
	}
	u = u.clip(t.limits(false))
	byMagnitude.wrapped(t.out, u.lo, u.hi)
	if !bySign.any || !byMagnitude.any {
		return
	}
	if r, ok := Meet(bySign.sum, byMagnitude.sum); ok {
		t.join(builder{r, true})
	}
}

func (t *transfer) join(b builder) {
	switch {
	case !b.any:
	case t.any:
		t.sum = Join(t.sum, b.sum)
	default:
		t.builder = b
	}
}

func (t *transfer) add(a, b part) {
	sum := func(a, b interval) interval { return interval{a.lo.add(b.lo), a.hi.add(b.hi)} }
	t.reduce(sum(t.signed(a), t.signed(b)), sum(t.unsigned(a), t.unsigned(b)))
}

func (t *transfer) subtract(a, b part) {
	diff := func(a, b interval) interval { return interval{a.lo.sub(b.hi), a.hi.sub(b.lo)} }
	t.reduce(diff(t.signed(a), t.signed(b)), diff(t.unsigned(a), t.unsigned(b)))
}

func (t *transfer) mul(a, b part) {
	u := interval{fromUnsigned(0), fromUnsigned(t.out.Mask())}
	if t.Promise.Unsigned {
		if high(t.w, a.lo, b.lo) != 0 {
			return
		}
		u.lo = fromUnsigned(a.lo * b.lo)
		if high(t.w, a.hi, b.hi) == 0 {
			u.hi = fromUnsigned(a.hi * b.hi)
		}
	}
	t.reduce(corners(t.signed(a), t.signed(b), wide.mul), u)
}

// corners returns the interval of an operation that is monotonic in each operand.
func corners(a, b interval, f func(a, b wide) wide) interval {
	w := f(a.lo, b.lo)
	out := interval{w, w}
	for _, v := range [...]wide{f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)} {
		out.lo, out.hi = minWide(out.lo, v), maxWide(out.hi, v)
	}
	return out
}

func (t *transfer) mulHigh(a, b part) {
	if !t.Signed {
		t.pattern(t.w, high(t.w, a.lo, b.lo), high(t.w, a.hi, b.hi))
		return
	}
	p := corners(t.signed(a), t.signed(b), wide.mul)
	t.wrapped(t.w, p.lo.shr(uint64(t.w)), p.hi.shr(uint64(t.w)))
}

// high returns what of a product of unsigned numbers is beyond the width.
func high(w numeric.Int, a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	// In Go a shift by 64 yields 0, so that i64 is no special case.
	return hi<<(64-w) | lo>>w
}

func (t *transfer) min(a, b part) {
	t.order(a, b, func(a, b wide) wide { return minWide(a, b) })
}

func (t *transfer) max(a, b part) {
	t.order(a, b, func(a, b wide) wide { return maxWide(a, b) })
}

// The minimum of two intervals begins at the lesser start and ends at the lesser end, and both are attained.
func (t *transfer) order(a, b part, f func(a, b wide) wide) {
	x, y := t.read(a), t.read(b)
	t.wrapped(t.w, f(x.lo, y.lo), f(x.hi, y.hi))
}

// read reads a part as the operation does.
func (t *transfer) read(p part) interval {
	if t.Signed {
		return t.signed(p)
	}
	return t.unsigned(p)
}

func (t *transfer) compare(a, b part) {
	x, y := t.read(a), t.read(b)
	less, greater := x.lo.less(y.hi), y.lo.less(x.hi) // for some pair
	equal := !x.hi.less(y.lo) && !y.hi.less(x.lo)
	unequal := less || greater
	var yes, no bool
	switch t.Predicate {
	case numeric.Equal:
		yes, no = equal, unequal
	case numeric.NotEqual:
		yes, no = unequal, equal
	case numeric.LessThan:
		yes, no = less, equal || greater
	case numeric.LessOrEqual:
		yes, no = less || equal, greater
	case numeric.GreaterThan:
		yes, no = greater, less || equal
	case numeric.GreaterOrEqual:
		yes, no = greater || equal, less
	default:
		yes, no = true, true
	}
	if yes {
		t.pattern(1, 1, 1)
	}
	if no {
		t.pattern(1, 0, 0)
	}
}

func (t *transfer) unary(a part) {
	switch t.Op {
	case constfold.Neg:
		t.subtract(part{}, a)
	case constfold.Abs:
		if a.lo >= t.w.MinSigned() {
			a.lo, a.hi = t.w.Neg(a.hi), t.w.Neg(a.lo)
		}
		t.pattern(t.w, a.lo, a.hi)
	case constfold.Convert:
		t.convert(a)
	default:
		t.pattern(t.out, 0, t.out.Mask())
	}
}

func (t *transfer) convert(a part) {
	if t.out >= t.w {
		x := t.read(a)
		t.wrapped(t.out, x.lo, x.hi)
		return
	}
	t.reduce(t.signed(a), t.unsigned(a))
}
