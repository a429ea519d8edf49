package looptofor

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
)

// A function that returns early is a loop that runs once, when front ends inline it:
//
//	%r = loop {                      %r = if %c {
//	  if %c { A; break %x }            A; yield %x
//	  B                        ->    } else {
//	  break %y                         B; yield %y
//	}                                }
//
// As an if, it does not keep loops in B from being those of the kernel. A kernel that returns early becomes one with a
// single return in the same way, since warps cannot get roles where some may have ended.

// mostEarly bounds the ifs that leave a loop early: each becomes a region in that of the one before.
const mostEarly = 64

// runsOnce reports whether no iteration of a loop is followed by another one, and ifs can say which break it takes.
func runsOnce(loop ir.Op) bool {
	early := 0
	return loop.Body().Last().Is(cudatile.Break) && leavesByIfs(loop.Body(), loop, &early)
}

// endsEarly reports whether a kernel returns from ifs, and only from these and at its end.
func endsEarly(kernel ir.Op) bool {
	early := 0
	return leavesByIfs(kernel.Body(), kernel, &early) && early > 0
}

// leavesByIfs reports whether a block leaves a loop or a kernel from arms of ifs only, and one arm of each goes on after it.
func leavesByIfs(block ir.Block, loop ir.Op, early *int) bool {
	for op := range block.Ops() {
		switch {
		case op.HasTrait(ir.Terminator):
			if !op.Is(cudatile.Break) && !op.Is(cudatile.Yield) && !op.Is(cudatile.Return) {
				return false
			}
		case !exits(op, loop):
		case !op.Is(cudatile.If):
			return false
		default:
			if *early++; *early > mostEarly {
				return false
			}
			goOn := 0
			for i := range op.NumRegions() {
				arm := op.Region(i)
				if arm.Empty() || arm.First().Last().Is(cudatile.Yield) {
					goOn++
				}
				if !arm.Empty() && !leavesByIfs(arm.First(), loop, early) {
					return false
				}
			}
			if goOn != 1 {
				return false
			}
		}
	}
	return true
}

// endsAtSum reports whether a for ends at the sum of where it begins and a number, and runs each iteration to its end:
//
//	%b = %a + 64 ; for %i in (%a to %b, step 64) { A }     ->     A of %a
//
// A kernel that splits the keys among tile blocks has such a loop where a block has one tile of them. Pipelined, it
// would load ahead for iterations that never come.
func endsAtSum(op ir.Op) bool {
	add := op.Operand(1).DefiningOp()
	return !add.IsNil() && add.Is(cudatile.AddI) && slices.Contains(add.Operands(), op.Operand(0)) && !continuesElsewhere(op, op.Body().Terminator())
}

// oneTrip reports whether such a loop runs exactly once: the number is at most a step, and the sum does not wrap around.
func oneTrip(op ir.Op, known *intrange.Ranges) bool {
	lower, add := known.At(op, op.Operand(0)), op.Operand(1).DefiningOp()
	more := add.Operand(1)
	if more == op.Operand(0) {
		more = add.Operand(0)
	}
	n, step := rangeOf(known, more), rangeOf(known, op.Operand(2))
	room := uint64(intrange.Full(lower.W).SMax) - uint64(lower.SMax)
	if describe, _ := ir.LoopLike.Of(op); describe(op).Unsigned {
		room = lower.W.Mask() - lower.UMax
	}
	return lower.IsInt() && n.SMin > 0 && n.SMax <= step.SMin && n.UMax <= room
}

// exits reports whether control may leave, or continue, a loop inside an operation.
func exits(op, loop ir.Op) bool {
	return !op.Walk(func(inner ir.Op) ir.WalkResult {
		if inner.HasTrait(ir.Terminator) && ir.ExitTarget(inner) == loop {
			return ir.Interrupt
		}
		return ir.Advance
	})
}

// unfold replaces a loop that runs once by its body.
func unfold(loop ir.Op) {
	body, starts := loop.Body(), loop.Operands()
	if loop.Is(cudatile.For) { // the counter begins at the first bound, and the rest after the last
		starts = slices.Delete(slices.Clone(starts), 1, bounds)
	}
	for i, arg := range body.Args() {
		arg.ReplaceAllUsesWith(starts[i])
	}
	toIfs(body, loop, cudatile.Break)
	end := body.Last()
	for i, r := range loop.Results() {
		r.ReplaceAllUsesWith(end.Operand(i))
	}
	end.Erase()
	for !body.Empty() {
		body.First().MoveBefore(loop)
	}
	loop.Erase()
}

// toIfs makes a leave, a break or return, the end of a block, and its only way out of a loop or kernel.
func toIfs(block ir.Block, loop ir.Op, leave *ir.OpDef) {
	for op := range block.Ops() {
		if op.HasTrait(ir.Terminator) || !exits(op, loop) {
			continue
		}
		restIntoArm(op)
		b := ir.BuilderAtEnd(block)
		b.SetLocOf(op)
		st := b.NewState(cudatile.If, op.Loc())
		st.Operands, st.Types = op.Operands(), loop.ResultTypes() // a kernel has no results
		st.AddRegion()
		st.AddRegion()
		made := b.Insert(st)
		for i := range made.NumRegions() {
			made.Region(i).TakeBlocks(op.Region(i))
			arm := made.Region(i).First()
			toIfs(arm, loop, leave)
			if end := arm.Last(); end.Is(leave) {
				at := ir.BuilderBefore(end)
				at.SetLocOf(end)
				at.Create(cudatile.Yield, end.Operands(), nil)
				end.Erase()
			}
		}
		made.SetDiscardableAttrs(op.DiscardableAttrs())
		op.Erase()
		b.SetInsertionPointToEnd(block)
		b.Create(leave, made.Results(), nil)
		return
	}
}

// restIntoArm moves what follows an if into the arm that goes on there.
func restIntoArm(op ir.Op) {
	for i := range op.NumRegions() {
		region := op.Region(i)
		if region.Empty() {
			region.AddBlock()
		}
		arm := region.First()
		if last := arm.Last(); !last.IsNil() {
			if !last.Is(cudatile.Yield) {
				continue
			}
			for k, r := range op.Results() {
				r.ReplaceAllUsesWith(last.Operand(k))
			}
			last.Erase()
		}
		for next := op.Next(); !next.IsNil(); next = op.Next() {
			next.MoveToEnd(arm)
		}
		return
	}
}
