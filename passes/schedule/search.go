package schedule

import (
	"context"
	"errors"
	"fmt"

	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/target/sm"
)

// Iterative is the default.
var Iterative = Register(&Scheduler{
	Name:    "iterative",
	Summary: "Rau's iterative modulo scheduling, with the fewest overlapping iterations that come near the best II",
	Schedule: func(ctx context.Context, g *ddg.Graph, l Limits) (*Plan, error) {
		return scheduleBy(ctx, placer{resolution, func(_ *ddg.Graph, p *modulo.Problem, ii int) (*modulo.Schedule, string, error) {
			return modulo.At(p, ii, modulo.Options{})
		}}, g, l)
	},
})

const (
	// resolution is into how many units of time the busiest unit's work is divided: fine enough to tell operations apart, and the search looks at each.
	resolution = 48
	// worth is what an overlap of iterations must save to be taken, in percent: it costs registers for both, and a copy of the overlapping part in front of and behind the loop.
	worth = 6
)

// A placer finds a schedule of a problem at one II, or says why there is none.
type placer struct {
	resolution int
	at         func(g *ddg.Graph, p *modulo.Problem, ii int) (s *modulo.Schedule, why string, err error)
}

func scheduleBy(ctx context.Context, place placer, g *ddg.Graph, l Limits) (*Plan, error) {
	p, err := place.withLoads(ctx, g, l)
	if err == nil || onlyCopies(g) {
		return p, err
	}
	// Loads that run ahead keep registers; the copies may still.
	for i := range g.Nodes {
		g.Stay(i)
	}
	if p, again := place.withLoads(ctx, g, l); again == nil {
		return p, nil
	}
	return nil, err
}

// withLoads schedules a graph with the loads that it has run ahead.
func (place placer) withLoads(ctx context.Context, g *ddg.Graph, l Limits) (*Plan, error) {
	behind, lead, err := spans(g, l)
	if err != nil || l.Apart {
		apart, why := place.apart(ctx, g, l)
		switch {
		case apart != nil:
			return apart, nil
		case l.Apart:
			return nil, errors.New(why)
		}
		return nil, err
	}
	s, low, serial := place.units(g)
	s.Behind = behind
	lives := values(g, s)
	search := func(overlap, high int, l Limits) (*Plan, string) {
		why := ""
		var tried Shape // the last one that there was no schedule for
		for ii := low; ii <= high; ii += max(1, ii/place.resolution) {
			if ctx.Err() != nil {
				return nil, "it takes too long"
			}
			s := s
			s.II, s.Overlap = ii, overlap
			s.Lead = lead.at(ii * s.Unit)
			for _, s.After = range starts(g, s) {
				found, reason, err := place.at(g, problem(g, s, l, lives), ii)
				switch {
				case err != nil:
					return nil, err.Error()
				case found != nil && keepsFragments(g, found.Cycle, ii) != nil:
					why, tried = keepsFragments(g, found.Cycle, ii).Error(), s
				case found != nil:
					s.After = 0
					return &Plan{Shape: s, At: found.Cycle, Held: heldBy(g, tried, l, why)}, ""
				case s.After == 0:
					why, tried = reason, s
				}
			}
		}
		return nil, heldBy(g, tried, l, why)
	}
	// Registers are no limit to the order of the text, which ptxas has anyway; but loads that run ahead take more.
	plain := Limits{Shared: l.Shared}
	if !onlyCopies(g) {
		plain.Registers = l.Registers
	}
	best, why := search(max(0, l.AtOnce-1), serial, plain)
	if best == nil {
		return nil, fmt.Errorf("no schedule was found: %s", why)
	}
	if l.AtOnce > 0 {
		return best, nil
	}
	// What waits in this block, others use: only where they cannot keep the units busy either is there something to be won.
	registers, shared := Room(Problem(g, best.Shape, Limits{}), &modulo.Schedule{II: best.II, Cycle: best.At})
	others := l.Blocks(registers, shared) * low
	if high := best.II * (100 - worth) / 100; high > others && multiplies(g) {
		if p, _ := search(1, high, l); p != nil {
			best = p
		}
	}
	if p := place.smaller(ctx, g, l, best); p != nil {
		return p, nil
	}
	return best, nil
}

// spans decides how late products are known to be done, and how far copies run ahead of them: where shared memory has no room for both, slots are waited for one turn earlier.
func spans(g *ddg.Graph, l Limits) (behind int, lead leads, err error) {
	if g.Drain < 0 {
		lead, err = newLeads(g, l, 0)
		return 0, lead, err
	}
	for behind = latest(g); behind > 0; behind-- {
		if lead, err = newLeads(g, l, behind); err == nil {
			return behind, lead, nil
		}
	}
	return 1, lead, err
}

// units returns a shape with the unit of time for a graph, in which its busiest unit works so long and all operations one after the other so long.
func (place placer) units(g *ddg.Graph) (s Shape, low, serial int) {
	work := busiest(g)
	s.Unit = max(1, (work+place.resolution-1)/place.resolution)
	low, serial = max(1, s.units(work)), 1
	for _, n := range g.Nodes {
		serial += s.units(max(n.Timing.Work(), n.Timing.Latency))
	}
	return s, low, serial
}

// starts returns what is tried as the earliest start of products in a turn. The longest of the iteration before may come first: that is how operands of the first product arrive while the last one of the
// iteration before is computed. A greedy search puts the first product as early as it can and finds no place for the last one, which must not reach over the end of the turn.
func starts(g *ddg.Graph, s Shape) []int {
	longest := 0
	for _, n := range g.Nodes {
		longest = max(longest, s.units(n.Timing.Busy[sm.UnitTensor]))
	}
	if s.Overlap == 0 || longest == 0 {
		return []int{0}
	}
	first := longest + s.units(issued(g))
	return []int{0, first, first + 1, first + 2} // and some room to issue what it takes
}

// issued returns how long it takes to issue what runs ahead, at the head of a turn.
func issued(g *ddg.Graph) (cycles int) {
	for _, n := range g.Nodes {
		if n.Role == ddg.Ahead {
			cycles += n.Timing.Busy[sm.UnitIssue]
		}
	}
	return cycles
}

func onlyCopies(g *ddg.Graph) bool {
	for _, n := range g.Nodes {
		if n.Role == ddg.Ahead && !n.Async() {
			return false
		}
	}
	return true
}

// multiplies reports whether a loop has a unit that works while the issue port does something else, and nothing to wait for but that. Without the unit, other warps fill the gaps as well as other
// iterations; a load in the middle would be what runs ahead, in registers, which it was found not to be worth.
func multiplies(g *ddg.Graph) (ok bool) {
	for _, n := range g.Nodes {
		if n.Role == ddg.Compute && n.Timing.Busy[sm.UnitGlobal] > 0 {
			return false
		}
		ok = ok || n.Timing.Busy[sm.UnitTensor] > 0
	}
	return ok
}

// busiest returns the work of the unit with the most of it in an iteration.
func busiest(g *ddg.Graph) (cycles int) {
	var sum [sm.NumUnits]int
	for _, n := range g.Nodes {
		for u, c := range n.Timing.Busy {
			sum[u] += c
		}
	}
	for _, c := range sum {
		cycles = max(cycles, c)
	}
	return max(1, cycles)
}
