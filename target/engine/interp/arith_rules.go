package interp

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/kernel"
)

// The operations of arith that have no twin in cuda_tile.
func init() {
	defineVector(map[*ir.OpDef]rule{
		arith.Constant: (*decoder).scalarOrDense, arith.MulHSI: (*decoder).mulHighSigned, arith.CmpF: (*decoder).cmpFOrNaN,
	})
}

// computes returns what the row of an operation says that it computes: signedness, predicate and the like. It says these even where it
// leaves the rounding open.
func computes(op ir.Op) constfold.Spec {
	if of, ok := constfold.Computes.Of(op); ok {
		spec, _ := of(op)
		return spec
	}
	return constfold.Spec{}
}

// arithRoundings are the rounding modes that ask for more than nearest even.
var arithRoundings = map[string]numeric.Rounding{
	"zero": numeric.Zero, "negative_inf": numeric.NegInf, "positive_inf": numeric.PosInf, "nearest_away": numeric.NearestAway,
}

// arithEnv returns the rounding and flushing of an operation of arith. How a division of integers rounds, its row says.
func arithEnv(op ir.Op) numeric.Env {
	if _, isFloat := elemOf(op.Operand(0)).(*ir.FloatType); !isFloat && op.Def().AttrSlot(arith.AttrRounding) < 0 {
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
func (d *decoder) scalarOrDense(op ir.Op) (func(*machine) error, error) {
	elem, value := elemOf(op.Result(0)), op.Attr(arith.AttrValue)
	mask := widthOf(elem).Mask()
	switch value := value.(type) {
	case *ir.DenseElementsAttr:
		return d.yields(op, func(i int) uint64 { return value.Bits(elem, i) & mask })
	case *ir.IntegerAttr, *ir.FloatAttr:
		bits := arith.Bits(value) & mask
		return d.yields(op, func(int) uint64 { return bits })
	}
	return nil, op.Errorf("cannot be interpreted: has no value of numbers")
}

// cmpFOrNaN decodes a comparison, which in arith may ask no more than whether a NaN is compared.
func (d *decoder) cmpFOrNaN(op ir.Op) (func(*machine) error, error) {
	predicate := op.StringAttr(arith.AttrPredicate)
	if predicate != "ord" && predicate != "uno" {
		return d.cmpF(op)
	}
	f, nan := formatOf(elemOf(op.Operand(0))), predicate == "uno"
	return d.applyBinary(op, func(out, a, b []uint64) {
		for i := range out {
			out[i] = kernel.Truth((f.IsNaN(a[i]) || f.IsNaN(b[i])) == nan)
		}
	})
}

func (d *decoder) mulHighSigned(op ir.Op) (func(*machine) error, error) {
	w := widthOf(elemOf(op.Operand(0)))
	return d.applyBinary(op, func(out, a, b []uint64) {
		for i := range out {
			out[i] = w.MulHigh(a[i], b[i], true)
		}
	})
}
