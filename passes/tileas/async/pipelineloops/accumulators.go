package pipelineloops

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// An scf.for may yield accumulators that are in flight, an scf.if may not (dot_async). Its branches may have them in
// different registers or TMEM columns, or finished. So both branches of the overlap's guard contain the waits that
// stood after the loop.

// accumulators returns which used results of the loop may be in flight after it.
func (x *expansion) accumulators() (out []int) {
	for i, y := range x.g.Yields() {
		if def := y.DefiningOp(); !def.IsNil() && def.Is(tileas.DotAsync) && x.loop.Result(i).HasUses() {
			out = append(out, i)
		}
	}
	return out
}

// finished returns the values that a branch yields, with a wait for the accumulators among them.
func finished(b *ir.Builder, values []ir.Value, accumulators []int) []ir.Value {
	if len(accumulators) == 0 {
		return values
	}
	values = slices.Clone(values)
	wait := tileas.NewDotWait(b, 0, ir.Map(accumulators, func(i int) ir.Value { return values[i] })...)
	for k, i := range accumulators {
		values[i] = wait.Result(k)
	}
	return values
}

// dropWaits erases waits right after a guard, for accumulators that both branches have waited for.
func dropWaits(guard ir.Op, accumulators []int) {
	if len(accumulators) == 0 {
		return
	}
	for wait := guard.Next(); wait.Is(tileas.DotWait); wait = guard.Next() {
		for _, v := range wait.Operands() {
			if v.DefiningOp() != guard || !slices.Contains(accumulators, v.Index()) {
				return
			}
		}
		wait.ReplaceWith(wait.Operands()...)
	}
}
