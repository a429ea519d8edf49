package arith

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

func init() {
	binary := func(f func(w numeric.Int, a, b uint64) (uint64, bool)) evaluator {
		return func(op ir.Op, in []ir.Attribute) (uint64, bool) {
			return f(intOf(op.Result(0).Type()), Bits(in[0]), Bits(in[1]))
		}
	}
	total := func(f func(w numeric.Int, a, b uint64) uint64) evaluator {
		return binary(func(w numeric.Int, a, b uint64) (uint64, bool) { return f(w, a, b), true })
	}
	signed := func(f func(w numeric.Int, a, b uint64, signed bool) uint64, sign bool) evaluator {
		return total(func(w numeric.Int, a, b uint64) uint64 { return f(w, a, b, sign) })
	}
	shift := func(f func(w numeric.Int, a, b uint64) uint64) evaluator {
		return binary(func(w numeric.Int, a, b uint64) (uint64, bool) { return f(w, a, b), b < uint64(w) })
	}
	shiftRight := func(sign bool) evaluator {
		return shift(func(w numeric.Int, a, b uint64) uint64 { return w.Shr(a, b, sign) })
	}
	div := func(sign bool, r numeric.Rounding) evaluator {
		return binary(func(w numeric.Int, a, b uint64) (uint64, bool) { return w.Div(a, b, sign, r) })
	}
	rem := func(sign bool) evaluator {
		return binary(func(w numeric.Int, a, b uint64) (uint64, bool) { return w.Rem(a, b, sign) })
	}
	unary := func(f func(w numeric.Int, a uint64) uint64) evaluator {
		return func(op ir.Op, in []ir.Attribute) (uint64, bool) {
			return f(intOf(op.Result(0).Type()), Bits(in[0])), true
		}
	}
	extend := func(sign bool) evaluator {
		return func(op ir.Op, in []ir.Attribute) (uint64, bool) {
			return intOf(op.Result(0).Type()).Extend(intOf(op.Operand(0).Type()), Bits(in[0]), sign), true
		}
	}
	for def, f := range map[*ir.OpDef]evaluator{
		AddI: total(numeric.Int.Add), SubI: total(numeric.Int.Sub), MulI: total(numeric.Int.Mul),
		AndI: total(numeric.Int.And), OrI: total(numeric.Int.Or), XOrI: total(numeric.Int.Xor),
		MulHSI: signed(numeric.Int.MulHigh, true), MulHUI: signed(numeric.Int.MulHigh, false),
		MaxSI: signed(numeric.Int.Max, true), MaxUI: signed(numeric.Int.Max, false),
		MinSI: signed(numeric.Int.Min, true), MinUI: signed(numeric.Int.Min, false),
		ShLI: shift(numeric.Int.Shl), ShRSI: shiftRight(true), ShRUI: shiftRight(false),
		DivSI: div(true, numeric.Zero), DivUI: div(false, numeric.Zero),
		CeilDivSI: div(true, numeric.PosInf), CeilDivUI: div(false, numeric.PosInf), FloorDiv: div(true, numeric.NegInf),
		RemSI: rem(true), RemUI: rem(false),
		AbsI: unary(numeric.Int.Abs), NegI: unary(numeric.Int.Neg),
		ExtSI: extend(true), ExtUI: extend(false), TruncI: extend(false),
		CmpI: evalCmpI,
		Bitcast: func(_ ir.Op, in []ir.Attribute) (uint64, bool) {
			return Bits(in[0]), true
		},
		Select: func(_ ir.Op, in []ir.Attribute) (uint64, bool) {
			if Bits(in[0]) != 0 {
				return Bits(in[1]), true
			}
			return Bits(in[2]), true
		},
	} {
		evaluators[def] = f
	}
}

// intPredicates says what each predicate compares, and whether as signed numbers. The signed value of a true i1 is -1.
var intPredicates = map[string]struct {
	p      numeric.Predicate
	signed bool
}{
	"eq": {numeric.Equal, false}, "ne": {numeric.NotEqual, false},
	"slt": {numeric.LessThan, true}, "sle": {numeric.LessOrEqual, true},
	"sgt": {numeric.GreaterThan, true}, "sge": {numeric.GreaterOrEqual, true},
	"ult": {numeric.LessThan, false}, "ule": {numeric.LessOrEqual, false},
	"ugt": {numeric.GreaterThan, false}, "uge": {numeric.GreaterOrEqual, false},
}

func evalCmpI(op ir.Op, in []ir.Attribute) (uint64, bool) {
	return compareInts(op, Bits(in[0]), Bits(in[1]))
}

func compareInts(op ir.Op, a, b uint64) (uint64, bool) {
	c, ok := intPredicates[op.StringAttr(AttrPredicate)]
	return truth(intOf(op.Operand(0).Type()).Compare(c.p, c.signed, a, b)), ok
}

// truth returns the bit pattern of an i1.
func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
