package keepmmainflight

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
)

var numDeferred = passes.NewStatistic("deferred", "accumulators that stay in flight until the end of their chain")

// Pass is tileas-keep-mma-in-flight.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-keep-mma-in-flight",
	Formerly: []string{"tileas-defer-waits"},
	Summary:  "keep accumulators in flight across an MMA chain",
	Doc:      "Removes the wait between two MMAs of a chain, also across iterations of a loop. The wait moves to the first use that is not the next MMA.",
	Requires: []*passes.Property{property.TileAS, tileasprop.LayoutsAssigned},
	Steps:    []passes.Step{{MinOpt: 1}},
	After: []passes.Edge{
		{Pass: "tileas-materialize-copies", Reason: "it creates the buffers that MMAs read"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-schedule-loops", Reason: "waits inside a loop are part of its schedule"},
	},
	Destroys:   []*passes.Property{tileasprop.Synchronised},
	Statistics: []*passes.Statistic{numDeferred},
	Run:        run,
})

func run(r *passes.Run) error {
	deferred := 0
	for _, w := range r.Op.Collect(tileas.DotWait.Is) {
		// From the last operand on, so that removing one does not renumber those that follow.
		for i := w.NumOperands() - 1; i >= 0; i-- {
			if c, ok := chainOf(w, i); ok && r.May("defer", w) {
				w = c.keepInFlight()
				deferred++
			}
		}
	}
	r.Add(numDeferred, deferred)
	return nil
}

// A chain is the way of an accumulator from a wait to the MMA that adds to it.
type chain struct {
	wait  ir.Op
	index int // of the accumulator, among the operands of the wait
	// loop carries the accumulator as its iter argument number `argument`; a zero Op if the next MMA is in the same
	// block.
	loop     ir.Op
	argument int
}

// chainOf returns the chain of an accumulator; ok is false if anything but one MMA of the same instruction uses it.
func chainOf(wait ir.Op, index int) (c chain, ok bool) {
	c = chain{wait: wait, index: index}
	mma := wait.Operand(index).DefiningOp()
	if mma.IsNil() || !mma.Is(tileas.DotAsync) || mma.Block() != wait.Block() {
		return c, false
	}
	// MMAs of different instructions have different shapes or layouts of the accumulator, and are not ordered.
	instruction := tileas.MMAOf(mma)
	adds := func(u ir.Use) bool {
		return u.Owner().Is(tileas.DotAsync) && tileas.IsAccumulator(u) && tileas.MMAOf(u.Owner()) == instruction && u.Owner().Block() == wait.Block()
	}
	// The MMA updates the accumulator in place. A second use would need a copy, and an accumulator in flight cannot be
	// copied. An MMA in a nested loop would be a use in each of its iterations.
	accumulator, loop := wait.Result(index), wait.ParentOp()
	switch {
	case !accumulator.HasOneUse():
		return c, false
	case adds(accumulator.FirstUse()):
		return c, true
	case !loop.Is(scf.For) || accumulator.FirstUse().Owner() != loop.Body().Last():
		return c, false
	}
	c.loop, c.argument = loop, accumulator.FirstUse().Index()
	// A `break` or an early `continue` could hand on another accumulator, or this one without a wait.
	carried := loop.Body().Arg(1 + c.argument)
	return c, carried.HasOneUse() && adds(carried.FirstUse()) && len(ir.Exits(loop)) == 1
}

// keepInFlight keeps the accumulator in flight, and waits for it after the loop that carries it. It returns the wait
// for the other accumulators and for buffers.
func (c chain) keepInFlight() ir.Op {
	result := c.wait.Result(c.index)
	result.ReplaceAllUsesWith(c.wait.Operand(c.index))
	if !c.loop.IsNil() {
		if accumulator := c.loop.Result(c.argument); accumulator.HasUses() {
			after := ir.BuilderBefore(c.loop.Next()).WithLoc(c.wait.Loc())
			done := tileas.NewDotWait(after, 0, accumulator)
			accumulator.ReplaceUsesIf(done.Result(0), func(u ir.Use) bool { return u.Owner() != done })
		}
	}
	// Even with no accumulator left the wait stays: the MMAs before it have read their buffers there.
	b := ir.BuilderBefore(c.wait).WithLoc(c.wait.Loc())
	rest := slices.Delete(c.wait.Operands(), c.index, c.index+1)
	made := tileas.NewDotWait(b, 0, rest...)
	made.SetAttr(tileas.AttrPending, c.wait.Attr(tileas.AttrPending))
	for i, r := range slices.Delete(c.wait.Results(), c.index, c.index+1) {
		r.ReplaceAllUsesWith(made.Result(i))
	}
	c.wait.Erase()
	return made
}
