package arith

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// roundings are the rounding modes that determine the result; approx and full do not.
var roundings = map[string]numeric.Rounding{
	"": numeric.NearestEven, "nearest_even": numeric.NearestEven, "zero": numeric.Zero, "negative_inf": numeric.NegInf,
	"positive_inf": numeric.PosInf, "nearest_away": numeric.NearestAway,
}

// envOf returns how an operation computes, and whether that determines the result. A discardable attribute of the same name says nothing.
func envOf(op ir.Op) (env numeric.Env, ok bool) {
	def := op.Def()
	env.FlushToZero = def.AttrSlot(AttrFtz) >= 0 && op.HasUnitAttr(AttrFtz)
	if def.AttrSlot(AttrRounding) < 0 {
		return env, true
	}
	env.Rounding, ok = roundings[op.StringAttr(AttrRounding)]
	return env, ok
}

func init() {
	binary := func(f func(t numeric.Format, a, b uint64, env numeric.Env) uint64) evaluator {
		return func(op ir.Op, in []ir.Attribute) (uint64, bool) {
			env, ok := envOf(op)
			return f(formatOf(op.Result(0).Type()), Bits(in[0]), Bits(in[1]), env), ok
		}
	}
	unary := func(f func(t numeric.Format, a uint64, env numeric.Env) uint64) evaluator {
		return func(op ir.Op, in []ir.Attribute) (uint64, bool) {
			env, ok := envOf(op)
			return f(formatOf(op.Result(0).Type()), Bits(in[0]), env), ok
		}
	}
	sign := func(f func(t numeric.Format, a uint64) uint64) evaluator {
		return unary(func(t numeric.Format, a uint64, _ numeric.Env) uint64 { return f(t, a) })
	}
	extremum := func(f func(t numeric.Format, a, b uint64, propagate bool, env numeric.Env) uint64, propagate bool) evaluator {
		return binary(func(t numeric.Format, a, b uint64, env numeric.Env) uint64 { return f(t, a, b, propagate, env) })
	}
	for def, f := range map[*ir.OpDef]evaluator{
		AddF: binary(numeric.Format.Add), SubF: binary(numeric.Format.Sub), MulF: binary(numeric.Format.Mul),
		DivF: binary(numeric.Format.Div), RemF: binary(numeric.Format.Rem),
		MaximumF: extremum(numeric.Format.Max, true), MaxNumF: extremum(numeric.Format.Max, false),
		MinimumF: extremum(numeric.Format.Min, true), MinNumF: extremum(numeric.Format.Min, false),
		NegF: sign(numeric.Format.Neg), AbsF: sign(numeric.Format.Abs),
		Sqrt: unary(numeric.Format.Sqrt), Floor: unary(numeric.Format.Floor), Ceil: unary(numeric.Format.Ceil),
		Fma: func(op ir.Op, in []ir.Attribute) (uint64, bool) {
			env, ok := envOf(op)
			return formatOf(op.Result(0).Type()).FMA(Bits(in[0]), Bits(in[1]), Bits(in[2]), env), ok
		},
		CmpF:   evalCmpF,
		FToF:   evalFToF,
		SIToFP: fromInt(true), UIToFP: fromInt(false),
		FPToSI: toInt(true), FPToUI: toInt(false),
	} {
		evaluators[def] = f
	}
}

func evalFToF(op ir.Op, in []ir.Attribute) (uint64, bool) {
	env, ok := envOf(op)
	return formatOf(op.Result(0).Type()).Convert(formatOf(op.Operand(0).Type()), Bits(in[0]), env), ok
}

func fromInt(signed bool) evaluator {
	return func(op ir.Op, in []ir.Attribute) (uint64, bool) {
		env, ok := envOf(op)
		return formatOf(op.Result(0).Type()).FromInt(intOf(op.Operand(0).Type()), Bits(in[0]), signed, env), ok
	}
}

func toInt(signed bool) evaluator {
	return func(op ir.Op, in []ir.Attribute) (uint64, bool) {
		v, ok := formatOf(op.Operand(0).Type()).ToInt(Bits(in[0]), intOf(op.Result(0).Type()), signed, numeric.Zero)
		return v, ok || op.HasUnitAttr(AttrSaturating)
	}
}

// floatPredicates are the comparisons behind the first letter of a predicate, which says what they are for NaN.
var floatPredicates = map[string]numeric.Predicate{
	"eq": numeric.Equal, "ne": numeric.NotEqual, "lt": numeric.LessThan, "le": numeric.LessOrEqual,
	"gt": numeric.GreaterThan, "ge": numeric.GreaterOrEqual,
}

func evalCmpF(op ir.Op, in []ir.Attribute) (uint64, bool) {
	f, a, b := formatOf(op.Operand(0).Type()), Bits(in[0]), Bits(in[1])
	switch pred := op.StringAttr(AttrPredicate); pred {
	case "":
		return 0, false
	case "ord":
		return truth(!f.IsNaN(a) && !f.IsNaN(b)), true
	case "uno":
		return truth(f.IsNaN(a) || f.IsNaN(b)), true
	default:
		p, ok := floatPredicates[pred[1:]]
		return truth(f.Compare(p, pred[0] == 'u', a, b)), ok
	}
}
