package passes

import (
	"context"
	"fmt"

	"github.com/rs/zerolog"
	"github.com/tilewright/tilewright/ir"
)

// A Run is one application of a pass to one operation. It is used by one goroutine.
type Run struct {
	// Op is the operation that the pass may change, with everything nested in it.
	Op ir.Op
	// Pass is the pass that runs.
	Pass *Pass
	// Options is what Pass.Options returned, with the values of the pipeline; nil when the pass has none.
	Options any
	// Prepared is what Pass.Prepare returned.
	Prepared any
	// Target is what is compiled for; never nil.
	Target *Target
	// Log traces what the pass does, for developers. What users must know is a diagnostic.
	Log zerolog.Logger
	// Workers is how many goroutines the pass may keep busy; 0: as many as there are processors.
	Workers int
	// Analyses caches what is known about Op.
	Analyses *Cache
	// Rewrites watches the rewrites of the run; nil: nobody does. The pass then uses one goroutine.
	Rewrites Rewrites

	ctx      context.Context
	reporter Reporter
	before   uint64 // Op.Changes before the run
}

// A Reporter takes what a pass reports. The pass manager implements it, and puts reports in the order of the
// operations.
type Reporter interface {
	Report(*ir.Diagnostic)
	Count(s *Statistic, n int64)
	Artifact(name string, a Artifact)
}

// NewRun returns a run of a pass on an operation, for drivers. opts is nil or of the type of Pass.Options; nil stands
// for the defaults.
func NewRun(ctx context.Context, p *Pass, op ir.Op, opts any, t *Target, rep Reporter) *Run {
	if opts == nil {
		opts = p.NewOptions()
	}
	if t == nil {
		t = new(Target)
	}
	return &Run{Op: op, Pass: p, Options: opts, Target: t, Log: zerolog.Nop(), Analyses: NewCache(op), ctx: ctx, reporter: rep, before: op.Changes()}
}

// Context is cancelled when the result is no longer wanted; a long search polls it.
func (r *Run) Context() context.Context { return r.ctx }

// IR returns the context of the operation.
func (r *Run) IR() *ir.Context { return r.Op.Context() }

// Add adds n to a statistic of the pass.
func (r *Run) Add(s *Statistic, n int) {
	if n != 0 {
		r.reporter.Count(s, int64(n))
	}
}

// Report hands on a diagnostic that does not make the pass fail. An error is returned from Pass.Run instead, or, when
// the pass has several, reported here before it returns one.
func (r *Run) Report(d *ir.Diagnostic) { r.reporter.Report(d) }

// Explains reports whether somebody asked for decisions, for passes that would look for what to say.
func (r *Run) Explains() bool {
	// Only some reporters know what the user asked for; all others want nothing explained.
	rep, ok := r.reporter.(interface{ Explains() bool })
	return ok && rep.Explains()
}

// Remarkf reports a remark at a location.
func (r *Run) Remarkf(loc ir.Location, format string, args ...any) {
	r.Report(&ir.Diagnostic{Severity: ir.Remark, Loc: loc, Message: fmt.Sprintf(format, args...)})
}

// Decidef reports a decision as a remark that is no row of the table of remarks (package passes/remark), such as
// a plugin's. It is dropped unless somebody asked for decisions, so a compilation is silent about what works as
// expected.
func (r *Run) Decidef(kind ir.DecisionKind, category string, loc ir.Location, format string, args ...any) {
	r.Report(&ir.Diagnostic{Severity: ir.Remark, Loc: loc, Message: fmt.Sprintf(format, args...), Decision: &ir.Decision{Kind: kind, Category: category, Function: r.Op.SymbolName()}})
}

// Warnf reports a warning at a location.
func (r *Run) Warnf(loc ir.Location, format string, args ...any) {
	r.Report(&ir.Diagnostic{Severity: ir.Warning, Loc: loc, Message: fmt.Sprintf(format, args...)})
}

// SetArtifact leaves a result that is not IR, such as the text of a PTX module ("ptx"). A later run replaces it.
func (r *Run) SetArtifact(name string, a Artifact) { r.reporter.Artifact(name, a) }

// Unchanged reports whether the pass has changed nothing so far, so that all analyses stay valid.
func (r *Run) Unchanged() bool { return !r.Op.Erased() && r.Op.Changes() == r.before }

// OptionsOf returns the options of the run as the pass's type.
func OptionsOf[T any](r *Run) *T { return r.Options.(*T) }
