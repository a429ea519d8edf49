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
	Name     string // the kernel, and where the loop is
	Graph    *ddg.Graph
	Rejected error // why there is no dependence graph
	Attr     *tileas.ScheduleAttr

	play    *RolePlay // if it is a role's loop with MMAs that waits for other roles
	without string    // why it has no table; "" if it has one
	// The rest is for loops with a schedule.
	Shape      schedule.Shape
	Limits     schedule.Limits
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
				if tileas.WaitsForRoles(op) {
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
	if l.without = l.missing(op); l.without != "" {
		return l
	}
	l.Shape, _ = schedule.ShapeOf(l.Graph, l.Attr) // of a schedule that holds
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

// missing says why a loop has no table.
func (l *Loop) missing(op ir.Op) string {
	switch {
	case op.HasUnitAttr(tileas.AttrFillAhead):
		return "is pipelined as an outer loop: the prologue of the inner loop for the next iteration starts after it"
	case l.Attr == nil && tileas.WaitsForRoles(op):
		return "is of a role that waits for others: its order is that of the text"
	case l.Rejected != nil:
		return fmt.Sprintf("cannot be pipelined: %v", l.Rejected)
	case l.Attr == nil:
		return "has no schedule (--remarks says why)"
	}
	if err := schedule.Verify(l.Graph, l.Attr, l.Limits); err != nil {
		return fmt.Sprintf("has a schedule that does not hold: %v", err)
	}
	return ""
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
