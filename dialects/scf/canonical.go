package scf

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/rewrite"
)

// The tile levels get conditions that cuda_tile did not have. Conversions compute some from static shapes, a split
// loop decides others, and some become known when a load is replaced by the store before it. Merging ifs and making
// selects has been done by then, at level cuda_tile.

func init() {
	If.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{
		{Name: "scf-if-known-condition", Rewrite: ifKnownCondition},
		{Name: "scf-if-of-scalars", Rewrite: ifOfScalars},
		{Name: "scf-if-that-masks", Rewrite: ifThatMasks},
	}))
}

// ifKnownCondition puts the arm that is taken in the place of the if.
func ifKnownCondition(op ir.Op, rw *rewrite.Rewriter) bool {
	cond, ok := ir.ConstantValue(op.Operand(0)).(*ir.IntegerAttr)
	if !ok {
		return false
	}
	arm := op.Region(0).First()
	if cond.Value == 0 {
		arm = op.Region(1).First()
	}
	if arm.IsNil() { // an else that is not there, so there are no results
		rw.Erase(op)
		return true
	}
	term := arm.Last()
	switch {
	case term.IsNil():
		return false
	case isOp(term, "yield"):
		rw.InlineBefore(arm, op)
		rw.Replace(op, term.Operands()...)
		rw.Erase(term)
		return true
	}
	// Of an operation that does not say so it is not known where control goes, and where the block has successors,
	// they may use what follows.
	if _, leaves := ir.RegionExitOp.Of(term); !leaves || !op.Block().Region().HasOneBlock() {
		return false
	}
	rw.InlineBefore(arm, op)
	// What follows is not reached. From the end, since what is erased must have no uses; the terminator of the arm is
	// then the end of the block.
	for last := op.Block().Last(); ; last = op.Block().Last() {
		rw.Erase(last)
		if last == op {
			return true
		}
	}
}
