package canonicalize

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/rewrite"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
)

// Options are the options of the pass.
//
// The limits are there for patterns that are wrong: two that undo each other, or one that grows what it
// rewrites.
type Options struct {
	MaxIterations   int      `opt:"max-iterations" help:"how often everything is looked at, at most"`
	MaxRewrites     int      `opt:"max-num-rewrites" help:"how many changes are made in one operation, at most; -1: as many as its size justifies"`
	TestConvergence bool     `opt:"test-convergence" help:"fail when a limit was hit"`
	Disable         []string `opt:"disable-patterns" help:"names of patterns that are not applied"`
	Enable          []string `opt:"enable-patterns" help:"names of the only patterns that are applied; empty: all"`
	DisableFolds    []string `opt:"disable-folds" help:"names of operations that are not folded, as in cuda_tile.addi"`
}

var (
	numRewritten = passes.NewStatistic("num-rewritten", "rewrites by patterns")
	numFolded    = passes.NewStatistic("num-folded", "operations folded")
	numErased    = passes.NewStatistic("num-erased", "dead operations erased")
)

// Pass is the pass.
//
// It is in the pipeline three times. At cuda_tile what a front end wrote is brought into one form; at
// nv_tileaa the dissolved views fold, so that facts and alias analysis see constants; at nvvm the arithmetic of
// addresses folds.
var Pass = passes.Register(&passes.Pass{
	Name:    "canonicalize",
	Title:   "Canonicalizer",
	Summary: "fold operations and bring them into canonical form",
	Doc: `Applies the canonicalization patterns and the folders of all operations until none applies any more, merges
constants, and erases dead operations. Reaching a limit is no error, since the IR is correct at any time.`,
	Options:     func() any { return &Options{MaxIterations: 10, MaxRewrites: -1} },
	Establishes: []*passes.Property{property.Canonical},
	Steps: []passes.Step{
		{Level: property.CudaTile, MinOpt: 1},
		{Label: "tileaa", Level: property.TileAA, MinOpt: 1},
		{Label: "nvvm", Level: property.NVVM, MinOpt: 1},
	},
	Statistics: []*passes.Statistic{numRewritten, numFolded, numErased},
	Prepare:    prepare,
	Run:        run,
})

// prepare chooses the patterns.
//
// Once for the context and not for each kernel: the patterns are looked up by operation, and the same set
// serves all workers.
func prepare(c *ir.Context, options any) (any, error) {
	opts := options.(*Options)
	all := rewrite.Canonical(c).Patterns()
	var names []string
	for _, p := range all {
		names = append(names, p.Name)
	}
	// A name that is not there would be ignored for ever without anyone noticing.
	for _, name := range slices.Concat(opts.Disable, opts.Enable) {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("there is no pattern '%s'%s", name, suggest.DidYouMean(name, names))
		}
	}
	chosen := slices.DeleteFunc(all, func(p rewrite.Pattern) bool {
		return slices.Contains(opts.Disable, p.Name) || opts.Enable != nil && !slices.Contains(opts.Enable, p.Name)
	})
	unfolded, err := folding(c, opts.DisableFolds)
	return rewrite.NewSet(chosen...).WithoutFolds(unfolded...), err
}

// folding returns the rows of the given names, which must have folders.
func folding(c *ir.Context, names []string) (defs []*ir.OpDef, err error) {
	known := make(map[string]*ir.OpDef)
	for _, d := range c.Dialects() {
		for _, def := range d.Ops() {
			if def.Fold != nil {
				known[def.FullName()] = def
			}
		}
	}
	for _, name := range names {
		def := known[name]
		if def == nil {
			return nil, fmt.Errorf("there is no operation '%s' that is folded%s", name, suggest.DidYouMean(name, slices.Sorted(maps.Keys(known))))
		}
		defs = append(defs, def)
	}
	return defs, nil
}

func run(r *passes.Run) error {
	opts := passes.OptionsOf[Options](r)
	res := r.Rewrite(r.Prepared.(*rewrite.Set), rewrite.Config{MaxIterations: opts.MaxIterations, MaxRewrites: opts.MaxRewrites,
		Workers: r.Workers})
	for _, n := range res.Applied {
		r.Add(numRewritten, n)
	}
	r.Add(numFolded, res.Folded)
	r.Add(numErased, res.Erased)
	if !res.Converged {
		if opts.TestConvergence {
			return r.Op.Errorf("does not converge to a canonical form in %d iterations", res.Iterations)
		}
		r.Log.Debug().Int("iterations", res.Iterations).Msg("canonicalisation hit a limit")
	}
	return nil
}
