package cudatile

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/numeric"
)

// Folding computes what package constfold says, bit for bit what the interpreter would. What is left alone, and why, stands there; what
// this dialect adds is in fold_shape.go and fold_select.go. An operation on an assume is not folded through it: the assume keeps what it says.

// A folder is an ir.OpDef.Fold hook.
type folder = func(op ir.Op, operands []ir.Attribute) []ir.FoldResult

// computes says what the element-wise operations compute.
var computes = map[*ir.OpDef]constfold.Op{}

func init() {
	for def, what := range map[*ir.OpDef]constfold.Op{
		AddI: constfold.Add, SubI: constfold.Sub, MulI: constfold.Mul, MulhiI: constfold.MulHigh, DivI: constfold.Div, RemI: constfold.Rem,
		MaxI: constfold.Max, MinI: constfold.Min, AbsI: constfold.Abs, NegI: constfold.Neg, AndI: constfold.And, OrI: constfold.Or,
		XorI: constfold.Xor, ShLI: constfold.Shl, ShRI: constfold.Shr, CmpI: constfold.Compare,

		AddF: constfold.Add, SubF: constfold.Sub, MulF: constfold.Mul, DivF: constfold.Div, RemF: constfold.Rem, MaxF: constfold.Max,
		MinF: constfold.Min, AbsF: constfold.Abs, NegF: constfold.Neg, Fma: constfold.FMA, Sqrt: constfold.Sqrt, Floor: constfold.Floor,
		Ceil: constfold.Ceil, CmpF: constfold.Compare, Rsqrt: constfold.Rsqrt, Exp: constfold.Exp, Exp2: constfold.Exp2, Log: constfold.Log,
		Log2: constfold.Log2, Sin: constfold.Sin, Cos: constfold.Cos, Tan: constfold.Tan, SinH: constfold.Sinh, CosH: constfold.Cosh,
		TanH: constfold.Tanh, Atan2: constfold.Atan2, Pow: constfold.Pow, FPowI: constfold.PowInt,

		Bitcast: constfold.Bitcast, ExtI: constfold.Convert, TruncI: constfold.Convert, FToF: constfold.Convert, FToI: constfold.Convert,
		IToF: constfold.Convert,
	} {
		computes[def] = what
		def.Attach(constfold.Computes.Is(specOf))
		def.Fold = foldElements
	}
}

// foldElements folds an element-wise operation: by an identity, or because its operands are constant.
// The public dialect of 13.3 folds no arithmetic on constants; we do, because everything below is simpler for it (docs/conformance.md).
func foldElements(op ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if op.NumOperands() == 1 {
		if v, ok := undone(op); ok {
			return []ir.FoldResult{{Value: v}}
		}
	}
	constants := 0
	for _, a := range operands {
		if a != nil {
			constants++
		}
	}
	// x - x or x ^ x need no constant. Package constfold knows for which operations and types that holds: with a NaN, x - x is no zero.
	same := len(operands) == 2 && op.Operand(0) == op.Operand(1)
	if constants == 0 && !same {
		return nil
	}
	spec, ok := specOf(op)
	if !ok {
		return nil
	}
	result := op.Result(0).Type()
	if constants == len(operands) {
		return constantResult(spec.Fold(op.Context(), result, operands))
	}
	if len(operands) != 2 {
		return nil
	}
	known := constfold.Known{Same: same, Canonical: isCanonical(op.Operand(0))}
	known.Bits, known.Right = constfold.Splat(operands[1])
	is, ok := spec.Identity(known)
	switch {
	case !ok:
		return nil
	case is.IsConst:
		return constantResult(constfold.Write(op.Context(), result, constfold.Elements{is.Bits}))
	}
	return []ir.FoldResult{{Value: op.Operand(is.Operand)}}
}

// constantResult is the answer of a folder that has found a constant, or nil.
func constantResult(a *ir.DenseElementsAttr) []ir.FoldResult {
	// A constant operation holds numbers only: no i4 and no pointers, although identities may yield either.
	if a == nil || !numberTile.Check(a.Type()) {
		return nil
	}
	return []ir.FoldResult{{Attr: a}}
}

// specOf says what an element-wise operation computes, if that is determined.
// It is the row's constfold.Computes too, so that folding, ranges and divisibility cannot disagree on what an operation is.
func specOf(op ir.Op) (spec constfold.Spec, ok bool) {
	spec = constfold.Spec{Op: computes[op.Def()], Signed: SignednessOf(op) == Signed, Saturating: op.HasUnitAttr("saturating"),
		PropagateNaN: op.HasUnitAttr("propagate_nan"), Predicate: numeric.Predicate(PredicateOf(op)),
		Unordered: ComparisonOrderingOf(op) == Unordered,
		// As tileiras compiles it, with a sign, saturating or not: every number but zero, and NaN, is true.
		Truth: op.Is(FToI)}
	var known bool
	if spec.In, ok = constfold.TypeOf(op.Operand(0).Type()); !ok {
		return spec, false
	}
	if spec.Out, ok = constfold.TypeOf(op.Result(0).Type()); !ok {
		return spec, false
	}
	if op.Is(FPowI) {
		if spec.Exponent, ok = constfold.TypeOf(op.Operand(1).Type()); !ok {
			return spec, false
		}
	}
	// It has no signedness of its own, and is the high half of the unsigned product.
	if op.Is(MulhiI) {
		spec.Signed = false
	}
	switch OverflowOf(op) {
	case NoSignedWrap:
		spec.Promise.Signed = true
	case NoUnsignedWrap:
		spec.Promise.Unsigned = true
	case NoWrap:
		spec.Promise = numeric.Wraps{Signed: true, Unsigned: true}
	}
	spec.Env.FlushToZero = op.HasUnitAttr("flush_to_zero")
	spec.Env.Rounding, known = roundingOf(op)
	return spec, known
}

// roundingOf returns how an operation rounds, and whether that determines its result: what approx asks for is up to the target. The error that
// full allows, the correctly rounded result keeps.
func roundingOf(op ir.Op) (numeric.Rounding, bool) {
	switch RoundingOf(op) {
	case Zero:
		return numeric.Zero, true
	case NegativeInf:
		return numeric.NegInf, true
	case PositiveInf:
		return numeric.PosInf, true
	case NearestAway:
		return numeric.NearestAway, true
	case Approx:
		return 0, false
	}
	return numeric.NearestEven, true
}

// isCanonical reports whether every NaN among the elements of a value is the canonical one: arithmetic yields no other.
//
// It matters for identities: x * 1 is x in every bit unless x is a NaN with a payload, which the multiplication
// would make canonical.
func isCanonical(v ir.Value) bool {
	switch def := v.DefiningOp(); {
	case def.IsNil():
		return false
	case def.Is(MmaF), def.Is(MmaFScaled):
		return true
	case def.Is(NegF), def.Is(AbsF), def.Is(Bitcast):
		return false // their results have the operand's bits
	default:
		return computes[def.Def()] != constfold.None
	}
}

// undone returns what an operation that changes nothing, or is on the result of its inverse or of itself, comes to.
// These are the ones that hold for every bit pattern. A floor of a float that is integral anyway needs ranges of floats, which nobody computes.
func undone(op ir.Op) (ir.Value, bool) {
	if op.Is(Bitcast) && op.Operand(0).Type() == op.Result(0).Type() {
		return op.Operand(0), true
	}
	inner := op.Operand(0).DefiningOp()
	if inner.IsNil() || inner.NumOperands() != 1 {
		return ir.Value{}, false
	}
	x := inner.Operand(0)
	switch op.Def() {
	case NegF, NegI: // -(-x); where the inner one may not wrap, neither does x
		return x, inner.Is(op.Def())
	case AbsF:
		return op.Operand(0), inner.Is(AbsF)
	case Floor, Ceil:
		return op.Operand(0), inner.Is(Floor) || inner.Is(Ceil)
	case TruncI:
		return x, inner.Is(ExtI) && x.Type() == op.Result(0).Type()
	case Bitcast:
		return x, inner.Is(Bitcast) && x.Type() == op.Result(0).Type()
	}
	return ir.Value{}, false
}
