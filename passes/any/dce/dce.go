package dce

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/dominance"
	"github.com/tilewright/tilewright/passes/property"
)

var (
	numErased = passes.NewStatistic("num-erased", "dead operations erased")
	numBlocks = passes.NewStatistic("num-blocks-erased", "unreachable blocks erased")
)

// Pass is the pass.
var Pass = passes.Register(&passes.Pass{
	Name:    "dce",
	Summary: "erase dead operations and unreachable blocks",
	Doc: `Erases operations without uses that only compute, read, or allocate memory that nothing accesses, then those
that only they used, and so on. It also erases blocks that control cannot reach from the entry of their region.`,
	Steps: []passes.Step{
		{Label: "tileaa", Level: property.TileAA, MinOpt: 1, After: []passes.Edge{
			{Pass: "tileaa-eliminate-loads", Reason: "the addresses of loads that are gone may be dead"},
			{Pass: "tileaa-eliminate-dead-stores", Reason: "what was computed to be stored may be dead"},
			{Pass: "tileaa-prune-tokens", Reason: "a load of which only the token was used may be dead"},
		}, Before: []passes.Edge{{Pass: "licm#tileaa", Reason: "dead operations need no moving"}}},
	},
	Statistics: []*passes.Statistic{numErased, numBlocks},
	Uses:       []*passes.Analysis{dominance.Analysis.Analysis},
	Run:        run,
})

func run(r *passes.Run) error {
	dom := dominance.Analysis.Get(r)
	e := &eraser{dom: dom, may: r.May}
	for i := range r.Op.NumRegions() {
		e.region(r.Op.Region(i))
	}
	r.Add(numErased, e.ops)
	r.Add(numBlocks, e.blocks)
	return nil
}

type eraser struct {
	dom         *ir.Dominance
	may         func(what string, op ir.Op) bool
	ops, blocks int
}

// region first frees a region of blocks that are not reachable, since they may use values, and then goes through the
// others backwards, users before what they use.
//
// Backwards, one walk is enough for straight code: when a definition is reached, its users are gone already.
func (e *eraser) region(r ir.Region) {
	if r.Empty() {
		return
	}
	if !r.HasOneBlock() {
		e.unreachable(r)
	}
	// What is dead only in a cycle stays: a value that a loop carries to nobody but itself has a use. That takes an
	// analysis of liveness, not of uses.
	for b := r.Last(); !b.IsNil(); b = b.Prev() {
		for op := b.Last(); !op.IsNil(); {
			for i := range op.NumRegions() {
				e.region(op.Region(i)) // may erase operations before op, which only what is inside used
			}
			if ir.IsTriviallyDead(op) && e.may("erase-dead", op) {
				op = e.erase(op, op.Prev())
			} else {
				op = op.Prev()
			}
		}
	}
}

// The uses are dropped first and the blocks erased then, because unreachable blocks may use each other's values
// in any order, also in a cycle.
func (e *eraser) unreachable(r ir.Region) {
	var dead []ir.Block
	for b := range r.Blocks() {
		if !e.dom.Reachable(b) {
			dead = append(dead, b)
		}
	}
	if dead == nil || !e.may("erase-unreachable", r.Op()) {
		return
	}
	for _, b := range dead {
		// Other unreachable blocks may use what this one defines.
		for op := range b.Ops() {
			e.ops++
			for i := range op.NumResults() {
				dropUses(op.Result(i))
			}
		}
		for _, arg := range b.Args() {
			dropUses(arg)
		}
	}
	for _, b := range dead {
		b.Erase()
		e.blocks++
	}
	e.dom.Invalidate(r)
}

// dropUses leaves the users of v without operands. It is for users that are about to be erased.
func dropUses(v ir.Value) {
	for u := v.FirstUse(); !u.IsNil(); u = v.FirstUse() {
		u.Owner().SetOperands(nil)
	}
}

// erase erases an operation and what only it used. It returns the operation to go on with: next, or one before it
// that is still there. Blocks need not be in the order of dominance, so a definition may have been passed
// before its last user goes; hence the list.
func (e *eraser) erase(op, next ir.Op) ir.Op {
	dead := []ir.Op{op}
	for len(dead) > 0 {
		op := dead[len(dead)-1]
		dead = dead[:len(dead)-1]
		if op == next {
			next = op.Prev()
		}
		operands := op.Operands()
		op.Erase()
		e.ops++
		for i, v := range operands {
			if def := v.DefiningOp(); !def.IsNil() && !repeated(operands[:i], v) && ir.IsTriviallyDead(def) && e.may("erase-dead", def) {
				dead = append(dead, def)
			}
		}
	}
	return next
}

// repeated reports whether an operation that defines v was among the operands before.
//
// A definition with two results that one operation uses both of would be erased twice.
func repeated(before []ir.Value, v ir.Value) bool {
	for _, w := range before {
		if w.DefiningOp() == v.DefiningOp() {
			return true
		}
	}
	return false
}
