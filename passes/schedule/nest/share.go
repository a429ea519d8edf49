package nest

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/tileas/machine/price"
)

// share finds the later loops that can use the stages of the inner loop, and those that need none. Such loops come
// from splitting one: iterations without bounds tests, and those at the edge (tileaa-version-loops).
func (n *Nest) share(g *ddg.Graph, a *tileas.ScheduleAttr, m *price.Model) (err error) {
	n.Outer.Walk(func(op ir.Op) ir.WalkResult {
		b := tileas.ScheduleOf(op)
		if op == n.Inner || !op.Is(scf.For) || b == nil {
			return ir.Advance
		}
		var h *ddg.Graph
		if h, err = ddg.Build(op, m); err == nil {
			_, err = schedule.ShapeOf(h, b)
		}
		switch {
		case err != nil:
			return ir.Interrupt
		// It has no stages, so there is nothing to share and nothing in the way.
		case len(h.Buffers) == 0:
			n.aside = append(n.aside, op)
		case n.Top().IsBeforeInBlock(op.AncestorIn(n.Outer.Body().Region())) && alike(g, a, h, b):
			n.Sharers = append(n.Sharers, op)
		}
		return ir.SkipBelow
	})
	if err != nil {
		return fmt.Errorf("another loop in it cannot be pipelined: %w", err)
	}
	return nil
}

// alike reports whether the buffers of two loops have the same stages in the same order.
func alike(g *ddg.Graph, a *tileas.ScheduleAttr, h *ddg.Graph, b *tileas.ScheduleAttr) bool {
	return slices.EqualFunc(g.Buffers, h.Buffers, func(x, y ddg.Buffer) bool {
		return x.Type() == y.Type() && schedule.BufferStages(g, x, a) == schedule.BufferStages(h, y, b)
	})
}
