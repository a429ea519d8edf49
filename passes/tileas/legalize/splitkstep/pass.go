package splitkstep

import (
	"strconv"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/target/sm"
)

// Options are the options of the pass.
type Options struct {
	Room    int `opt:"room" help:"bytes of shared memory that the operands of one MMA may take; 0: half of what a CTA has"`
	KExtent int `opt:"k" formerly:"depth" help:"least K extent of an MMA that is made"`
}

var numHalved = passes.NewStatistic("halved", "loops whose K step was split")

// Pass is tileas-split-k-step.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-split-k-step",
	Formerly: []string{"tileas-halve-depth"},
	Summary:  "split the K step so that operands can be double-buffered",
	Doc:      "Splits the K step of a loop of MMAs where shared memory cannot hold its operands twice. The loop runs more iterations, and copies can be prefetched.",
	Options:  func() any { return &Options{KExtent: leastKExtent} },
	Requires: []*passes.Property{property.TileAS},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "tileas-legalize-dot", Reason: "the element types of MMAs decide how much memory their operands take"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-assign-layouts", Reason: "tiles must not have layouts yet"},
	},
	Statistics: []*passes.Statistic{numHalved},
	Run:        passes.OnArch(run),
})

// leastKExtent is the least K extent of an MMA after the split, unless asked for otherwise: two steps of the largest
// instruction for 16-bit elements.
const leastKExtent = 32

func run(r *passes.Run, arch *sm.Arch) error {
	opts := passes.OptionsOf[Options](r)
	room := int64(opts.Room)
	if opts.Room < 0 || opts.KExtent < 1 {
		return r.Op.Errorf("options room and k must be at least 0 and 1, but are %d and %d", opts.Room, opts.KExtent)
	}
	// Half, so that the operands of two iterations fit.
	if room == 0 {
		room = int64(budget.Of(r.Op, arch).Shared(budget.ForCTA)-budget.SharedSlack) / 2
	}
	for _, loop := range r.Op.Collect(scf.For.Is) {
		s, ok := summing(loop)
		if !ok {
			continue
		}
		parts := int64(1)
		for s.bytes/parts > room && s.kExtent/parts > int64(opts.KExtent) {
			parts *= 2
		}
		if parts == 1 || s.bytes/parts > room || !r.May("halve", loop) {
			continue
		}
		remark.LoopDepth.At(r, loop.Loc(), "K step split from %[2]d to %[1]d: shared memory now holds the operands of two iterations", s.kExtent/parts, s.kExtent).
			Arg("Depth", strconv.FormatInt(s.kExtent/parts, 10)).Report()
		s.emit(parts)
		r.Add(numHalved, 1)
	}
	return nil
}
