package deferwaits

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
)

var numDeferred = passes.NewStatistic("deferred", "sums that stay under way to the end of their chain")

// Pass is tileas-defer-waits.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-defer-waits",
	Title:    "TileASDeferWaits",
	Summary:  "wait for sums of asynchronous products behind the end of a chain",
	Doc:      "Lets a sum that only the next product of its chain takes stay under way, through what loops carry too, and waits for it where something else takes it.",
	On:       "nv_tileas.func",
	Requires: []*passes.Property{property.TileAS, property.LayoutsAssigned},
	Steps:    []passes.Step{{MinOpt: 1}},
	After: []passes.Edge{
		{Pass: "tileas-materialize-copies", Reason: "buffers that products take are made with the copies"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-schedule-loops", Reason: "a wait in an iteration is a part of it"},
	},
	Destroys:   []*passes.Property{property.Synchronised},
	Statistics: []*passes.Statistic{numDeferred},
	Run:        run,
})

func run(r *passes.Run) error {
	var waits []ir.Op
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.DotWait) && op.NumOperands() > 0 {
			waits = append(waits, op)
		}
		return ir.Advance
	})
	deferred := 0
	for _, w := range waits {
		for i := w.NumOperands() - 1; i >= 0; i-- {
			if c, ok := chainOf(w, i); ok && r.May("defer", w) {
				w = c.deferIt()
				deferred++
			}
		}
	}
	r.Add(numDeferred, deferred)
	if deferred == 0 {
		r.MarkUnchanged()
	}
	return nil
}

// A chain is how a sum goes on from a wait to products that add to it.
type chain struct {
	wait  ir.Op
	index int // of the sum, among what is waited for
	// loop carries the sum, as its argument-th value; a zero Op where it goes on in its block alone.
	loop     ir.Op
	argument int
}

// chainOf returns the chain of a sum, ok is false if something else than a product of the same instruction takes it.
func chainOf(wait ir.Op, index int) (c chain, ok bool) {
	c = chain{wait: wait, index: index}
	product := wait.Operand(index).DefiningOp()
	if product.IsNil() || !product.Is(tileas.DotAsync) || product.Block() != wait.Block() {
		return c, false
	}
	instruction := tileas.MMAOf(product)
	adds := func(u ir.Use) bool {
		return u.Owner().Is(tileas.DotAsync) && tileas.IsAccumulator(u) && tileas.MMAOf(u.Owner()) == instruction && u.Owner().Block() == wait.Block()
	}
	// One product goes on where the sum is, and once: a second one, or one in a loop inside, needs a copy of it, which none can be made of while it is under way.
	sum, loop := wait.Result(index), wait.ParentOp()
	switch {
	case !sum.HasOneUse():
		return c, false
	case adds(sum.FirstUse()):
		return c, true
	case !loop.Is(scf.For) || sum.FirstUse().Owner() != loop.Body().Last():
		return c, false
	}
	c.loop, c.argument = loop, sum.FirstUse().Index()
	carried := loop.Body().Arg(1 + c.argument)
	return c, carried.HasOneUse() && adds(carried.FirstUse()) && only(loop)
}

// only reports whether a loop ends its iterations at the end of its body alone.
func only(loop ir.Op) bool {
	one := true
	loop.Walk(func(op ir.Op) ir.WalkResult {
		if op != loop.Body().Last() && op.HasTrait(ir.Terminator) && ir.ExitTarget(op) == loop {
			one = false
			return ir.Interrupt
		}
		return ir.Advance
	})
	return one
}

// deferIt lets the sum go on under way, and waits for it behind the loop that carries it. It returns the wait for the other sums, and for buffers.
func (c chain) deferIt() ir.Op {
	result := c.wait.Result(c.index)
	result.ReplaceAllUsesWith(c.wait.Operand(c.index))
	if !c.loop.IsNil() {
		if sum := c.loop.Result(c.argument); sum.HasUses() {
			uses := slices.Collect(sum.Uses())
			behind := ir.BuilderBefore(c.loop.Next())
			behind.Loc = c.wait.Loc()
			done := waitFor(behind, []ir.Value{sum})
			for _, u := range uses {
				u.Owner().SetOperand(u.Index(), done.Result(0))
			}
		}
	}
	b := ir.BuilderBefore(c.wait)
	b.Loc = c.wait.Loc()
	rest := slices.Delete(c.wait.Operands(), c.index, c.index+1)
	made := waitFor(b, rest)
	made.SetAttr(tileas.AttrPending, c.wait.Attr(tileas.AttrPending))
	for i, r := range slices.Delete(c.wait.Results(), c.index, c.index+1) {
		r.ReplaceAllUsesWith(made.Result(i))
	}
	c.wait.Erase()
	return made
}

// waitFor makes a wait that leaves nothing under way.
func waitFor(b *ir.Builder, products []ir.Value) ir.Op {
	var types []ir.Type
	for _, v := range products {
		types = append(types, v.Type())
	}
	return b.Create(tileas.DotWait, products, types, ir.NamedAttr{Name: tileas.AttrPending, Value: b.Context().IntAttr(b.Context().Int(32), 0)})
}
