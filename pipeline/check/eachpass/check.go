package eachpass

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A pass may make a kernel slower for the interpreter, but one that takes this much longer than the input did does not end.
const (
	patience = 20
	leastRun = time.Minute
)

// A Check executes a case after every pass. It is a pipeline.Instrument, made by Start.
type Check struct {
	kase   *launch.Case
	target *passes.Target
	races  bool   // where the interpreter executes, accesses that nothing orders are errors
	stop   func() // ends the pipeline
	limit  time.Duration

	// synchronised says that barriers are in place, so that threads may not meet in shared memory without one.
	synchronised bool

	before *launch.Request // what the latest run left
	seen   pipeline.Fingerprint
	err    error
}

var _ interface {
	pipeline.Instrument
	pipeline.Serial
} = (*Check)(nil)

// Start executes the case on the input of a pipeline for a target, which must satisfy it. stop is called when a pass is found that changes the
// outcome. With races, accesses of memory that conflict and that no token orders count as well, down to the level where the interpreter ends: a pass that loses an order
// shows so before anything below makes use of it.
func Start(ctx context.Context, c *launch.Case, module ir.Op, target *passes.Target, races bool, stop func()) (*Check, error) {
	k := &Check{kase: c, target: target, races: races, stop: stop, seen: pipeline.FingerprintOf(module)}
	start := time.Now()
	req, report, err := k.run(ctx, module)
	if err != nil {
		return nil, fmt.Errorf("before any pass, case '%s' cannot be executed: %w", c.Name, err)
	}
	if w := k.wrong(report); w != nil {
		return nil, fmt.Errorf("before any pass, case '%s' does not hold: argument %d, element %d is %s, expected %s", c.Name, w.Arg, w.Diff.First,
			element(req, w), k.want(w))
	}
	k.before, k.limit = req, max(leastRun, patience*time.Since(start))
	return k, nil
}

// Err returns what was found, or nil.
func (k *Check) Err() error { return k.err }

// Serial implements pipeline.Serial: the whole module is executed, so no other pass may be changing it.
func (k *Check) Serial() bool { return true }

// BeforePass implements pipeline.Instrument.
func (k *Check) BeforePass(*pipeline.Event) {}

// AfterPass implements pipeline.Instrument.
func (k *Check) AfterPass(ev *pipeline.Event) {
	if k.err != nil || ev.Err != nil {
		return
	}
	if slices.Contains(ev.Item.Pass.Destroys, property.Synchronised) {
		k.synchronised = false
	}
	placed := !k.synchronised && slices.Contains(ev.Item.Pass.Establishes, property.Synchronised)
	k.synchronised = k.synchronised || placed
	now := pipeline.FingerprintOf(ev.Root)
	if now == k.seen && !placed {
		return
	}
	k.seen = now
	ctx, cancel := context.WithTimeout(context.Background(), k.limit)
	defer cancel()
	req, report, err := k.run(ctx, ev.Root)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		k.fail(ev, "does not end within %v", k.limit)
	case err != nil:
		k.fail(ev, "cannot be executed any more: %v", err)
	default:
		if w := k.wrong(report); w != nil {
			k.fail(ev, "gives another result: argument %d, element %d is %s, but was %s before (expected %s, rtol %g, atol %g)", w.Arg,
				w.Diff.First, element(req, w), element(k.before, w), k.want(w), w.Tolerance.Relative, w.Tolerance.Absolute)
		}
	}
	k.before = req
}

func (k *Check) fail(ev *pipeline.Event, format string, args ...any) {
	k.err = fmt.Errorf("after pass '%s' case '%s' %s", ev.Item.Pass.Name, k.kase.Name, fmt.Sprintf(format, args...))
	k.stop()
}

// emulated reports whether a module is below the levels that the interpreter runs, so that its PTX is.
func emulated(module ir.Op) bool {
	return pipeline.LevelOf(module) == property.NVVM
}

func (k *Check) run(ctx context.Context, module ir.Op) (*launch.Request, *launch.Report, error) {
	engine, err := k.engine(ctx, module)
	if err != nil {
		return nil, nil, err
	}
	req := k.kase.Request()
	if err := engine.Run(ctx, req); err != nil {
		return nil, nil, err
	}
	report, err := k.kase.Check(req)
	return req, report, err
}

func (k *Check) engine(ctx context.Context, module ir.Op) (launch.Engine, error) {
	if emulated(module) {
		return k.emulator(ctx, module)
	}
	e := interp.New(module)
	e.Threads, e.Races = k.synchronised, k.races
	e.LooseIndices = true // as compiled code takes a tile outside the index space
	return e, nil
}

// emulator makes PTX of a copy of a module.
func (k *Check) emulator(ctx context.Context, module ir.Op) (launch.Engine, error) {
	rest := ir.NewBuilder(module.Context().NewArena()).Clone(module, ir.NewMapping())
	pipeline.Forget(rest)
	// No more passes than PTX needs: those that optimise have not had their turn yet, and a fault of theirs is not one of this pass.
	result, err := compile.To(ctx, rest, compile.Options{GPU: k.target.GPU, NoVerify: true})
	if err != nil {
		return nil, fmt.Errorf("the rest of the lowering: %w", err)
	}
	e, err := emulate.New(k.kase.Name+".ptx", result.PTX)
	if err != nil {
		return nil, err
	}
	result.Describe(e, k.kase.Entry)
	return e, nil
}

// wrong returns the first output that is not as expected, or nil.
func (k *Check) wrong(r *launch.Report) *launch.Output {
	for i := range r.Outputs {
		if !r.Outputs[i].Diff.OK() {
			return &r.Outputs[i]
		}
	}
	return nil
}

// element returns the first element of an output that is wrong, as a launch left it.
func element(req *launch.Request, o *launch.Output) string {
	b := req.Args[o.Arg].Buffer
	return b.DType.FormatValue(b.DType.Load(b.Data, o.Diff.First))
}

func (k *Check) want(o *launch.Output) string {
	for _, e := range k.kase.Expect {
		if e.Arg == o.Arg {
			return e.Want.DType.FormatValue(e.Want.DType.Load(e.Want.Data, o.Diff.First))
		}
	}
	return "?"
}
