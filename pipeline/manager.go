package pipeline

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// A Manager runs pipelines. Its fields are set before Run is called; the zero Manager verifies after each pass and
// uses all processors.
type Manager struct {
	// Target is what passes compile for; nil: nothing in particular.
	Target *passes.Target
	// Input is what is known about the IR that the pipeline starts from; nil: its level alone. Passes must keep it,
	// and what they establish, unless they say that they destroy it.
	Input *Input
	// Plan is the plan that the pipeline is of, if it is of one. What the operations say they are after does not
	// run on them again.
	Plan *Plan
	// Kernels are plans of kernels. Passes that decide by trials add to them.
	Kernels KernelPlans
	// Record makes the manager note on the outermost operation and on kernels how far they got (contract.State), for
	// IR that somebody is to see.
	Record bool
	// NoVerify leaves out the verification after each pass, also of properties.
	NoVerify bool
	// VerifyLast verifies the IR after the last of the passes that follow each other on an operation, and not after each.
	// Then the pass that a failure names need not be the one to blame. Properties are checked after each pass all the same.
	VerifyLast bool
	// Workers is how many operations are processed at the same time; 0: as many as there are processors.
	Workers int
	// Instruments watch, in this order.
	Instruments []Instrument
	// Reproducer says how to keep what is needed to repeat a failure; nil: not at all.
	Reproducer *Reproducer
	// Gate, when set, decides whether a pass runs on an operation. Passes then run one at a time, in the order of the
	// operations.
	Gate func(p *passes.Pass, op ir.Op) bool
	// Rewrites, when set, watches and bounds the rewrites of passes, which then run one at a time, in the order of
	// the operations.
	Rewrites *RewriteWatch
	// Decisions passes on what passes say of their decisions (passes.Run.Decidef), which is dropped otherwise.
	Decisions bool
	// Log traces what runs, for developers, and Listener chooses what of it. The zero Logger is silent.
	Log      zerolog.Logger
	Listener Listener

	mute bool // diagnostics are dropped, as those of a trial
}

// A Result is what a pipeline leaves besides the IR.
type Result struct {
	// Artifacts are what passes left with SetArtifact.
	Artifacts map[string]passes.Artifact
	// Unmatched are the passes that ran on no operation, with the nests that they stand in.
	Unmatched []Unmatched
	// Statistics are the counters of passes, summed over operations, in the order of the pipeline.
	Statistics []StatisticValue
	// Kernels are the plans that were given, with what passes added.
	Kernels KernelPlans
}

// An Unmatched pass stands in a nest for which there was no operation.
type Unmatched struct {
	Pass *passes.Pass
	Op   string // the operation that the nest is for
}

func (u Unmatched) String() string {
	return fmt.Sprintf("pass '%s' matched 0 operations: there is no '%s' where the pipeline looks for one", u.Pass.Name, u.Op)
}

// A StatisticValue is the value of a counter of one pass in a pipeline.
type StatisticValue struct {
	Item      *Item
	Nest      *OpPipeline
	Statistic *passes.Statistic
	Value     int64
}

// Run runs a pipeline on an operation. Diagnostics go to the operation's context, as the passes report them. The
// error is a *Failure when a pass failed; the operation is then in an unspecified state.
func (m *Manager) Run(ctx context.Context, p *Pipeline, op ir.Op) (*Result, error) {
	if p.Root.Op != AnyOp && p.Root.Op != op.Name() {
		return nil, fmt.Errorf("cannot run a pipeline for '%s' on '%s'", p.Root.Op, op.Name())
	}
	r := &running{Manager: m, target: m.Target, trace: m.Log.Debug().Enabled(), ctx: ctx, root: op, pipeline: p, workers: m.Workers, kernels: m.Kernels,
		stats: make(map[statKey]int64), runs: make(map[*Item]*atomic.Int64), prepared: make(map[*Item]any)}
	if r.target == nil {
		r.target = new(passes.Target)
	}
	if r.workers <= 0 {
		r.workers = runtime.GOMAXPROCS(0)
	}
	if r.rewrites = m.Rewrites; r.rewrites == nil && m.Listener.rewrites(m.Log) {
		r.rewrites = new(RewriteWatch)
	}
	if m.Gate != nil || r.rewrites != nil {
		r.workers = 1
	}
	for _, in := range m.Instruments {
		if s, ok := in.(Serial); ok && s.Serial() {
			r.workers = 1
		}
	}
	if err := r.prepare(p.Root); err != nil {
		return nil, err
	}
	in := m.Input
	if in == nil {
		in = &Input{Level: LevelOf(op)}
	}
	t := &task{cache: passes.NewCache(op), artifacts: make(map[string]passes.Artifact), state: newState(in.Level, in.Have...)}
	t.emit = op.Context().Diag.Emit
	if m.mute {
		t.emit = func(*ir.Diagnostic) {}
	}
	start := time.Now()
	r.nest(p.Root, op, t)
	m.Log.Info().Int64("runs", r.number.Load()).Dur("elapsed", time.Since(start)).Msg("pipeline ran")
	if t.failure != nil {
		m.reproduce(p, t.failure)
		return nil, t.failure
	}
	if t.err != nil {
		return nil, t.err
	}
	return r.result(p, t), nil
}

// prepare sets up what the runs of each pass share.
func (r *running) prepare(n *OpPipeline) error {
	for i := range n.Items {
		it := &n.Items[i]
		if it.Nest != nil {
			if err := r.prepare(it.Nest); err != nil {
				return err
			}
			continue
		}
		r.runs[it] = new(atomic.Int64)
		if it.Pass.Prepare == nil {
			continue
		}
		v, err := it.Pass.Prepare(r.root.Context(), it.Options)
		if err != nil {
			return fmt.Errorf("pass '%s': %w", it.Pass.Name, err)
		}
		r.prepared[it] = v
	}
	return nil
}

// running is one call of Run.
type running struct {
	*Manager
	ctx      context.Context
	target   *passes.Target
	root     ir.Op
	pipeline *Pipeline
	workers  int
	runs     map[*Item]*atomic.Int64
	prepared map[*Item]any
	trace    bool // Log is listening
	rewrites *RewriteWatch
	number   atomic.Int64

	mu      sync.Mutex
	stats   map[statKey]int64
	kernels KernelPlans // replaced when a plan changes, and not altered
}

type statKey struct {
	item *Item
	stat *passes.Statistic
}

func (r *running) result(p *Pipeline, t *task) *Result {
	res := &Result{Artifacts: t.artifacts, Kernels: r.kernels}
	var walk func(n *OpPipeline)
	walk = func(n *OpPipeline) {
		for i := range n.Items {
			it := &n.Items[i]
			if it.Nest != nil {
				walk(it.Nest)
				continue
			}
			if r.runs[it].Load() == 0 {
				res.Unmatched = append(res.Unmatched, Unmatched{it.Pass, n.Op})
			}
			for _, s := range it.Pass.Statistics {
				res.Statistics = append(res.Statistics, StatisticValue{it, n, s, r.stats[statKey{it, s}]})
			}
		}
	}
	walk(p.Root)
	return res
}
