package canonical

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/numeric"
)

// Folding computes what package constfold says, bit for bit what the interpreter would. What is left alone, and why,
// stands there; what this dialect adds is in fold_shape.go and fold_select.go. An operation on an assume is not
// folded through it: the assume keeps what it says.

// A folder is an ir.OpDef.Fold hook.
type folder = func(op ir.Op, operands []ir.Attribute) []ir.FoldResult

// computes says what the element-wise operations compute.
var computes = map[*ir.OpDef]constfold.Op{}

func attachElements() {
	for def, what := range map[*ir.OpDef]constfold.Op{
		cudatile.AddI: constfold.Add, cudatile.SubI: constfold.Sub, cudatile.MulI: constfold.Mul, cudatile.MulhiI: constfold.MulHigh, cudatile.DivI: constfold.Div, cudatile.RemI: constfold.Rem,
		cudatile.MaxI: constfold.Max, cudatile.MinI: constfold.Min, cudatile.AbsI: constfold.Abs, cudatile.NegI: constfold.Neg, cudatile.AndI: constfold.And, cudatile.OrI: constfold.Or,
		cudatile.XorI: constfold.Xor, cudatile.ShLI: constfold.Shl, cudatile.ShRI: constfold.Shr, cudatile.CmpI: constfold.Compare,

		cudatile.AddF: constfold.Add, cudatile.SubF: constfold.Sub, cudatile.MulF: constfold.Mul, cudatile.DivF: constfold.Div, cudatile.RemF: constfold.Rem, cudatile.MaxF: constfold.Max,
		cudatile.MinF: constfold.Min, cudatile.AbsF: constfold.Abs, cudatile.NegF: constfold.Neg, cudatile.Fma: constfold.FMA, cudatile.Sqrt: constfold.Sqrt, cudatile.Floor: constfold.Floor,
		cudatile.Ceil: constfold.Ceil, cudatile.CmpF: constfold.Compare, cudatile.Rsqrt: constfold.Rsqrt, cudatile.Exp: constfold.Exp, cudatile.Exp2: constfold.Exp2, cudatile.Log: constfold.Log,
		cudatile.Log2: constfold.Log2, cudatile.Sin: constfold.Sin, cudatile.Cos: constfold.Cos, cudatile.Tan: constfold.Tan, cudatile.SinH: constfold.Sinh, cudatile.CosH: constfold.Cosh,
		cudatile.TanH: constfold.Tanh, cudatile.Atan2: constfold.Atan2, cudatile.Pow: constfold.Pow, cudatile.FPowI: constfold.PowInt,

		cudatile.Bitcast: constfold.Bitcast, cudatile.ExtI: constfold.Convert, cudatile.TruncI: constfold.Convert, cudatile.FToF: constfold.Convert, cudatile.FToI: constfold.Convert,
		cudatile.IToF: constfold.Convert,
	} {
		computes[def] = what
		def.Attach(constfold.Computes.Is(specOf))
		def.Fold = foldElements
	}
}

// foldElements folds an element-wise operation: by an identity, or because its operands are constant. The public
// dialect of 13.3 folds no arithmetic on constants; we do, because everything below is simpler for it
// (docs/conformance.md).
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
	// x - x or x ^ x need no constant. Package constfold knows for which operations and types that holds: with a NaN,
	// x - x is no zero.
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
	if a == nil || !isNumberTile(a.Type()) {
		return nil
	}
	return []ir.FoldResult{{Attr: a}}
}

func isNumberTile(t ir.Type) bool {
	tile, ok := t.(*cudatile.TileType)
	return ok && cudatile.IsNumber(tile.Elem)
}

// specOf says what an element-wise operation computes, if that is determined. It is the row's constfold.Computes too,
// so that folding, ranges and divisibility cannot disagree on what an operation is.
func specOf(op ir.Op) (spec constfold.Spec, ok bool) {
	spec = constfold.Spec{Op: computes[op.Def()], Signed: cudatile.SignednessOf(op) == cudatile.Signed, Saturating: op.HasUnitAttr("saturating"),
		PropagateNaN: op.HasUnitAttr("propagate_nan"), Predicate: numeric.Predicate(cudatile.PredicateOf(op)),
		Unordered: cudatile.ComparisonOrderingOf(op) == cudatile.Unordered,
		// As tileiras compiles it, with a sign, saturating or not: every number but zero, and NaN, is true.
		Truth: op.Is(cudatile.FToI)}
	var known bool
	if spec.In, ok = constfold.TypeOf(op.Operand(0).Type()); !ok {
		return spec, false
	}
	if spec.Out, ok = constfold.TypeOf(op.Result(0).Type()); !ok {
		return spec, false
	}
	if op.Is(cudatile.FPowI) {
		if spec.Exponent, ok = constfold.TypeOf(op.Operand(1).Type()); !ok {
			return spec, false
		}
	}
	// It has no signedness of its own, and is the high half of the unsigned product.
	if op.Is(cudatile.MulhiI) {
		spec.Signed = false
	}
	switch cudatile.OverflowOf(op) {
	case cudatile.NoSignedWrap:
		spec.Promise.Signed = true
	case cudatile.NoUnsignedWrap:
		spec.Promise.Unsigned = true
	case cudatile.NoWrap:
		spec.Promise = numeric.Wraps{Signed: true, Unsigned: true}
	}
	spec.Env.FlushToZero = op.HasUnitAttr("flush_to_zero")
	spec.Env.Rounding, known = roundingOf(op)
	return spec, known
}

// roundingOf returns how an operation rounds, and whether that determines its result: what approx asks for is up to
// the target. The error that full allows, the correctly rounded result keeps.
func roundingOf(op ir.Op) (numeric.Rounding, bool) {
	switch cudatile.RoundingOf(op) {
	case cudatile.Zero:
		return numeric.Zero, true
	case cudatile.NegativeInf:
		return numeric.NegInf, true
	case cudatile.PositiveInf:
		return numeric.PosInf, true
	case cudatile.NearestAway:
		return numeric.NearestAway, true
	case cudatile.Approx:
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
	case def.Is(cudatile.MmaF), def.Is(cudatile.MmaFScaled):
		return true
	case def.Is(cudatile.NegF), def.Is(cudatile.AbsF), def.Is(cudatile.Bitcast):
		return false // their results have the operand's bits
	default:
		return computes[def.Def()] != constfold.None
	}
}

// undone returns what an operation that changes nothing, or is on the result of its inverse or of itself, comes to.
// These are the ones that hold for every bit pattern. A floor of a float that is integral anyway needs ranges of
// floats, which nobody computes.
func undone(op ir.Op) (ir.Value, bool) {
	if op.Is(cudatile.Bitcast) && op.Operand(0).Type() == op.Result(0).Type() {
		return op.Operand(0), true
	}
	inner := op.Operand(0).DefiningOp()
	if inner.IsNil() || inner.NumOperands() != 1 {
		return ir.Value{}, false
	}
	x := inner.Operand(0)
	switch op.Def() {
	case cudatile.NegF, cudatile.NegI: // -(-x); where the inner one may not wrap, neither does x
		return x, inner.Is(op.Def())
	case cudatile.AbsF:
		return op.Operand(0), inner.Is(cudatile.AbsF)
	case cudatile.Floor, cudatile.Ceil:
		return op.Operand(0), inner.Is(cudatile.Floor) || inner.Is(cudatile.Ceil)
	case cudatile.TruncI:
		return x, inner.Is(cudatile.ExtI) && x.Type() == op.Result(0).Type()
	case cudatile.Bitcast:
		return x, inner.Is(cudatile.Bitcast) && x.Type() == op.Result(0).Type()
	}
	return ir.Value{}, false
}
