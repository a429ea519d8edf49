package tileasprop

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/tileas/analysis/buffers"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// tmemAllocated checks that accumulators are in TMEM if their instruction leaves them there. Buffers in use at
// the same time must be disjoint, and inside what the kernel allocates before them. The kernel must deallocate
// wherever it ends.
func tmemAllocated(fn ir.Op, _ *passes.Target) (wrong *ir.Diagnostic) {
	var reserve ir.Op
	var ends []ir.Op
	fn.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case op.Is(tileas.DotAsync) && instr.InTMEM(op):
			wrong = op.Errorf("has its accumulator in registers, but %s leaves it in TMEM", ir.AttrString(tileas.MMAOf(op)))
		case op.Is(tileas.ReserveTMEM):
			if !reserve.IsNil() || op.Block() != fn.Body() {
				wrong = op.Errorf("must stand once in a kernel, where it provably runs")
			}
			reserve = op
		case op.Is(tileas.Level.Return):
			ends = append(ends, op)
		}
		if wrong != nil {
			return ir.Interrupt
		}
		return ir.Advance
	})
	lives := buffers.Analyze(fn).TensorLives()
	switch {
	case wrong != nil:
		return wrong
	case reserve.IsNil() && len(lives) > 0:
		return lives[0].Op.Errorf("is in TMEM, of which the kernel reserves none")
	case reserve.IsNil():
		return nil
	}
	columns, _ := reserve.IntAttr(tileas.AttrColumns)
	if wrong := sameGroup(fn, reserve); wrong != nil {
		return wrong
	}
	for _, end := range ends {
		// A kernel must not end with columns allocated, and must deallocate as many as it allocated (PTX ISA,
		// tcgen05.alloc).
		before := end.Prev()
		if before.IsNil() || !before.Is(tileas.ReleaseTMEM) {
			return end.Errorf("ends the kernel without giving back the TMEM that it has reserved").Note(reserve.Loc(), "the reservation")
		}
		if n, _ := before.IntAttr(tileas.AttrColumns); n != columns {
			return before.Errorf("gives back %d columns of %d", n, columns)
		}
	}
	for i, l := range lives {
		at, ok := l.Op.IntAttr(tileas.AttrOffset)
		switch {
		case !ok:
			return l.Op.Errorf("has no place in TMEM")
		case at+l.Size > columns*tileas.TMEMColumnBytes:
			return l.Op.Errorf("ends at column %d of TMEM, but the kernel reserves %d", (at+l.Size)/tileas.TMEMColumnBytes, columns)
		case !before(reserve, l.Op):
			return l.Op.Errorf("comes before the reservation of TMEM")
		}
		// All pairs: kernels have few buffers in TMEM.
		for _, o := range lives[:i] {
			if other, _ := o.Op.IntAttr(tileas.AttrOffset); l.Meets(o) && at < other+o.Size && other < at+l.Size {
				return l.Op.Errorf("is at column %d of TMEM, and shares some with a buffer that lives at the same time", at/tileas.TMEMColumnBytes).Note(o.Op.Loc(), "the other buffer")
			}
		}
	}
	return nil
}

// before reports whether an operation in the kernel's own block comes before another one, in whatever region that
// is.
func before(op, other ir.Op) bool {
	for other.Block() != op.Block() {
		other = other.ParentOp()
	}
	return op.IsBeforeInBlock(other)
}

// sameGroup checks that everything in a kernel that uses TMEM is for one CTA or all for two (PTX ISA, tcgen05,
// .cta_group).
func sameGroup(fn, reserve ir.Op) (wrong *ir.Diagnostic) {
	two := reserve.HasUnitAttr(tile.AttrTwoCTAs)
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if (op.Is(tileas.TMEMDot) || op.Is(tileas.MMACommit) || op.Is(tileas.ReleaseTMEM)) && op.HasUnitAttr(tile.AttrTwoCTAs) != two {
			wrong = op.Errorf("and what reserves TMEM must both be for two CTAs or for one").Note(reserve.Loc(), "the reservation")
			return ir.Interrupt
		}
		return ir.Advance
	})
	return wrong
}
