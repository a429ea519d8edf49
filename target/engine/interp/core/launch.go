package core

import (
	"context"
	"runtime"

	"github.com/tilewright/tilewright/target/engine/interp/memory"
	"github.com/tilewright/tilewright/target/engine/interp/races"
	"github.com/tilewright/tilewright/target/engine/interp/sched"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A Launch is one run of an entry.
type Launch struct {
	Options  *Options
	scribble bool
	prog     *Program
	mem      *memory.Memory
	Args     []uint64
	Grid     [3]uint32

	maxSteps uint64
	races    *races.Blocks // nil: not checked

	sched.Schedule
	Prints sched.Printed
}

// Run runs a kernel on the grid of a request.
func Run(ctx context.Context, req *launch.Request, prog *Program, o *Options, scribble bool) error {
	l := &Launch{Options: o, scribble: scribble, prog: prog, Grid: req.Grid}
	if o.MaxSteps > 0 {
		l.maxSteps = o.MaxSteps + 1
	}
	if o.Races {
		l.races = races.NewBlocks(req.Grid, prog.ctas)
	}
	var err error
	if l.mem, l.Args, err = memory.NewMemory(req, prog.Globals); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	units := uint64(req.Grid[0]) * uint64(req.Grid[1]) * uint64(req.Grid[2])
	if !prog.clustered {
		units *= uint64(prog.ctas)
	}
	l.Init(units, o.Races || o.Debug != nil || o.OrderedAtomics && prog.Synchronises, stop)
	l.Prints.To = o.Output
	workers := o.Workers
	switch {
	case l.Ordered:
		workers = 1
	case workers <= 0:
		workers = runtime.GOMAXPROCS(0)
	}
	l.Spawn = func() { l.Group.Go(func() { l.work(ctx) }) }
	for range min(uint64(workers), l.Total) {
		l.Spawn()
	}
	l.Group.Wait()
	err = l.Result()
	if unprinted := l.Prints.Flush(l.Failed.Load()); err == nil {
		err = unprinted
	}
	return err
}

// work runs tile blocks, in the order of their numbers, until none is left.
func (l *Launch) work(ctx context.Context) {
	m, prints := newMachine(ctx, l), l.Prints.To != nil && l.prog.Prints
	for !m.replaced {
		i, ok := l.Start()
		if !ok {
			return
		}
		if l.Ordered {
			m.turn = l.Begin()
		}
		err := m.execute(i)
		if err == nil && prints {
			err = l.Prints.End(i)
		}
		if err != nil {
			l.Fail(i, err, ctx)
			return
		}
		if done := l.Done.Add(1); l.Options.Progress != nil {
			l.Options.Progress(done, l.Total)
		}
		if l.Ordered && !l.End(m.turn) {
			return
		}
	}
}
