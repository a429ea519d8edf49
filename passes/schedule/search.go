package schedule

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/machine/cost"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/target/sm"
)

// Iterative is the default scheduler.
var Iterative = Register(&Scheduler{
	Name:    "iterative",
	Summary: "Rau's iterative modulo scheduling, with the fewest overlapping iterations that come near the best II",
	Schedule: func(ctx context.Context, g *ddg.Graph, l Limits) (*Plan, error) {
		return scheduleBy(ctx, placer{resolution, true, at}, g, l)
	},
})

const (
	// resolution is the number of units of time in the busiest unit's work: enough to tell operations apart, and few
	// for the search.
	resolution = 48
	// minOverlapGain is how much II an overlap of iterations must save, in percent. Overlap costs registers for both
	// iterations, and a prologue and epilogue with the overlapping code.
	minOverlapGain = 6
	// minBackwardsGain is how much II a search backwards must save, in percent. What begins as late as it can waits longer
	// in machine code: three kernels whose II was below 2% shorter issued 4% to 18% more (docs/measurements/codegen.md).
	minBackwardsGain = 2
)

// A placer finds a schedule of a problem at one II, or says why there is none.
type placer struct {
	resolution int
	backwards  bool // it may find less when it places from the end
	at         func(p *modulo.Problem, ii int) (s *modulo.Schedule, why string, err error)
}

func scheduleBy(ctx context.Context, place placer, g *ddg.Graph, l Limits) (*Plan, error) {
	p, err := place.withLoads(ctx, g, l)
	if err == nil || onlyCopies(g) {
		return p, err
	}
	// Prefetched loads take registers for an iteration. If that fails, only the copies are prefetched.
	for i := range g.Nodes {
		g.Stay(i)
	}
	if p, again := place.withLoads(ctx, g, l); again == nil {
		return p, nil
	}
	return nil, err
}

// withLoads schedules a graph with its prefetched loads.
func (place placer) withLoads(ctx context.Context, g *ddg.Graph, l Limits) (*Plan, error) {
	after, prefetch, err := chooseDrain(g, l)
	if err != nil || l.Staggered {
		// Two stages do not fit, or the pass option asks for it: staggered copies need one stage each.
		staggered, why := place.staggered(ctx, g, l)
		switch {
		case staggered != nil:
			return staggered, nil
		case l.Staggered:
			return nil, errors.New(why)
		}
		return nil, err
	}
	s, low, serial := place.units(g)
	s.Drain = after
	lives := values(g, s)
	search := func(overlap, high int, l Limits) (*Plan, string) {
		from := func(backwards bool, high int) (*Plan, string) {
			var tried Shape // the last shape without a schedule
			p, why := place.leastII(ctx, low, high, overlap > 0, func(ii int) (*Plan, string, error) {
				s, why := s, ""
				s.II, s.Overlap, s.Index = ii, overlap, prefetch.index(ii*s.Unit)
				for _, s := range guided(g, s, prefetch.at(ii*s.Unit)) {
					p := problem(g, s, l, lives)
					p.Backwards = backwards
					found, reason, err := place.at(p, ii)
					switch {
					case err != nil:
						return nil, "", err
					case found != nil:
						widenLate(g, p, found)
						// What guided the search is no property of the schedule.
						s.After, s.Fragments = 0, 0
						return &Plan{Shape: s, At: found.Cycle}, "", nil
					case s.After == 0:
						why, tried = reason, s
					}
				}
				return nil, why, nil
			})
			if why = heldBy(g, tried, l, why); p != nil {
				p.Held = why
			}
			return p, why
		}
		p, why := from(false, high)
		if p != nil {
			high = p.II * (100 - minBackwardsGain) / 100
		}
		if place.backwards {
			if shorter, held := from(true, high); shorter != nil {
				return shorter, held
			}
		}
		return p, why
	}
	// Without overlap the register limit does not apply: ptxas gets the order of the source anyway. Prefetched loads
	// take registers on top, so for them it does, unless they take less than the error of the estimate.
	plain := Limits{Shared: l.Shared}
	if n := ahead(g); n*100 > l.Registers*registersError || l.Strict && n > 0 {
		plain.Registers = l.Registers
	}
	best, why := search(max(0, l.AtOnce-1), serial, plain)
	if best == nil {
		return nil, fmt.Errorf("no schedule was found: %s", why)
	}
	// The option fixes the overlap, so there is nothing to compare.
	if l.AtOnce > 0 {
		return best, nil
	}
	// Other CTAs on the SM use the units while this one waits. Overlap gains something only where they cannot keep the
	// busiest unit busy either.
	others := l.Blocks(Room(g, best.Shape, best.At)) * low
	if high := best.II * (100 - minOverlapGain) / 100; high > others && tensorBound(g) {
		if p, _ := search(1, high, l); p != nil {
			best = p
		}
	}
	if p := place.preferStaggered(ctx, g, l, best); p != nil {
		return p, nil
	}
	return best, nil
}

// leastII returns the plan for the least II from low to high for which attempt has one, and why the II before it has
// none. II grows by a fraction of itself.
//
// An attempt that fails has used all of its budget. So the largest II is asked first: where it has no plan, none is
// taken to have one. Without overlap, attempts fail up to some II and succeed beyond it, which is found by halves. With
// overlap they do so less strictly, and each II is asked (all).
func (place placer) leastII(ctx context.Context, low, high int, all bool, attempt func(ii int) (*Plan, string, error)) (best *Plan, why string) {
	var list []int
	for ii := low; ii <= high; ii += max(1, ii/place.resolution) {
		list = append(list, ii)
	}
	failed, found := -1, len(list)
	for at := found - 1; at > failed; {
		if ctx.Err() != nil {
			return nil, "it takes too long"
		}
		switch p, reason, err := attempt(list[at]); {
		case err != nil:
			return nil, err.Error()
		case p != nil:
			best, found = p, at
		default:
			failed, why = at, reason
		}
		if at = failed + (found-failed)/2; all {
			at = min(failed+1, found-1)
		}
	}
	return best, why
}

// chooseDrain decides when MMAs are known to be complete, and the prefetch distance. If shared memory has no room for
// both, stages are waited for one iteration earlier.
func chooseDrain(g *ddg.Graph, l Limits) (after int, prefetch prefetcher, err error) {
	if g.Drain < 0 {
		prefetch, err = newPrefetcher(g, l, 0)
		return 0, prefetch, err
	}
	most := 2
	if g.HasFragments() { // the next iteration overwrites operands in registers, so MMAs must be complete by then
		most = 1
	}
	for after = most; after > 0; after-- {
		if prefetch, err = newPrefetcher(g, l, after); err == nil {
			return after, prefetch, nil
		}
	}
	return 1, prefetch, err
}

// units returns a shape with the unit of time for a graph. It also returns, in that unit, the work of the busiest
// hardware unit (low) and the time of all operations one after the other (serial).
func (place placer) units(g *ddg.Graph) (s Shape, low, serial int) {
	var all cost.Timing
	for _, n := range g.Nodes {
		all.Add(n.Timing, 1)
	}
	work := max(1, all.Work())
	s.Unit = max(1, (work+place.resolution-1)/place.resolution)
	serial = 1 + ir.Sum(g.Nodes, func(n ddg.Node) int { return s.units(max(n.Timing.Work(), n.Timing.Latency)) })
	return s, max(1, s.units(work)), serial
}

// guided returns a shape with each prefetch distance, and all values of what guides the search.
func guided(g *ddg.Graph, s Shape, distances []int) (all []Shape) {
	first, last := 0, 0
	if s.Overlap > 0 && g.HasFragments() { // without overlap there is one iteration
		first, last = 1, s.Overlap+1
	}
	for _, s.Prefetch = range distances {
		for s.Fragments = first; s.Fragments <= last; s.Fragments++ {
			for _, s.After = range starts(g, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// starts returns the values of Shape.After to try. An overlapped iteration is best when the longest MMA of the
// previous iteration comes first: the operands of the first MMA are loaded during it. A greedy search instead puts the
// first MMA as early as possible. Then no place is left for the last one, which must end within the iteration.
func starts(g *ddg.Graph, s Shape) []int {
	longest, issued := 0, 0 // the latter of prefetched operations, at the head of an iteration
	for _, n := range g.Nodes {
		longest = max(longest, s.units(n.Timing.Busy[sm.UnitTensor]))
		if n.Role == ddg.Ahead {
			issued += n.Timing.Busy[sm.UnitIssue]
		}
	}
	if s.Overlap == 0 || longest == 0 {
		return []int{0}
	}
	first := longest + s.units(issued)
	return []int{0, first, first + 1, first + 2} // and one or two units to issue its operands
}

// registersError is the difference in registers, in percent, that the estimate for a thread cannot tell.
const registersError = 5

// ahead returns how many registers of a thread prefetched loads take for an iteration.
func ahead(g *ddg.Graph) (n int) {
	for _, node := range g.Nodes {
		if node.Role == ddg.Ahead && !node.Async() {
			n += Registers(node.Op.Results()...)
		}
	}
	return n
}

func onlyCopies(g *ddg.Graph) bool {
	return !slices.ContainsFunc(g.Nodes, func(n ddg.Node) bool { return n.Role == ddg.Ahead && !n.Async() })
}

// tensorBound reports whether a loop uses the tensor cores, and waits for nothing but them. Without them, other warps
// fill the gaps as well as other iterations do. A load from global memory in the middle would have to be prefetched to
// registers, which was measured not to be profitable.
func tensorBound(g *ddg.Graph) bool {
	waits := func(n ddg.Node) bool { return n.Role == ddg.Compute && n.Timing.Busy[sm.UnitGlobal] > 0 }
	return !slices.ContainsFunc(g.Nodes, waits) && slices.ContainsFunc(g.Nodes, func(n ddg.Node) bool { return n.Timing.Busy[sm.UnitTensor] > 0 })
}
