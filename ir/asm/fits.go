package asm

import "github.com/tilewright/tilewright/ir"

// fits reports whether an operation has the operands, results, attributes, regions and successors that its row says, so that its custom
// syntax can spell it. What does not fit, and so does not verify, is printed in the generic syntax.
func fits(op ir.Op) bool {
	def := op.Def()
	if def.Successors >= 0 && def.Successors != op.NumSuccessors() {
		return false
	}
	for i := range def.Attrs {
		f := &def.Attrs[i]
		a := op.AttrAt(i)
		if a == nil && f.Arity == ir.One && f.Default == nil || a != nil && f.Kind.Check != nil && !f.Kind.Check(a) {
			return false
		}
	}
	return fieldsFit(def.Operands, op.NumOperands(), op.OperandRange, def.Traits.Has(ir.AttrSizedOperandSegments)) &&
		fieldsFit(def.Results, op.NumResults(), op.ResultRange, def.Traits.Has(ir.AttrSizedResultSegments)) &&
		fieldsFit(def.Regions, op.NumRegions(), nil, false)
}

// fieldsFit checks that n operands, results or regions can be divided among fields; the ranges are needed when a segment attribute divides
// them.
func fieldsFit(fields []ir.Field, n int, rangeOf func(int) (int, int), sized bool) bool {
	required, open, optional := 0, false, 0
	for i := range fields {
		switch fields[i].Arity {
		case ir.One:
			required++
		case ir.Optional:
			optional++
		default:
			open = true
		}
	}
	if !sized {
		return n >= required && (open || n <= required+optional)
	}
	at := 0
	for i := range fields {
		lo, hi := rangeOf(i)
		if lo == hi {
			lo, hi = at, at // an empty range, which stands anywhere
		}
		if lo != at || fields[i].Arity == ir.One && hi != lo+1 || fields[i].Arity == ir.Optional && hi > lo+1 {
			return false
		}
		at = hi
	}
	return at == n
}
