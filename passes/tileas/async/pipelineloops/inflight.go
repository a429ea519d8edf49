package pipelineloops

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
)

// Asynchronous MMAs complete in the order in which they start, and a wait says how many of the latest may stay in
// flight. That number depends on the place of the wait and on what must be complete there. It is an accumulator that
// an operation uses, or all MMAs that have read stages about to be filled.
//
// Prologue and epilogue start fewer MMAs than the steady state. So the number is counted by walking loops of every
// trip count that can make a difference. The smallest number that any walk allows is correct for all.

// A site is the place of a wait for MMAs.
type site struct {
	iteration int // negative in the prologue, 0 in the loop, from 1 on in the epilogue
	step      step
}

// A step is an operation of an iteration, or the synchronization of a group.
type step struct {
	node  int // -1: a group
	group int // -1: an operation
}

// findSteps finds the order of the steps in an iteration.
func (x *expansion) findSteps() {
	next := 0
	for _, i := range x.order {
		for next < len(x.groups) && (next == 0 || x.row[i] >= x.groups[next].row) { // the first group always synchronizes at the head
			x.steps = append(x.steps, step{-1, next})
			next++
		}
		x.steps = append(x.steps, step{i, -1})
	}
}

// A started is an MMA of an iteration.
type started struct{ node, iteration int }

// needs returns the MMAs that must be complete at a wait in an iteration.
func (x *expansion) needs(s step, iteration int) (out []started) {
	if s.group < 0 {
		for _, p := range x.g.MMAs {
			if p.Done == s.node {
				out = append(out, started{p.Node, iteration + x.prefetch[s.node]})
			}
		}
		return out
	}
	if s.group == 0 { // from here on the iteration overwrites registers that earlier wgmma may still read as A
		for _, p := range x.g.MMAs {
			if p.Done == x.g.Drain && len(p.Fragments) > 0 {
				out = append(out, started{p.Node, iteration - 1 + x.prefetch[p.Node]})
			}
		}
	}
	for _, b := range ir.Filter(x.g.Buffers, func(b ddg.Buffer) bool { return slices.Contains(x.groups[s.group].nodes, b.Copy) }) {
		before := iteration + x.prefetch[b.Copy] - int(x.staged[b.Root].stages) // the iteration that used the stage last
		for _, r := range b.Readers {
			if _, async := x.g.Done(r); async {
				out = append(out, started{r, before})
			}
		}
	}
	return out
}

// A wait is the place of a wait in a walk.
type wait struct {
	where   site
	started int // how many MMAs have started before
	last    int // the last of them that must be complete; -1: none must
}

// walk returns the places for waits in all iterations of a loop with the given trip count, which is x.overlap at least.
func (x *expansion) walk(trips int) (out []wait) {
	numbers := make(map[started]int)
	for k := -x.maxPrefetch; k < trips; k++ {
		part := min(k, 0)
		if k >= trips-x.overlap {
			part = k - (trips - x.overlap) + 1
		}
		exists := func(i int) bool { it := k + x.prefetch[i]; return it >= 0 && it < trips }
		await := func(s step) {
			w := wait{site{part, s}, len(numbers), -1}
			for _, p := range x.needs(s, k) {
				if i, ok := numbers[p]; ok {
					w.last = max(w.last, i)
				}
			}
			out = append(out, w)
		}
		for _, s := range x.steps {
			switch {
			case s.group >= 0:
				if s.group == 0 && x.g.HasFragments() || slices.ContainsFunc(x.groups[s.group].nodes, exists) {
					await(s)
				}
			case !exists(s.node):
			case x.g.Nodes[s.node].Op.Is(tileas.DotAsync):
				numbers[started{s.node, k + x.prefetch[s.node]}] = len(numbers)
			case x.g.Nodes[s.node].Op.Is(tileas.DotWait):
				await(s)
			}
		}
	}
	return out
}

// findPending counts how many MMAs each wait may leave in flight. A synchronization gets no wait if earlier waits have
// always covered its MMAs.
func (x *expansion) findPending() {
	x.pending = make(map[site]int)
	if x.findSteps(); len(x.g.MMAs) == 0 {
		return
	}
	most := 0
	for _, r := range x.staged {
		most = max(most, int(r.stages))
	}
	var walks [][]wait
	// Beyond this trip count a walk only repeats steady-state iterations.
	for trips := x.overlap; trips <= x.overlap+2*x.maxPrefetch+most+2; trips++ {
		walks = append(walks, x.walk(trips))
	}
	counted := make(map[site]int)
	for _, w := range ir.Filter(slices.Concat(walks...), func(w wait) bool { return w.last >= 0 }) {
		n := min(w.started-1-w.last, tileas.MostMMAsPending)
		if old, seen := counted[w.where]; !seen || n < old {
			counted[w.where] = n
		}
	}
	for where, n := range counted {
		if where.step.group < 0 {
			x.pending[where] = n
		}
	}
	// Add waits until every walk finds its needs covered.
	for again := true; again; {
		again = false
		for _, walk := range walks {
			done := 0 // MMAs that are known to be
			for _, w := range walk {
				if _, made := x.pending[w.where]; !made {
					if w.last < done {
						continue
					}
					x.pending[w.where], again = counted[w.where], true
				}
				done = max(done, w.started-x.pending[w.where])
			}
		}
	}
}

// fenceOutside puts a fence before the loop, if MMAs of the loop read buffers that threads or cp.async filled before
// it.
//
// The fence of the body covered those buffers too. The expansion moves it: to the waits for the loop's own copies, or
// among the loop's own stores. There it may come after an MMA that only reads older buffers.
func (x *expansion) fenceOutside() {
	fenced, outside := false, false
	for _, n := range x.g.Nodes {
		fenced = fenced || n.Op.Is(tileas.FenceAsync)
		if n.Op.Is(tileas.DotAsync) {
			for _, v := range tileas.Buffers(n.Op) {
				outside = outside || x.g.Node(v) < 0 && x.staged[v] == nil
			}
		}
	}
	if fenced && outside {
		ir.BuilderBefore(x.loop).WithLoc(x.loop.Loc()).Create(tileas.FenceAsync, nil, nil)
	}
}
