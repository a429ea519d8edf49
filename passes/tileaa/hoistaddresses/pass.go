package hoistaddresses

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
)

var numHoisted = passes.NewStatistic("hoisted", "addresses whose invariant part is computed before the loop")

// Pass is tileaa-hoist-addresses.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileaa-hoist-addresses",
	Summary:  "hoist loop-invariant parts of addresses",
	Doc:      "Splits the offset of a pointer in a loop into terms that change there and invariant ones, and adds the latter to the pointer before the loop.",
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
	Run:        run,
})

// mostTerms bounds the work for one offset.
const mostTerms = 16

func run(r *passes.Run) error {
	var addresses []ir.Op
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileaa.Level.AddPtr) && ir.BitWidth(ir.ElementType(op.Operand(1).Type())) == 64 {
			addresses = append(addresses, op)
		}
		return ir.Advance
	})
	n, apart := 0, make(map[ir.Op]bool)
	for _, op := range addresses {
		for op = hoist(r, op, apart); !op.IsNil(); op = hoist(r, op, apart) { // out of one loop after the other
			n++
		}
	}
	sweep(r.Op, apart)
	r.Add(numHoisted, n)
	return nil
}

// hoist computes the invariant part of an address before the loop around it, and returns the operation that does;
// a zero Op if there is nothing to gain. It notes the sums that it splits.
func hoist(r *passes.Run, op ir.Op, apart map[ir.Op]bool) ir.Op {
	loop, ok := loopAround(op)
	if !ok || !loop.IsInvariant(op.Operand(0)) || loop.IsInvariant(op.Operand(1)) {
		return ir.Op{}
	}
	var t terms
	// A sum without a changing term is licm's.
	if !t.add(loop, op.Operand(1)) || len(t.fixed) == 0 || len(t.changing) == 0 || !r.May("hoist-address", op) {
		return ir.Op{}
	}
	for _, s := range t.sums {
		apart[s] = true
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

// terms are those of a sum, and the additions that it consists of.
type terms struct {
	fixed, changing []ir.Value
	sums            []ir.Op
}

// add splits a sum into terms, and reports whether it did so within bounds.
func (t *terms) add(loop ir.Loop, v ir.Value) bool {
	def := v.DefiningOp()
	switch {
	case loop.IsInvariant(v):
		t.fixed = append(t.fixed, v)
	case !def.IsNil() && def.Is(arith.AddI):
		t.sums = append(t.sums, def)
		return len(t.sums) < mostTerms && t.add(loop, def.Operand(0)) && t.add(loop, def.Operand(1))
	default:
		t.changing = append(t.changing, v)
	}
	return true
}

func sum(b *ir.Builder, terms []ir.Value) ir.Value {
	v := terms[0]
	for _, t := range terms[1:] {
		v = b.Create(arith.AddI, []ir.Value{v, t}, []ir.Type{v.Type()}).Result(0)
	}
	return v
}

// sweep erases additions that nothing uses any more.
func sweep(root ir.Op, apart map[ir.Op]bool) {
	var list []ir.Op
	root.Walk(func(op ir.Op) ir.WalkResult {
		if apart[op] {
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
