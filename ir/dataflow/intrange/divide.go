package intrange

import (
	"github.com/tilewright/tilewright/ir/numeric"
)

// Division by zero is undefined, and so is that of the most negative number by -1; neither adds anything to the result.

func (t *transfer) div(a, b part) {
	if b.lo == 0 {
		if b.lo = 1; b.hi == 0 {
			return
		}
	}
	if !t.Signed {
		lo, _ := t.w.Div(a.lo, b.hi, false, t.Env.Rounding)
		hi, _ := t.w.Div(a.hi, b.lo, false, t.Env.Rounding)
		t.pattern(t.w, lo, hi)
		return
	}
	quotient := func(a, b wide) wide {
		x, y := int64(a.lo), int64(b.lo)
		if y == -1 {
			return a.negate()
		}
		q, _ := numeric.I64.Div(uint64(x), uint64(y), true, t.Env.Rounding)
		return fromSigned(int64(q))
	}
	// A part has one sign, so that the quotient is monotonic in both operands. What is clipped is the one that
	// overflows.
	q := corners(t.signed(a), t.signed(b), quotient).clip(t.limits(true))
	t.wrapped(t.w, q.lo, q.hi)
}

func (t *transfer) rem(a, b part) {
	if b.lo == 0 {
		if b.lo = 1; b.hi == 0 {
			return
		}
	}
	if !t.Signed {
		lo, hi := remainders(a, b)
		t.pattern(t.w, lo, hi)
		return
	}
	negative := a.lo >= t.w.MinSigned()
	lo, hi := remainders(t.magnitudes(a), t.magnitudes(b))
	if negative { // the remainder has the sign of the dividend
		t.wrapped(t.w, fromUnsigned(hi).negate(), fromUnsigned(lo).negate())
		return
	}
	t.pattern(t.w, lo, hi)
}

// magnitudes returns the absolute values of the signed numbers of a part.
func (t *transfer) magnitudes(p part) part {
	if p.lo >= t.w.MinSigned() {
		return part{t.w.Neg(p.hi), t.w.Neg(p.lo)}
	}
	return p
}

// remainders returns the bounds of the remainders of unsigned numbers.
func remainders(a, b part) (lo, hi uint64) {
	switch {
	case a.hi < b.lo:
		return a.lo, a.hi
	case b.lo == b.hi && a.lo/b.lo == a.hi/b.lo:
		return a.lo % b.lo, a.hi % b.lo
	}
	return 0, min(a.hi, b.hi-1)
}

func (t *transfer) shl(a, b part) {
	if b.hi = min(b.hi, uint64(t.w)-1); b.lo > b.hi {
		return // undefined
	}
	s, u := t.signed(a), t.unsigned(a)
	shift := func(x interval) interval {
		return interval{minWide(x.lo.shl(b.lo), x.lo.shl(b.hi)), maxWide(x.hi.shl(b.lo), x.hi.shl(b.hi))}
	}
	t.reduce(shift(s), shift(u))
}

func (t *transfer) shr(a, b part) {
	if b.hi = min(b.hi, uint64(t.w)-1); b.lo > b.hi {
		return // undefined
	}
	x := t.read(a)
	t.wrapped(t.w, minWide(x.lo.shr(b.lo), x.lo.shr(b.hi)), maxWide(x.hi.shr(b.lo), x.hi.shr(b.hi)))
}
