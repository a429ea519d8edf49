package pipeline

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"golang.org/x/sync/errgroup"
)

// A task is the work on one operation: a nest's items, one after the other. What it reports is handed to its parent
// in the order of the operations.
type task struct {
	cache     *passes.Cache
	emit      func(*ir.Diagnostic)
	artifacts map[string]passes.Artifact
	changed   bool // by some pass
	unchecked bool // it has changed since it was verified
	// state is what is known of the operation by what passes declare. All of it is checked, so it is true.
	state   *state
	failure *Failure
	err     error // of the run itself, as when it was cancelled
}

func (t *task) failed() bool { return t.failure != nil || t.err != nil }

// nest runs the items of a nest on an operation, until one fails.
func (r *running) nest(n *OpPipeline, op ir.Op, t *task) {
	for i := range n.Items {
		if r.ctx.Err() != nil {
			t.err = fmt.Errorf("the pass pipeline was stopped: %w", context.Cause(r.ctx)) // which names the signal, if it was one
			return
		}
		if it := &n.Items[i]; it.Nest != nil {
			r.nested(it.Nest, op, t)
		} else {
			r.pass(n, i, op, t)
		}
		if t.failed() {
			return
		}
	}
}

// nested runs a nest on all the operations inside op that it is for, even if one fails. So what is reported does not
// depend on the number of workers.
func (r *running) nested(n *OpPipeline, op ir.Op, t *task) {
	ops, err := match(op, n.Op)
	if err != nil {
		t.emit(err)
		t.err = err
		return
	}
	children := make([]*task, len(ops))
	run := func(i int) { r.nest(n, ops[i], children[i]) }
	for i, inner := range ops {
		children[i] = &task{cache: t.cache.Nested(inner), emit: t.emit, artifacts: make(map[string]passes.Artifact), state: t.state.clone()}
	}
	if r.workers == 1 || len(ops) == 1 {
		for i := range ops {
			run(i)
		}
	} else {
		r.parallel(children, run, t.emit)
	}
	for _, c := range children {
		t.changed = t.changed || c.changed
		for name, a := range c.artifacts {
			t.artifacts[name] = a
		}
		if !t.failed() {
			t.failure, t.err = c.failure, c.err
		}
	}
	t.state.join(children)
	if t.changed {
		t.cache.InvalidateOwn(preservedBy(n))
	}
}

// parallel runs all children, and emits their diagnostics in order.
func (r *running) parallel(children []*task, run func(int), emit func(*ir.Diagnostic)) {
	reports := make([][]*ir.Diagnostic, len(children))
	var group errgroup.Group
	group.SetLimit(r.workers)
	for i, c := range children {
		c.emit = func(d *ir.Diagnostic) { reports[i] = append(reports[i], d) }
		group.Go(func() error {
			run(i)
			return nil
		})
	}
	_ = group.Wait() // the functions return no error
	for _, list := range reports {
		for _, d := range list {
			emit(d)
		}
	}
}

// preservedBy returns the analyses that all passes of a nest preserve.
func preservedBy(n *OpPipeline) []*passes.Analysis {
	var common []*passes.Analysis
	first := true
	n.walk(func(_ *OpPipeline, it Item) {
		if first {
			common, first = it.Pass.Preserves, false
			return
		}
		var both []*passes.Analysis
		for _, a := range common {
			for _, b := range it.Pass.Preserves {
				if a == b {
					both = append(both, a)
				}
			}
		}
		common = both
	})
	return common
}

// pass runs one pass on one operation and verifies the result.
func (r *running) pass(n *OpPipeline, i int, op ir.Op, t *task) {
	it := &n.Items[i]
	r.runs[it].Add(1)
	if r.Plan != nil && it.Step != "" && r.Plan.behind(it.Step, op) {
		t.state.run(it.Pass, it.Step)
		return
	}
	number := int(r.number.Add(1))
	if r.Gate != nil && !r.Gate(it.Pass, op) {
		return
	}
	ev := &Event{Nest: n, Item: it, Op: op, Root: r.root, Number: number}
	log, own, traced, name := r.Log, r.Log, r.Log, it.Pass.Name
	if r.trace {
		both := log.With().Str("pass", name).Str("op", describe(op)).Logger()
		log, own, traced = r.Listener.Of(both, logManager, name), r.Listener.Of(both, name, name), r.Listener.Of(both, logRewrites, name)
	}
	for _, in := range r.Instruments {
		in.BeforePass(ev)
	}
	options := it.Options
	if own, ok := r.kernelOptions(op, it.Pass); ok {
		options = own
	}
	run := passes.NewRun(r.ctx, it.Pass, op, options, r.target, &reporter{r, it, t})
	run.Log, run.Analyses, run.Prepared, run.Workers = own, t.cache, r.prepared[it], r.workers
	rewrites := r.rewrites.of(ev)
	if rewrites != nil && r.trace {
		rewrites.log = traced
	}
	if rewrites != nil {
		run.Rewrites = rewrites
	}

	start, level := time.Now(), t.state.level
	stack, err := protect(func() error { return it.Pass.Run(run) })
	ev.Elapsed = time.Since(start)
	log.Debug().Dur("elapsed", ev.Elapsed).Bool("unchanged", run.Unchanged()).Err(err).Msg("pass ran")

	if err != nil {
		kind := Rejected
		if stack != nil {
			kind = Crashed
		}
		t.failure = newFailure(kind, it.Pass, op, err, stack)
		for _, d := range t.failure.diagnostics() {
			t.emit(d)
		}
	} else {
		if !run.Unchanged() {
			t.changed = true
			t.cache.Invalidate(it.Pass.Preserves)
		}
		t.state.run(it.Pass, it.Pass.Name)
		if rewrites != nil && rewrites.refused {
			t.state.forget(it.Pass)
		}
		if !r.NoVerify {
			start = time.Now()
			t.unchecked = t.unchecked || !run.Unchanged()
			r.verify(it.Pass, op, t, run.Unchanged(), !r.VerifyLast || n.endsRun(i))
			ev.Verify = time.Since(start)
		}
		r.record(it, op, t.state)
	}
	if t.failure != nil {
		t.failure.Level, t.failure.OptLevel = level, r.target.OptLevel
		r.Log.Error().Str("pass", name).Str("op", t.failure.Op).Stringer("kind", t.failure.Kind).Err(t.failure.Err).Msg("pass failed")
		ev.Err = t.failure
	}
	for _, in := range slices.Backward(r.Instruments) {
		in.AfterPass(ev)
	}
}

// kernelOptions returns the options that the plan of a kernel has for a pass, if it has some.
func (r *running) kernelOptions(op ir.Op, p *passes.Pass) (any, bool) {
	r.mu.Lock()
	text, ok := r.kernels.Of(op.SymbolName())[p.Name]
	r.mu.Unlock()
	if !ok || !isUnit(op) {
		return nil, false
	}
	it, err := parseItem(p, text)
	return it.Options, err == nil // it was checked when it was read
}

// verify checks what a pass left: that it is valid, and has the properties that the pass establishes or keeps. After
// a pass that changed nothing only those are in question that it establishes nevertheless. Whether it is valid is asked
// now, or after a later pass.
func (r *running) verify(p *passes.Pass, op ir.Op, t *task, unchanged, now bool) {
	var diags []*ir.Diagnostic
	var lost *passes.Property
	var why *ir.Diagnostic
	stack, err := protect(func() error {
		if now && t.unchecked {
			if diags = ir.Check(op); hasError(diags) {
				return nil
			}
			t.unchecked = false
		}
		lost, why = passes.FirstBroken(t.state.toCheck(p, unchanged), op, r.target)
		return nil
	})
	if err != nil { // a verifier must not panic, whatever the pass left
		t.failure = newFailure(Crashed, p, op, fmt.Errorf("verifying the result: %w", err), stack)
		return
	}
	var errs []*ir.Diagnostic
	for _, d := range diags {
		t.emit(d)
		if d.Severity == ir.Error {
			errs = append(errs, d)
		}
	}
	switch {
	case errs != nil:
		t.failure = newFailure(Invalid, p, op, &ir.VerifyError{Diags: errs}, nil)
	case why != nil:
		t.failure = newFailure(Broken, p, op, why, nil)
		t.failure.Property, t.failure.Established = lost, p.EstablishesProperty(lost)
		t.emit(why)
	}
}

func hasError(diags []*ir.Diagnostic) bool {
	for _, d := range diags {
		if d.Severity == ir.Error {
			return true
		}
	}
	return false
}

// protect calls f and turns a panic into an error with the stack of the panic. It is the only place where panics of
// passes end.
func protect(f func() error) (stack []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			stack = debug.Stack()
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return nil, f()
}

// reporter hands on what a pass reports.
type reporter struct {
	r  *running
	it *Item
	t  *task
}

func (rep *reporter) Report(d *ir.Diagnostic) {
	if d.Decision != nil && rep.r.trace {
		log := rep.r.Listener.Of(rep.r.Log, rep.it.Pass.Name, rep.it.Pass.Name)
		log.Debug().Str("op", d.Decision.Function).Str("kind", d.Decision.Name).Msg(d.Message)
	}
	if d.Decision == nil || d.Decision.Always || rep.r.Decisions {
		rep.t.emit(d)
	}
}

// Explains is asked by passes that would look for what to say (passes.Run.Explains).
func (rep *reporter) Explains() bool { return rep.r.Decisions || rep.r.trace }

func (rep *reporter) Count(s *passes.Statistic, n int64) {
	rep.r.mu.Lock()
	defer rep.r.mu.Unlock()
	rep.r.stats[statKey{rep.it, s}] += n
}

func (rep *reporter) Artifact(name string, a passes.Artifact) { rep.t.artifacts[name] = a }
