package schedule

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/passes/schedule/ddg"
)

// A Plan is a schedule of a loop, and why it is as it is.
type Plan struct {
	Shape
	At   []int  // of each node, in units of time
	Held string // why II is larger than its lower bound (BoundOf), where the scheduler knows; it may be empty
	Note string // what else the scheduler wants to be said of it, such as that it fell back on another one; it may be empty
}

// A Scheduler places the operations of a graph. An error says why the loop is better left as it is; it is shown as a remark.
type Scheduler struct {
	Name, Summary string
	Schedule      func(ctx context.Context, g *ddg.Graph, l Limits) (*Plan, error)
}

var schedulers []*Scheduler

// Register makes a scheduler known, from an init function or a package-level variable.
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
func Names() (out []string) {
	for _, s := range schedulers {
		out = append(out, s.Name)
	}
	return out
}
