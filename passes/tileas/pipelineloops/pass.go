package pipelineloops

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/cost"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
)

var numPipelined = passes.NewStatistic("pipelined", "loops whose iterations overlap")

// Pass is tileas-pipeline-loops.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-pipeline-loops",
	Title:    "TileASPipelineLoops",
	Summary:  "overlap the iterations of loops as their schedules say",
	Doc:      "Expands each loop that has a schedule into a prologue, a loop of turns, and what is left behind it; buffers get slots, and waits and commits are derived from the schedule.",
	On:       "nv_tileas.func",
	Requires: []*passes.Property{property.TileAS, property.LayoutsAssigned, property.LoopsScheduled},
	Destroys: []*passes.Property{property.SharedAllocated, property.Synchronised},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "tileas-schedule-loops", Reason: "it carries the schedules out"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-materialize-convert-layout", Reason: "the schedule speaks of the operations of the body as they are"},
		{Pass: "tileas-allocate-shared", Reason: "it creates buffers"},
	},
	Statistics: []*passes.Statistic{numPipelined},
	Run:        run,
})

func run(r *passes.Run) error {
	warps, err := contract.NumWarpsOf(r.Op)
	if err != nil {
		return err
	}
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	var loops []ir.Op
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if tileas.ScheduleOf(op) != nil {
			loops = append(loops, op)
		}
		return ir.Advance
	})
	model := cost.NewModel(arch, warps)
	limits := schedule.LimitsOf(r.Op, arch)
	build := func(loop ir.Op) (*ddg.Graph, error) { return ddg.Build(loop, model) }
	shared := make(map[ir.Op][]ir.Value) // slots that a loop has from another one
	for _, loop := range loops {
		g, err := ddg.Build(loop, model)
		if err != nil {
			return loop.Errorf("has a schedule, but cannot be pipelined: %v", err)
		}
		x, err := newExpansion(g, tileas.ScheduleOf(loop))
		if err != nil {
			return loop.Errorf("has a schedule that cannot be carried out: %v", err)
		}
		if err := x.findNest(limits, build); err != nil {
			return err
		}
		x.given = shared[loop]
		x.expand()
		if x.nest != nil {
			for _, s := range x.nest.Sharers {
				shared[s] = x.slots()
			}
		}
	}
	r.Add(numPipelined, len(loops))
	if len(loops) == 0 {
		r.MarkUnchanged()
	}
	return nil
}
