package canonical

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/rewrite"
)

func attachSelect() {
	cudatile.Select.Fold = foldSelect
	cudatile.Select.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{
		{Name: "select-of-negated", Rewrite: selectOfNegated},
		{Name: "select-of-select", Rewrite: selectOfSelect},
		{Name: "select-to-not", Rewrite: selectToNot},
		{Name: "select-to-extension", Rewrite: selectToExtension},
	}))
}

// selectOfNegated: where the condition is a negation, the arms change places.
//
//	select (xori %c, true), %x, %y      ->      select %c, %y, %x
func selectOfNegated(op ir.Op, rw *rewrite.Rewriter) bool {
	cond, ok := negated(op.Operand(0))
	if !ok {
		return false
	}
	yes, no := op.Operand(1), op.Operand(2)
	rw.SetOperand(op, 0, cond)
	rw.SetOperand(op, 1, no)
	rw.SetOperand(op, 2, yes)
	return true
}

// selectOfSelect: where an arm is a select by the same condition, only one of its arms can be taken.
//
//	select %c, (select %c, %x, %y), %z      ->      select %c, %x, %z
func selectOfSelect(op ir.Op, rw *rewrite.Rewriter) bool {
	for arm := 1; arm <= 2; arm++ {
		inner := op.Operand(arm).DefiningOp()
		if !inner.IsNil() && inner.Is(cudatile.Select) && inner.Operand(0) == op.Operand(0) {
			rw.SetOperand(op, arm, inner.Operand(arm))
			return true
		}
	}
	return false
}

// selectToNot: false where the condition holds, and true where not.
func selectToNot(op ir.Op, rw *rewrite.Rewriter) bool {
	if !isTruth(op.Operand(1), false) || !isTruth(op.Operand(2), true) {
		return false
	}
	// Operand 2 is the constant that is all true, of the right shape already.
	rw.ReplaceWithNew(op, cudatile.XorI, []ir.Value{op.Operand(0), op.Operand(2)}, op.ResultTypes())
	return true
}

// selectToExtension: the numbers 1 and 0 are the condition extended, or its negation.
//
//	select %c, 1, 0      ->      exti %c unsigned          select %c, 0, 1      ->      exti (xori %c, true) unsigned
func selectToExtension(op ir.Op, rw *rewrite.Rewriter) bool {
	t := op.Result(0).Type().(*cudatile.TileType)
	if it, ok := t.Elem.(*ir.IntegerType); !ok || it.Width == 1 {
		return false
	}
	yes, ok := constfold.Splat(ir.ConstantValue(op.Operand(1)))
	no, ok2 := constfold.Splat(ir.ConstantValue(op.Operand(2)))
	// Not by their sum: of i64 it wraps, and -1 and 2 would pass for 1 and 0.
	if !ok || !ok2 || yes > 1 || no > 1 || yes == no {
		return false
	}
	cond := op.Operand(0)
	if no == 1 {
		cond = not(rw, cond)
	}
	rw.ReplaceWithNew(op, cudatile.ExtI, []ir.Value{cond}, []ir.Type{t}, ir.NamedAttr{Name: "signedness", Value: cudatile.Unsigned.Attr(op.Context())})
	return true
}
