package constfold

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// Op is what an element-wise operation computes.
type Op uint8

// The operations. Those of the first group are for integers and floats alike: the type of the operands tells.
const (
	None Op = iota
	Add
	Sub
	Mul
	Div
	Rem
	Neg
	Abs
	Min
	Max
	Compare
	Convert // to a wider or narrower integer, another format, or between the two
	Bitcast
	Select

	MulHigh
	And
	Or
	Xor
	Shl
	Shr

	FMA
	Sqrt
	Floor
	Ceil
	Rsqrt
	Exp
	Exp2
	Log
	Log2
	Sin
	Cos
	Tan
	Sinh
	Cosh
	Tanh
	Atan2
	Pow
	PowInt // the second operand is an integer of type Out.Int
)

// A Type is an element type: an integer, or else a format.
type Type struct {
	Int   numeric.Int
	Float numeric.Format
}

// TypeOf returns the element type of a scalar or shaped type of numbers.
func TypeOf(t ir.Type) (Type, bool) {
	switch t := ir.ElementType(t).(type) {
	case *ir.IntegerType:
		return Type{Int: numeric.Int(t.Width)}, t.Width >= 1 && t.Width <= 64
	case *ir.IndexType:
		return Type{Int: numeric.I64}, true
	case *ir.FloatType:
		return Type{Float: t.Format}, t.Format.Valid()
	}
	return Type{}, false
}

func (t Type) mask() uint64 {
	if t.Int != 0 {
		return t.Int.Mask()
	}
	return numeric.Int(t.Float.Bits()).Mask()
}

// A Spec is an operation with all that decides what it computes.
type Spec struct {
	Op Op
	// In is the type of the first operand (of the second for Select), Out of the result; for PowInt, Exponent of the
	// second operand.
	In, Out, Exponent Type
	// Env is how floats are rounded, and how an integer division is.
	Env numeric.Env
	// Signed reads integers as signed ones.
	Signed bool
	// Promise are the wraps that the program promises not to happen.
	Promise numeric.Wraps
	// Saturating clamps what a conversion to an integer cannot hold.
	Saturating bool
	// Truth makes a conversion of a float to a truth value tell whether it is not zero, instead of truncating it.
	Truth bool
	// PropagateNaN makes the minimum and maximum of a NaN and a number the NaN.
	PropagateNaN bool
	// Predicate and Unordered are a comparison.
	Predicate numeric.Predicate
	Unordered bool
}

// Eval computes the operation on the bit patterns of its operands. It reports false when there is nothing that the
// result must be.
func (s *Spec) Eval(in ...uint64) (uint64, bool) {
	switch {
	case s.Op == Convert:
		return s.convert(in[0])
	case s.Op == Bitcast:
		return in[0], true
	case s.Op == Select:
		if in[0]&1 != 0 {
			return in[1], true
		}
		return in[2], true
	case s.In.Int != 0:
		return s.evalInt(in)
	case s.In.Float.Valid():
		return s.evalFloat(in)
	}
	return 0, false
}

func (s *Spec) convert(a uint64) (uint64, bool) {
	from, to := s.In, s.Out
	switch {
	case from.Int != 0 && to.Int != 0:
		v := to.Int.Extend(from.Int, a, s.Signed)
		if to.Int < from.Int && s.broken(numeric.Wraps{
			Signed:   from.Int.Extend(to.Int, v, true) != a,
			Unsigned: from.Int.Extend(to.Int, v, false) != a,
		}) {
			return 0, false
		}
		return v, true
	case from.Int != 0:
		return to.Float.FromInt(from.Int, a, s.Signed, s.Env), true
	case to.Int == 1 && s.Truth:
		return truth(!from.Float.IsZero(a)), true
	case to.Int != 0:
		v, ok := from.Float.ToInt(a, to.Int, s.Signed, numeric.Zero)
		return v, ok || s.Saturating
	}
	return to.Float.Convert(from.Float, a, s.Env), true
}

// broken reports whether a wrap happened that the program promised not to.
func (s *Spec) broken(w numeric.Wraps) bool {
	return s.Promise.Signed && w.Signed || s.Promise.Unsigned && w.Unsigned
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
