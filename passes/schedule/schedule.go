package schedule

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
)

// A Plan is a schedule of a loop, and what limits it.
type Plan struct {
	Shape
	At   []int  // start of each node, in units of time
	Held string // why II is larger than its lower bound (BoundOf), if the scheduler knows
	Note string // anything else for the remark, such as a fallback to another scheduler
}

// A Scheduler schedules the operations of a graph. Its error says why the loop gets no schedule, and becomes a remark.
type Scheduler struct {
	Name, Summary string
	Schedule      func(ctx context.Context, g *ddg.Graph, l Limits) (*Plan, error)
}

var schedulers []*Scheduler

// Register adds a scheduler, from an init function or a package-level variable.
func Register(s *Scheduler) *Scheduler {
	if s.Name == "" || s.Schedule == nil || Lookup(s.Name) != nil {
		panic(fmt.Sprintf("schedule: scheduler %q is registered twice, or lacks a name or a function", s.Name))
	}
	schedulers = append(schedulers, s)
	slices.SortFunc(schedulers, func(a, b *Scheduler) int { return cmp.Compare(a.Name, b.Name) })
	return s
}

// Lookup returns a scheduler by its name, or nil.
func Lookup(name string) *Scheduler {
	for _, s := range schedulers {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// Names returns the names of all schedulers.
func Names() []string { return ir.Map(schedulers, func(s *Scheduler) string { return s.Name }) }
