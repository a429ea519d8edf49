package schedule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/target/sm"
)

// BoundOf returns the lower bound on the cycles of an iteration that any schedule of a graph has, and what it is: the work of a unit, or a recurrence. It is exact: neither the unit of time nor
// what a schedule of turns can express is part of it.
func BoundOf(g *ddg.Graph) (cycles int, why string, err error) {
	p := &modulo.Problem{}
	for u := range sm.NumUnits {
		p.Units = append(p.Units, modulo.Unit{Name: u.String(), Copies: 1})
	}
	for _, n := range g.Nodes {
		op := modulo.Op{Name: n.Op.Name()}
		for u, c := range n.Timing.Busy {
			if c > 0 {
				op.Uses = append(op.Uses, modulo.Use{Unit: u, Cycles: c})
			}
		}
		p.Ops = append(p.Ops, op)
	}
	for _, e := range g.Edges {
		p.Edges = append(p.Edges, e.Edge)
	}
	b, err := modulo.LowerBound(p)
	if err != nil {
		return 0, "", err
	}
	return b.MII(), b.Describe(p), nil
}

// heldBy says which chain of operations keeps a shape from being scheduled at its II, or what else does according to the search.
func heldBy(g *ddg.Graph, s Shape, l Limits, why string) string {
	if s.II == 0 {
		return ""
	}
	p := Problem(g, s, l)
	r, err := modulo.MaxRecurrence(p)
	if err != nil || r == nil {
		return why
	}
	// A chain through the head of an iteration is what the iteration computes, for which there are so many turns; without the head it is a recurrence of the program.
	head := Head(g)
	var names []string
	latency, turns, through := 0, r.Distance, false
	first := max(0, slices.IndexFunc(r.Edges, func(e int) bool { return p.Edges[e].From == head }))
	for _, e := range slices.Concat(r.Edges[first:], r.Edges[:first]) {
		edge := p.Edges[e]
		switch {
		case edge.From == head && edge.Kind == modulo.Async:
			through, turns = true, r.Distance-s.Lead // the turns that the head runs ahead are no time of the chain's
			continue
		case edge.To == head:
			through = true
		default:
			latency += edge.Latency
		}
		names = append(names, p.Ops[edge.From].Name)
	}
	text := fmt.Sprintf("%s take %d cycles one after the other, in a span of %d x II", chain(names), latency*s.Unit, turns)
	if !through {
		text = fmt.Sprintf("the recurrence %s takes %d cycles in %d iterations", chain(names), r.Latency*s.Unit, r.Distance)
	}
	if r.MII() <= s.II { // near that, operations are in each other's way
		return why + "; " + text
	}
	return text
}

// mostNames is how many operations of a chain are named.
const mostNames = 6

func chain(names []string) string {
	if n := len(names); n > mostNames {
		names = append(append(append([]string(nil), names[:mostNames/2]...), fmt.Sprintf("(%d more)", n-mostNames)), names[n-mostNames/2:]...)
	}
	return strings.Join(names, " -> ")
}
