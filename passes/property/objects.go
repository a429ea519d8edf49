package property

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/provenance"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/alias"
)

// objectsAttached asks that each access names all the objects that its pointers can be derived from. It may name more, and anything where control never comes. Allocations that are told apart have different
// numbers.
//
// For load of a pointer chosen between %arg0 + i and an alloca: `objects<arg 0>` is an error, since the alloca
// is missing; `objects<arg 0, arg 1, alloca 0>` is none, only less sharp.
//
// The analysis is made anew, from the IR as it is: what the access says is believed as little as any attribute.
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
		// What its pointers are computed from may have been hoisted to where control does come, and then leads to objects that were not known when the access was given its names.
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
