package format

import "github.com/tilewright/tilewright/ir"

// Optional operands after the same literal look alike where some of them are absent:
//
//	load_ptr_tko weak %p, %x : tile<ptr<f16>>, tile<f16> -> ...     is %x $mask or $paddingValue?
//	$source (`,` $mask^)? (`,` $paddingValue^)?
//
// The types on the line decide: a mask is a tile of i1. The first field that admits the type takes the operand. An
// operation whose operands would be read into other fields, as a padding value of i1 without a mask would, is printed
// in the generic syntax.

// optionalRuns returns the operand fields of adjacent groups that are told apart by types only, run by run.
func optionalRuns(def *ir.OpDef, elements []Element) (runs [][]int) {
	var run []int
	var literal string
	end := func() {
		if len(run) > 1 {
			runs = append(runs, run)
		}
		run = nil
	}
	for i := range elements {
		e := &elements[i]
		field, ok := optionalOperand(def, e)
		if !ok || len(run) > 0 && e.First.Text != literal {
			end()
		}
		if ok {
			run, literal = append(run, field), e.First.Text
		}
	}
	end()
	return runs
}

// optionalOperand returns the operand field of a group that is a literal and an optional operand.
func optionalOperand(def *ir.OpDef, g *Element) (field int, ok bool) {
	if g.Kind != Group || len(g.Other) > 0 || g.First.Kind != Literal || g.Anchor.Kind != TargetOperand ||
		len(g.Then) != 2 || g.Then[1].Kind != Operand {
		return 0, false
	}
	return g.Anchor.Index, def.Operands[g.Anchor.Index].Arity == ir.Optional
}

// FieldsOf returns the fields of a run that operands of the given types stand for, in order. Types that do not fit
// any choice of fields stand for the first ones, which the verifier then complains about.
func (f *Format) FieldsOf(run []int, types []ir.Type) []int {
	fields := make([]int, 0, len(run))
	for _, field := range run {
		if n := len(fields); n < len(types) && f.Def.Operands[field].Type.Check(types[n]) {
			fields = append(fields, field)
		}
	}
	if len(fields) < len(types) {
		return run[:len(types)]
	}
	return fields
}
