package arith

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/dataflow/divisibility"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/dataflow/provenance"
	"github.com/tilewright/tilewright/ir/numeric"
)

// integerOps says what the operations on integers compute, for the analyses of integers.
//
// One table for ranges, divisibility and folding: an operation that is missing is unknown to all three.
var integerOps = []struct {
	def    *ir.OpDef
	op     constfold.Op
	signed bool
	round  numeric.Rounding
}{
	{AddI, constfold.Add, false, 0}, {SubI, constfold.Sub, false, 0}, {MulI, constfold.Mul, false, 0},
	{MulHSI, constfold.MulHigh, true, 0}, {MulHUI, constfold.MulHigh, false, 0},
	{DivSI, constfold.Div, true, numeric.Zero}, {DivUI, constfold.Div, false, numeric.Zero},
	{CeilDivSI, constfold.Div, true, numeric.PosInf}, {CeilDivUI, constfold.Div, false, numeric.PosInf},
	{FloorDiv, constfold.Div, true, numeric.NegInf}, {RemSI, constfold.Rem, true, 0}, {RemUI, constfold.Rem, false, 0},
	{AndI, constfold.And, false, 0}, {OrI, constfold.Or, false, 0}, {XOrI, constfold.Xor, false, 0},
	{ShLI, constfold.Shl, false, 0}, {ShRSI, constfold.Shr, true, 0}, {ShRUI, constfold.Shr, false, 0},
	{MaxSI, constfold.Max, true, 0}, {MaxUI, constfold.Max, false, 0}, {MinSI, constfold.Min, true, 0}, {MinUI, constfold.Min, false, 0},
	{AbsI, constfold.Abs, false, 0}, {NegI, constfold.Neg, false, 0}, {CmpI, constfold.Compare, false, 0},
	{ExtSI, constfold.Convert, true, 0}, {ExtUI, constfold.Convert, false, 0}, {TruncI, constfold.Convert, false, 0},
	{Bitcast, constfold.Bitcast, false, 0},
}

func init() {
	Select.Attach(intrange.Infer.Is(intrange.Choose), divisibility.Infer.Is(divisibility.Choose), provenance.Chosen)
	for _, def := range []*ir.OpDef{AddI, AndI, OrI} {
		def.Attach(provenance.Sum)
	}
	SubI.Attach(provenance.Difference)
	for _, row := range integerOps {
		row.def.Attach(constfold.Computes.Is(func(op ir.Op) (constfold.Spec, bool) {
			spec := constfold.Spec{Op: row.op, Signed: row.signed, Env: numeric.Env{Rounding: row.round}}
			var ok bool
			if spec.In, ok = constfold.TypeOf(op.Operand(0).Type()); !ok {
				return spec, false
			}
			if spec.Out, ok = constfold.TypeOf(op.Result(0).Type()); !ok {
				return spec, false
			}
			spec.Promise = Promises(op)
			if row.op == constfold.Compare {
				p, ok := intPredicates[op.StringAttr(AttrPredicate)]
				if !ok {
					return spec, false
				}
				spec.Predicate, spec.Signed = p.p, p.signed
			}
			return spec, true
		}))
	}
}
