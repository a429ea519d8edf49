package tileaaprop

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/provenance"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/alias"
)

// objectsAttached checks that each access names all objects that its pointers can be derived from. It may name
// more, and anything in unreachable code. Different allocas must have different numbers.
//
// For a load of a pointer that is %arg0 + i or an alloca, `objects<arg 0>` is an error, since the alloca is
// missing. `objects<arg 0, arg 1, alloca 0>` is correct, only less precise.
//
// The analysis runs on the current IR: what the access says is not believed.
func objectsAttached(fn ir.Op, _ *passes.Target) (found *ir.Diagnostic) {
	facts := provenance.Analyze(fn)
	number := make(map[tile.ObjectRef]int)
	for i, o := range facts.Objects {
		ref := alias.Ref(o)
		if k, ok := number[ref]; ok {
			return o.Value.DefiningOp().Errorf("has the same number as another alloca: %d", ref.Index).Note(facts.Objects[k].Value.DefiningOp().Loc(), "the other one")
		}
		number[ref] = i
	}
	fn.Walk(func(op ir.Op) ir.WalkResult {
		p := tile.Pointer(op)
		if p.IsNil() || op.Dialect() != tileaa.Dialect {
			return ir.Advance
		}
		a := tile.ObjectsOf(op)
		if a == nil {
			found = op.Errorf("does not name the memory objects that it may touch")
			return ir.Interrupt
		}
		// The pointers of unreachable code may have been hoisted to reachable code. They then lead to objects
		// that were not known when the access got its names.
		if !facts.Reached(op) {
			return ir.Advance
		}
		var said provenance.Set
		if a.Unknown {
			said = provenance.Elsewhere
		}
		for _, ref := range a.Objects {
			if i, ok := number[ref]; ok {
				said |= 1 << i
			}
		}
		if missing := facts.Pointer(p) &^ said; missing != 0 {
			found = op.Errorf("names the memory objects %s, but its pointers may lead to others: %s", ir.AttrString(a), facts.Text(missing))
			return ir.Interrupt
		}
		return ir.Advance
	})
	return found
}
