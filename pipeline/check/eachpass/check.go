package eachpass

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A pass may make a kernel slower for the interpreter, but one that takes this much longer than the input did does
// not end.
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
	only   int // the number of the run of a pass after which alone the case is executed; 0: after all
	found  *Found
}

// A Found is the run of a pass that changes what a case computes.
type Found struct {
	Number int // of the run (pipeline.Event)
	Pass   *passes.Pass
	Item   *pipeline.Item
	Nest   *pipeline.OpPipeline
	Op     string // what it ran on
	Why    string // what became of the case
	// Fails says that the case cannot be executed any more, or does not end.
	Fails bool
	// Threads is whether threads met at barriers only when the case was executed (Runner), before the pass and
	// after it.
	Threads [2]bool
}

func (f *Found) error(kase string) error {
	return fmt.Errorf("after pass '%s' case '%s' %s", f.Pass.Name, kase, f.Why)
}

var _ interface {
	pipeline.Instrument
	pipeline.Serial
} = (*Check)(nil)

// Start executes the case on the input of a pipeline for a target, which must satisfy it. stop is called when a pass
// is found that changes the outcome. With races, conflicting accesses that no token orders count as well, down to the
// lowest level that the interpreter executes. So a pass that loses an order is found before anything below makes use
// of it.
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

// Err returns what was found as an error, or nil.
func (k *Check) Err() error {
	if k.found == nil {
		return nil
	}
	return k.found.error(k.kase.Name)
}

// Found returns what was found, or nil.
func (k *Check) Found() *Found { return k.found }

// After returns a check of the same case in another run of the pipeline that is about one run of a pass alone.
func (k *Check) Behind(number int, stop func()) *Check {
	return &Check{kase: k.kase, target: k.target, races: k.races, stop: stop, limit: k.limit, before: k.before, only: number}
}

// Serial implements pipeline.Serial: the entire module is executed, so no other pass may be changing it.
func (k *Check) Serial() bool { return true }

// BeforePass implements pipeline.Instrument.
func (k *Check) BeforePass(*pipeline.Event) {}

// AfterPass implements pipeline.Instrument.
func (k *Check) AfterPass(ev *pipeline.Event) {
	if k.found != nil || ev.Err != nil {
		return
	}
	threads := k.synchronised
	if slices.Contains(ev.Item.Pass.Destroys, tileasprop.Synchronised) {
		k.synchronised = false
	}
	placed := !k.synchronised && slices.Contains(ev.Item.Pass.Establishes, tileasprop.Synchronised)
	k.synchronised = k.synchronised || placed
	if k.only != 0 && k.only != ev.Number {
		return
	}
	now := pipeline.FingerprintOf(ev.Root)
	if now == k.seen && !placed && k.only == 0 {
		return
	}
	k.seen = now
	ctx, cancel := context.WithTimeout(context.Background(), k.limit)
	defer cancel()
	req, report, err := k.run(ctx, ev.Root)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		k.fail(ev, threads, true, "does not end within %v", k.limit)
	case err != nil:
		k.fail(ev, threads, true, "cannot be executed any more: %v", err)
	default:
		if w := k.wrong(report); w != nil {
			k.fail(ev, threads, false, "gives another result: argument %d, element %d is %s, but was %s before (expected %s, rtol %g, atol %g)", w.Arg,
				w.Diff.First, element(req, w), element(k.before, w), k.want(w), w.Tolerance.Relative, w.Tolerance.Absolute)
		}
	}
	k.before = req
}

func (k *Check) fail(ev *pipeline.Event, threads, fails bool, format string, args ...any) {
	k.found = &Found{Number: ev.Number, Pass: ev.Item.Pass, Item: ev.Item, Nest: ev.Nest, Op: ev.Describe(), Why: fmt.Sprintf(format, args...), Fails: fails,
		Threads: [2]bool{threads, k.synchronised}}
	k.stop()
}

func (k *Check) run(ctx context.Context, module ir.Op) (*launch.Request, *launch.Report, error) {
	req, err := Runner{Case: k.kase, Target: k.target, Races: k.races, Threads: k.synchronised}.Run(ctx, module)
	if err != nil {
		return nil, nil, err
	}
	report, err := k.kase.Check(req)
	return req, report, err
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
