package bisect

import (
	"context"
	"errors"
	"time"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/check/eachpass"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// An alone runs the pass that was found, and no other, on modules that are given as text.
type alone struct {
	*search
	found *eachpass.Found
	limit time.Duration // of an execution
}

// changes reports whether the pass, with at most so many rewrites, changes what a module computes, in the way in which
// it changed what the original module does. The rewrites that it makes are added to made.
func (a *alone) changes(ctx context.Context, text []byte, limit int, made *[]pipeline.Rewrite) (bool, error) {
	module, err := read(text)
	if err != nil {
		return false, nil
	}
	before, err := a.execute(ctx, module, a.found.Threads[0])
	if err != nil {
		return false, ctx.Err() // what nobody can execute shows nothing
	}
	if err := a.run(ctx, module, limit, made); err != nil {
		return false, ctx.Err()
	}
	after, err := a.execute(ctx, module, a.found.Threads[1])
	if err != nil || a.found.Fails {
		return err != nil && a.found.Fails, ctx.Err()
	}
	return a.differ(before, after), nil
}

func read(text []byte) (ir.Op, error) {
	ctx := tileir.NewContext()
	ctx.Diag.Push(func(*ir.Diagnostic) {})
	return tileir.Read(ctx, "reduced.mlir", text)
}

func (a *alone) execute(ctx context.Context, module ir.Op, threads bool) (*launch.Request, error) {
	limited, cancel := context.WithTimeout(ctx, a.limit)
	defer cancel()
	return eachpass.Runner{Case: a.opts.Case, Target: a.target, Races: a.opts.Races, Threads: threads}.Run(limited, module)
}

// run runs the pass.
func (a *alone) run(ctx context.Context, module ir.Op, limit int, made *[]pipeline.Rewrite) error {
	p := pipeline.New(module.Name())
	p.Append(pipeline.NestPath(module.Context(), module.Name(), a.found.Nest.Op), pipeline.Item{Pass: a.found.Pass, Options: a.found.Item.Options})
	watch := &pipeline.RewriteWatch{Limit: func(*pipeline.Event) int { return limit }}
	if made != nil {
		watch.Made = append(watch.Made, func(_ *pipeline.Event, rw pipeline.Rewrite) { *made = append(*made, rw) })
	}
	m := &pipeline.Manager{Target: a.target, NoVerify: true, Rewrites: watch}
	if _, err := m.Run(ctx, p, module); err != nil {
		return err
	}
	if ir.Verify(module) != nil {
		return errors.New("invalid")
	}
	return nil
}

// differ reports whether two executions left different results, by the tolerances of the case.
func (a *alone) differ(before, after *launch.Request) bool {
	want := make([]launch.Expect, len(a.opts.Case.Expect))
	for i, e := range a.opts.Case.Expect {
		want[i] = e
		if e.Segment {
			want[i].Want = before.Segments[e.Arg].Buffer()
		} else {
			want[i].Want = before.Args[e.Arg].Buffer
		}
	}
	r, err := launch.Check(a.opts.Case.Name, after, want)
	return err == nil && !r.OK()
}
