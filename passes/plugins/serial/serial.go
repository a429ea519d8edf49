package serial

import (
	"context"
	"fmt"

	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
)

// Scheduler is the scheduler. Registering returns it, so that other code can refer to it.
var Scheduler = schedule.Register(&schedule.Scheduler{
	Name:     "serial",
	Summary:  "copies one turn ahead, all else in the order of the text (an example)",
	Schedule: place,
})

func place(_ context.Context, g *ddg.Graph, l schedule.Limits) (*schedule.Plan, error) {
	if err := possible(g, l); err != nil {
		return nil, err
	}
	at := make([]int, len(g.Nodes))
	// The head of a turn keeps its units busy for all copies; nothing else gets in their way.
	t := 0
	for _, n := range g.Nodes {
		if n.Role == ddg.Ahead {
			t += n.Timing.Work()
		}
	}
	least := 1
	for i, n := range g.Nodes {
		switch {
		case n.Role == ddg.Ahead && !n.Async():
			least = max(least, n.Timing.Latency) // it has a turn's time to arrive
		case behind(g, i):
			at[i] = t
			t += max(n.Timing.Work(), n.Timing.Latency)
		}
	}
	ii := max(t, least)
	for i := range g.Nodes {
		if behind(g, i) {
			at[i] += ii
		}
	}
	plan := &schedule.Plan{Shape: schedule.Shape{II: ii, Unit: 1, Lead: 1}, At: at}
	if g.Drain >= 0 { // products under way are done at the head of the turn behind theirs
		at[g.Drain], plan.Behind = 2*ii, 1
	}
	return plan, nil
}

// behind reports whether an operation stands in the turn behind the one of the copies.
func behind(g *ddg.Graph, i int) bool {
	switch g.Nodes[i].Role {
	case ddg.Compute:
		return true
	case ddg.Floating:
		return !g.Early(i) && !allocates(g, i)
	}
	return false
}

// allocates reports whether an operation is the allocation of a buffer, which its copy needs.
func allocates(g *ddg.Graph, i int) bool {
	for _, b := range g.Buffers {
		if b.Alloc == i {
			return true
		}
	}
	return false
}

// possible says why a loop cannot have such a schedule.
func possible(g *ddg.Graph, l schedule.Limits) error {
	ahead, computes, bytes := false, false, 0
	for _, n := range g.Nodes {
		ahead, computes = ahead || n.Role == ddg.Ahead, computes || n.Role == ddg.Compute
	}
	slots := 2
	if g.Drain >= 0 { // one more is still read
		slots++
	}
	for _, b := range g.Buffers {
		bytes += slots * schedule.SlotBytes(b)
	}
	switch {
	case !ahead || !computes:
		return fmt.Errorf("nothing in it can run ahead of anything")
	case l.Stages == 1:
		return fmt.Errorf("the kernel asks for one stage")
	case bytes > l.Shared:
		return fmt.Errorf("%d slots of its buffers need %d bytes of shared memory, and %d are left", slots, bytes, l.Shared)
	}
	return nil
}
