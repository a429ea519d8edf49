package constfold

import (
	"math"

	"github.com/tilewright/tilewright/ir/numeric"
)

// Known is what a folder knows about the operands of a binary operation that are not all constant.
type Known struct {
	// Same: the operands are the same value.
	Same bool
	// Right: all elements of the second operand are equal, and their bit pattern is Bits.
	Right bool
	Bits  uint64
	// Canonical: every NaN among the elements of the first operand is the canonical one.
	Canonical bool
}

// An Outcome is what an operation comes to: an operand, or the same constant in every element.
type Outcome struct {
	Operand int
	IsConst bool
	Bits    uint64
}

func first() (Outcome, bool)          { return Outcome{}, true }
func firstIf(ok bool) (Outcome, bool) { return Outcome{}, ok }
func second() (Outcome, bool)         { return Outcome{Operand: 1}, true }
func all(bits uint64) (Outcome, bool) { return Outcome{IsConst: true, Bits: bits}, true }
func unknown() (Outcome, bool)        { return Outcome{}, false }

// Identity returns what a binary operation is although not both of its operands are constant. No identity needs an
// operand to be defined where the operation is not.
func (s *Spec) Identity(k Known) (Outcome, bool) {
	switch {
	case s.In.Int != 0 && k.Same:
		return s.intWithItself()
	case s.In.Int != 0 && k.Right:
		return s.intWithConstant(k.Bits)
	case s.In.Float.Valid() && k.Same:
		return s.floatWithItself(k.Canonical)
	case s.In.Float.Valid() && k.Right:
		return s.floatWithConstant(k.Bits, k.Canonical)
	}
	return unknown()
}

// intWithItself handles op(x, x).
func (s *Spec) intWithItself() (Outcome, bool) {
	switch s.Op {
	case And, Or, Max, Min:
		return first()
	case Sub, Xor:
		return all(0)
	case Compare: // what it is for 0 and 0
		return all(truth(s.In.Int.Compare(s.Predicate, s.Signed, 0, 0)))
	}
	return unknown()
}

// intWithConstant handles op(x, c).
func (s *Spec) intWithConstant(c uint64) (Outcome, bool) {
	w := s.In.Int
	least, greatest := uint64(0), w.Mask()
	if s.Signed {
		least, greatest = w.MinSigned(), w.MaxSigned()
	}
	switch s.Op {
	case Add, Sub, Xor, Shl, Shr: // x + 0
		return firstIf(c == 0)
	case Or: // x | 0, x | ~0
		if c == w.Mask() {
			return second()
		}
		return firstIf(c == 0)
	case And: // x & 0, x & ~0
		if c == 0 {
			return second()
		}
		return firstIf(c == w.Mask())
	case Mul: // x * 0, x * 1
		if c == 0 {
			return second()
		}
		return firstIf(c == 1)
	case Div: // x / 1; as a signed i1 that is -1, by which only 0 can be divided
		return firstIf(c == 1)
	case Rem: // x % 1
		if c == 1 {
			return all(0)
		}
	case Max:
		if c == greatest {
			return second()
		}
		return firstIf(c == least)
	case Min:
		if c == least {
			return second()
		}
		return firstIf(c == greatest)
	case Compare: // nothing is less than the least
		switch {
		case c == least && s.Predicate == numeric.LessThan, c == greatest && s.Predicate == numeric.GreaterThan:
			return all(0)
		case c == least && s.Predicate == numeric.GreaterOrEqual, c == greatest && s.Predicate == numeric.LessOrEqual:
			return all(1)
		}
	}
	return unknown()
}

// floatWithItself handles op(x, x); x may be a NaN.
func (s *Spec) floatWithItself(canonical bool) (Outcome, bool) {
	switch s.Op {
	case Min, Max:
		return firstIf(canonical && !s.Env.FlushToZero)
	case Compare:
		if equal := s.In.Float.Compare(s.Predicate, s.Unordered, 0, 0); equal == s.Unordered {
			return all(truth(equal))
		}
	}
	return unknown()
}

// floatWithConstant handles op(x, c).
func (s *Spec) floatWithConstant(c uint64, canonical bool) (Outcome, bool) {
	f := s.In.Float
	if s.Op == Compare && f.IsNaN(c) {
		return all(truth(s.Unordered))
	}
	if !canonical || s.Env.FlushToZero {
		return unknown()
	}
	// Adding a zero keeps the sign of the other zero if it is the zero that the rounding mode favours.
	neutral := f.Zero(s.Env.Rounding != numeric.NegInf)
	switch s.Op {
	case Add:
		return firstIf(c == neutral)
	case Sub:
		return firstIf(c == f.Neg(neutral))
	case Mul, Div:
		return firstIf(f.Decode(c) == 1)
	case Min:
		return s.bound(c, math.Inf(1))
	case Max:
		return s.bound(c, math.Inf(-1))
	}
	return unknown()
}

// bound handles a minimum or maximum with the infinity that loses against every number: x, unless a NaN loses against
// it.
func (s *Spec) bound(c uint64, loses float64) (Outcome, bool) {
	return firstIf(s.PropagateNaN && s.In.Float.Decode(c) == loses)
}
