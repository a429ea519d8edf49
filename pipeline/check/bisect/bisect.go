package bisect

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/rs/zerolog"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/check/eachpass"
	"github.com/tilewright/tilewright/pipeline/check/shrink"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// Options say what to search.
type Options struct {
	Case *launch.Case
	// Races makes accesses that nothing orders count as well (eachpass.Runner).
	Races bool
	// Start reads the input again, and returns what runs on it. The manager's instruments, gate and rewrites are
	// the search's.
	Start func() (ir.Op, *pipeline.Pipeline, *pipeline.Manager, error)
	// MaxTests bounds how many smaller modules are tried; 0: no bound. NoReduce leaves that out.
	MaxTests int
	NoReduce bool
	// Log traces what is tried.
	Log zerolog.Logger
}

// A Finding is what is to blame.
type Finding struct {
	*eachpass.Found
	// Rewrites is how many rewrites the run of the pass makes, and Rewrite the first that does harm; nil: the pass
	// does without any of them.
	Rewrites int
	Rewrite  *pipeline.Rewrite
	// Change is what the rewrite changed, as a unified diff.
	Change string
	// Reduced is a module that the pass alone changes the meaning of, and Left the rewrite in it; nil when none was
	// made, and Why says why.
	Reduced *shrink.Result
	Left    *pipeline.Rewrite
	Why     error
	// Target is what is compiled for.
	Target *passes.Target
	// Executions counts how often the case was executed on the original input, without those of the search for the
	// pass.
	Executions int
}

// Find looks for the first pass that changes the result of a case, and for the first rewrite in it. It returns nil
// when no pass does.
func Find(ctx context.Context, opts Options) (*Finding, error) {
	s := &search{opts: opts}
	if err := s.pass(ctx); err != nil || s.found == nil {
		return nil, err
	}
	f := &Finding{Found: s.found, Target: s.target}
	if err := s.rewrite(ctx, f); err != nil {
		return nil, err
	}
	f.Executions = s.executions
	if opts.NoReduce {
		return f, nil
	}
	f.Reduced, f.Left, f.Why = s.reduce(ctx, f)
	return f, ctx.Err()
}

// Name names the pass, and the step of a default pipeline that it is.
func (f *Finding) Name() string {
	if f.Item.Step != "" {
		return f.Item.Step
	}
	return f.Pass.Name
}

type search struct {
	opts       Options
	check      *eachpass.Check
	target     *passes.Target
	found      *eachpass.Found
	executions int
}

// pass finds the pass.
func (s *search) pass(ctx context.Context) error {
	module, p, m, err := s.opts.Start()
	if err != nil {
		return err
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	s.target = m.Target
	if s.check, err = eachpass.Start(inner, s.opts.Case, module, m.Target, s.opts.Races, cancel); err != nil {
		return err
	}
	m.Instruments = append(m.Instruments, s.check)
	_, err = m.Run(inner, p, module)
	if s.found = s.check.Found(); s.found != nil {
		return ctx.Err()
	}
	return err
}

// An attempt is a run of the pipeline up to the pass.
type attempt struct {
	made  []pipeline.Rewrite
	found *eachpass.Found
	text  string // of the operation that the pass ran on
}

// upTo runs the pipeline up to the pass, with at most so many of its rewrites; negative: all. It executes the case
// after it if it is to.
func (s *search) upTo(ctx context.Context, limit int, execute bool) (*attempt, error) {
	module, p, m, err := s.opts.Start()
	if err != nil {
		return nil, err
	}
	a := &attempt{}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	n := 0
	m.Gate = func(*passes.Pass, ir.Op) bool { n++; return n <= s.found.Number }
	m.NoVerify = true // a pass that is stopped half way need not establish what it says
	m.Rewrites = &pipeline.RewriteWatch{
		Limit: func(ev *pipeline.Event) int {
			if ev.Number == s.found.Number {
				return limit
			}
			return -1
		},
		Made: []func(*pipeline.Event, pipeline.Rewrite){func(ev *pipeline.Event, rw pipeline.Rewrite) {
			if ev.Number == s.found.Number {
				a.made = append(a.made, rw)
			}
		}},
	}
	m.Instruments = append(m.Instruments, printer{s.found.Number, &a.text})
	var check *eachpass.Check
	if execute {
		s.executions++
		check = s.check.Behind(s.found.Number, cancel)
		m.Instruments = append([]pipeline.Instrument{check}, m.Instruments...)
	}
	_, err = m.Run(inner, p, module)
	if check != nil {
		if a.found = check.Found(); a.found != nil {
			err = ctx.Err()
		}
	}
	return a, err
}

// A printer keeps the text of what one run of a pass left.
type printer struct {
	number int
	text   *string
}

// BeforePass implements pipeline.Instrument.
func (printer) BeforePass(*pipeline.Event) {}

// AfterPass implements pipeline.Instrument.
func (p printer) AfterPass(ev *pipeline.Event) {
	if ev.Number == p.number && !ev.Op.Erased() {
		*p.text = asm.String(ev.Op) + "\n"
	}
}

// rewrite finds the rewrite.
func (s *search) rewrite(ctx context.Context, f *Finding) error {
	all, err := s.upTo(ctx, -1, false)
	if err != nil {
		return err
	}
	f.Rewrites = len(all.made)
	if f.Rewrites == 0 {
		return nil
	}
	last, err := first(f.Rewrites, func(limit int) (bool, error) {
		a, err := s.upTo(ctx, limit, true)
		s.opts.Log.Debug().Str("pass", f.Name()).Int("rewrites", limit).Bool("wrong", err == nil && a.found != nil).Err(err).Msg("tried")
		return err == nil && a.found != nil, err
	})
	if err != nil || last == 0 {
		return err
	}
	before, err := s.upTo(ctx, last-1, false)
	if err != nil {
		return err
	}
	after, err := s.upTo(ctx, last, false)
	if err != nil {
		return err
	}
	if len(after.made) < last {
		return fmt.Errorf("pass '%s' makes %d rewrites, and then %d: it does not do the same each time", f.Pass.Name, f.Rewrites, len(after.made))
	}
	f.Rewrite = &after.made[last-1]
	f.Change = pipeline.Diff{Context: pipeline.DefaultContext}.Unified("before", "after", before.text, after.text)
	return nil
}

// first returns a number from 1 to n of rewrites with which the result is wrong while with one less it is right; with
// all n it is wrong. It is 0 when it is wrong with none.
func first(n int, wrong func(limit int) (bool, error)) (int, error) {
	if w, err := wrong(0); err != nil || w {
		return 0, err
	}
	right, bad := 0, n
	for bad-right > 1 {
		middle := right + (bad-right)/2
		w, err := wrong(middle)
		if err != nil {
			return 0, err
		}
		if w {
			bad = middle
		} else {
			right = middle
		}
	}
	return bad, nil
}

// A test of a smaller module may take patience times as long as that of the original one, but at least leastWait.
const (
	patience  = 20
	leastWait = 2 * time.Second
)

// reduce makes the IR before the pass smaller while the pass changes what it computes.
func (s *search) reduce(ctx context.Context, f *Finding) (*shrink.Result, *pipeline.Rewrite, error) {
	text, err := s.inFront(ctx)
	if err != nil {
		return nil, nil, err
	}
	alone := &alone{search: s, found: f.Found, limit: leastWait}
	start := time.Now()
	_, _ = alone.changes(ctx, text, -1, nil)
	alone.limit = max(leastWait, patience*time.Since(start))
	r, err := shrink.Module(ctx, "reduced.mlir", text, shrink.Options{MaxTests: s.opts.MaxTests, Interesting: func(ctx context.Context, text []byte) (bool, error) {
		return alone.changes(ctx, text, -1, nil)
	}})
	if err != nil {
		return nil, nil, fmt.Errorf("the pass on its own does not show it: %w", err)
	}
	var made []pipeline.Rewrite
	if _, err := alone.changes(ctx, r.Text, -1, &made); err != nil || len(made) == 0 {
		return r, nil, err
	}
	n, err := first(len(made), func(limit int) (bool, error) { return alone.changes(ctx, r.Text, limit, nil) })
	if err != nil || n == 0 {
		return r, nil, err
	}
	return r, &made[n-1], nil
}

// inFront returns the text of the module before the pass. It does not say how far it got: what is left of it will
// not have the properties that it had.
func (s *search) inFront(ctx context.Context) ([]byte, error) {
	module, p, m, err := s.opts.Start()
	if err != nil {
		return nil, err
	}
	n := 0
	m.Gate = func(*passes.Pass, ir.Op) bool { n++; return n < s.found.Number }
	m.NoVerify, m.Record = true, false
	if _, err := m.Run(ctx, p, module); err != nil {
		return nil, err
	}
	pipeline.Forget(module)
	var buf bytes.Buffer
	err = asm.Print(&buf, module, asm.PrintOptions{DebugInfo: true})
	return buf.Bytes(), err
}
