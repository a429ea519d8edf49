package nest

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
)

// share finds the loops behind the loop inside that can use its slots, and those that need none. They are what a loop is split into: iterations without tests of bounds and those at the edge.
func (n *Nest) share(g *ddg.Graph, a *tileas.ScheduleAttr, build func(loop ir.Op) (*ddg.Graph, error)) (err error) {
	n.Outer.Walk(func(op ir.Op) ir.WalkResult {
		if err != nil {
			return ir.Interrupt
		}
		b := tileas.ScheduleOf(op)
		if op == n.Inner || !op.Is(scf.For) || b == nil {
			return ir.Advance
		}
		var h *ddg.Graph
		if h, err = build(op); err == nil {
			_, err = schedule.ShapeOf(h, b)
		}
		switch {
		case err != nil:
		case len(h.Buffers) == 0:
			n.aside = append(n.aside, op)
		case n.follows(op) && alike(g, a, h, b):
			n.Sharers = append(n.Sharers, op)
		}
		return ir.SkipBelow
	})
	if err != nil {
		return fmt.Errorf("another loop in it cannot be pipelined: %w", err)
	}
	return nil
}

// follows reports whether an operation stands behind the loop inside in the outer body, itself or in something else.
func (n *Nest) follows(op ir.Op) bool {
	for op.Block() != n.Outer.Body() {
		op = op.ParentOp()
	}
	return op != n.Top() && n.Top().IsBeforeInBlock(op)
}

// alike reports whether the buffers of two loops have the same slots, in the same order.
func alike(g *ddg.Graph, a *tileas.ScheduleAttr, h *ddg.Graph, b *tileas.ScheduleAttr) bool {
	if len(g.Buffers) != len(h.Buffers) {
		return false
	}
	for i, x := range g.Buffers {
		y := h.Buffers[i]
		if x.Type() != y.Type() || schedule.Slots(g, x, a) != schedule.Slots(h, y, b) {
			return false
		}
	}
	return true
}
