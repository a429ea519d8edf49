package pipelineloops

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A group is copies that start at one time, which are committed together and waited for together. Where it starts warps meet: what is read from there to the start of the next group is waited for there.
type group struct {
	row   int    // of its start in a turn
	nodes []int  // its copies
	tally *tally // of those that an mbarrier counts; nil: there are none
	// commits says that there are copies that no mbarrier counts, for which the group is committed.
	commits bool
	// pending is how many groups may still be under way when warps meet at its start; -1: nothing is read until they meet again.
	pending int
	readers []int // nodes, from its start to that of the next group
}

// findGroups divides the copies by the time at which they start, and counts how many groups each wait may leave under way: those that are committed, in this turn and those before, behind the last one that is
// needed. Every turn commits all groups, also those that copy nothing, so that this is one number for all turns.
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
	in := func(i int) int { // the last group that starts no later in a turn
		n, found := slices.BinarySearchFunc(x.groups, row(i), func(g *group, row int) int { return cmp.Compare(g.row, row) })
		if !found {
			n--
		}
		return n
	}
	for _, b := range x.g.Buffers {
		if !x.g.Nodes[b.Copy].Async() {
			continue
		}
		of := in(b.Copy)
		tensor := x.tensorCopy(b)
		for _, r := range b.Readers {
			at, turns := in(r), x.lead[b.Copy]-x.lead[r]
			if at < 0 || turns < 0 || turns == 0 && of >= at {
				return fmt.Errorf("'%s' #%d reads what is copied no earlier than warps meet before it", x.g.Nodes[r].Op.Name(), r)
			}
			if tensor {
				continue
			}
			// Committed before they meet: all of the turns in between, and of this one those that start earlier.
			all := x.committed(len(x.groups))
			pending := (turns-1)*all + all - 1 - x.committed(of) + x.committed(at)
			g := x.groups[at]
			if g.readers = append(g.readers, r); g.pending < 0 || pending < g.pending {
				g.pending = pending
			}
		}
	}
	return x.findTallies(in)
}

// groupOf returns the group of a copy.
func (x *expansion) groupOf(copied int) *group {
	return x.groups[slices.IndexFunc(x.groups, func(g *group) bool { return slices.Contains(g.nodes, copied) })]
}

// committed returns how many of the first groups are committed: those with copies that no mbarrier counts.
func (x *expansion) committed(groups int) (n int) {
	for _, g := range x.groups[:groups] {
		if g.commits {
			n++
		}
	}
	return n
}

// meet waits where a group starts for what is read next, if any of that happens, and for what reads the slots that it fills.
func (t *turn) meet(k int, runs func(lead int) bool) {
	t.settle(-1 - k)
	t.arrived(k, runs)
	g := t.x.groups[k]
	if g.pending >= 0 && slices.ContainsFunc(g.readers, func(r int) bool { return runs(t.x.lead[r]) }) {
		pending(t.b, g.pending)
		if t.x.multiplied(g) {
			t.b.Create(tileas.FenceAsync, nil, nil)
		}
	}
}

// pending makes a wait that leaves n groups under way.
func pending(b *ir.Builder, n int) {
	b.Create(tileas.WaitGroup, nil, nil, pendingAttr(b, n))
}

func pendingAttr(b *ir.Builder, n int) ir.NamedAttr {
	return ir.NamedAttr{Name: tileas.AttrPending, Value: b.Context().IntAttr(b.Context().Int(32), int64(n))}
}
