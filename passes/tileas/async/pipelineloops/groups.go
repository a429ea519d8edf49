package pipelineloops

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
)

// A group is copies that start at one time and are committed and waited for together. Threads synchronize where it
// starts: there they wait for everything that is read until the next group starts.
type group struct {
	row   int          // time of its start in an iteration
	nodes []int        // its copies
	full  *fullBarrier // mbarriers of its TMA loads; nil: it has none
	// commits says that some of its copies are cp.async, for which a commit group is needed.
	commits bool
	// pending is how many groups the wait at its start leaves in flight; -1: there is nothing to wait for.
	pending int
	readers []int // nodes, from its start to that of the next group
}

// findGroups groups the copies by their start times, and counts how many groups each wait may leave in flight.
//
// That is the number of groups committed after the last one that the wait needs, in this iteration and earlier ones.
// Every iteration commits all groups, also those that copy nothing. So it is one number for all iterations.
func (x *expansion) findGroups(a *tileas.ScheduleAttr) error {
	row := func(i int) int { return a.At[i] % a.II }
	for i, n := range x.g.Nodes {
		if !n.Async() {
			continue
		}
		k := slices.IndexFunc(x.groups, func(g *group) bool { return g.row == row(i) })
		if k < 0 {
			k = len(x.groups)
			x.groups = append(x.groups, &group{row: row(i), pending: -1})
		}
		g := x.groups[k]
		g.nodes = append(g.nodes, i)
		g.commits = g.commits || tileas.IsCopy(n.Op)
	}
	slices.SortFunc(x.groups, func(a, b *group) int { return cmp.Compare(a.row, b.row) })
	in := func(i int) int { // the last group that starts no later than node i
		return len(ir.Filter(x.groups, func(g *group) bool { return g.row <= row(i) })) - 1
	}
	for _, b := range ir.Filter(x.g.Buffers, func(b ddg.Buffer) bool { return x.g.Nodes[b.Copy].Async() }) {
		of := in(b.Copy)
		for _, r := range b.Readers {
			at, iterations := in(r), x.prefetch[b.Copy]-x.prefetch[r]
			if at < 0 || iterations < 0 || iterations == 0 && of >= at {
				return fmt.Errorf("'%s' #%d reads a copy that starts after the last barrier before it", x.g.Nodes[r].Op.Name(), r)
			}
			if x.byTMA(b.Copy) {
				continue
			}
			// Committed before this synchronization: all groups of the iterations in between, and the earlier groups
			// of this one.
			all := x.committed(len(x.groups))
			pending := (iterations-1)*all + all - 1 - x.committed(of) + x.committed(at)
			g := x.groups[at]
			if g.readers = append(g.readers, r); g.pending < 0 || pending < g.pending {
				g.pending = pending
			}
		}
	}
	return x.findFullBarriers(in)
}

// committed returns how many of the first groups are committed: those with a cp.async.
func (x *expansion) committed(groups int) int {
	return len(ir.Filter(x.groups[:groups], func(g *group) bool { return g.commits }))
}

// sync waits, where a group starts, for what is read next and for MMAs that read the stages to be filled.
func (t *iteration) sync(k int, runs func(prefetch int) bool) {
	if n, ok := t.x.pending[site{t.number, step{-1, k}}]; ok {
		tileas.NewDotWait(t.b, n)
	}
	t.awaitFull(k, runs)
	g := t.x.groups[k]
	if g.pending >= 0 && slices.ContainsFunc(g.readers, func(r int) bool { return runs(t.x.prefetch[r]) }) {
		pending(t.b, g.pending)
		// MMAs read by the async proxy and see cp.async data only after a fence.
		if slices.ContainsFunc(g.readers, func(r int) bool { return t.x.g.Nodes[r].Op.Is(tileas.DotAsync) }) {
			t.b.Create(tileas.FenceAsync, nil, nil)
		}
	}
}

// pending makes a wait that leaves n groups in flight.
func pending(b *ir.Builder, n int) {
	b.Create(tileas.WaitGroup, nil, nil, tileas.Number(b.Context(), tileas.AttrPending, int64(n)))
}
