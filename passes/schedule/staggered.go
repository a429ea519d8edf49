package schedule

import (
	"cmp"
	"context"
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/machine/cost"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/target/sm"
)

// Copies may be staggered. In attention the readers of one copy are done before anything reads the next one. So each
// copy can start as soon as its stage has been read, and one stage is enough. That is the pipeline of FlashAttention 2
// with cp.async (Dao, arXiv 2307.08691; flash_fwd_kernel.h):
//
//	wait for K, barrier    start V      Q K^T
//	wait for V, barrier    start K'     softmax, P V
//
// Threads synchronize once for each copy: there they wait for the previous copy, and know that its own stage has been
// read. Copies that start together need one synchronization per iteration, and at least two stages each.

// A phase is copies that start together, because their readers are interleaved.
type phase struct {
	copies  []int // nodes; the others are tied to the first
	readers []int
	ends    []int // the operations with which the readers are done
	// arrives is how many cycles after their start all copies are complete.
	arrives int
}

// phasesOf divides the copies of a graph by the order of their readers; none if anything else is prefetched.
func phasesOf(g *ddg.Graph) (phases []phase) {
	if !onlyCopies(g) || g.Drain >= 0 { // Drain stands at the head of an iteration, so all copies would have to start there
		return nil
	}
	buffers := ir.Filter(g.Buffers, func(b ddg.Buffer) bool { return g.Nodes[b.Copy].Async() && len(b.Readers) > 0 })
	first := func(b ddg.Buffer) int { return slices.Min(b.Readers) }
	slices.SortFunc(buffers, func(a, b ddg.Buffer) int { return cmp.Compare(first(a), first(b)) })
	for _, b := range buffers {
		n := len(phases)
		if n == 0 || first(b) > slices.Max(phases[n-1].ends) {
			phases = append(phases, phase{})
			n++
		}
		p := &phases[n-1]
		p.copies = append(p.copies, b.Copy)
		p.readers = append(p.readers, b.Readers...)
		for _, r := range b.Readers {
			end, _ := read(g, r)
			p.ends = append(p.ends, end)
		}
	}
	for i := range phases {
		p := &phases[i]
		slices.Sort(p.copies)
		for _, c := range p.copies {
			t := g.Nodes[c].Timing
			p.arrives = max(p.arrives+t.Busy[sm.UnitGlobal], t.Latency)
		}
	}
	return phases
}

// anchorStaggered ties each phase to its neighbours, its readers to the wait, and its stage to the previous readers.
func anchorStaggered(g *ddg.Graph, p *modulo.Problem, s Shape) {
	phases := phasesOf(g)
	// The copy of the second phase is the head: it starts where the first phase is waited for, so that all arithmetic of
	// an iteration stays in one steady-state iteration.
	iteration := phases[1].copies[0]
	p.Ops[iteration].Uses = append(p.Ops[iteration].Uses, modulo.Use{Unit: endOfIteration, Cycles: 1})
	for i, n := range g.Nodes {
		switch n.Role {
		case ddg.Compute:
			// All arithmetic of an iteration lies between this copy and that of the next iteration.
			after(p, iteration, i, 0, 0)
			after(p, i, iteration, 1, 1)
			p.Ops[i].Uses = withinIteration(p.Ops[i].Uses, n, s)
		case ddg.Floating, ddg.Glue:
			after(p, phases[0].copies[0], i, 0, 0)
		}
	}
	for k, ph := range phases {
		prefetch := ph.copies[0]
		next, iterations := phases[(k+1)%len(phases)].copies[0], 0
		if k == len(phases)-1 {
			iterations = 1
		}
		// The next phase starts where this one is waited for, so this one must have arrived.
		after(p, prefetch, next, s.units(ph.arrives), iterations)
		var all cost.Timing
		for _, c := range ph.copies {
			after(p, prefetch, c, 0, 0)
			after(p, c, prefetch, 0, 0)
			all.Add(g.Nodes[c].Timing, 1)
		}
		s.occupy(&p.Ops[prefetch], all.Busy)
		for _, r := range ph.readers {
			after(p, next, r, iterations*s.II, 0) // after the last phase the next copy is one of the next iteration
		}
		for _, r := range ph.ends {
			// There is one stage: the copy of the next iteration must follow the last reader.
			after(p, r, prefetch, max(1, s.units(g.Nodes[r].Timing.Work())), 1)
		}
	}
}

// staggered schedules a graph with staggered copies, or says why it cannot.
func (place placer) staggered(ctx context.Context, g *ddg.Graph, l Limits) (*Plan, string) {
	phases := phasesOf(g)
	switch {
	case len(phases) < 2:
		return nil, "its copies cannot be staggered: the readers of one are not done before another is read"
	case l.Prefetch > 1 || l.AtOnce > 1 || l.Stages == 1:
		return nil, "staggered copies have a prefetch distance of 1 and no overlapping iterations"
	}
	s, low, high := place.units(g)
	s.Prefetch, s.Staggered = 1, true
	around := ir.Sum(phases, func(ph phase) int { return s.units(ph.arrives) })
	lives := values(g, s)
	// The phases start one after the other, each when the previous one has arrived. So II is at least the sum of their
	// times.
	plan, why := place.leastII(ctx, max(low, around), high+around, false, func(ii int) (*Plan, string, error) {
		s.II = ii
		p := problem(g, s, Limits{Shared: l.Shared}, lives)
		found, why, err := place.at(p, ii)
		if found == nil {
			return nil, why, err
		}
		// A search may rotate the iteration; the copy of the second phase belongs to row 0.
		shift := (ii - found.Cycle[phases[1].copies[0]]%ii) % ii
		for i := range found.Cycle {
			found.Cycle[i] += shift
		}
		for k := range phases {
			if k != 1 { // that one is at the head
				phases[k].early(g, p, found)
			}
		}
		widenLate(g, p, found)
		return &Plan{Shape: s, At: found.Cycle}, "", nil
	})
	if plan != nil {
		plan.Held = why
	}
	return plan, why
}

// early moves the copies of a phase, with the operations that they depend on, to the first time at which they may
// start. The search places copies first, and so finds the latest time.
func (ph phase) early(g *ddg.Graph, p *modulo.Problem, s *modulo.Schedule) {
	was := slices.Clone(s.Cycle)
	from := was[ph.copies[0]]
	for t := max(0, from-s.II+1); t < from; t++ {
		for i := range was {
			if g.Early(i) || g.Nodes[i].Role == ddg.Floating {
				s.Cycle[i] = min(was[i], t)
			}
		}
		for _, c := range ph.copies {
			s.Cycle[c] = t
		}
		if modulo.Verify(p, s) == nil {
			return
		}
	}
	copy(s.Cycle, was)
}

const (
	// percentForCTAs is how much longer, in percent, an iteration may take so that more CTAs fit on an SM.
	percentForCTAs = 10
	// percentForCache is how much longer it may take to leave half the memory to the L1 cache, which is the same
	// memory.
	percentForCache = 3
)

// preferStaggered returns a schedule with staggered copies, if it is about as fast, or if it lets more CTAs run on an
// SM and is not much slower. More CTAs hide more latency than a larger prefetch distance.
func (place placer) preferStaggered(ctx context.Context, g *ddg.Graph, l Limits, than *Plan) *Plan {
	// These options ask for a shape that staggered copies do not have.
	if l.Prefetch > 0 || l.AtOnce > 0 {
		return nil
	}
	blocks := func(p *Plan) int { return l.Blocks(Room(g, p.Shape, p.At)) }
	p, _ := place.staggered(ctx, g, l)
	switch {
	case p == nil, blocks(p) < blocks(than):
		return nil
	case blocks(p) > blocks(than):
		if p.II > than.II*(100+percentForCTAs)/100 {
			return nil
		}
	case l.Kernel.Asked > 0, p.II > than.II*(100+percentForCache)/100: // the CTAs that the kernel asks for fit anyway
		return nil
	}
	return p
}
