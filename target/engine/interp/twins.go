package interp

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// twins are the operations of arith that are executed as one of cuda_tile, so that there is one meaning of each: isSigned, envOf and their like
// read what modifies an operation from either.
var twins = map[*ir.OpDef]*ir.OpDef{
	arith.AddI: cudatile.AddI, arith.SubI: cudatile.SubI, arith.MulI: cudatile.MulI, arith.MulHUI: cudatile.MulhiI,
	arith.DivSI: cudatile.DivI, arith.DivUI: cudatile.DivI, arith.CeilDivSI: cudatile.DivI, arith.CeilDivUI: cudatile.DivI,
	arith.FloorDiv: cudatile.DivI, arith.RemSI: cudatile.RemI, arith.RemUI: cudatile.RemI,
	arith.AndI: cudatile.AndI, arith.OrI: cudatile.OrI, arith.XOrI: cudatile.XorI,
	arith.ShLI: cudatile.ShLI, arith.ShRSI: cudatile.ShRI, arith.ShRUI: cudatile.ShRI,
	arith.MaxSI: cudatile.MaxI, arith.MaxUI: cudatile.MaxI, arith.MinSI: cudatile.MinI, arith.MinUI: cudatile.MinI,
	arith.AbsI: cudatile.AbsI, arith.NegI: cudatile.NegI, arith.CmpI: cudatile.CmpI,

	arith.AddF: cudatile.AddF, arith.SubF: cudatile.SubF, arith.MulF: cudatile.MulF, arith.DivF: cudatile.DivF, arith.RemF: cudatile.RemF,
	arith.MaximumF: cudatile.MaxF, arith.MaxNumF: cudatile.MaxF, arith.MinimumF: cudatile.MinF, arith.MinNumF: cudatile.MinF,
	arith.NegF: cudatile.NegF, arith.AbsF: cudatile.AbsF, arith.Fma: cudatile.Fma,
	arith.Exp: cudatile.Exp, arith.Exp2: cudatile.Exp2, arith.Log: cudatile.Log, arith.Log2: cudatile.Log2,
	arith.Sin: cudatile.Sin, arith.Cos: cudatile.Cos, arith.Tan: cudatile.Tan,
	arith.SinH: cudatile.SinH, arith.CosH: cudatile.CosH, arith.TanH: cudatile.TanH,
	arith.Sqrt: cudatile.Sqrt, arith.RSqrt: cudatile.Rsqrt, arith.Floor: cudatile.Floor, arith.Ceil: cudatile.Ceil,
	arith.PowF: cudatile.Pow, arith.Atan2: cudatile.Atan2,

	arith.Select: cudatile.Select, arith.Bitcast: cudatile.Bitcast, arith.FToF: cudatile.FToF,
	arith.ExtSI: cudatile.ExtI, arith.ExtUI: cudatile.ExtI, arith.TruncI: cudatile.TruncI,
	arith.SIToFP: cudatile.IToF, arith.UIToFP: cudatile.IToF, arith.FPToSI: cudatile.FToI, arith.FPToUI: cudatile.FToI,
}

// executedAs returns the operation whose rule executes def.
func executedAs(def *ir.OpDef) *ir.OpDef {
	if t := twins[def]; t != nil {
		return t
	}
	return def
}

// ruleOf returns the rule of an operation, or nil.
func ruleOf(def *ir.OpDef) rule {
	def = executedAs(def)
	if of := overflows[def]; of != nil {
		return promising(of, rules[def])
	}
	return rules[def]
}
