package arith

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/numeric"
)

// floatOps says what the operations on floats, and the conversions from and to them, compute.
var floatOps = map[*ir.OpDef]constfold.Spec{
	AddF: {Op: constfold.Add}, SubF: {Op: constfold.Sub}, MulF: {Op: constfold.Mul}, DivF: {Op: constfold.Div}, RemF: {Op: constfold.Rem},
	MaximumF: {Op: constfold.Max, PropagateNaN: true}, MaxNumF: {Op: constfold.Max},
	MinimumF: {Op: constfold.Min, PropagateNaN: true}, MinNumF: {Op: constfold.Min},
	NegF: {Op: constfold.Neg}, AbsF: {Op: constfold.Abs}, Fma: {Op: constfold.FMA}, Sqrt: {Op: constfold.Sqrt}, Floor: {Op: constfold.Floor},
	Ceil: {Op: constfold.Ceil}, CmpF: {Op: constfold.Compare}, FToF: {Op: constfold.Convert},
	SIToFP: {Op: constfold.Convert, Signed: true}, UIToFP: {Op: constfold.Convert},
	FPToSI: {Op: constfold.Convert, Signed: true}, FPToUI: {Op: constfold.Convert},
}

func init() {
	for def, spec := range floatOps {
		def.Attach(constfold.Computes.Is(func(op ir.Op) (constfold.Spec, bool) { return floatSpec(op, spec) }))
	}
}

// floatSpec completes what a row says by what the operation does.
func floatSpec(op ir.Op, spec constfold.Spec) (constfold.Spec, bool) {
	var ok bool
	if spec.In, ok = constfold.TypeOf(op.Operand(0).Type()); !ok {
		return spec, false
	}
	if spec.Out, ok = constfold.TypeOf(op.Result(0).Type()); !ok {
		return spec, false
	}
	spec.Saturating = op.Def().AttrSlot(AttrSaturating) >= 0 && op.HasUnitAttr(AttrSaturating)
	if op.Is(CmpF) {
		if spec.Predicate, spec.Unordered, ok = floatPredicate(op); !ok {
			return spec, false
		}
	}
	spec.Env, ok = envOf(op)
	return spec, ok
}

// roundings are the rounding modes that determine the result; approx and full do not.
var roundings = map[string]numeric.Rounding{
	"": numeric.NearestEven, "nearest_even": numeric.NearestEven, "zero": numeric.Zero, "negative_inf": numeric.NegInf,
	"positive_inf": numeric.PosInf, "nearest_away": numeric.NearestAway,
}

// envOf returns how an operation computes, and whether that determines the result. A discardable attribute of the
// same name says nothing.
func envOf(op ir.Op) (env numeric.Env, ok bool) {
	def := op.Def()
	env.FlushToZero = def.AttrSlot(AttrFtz) >= 0 && op.HasUnitAttr(AttrFtz)
	if def.AttrSlot(AttrRounding) < 0 {
		return env, true
	}
	env.Rounding, ok = roundings[op.StringAttr(AttrRounding)]
	return env, ok
}
