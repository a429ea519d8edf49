package modulo

import (
	"cmp"
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// budget is how many placements per operation are tried at one II. Rau's study finds that it is enough nearly always.
const budget = 6

// At searches for a schedule at one II. Without one it says why.
func At(p *Problem, ii int) (s *Schedule, why string, err error) {
	if err := p.Check(); err != nil {
		return nil, "", err
	}
	// One pass over the edges tells whether this II is large enough. The bound takes a pass for each larger ratio.
	if res, _ := ResMII(p); ii < res || positiveCycle(p, ii, 1) != nil {
		bound, err := LowerBound(p)
		if err != nil {
			return nil, "", err
		}
		return nil, bound.Describe(p), nil
	}
	if s = placed(p, ii); s == nil {
		return nil, "the budget ran out", nil
	}
	if class, ok := s.fits(p); !ok {
		if s = serialized(p, s, class); s == nil {
			return nil, "too much " + p.Classes[class].Name, nil
		}
	}
	return s, "", nil
}

// placed places all operations, whatever room their values take; nil if the budget runs out.
func placed(p *Problem, ii int) *Schedule {
	q := p
	if p.Backwards {
		q = mirrored(p)
	}
	cycle := tried(q, ii)
	if cycle == nil {
		return nil
	}
	if last := slices.Max(cycle); p.Backwards {
		cycle = ir.Map(cycle, func(c int) int { return last - c })
	}
	out := &Schedule{II: ii, Cycle: cycle}
	Tighten(p, out)
	return out
}

// mirrored returns a problem whose schedules, backwards, are those of p.
func mirrored(p *Problem) *Problem {
	use := func(u Use) Use { return Use{u.Unit, 2*MaxCycles - u.At - u.Cycles, u.Cycles} } // uses move together
	return &Problem{Units: p.Units, Ops: ir.Map(p.Ops, func(op Op) Op { return Op{op.Name, ir.Map(op.Uses, use)} }),
		Edges: ir.Map(p.Edges, func(e Edge) Edge { return Edge{e.To, e.From, e.Latency, e.Distance, e.Kind} })}
}

// search is one attempt at one II.
type search struct {
	p     *Problem
	ii    int
	table *table
	in    [][]int // edges into each operation
	out   [][]int
	cycle []int     // minusInf: not placed
	last  []int     // where it was placed last; minusInf: never
	order []int     // the operations by height, the highest first, and by number
	rank  []int     // of each operation in that order
	queue *ir.Queue // ranks of operations that are not placed
}

// tried returns when each operation starts; nil if the budget runs out.
func tried(p *Problem, ii int) []int {
	n := len(p.Ops)
	s := &search{p: p, ii: ii, table: newTable(p, ii), in: make([][]int, n), out: make([][]int, n),
		cycle: make([]int, n), last: make([]int, n), order: make([]int, n), rank: make([]int, n), queue: ir.NewQueue(n)}
	for i, e := range p.Edges {
		s.in[e.To] = append(s.in[e.To], i)
		s.out[e.From] = append(s.out[e.From], i)
	}
	h := heights(p, ii)
	for i := range n {
		s.cycle[i], s.last[i], s.order[i] = minusInf, minusInf, i
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(h[b], h[a]) })
	for r, op := range s.order {
		s.rank[op] = r
		s.queue.Push(r)
	}
	for tries := budget * n; s.queue.Len() > 0; tries-- {
		if tries <= 0 {
			return nil
		}
		op := s.order[s.queue.Pop()]
		s.place(op, s.choose(op))
	}
	// Each was placed where its predecessors allow, and evicted when one of them moved later, so all edges hold.
	return s.cycle
}

// heights returns Rau's HeightR: the longest path, at an II of at least RecMII, from an operation to any other.
func heights(p *Problem, ii int) []int {
	h := make([]int, len(p.Ops))
	// Without positive cycles a longest path has fewer edges than there are operations, so this converges.
	for range len(p.Ops) + 1 {
		grew := false
		for i := len(p.Edges) - 1; i >= 0; i-- { // edges mostly lead downwards in the text
			e := &p.Edges[i]
			if d := h[e.To] + e.Latency - ii*e.Distance; d > h[e.From] {
				h[e.From], grew = d, true
			}
		}
		if !grew {
			break
		}
	}
	return h
}

// choose returns an operation's first free cycle from its earliest one on, or the one at which it is placed by force.
func (s *search) choose(op int) int {
	earliest := 0
	for _, i := range s.in[op] {
		e := &s.p.Edges[i]
		if c := s.cycle[e.From]; c != minusInf && e.From != op {
			earliest = max(earliest, c+e.Latency-s.ii*e.Distance)
		}
	}
	// Rows repeat after II cycles, so later ones are no freer.
	for c := earliest; c < earliest+s.ii; c++ {
		if s.table.free(op, c) {
			return c
		}
	}
	if s.last[op] == minusInf || earliest > s.last[op] {
		return earliest
	}
	return s.last[op] + 1 // otherwise the same operations would evict each other forever
}

// place places an operation at a cycle, and evicts the operations that conflict.
func (s *search) place(op, cycle int) {
	for other, c := range s.cycle {
		if c != minusInf && s.table.meets(op, cycle, other, c) {
			s.evict(other)
		}
	}
	// One placed by force may be too late for its successors. The earliest cycle accounts for its predecessors.
	for _, i := range s.out[op] {
		e := &s.p.Edges[i]
		if c := s.cycle[e.To]; c != minusInf && c < cycle+e.Latency-s.ii*e.Distance {
			s.evict(e.To)
		}
	}
	s.table.add(op, cycle)
	s.cycle[op], s.last[op] = cycle, cycle
}

func (s *search) evict(op int) {
	s.table.add(op, s.cycle[op])
	s.cycle[op] = minusInf
	s.queue.Push(s.rank[op])
}
