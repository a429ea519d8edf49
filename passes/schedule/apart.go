package schedule

import (
	"cmp"
	"context"
	"slices"

	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/target/sm"
)

// Copies may start apart. Where what reads one copy is done before anything reads the next one, as the products of attention are, each can start as soon as the slot that it fills has been read, and one
// slot is enough for each. That is the pipeline that FlashAttention 2 publishes for machines with asynchronous copies (Dao, arXiv 2307.08691; flash_fwd_kernel.h):
//
//	wait for K, meet    start V      Q K^T
//	wait for V, meet    start K'     softmax, P V
//
// So there is a place where warps meet for each copy: there the copy before it is waited for, and its own slot is known to have been read. Copies that start together need one such place an iteration,
// and two slots each at least.

// A phase is copies that start together, since what reads them is mixed.
type phase struct {
	copies  []int // nodes, the first of which leads
	readers []int
	ends    []int // where these are done
	// arrives is the cycles from their start until all have arrived, by themselves.
	arrives int
}

// phasesOf divides the copies of a graph by the order of what reads them; there are none where something else runs ahead.
func phasesOf(g *ddg.Graph) (phases []phase) {
	if !onlyCopies(g) || g.Drain >= 0 { // which stands at the head of a turn, where copies would have to start together
		return nil
	}
	var buffers []ddg.Buffer
	for _, b := range g.Buffers {
		if g.Nodes[b.Copy].Async() && len(b.Readers) > 0 {
			buffers = append(buffers, b)
		}
	}
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

// turnAt returns the copy with which a turn of copies apart begins, -1 when there is none: that of the second phase. It starts where the first one is waited for, so that all of an iteration's arithmetic is in
// one turn.
func turnAt(g *ddg.Graph) int {
	if phases := phasesOf(g); len(phases) > 1 {
		return phases[1].copies[0]
	}
	return -1
}

// anchorApart ties each phase to those before and behind it, what reads it to where it is waited for, and its slot to what has been read.
func anchorApart(g *ddg.Graph, p *modulo.Problem, s Shape) {
	phases := phasesOf(g)
	edge := func(from, to, latency, distance int) {
		p.Edges = append(p.Edges, modulo.Edge{From: from, To: to, Latency: latency, Distance: distance, Kind: modulo.Async})
	}
	turn := phases[1].copies[0]
	p.Ops[turn].Uses = append(p.Ops[turn].Uses, modulo.Use{Unit: endOfTurn, Cycles: 1})
	for i, n := range g.Nodes {
		switch n.Role {
		case ddg.Compute:
			edge(turn, i, 0, 0)
			edge(i, turn, 1, 1)
			p.Ops[i].Uses = withinTurn(p.Ops[i].Uses, n, s)
		case ddg.Floating, ddg.Glue:
			edge(phases[0].copies[0], i, 0, 0)
		}
	}
	for k, ph := range phases {
		lead := ph.copies[0]
		next, turns := phases[(k+1)%len(phases)].copies[0], 0
		if k == len(phases)-1 {
			turns = 1
		}
		edge(lead, next, s.units(ph.arrives), turns)
		var busy [sm.NumUnits]int
		for _, c := range ph.copies {
			edge(lead, c, 0, 0)
			edge(c, lead, 0, 0)
			for u, cycles := range g.Nodes[c].Timing.Busy {
				busy[u] += cycles
			}
		}
		for u, cycles := range busy {
			if t := min(s.units(cycles), s.II); t > 0 {
				p.Ops[lead].Uses = append(p.Ops[lead].Uses, modulo.Use{Unit: u, Cycles: t})
			}
		}
		for _, r := range ph.readers {
			edge(next, r, turns*s.II, 0) // that copy is of a later iteration then
		}
		for _, r := range ph.ends {
			edge(r, lead, max(1, s.units(g.Nodes[r].Timing.Work())), 1)
		}
	}
}

// apart schedules a graph with copies that start apart, or says why not.
func (place placer) apart(ctx context.Context, g *ddg.Graph, l Limits) (*Plan, string) {
	phases := phasesOf(g)
	switch {
	case len(phases) < 2:
		return nil, "its copies cannot start apart: what reads one is not done before another is read"
	case l.Lead > 1 || l.AtOnce > 1 || l.Stages == 1:
		return nil, "copies that start apart run one turn ahead, and one iteration computes at once"
	}
	s, low, high := place.units(g)
	s.Lead, s.Apart = 1, true
	around := 0
	for _, ph := range phases {
		around += s.units(ph.arrives)
	}
	why, lives := "", values(g, s)
	for ii := max(low, around); ii <= high+around; ii += max(1, ii/place.resolution) {
		if ctx.Err() != nil {
			return nil, "it takes too long"
		}
		s.II = ii
		p := problem(g, s, Limits{Shared: l.Shared}, lives)
		found, reason, err := place.at(g, p, ii)
		switch {
		case err != nil:
			return nil, err.Error()
		case found != nil:
			shift := (ii - found.Cycle[phases[1].copies[0]]%ii) % ii
			for i := range found.Cycle {
				found.Cycle[i] += shift
			}
			for k := range phases {
				if k != 1 { // with that one a turn begins
					phases[k].early(g, p, found)
				}
			}
			return &Plan{Shape: s, At: found.Cycle, Held: why}, ""
		}
		why = reason
	}
	return nil, why
}

// early moves the copies of a phase to the first time at which they may start, with what is made again wherever it is wanted. What the search finds is as late as they may, since it places them first.
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
	// hardly is by how much longer, in percent, an iteration may take so that more tile blocks fit.
	hardly = 10
	// about is by how much longer it may take to leave half the shared memory to the L1 cache, which is the same memory.
	about = 3
)

// smaller returns a schedule with copies that start apart where an iteration takes about as long that way, or more tile blocks fit on an SM for the memory that it saves and it takes hardly longer: blocks
// hide more than copies that run further ahead.
func (place placer) smaller(ctx context.Context, g *ddg.Graph, l Limits, than *Plan) *Plan {
	if l.Lead > 0 || l.AtOnce > 0 {
		return nil
	}
	blocks := func(p *Plan) int {
		registers, shared := Room(Problem(g, p.Shape, Limits{}), &modulo.Schedule{II: p.II, Cycle: p.At})
		return l.Blocks(registers, shared)
	}
	p, _ := place.apart(ctx, g, l)
	switch {
	case p == nil, blocks(p) < blocks(than):
		return nil
	case blocks(p) > blocks(than):
		if p.II > than.II*(100+hardly)/100 {
			return nil
		}
	case l.blocks > 0, p.II > than.II*(100+about)/100: // so many blocks fit anyway
		return nil
	}
	return p
}
