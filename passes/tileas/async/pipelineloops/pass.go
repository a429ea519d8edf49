package pipelineloops

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/nest"
	"github.com/tilewright/tilewright/passes/tileas/machine/price"
	"github.com/tilewright/tilewright/target/sm"
)

var numPipelined = passes.NewStatistic("pipelined", "loops whose iterations overlap")

// Pass is tileas-pipeline-loops.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-pipeline-loops",
	Summary:  "expand scheduled loops into prologue, steady state and epilogue",
	Doc:      "Overlaps the iterations of each scheduled loop. Buffers get one stage per iteration in flight, and the schedule determines the waits and commits.",
	Requires: []*passes.Property{property.TileAS, tileasprop.LayoutsAssigned, tileasprop.LoopsScheduled},
	Destroys: []*passes.Property{tileasprop.SharedAllocated, tileasprop.Synchronised},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "tileas-schedule-loops", Reason: "it assigns the schedules that are expanded here"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-materialize-convert-layout", Reason: "a schedule refers to the operations of the unchanged loop body"},
		{Pass: "tileas-allocate-shared", Reason: "it creates buffers"},
	},
	Statistics: []*passes.Statistic{numPipelined},
	Run:        passes.OnMachine(run),
})

func run(r *passes.Run, arch *sm.Arch, warps int) error {
	loops := r.Op.Collect(func(op ir.Op) bool { return tileas.ScheduleOf(op) != nil })
	model := price.NewModel(arch, warps)
	limits := schedule.LimitsOf(r.Op, arch)
	shared := make(map[ir.Op][]ir.Value) // buffers of loops that use the stages of an earlier loop
	for _, loop := range loops {
		g, err := ddg.Build(loop, model)
		if err != nil {
			return loop.Errorf("has a schedule, but cannot be pipelined: %v", err)
		}
		x, err := newExpansion(g, tileas.ScheduleOf(loop))
		if err != nil {
			return loop.Errorf("has a schedule that cannot be carried out: %v", err)
		}
		if outer, _ := nest.Around(loop); !outer.IsNil() && outer.HasUnitAttr(tileas.AttrFillAhead) {
			if x.nest, err = nest.Find(g, tileas.ScheduleOf(loop), limits.In(outer), model); err != nil {
				return outer.Errorf("has '%s', but the loop inside cannot be filled ahead: %v", tileas.AttrFillAhead, err)
			}
		}
		x.given = shared[loop]
		x.expand()
		// Loops after a nest may use its stages, which are free by then (package nest).
		if x.nest != nil {
			for _, s := range x.nest.Sharers {
				shared[s] = ir.Map(g.Buffers, func(b ddg.Buffer) ir.Value { return x.staged[b.Root].buffer })
			}
		}
	}
	if len(loops) > 0 {
		eraseReplaced(r.Op)
	}
	r.Add(numPipelined, len(loops))
	return nil
}
