package conversion

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"sync"

	"github.com/tilewright/tilewright/ir"
)

// A Unit builds the replacement of one operation of a module. Its builder inserts before that operation.
type Unit struct {
	*ir.Builder
	made   []ir.Op
	bodies []func() error
	after  []func() error
	err    error
}

// Body adds work inside an isolated operation that was built: f runs on some goroutine, beside that of other bodies,
// and must change nothing outside.
func (u *Unit) Body(f func() error) { u.bodies = append(u.bodies, f) }

// After adds work for when all bodies of all units are done, one after the other in the order of the module: what
// bodies found out that they need outside.
func (u *Unit) After(f func() error) { u.after = append(u.after, f) }

// Replace converts operations of a module. build makes the replacement of each operation before it, or reports that
// the operation stays. If there is an error, the module is unchanged. The error joins those of all units, in the order
// of the operations. workers bounds how many bodies are converted at a time; 0 means one for each processor.
func Replace(ctx context.Context, workers int, ops iter.Seq[ir.Op], build func(op ir.Op, u *Unit) (replaced bool, err error)) error {
	var units []*Unit
	var old []ir.Op
	done := false
	defer func() { // also when a rule panics
		if !done {
			for _, u := range units {
				u.undo()
			}
		}
	}()
	for op := range ops {
		u := &Unit{Builder: ir.BuilderBefore(op)}
		u.OnCreate = func(n ir.Op) { u.made = append(u.made, n) }
		units = append(units, u)
		replaced, err := build(op, u)
		if u.err = err; replaced {
			old = append(old, op)
		}
	}
	err := convert(ctx, workers, units)
	for i := 0; i < len(units) && err == nil; i++ {
		for _, f := range units[i].after {
			if err = f(); err != nil {
				break
			}
		}
	}
	if err != nil {
		return err
	}
	for _, op := range old {
		op.Erase()
	}
	done = true
	return nil
}

func (u *Unit) undo() {
	for _, op := range u.made {
		op.Erase()
	}
}

// convert runs the bodies of all units.
func convert(ctx context.Context, workers int, units []*Unit) error {
	type job struct {
		run func() error
		err error
	}
	var jobs []*job
	bodies := 0
	for _, u := range units {
		for _, body := range u.bodies {
			jobs = append(jobs, &job{run: body})
			bodies++
		}
		jobs = append(jobs, &job{err: u.err}) // it ended the building, after the bodies above
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var wg sync.WaitGroup
	var panics ir.Panics
	run := func(j *job) {
		defer panics.Keep()
		if j.err = context.Cause(ctx); j.err == nil {
			j.err = j.run()
		}
	}
	next := make(chan *job)
	if workers = min(workers, bodies); workers > 1 {
		for range workers {
			wg.Go(func() {
				for j := range next {
					run(j)
				}
			})
		}
	}
	for _, j := range jobs {
		switch {
		case j.run == nil:
		case workers > 1:
			next <- j
		default: // a goroutine would cost more than it does
			run(j)
		}
	}
	close(next)
	wg.Wait()
	panics.Again()
	if err := context.Cause(ctx); err != nil {
		return err // not once for each body
	}
	errs := make([]error, len(jobs))
	for i, j := range jobs {
		errs[i] = j.err
	}
	return errors.Join(errs...)
}
