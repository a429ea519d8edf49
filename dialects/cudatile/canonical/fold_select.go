package canonical

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
)

// foldSelect is what a select comes to without a new operation; canonical_select.go has the rest.
func foldSelect(op ir.Op, operands []ir.Attribute) []ir.FoldResult {
	cond, yes, no := op.Operand(0), op.Operand(1), op.Operand(2)
	if yes == no {
		return []ir.FoldResult{{Value: yes}}
	}
	if c, ok := constfold.Splat(operands[0]); ok {
		if c != 0 {
			return []ir.FoldResult{{Value: yes}}
		}
		return []ir.FoldResult{{Value: no}}
	}
	if isTruth(yes, true) && isTruth(no, false) {
		return []ir.FoldResult{{Value: cond}}
	}
	if v, ok := selectEqual(cond, yes, no); ok {
		return []ir.FoldResult{{Value: v}}
	}
	if operands[0] == nil || operands[1] == nil || operands[2] == nil {
		return nil
	}
	spec := constfold.Spec{Op: constfold.Select}
	return constantResult(spec.Fold(op.Context(), op.Result(0).Type(), operands))
}

// selectEqual handles a select between what its condition compares: where the two are equal it does not matter which
// is taken. Integers only: of floats -0 equals +0, which has other bits.
//
//	select (cmpi equal %a, %b), %a, %b      ->      %b: when they are equal it is %a as well
func selectEqual(cond, yes, no ir.Value) (ir.Value, bool) {
	cmp := cond.DefiningOp()
	if cmp.IsNil() || !cmp.Is(cudatile.CmpI) {
		return ir.Value{}, false
	}
	a, b := cmp.Operand(0), cmp.Operand(1)
	if !(a == yes && b == no || a == no && b == yes) {
		return ir.Value{}, false
	}
	switch cudatile.PredicateOf(cmp) {
	case cudatile.Equal:
		return no, true
	case cudatile.NotEqual:
		return yes, true
	}
	return ir.Value{}, false
}

// isTruth reports whether all elements of a value are the truth value.
func isTruth(v ir.Value, truth bool) bool {
	b, ok := truthOf(v)
	return ok && b == truth
}

// truthOf returns the truth value that all elements of a constant of i1 are.
func truthOf(v ir.Value) (truth, ok bool) {
	// Before the constant is looked at: a splat of a wider type whose bits happen to be 1 is no truth value.
	if !cudatile.IsInt(cudatile.ElemOf(v.Type()), 1) {
		return false, false
	}
	bits, ok := constfold.Splat(ir.ConstantValue(v))
	return bits != 0, ok
}

// negated returns x for xor(x, true).
func negated(v ir.Value) (ir.Value, bool) {
	xor := v.DefiningOp()
	if xor.IsNil() || !xor.Is(cudatile.XorI) || !isTruth(xor.Operand(1), true) {
		return ir.Value{}, false
	}
	return xor.Operand(0), true
}
