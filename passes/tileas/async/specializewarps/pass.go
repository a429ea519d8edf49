package specializewarps

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/target/sm"
)

// Options are the options of the pass.
type Options struct {
	Roles  string `opt:"roles" try:"always,pingpong,none" help:"auto: where an estimate says that it is profitable; always: wherever it is possible; pingpong: as always, and groups of consumer warps ping-pong; none: never"`
	Stages int    `opt:"stages" try:"2,3,4" formerly:"slots" help:"the most stages of a circular buffer; 0: the pass decides"`
	// NoMMAWarp exists to compare kernels with and without an MMA warp.
	NoMMAWarp bool `opt:"no-mma-warp" try:"true,false" formerly:"together" help:"let the consumer warps issue tcgen05 MMAs themselves, without an MMA warp"`
	Late      bool `opt:"late" try:"true,false" help:"issue an MMA that only the next iteration uses in that iteration, so that it overlaps the arithmetic of the same warps"`
}

// The values of the option roles.
const (
	Auto     = "auto"
	Always   = "always"
	PingPong = "pingpong"
	None     = "none"
)

var numSplit = passes.NewStatistic("specialized", "kernels with producer and consumer warps")

// Pass is tileas-specialize-warps.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-specialize-warps",
	Summary:  "split a kernel whose MMAs are fed by TMA into producer and consumer warps",
	Doc:      "Moves the TMA loads of MMA operands to a producer warp. Producer and consumer warps hand stages to each other through pipes.",
	Options:  func() any { return &Options{Roles: Auto, Late: true} },
	Requires: []*passes.Property{property.TileAS, tileasprop.LayoutsAssigned},
	Destroys: []*passes.Property{tileasprop.SharedAllocated, tileasprop.Synchronised, tileasprop.LoopsScheduled, tileasprop.PipesLowered},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "tileas-materialize-copies", Reason: "the producer executes the copies"},
		{Pass: "tileas-keep-mma-in-flight", Reason: "a stage is released after the wait for the MMA that reads it"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-schedule-loops", Reason: "a consumer loop has no copies left to prefetch"},
		{Pass: "tileas-promote-to-tmem", Reason: "it promotes accumulators inside the loops of the consumers"},
	},
	Statistics: []*passes.Statistic{numSplit},
	Run:        passes.OnMachine(run),
})

func run(r *passes.Run, arch *sm.Arch, warps int) error {
	opts := passes.OptionsOf[Options](r)
	if !slices.Contains([]string{Auto, Always, PingPong, None}, opts.Roles) {
		return r.Op.Errorf("option roles must be %s, %s, %s or %s, but is '%s'", Auto, Always, PingPong, None, opts.Roles)
	}
	if opts.Stages < 0 || opts.Stages == 1 || opts.Stages > mostStages {
		return r.Op.Errorf("option stages must be 0 or from 2 to %d, but is %d", mostStages, opts.Stages)
	}
	if opts.Roles == None {
		return nil
	}
	p, why := planOf(r.Context(), r.Op, arch, warps, opts)
	if p == nil {
		if why != nil {
			remark.NoRoles.At(r, r.Op.Loc(), "no warp specialization: %v", why).Arg(remark.ReasonKey, why.Error()).Report()
		}
		return nil
	}
	p.split()
	r.Add(numSplit, 1)
	remark.Roles.At(r, r.Op.Loc(), "warp-specialized: %s", p).Report()
	return nil
}

// String describes the result of a plan, for the remark.
func (p *plan) String() string {
	s := fmt.Sprintf("%d consumer warps", p.warps)
	if p.loads {
		s += ", 1 producer warp"
	}
	if p.gatherers > 0 {
		s += fmt.Sprintf(", %d warps that copy", p.gatherers)
	}
	if p.chains != nil {
		s += ", 1 MMA warp"
	}
	for _, r := range p.pipes {
		if r.once {
			s += fmt.Sprintf(", %d bytes loaded once", r.bytes())
		} else {
			s += fmt.Sprintf(", pipe of %d x %d bytes", r.stages, r.bytes())
		}
	}
	for _, r := range p.accumulators {
		s += fmt.Sprintf(", pipe of %d accumulators", r.stages)
	}
	if n := len(p.backs); n > 0 {
		s += fmt.Sprintf(", %d handed back and forth", n)
	}
	if p.pingPongGroups > 0 {
		s += fmt.Sprintf(", %d warp groups in ping-pong", p.pingPongGroups)
	}
	if p.regs.Move() {
		s += fmt.Sprintf(", %d and %d registers per thread", p.regs.Consumer, p.regs.Other)
	}
	return s
}
