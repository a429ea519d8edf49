package lowerpipes

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
)

var numPipes = passes.NewStatistic("pipes", "pipes that became mbarriers")

// Pass is tileas-lower-pipes.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileas-lower-pipes",
	Summary:     "lower pipes between roles to mbarriers",
	Doc:         "Gives each stage of a pipe two mbarriers. Each role carries its stage index and the parity that it waits for through its loops and ifs. Where a role waits for the other CTAs of the cluster, its warps meet at an mbarrier.",
	Requires:    []*passes.Property{property.TileAS, tileasprop.LayoutsAssigned},
	Establishes: []*passes.Property{tileasprop.PipesLowered},
	Destroys:    []*passes.Property{tileasprop.SharedAllocated, tileasprop.Synchronised},
	Steps:       []passes.Step{{MinOpt: 0}},
	After: []passes.Edge{
		{Pass: "tileas-specialize-warps", Reason: "it makes the pipes"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-schedule-loops", Reason: "a loop of a role carries its position in a pipe"},
		{Pass: "tileas-multicast-copies", Reason: "mbarriers of all CTAs signal that a stage is free"},
		{Pass: "tileas-promote-to-tmem", Reason: "it orders MMAs by the mbarriers that they signal"},
		{Pass: "tileas-allocate-shared", Reason: "mbarriers are in shared memory"},
	},
	Statistics: []*passes.Statistic{numPipes},
	Run:        run,
})

func run(r *passes.Run) error {
	var pipes []*pipe
	of := make(map[ir.Value]*pipe)
	var roles []ir.Region
	for _, op := range r.Op.Collect(tileas.PipeCreate.Is) {
		p := &pipe{create: op, typ: op.Result(0).Type().(*tileas.PipeType)}
		pipes, of[op.Result(0)] = append(pipes, p), p
		p.makeMbarriers()
	}
	for _, op := range r.Op.Collect(lowered) {
		if role, in := tileas.RoleOf(op); in && !slices.Contains(roles, role.Op.Region(role.Index)) {
			roles = append(roles, role.Op.Region(role.Index))
		}
	}
	for _, region := range roles {
		if err := lower(region, of); err != nil {
			return err
		}
		ir.EraseDead(region.First().ParentOp()) // such as the position after the last stage
	}
	for _, p := range pipes {
		if p.typ.TwoCTAs {
			tileas.MeetAround(roles[0].First().ParentOp())
		}
		p.create.Erase()
	}
	r.Add(numPipes, len(pipes))
	return nil
}
