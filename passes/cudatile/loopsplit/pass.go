package loopsplit

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
)

// Options are the options of the pass.
type Options struct {
	Threshold int `opt:"split-threshold" help:"how many operations a branch must have, unless it loads, stores, multiplies matrices or the like; 1: any number, 0: never split"`
	MaxGrowth int `opt:"max-growth" help:"end when the operation has grown to so many times its size"`
}

// hint is the attribute that replaces the threshold for the operation that has it.
const hint = "cuda_tile.loop_split"

// minSize is the size below which growth is of no concern, in operations.
const minSize = 1000

var (
	numSplit = passes.NewStatistic("num-split", "loops split")
	numIfs   = passes.NewStatistic("num-ifs-resolved", "conditional operations replaced by one of their regions in each half")
)

// Pass is the pass.
var Pass = passes.Register(&passes.Pass{
	Name:    "loop-split",
	Summary: "split loops where a comparison of the counter changes its result",
	Doc: `Splits a loop in two at the value that its counter is compared with, if an if depends on the comparison. Neither of
the two tests it any more. The attribute cuda_tile.loop_split on an if, a for or the function replaces the threshold.`,
	Options:  func() any { return &Options{Threshold: 1, MaxGrowth: 8} },
	On:       passes.Anything,
	Requires: []*passes.Property{property.CudaTile},
	Destroys: []*passes.Property{property.Canonical}, // ifs with constant conditions are left
	// Most iterations of a loop with a mask or a remainder then neither test nor mask anything, and each half is
	// simplified on its own. The code grows, so this is for the highest level only, where the reference's optimizer
	// has the pass too.
	Steps: []passes.Step{{MinOpt: 3, After: []passes.Edge{
		{Pass: "canonicalize", Reason: "an if that folds needs no second loop"},
		{Pass: "cse", Reason: "ifs share a comparison only if equal ones are merged"},
		{Pass: "licm", Reason: "what both loops would compute is before them, and comparisons are in the loop whose counter they test"},
	}}},
	Statistics: []*passes.Statistic{numSplit, numIfs},
	Prepare: func(_ *ir.Context, options any) (any, error) {
		switch o := options.(*Options); {
		case o.Threshold < 0:
			return nil, fmt.Errorf("option 'split-threshold' must not be negative, but got %d", o.Threshold)
		case o.MaxGrowth < 1:
			return nil, fmt.Errorf("option 'max-growth' must be positive, but got %d", o.MaxGrowth)
		}
		return nil, nil
	},
	Run: run,
})

func run(r *passes.Run) error {
	opts := passes.OptionsOf[Options](r)
	var loops []ir.Op
	// All are listed before any is split, and inner ones come first. A split erases the loop with everything in
	// it, so a listed inner loop would be gone.
	r.Op.WalkPost(func(op ir.Op) {
		if op.Is(cudatile.For) {
			loops = append(loops, op)
		}
	})
	threshold := hinted(r.Op, int64(opts.Threshold))
	size := sizeOf(r.Op)
	base := max(size, minSize)
	for _, loop := range loops {
		s := find(loop, hinted(loop, threshold))
		if s == nil {
			continue
		}
		if size += sizeOf(loop); (size-1)/base >= opts.MaxGrowth { // a product might overflow
			r.Log.Debug().Int("operations", size).Msg("splitting loops hit the limit of growth")
			break
		}
		if !r.May("split", loop) {
			break
		}
		s.apply()
		r.Add(numSplit, 1)
		r.Add(numIfs, len(s.ifs))
	}
	return nil
}

func sizeOf(op ir.Op) int {
	n := 0
	op.Walk(func(ir.Op) ir.WalkResult {
		n++
		return ir.Advance
	})
	return n
}

// hinted returns the threshold that an operation has as an attribute, else the one given.
func hinted(op ir.Op, threshold int64) int64 {
	if n, ok := op.Attr(hint).(*ir.IntegerAttr); ok {
		return n.Value
	}
	return threshold
}
