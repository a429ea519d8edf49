package schedule

import (
	"context"
	"errors"
	"fmt"

	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/passes/schedule/modulo/exact"
)

const (
	// mostExact is the largest body for the solver, in operations that take time. The solver cannot be interrupted. It
	// answers in milliseconds for most random bodies of up to 25, and beyond that it may not answer.
	mostExact = 25
	// exactResolution is coarser than that of the heuristic, since each unit of time is a variable per operation.
	exactResolution = 16
)

// Exact finds the least II of a shape by a solver. The solver knows dependences and units; a schedule that takes too
// many registers or too much shared memory counts as none.
var Exact = Register(&Scheduler{
	Name:     "exact",
	Summary:  fmt.Sprintf("the least II by a pseudo-boolean solver, for bodies of up to %d operations that take time; larger ones are placed by iterative", mostExact),
	Schedule: exactly,
})

func exactly(ctx context.Context, g *ddg.Graph, l Limits) (*Plan, error) {
	busy := 0
	for i, n := range g.Nodes {
		if n.Timing.Work() > 0 && !g.Early(i) {
			busy++
		}
	}
	instead := func(why string) (*Plan, error) {
		p, err := Iterative.Schedule(ctx, g, l)
		if p != nil {
			p.Note = why + ", so that iterative placed it"
		}
		return p, err
	}
	if busy > mostExact {
		return instead(fmt.Sprintf("the body has %d operations that take time, more than the %d that exact takes", busy, mostExact))
	}
	var large error
	p, err := scheduleBy(ctx, placer{exactResolution, false, func(p *modulo.Problem, ii int) (*modulo.Schedule, string, error) {
		s, why, err := exactAt(g, p, ii)
		if errors.Is(err, exact.ErrTooLarge) {
			large = err
		}
		return s, why, err
	}}, g, l)
	if p == nil && large != nil {
		return instead(large.Error())
	}
	return p, err
}

// exactAt finds a schedule at one II in which the first copy, or the first load of an address, is at time 0.
func exactAt(g *ddg.Graph, p *modulo.Problem, ii int) (*modulo.Schedule, string, error) {
	s, err := exact.At(p, ii)
	if err != nil || s == nil {
		return nil, "the solver finds none below", err
	}
	head := s.Cycle[Head(g)]
	start := head
	for i := range s.Cycle {
		if depth, _ := g.IndexDepth(i); depth > 0 {
			start = min(start, s.Cycle[i])
		}
	}
	for i := range s.Cycle {
		if g.Early(i) { // it is rematerialized, so its time means nothing
			s.Cycle[i] = min(s.Cycle[i], head)
		}
		if s.Cycle[i] -= start; s.Cycle[i] < 0 {
			return nil, "", fmt.Errorf("%s stands before the first copy", p.Ops[i].Name)
		}
	}
	// The solver knows no lifetimes.
	modulo.Tighten(p, s)
	if err := modulo.Verify(p, s); err != nil {
		return nil, err.Error(), nil
	}
	return s, "", nil
}
