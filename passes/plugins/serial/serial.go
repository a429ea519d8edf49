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
	Summary:  "copies with a prefetch distance of one iteration, all else in program order (an example)",
	Schedule: place,
})

func place(_ context.Context, g *ddg.Graph, l schedule.Limits) (*schedule.Plan, error) {
	if err := possible(g, l); err != nil {
		return nil, err
	}
	at := make([]int, len(g.Nodes))
	// The head of an iteration keeps its units busy for all copies; nothing else gets in their way.
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
			least = max(least, n.Timing.Latency) // it has an iteration's time to arrive
		case inNext(g, i):
			at[i] = t
			t += max(n.Timing.Work(), n.Timing.Latency)
		}
	}
	ii := max(t, least)
	for i := range g.Nodes {
		if inNext(g, i) {
			at[i] += ii
		}
	}
	plan := &schedule.Plan{Shape: schedule.Shape{II: ii, Unit: 1, Prefetch: 1}, At: at}
	if g.Drain >= 0 { // MMAs in flight are done at the head of the iteration after theirs
		at[g.Drain], plan.Drain = 2*ii, 1
	}
	return plan, nil
}

// inNext reports whether an operation is in the iteration after that of the copies.
func inNext(g *ddg.Graph, i int) bool {
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
	stages := 2
	if g.Drain >= 0 { // one more is still read
		stages++
	}
	for _, b := range g.Buffers {
		bytes += stages * schedule.StageBytes(b)
	}
	switch {
	case !ahead || !computes:
		return fmt.Errorf("there is nothing to prefetch")
	case l.Stages == 1:
		return fmt.Errorf("the kernel asks for one stage")
	case bytes > l.Shared:
		return fmt.Errorf("%d stages of its buffers need %d bytes of shared memory, and %d are available", stages, bytes, l.Shared)
	}
	return nil
}
