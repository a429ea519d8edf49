package schedule

import (
	"context"
	"fmt"
	"maps"
	"slices"

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

var schedulers = make(map[string]*Scheduler)

// Register adds a scheduler, from an init function or a package-level variable.
func Register(s *Scheduler) *Scheduler {
	if s.Name == "" || s.Schedule == nil || schedulers[s.Name] != nil {
		panic(fmt.Sprintf("schedule: scheduler %q is registered twice, or lacks a name or a function", s.Name))
	}
	schedulers[s.Name] = s
	return s
}

// Lookup returns a scheduler by its name, or nil.
func Lookup(name string) *Scheduler { return schedulers[name] }

// Names returns the names of all schedulers.
func Names() []string { return slices.Sorted(maps.Keys(schedulers)) }
