package scheduleloops

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/cost"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
)

// Options are the options of the pass.
type Options struct {
	Scheduler string `opt:"scheduler" help:"who places the operations, by name"`
	Lead      int    `opt:"lead" help:"how many turns copies and loads run ahead; 0: the scheduler decides"`
	AtOnce    int    `opt:"at-once" help:"how many iterations may compute at once; 0: the scheduler decides"`
	Apart     bool   `opt:"apart" help:"start each copy when the slot that it fills has been read, so that one slot is enough"`
}

var (
	numScheduled = passes.NewStatistic("scheduled", "loops that were given a schedule")
	numFilled    = passes.NewStatistic("filled-ahead", "loops inside others whose first copies are started in the iteration of the outer loop before")
	numRefused   = passes.NewStatistic("refused", "loops that were left as they are")
)

// Pass is tileas-schedule-loops.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileas-schedule-loops",
	Title:       "TileASScheduleLoops",
	Summary:     "find modulo schedules for loops",
	Doc:         "Writes on each innermost loop that has copies or loads to run ahead when its operations start, so that iterations overlap. A remark says what bounds the loop, or why it is left alone.",
	On:          "nv_tileas.func",
	Options:     func() any { return &Options{Scheduler: schedule.Iterative.Name} },
	Requires:    []*passes.Property{property.TileAS, property.LayoutsAssigned},
	Establishes: []*passes.Property{property.LoopsScheduled},
	Steps:       []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "tileas-materialize-copies", Reason: "copies are what runs ahead"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-materialize-convert-layout", Reason: "a conversion is one operation until then"},
	},
	Statistics: []*passes.Statistic{numScheduled, numFilled, numRefused},
	Run:        run,
})

func run(r *passes.Run) error {
	opts := passes.OptionsOf[Options](r)
	scheduler := schedule.Lookup(opts.Scheduler)
	if scheduler == nil {
		return r.Op.Errorf("there is no scheduler '%s'; there are %s", opts.Scheduler, strings.Join(schedule.Names(), ", "))
	}
	warps, err := contract.NumWarpsOf(r.Op)
	if err != nil {
		return err
	}
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	model := cost.NewModel(arch, warps)
	limits := schedule.LimitsOf(r.Op, arch)
	if opts.Lead < 0 || opts.Lead > schedule.MostTurns || opts.AtOnce < 0 || opts.AtOnce > schedule.MostTurns {
		return r.Op.Errorf("options lead and at-once must be 0 to %d, but are %d and %d", schedule.MostTurns, opts.Lead, opts.AtOnce)
	}
	limits.Lead, limits.AtOnce, limits.Apart = opts.Lead, opts.AtOnce, opts.Apart
	changed := false
	filler := &filler{run: r, model: model, limits: limits, why: make(map[ir.Op]error)}
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if !op.Is(scf.For) || tileas.ScheduleOf(op) != nil || meetsRoles(op) {
			return ir.Advance
		}
		if _, ok := tileas.StepLoop(op); ok { // it is one operation of the loop around it
			return ir.Advance
		}
		g, err := ddg.Build(op, model)
		var p *schedule.Plan
		if err == nil {
			p, err = scheduler.Schedule(r.Context(), g, limits.In(op))
		}
		if err != nil {
			if inside := (&ddg.LoopInside{}); errors.As(err, &inside) {
				filler.outer = append(filler.outer, op)
				filler.why[op] = err
				return ir.Advance
			}
			notPipelined(r, op, err)
			r.Add(numRefused, 1)
			return ir.Advance
		}
		a := tileas.Schedule(r.IR(), p.II, p.Unit, p.At)
		if limits.Stages > p.Lead+1 {
			remark.LoopStages.At(r, op.Loc(), "the kernel asks for %d stages, and the loop has %d: shared memory, or the most that copies run ahead, allows no more", limits.Stages, p.Lead+1).
				Arg("Asked", strconv.Itoa(limits.Stages)).Arg("Stages", strconv.Itoa(p.Lead+1)).Cure("ask for %d stages, or make the tiles smaller", p.Lead+1).Report()
		}
		op.SetAttr(tileas.AttrSchedule, a)
		if s, err := schedule.ShapeOf(g, a); err == nil {
			p.Shape = s // a plan may use less than the shape that it was searched in; what does not hold, the property names
		}
		pipelined(r, op, g, p)
		r.Add(numScheduled, 1)
		changed = true
		return ir.Advance
	})
	if !filler.decide() && !changed {
		r.MarkUnchanged()
	}
	return nil
}

// meetsRoles reports whether a loop of a role waits for another one: what runs ahead in which is decided then.
func meetsRoles(loop ir.Op) bool {
	if _, in := tileas.RoleOf(loop); !in {
		return false
	}
	return !loop.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.MbarrierWait) {
			return ir.Interrupt
		}
		return ir.Advance
	})
}

// describe says how good a schedule is, and what keeps it from being better.
func describe(g *ddg.Graph, p *schedule.Plan) string {
	var sb strings.Builder
	cycles := p.II * p.Unit
	fmt.Fprintf(&sb, "an iteration starts every %d cycles", cycles)
	if least, why, err := schedule.BoundOf(g); err == nil {
		fmt.Fprintf(&sb, " (lower bound %d: %s", least, why)
		if over := 100 * (cycles - least) / max(1, least); over > 0 {
			fmt.Fprintf(&sb, "; %d%% more", over)
			if p.Held != "" {
				fmt.Fprintf(&sb, ", since %s", p.Held)
			}
		}
		sb.WriteByte(')')
	}
	if p.Apart {
		sb.WriteString(", each copy starts when the slot that it fills has been read")
	} else {
		fmt.Fprintf(&sb, ", copies run %d ahead, %d of its iterations compute at once", p.Lead, p.Overlap+1)
	}
	if p.Note != "" {
		sb.WriteString("; " + p.Note)
	}
	return sb.String()
}
