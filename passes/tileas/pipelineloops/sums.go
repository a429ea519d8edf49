package pipelineloops

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Loops hand on sums of products that are under way, ifs do not (dot_async): their branches may have sums in registers of their own, in different places of tensor memory, or finished. So what stands behind a loop as a wait for
// them goes into both branches of the guard of its overlap.

// sums returns which results of the loop may be under way behind it, and are used.
func (x *expansion) sums() (out []int) {
	for i, y := range x.g.Yields() {
		if def := y.DefiningOp(); !def.IsNil() && def.Is(tileas.DotAsync) && x.loop.Result(i).HasUses() {
			out = append(out, i)
		}
	}
	return out
}

// finished returns values that a branch hands on, with a wait for the sums among them.
func finished(b *ir.Builder, values []ir.Value, sums []int) []ir.Value {
	if len(sums) == 0 {
		return values
	}
	values = slices.Clone(values)
	var operands []ir.Value
	var types []ir.Type
	for _, i := range sums {
		operands, types = append(operands, values[i]), append(types, values[i].Type())
	}
	wait := b.Create(tileas.DotWait, operands, types, pendingAttr(b, 0))
	for k, i := range sums {
		values[i] = wait.Result(k)
	}
	return values
}

// dropWaits erases the waits right behind a guard whose branches have waited for all that they wait for.
func dropWaits(guard ir.Op, sums []int) {
	if len(sums) == 0 {
		return
	}
	for wait := guard.Next(); wait.Is(tileas.DotWait); wait = guard.Next() {
		for _, v := range wait.Operands() {
			if v.DefiningOp() != guard || !slices.Contains(sums, v.Index()) {
				return
			}
		}
		for i, r := range wait.Results() {
			r.ReplaceAllUsesWith(wait.Operand(i))
		}
		wait.Erase()
	}
}

// behindWaits returns the first operation behind the loop that the expansion leaves there.
func (x *expansion) behindWaits() ir.Op {
	op := x.loop.Next()
	for op.Is(tileas.DotWait) {
		op = op.Next()
	}
	return op
}
