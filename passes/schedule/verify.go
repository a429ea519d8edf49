package schedule

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
)

// Match makes a graph one of which the attribute can be a schedule: loads to registers that it does not place ahead of what is computed stay where they are.
func Match(g *ddg.Graph, a *tileas.ScheduleAttr) error {
	if len(a.At) != len(g.Nodes) {
		return fmt.Errorf("it places %d operations, but the body has %d", len(a.At), len(g.Nodes))
	}
	first := a.Stages()
	for i, n := range g.Nodes {
		if n.Role == ddg.Compute {
			first = min(first, a.Stage(i))
		}
	}
	for i := range g.Nodes {
		if a.Stage(i) >= first {
			g.Stay(i)
		}
	}
	return nil
}

// ShapeOf reads the shape of a schedule from the stages of the operations, with which it makes the graph agree.
func ShapeOf(g *ddg.Graph, a *tileas.ScheduleAttr) (Shape, error) {
	s := Shape{II: a.II, Unit: a.Unit}
	if err := Match(g, a); err != nil {
		return s, err
	}
	head := Head(g)
	if head < 0 {
		return s, fmt.Errorf("nothing in the loop can run ahead")
	}
	first, last := a.Stages(), 0
	for i, n := range g.Nodes {
		if n.Role == ddg.Compute {
			first, last = min(first, a.Stage(i)), max(last, a.Stage(i))
		}
	}
	if last < first {
		return s, fmt.Errorf("the loop computes nothing")
	}
	if g.Nodes[head].Async() { // a load to registers stands one turn before computing may begin, which may be one in which nothing is computed yet
		for i, n := range g.Nodes {
			if n.Role == ddg.Ahead && !n.Async() {
				first = min(first, a.Stage(i)+1)
			}
		}
	}
	for i, n := range g.Nodes {
		s.Apart = s.Apart || n.Async() && a.At[i] != a.At[head]
	}
	if phases := phasesOf(g); s.Apart && len(phases) > 1 {
		head = phases[0].copies[0] // what is read first runs ahead, whichever copy the body begins with
	}
	s.Lead, s.Overlap = first-a.Stage(head), last-first
	if g.Drain >= 0 {
		if s.Behind = a.Stage(g.Drain) - first; s.Behind < 1 || a.At[g.Drain]%a.II != 0 {
			return s, fmt.Errorf("'%s' #%d, which slots are waited for with, stands at %d, and not at the head of a turn behind the products", g.Nodes[g.Drain].Op.Name(), g.Drain, a.At[g.Drain])
		}
	}
	return s, nil
}

// Verify reports the first dependence, unit or lifetime that a schedule does not keep. It believes nothing of what a scheduler says.
func Verify(g *ddg.Graph, a *tileas.ScheduleAttr, l Limits) error {
	s, err := ShapeOf(g, a)
	if err != nil {
		return err
	}
	if s.Lead < 1 {
		return fmt.Errorf("what runs ahead stands %d turns before what needs it", s.Lead)
	}
	if s.Apart {
		switch turn := turnAt(g); {
		case turn < 0:
			return fmt.Errorf("copies start apart, though what reads one is not done before another is read")
		case a.At[turn]%a.II != 0:
			return fmt.Errorf("a turn of copies that start apart begins with '%s' #%d, which stands at %d of it", g.Nodes[turn].Op.Name(), turn, a.At[turn]%a.II)
		}
	}
	if err := keepsFragments(g, a.At, a.II); err != nil {
		return err
	}
	p := Problem(g, s, Limits{Shared: l.Shared})
	for i := range p.Ops { // it is better so, and not wrong otherwise
		p.Ops[i].Uses = slices.DeleteFunc(p.Ops[i].Uses, func(u modulo.Use) bool { return u.Unit == endOfTurn })
	}
	return modulo.Verify(p, &modulo.Schedule{II: a.II, Cycle: a.At})
}

// Slots returns how many slots a buffer has under a schedule: one more than there are whole turns between its copy and where what reads it last is done.
func Slots(g *ddg.Graph, b ddg.Buffer, a *tileas.ScheduleAttr) int {
	slots := 1
	for _, r := range b.Readers {
		end, hold := read(g, r)
		slots = max(slots, (a.At[end]+hold-a.At[b.Copy]+a.II-1)/a.II)
	}
	return slots
}
