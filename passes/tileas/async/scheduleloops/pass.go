package scheduleloops

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/tileas/machine/price"
	"github.com/tilewright/tilewright/target/sm"
)

// Options are the options of the pass.
type Options struct {
	Scheduler string `opt:"scheduler" help:"name of the scheduler"`
	Prefetch  int    `opt:"prefetch" try:"1,2,3" formerly:"lead" help:"prefetch distance of copies and loads, in iterations; 0: the scheduler decides"`
	AtOnce    int    `opt:"at-once" try:"1,2" help:"how many iterations compute at the same time; 0: the scheduler decides"`
	Staggered bool   `opt:"staggered" try:"true,false" formerly:"apart" help:"start each copy when the stage that it fills has been read, so that one stage is enough"`
}

var (
	numScheduled = passes.NewStatistic("scheduled", "loops that were given a schedule")
	numFilled    = passes.NewStatistic("filled-ahead", "inner loops whose prologue runs in the previous iteration of the outer loop")
	numRejected  = passes.NewStatistic("rejected", "loops without a schedule")
)

// Pass is tileas-schedule-loops.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileas-schedule-loops",
	Summary:     "modulo-schedule loops",
	Doc:         "Assigns a start cycle and a pipeline stage to each operation of an innermost loop with copies or loads to prefetch. A remark names the bound on the initiation interval, or why the loop has no schedule.",
	Options:     func() any { return &Options{Scheduler: schedule.Iterative.Name} },
	Requires:    []*passes.Property{property.TileAS, tileasprop.LayoutsAssigned},
	Establishes: []*passes.Property{tileasprop.LoopsScheduled},
	Steps:       []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "tileas-materialize-copies", Reason: "the schedule prefetches its copies"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-materialize-convert-layout", Reason: "the schedule treats a conversion as one operation"},
	},
	Statistics: []*passes.Statistic{numScheduled, numFilled, numRejected},
	Run:        passes.OnMachine(run),
})

func run(r *passes.Run, arch *sm.Arch, warps int) error {
	opts := passes.OptionsOf[Options](r)
	scheduler := schedule.Lookup(opts.Scheduler)
	if scheduler == nil {
		return r.Op.Errorf("there is no scheduler '%s'; there are %s", opts.Scheduler, strings.Join(schedule.Names(), ", "))
	}
	model := price.NewModel(arch, warps)
	limits := schedule.LimitsOf(r.Op, arch)
	if opts.Prefetch < 0 || opts.Prefetch > schedule.MostIterations || opts.AtOnce < 0 || opts.AtOnce > schedule.MostIterations {
		return r.Op.Errorf("options prefetch and at-once must be 0 to %d, but are %d and %d", schedule.MostIterations, opts.Prefetch, opts.AtOnce)
	}
	limits.Prefetch, limits.AtOnce, limits.Staggered = opts.Prefetch, opts.AtOnce, opts.Staggered
	var outer []func() // outer loops wait until the schedules of their inner loops are known
	for op := range r.Op.All() {
		// A schedule that is there already, from a dump or by hand, is kept.
		// The circular buffer between roles has decided the prefetch distance.
		if !op.Is(scf.For) || tileas.ScheduleOf(op) != nil || tileas.WaitsForRoles(op) {
			continue
		}
		if _, ok := tileas.StepLoop(op); ok { // a step loop of tileas-tile-mma-k is one operation of the loop around it
			continue
		}
		g, err := ddg.Build(op, model)
		var p *schedule.Plan
		if err == nil {
			p, err = limits.Fit(r.Context(), scheduler, g, op)
		}
		if err != nil {
			if inside := (&ddg.LoopInside{}); errors.As(err, &inside) {
				outer = append(outer, func() { fillAhead(r, op, err, limits, model) })
			} else {
				notPipelined(r, op, err)
			}
			continue
		}
		a := tileas.Schedule(r.IR(), p.II, p.Unit, p.At)
		if limits.Stages > p.Prefetch+1 {
			remark.LoopStages.At(r, op.Loc(), "the kernel asks for %d stages, the loop has %d: shared memory or the limit on prefetching allows no more", limits.Stages, p.Prefetch+1).
				Arg("Asked", strconv.Itoa(limits.Stages)).Arg("Stages", strconv.Itoa(p.Prefetch+1)).Cure("ask for %d stages, or make the tiles smaller", p.Prefetch+1).Report()
		}
		op.SetAttr(tileas.AttrSchedule, a)
		if s, err := schedule.ShapeOf(g, a); err == nil {
			p.Shape = s // a plan may use less than the search allowed; an error is left to the property loops-scheduled, which names the edge
		}
		pipelined(r, op, g, p)
		r.Add(numScheduled, 1)
	}
	for _, fill := range outer {
		fill()
	}
	return nil
}

// pipelined reports a loop with a schedule: how good it is, and what bounds it.
func pipelined(r *passes.Run, loop ir.Op, g *ddg.Graph, p *schedule.Plan) {
	cycles := p.II * p.Unit
	text := fmt.Sprintf("an iteration starts every %d cycles", cycles)
	least, why, err := schedule.BoundOf(g)
	if err == nil {
		text += fmt.Sprintf(" (lower bound %d: %s", least, why)
		if over := 100 * (cycles - least) / max(1, least); over > 0 {
			text += fmt.Sprintf("; %d%% more", over)
			if p.Held != "" {
				text += ", since " + p.Held
			}
		}
		text += ")"
	}
	if p.Staggered {
		text += ", staggered copies: each starts when its stage has been read"
	} else {
		text += fmt.Sprintf(", prefetch distance %d, %s", p.Prefetch, p.Concurrency())
	}
	if p.Note != "" {
		text += "; " + p.Note
	}
	m := remark.LoopPipelined.At(r, loop.Loc(), "loop pipelined%s: %s", versionOf(loop), text).Arg("Cycles", strconv.Itoa(cycles))
	if err == nil {
		m.Arg("Bound", fmt.Sprintf("%d: %s", least, why))
	}
	m.Arg("Stages", strconv.Itoa(p.Prefetch+1)).Report()
}

// versionOf names the version that a loop is, of several that have one place in the source.
func versionOf(loop ir.Op) string {
	if v := loop.StringAttr(contract.LoopVersion); v != "" {
		return " (version for " + v + ")"
	}
	return ""
}

// notPipelined reports a loop without a schedule, and what in the program would have to change.
func notPipelined(r *passes.Run, loop ir.Op, err error) {
	m := remark.LoopNotPipelined.At(r, loop.Loc(), "loop not pipelined%s: %v", versionOf(loop), err).Arg(remark.ReasonKey, err.Error())
	if first := serialised(loop); first != "" {
		m.Cure("%s", first)
	}
	m.Report()
	r.Add(numRejected, 1)
}

// serialised returns a cure if the program itself serializes the iterations: a loop-carried token orders a load after
// accesses of the previous iteration.
func serialised(loop ir.Op) (cure string) {
	body := loop.Body()
	for op := range loop.All() {
		if op.Is(tileas.Level.TiledLoad) || op.Is(tileas.Level.Load) {
			if t := op.OperandNamed("token"); !t.IsNil() && t.DefiningOp().IsNil() && t.Block() == body {
				cure = fmt.Sprintf("give '%s' a token from before the loop: a loop-carried token orders it after accesses of the previous iteration", op.Name())
				if tile.IsOrdered(op) {
					cure += ", and make it weak"
				}
				return cure
			}
		}
	}
	return ""
}
