package schedule

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
)

// Match adapts a graph to a schedule: loads to registers that the schedule does not prefetch become compute
// operations.
func Match(g *ddg.Graph, a *tileas.ScheduleAttr) error {
	if len(a.At) != len(g.Nodes) {
		return fmt.Errorf("it places %d operations, but the body has %d", len(a.At), len(g.Nodes))
	}
	first, _ := Computes(g, a)
	for i := range g.Nodes {
		if a.Stage(i) >= first {
			g.Stay(i)
		}
	}
	return nil
}

// Computes returns the first and the last stage with arithmetic; the last is less than the first if there is none.
func Computes(g *ddg.Graph, a *tileas.ScheduleAttr) (first, last int) {
	first = a.Stages()
	for i, n := range g.Nodes {
		if n.Role == ddg.Compute {
			first, last = min(first, a.Stage(i)), max(last, a.Stage(i))
		}
	}
	return first, last
}

// ShapeOf derives the shape of a schedule from the stages of its operations, and adapts the graph to it.
func ShapeOf(g *ddg.Graph, a *tileas.ScheduleAttr) (Shape, error) {
	s := Shape{II: a.II, Unit: a.Unit}
	if err := Match(g, a); err != nil {
		return s, err
	}
	head := Head(g)
	if head < 0 {
		return s, fmt.Errorf("the loop has nothing to prefetch")
	}
	first, last := Computes(g, a)
	if last < first {
		return s, fmt.Errorf("the loop computes nothing")
	}
	if g.Nodes[head].Async() { // a load to registers is prefetched by one iteration, in which nothing may be computed yet
		for i, n := range g.Nodes {
			depth, index := g.IndexDepth(i)
			switch {
			case index && depth == 1:
				s.Index = max(s.Index, a.Stage(head)-a.Stage(i))
			case !index && n.Role == ddg.Ahead && !n.Async():
				first = min(first, a.Stage(i)+1)
			}
		}
	}
	for i, n := range g.Nodes {
		s.Staggered = s.Staggered || n.Async() && a.At[i] != a.At[head]
	}
	if phases := phasesOf(g); s.Staggered && len(phases) > 1 {
		head = phases[0].copies[0] // iterations are counted from the copy that is read first, wherever it stands in the body
	}
	s.Prefetch, s.Overlap = first-a.Stage(head), last-first
	if g.Drain >= 0 {
		// Stages are refilled at the head of an iteration, so the wait for their readers must be there too.
		if s.Drain = a.Stage(g.Drain) - first; s.Drain < 1 || a.At[g.Drain]%a.II != 0 {
			return s, fmt.Errorf("'%s' #%d, which waits for the stages, starts at %d, not at the head of an iteration after the MMAs", g.Nodes[g.Drain].Op.Name(), g.Drain, a.At[g.Drain])
		}
	}
	return s, nil
}

// Verify reports the first dependence, unit or lifetime that a schedule violates. It trusts nothing that a scheduler
// says.
func Verify(g *ddg.Graph, a *tileas.ScheduleAttr, l Limits) error {
	s, err := ShapeOf(g, a)
	if err != nil {
		return err
	}
	if s.Prefetch < 1 {
		return fmt.Errorf("prefetched operations run %d iterations before their first use", s.Prefetch)
	}
	if phases := phasesOf(g); s.Staggered && len(phases) < 2 {
		return fmt.Errorf("copies are staggered, but the readers of one are not done before another is read")
	} else if s.Staggered && a.At[phases[1].copies[0]]%a.II != 0 {
		head := phases[1].copies[0]
		return fmt.Errorf("an iteration with staggered copies begins with '%s' #%d, which starts at %d of it", g.Nodes[head].Op.Name(), head, a.At[head]%a.II)
	}
	if err := keepsFragments(g, a.At, a.II); err != nil {
		return err
	}
	// Register limits only guide the search: to exceed one is slow and not wrong.
	p := Problem(g, s, Limits{Shared: l.Shared})
	for i := range p.Ops { // an MMA across the end of an iteration is slow, not wrong
		p.Ops[i].Uses = slices.DeleteFunc(p.Ops[i].Uses, func(u modulo.Use) bool { return u.Unit == endOfIteration })
	}
	return modulo.Verify(p, &modulo.Schedule{II: a.II, Cycle: a.At})
}

// BufferStages returns how many stages a buffer has under a schedule: one more than the full iterations between its
// copy and the end of its last reader.
func BufferStages(g *ddg.Graph, b ddg.Buffer, a *tileas.ScheduleAttr) int {
	stages := 1
	for _, r := range b.Readers {
		end, hold := read(g, r)
		stages = max(stages, (a.At[end]+hold-a.At[b.Copy]+a.II-1)/a.II)
	}
	return stages
}
