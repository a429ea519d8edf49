package hoistaddresses

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/integers"
	"github.com/tilewright/tilewright/passes/property"
)

var numHoisted = passes.NewStatistic("hoisted", "addresses whose invariant part is computed before the loop")

// Pass is tileaa-hoist-addresses.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileaa-hoist-addresses",
	Summary:  "hoist loop-invariant parts of addresses",
	Doc:      "Splits the offset of a pointer in a loop into terms that change there and invariant ones, and adds the latter to the pointer before the loop. Products of the sum of a row and a column are split too.",
	Requires: []*passes.Property{property.TileAA},
	Destroys: []*passes.Property{property.Canonical},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "licm#tileaa", Reason: "what is invariant must be before the loop to be seen"},
		{Pass: "tileaa-attach-facts", Reason: "what is known of an address is easier to see in one sum"},
	},
	Before: []passes.Edge{
		{Pass: "tileaa-version-loops", Reason: "versions of a loop share what is before it"},
		{Pass: "convert-tileaa-to-tileas", Reason: "layouts follow from who uses what"},
	},
	Statistics: []*passes.Statistic{numHoisted},
	Uses:       []*passes.Analysis{integers.Ranges.Analysis},
	Run:        run,
})

func run(r *passes.Run) error {
	var addresses []ir.Op
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileaa.Level.AddPtr) && ir.BitWidth(ir.ElementType(op.Operand(1).Type())) == 64 {
			addresses = append(addresses, op)
		}
		return ir.Advance
	})
	h := &hoister{may: r.May, ranges: integers.Ranges.Get(r), apart: make(map[ir.Op]bool)}
	n := 0
	for _, op := range addresses {
		for op = h.hoist(op); !op.IsNil(); op = h.hoist(op) { // out of one loop after the other
			n++
		}
	}
	h.sweep(r.Op)
	r.Add(numHoisted, n)
	return nil
}

type hoister struct {
	may    func(what string, op ir.Op) bool
	ranges *intrange.Ranges
	apart  map[ir.Op]bool // what was taken apart
}

// hoist computes the invariant part of an address before the loop around it, and returns the operation that does;
// a zero Op if there is nothing to gain. It notes what it takes apart.
func (h *hoister) hoist(op ir.Op) ir.Op {
	loop, ok := loopAround(op)
	if !ok || !loop.IsInvariant(op.Operand(0)) || loop.IsInvariant(op.Operand(1)) {
		return ir.Op{}
	}
	s := splitter{loop: loop, ranges: h.ranges}
	t := s.split(op.Operand(1))
	// A sum without a changing term is licm's.
	if len(s.apart) > mostTerms || len(t.fixed) == 0 || len(t.changing) == 0 || !h.may("hoist-address", op) {
		return ir.Op{}
	}
	for _, s := range s.apart {
		h.apart[s] = true
	}
	before, here := ir.BuilderBefore(loop.Op), ir.BuilderBefore(op)
	before.Loc, here.Loc = op.Loc(), op.Loc()
	front := before.Create(tileaa.Level.AddPtr, []ir.Value{op.Operand(0), sum(before, t.fixed)}, op.ResultTypes())
	op.SetOperand(1, sum(here, t.changing))
	op.SetOperand(0, front.Result(0))
	return front
}

// loopAround returns the innermost loop that an operation is in.
func loopAround(op ir.Op) (loop ir.Loop, ok bool) {
	for p := op.ParentOp(); !p.IsNil() && !p.HasTrait(ir.IsolatedFromAbove); p = p.ParentOp() {
		if describe, loops := ir.LoopLike.Of(p); loops {
			return describe(p), true
		}
	}
	return loop, false
}

// sweep erases what was taken apart and nothing uses any more.
func (h *hoister) sweep(root ir.Op) {
	var list []ir.Op
	root.Walk(func(op ir.Op) ir.WalkResult {
		if h.apart[op] {
			list = append(list, op)
		}
		return ir.Advance
	})
	for _, op := range slices.Backward(list) {
		if !op.HasUses() {
			op.Erase()
		}
	}
}
