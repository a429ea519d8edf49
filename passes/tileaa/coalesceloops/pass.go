package coalesceloops

import (
	"math/bits"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/integers"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
)

var numCoalesced = passes.NewStatistic("num-coalesced", "loops that became part of the loop around them")

// Pass is tileaa-coalesce-loops.
var Pass = passes.Register(&passes.Pass{
	Name:    "tileaa-coalesce-loops",
	Summary: "make one loop of two loops around an MMA",
	Doc: `The iterations of an inner loop with an MMA, in all iterations of the outer one, become those of one loop. Its counter
divided by the trip count of the inner loop gives both counters. The outer loop may compute only scalars beside the inner one.`,
	Requires: []*passes.Property{property.TileAA},
	Destroys: []*passes.Property{property.Canonical},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "licm#tileaa", Reason: "tiles that only the outer loop changes are computed there, and are not to be repeated"},
	},
	Before: []passes.Edge{
		{Pass: "tileaa-partition-cluster", Reason: "CTAs of a cluster share the loads of one loop"},
		{Pass: "tileaa-hoist-addresses", Reason: "it splits addresses by what the loop around them changes"},
	},
	Statistics: []*passes.Statistic{numCoalesced},
	Uses:       []*passes.Analysis{integers.Ranges.Analysis},
	Run:        run,
})

func run(r *passes.Run) error {
	var nests [][]ir.Loop
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if !op.Is(scf.For) {
			return ir.Advance
		}
		if loops := nestAt(op); len(loops) > 1 {
			nests = append(nests, loops)
			return ir.SkipBelow
		}
		return ir.Advance
	})
	ranges := integers.Ranges.Get(r)
	for _, loops := range nests {
		outer := loops[0]
		trips, ok := ranges.MostTrips(outer)
		for _, inner := range loops[1:] {
			most, runs := ranges.MostTrips(inner)
			high, all := bits.Mul64(trips, most)
			// All iterations must have a number of the counter's type. Otherwise the inner loop may be one with those in it.
			if !ok || !runs || high != 0 || all>>(ir.BitWidth(outer.IndVar.Type())-1) != 0 || !r.May("coalesce-loops", inner.Op) {
				outer, trips, ok = inner, most, runs
				continue
			}
			remark.LoopsCoalesced.At(r, inner.Op.Loc(), "this loop and the one around it are one loop").Report()
			coalesce(outer, inner)
			r.Add(numCoalesced, 1)
			trips = all
		}
	}
	return nil
}

// nestAt returns a loop and those in it, the innermost last, that can be one loop around an MMA.
func nestAt(op ir.Op) (loops []ir.Loop) {
	for {
		describe, _ := ir.LoopLike.Of(op)
		l := describe(op)
		if len(loops) > 0 && !fits(loops[0], loops[len(loops)-1], l) {
			return nil
		}
		loops = append(loops, l)
		if op = onlyLoop(l); op.IsNil() {
			break
		}
	}
	if !accumulates(loops[len(loops)-1]) {
		return nil
	}
	return loops
}

// onlyLoop returns the loop in a loop that computes only scalars beside it; nil if there is none.
func onlyLoop(l ir.Loop) (inner ir.Op) {
	body := l.Body.First()
	for op := range body.Ops() {
		switch {
		case op.Is(scf.For) && inner.IsNil():
			inner = op
		case op != body.Last() && !scalar(op):
			return ir.Op{}
		}
	}
	return inner
}

// scalar reports whether an operation computes only scalars, and may be computed again.
func scalar(op ir.Op) bool {
	for _, t := range op.ResultTypes() {
		if tile.Shape(t) != nil {
			return false
		}
	}
	return op.NumRegions() == 0 && ir.IsPure(op)
}

// fits reports whether a loop can be one with the loop around it: it carries what that one carries, and its bounds are
// the same in all iterations of the outermost one.
func fits(outermost, outer, inner ir.Loop) bool {
	if outer.NumIterArgs != inner.NumIterArgs || outer.Unsigned || inner.Unsigned || outer.IndVar.Type() != inner.IndVar.Type() {
		return false
	}
	for _, bound := range []ir.Value{inner.Lower, inner.Upper, inner.Step} {
		if !outermost.IsInvariant(bound) {
			return false
		}
	}
	end := outer.Body.First().Last()
	for i := range inner.NumIterArgs {
		arg, result := outer.IterArg(i), inner.Result(i)
		if inner.Init(i) != arg || !arg.HasOneUse() || end.Operand(i) != result || !result.HasOneUse() {
			return false
		}
	}
	return true
}

// accumulates reports whether a loop carries the accumulator of an MMA, and ends its iterations in one place.
func accumulates(l ir.Loop) bool {
	end := l.Body.First().Last()
	return end.Is(scf.Continue) && slices.ContainsFunc(end.Operands(), func(v ir.Value) bool {
		def := v.DefiningOp()
		return !def.IsNil() && tile.IsMMA(def)
	})
}

// coalesce moves the body of an inner loop to the outer one, which gets the iterations of both.
func coalesce(outer, inner ir.Loop) {
	before := ir.BuilderBefore(outer.Op)
	before.SetLocOf(outer.Op)
	of, in := scf.BoundsOf(outer.Op), scf.BoundsOf(inner.Op)
	trips, zero, one := in.TripCount(before), in.Constant(before, 0), in.Constant(before, 1)
	all := arith.New(before, arith.MulI, of.TripCount(before), trips)
	by := trips
	if _, known := scf.Trips(inner.Op); !known { // no division by 0, even in an iteration that is computed too early
		by = arith.New(before, arith.MaxSI, trips, one)
	}
	for i, bound := range []ir.Value{zero, all, one} {
		outer.Op.SetOperand(i, bound)
	}

	body, counter := outer.Body.First(), outer.IndVar
	start := ir.BuilderBefore(body.First())
	start.SetLocOf(outer.Op)
	t := body.AddArg(counter.Type()) // stands for the new counter until the uses of the old one are gone
	counter.ReplaceAllUsesWith(of.Counter(start, arith.New(start, arith.DivUI, t, by)))
	inner.IndVar.ReplaceAllUsesWith(in.Counter(start, arith.New(start, arith.RemUI, t, by)))
	t.ReplaceAllUsesWith(counter)
	body.EraseArg(body.NumArgs() - 1)

	from := inner.Body.First()
	end := from.Last()
	for i := range inner.NumIterArgs {
		inner.IterArg(i).ReplaceAllUsesWith(outer.IterArg(i))
		inner.Result(i).ReplaceAllUsesWith(end.Operand(i))
	}
	for op := from.First(); op != end; op = from.First() {
		op.MoveBefore(inner.Op)
	}
	inner.Op.Erase()
}
