package divisibility

import (
	"cmp"
	"slices"

	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/numeric"
)

// exact keeps the steps that do not wrap when the elements are read as signed or unsigned numbers, so that they hold
// for the numbers and not only modulo 2^width. That is so if the range of the value leaves room for the step, or if
// steps and element stay in an aligned block. Dropping a step is always right, keeping one that wraps is not: a
// 32-bit index that passes 2^31 would make two far addresses look like neighbours.
func exact(f Fact, r intrange.Range, signed bool) Fact {
	var safe, rest []int
	for i, s := range f.Steps {
		if s.Linear {
			if s.By == 0 || roomFor(s.By, r, signed) {
				safe = append(safe, i)
			} else {
				rest = append(rest, i)
			}
		}
	}
	if len(rest) == 0 {
		return f
	}
	slices.SortStableFunc(rest, func(i, j int) int { return cmp.Compare(uint64(f.Steps[i].By), uint64(f.Steps[j].By)) })
	for n := len(rest); n > 0; n-- {
		kept := f.only(append(slices.Clone(safe), rest[:n]...))
		if kept.inBlock() {
			return kept
		}
	}
	return f.only(safe)
}

// roomFor reports whether a step added to an element of the range cannot wrap, given that the sum is in the range as
// well.
func roomFor(by int64, r intrange.Range, signed bool) bool {
	if r.W == 0 {
		return false
	}
	full := intrange.Full(r.W)
	if signed {
		if by > 0 {
			return r.SMax <= full.SMax-by
		}
		return r.SMin >= full.SMin-by
	}
	if by > 0 {
		return full.UMax-r.UMax >= uint64(by)
	}
	return r.UMin >= uint64(-by)
}

// inBlock reports whether the elements stay in a block of 2^Exp numbers, aligned to its size, however many steps are
// added.
func (f Fact) inBlock() bool {
	limit := uint64(1)<<min(f.Exp, f.Width-1) - 1                        // from zero, they stay without the sign bit
	return f.sumUpTo(limit, func(by int64) uint64 { return uint64(by) }) // a negative one is too large
}

// convert is the fact of a conversion between integers.
func convert(s *constfold.Spec, a Operand, width int) Fact {
	f := a.Fact
	if width > f.Width {
		f = exact(f, a.Range, s.Signed)
	}
	out := Fact{width, min(f.Exp, width), make([]Step, len(f.Steps))}
	if f.IsZero() {
		out.Exp = width
	}
	for i, st := range f.Steps {
		if st.Linear {
			out.Steps[i] = linear(st.By, width)
		}
	}
	return out
}

// Extend returns the fact of integers that are sign-extended.
func Extend(a Operand, width int) Fact {
	return convert(&constfold.Spec{Signed: true}, a, width)
}

// divide is the fact of a quotient by a constant power of two, or of a shift right.
func divide(s *constfold.Spec, a, b Operand, out Fact) Fact {
	in := []Operand{a, b}
	c, ok := b.Range.IsConst()
	if !ok {
		return pointwise(in, out, 0)
	}
	k := int(min(c, 64))
	if s.Op == constfold.Div {
		// As a signed number 2^(width-1) is negative, and the quotient changes its sign.
		if k, ok = log2(int64(c)); !ok || s.Signed && k == a.Width-1 {
			return pointwise(in, out, 0)
		}
	}
	if k == 0 {
		return a.Fact
	}
	if k >= a.Width {
		return pointwise(in, out, 0)
	}
	f := exact(a.Fact, a.Range, s.Signed)
	down := s.Op == constfold.Shr || s.Env.Rounding == numeric.NegInf || s.Env.Rounding == numeric.Zero && (!s.Signed || a.Range.NonNegative())
	inside := int64(1)<<k - 1
	if down {
		f = f.keepWithin(k)
	} else {
		f = f.without(func(i int) bool { return f.Steps[i].By&inside != 0 })
	}
	if f.Exp < k {
		return pointwise(in, out, 0)
	}
	out = Fact{f.Width, f.Exp - k, make([]Step, len(f.Steps))}
	if f.IsZero() {
		out.Exp = f.Width
	}
	for i, st := range f.Steps {
		if st.Linear {
			out.Steps[i] = linear(st.By>>k, f.Width)
		}
	}
	return out
}

// remainder is the fact of a remainder: what divides dividend and divisor divides it.
func remainder(s *constfold.Spec, a, b Operand, out Fact) Fact {
	in := []Operand{a, b}
	if c, ok := b.Range.IsConst(); ok && (!s.Signed || a.Range.NonNegative()) {
		if k, ok := log2(int64(c)); ok && k > 0 && k < a.Width && (!s.Signed || k < a.Width-1) {
			return lowBits(a.Fact, k)
		}
	}
	return pointwise(in, out, min(a.Exponent(), b.Exponent()))
}

// compare is the fact of a comparison. Take a run that starts from a multiple of 2^g and does not reach the next one.
// The comparison has the same result for all its elements if the other operand is constant along it and also a
// multiple of 2^g.
func compare(s *constfold.Spec, a, b Operand, out Fact) Fact {
	in := []Operand{a, b}
	same := pointwise(in, out, 0)
	switch s.Predicate {
	case numeric.LessThan, numeric.GreaterOrEqual:
	case numeric.GreaterThan, numeric.LessOrEqual:
		a, b = b, a
	default:
		return same
	}
	even := func(i int) bool { return b.Steps[i] == Step{Linear: true} }
	limit := b.Exponent()
	f := a.without(func(i int) bool { return !even(i) })
	order := f.bySize(func(by int64) uint64 { return uint64(by) })
	for n := len(order); n > 0; n-- {
		kept := f.only(order[:n])
		kept.Exp = min(kept.Exp, limit)
		if !kept.inBlock() {
			continue
		}
		for _, i := range order[:n] {
			same.Steps[i].Linear = true
		}
		break
	}
	return same
}
