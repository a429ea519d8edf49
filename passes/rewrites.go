package passes

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/rewrite"
)

// A Rewrites numbers the rewrites of a run. A rewrite is a change that may be omitted, from the last to the
// first, without breaking what the pass promises. Traces of rewrites and the search for a wrong one are built on
// it, like debug counters and -opt-bisect-limit in LLVM.
type Rewrites interface {
	// More reports whether there may be another one.
	More() bool
	// Made is called for each rewrite, with what it is and the operation that it changes.
	Made(what, op string, loc ir.Location)
}

// May reports whether the pass may make a rewrite of op that it has found to be correct, and numbers it. A pass
// asks when only the change itself is left to do:
//
//	if dead(op) && r.May("erase-dead", op) {
//		op.Erase()
//	}
func (r *Run) May(what string, op ir.Op) bool {
	if r.Rewrites == nil {
		return true
	}
	if !r.Rewrites.More() {
		return false
	}
	r.Rewrites.Made(what, op.Name(), op.Loc())
	return true
}

// Rewrite applies patterns inside the operation that the pass runs on. Each application is a rewrite, and so is
// each fold.
func (r *Run) Rewrite(patterns *rewrite.Set, cfg rewrite.Config) rewrite.Result {
	if r.Rewrites != nil {
		cfg.More, cfg.Trace = r.Rewrites.More, r.Rewrites.Made
	}
	return rewrite.Apply(r.Op, patterns, cfg)
}
