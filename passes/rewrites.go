package passes

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/rewrite"
)

// A Rewrites numbers the rewrites of a run: changes that may be left out one by one, from the last to the first, without harm to what the pass promises. It is
// what traces of rewrites and the search for a wrong one are made of, as debug counters and -opt-bisect-limit are in LLVM.
type Rewrites interface {
	// More reports whether there may be another one.
	More() bool
	// Made is told of each: what it is, and the operation that it is made to.
	Made(what, op string, loc ir.Location)
}

// May reports whether the pass may make a rewrite of op that it has found to be right, and numbers it. A pass asks when nothing but the change itself is left to
// do, and makes it if it may:
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

// Rewrite applies patterns inside the operation that the pass runs on. Each application is a rewrite, and so is each fold.
func (r *Run) Rewrite(patterns *rewrite.Set, cfg rewrite.Config) rewrite.Result {
	if r.Rewrites != nil {
		cfg.More, cfg.Trace = r.Rewrites.More, r.Rewrites.Made
	}
	return rewrite.Apply(r.Op, patterns, cfg)
}
