package modulo

import (
	"container/heap"
	"context"
)

// Options bound the search.
type Options struct {
	// Budget is how many placements per operation are tried at one II; 0: 6, which Rau's study finds to be enough
	// nearly always.
	Budget int
	// MaxII ends the search; 0: the II at which iterations no longer overlap.
	MaxII int
	// MaxStages limits how many iterations overlap; 0: no limit.
	MaxStages int
}

// A Result is a schedule and how it was found.
type Result struct {
	Schedule *Schedule // nil when there is none within the options
	Bound    Bound
	Placed   int // placements in all attempts
	Evicted  int // of them undone
	Attempts []Attempt
}

// An Attempt is the result of the search at one II.
type Attempt struct {
	II  int
	Why string // why it was given up; empty for the last one of a success
}

// Reasons of attempts.
const (
	overBudget = "the budget ran out"
	tooLong    = "too many stages"
)

// Iterative searches upwards from the lower bound for the first II with a schedule within the limits of the classes.
func Iterative(ctx context.Context, p *Problem, o Options) (*Result, error) {
	bound, err := LowerBound(p)
	if err != nil {
		return nil, err
	}
	res := &Result{Bound: bound}
	if o.Budget == 0 {
		o.Budget = 6
	}
	if o.MaxII == 0 {
		o.MaxII = max(bound.MII(), serialLength(p))
	}
	for ii := bound.MII(); ii <= o.MaxII; ii++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s, why := attempt(p, ii, o, res)
		res.Attempts = append(res.Attempts, Attempt{ii, why})
		if s != nil {
			res.Schedule = s
			return res, nil
		}
	}
	return res, nil
}

// At searches for a schedule at one II. Without one it says why.
func At(p *Problem, ii int, o Options) (s *Schedule, why string, err error) {
	if err := p.Check(); err != nil {
		return nil, "", err
	}
	// One pass over the edges tells whether this II is large enough. How much too small it is takes a pass for each
	// larger ratio, so that is asked only if it is.
	if res, _ := ResMII(p); ii < res || exceeds(p, ii) {
		bound, err := LowerBound(p)
		if err != nil {
			return nil, "", err
		}
		return nil, bound.Describe(p), nil
	}
	if o.Budget == 0 {
		o.Budget = 6
	}
	s, why = attempt(p, ii, o, &Result{})
	return s, why, nil
}

func attempt(p *Problem, ii int, o Options, res *Result) (*Schedule, string) {
	s := placed(p, ii, o, res)
	if s == nil {
		return nil, overBudget
	}
	if class, ok := s.fits(p); !ok {
		if s = serialized(p, s, class, o, res); s == nil {
			return nil, "too much " + p.Classes[class].Name
		}
	}
	if o.MaxStages > 0 && s.Stages() > o.MaxStages {
		return nil, tooLong
	}
	return s, ""
}

// placed places all operations, whatever room their values take; nil if the budget runs out.
func placed(p *Problem, ii int, o Options, res *Result) *Schedule {
	s := newSearch(p, ii).run(o.Budget*len(p.Ops), res)
	if s != nil {
		Tighten(p, s)
	}
	return s
}

// serialLength returns enough cycles for one iteration alone, so that a schedule with that II exists.
func serialLength(p *Problem) int {
	longest := make([]int, len(p.Ops))
	for _, e := range p.Edges {
		longest[e.From] = max(longest[e.From], e.Latency)
	}
	n := 1
	for i, op := range p.Ops {
		end := longest[i]
		for _, u := range op.Uses {
			end = max(end, u.At+u.Cycles)
		}
		n += max(1, end)
	}
	return n
}

// search is one attempt at one II.
type search struct {
	p      *Problem
	ii     int
	table  *table
	in     [][]int // edges into each operation
	out    [][]int
	height []int
	cycle  []int // minusInf: not placed
	last   []int // where it was placed last; minusInf: never
	queue  opHeap
}

func newSearch(p *Problem, ii int) *search {
	n := len(p.Ops)
	s := &search{p: p, ii: ii, table: newTable(p, ii), in: make([][]int, n), out: make([][]int, n),
		height: heights(p, ii), cycle: make([]int, n), last: make([]int, n)}
	ins, outs := make([]int, n), make([]int, n)
	for _, e := range p.Edges {
		ins[e.To]++
		outs[e.From]++
	}
	// One allocation serves all edge lists: a search is built for every II.
	all := make([]int, 2*len(p.Edges))
	for i := range n {
		s.in[i], all = all[:0:ins[i]], all[ins[i]:]
		s.out[i], all = all[:0:outs[i]], all[outs[i]:]
	}
	for i, e := range p.Edges {
		s.in[e.To] = append(s.in[e.To], i)
		s.out[e.From] = append(s.out[e.From], i)
	}
	s.queue.height, s.queue.ops = s.height, make([]int, 0, n)
	for i := range n {
		s.cycle[i], s.last[i] = minusInf, minusInf
		s.queue.ops = append(s.queue.ops, i)
	}
	heap.Init(&s.queue)
	return s
}

// heights returns Rau's HeightR: the longest path, at this II, from an operation to any other. II must be at least
// RecMII.
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

func (s *search) run(budget int, res *Result) *Schedule {
	for ; s.queue.Len() > 0; budget-- {
		if budget <= 0 {
			return nil
		}
		op := heap.Pop(&s.queue).(int)
		s.place(op, s.choose(op), res)
	}
	return s.schedule()
}

// choose returns the first free cycle from the operation's earliest one on, or the cycle at which it is placed by
// force.
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
func (s *search) place(op, cycle int, res *Result) {
	if !s.table.free(op, cycle) {
		for other, c := range s.cycle {
			if c != minusInf && s.table.meets(op, cycle, other, c) {
				s.evict(other, res)
			}
		}
	}
	// An operation placed by force may be too late for its successors. Predecessors are not checked: the earliest
	// cycle accounts for them.
	for _, i := range s.out[op] {
		e := &s.p.Edges[i]
		if c := s.cycle[e.To]; c != minusInf && c < cycle+e.Latency-s.ii*e.Distance {
			s.evict(e.To, res)
		}
	}
	s.table.add(op, cycle, 1)
	s.cycle[op], s.last[op] = cycle, cycle
	res.Placed++
}

func (s *search) evict(op int, res *Result) {
	s.table.add(op, s.cycle[op], -1)
	s.cycle[op] = minusInf
	heap.Push(&s.queue, op)
	res.Evicted++
}

// schedule returns the result. Every operation was placed at or after its predecessors allow, and evicted when one of
// them moved later, so all edges hold.
func (s *search) schedule() *Schedule {
	out := &Schedule{II: s.ii, Cycle: append([]int(nil), s.cycle...)}
	return out
}

// opHeap orders operations by height, the highest first, and by number.
type opHeap struct {
	ops    []int
	height []int
}

func (h *opHeap) Len() int { return len(h.ops) }
func (h *opHeap) Less(i, j int) bool {
	a, b := h.ops[i], h.ops[j]
	if h.height[a] != h.height[b] {
		return h.height[a] > h.height[b]
	}
	return a < b
}
func (h *opHeap) Swap(i, j int) { h.ops[i], h.ops[j] = h.ops[j], h.ops[i] }
func (h *opHeap) Push(x any)    { h.ops = append(h.ops, x.(int)) }
func (h *opHeap) Pop() any {
	x := h.ops[len(h.ops)-1]
	h.ops = h.ops[:len(h.ops)-1]
	return x
}
