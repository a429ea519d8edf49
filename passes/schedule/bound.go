package schedule

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/target/sm"
)

// BoundOf returns the lower bound on the cycles of an iteration for any schedule of a graph, and what bounds it: the
// work of a unit, or a recurrence. It is exact: it depends neither on the unit of time nor on what a Shape can
// express.
func BoundOf(g *ddg.Graph) (cycles int, why string, err error) {
	p := &modulo.Problem{Units: units[:sm.NumUnits], Edges: ir.Map(g.Edges, func(e ddg.Edge) modulo.Edge { return e.Edge })}
	for _, n := range g.Nodes {
		op := modulo.Op{Name: n.Op.Name()}
		Shape{Unit: 1, II: modulo.MaxCycles}.occupy(&op, n.Timing.Busy)
		p.Ops = append(p.Ops, op)
	}
	b, err := modulo.LowerBound(p)
	if err != nil {
		return 0, "", err
	}
	return b.MII(), b.Describe(p), nil
}

// heldBy says why a shape has no schedule at its II: a chain of operations that is too long, or else the reason that
// the search gives.
func heldBy(g *ddg.Graph, s Shape, l Limits, why string) string {
	// The search failed for no shape, so nothing held II up.
	if s.II == 0 {
		return ""
	}
	p := Problem(g, s, l)
	r, err := modulo.MaxRecurrence(p)
	if err != nil || r == nil {
		return why
	}
	// A chain through the head is the work of an iteration, which has a span of Prefetch + Overlap + 1 iterations.
	// Without the head it is a recurrence of the program.
	head := Head(g)
	var names []string
	latency, iterations, through := 0, r.Distance, false
	// Begin with the head, so that the names follow the order of an iteration.
	first := max(0, slices.IndexFunc(r.Edges, func(e int) bool { return p.Edges[e].From == head }))
	for _, e := range slices.Concat(r.Edges[first:], r.Edges[:first]) {
		edge := p.Edges[e]
		switch {
		case edge.From == head && edge.Kind == modulo.Async:
			through, iterations = true, r.Distance-s.Prefetch // the prefetch distance is not part of the chain's time
			continue
		case edge.To == head:
			through = true
		default:
			latency += edge.Latency
		}
		names = append(names, p.Ops[edge.From].Name)
	}
	text := fmt.Sprintf("%s take %d cycles one after the other, in a span of %d x II", modulo.Chain(names), latency*s.Unit, iterations)
	if !through {
		text = fmt.Sprintf("the recurrence %s takes %d cycles in %d iterations", modulo.Chain(names), r.Latency*s.Unit, r.Distance)
	}
	if r.MII() <= s.II { // the chain alone would fit, so it is the units that conflict
		return why + "; " + text
	}
	return text
}
