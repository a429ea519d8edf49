package divisibility

import (
	"cmp"
	"slices"

	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/numeric"
)

// An Operand is what is known of an operand.
type Operand struct {
	Fact
	Range intrange.Range
}

// Of returns the fact of an element-wise operation from those of its operands. unknown is what is known of the result
// anyway.
func Of(s *constfold.Spec, in []Operand, unknown Fact) Fact {
	out := unknown
	if out.Width == 0 {
		return out
	}
	for _, x := range in {
		if x.Width == 0 {
			return out
		}
		// Of another shape: element-wise operations have none such, unless the IR has not been verified.
		if len(x.Steps) != len(out.Steps) {
			return unknown
		}
	}
	switch s.Op {
	case constfold.Select:
		return choose(in)
	case constfold.Bitcast:
		return in[0].Fact
	case constfold.Convert:
		return convert(s, in[0], out.Width)
	case constfold.Neg:
		return combine(Fact{out.Width, out.Width, zeros(len(out.Steps))}, in[0].Fact, -1)
	case constfold.Abs:
		return pointwise(in, out, in[0].Exponent())
	}
	if len(in) != 2 {
		return pointwise(in, out, 0)
	}
	a, b := in[0], in[1]
	switch s.Op {
	case constfold.Add:
		return combine(a.Fact, b.Fact, 1)
	case constfold.Sub:
		return combine(a.Fact, b.Fact, -1)
	case constfold.Mul:
		return multiply(a, b)
	case constfold.Shl:
		if k, ok := b.Range.IsConst(); ok && k < uint64(out.Width) {
			return Scale(a.Fact, 1<<k)
		}
		return pointwise(in, out, a.without(func(i int) bool { return !equalAt(in, i) }).Exp)
	case constfold.Min, constfold.Max:
		return pointwise(in, out, min(a.Exponent(), b.Exponent()))
	case constfold.Or, constfold.Xor:
		// Without a common bit there is no carry, so that or and xor are additions.
		if disjoint(a, b) || disjoint(b, a) {
			return combine(a.Fact, b.Fact, 1)
		}
		return pointwise(in, out, min(a.Exponent(), b.Exponent()))
	case constfold.And:
		return and(a, b, out)
	case constfold.Div, constfold.Shr:
		return divide(s, a, b, out)
	case constfold.Rem:
		return remainder(s, a, b, out)
	case constfold.Compare:
		return compare(s, a, b, out)
	}
	return pointwise(in, out, 0)
}

func zeros(n int) []Step {
	steps := make([]Step, n)
	for i := range steps {
		steps[i].Linear = true
	}
	return steps
}

// equalAt reports whether setting index bit i changes no operand.
func equalAt(in []Operand, i int) bool {
	for _, x := range in {
		if x.Steps[i] != (Step{Linear: true}) {
			return false
		}
	}
	return true
}

// pointwise is the fact of an operation of which only is known that equal operands give equal results, all divisible
// by 2^exp.
func pointwise(in []Operand, out Fact, exp int) Fact {
	out.Exp = min(exp, out.Width)
	out.Steps = slices.Clone(out.Steps)
	for i := range out.Steps {
		out.Steps[i] = Step{Linear: equalAt(in, i)}
	}
	return out
}

// choose is the fact of a select: in[0] is the condition.
func choose(in []Operand) Fact {
	if c, ok := in[0].Range.IsConst(); ok {
		if c != 0 {
			return in[1].Fact
		}
		return in[2].Fact
	}
	drop := func(i int) bool { return in[0].Steps[i] != (Step{Linear: true}) }
	return Join(in[1].without(drop), in[2].without(drop))
}

// combine returns a + sign * b. Exact modulo 2^width, because addition is linear: no question of wrapping arises
// before something reads the numbers (exact).
func combine(a, b Fact, sign int64) Fact {
	drop := func(i int) bool { return !a.Steps[i].Linear || !b.Steps[i].Linear }
	a, b = a.without(drop), b.without(drop)
	out := Fact{a.Width, min(a.Exp, b.Exp), make([]Step, len(a.Steps))}
	for i := range out.Steps {
		if !drop(i) && a.Steps[i].Linear {
			out.Steps[i] = linear(a.Steps[i].By+sign*b.Steps[i].By, a.Width)
		}
	}
	return out
}

// Scale returns the fact of the elements multiplied by a constant.
func Scale(f Fact, by int64) Fact {
	out := Fact{f.Width, min(f.Exp+exponent(uint64(by), f.Width), f.Width), make([]Step, len(f.Steps))}
	for i, s := range f.Steps {
		if s.Linear {
			out.Steps[i] = linear(s.By*by, f.Width)
		}
	}
	return out
}

func multiply(a, b Operand) Fact {
	if c, ok := b.Range.IsConst(); ok {
		return Scale(a.Fact, int64(c))
	}
	if c, ok := a.Range.IsConst(); ok {
		return Scale(b.Fact, int64(c))
	}
	in := []Operand{a, b}
	drop := func(i int) bool { return !equalAt(in, i) }
	return pointwise(in, a.Fact, a.without(drop).Exp+b.without(drop).Exp)
}

// disjoint reports whether no bit is set in elements of both: b is less than what divides a.
func disjoint(a, b Operand) bool {
	exp := a.Exponent()
	return exp == a.Width || b.Range.W != 0 && b.Range.UMax>>exp == 0
}

// and handles masks of the lowest or highest bits; what divides one operand divides the result.
func and(a, b Operand, out Fact) Fact {
	if _, ok := b.Range.IsConst(); !ok {
		a, b = b, a
	}
	in := []Operand{a, b}
	exp := max(a.Exponent(), b.Exponent())
	mask, ok := b.Range.IsConst()
	if !ok {
		return pointwise(in, out, exp)
	}
	w := numeric.Int(a.Width)
	if k, ok := log2(int64(w.Wrap(mask + 1))); ok && mask != w.Mask() {
		return lowBits(a.Fact, k)
	}
	if k := exponent(mask, a.Width); w.Wrap(mask|(1<<k-1)) == w.Mask() && k < a.Width {
		high := combine(a.Fact, lowBits(a.Fact, k), -1)
		high.Exp = max(high.Exp, k)
		return high
	}
	return pointwise(in, out, exp)
}

// lowBits returns the fact of the elements modulo 2^k, k < width.
func lowBits(f Fact, k int) Fact {
	inside := int64(1)<<k - 1
	f = f.keepWithin(k)
	out := Fact{f.Width, f.Exp, make([]Step, len(f.Steps))}
	for i, s := range f.Steps {
		if s.Linear {
			out.Steps[i] = Step{s.By & inside, true}
		}
	}
	if f.Exp >= k {
		out.Exp = f.Width
	}
	return out
}

// keepWithin keeps the steps with which the elements modulo 2^k are sums of steps. If the elements start from a
// multiple of 2^k, all steps together must stay inside the block of 2^k numbers. Otherwise each step must be a
// multiple of 2^k.
func (f Fact) keepWithin(k int) Fact {
	inside := uint64(1)<<k - 1
	order := f.bySize(func(by int64) uint64 { return uint64(by) & inside })
	// The small steps first: they are those of neighbouring elements, and what vectors are made of.
	for n := len(order); n > 0; n-- {
		kept := f.only(order[:n])
		room := uint64(0)
		if kept.Exp >= k {
			room = inside
		}
		if kept.sumUpTo(room, func(by int64) uint64 { return uint64(by) & inside }) {
			return kept
		}
	}
	return f.only(nil)
}

// sumUpTo reports whether the sizes of the steps add up to at most limit.
func (f Fact) sumUpTo(limit uint64, size func(by int64) uint64) bool {
	for _, s := range f.Steps {
		if !s.Linear {
			continue
		}
		by := size(s.By)
		if by > limit {
			return false
		}
		limit -= by
	}
	return true
}

// bySize returns the linear index bits in the order of the size of their steps.
func (f Fact) bySize(size func(by int64) uint64) []int {
	var order []int
	for i, s := range f.Steps {
		if s.Linear {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(size(f.Steps[i].By), size(f.Steps[j].By)) })
	return order
}

// only returns the fact that is left when only some index bits stay linear.
func (f Fact) only(keep []int) Fact {
	return f.without(func(i int) bool { return !slices.Contains(keep, i) })
}
