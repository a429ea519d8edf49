package arith

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

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

// floatPredicates are the comparisons after the first letter of a predicate, which says what they are for NaN.
//
// oeq is false with a NaN and ueq true; ord and uno ask for NaN alone (comparable).
var floatPredicates = map[string]numeric.Predicate{
	"eq": numeric.Equal, "ne": numeric.NotEqual, "lt": numeric.LessThan, "le": numeric.LessOrEqual,
	"gt": numeric.GreaterThan, "ge": numeric.GreaterOrEqual,
}

// floatPredicate returns what a cmpf compares; false for one that asks for a NaN only.
func floatPredicate(op ir.Op) (p numeric.Predicate, unordered, ok bool) {
	pred := op.StringAttr(AttrPredicate)
	if pred == "" {
		return 0, false, false
	}
	p, ok = floatPredicates[pred[1:]]
	return p, pred[0] == 'u', ok
}

// comparable evaluates the predicates that ask whether numbers can be compared: whether none is a NaN, or one is.
func comparable(op ir.Op, in []uint64) (uint64, bool) {
	f := ir.ElementType(op.Operand(0).Type()).(*ir.FloatType).Format
	ordered := !f.IsNaN(in[0]) && !f.IsNaN(in[1])
	switch op.StringAttr(AttrPredicate) {
	case "ord":
		return truth(ordered), true
	case "uno":
		return truth(!ordered), true
	}
	return 0, false
}

// truth returns the bit pattern of an i1.
func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
