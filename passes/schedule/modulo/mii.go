package modulo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// ResMII returns the least II that the work of the units allows, and the bounding unit; -1 if none is used.
// Reservations with gaps can make a larger II necessary.
func ResMII(p *Problem) (ii, unit int) {
	work := make([]int, len(p.Units))
	for _, op := range p.Ops {
		for _, u := range op.Uses {
			work[u.Unit] += u.Cycles
		}
	}
	ii, unit = 1, -1
	for u, w := range work {
		if w > 0 && (unit < 0 || w > ii) {
			ii, unit = w, u
		}
	}
	return ii, unit
}

// A Recurrence is a cycle of edges. Iterations start at least Latency/Distance cycles apart.
type Recurrence struct {
	Edges             []int // in the order of the cycle
	Latency, Distance int
}

// MII returns the least II that the recurrence allows.
func (r *Recurrence) MII() int {
	if r == nil || r.Latency <= 0 {
		return 1
	}
	return max(1, ceilDiv(r.Latency, r.Distance))
}

// mostNames is how many operations of a chain are named; it may be as long as the body.
const mostNames = 6

// Chain names operations that follow each other.
func Chain(names []string) string {
	if n := len(names); n > mostNames {
		names = slices.Concat(names[:mostNames/2], []string{fmt.Sprintf("(%d more)", n-mostNames)}, names[n-mostNames/2:])
	}
	return strings.Join(names, " -> ")
}

// Describe names the operations of the cycle.
func (r *Recurrence) Describe(p *Problem) string {
	names := ir.Map(r.Edges, func(e int) string { return p.Ops[p.Edges[e].From].Name })
	return Chain(append(names, names[0]))
}

// MaxRecurrence returns the recurrence with the largest ratio of latency to distance, nil if no cycle of edges has a
// positive one. A cycle with latency but no distance is an error: no II satisfies it.
func MaxRecurrence(p *Problem) (*Recurrence, error) {
	var best *Recurrence
	// Each positive cycle under the weights latency*d - l*distance has a larger ratio than the previous l/d. There are
	// finitely many simple cycles, so this ends.
	l, d := 0, 1
	for {
		cycle := positiveCycle(p, l, d)
		if cycle == nil {
			return best, nil
		}
		r := &Recurrence{Edges: cycle}
		for _, e := range cycle {
			r.Latency += p.Edges[e].Latency
			r.Distance += p.Edges[e].Distance
		}
		if r.Distance == 0 {
			return nil, fmt.Errorf("%s waits for itself in one iteration", r.Describe(p))
		}
		best, l, d = r, r.Latency, r.Distance
	}
}

// positiveCycle returns the edges of a recurrence with more than l cycles in d iterations, in its order, or nil. It is the
// Bellman-Ford algorithm for longest paths, from a source with an edge to every operation.
func positiveCycle(p *Problem, l, d int) []int {
	n := len(p.Ops)
	dist, via := make([]int, n), make([]int, n)
	for i := range via {
		via[i] = -1
	}
	for range n + 1 {
		changed := false
		for i := range p.Edges {
			e := &p.Edges[i]
			if far := dist[e.From] + e.Latency*d - l*e.Distance; far > dist[e.To] {
				dist[e.To], via[e.To], changed = far, i, true
			}
		}
		if !changed {
			return nil
		}
		// A cycle appears among the predecessor edges long before the n rounds that would prove it.
		if cycle := cycleOf(p, via); cycle != nil {
			return cycle
		}
	}
	return nil
}

// cycleOf returns a cycle among the given edges, one into each operation, or nil.
func cycleOf(p *Problem, via []int) []int {
	walk := make([]int, len(via)) // the number, from 1, of the walk that visited an operation
	for start := range via {
		at := start
		for walk[at] == 0 && via[at] >= 0 {
			walk[at] = start + 1
			at = p.Edges[via[at]].From
		}
		if walk[at] != start+1 {
			continue
		}
		var cycle []int
		for last := at; ; {
			cycle = append(cycle, via[at])
			if at = p.Edges[via[at]].From; at == last {
				slices.Reverse(cycle)
				return cycle
			}
		}
	}
	return nil
}

// A Bound is the lower bound on the II of a problem.
type Bound struct {
	ResMII, Unit int // Unit is -1 when no unit is used
	Recurrence   *Recurrence
}

// LowerBound returns the lower bound of a problem.
func LowerBound(p *Problem) (Bound, error) {
	var b Bound
	if err := p.Check(); err != nil {
		return b, err
	}
	b.ResMII, b.Unit = ResMII(p)
	var err error
	b.Recurrence, err = MaxRecurrence(p)
	return b, err
}

// MII returns the larger bound.
func (b Bound) MII() int { return max(b.ResMII, b.Recurrence.MII()) }

// Describe says what bounds the loop.
func (b Bound) Describe(p *Problem) string {
	switch {
	case b.Recurrence != nil && b.Recurrence.MII() > b.ResMII:
		return fmt.Sprintf("the recurrence %s takes %d cycles in %d iterations", b.Recurrence.Describe(p), b.Recurrence.Latency, b.Recurrence.Distance)
	case b.Unit >= 0:
		return fmt.Sprintf("unit %s is busy for %d cycles", p.Units[b.Unit], b.ResMII)
	}
	return "nothing"
}
