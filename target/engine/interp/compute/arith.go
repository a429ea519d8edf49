package compute

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/kernel"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// The operations of arith that no operation of cuda_tile stands for.
func init() {
	core.Define(core.Table{arith.Constant: {Run: scalarOrDense, Vector: true, MakesNarrow: true}})
	defineVector(map[*ir.OpDef]core.Rule{
		arith.MulHSI: mulHighSigned, arith.CmpF: cmpFOrNaN,
	})
}

// computes returns what an operation's row says about its signedness, predicate and the like. The row says that even
// where it leaves the rounding open.
func computes(op ir.Op) constfold.Spec {
	if of, ok := constfold.Computes.Of(op); ok {
		spec, _ := of(op)
		return spec
	}
	return constfold.Spec{}
}

// arithRoundings are the rounding modes other than nearest even.
var arithRoundings = map[string]numeric.Rounding{
	"zero": numeric.Zero, "negative_inf": numeric.NegInf, "positive_inf": numeric.PosInf, "nearest_away": numeric.NearestAway,
}

// arithEnv returns the rounding and flushing of an operation of arith. For integer division, the row says how it
// rounds.
func arithEnv(op ir.Op) numeric.Env {
	if _, isFloat := values.ElemOf(op.Operand(0)).(*ir.FloatType); !isFloat && op.Def().AttrSlot(arith.AttrRounding) < 0 {
		return computes(op).Env
	}
	var env numeric.Env
	env.FlushToZero = op.Def().AttrSlot(arith.AttrFtz) >= 0 && op.HasUnitAttr(arith.AttrFtz)
	if op.Def().AttrSlot(arith.AttrRounding) >= 0 {
		env.Rounding = arithRoundings[op.StringAttr(arith.AttrRounding)]
	}
	return env
}

// scalarOrDense decodes a constant.
func scalarOrDense(d *core.Decoder, op ir.Op) (core.Action, error) {
	elem, value := values.ElemOf(op.Result(0)), op.Attr(arith.AttrValue)
	mask := values.WidthOf(elem).Mask()
	switch value := value.(type) {
	case *ir.DenseElementsAttr:
		return yields(d, op, value.IsSplat(elem), func(i int) uint64 { return value.Bits(elem, i) & mask })
	case *ir.IntegerAttr, *ir.FloatAttr:
		bits := arith.Bits(value) & mask
		return yields(d, op, true, func(int) uint64 { return bits })
	}
	return nil, op.Errorf("cannot be interpreted: has no value of numbers")
}

// cmpFOrNaN decodes a comparison. In arith it may also ask only whether an operand is a NaN.
func cmpFOrNaN(d *core.Decoder, op ir.Op) (core.Action, error) {
	predicate := op.StringAttr(arith.AttrPredicate)
	if predicate != "ord" && predicate != "uno" {
		return cmpF(d, op)
	}
	f, nan := values.FormatOf(values.ElemOf(op.Operand(0))), predicate == "uno"
	return applyBinary(d, op, func(out, a, b []uint64) {
		for i := range out {
			out[i] = kernel.Truth((f.IsNaN(a[i]) || f.IsNaN(b[i])) == nan)
		}
	})
}

func mulHighSigned(d *core.Decoder, op ir.Op) (core.Action, error) {
	w := values.WidthOf(values.ElemOf(op.Operand(0)))
	return applyBinary(d, op, func(out, a, b []uint64) {
		for i := range out {
			out[i] = w.MulHigh(a[i], b[i], true)
		}
	})
}
