package intrange

import (
	"fmt"

	"github.com/tilewright/tilewright/ir/numeric"
)

// A Range is a set of integers of W bits. The bounds are inclusive and each is attained by the set that they
// describe, which is never empty. The zero Range stands for a value that is no integer.
type Range struct {
	W          numeric.Int
	UMin, UMax uint64
	SMin, SMax int64
}

// A part is an interval of bit patterns that all have the sign bit, or all lack it.
type part struct{ lo, hi uint64 }

// Full returns all numbers of a width.
func Full(w numeric.Int) Range {
	return Range{W: w, UMax: w.Mask(), SMin: w.Signed(w.MinSigned()), SMax: w.Signed(w.MaxSigned())}
}

// Const returns the range of one bit pattern.
func Const(w numeric.Int, bits uint64) Range {
	bits = w.Wrap(bits)
	s := w.Signed(bits)
	return Range{w, bits, bits, s, s}
}

// Unsigned returns the numbers from lo to hi, read as unsigned; those beyond the width do not count. An empty
// interval yields Full.
func Unsigned(w numeric.Int, lo, hi uint64) Range {
	var b builder
	b.pattern(w, lo, min(hi, w.Mask()))
	return b.done(w)
}

// Signed returns the numbers from lo to hi, read as signed; those beyond the width do not count. An empty interval
// yields Full.
func Signed(w numeric.Int, lo, hi int64) Range {
	var b builder
	b.signed(w, max(lo, w.Signed(w.MinSigned())), min(hi, w.Signed(w.MaxSigned())))
	return b.done(w)
}

// IsInt reports whether the range is that of an integer.
func (r Range) IsInt() bool { return r.W != 0 }

// IsFull reports whether nothing is known.
func (r Range) IsFull() bool { return r == Full(r.W) }

// IsConst returns the bit pattern when there is just one.
func (r Range) IsConst() (uint64, bool) { return r.UMin, r.W != 0 && r.UMin == r.UMax }

// NonNegative reports whether no number is negative when read as signed.
func (r Range) NonNegative() bool { return r.SMin >= 0 }

// Contains reports whether a bit pattern is in the range.
func (r Range) Contains(bits uint64) bool {
	s := r.W.Signed(bits)
	return r.UMin <= bits && bits <= r.UMax && r.SMin <= s && s <= r.SMax
}

// negative and natural return the parts with and without the sign bit.
func (r Range) negative() (part, bool) {
	return part{max(r.UMin, r.W.Wrap(uint64(r.SMin))), min(r.UMax, r.W.Wrap(uint64(min(r.SMax, -1))))}, r.SMin < 0
}

func (r Range) natural() (part, bool) {
	return part{max(r.UMin, uint64(max(r.SMin, 0))), uint64(r.SMax)}, r.SMax >= 0
}

// parts calls f for each of the parts that the range consists of.
func (r Range) parts(f func(part)) {
	if p, ok := r.natural(); ok {
		f(p)
	}
	if p, ok := r.negative(); ok {
		f(p)
	}
}

// Join returns the smallest range that covers both. One that is no integer is joined to nothing.
func Join(a, b Range) Range {
	if a.W != b.W {
		return Range{}
	}
	return Range{a.W, min(a.UMin, b.UMin), max(a.UMax, b.UMax), min(a.SMin, b.SMin), max(a.SMax, b.SMax)}
}

// Meet returns what is in both; false when there is nothing.
func Meet(a, b Range) (Range, bool) {
	if a.W != b.W || a.W == 0 {
		return a, true
	}
	// Part by part: the larger minima and smaller maxima alone need not be attained, and then == would not tell
	// whether two facts are the same.
	var out builder
	meet := func(p, q part, both bool) {
		if p.lo, p.hi = max(p.lo, q.lo), min(p.hi, q.hi); both && p.lo <= p.hi {
			out.part(a.W, p)
		}
	}
	p, ok := a.natural()
	q, ok2 := b.natural()
	meet(p, q, ok && ok2)
	p, ok = a.negative()
	q, ok2 = b.negative()
	meet(p, q, ok && ok2)
	return out.sum, out.any
}

// A builder joins intervals to a range.
type builder struct {
	sum Range
	any bool
}

func (b *builder) part(w numeric.Int, p part) {
	r := Range{w, p.lo, p.hi, w.Signed(p.lo), w.Signed(p.hi)}
	if b.any {
		r = Join(b.sum, r)
	}
	b.sum, b.any = r, true
}

// pattern adds the patterns from lo to hi, if there are any.
func (b *builder) pattern(w numeric.Int, lo, hi uint64) {
	if lo > hi {
		return
	}
	if sign := w.MinSigned(); lo < sign && hi >= sign {
		b.part(w, part{lo, sign - 1})
		b.part(w, part{sign, hi})
		return
	}
	b.part(w, part{lo, hi})
}

// signed adds the numbers from lo to hi, if there are any; both fit.
func (b *builder) signed(w numeric.Int, lo, hi int64) {
	switch {
	case lo > hi:
	case lo < 0 && hi >= 0:
		b.part(w, part{w.Wrap(uint64(lo)), w.Mask()})
		b.part(w, part{0, uint64(hi)})
	default:
		b.part(w, part{w.Wrap(uint64(lo)), w.Wrap(uint64(hi))})
	}
}

// wrapped adds the integers from lo to hi modulo 2^w, if there are any.
func (b *builder) wrapped(w numeric.Int, lo, hi wide) {
	if hi.less(lo) {
		return
	}
	// Else what is reduced modulo 2^w is one interval, or one that goes once around the end.
	if span := hi.sub(lo); span.hi != 0 || span.lo >= w.Mask() {
		b.pattern(w, 0, w.Mask())
		return
	}
	from, to := w.Wrap(lo.lo), w.Wrap(hi.lo)
	if from <= to {
		b.pattern(w, from, to)
		return
	}
	b.pattern(w, from, w.Mask())
	b.pattern(w, 0, to)
}

// done returns what was added, or Full: nothing is known of a value that cannot exist.
func (b *builder) done(w numeric.Int) Range {
	if !b.any {
		return Full(w)
	}
	return b.sum
}

// String spells the set as intervals: of signed numbers where there is one, else of unsigned ones, else both parts.
func (r Range) String() string {
	if r.W == 0 {
		return "no integer"
	}
	if r.IsFull() {
		return "any"
	}
	if r.UMin == r.UMax {
		return fmt.Sprint(r.SMin)
	}
	neg, hasNeg := r.negative()
	nat, hasNat := r.natural()
	signed := func(p part) string {
		if p.lo == p.hi {
			return fmt.Sprint(r.W.Signed(p.lo))
		}
		return fmt.Sprintf("[%d, %d]", r.W.Signed(p.lo), r.W.Signed(p.hi))
	}
	if !hasNeg || !hasNat || neg.hi == r.W.Mask() && nat.lo == 0 {
		return fmt.Sprintf("[%d, %d]", r.SMin, r.SMax)
	}
	if nat.hi == r.W.MaxSigned() && neg.lo == r.W.MinSigned() {
		return fmt.Sprintf("unsigned [%d, %d]", r.UMin, r.UMax)
	}
	return signed(neg) + " or " + signed(nat)
}
