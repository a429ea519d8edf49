package tma

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/ir"
)

// Frame returns the operation in whose region the executions of an operation are counted from 0 on: the function, or
// a loop that is no scf.for.
func Frame(op ir.Op) ir.Op {
	p := op.ParentOp()
	for p.Is(scf.If) || p.Is(scf.For) {
		p = p.ParentOp()
	}
	return p
}

// Uncounted says why nothing can count how often an operation has been executed in its frame; empty where it can be
// counted.
func Uncounted(op ir.Op) string {
	frame := Frame(op)
	if !ir.LoopLike.Has(frame) && !frame.HasTrait(ir.IsolatedFromAbove) {
		return fmt.Sprintf("it stands in '%s', whose iterations are not counted", frame.Name())
	}
	for p := op.ParentOp(); p != frame; p = p.ParentOp() {
		if p.Is(scf.For) && p.Contains(func(inner ir.Op) bool {
			return ir.RegionExitOp.Has(inner) && inner != p.Body().Last() && (ir.ExitTarget(inner) == p || ir.ExitTarget(inner) == frame)
		}) {
			return "an iteration of a loop around it may end early"
		}
	}
	return ""
}
