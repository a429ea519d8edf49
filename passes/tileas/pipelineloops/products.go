package pipelineloops

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Asynchronous products are done in the order in which they start, and a wait says how many of the latest it leaves under way. That number follows from where the wait stands and what must be done there: an operation of the
// program that takes a sum, or copies that fill slots which products have read. Turns in front of the loop and behind it start fewer products than those of the loop, so it is counted by going through
// loops of all numbers of turns that can make a difference; the least that any of them asks for holds.

// A site is where a wait for products stands.
type site struct {
	turn int // negative in front of the loop, 0 in it, the number of the turn from 1 behind it
	node int // the wait; of the place where warps meet for group k, -1-k
}

// A step is an operation of a turn, or the place where warps meet for a group.
type step struct {
	node  int
	group int // -1: an operation
}

// findSteps finds what comes behind what in a turn.
func (x *expansion) findSteps() {
	next := 0
	for _, i := range x.order {
		for next < len(x.groups) && (next == 0 || x.row[i] >= x.groups[next].row) { // the first stands at the head of a turn
			x.steps = append(x.steps, step{-1, next})
			next++
		}
		x.steps = append(x.steps, step{i, -1})
	}
}

// A started product is one of an iteration.
type started struct{ node, iteration int }

// needs returns the products that must be done where a wait stands, in a turn by its number.
func (x *expansion) needs(s step, turn int) (out []started) {
	if s.group < 0 {
		for _, p := range x.g.Products {
			if p.Done == s.node {
				out = append(out, started{p.Node, turn + x.lead[s.node]})
			}
		}
		return out
	}
	if s.group == 0 { // behind it the turn writes registers from which products of the one before may read
		for _, p := range x.g.Products {
			if p.Done == x.g.Drain && len(p.Fragments) > 0 {
				out = append(out, started{p.Node, turn - 1 + x.lead[p.Node]})
			}
		}
	}
	for _, b := range x.g.Buffers {
		if !slices.Contains(x.groups[s.group].nodes, b.Copy) {
			continue
		}
		before := turn + x.lead[b.Copy] - int(x.rings[b.Root].slots) // the iteration that had the slot
		for _, r := range b.Readers {
			if _, async := x.g.Done(r); async {
				out = append(out, started{r, before})
			}
		}
	}
	return out
}

// walk goes through all turns of a loop of so many iterations, and calls at for each place of a wait, with what it needs and the numbers of the products that have started.
func (x *expansion) walk(trips int, at func(where site, needs []started, numbers map[started]int)) {
	numbers := make(map[started]int)
	for k := -x.maxLead; k < trips; k++ {
		part := k
		switch {
		case k >= trips-x.overlap:
			part = k - (trips - x.overlap) + 1
		case k > 0:
			part = 0
		}
		if k < 0 {
			part = k
		}
		for _, s := range x.steps {
			exists := func(i int) bool { it := k + x.lead[i]; return it >= 0 && it < trips }
			switch {
			case s.group >= 0:
				if s.group == 0 && x.g.HasFragments() || slices.ContainsFunc(x.groups[s.group].nodes, exists) {
					at(site{part, -1 - s.group}, x.needs(s, k), numbers)
				}
			case !exists(s.node):
			case x.g.Nodes[s.node].Op.Is(tileas.DotAsync):
				numbers[started{s.node, k + x.lead[s.node]}] = len(numbers)
			case x.g.Nodes[s.node].Op.Is(tileas.DotWait):
				at(site{part, s.node}, x.needs(s, k), numbers)
			}
		}
	}
}

// findPending counts what each wait may leave under way. Where warps meet, none is made if others have seen to it already.
func (x *expansion) findPending() {
	x.pending = make(map[site]int)
	if x.findSteps(); len(x.g.Products) == 0 {
		return
	}
	most := 0
	for _, r := range x.rings {
		most = max(most, int(r.slots))
	}
	each := func(at func() func(where site, needs []started, numbers map[started]int)) {
		for trips := x.overlap; trips <= x.overlap+2*x.maxLead+most+2; trips++ {
			x.walk(trips, at())
		}
	}
	counted := make(map[site]int)
	count := func(where site, needs []started, numbers map[started]int) {
		for _, p := range needs {
			if i, ok := numbers[p]; ok {
				n := min(len(numbers)-1-i, tileas.MostProductsPending)
				if old, seen := counted[where]; !seen || n < old {
					counted[where] = n
				}
			}
		}
	}
	each(func() func(site, []started, map[started]int) { return count })
	for where, n := range counted {
		if where.node >= 0 {
			x.pending[where] = n
		}
	}
	for again := true; again; {
		again = false
		each(func() func(site, []started, map[started]int) {
			done := 0 // products that are known to be
			return func(where site, needs []started, numbers map[started]int) {
				if _, made := x.pending[where]; !made {
					if !slices.ContainsFunc(needs, func(p started) bool { i, ok := numbers[p]; return ok && i >= done }) {
						return
					}
					x.pending[where], again = counted[where], true
				}
				done = max(done, len(numbers)-x.pending[where])
			}
		})
	}
}

// settle waits for products where an expansion has found that some must be done.
func (t *turn) settle(node int) {
	if n, ok := t.x.pending[site{t.number, node}]; ok {
		t.b.Create(tileas.DotWait, nil, nil, pendingAttr(t.b, n))
	}
}

// finish lets the products of a turn that a wait is for be done: it has as many pending as there have started behind them.
func (t *turn) finish(wait ir.Op, node int) {
	wait.SetAttr(tileas.AttrPending, pendingAttr(t.b, t.x.pending[site{t.number, node}]).Value)
}

// multiplied reports whether asynchronous products are among the readers of a group, who do not see what copies of threads have written before a fence.
func (x *expansion) multiplied(g *group) bool {
	return slices.ContainsFunc(g.readers, func(r int) bool { return x.g.Nodes[r].Op.Is(tileas.DotAsync) })
}

// fenceOutside lets products see what threads and their copies have written in front of the loop to buffers that it does not fill: the fence of the body, which is for that too, goes with the waits, and turns have fences only
// behind waits for their own copies; or it keeps its place among the stores of threads in the loop, which products that only read such buffers may have in front or behind.
func (x *expansion) fenceOutside() {
	fenced, outside := false, false
	for _, n := range x.g.Nodes {
		fenced = fenced || n.Op.Is(tileas.FenceAsync)
		if n.Op.Is(tileas.DotAsync) {
			for _, v := range n.Op.Operands()[:2] {
				_, buffer := v.Type().(*tileas.BufferType)
				outside = outside || buffer && x.g.Node(v) < 0 && x.rings[v] == nil && !x.viewed(v)
			}
		}
	}
	if fenced && outside {
		at(ir.BuilderBefore(x.loop), x.loop).Create(tileas.FenceAsync, nil, nil)
	}
}
