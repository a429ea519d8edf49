package schedule

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/target/sm"
)

// LimitsOf returns the limits for loops of a kernel. Only layout conversions in innermost loops reduce the shared
// memory, since these loops are pipelined. Conversions after such a loop use what its buffers leave, and are split if
// they do not fit.
func LimitsOf(fn ir.Op, arch *sm.Arch) Limits {
	k := budget.Of(fn, arch)
	l := Limits{Registers: k.Registers(budget.ForLoops), Shared: k.Shared(budget.ForCTA), Stages: contract.KernelSpecOf(fn).NumStages, Kernel: &k}
	scratch := 0
	for op := range fn.All() {
		switch {
		case op.Is(tileas.Level.Alloca):
			n, _ := op.IntAttr(tile.AttrBytes)
			l.Shared -= int(min(n, int64(l.Shared)))
		case inInnermost(op):
			scratch = max(scratch, Scratch(op))
		}
	}
	l.Shared = max(0, l.Shared-scratch-budget.SharedSlack)
	return l
}

// In returns the limits of one loop. Buffers that are live besides its stages reduce its shared memory. They are
// allocated before the loop, or before a loop around it, and used there or later; or they are allocated in it and
// stored to by threads.
func (l Limits) In(loop ir.Op) Limits {
	take := func(alloc ir.Op, is func(user ir.Op) bool) {
		v := alloc.Result(0)
		for u := range tileas.UsesOf(v) {
			if is(u.Owner()) && !tileas.IsBarriers(v.Type()) {
				l.Shared -= int(v.Type().(*tileas.BufferType).Bytes())
				return
			}
		}
	}
	for at := loop; !at.IsNil() && !at.Is(tileas.Level.Func); at = at.ParentOp() {
		// A use at the loop or after it means that the buffer is live while the loop runs.
		stays := func(user ir.Op) bool {
			top := user.AncestorIn(at.Block().Region())
			return !top.IsNil() && top.Block() == at.Block() && !top.IsBeforeInBlock(at)
		}
		for op := at.Prev(); !op.IsNil(); op = op.Prev() {
			if op.Is(tileas.AllocShared) {
				take(op, stays)
			}
		}
	}
	for _, op := range loop.Collect(tileas.AllocShared.Is) {
		take(op, tileas.LocalStore.Is)
	}
	l.Shared = max(0, l.Shared)
	return l
}

// inInnermost reports whether an operation is in a loop without an inner loop.
func inInnermost(op ir.Op) bool {
	loop := ir.LoopAround(op, false)
	return !loop.IsNil() && loop.Walk(func(inner ir.Op) ir.WalkResult {
		if _, ok := tileas.StepLoop(inner); ok {
			return ir.SkipBelow
		}
		if ir.LoopLike.Has(inner) && inner != loop {
			return ir.Interrupt
		}
		return ir.Advance
	})
}

// Scratch returns the bytes of shared memory that a layout conversion goes through; 0 for other operations.
func Scratch(op ir.Op) int {
	if !op.Is(tileas.ConvertLayout) {
		return 0
	}
	if c, ok := tileas.ConversionOf(op); !ok || c.Class <= linear.LaneMove {
		return 0
	}
	return int(tile.Bytes(op.Result(0).Type()))
}

// LeastScratch returns the bytes of shared memory that a layout conversion takes if it goes through them in as many
// subtiles as its layouts allow.
func LeastScratch(op ir.Op) int {
	n := Scratch(op)
	if n == 0 {
		return 0
	}
	src, _ := tileas.LayoutOf(op.Operand(0).Type())
	dst, _ := tileas.LayoutOf(op.Result(0).Type())
	c, err := linear.CutInto(src, dst, n)
	if err != nil {
		return n
	}
	return n / c.Subtiles
}
