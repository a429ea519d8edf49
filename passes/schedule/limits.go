package schedule

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/target/sm"
)

const (
	// others is how many registers of a thread a loop leaves to addresses, counters and pieces of operands on their way into an instruction.
	others = 60
	// slack is shared memory for what later passes may need beyond the conversions that are seen: buffers begin at multiples of a row of banks. With more of it, two slots of 48 KiB would not fit the
	// 99 KiB that a tile block of sm_86 or sm_120 may have.
	slack = 1 << 10
)

// LimitsOf returns what the loops of a kernel may take. Only conversions in innermost loops take from the shared memory, since those are the ones that are pipelined: conversions behind such a loop use what
// its buffers leave, in a loop around it too, and are cut where they do not fit.
func LimitsOf(fn ir.Op, arch *sm.Arch) Limits {
	spec := contract.KernelSpecOf(fn)
	blocks := max(1, spec.Occupancy)
	l := Limits{Registers: max(1, arch.RegistersPerThread(max(1, spec.NumWarps), blocks)-others), Shared: SharedOf(fn, arch), Stages: spec.NumStages,
		arch: arch, warps: max(1, spec.NumWarps), blocks: spec.Occupancy}
	scratch := 0
	fn.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case op.Is(tileas.Level.Alloca):
			n, _ := op.IntAttr(tile.AttrBytes)
			l.Shared -= int(min(n, int64(l.Shared)))
		case inInnermost(op):
			scratch = max(scratch, Scratch(op))
		}
		return ir.Advance
	})
	l.Shared = max(0, l.Shared-scratch-slack)
	return l
}

// uses reports whether some user of a buffer, itself or through views of it, is one of those looked for.
func uses(buffer ir.Value, is func(ir.Op) bool) bool {
	for u := range buffer.Uses() {
		if is(u.Owner()) {
			return true
		}
		for _, r := range u.Owner().Results() {
			if _, view := r.Type().(*tileas.BufferType); view && uses(r, is) {
				return true
			}
		}
	}
	return false
}

// In returns the limits of one loop: its slots have no part of the buffers that live all the time beside those that copies fill for it. These are made in front of it, or of what it is in, and used there or behind,
// or made in it and stored to.
func (l Limits) In(loop ir.Op) Limits {
	take := func(alloc ir.Op, is func(user ir.Op) bool) {
		if v := alloc.Result(0); uses(v, is) && !ddg.Refilled(loop, v) {
			l.Shared -= int(v.Type().(*tileas.BufferType).Bytes())
		}
	}
	for at := loop; !at.IsNil() && !at.Is(tileas.Level.Func); at = at.ParentOp() {
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
	loop.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.AllocShared) {
			take(op, func(user ir.Op) bool { return user.Is(tileas.LocalStore) })
		}
		return ir.Advance
	})
	l.Shared = max(0, l.Shared)
	return l
}

// SharedOf returns the bytes of shared memory that a tile block of a kernel may take, so that as many of them run on an SM as it asks for.
func SharedOf(fn ir.Op, arch *sm.Arch) int {
	return arch.SharedPerCTA(contract.KernelSpecOf(fn).Occupancy)
}

// inInnermost reports whether an operation is in a loop that has no loop in it.
func inInnermost(op ir.Op) bool {
	for p := op.ParentOp(); !p.IsNil(); p = p.ParentOp() {
		if _, ok := ir.LoopLike.Of(p); ok {
			return !hasLoop(p)
		}
	}
	return false
}

func hasLoop(op ir.Op) (found bool) {
	op.Walk(func(inner ir.Op) ir.WalkResult {
		if _, ok := tileas.StepLoop(inner); ok {
			return ir.SkipBelow
		}
		if _, ok := ir.LoopLike.Of(inner); ok && inner != op {
			found = true
			return ir.Interrupt
		}
		return ir.Advance
	})
	return found
}

// Scratch returns the bytes of shared memory that an operation goes through, if it is a conversion of layouts.
func Scratch(op ir.Op) int {
	if !op.Is(tileas.ConvertLayout) {
		return 0
	}
	src, ok1 := tileas.LayoutOf(op.Operand(0).Type())
	dst, ok2 := tileas.LayoutOf(op.Result(0).Type())
	if !ok1 || !ok2 || src.Equal(dst) {
		return 0
	}
	if c, err := linear.Convert(src, dst); err != nil || c.Class <= linear.LaneMove {
		return 0
	}
	n := tile.ElementBytes(ir.ElementType(op.Result(0).Type()))
	for _, d := range dst.Shape() {
		n *= d
	}
	return n
}
