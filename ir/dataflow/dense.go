package dataflow

import "github.com/tilewright/tilewright/ir"

// A Dense is a problem with a fact for each point between operations.
type Dense[F any] struct {
	// Join returns the fact that holds where control meets, Equal whether two facts are the same.
	Join  func(a, b F) F
	Equal func(a, b F) bool
	// Boundary returns the fact where control enters (forward) or leaves (backward) root or a block of which it is
	// not known where control comes from or goes to; nil: the zero fact.
	Boundary func(b ir.Block) F
	// Transfer returns the fact on the other side of op. If the regions of op are control flow, it covers op itself
	// only: before a region starts (backward) or when control reaches op (forward). The solver follows the regions.
	Transfer func(op ir.Op, f F) F
	// Edge, when set, changes a fact on its way between the operation that branches and where it branches to, in the
	// direction of the solution.
	Edge func(from ir.Op, to Place, f F) F
}

// A Place is where control can go to: the start of a block, or the point after an operation with regions.
type Place struct {
	Block  ir.Block
	Behind ir.Op // a zero Op: the start of Block
}

// Defs returns the values that come into being there: the arguments of the block, or the results of the operation.
func (p Place) Defs() []ir.Value {
	if p.Behind.IsNil() {
		return p.Block.Args()
	}
	return p.Behind.Results()
}

// Points is the solution of a dense problem.
type Points[F any] struct {
	g        *graph
	transfer func(ir.Op, F) F
	backward bool
	facts    []F // by segment: at its start (forward) or end (backward)
	known    []bool
	segOf    map[ir.Op]int // of the first operation (forward) or last one (backward) of each segment
}

// Forward solves the problem in the direction of control, for everything inside root.
func (p *Dense[F]) Forward(root ir.Op) *Points[F] { return p.solve(root, false) }

// Backward solves the problem against the direction of control.
func (p *Dense[F]) Backward(root ir.Op) *Points[F] { return p.solve(root, true) }

func (p *Dense[F]) solve(root ir.Op, backward bool) *Points[F] {
	g := newGraph(root)
	n := len(g.segs)
	boundary := p.Boundary
	if boundary == nil {
		boundary = func(ir.Block) (zero F) { return zero }
	}
	s := &Points[F]{g: g, transfer: p.Transfer, backward: backward, facts: make([]F, n), known: make([]bool, n), segOf: make(map[ir.Op]int, n)}
	order := g.order()
	if backward {
		for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
			order[i], order[j] = order[j], order[i]
		}
	}
	for i := range g.segs {
		seg := &g.segs[i]
		switch {
		case seg.first.IsNil():
		case backward:
			s.segOf[seg.last] = i
		default:
			s.segOf[seg.first] = i
		}
		if backward && seg.left || !backward && seg.entered {
			s.facts[i], s.known[i] = boundary(seg.block), true
		}
	}
	w := &worklist{order: order, rank: make([]int, n), queued: make([]bool, n), first: n}
	for rank, i := range order {
		w.rank[i] = rank
	}
	for i := range g.segs {
		if s.known[i] {
			w.push(i)
		}
	}
	s.propagate(p, w)
	if backward {
		// Control does not leave an endless loop, yet what is in it has a past and so needs a fact: a boundary is
		// drawn at its end.
		for _, i := range order {
			if !s.known[i] {
				s.facts[i], s.known[i] = boundary(g.segs[i].block), true
				w.push(i)
				s.propagate(p, w)
			}
		}
	}
	return s
}

// A worklist holds segments and gives the first one in an order. So a loop comes to rest before what follows it, and a
// segment where ways meet waits for all of them.
type worklist struct {
	order  []int // segments
	rank   []int // of each segment in order
	queued []bool
	first  int // no segment of lower rank is queued
}

func (w *worklist) push(seg int) {
	w.queued[seg] = true
	w.first = min(w.first, w.rank[seg])
}

// pop returns a segment; false if there is none.
func (w *worklist) pop() (seg int, ok bool) {
	for ; w.first < len(w.order); w.first++ {
		if seg := w.order[w.first]; w.queued[seg] {
			w.queued[seg] = false
			return seg, true
		}
	}
	return 0, false
}

// propagate follows what is known at the segments of work until nothing changes.
func (s *Points[F]) propagate(p *Dense[F], work *worklist) {
	g, backward := s.g, s.backward
	for i, ok := work.pop(); ok; i, ok = work.pop() {
		seg := &g.segs[i]
		out := s.through(i)
		next := seg.succs
		if backward {
			next = seg.preds
		}
		for _, k := range next {
			f := out
			if p.Edge != nil {
				if backward {
					f = p.Edge(g.segs[k].last, Place{seg.block, seg.after}, f)
				} else {
					f = p.Edge(seg.last, Place{g.segs[k].block, g.segs[k].after}, f)
				}
			}
			if s.known[k] {
				if f = p.Join(s.facts[k], f); p.Equal(s.facts[k], f) {
					continue
				}
			}
			s.facts[k], s.known[k] = f, true
			work.push(k)
		}
	}
}

// through returns the fact at the far side of a segment.
func (s *Points[F]) through(i int) F {
	seg, f := &s.g.segs[i], s.facts[i]
	if seg.first.IsNil() {
		return f
	}
	op, end := seg.first, seg.last
	if s.backward {
		op, end = end, op
	}
	for {
		f = s.transfer(op, f)
		if op == end {
			return f
		}
		if s.backward {
			op = op.Prev()
		} else {
			op = op.Next()
		}
	}
}

// Before returns the fact at the point before op, and After that at the point after it. After a terminator or an
// operation whose regions are control flow, it is the fact where control leaves it. ok is false where control never
// comes.
func (s *Points[F]) Before(op ir.Op) (fact F, ok bool) {
	if s.backward {
		if fact, ok = s.After(op); ok {
			fact = s.transfer(op, fact)
		}
		return fact, ok
	}
	return s.walk(op, ir.Op.Prev)
}

// After returns the fact at the point after op; see Before.
func (s *Points[F]) After(op ir.Op) (fact F, ok bool) {
	if !s.backward {
		if fact, ok = s.Before(op); ok {
			fact = s.transfer(op, fact)
		}
		return fact, ok
	}
	return s.walk(op, ir.Op.Next)
}

// walk computes the fact on the near side of op from that of its segment, whose operations it goes through again: a
// solution keeps one fact for each segment only.
func (s *Points[F]) walk(op ir.Op, towards func(ir.Op) ir.Op) (fact F, ok bool) {
	var path []ir.Op
	at := op
	seg, found := s.segOf[at]
	for !found {
		at = towards(at)
		if at.IsNil() {
			return fact, false
		}
		path = append(path, at)
		seg, found = s.segOf[at]
	}
	if !s.known[seg] {
		return fact, false
	}
	fact = s.facts[seg]
	for i := len(path) - 1; i >= 0; i-- {
		fact = s.transfer(path[i], fact)
	}
	return fact, true
}

// Walk calls f for every operation inside the root that control reaches, with the fact before it. In a backward
// problem it is the fact after the operation. The cost is proportional to the number of operations. In a forward problem
// the order is that of the text, but for regions that are no control flow: these come after what follows them.
func (s *Points[F]) Walk(f func(op ir.Op, fact F)) {
	for i := range s.g.segs {
		seg := &s.g.segs[i]
		if !s.known[i] || seg.first.IsNil() {
			continue
		}
		op, end := seg.first, seg.last
		if s.backward {
			op, end = end, op
		}
		for fact := s.facts[i]; ; {
			f(op, fact)
			if op == end {
				break
			}
			fact = s.transfer(op, fact)
			if s.backward {
				op = op.Prev()
			} else {
				op = op.Next()
			}
		}
	}
}

// AtStart returns the fact at the start of a block, before its first operation.
func (s *Points[F]) AtStart(b ir.Block) (fact F, ok bool) {
	if !b.First().IsNil() {
		return s.Before(b.First())
	}
	if i, found := s.g.atBlock[b]; found && s.known[i] {
		return s.facts[i], true
	}
	return fact, false
}
