package legalizearith

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
)

// integerRules are the rules for integers: one for i1, one for i8, one for the widths that have instructions.
var integerRules = map[*ir.OpDef]scalar.Rule{}

// A boolRule computes an operation on truth values; those of division presume that the divisor is true.
type boolRule func(b scalar.Builder, x, y ir.Value) ir.Value

func first(_ scalar.Builder, x, _ ir.Value) ir.Value  { return x }
func zero(b scalar.Builder, x, _ ir.Value) ir.Value   { return b.Int(x.Type(), 0) }
func and(b scalar.Builder, x, y ir.Value) ir.Value    { return b.Op(arith.AndI, x, y) }
func or(b scalar.Builder, x, y ir.Value) ir.Value     { return b.Op(arith.OrI, x, y) }
func xor(b scalar.Builder, x, y ir.Value) ir.Value    { return b.Op(arith.XOrI, x, y) }
func andNot(b scalar.Builder, x, y ir.Value) ir.Value { return b.Op(arith.AndI, x, b.Not(y)) }
func orNot(b scalar.Builder, x, y ir.Value) ir.Value  { return b.Op(arith.OrI, x, b.Not(y)) }
func same(b scalar.Builder, x, y ir.Value) ir.Value   { return b.Not(xor(b, x, y)) }

func swapped(f boolRule) boolRule {
	return func(b scalar.Builder, x, y ir.Value) ir.Value { return f(b, y, x) }
}

// boolRules: the signed value of true is -1. So the greater of true and false is false when they are signed, max is a
// conjunction and min a disjunction; unsigned ones are the other way round.
var boolRules = map[*ir.OpDef]boolRule{
	arith.AddI: xor, arith.SubI: xor, arith.MulI: and, arith.MulHSI: zero, arith.MulHUI: zero,
	arith.DivSI: first, arith.DivUI: first, arith.CeilDivSI: first, arith.CeilDivUI: first, arith.FloorDiv: first,
	arith.RemSI: zero, arith.RemUI: zero, arith.MaxSI: and, arith.MinSI: or, arith.MaxUI: or, arith.MinUI: and,
	arith.ShLI: andNot, arith.ShRUI: andNot, arith.ShRSI: first,
}

var boolComparisons = map[string]boolRule{
	"eq": same, "ne": xor, "ult": swapped(andNot), "ule": swapped(orNot), "ugt": andNot, "uge": orNot,
	"slt": andNot, "sle": orNot, "sgt": swapped(andNot), "sge": swapped(orNot),
}

// byteExtensions says how each operation on i8 reads its operands in i16; those on zero-extended bytes that need no
// truncation are left as they are.
var byteExtensions = map[*ir.OpDef]*ir.OpDef{
	arith.AddI: arith.ExtUI, arith.SubI: arith.ExtUI, arith.MulI: arith.ExtUI, arith.ShLI: arith.ExtUI, arith.NegI: arith.ExtUI,
	arith.DivSI: arith.ExtSI, arith.RemSI: arith.ExtSI, arith.MaxSI: arith.ExtSI, arith.MinSI: arith.ExtSI, arith.AbsI: arith.ExtSI,
	arith.ShRSI: arith.ExtSI, arith.MulHSI: arith.ExtSI, arith.MulHUI: arith.ExtUI,
}

func init() {
	for _, def := range []*ir.OpDef{arith.AddI, arith.SubI, arith.MulI, arith.MulHSI, arith.MulHUI, arith.DivSI, arith.DivUI, arith.RemSI, arith.RemUI,
		arith.MaxSI, arith.MaxUI, arith.MinSI, arith.MinUI, arith.ShLI, arith.ShRSI, arith.ShRUI, arith.AbsI, arith.NegI,
		arith.CeilDivUI, arith.CeilDivSI, arith.FloorDiv} {
		integerRules[def] = integer
	}
	integerRules[arith.CmpI] = compareInts
}

func integer(b scalar.Builder, op ir.Op) (ir.Value, error) {
	def, x := op.Def(), op.Operand(0)
	switch ir.BitWidth(x.Type()) {
	case 1:
		if op.NumOperands() == 1 {
			return x, nil // negation and absolute value
		}
		return boolRules[def](b, x, op.Operand(1)), nil
	case 4:
		return byteInteger(b, op, halfExtension(def))
	case 8:
		if ext := byteExtensions[def]; ext != nil {
			return byteInteger(b, op, ext)
		}
	}
	if quotient := byConstant(b, op); !quotient.IsNil() {
		return quotient, nil
	}
	if def == arith.CeilDivUI || def == arith.CeilDivSI || def == arith.FloorDiv {
		y := op.Operand(1)
		return b.Corrected(def, y, func(towardsZero *ir.OpDef) (q, rem ir.Value) {
			// Not by rem, which would be a second division: the hardware has an instruction for neither.
			q = b.Op(towardsZero, x, y)
			return q, b.Op(arith.SubI, x, b.Op(arith.MulI, q, y))
		}), nil
	}
	return keep()
}

// lowBits are operations whose low bits follow from those of their operands. In a chain of them only the last result is
// masked.
var lowBits = map[*ir.OpDef]bool{arith.AddI: true, arith.SubI: true, arith.MulI: true, arith.NegI: true}

// truncated returns the number of a type that a value is the low bits of; a zero Value: it is none.
func truncated(v ir.Value, t ir.Type) ir.Value {
	if def := v.DefiningOp(); !def.IsNil() && def.Is(arith.TruncI) && def.Operand(0).Type() == t {
		return def.Operand(0)
	}
	return ir.Value{}
}

// halfExtension says how an operation on half a byte reads its operands in i16.
func halfExtension(def *ir.OpDef) *ir.OpDef {
	if ext := byteExtensions[def]; ext != nil {
		return ext
	}
	if def == arith.CeilDivSI || def == arith.FloorDiv {
		return arith.ExtSI
	}
	return arith.ExtUI
}

func byteInteger(b scalar.Builder, op ir.Op, ext *ir.OpDef) (ir.Value, error) {
	def, i16 := op.Def(), b.Context().Int(16)
	operands := make([]ir.Value, op.NumOperands())
	for i, v := range op.Operands() {
		e := ext
		if i == 1 && def == arith.ShRSI {
			e = arith.ExtUI // an amount
		}
		if wide := truncated(v, i16); !wide.IsNil() && (lowBits[def] || def == arith.ShLI && i == 0) {
			operands[i] = wide
			continue
		}
		operands[i] = b.Cast(e, v, i16)
	}
	var wide ir.Value
	switch def {
	// The product of two bytes fits 16 bits, so its upper half is a shift away.
	case arith.MulHSI, arith.MulHUI:
		wide = b.Op(arith.ShRUI, b.Op(arith.MulI, operands...), b.Int(i16, int64(ir.BitWidth(op.Result(0).Type()))))
	default:
		wide = b.Op(def, operands...)
	}
	return b.Cast(arith.TruncI, wide, op.Result(0).Type()), nil
}

func compareInts(b scalar.Builder, op ir.Op) (ir.Value, error) {
	x, y, pred := op.Operand(0), op.Operand(1), op.StringAttr(arith.AttrPredicate)
	switch w := ir.BitWidth(x.Type()); {
	case w == 1:
		return boolComparisons[pred](b, x, y), nil
	case (w == 8 || w == 4) && pred[0] == 's':
		i16 := b.Context().Int(16)
		return b.CmpI(pred, b.Cast(arith.ExtSI, x, i16), b.Cast(arith.ExtSI, y, i16)), nil
	}
	return keep()
}
