package halvedepth

import (
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/passes/schedule"
	"strconv"
)

// Options are the options of the pass.
type Options struct {
	Room  int `opt:"room" help:"bytes of shared memory that the operands of one product may take; 0: half of what a tile block has"`
	Depth int `opt:"depth" help:"least depth of a product that is made"`
}

var numHalved = passes.NewStatistic("halved", "loops that multiply less at a time")

// Pass is tileas-halve-depth.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-halve-depth",
	Title:    "TileASHalveDepth",
	Summary:  "let loops multiply less at a time where memory does not hold operands twice",
	Doc:      "Makes loops of products run more often with less depth each time, so that operands fit shared memory twice and copies can run ahead.",
	On:       "nv_tileas.func",
	Options:  func() any { return &Options{Depth: leastDepth} },
	Requires: []*passes.Property{property.TileAS},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "tileas-legalize-dot", Reason: "which products there are, and of what types, decides what must fit"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-assign-layouts", Reason: "tiles have no layouts yet"},
	},
	Statistics: []*passes.Statistic{numHalved},
	Run:        run,
})

const (
	// leastDepth is the least depth of a product that is made, unless asked for otherwise: two steps of the deepest instruction for 16-bit elements.
	leastDepth = 32
	// slack is what later passes may take of shared memory besides the operands.
	slack = 2 << 10
)

func run(r *passes.Run) error {
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	opts := passes.OptionsOf[Options](r)
	room := int64(opts.Room)
	if opts.Room < 0 || opts.Depth < 1 {
		return r.Op.Errorf("options room and depth must be at least 0 and 1, but are %d and %d", opts.Room, opts.Depth)
	}
	if room == 0 {
		room = int64(schedule.SharedOf(r.Op, arch)-slack) / 2
	}
	var loops []ir.Op
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(scf.For) {
			loops = append(loops, op)
		}
		return ir.Advance
	})
	changed := false
	for _, loop := range loops {
		s, ok := summing(loop)
		if !ok {
			continue
		}
		parts := int64(1)
		for s.bytes()/parts > room && s.depth/parts > int64(opts.Depth) {
			parts *= 2
		}
		if parts == 1 || s.bytes()/parts > room || !r.May("halve", loop) {
			continue
		}
		remark.LoopDepth.At(r, loop.Loc(), "loop multiplies %d of its depth of %d at a time, so that shared memory holds the operands of two products", s.depth/parts, s.depth).
			Arg("Depth", strconv.FormatInt(s.depth/parts, 10)).Report()
		s.emit(parts)
		r.Add(numHalved, 1)
		changed = true
	}
	if !changed {
		r.MarkUnchanged()
	}
	return nil
}
