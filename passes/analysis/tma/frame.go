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
	if _, ok := ir.LoopLike.Of(frame); !ok && !frame.HasTrait(ir.IsolatedFromAbove) {
		return fmt.Sprintf("it stands in '%s', whose iterations are not counted", frame.Name())
	}
	for p := op.ParentOp(); p != frame; p = p.ParentOp() {
		if !p.Is(scf.For) {
			continue
		}
		last, early := p.Body().Last(), false
		p.Walk(func(inner ir.Op) ir.WalkResult {
			if _, exits := ir.RegionExitOp.Of(inner); exits && inner != last && (ir.ExitTarget(inner) == p || ir.ExitTarget(inner) == frame) {
				early = true
				return ir.Interrupt
			}
			return ir.Advance
		})
		if early {
			return "an iteration of a loop around it may end early"
		}
	}
	return ""
}
