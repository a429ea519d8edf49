package property

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/buffers"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
)

// tensorAllocated asks that sums which instructions leave in tensor memory are there, that buffers there which are in use at the same time lie apart, all in what the kernel reserves before them, and that it gives that
// back wherever it ends.
func tensorAllocated(fn ir.Op, _ *passes.Target) (wrong *ir.Diagnostic) {
	var reserve ir.Op
	var ends []ir.Op
	fn.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case op.Is(tileas.DotAsync) && matrix.InTensorMemory(op):
			wrong = op.Errorf("has its sum in registers, but %s leaves it in tensor memory", ir.AttrString(tileas.MMAOf(op)))
		case op.Is(tileas.ReserveTensor):
			if !reserve.IsNil() || op.Block() != fn.Body() {
				wrong = op.Errorf("must stand once in a kernel, where it surely runs")
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
		return lives[0].Op.Errorf("is in tensor memory, of which the kernel reserves none")
	case reserve.IsNil():
		return nil
	}
	columns, _ := reserve.IntAttr(tileas.AttrColumns)
	if wrong := sameGroup(fn, reserve); wrong != nil {
		return wrong
	}
	for _, end := range ends {
		before := end.Prev()
		if before.IsNil() || !before.Is(tileas.ReleaseTensor) {
			return end.Errorf("ends the kernel without giving back the tensor memory that it has reserved").Note(reserve.Loc(), "the reservation")
		}
		if n, _ := before.IntAttr(tileas.AttrColumns); n != columns {
			return before.Errorf("gives back %d columns of %d", n, columns)
		}
	}
	for i, l := range lives {
		at, ok := l.Op.IntAttr(tileas.AttrOffset)
		switch {
		case !ok:
			return l.Op.Errorf("has no place in tensor memory")
		case at+l.Size > columns*tileas.TensorColumnBytes:
			return l.Op.Errorf("ends at column %d of tensor memory, but the kernel reserves %d", (at+l.Size)/tileas.TensorColumnBytes, columns)
		case !before(reserve, l.Op):
			return l.Op.Errorf("comes in front of the reservation of tensor memory")
		}
		for _, o := range lives[:i] {
			if other, _ := o.Op.IntAttr(tileas.AttrOffset); l.Meets(o) && at < other+o.Size && other < at+l.Size {
				return l.Op.Errorf("is at column %d of tensor memory, and shares some with a buffer that lives at the same time", at/tileas.TensorColumnBytes).Note(o.Op.Loc(), "the other buffer")
			}
		}
	}
	return nil
}

// before reports whether an operation of a kernel's own block comes before another one, wherever that is.
func before(op, other ir.Op) bool {
	for other.Block() != op.Block() {
		other = other.ParentOp()
	}
	return op.IsBeforeInBlock(other)
}

// sameGroup asks that all of a kernel that has to do with tensor memory is for one CTA or all for two (PTX ISA, tcgen05, .cta_group).
func sameGroup(fn, reserve ir.Op) (wrong *ir.Diagnostic) {
	two := reserve.HasUnitAttr(tile.AttrTwoCTAs)
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if (op.Is(tileas.TensorDot) || op.Is(tileas.ReleaseTensor)) && op.HasUnitAttr(tile.AttrTwoCTAs) != two {
			wrong = op.Errorf("and what reserves tensor memory must both be for two CTAs or for one").Note(reserve.Loc(), "the reservation")
			return ir.Interrupt
		}
		return ir.Advance
	})
	return wrong
}
