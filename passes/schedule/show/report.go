package show

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/passes/tileas/machine/price"
	"github.com/tilewright/tilewright/target/sm"
)

// A Loop is a counted loop, and what is known about it.
type Loop struct {
	Name      string // the kernel, and where the loop is
	Graph     *ddg.Graph
	Rejected  error // why there is no dependence graph
	FillAhead bool  // the prologue of the inner loop starts in the previous iteration
	Attr      *tileas.ScheduleAttr

	play  *RolePlay // if it is a role's loop with MMAs that waits for other roles
	waits bool      // it is a role's loop that waits for other roles
	// The rest is for loops with a schedule.
	Shape      schedule.Shape
	Limits     schedule.Limits
	Broken     error // what the schedule violates
	bars       []Act // of the steady state; one that crosses its end is two
	unitsInUse []sm.Unit
}

// LoopsOf returns the counted loops inside a module or a kernel, in the order of the text.
func LoopsOf(root ir.Op, t *passes.Target) (loops []*Loop, err error) {
	arch, err := t.Arch()
	if err != nil {
		return nil, err
	}
	root.Walk(func(fn ir.Op) ir.WalkResult {
		if !fn.Is(tileas.Level.Func) {
			return ir.Advance
		}
		model := price.NewModel(arch, max(1, contract.KernelSpecOf(fn).NumWarps))
		limits := schedule.LimitsOf(fn, arch)
		for op := range fn.All() {
			if op.Is(scf.For) {
				l := newLoop(fn, op, model, limits.In(op))
				if l.waits = tileas.WaitsForRoles(op); l.waits {
					l.play = alone(op, arch)
				}
				loops = append(loops, l)
			}
		}
		return ir.SkipBelow
	})
	return loops, nil
}

func newLoop(fn, op ir.Op, m *price.Model, limits schedule.Limits) *Loop {
	l := &Loop{Name: "loop in @" + fn.StringAttr("sym_name"), Attr: tileas.ScheduleOf(op), Limits: limits}
	l.Graph, l.Rejected = ddg.Build(op, m)
	l.FillAhead = op.HasUnitAttr(tileas.AttrFillAhead)
	if l.Rejected != nil || l.Attr == nil {
		return l
	}
	if l.Shape, l.Broken = schedule.ShapeOf(l.Graph, l.Attr); l.Broken != nil {
		return l
	}
	if l.Broken = schedule.Verify(l.Graph, l.Attr, limits); l.Broken != nil {
		return l
	}
	for i, o := range schedule.Problem(l.Graph, l.Shape, schedule.Limits{}).Ops {
		for _, u := range o.Uses {
			if u.Unit < int(sm.NumUnits) { // not the pseudo unit endOfIteration
				l.occupy(i, u)
			}
		}
	}
	slices.SortFunc(l.bars, func(a, b Act) int {
		return cmp.Or(cmp.Compare(a.Unit, b.Unit), cmp.Compare(a.From, b.From), cmp.Compare(a.at, b.at))
	})
	l.unitsInUse = unitsOf(l.bars, 0, l.Attr.II)
	return l
}

// occupy adds the time in the steady state during which an operation uses a unit.
func (l *Loop) occupy(i int, u modulo.Use) {
	ii := l.Attr.II
	from := (l.Attr.At[i] + u.At) % ii
	to := from + min(u.Cycles, ii)
	bar := Act{l.Graph.Nodes[i].Op.Def().Name, sm.Unit(u.Unit), l.Attr.Stage(i), from, min(to, ii), i, 0}
	if l.bars = append(l.bars, bar); to > ii {
		bar.From, bar.To = 0, to-ii
		l.bars = append(l.bars, bar)
	}
}

// op names an operation of the body with its number.
func (l *Loop) op(i int) string {
	return fmt.Sprintf("%s#%d", l.Graph.Nodes[i].Op.Def().Name, i)
}

// header describes the schedule, in lines of a name and a text.
func (l *Loop) header() (lines [][2]string) {
	add := func(name, format string, args ...any) {
		lines = append(lines, [2]string{name, fmt.Sprintf(format, args...)})
	}
	a := l.Attr
	bound, why, _ := schedule.BoundOf(l.Graph)
	registers, shared := schedule.Room(l.Graph, l.Shape, a.At)
	add("II", "%d cycles (%d units of %d); lower bound %d: %s", a.II*a.Unit, a.II, a.Unit, bound, why)
	copies := ""
	if l.Shape.Staggered {
		copies = "staggered copies, "
	}
	add("stages", "%d; %sprefetch distance %d, %s", a.Stages(), copies, l.Shape.Prefetch, l.Shape.Concurrency())
	for _, b := range l.Graph.Buffers {
		add("buffer", "%d x %d bytes, filled by %s", schedule.BufferStages(l.Graph, b, a), schedule.StageBytes(b), l.op(b.Copy))
	}
	add("shared memory", "%d of %d bytes", shared, l.Limits.Shared)
	add("registers", "%d of %d for tensors of the steady state", registers, l.Limits.Registers)
	return lines
}
