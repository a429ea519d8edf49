package prunetokens

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
)

// A walk goes backwards from a token, along the original tokens, and collects those that must be kept.
type walk struct {
	*pruner
	// needs reports whether an access before must be kept, when it and what walks are executed in the same iteration
	// of a loop.
	needs   func(x, loop ir.Op) bool
	kept    []ir.Value
	skipped bool // an access was not needed
}

// from walks from a token that is used in a loop.
func (w *walk) from(token ir.Value, loop ir.Op) {
	type item struct {
		v    ir.Value
		loop ir.Op
	}
	seen := w.seen.again()
	work := []item{{token, loop}}
	for len(work) > 0 {
		it := work[len(work)-1]
		work = work[:len(work)-1]
		if w.steps--; !seen.add(it.v) || w.steps < 0 {
			continue
		}
		next := func(vs []ir.Value, loop ir.Op) {
			for _, v := range vs {
				work = append(work, item{v, loop})
			}
		}
		n := w.node(it.v)
		if n.joined {
			next(n.from, it.loop)
			continue
		}
		if n.merged {
			if outside, loop, ok := w.past(it.v, it.loop); ok {
				next(outside, loop)
			} else {
				w.kept = append(w.kept, it.v)
			}
			continue
		}
		def := n.access
		if def.IsNil() {
			w.kept = append(w.kept, it.v) // of an origin that is not known
			continue
		}
		needed := w.needs(def, it.loop)
		if needed {
			w.kept = append(w.kept, it.v)
		} else {
			w.skipped = true
		}
		// A full access that is kept covers everything before it.
		if !n.before.IsNil() && !(needed && w.full[def]) {
			work = append(work, item{n.before, it.loop})
		}
	}
}

// past goes past a merge. It returns the tokens from outside of the merge's operation that go into it, and the
// loop whose iteration they share with the access that walks. It returns false if an access inside must be kept.
//
//	%t2 = if %c { %a = load %p token %t0; yield %a } else { yield %t0 }      a store to %q with token %t2 takes %t0
//
// The accesses inside of a loop are those of other iterations too, so they are compared as such (loop).
func (w *walk) past(merge ir.Value, loop ir.Op) (outside []ir.Value, shared ir.Op, ok bool) {
	owner := merge.DefiningOp()
	if owner.IsNil() {
		owner = merge.Block().ParentOp()
		loop = ir.LoopAround(owner, false) // it may come from an earlier iteration
	}
	seen := w.passed.again()
	work := []ir.Value{merge}
	skipped := false
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if w.steps--; !seen.add(v) || w.steps < 0 {
			continue
		}
		if v != merge && !inside(v, owner) {
			outside = append(outside, v)
			continue
		}
		if from, ok := tokens.Joined(v); ok {
			work = append(work, from...)
			continue
		}
		if from, ok := w.graph.Merged(v); ok {
			work = append(work, from...)
			continue
		}
		def := v.DefiningOp()
		if def.IsNil() || !tokens.Access(def) || w.needs(def, loop) {
			return nil, ir.Op{}, false
		}
		skipped = true
		if before := tokens.Of(def); !before.IsNil() {
			work = append(work, before)
		}
	}
	w.skipped = w.skipped || skipped
	return outside, loop, true
}

// inside reports whether a token is a result of an operation or made in its regions.
func inside(v ir.Value, owner ir.Op) bool {
	return v.DefiningOp() == owner || v.IsInside(owner)
}
