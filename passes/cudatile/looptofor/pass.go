package looptofor

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/integers"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
)

var (
	numRaised   = passes.NewStatistic("num-raised", "loops that became a for")
	numAround   = passes.NewStatistic("num-kept-around", "loops among them that stay around the for, since the counter may wrap around")
	numBeside   = passes.NewStatistic("num-beside", "loops whose other counters are computed from their own")
	numUnfolded = passes.NewStatistic("num-unfolded", "loops that run once, and became their bodies")
	numEarly    = passes.NewStatistic("num-early", "kernels whose early returns became ifs")
	numRejected = passes.NewStatistic("num-rejected", "loops without a counter")
)

// Pass is the pass.
var Pass = passes.Register(&passes.Pass{
	Name:    "loop-to-for",
	Summary: "raise loops that count to for",
	Doc: `Replaces a loop that runs once by its body, and early breaks and returns by ifs. Raises a loop to a for if its head compares a counter with an invariant bound, and leaves. If the counter might
wrap around, the loop stays around the for and tests again. A remark says of any other loop why it has no counter.
What a for counts beside its own counter is computed from that, if both steps are constant powers of two.`,
	Requires: []*passes.Property{property.CudaTile},
	Destroys: []*passes.Property{property.Canonical}, // the condition is left, and nothing uses it
	Steps: []passes.Step{{MinOpt: 2, After: []passes.Edge{
		{Pass: "canonicalize", Reason: "conditions have fewer forms then"},
		{Pass: "cse", Reason: "equal numbers are added by one value"},
		{Pass: "licm", Reason: "bounds are before the loop"},
	}, Before: []passes.Edge{{Pass: "loop-split", Reason: "it splits a for"}}}},
	Statistics: []*passes.Statistic{numRaised, numAround, numBeside, numUnfolded, numEarly, numRejected},
	Uses:       []*passes.Analysis{integers.Ranges.Analysis},
	Run:        run,
})

func run(r *passes.Run) error {
	var loops, once, sums []ir.Op
	r.Op.WalkPost(func(op ir.Op) { // inner ones first
		switch {
		case op.Is(cudatile.For) && endsAtSum(op):
			sums = append(sums, op)
		case !op.Is(cudatile.Loop):
		case runsOnce(op):
			once = append(once, op)
		default:
			loops = append(loops, op)
		}
	})
	unfoldThis := func(loop ir.Op) {
		if r.May("unfold", loop) {
			r.Add(numUnfolded, 1)
			unfold(loop)
		}
	}
	for _, loop := range once {
		unfoldThis(loop)
	}
	if r.Op.Is(cudatile.Entry) && endsEarly(r.Op) && r.May("single-return", r.Op) {
		r.Add(numEarly, 1)
		toIfs(r.Op.Body(), r.Op, cudatile.Return)
	}
	if len(loops)+len(sums) == 0 {
		countsBeside(r)
		return nil
	}
	known := integers.Ranges.Get(r)
	for _, loop := range sums {
		if oneTrip(loop, known) {
			unfoldThis(loop)
		}
	}
	// All are found before any changes: ranges are those of the unchanged IR. That one loop is a for makes no
	// other loop countable.
	found, replaced := make(map[ir.Op]*counted), make(map[ir.Value]ir.Value)
	for _, loop := range loops {
		c, err := find(loop, known, replaced)
		if err != nil {
			remark.LoopUncounted.At(r, loop.Loc(), "loop has no counter, so that it is not pipelined: %v", err).Arg(remark.ReasonKey, err.Error()).
				Cure("write it as a for over a range that is known when it begins, and compute what comes after the break under a condition").Report()
			r.Add(numRejected, 1)
			continue
		}
		found[loop] = c
	}
	for _, loop := range loops {
		c := found[loop]
		if c == nil || !r.May("raise", loop) {
			continue
		}
		r.Add(numRaised, 1)
		if c.wraps {
			r.Add(numAround, 1)
			remark.LoopCounted.At(r, loop.Loc(), "loop counts, and is a for, in a loop for the case that its counter wraps around").Report()
		} else {
			remark.LoopCounted.At(r, loop.Loc(), "loop counts, and is a for").Report()
		}
		c.raise()
	}
	countsBeside(r)
	return nil
}

// countsBeside replaces further counters of all loops that are a for.
func countsBeside(r *passes.Run) {
	r.Op.WalkPost(func(op ir.Op) {
		if op.Is(cudatile.For) && beside(op) {
			r.Add(numBeside, 1)
		}
	})
}

// width returns the numbers of a counter's type.
func width(v ir.Value) int { return ir.BitWidth(ir.ElementType(v.Type())) }

// rangeOf returns what is known of a number.
func rangeOf(known *intrange.Ranges, v ir.Value) intrange.Range { return known.Of(v) }
