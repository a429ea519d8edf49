package show

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/cost"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/target/sm"
)

// A Loop is a loop with a counter, with what is known of it.
type Loop struct {
	Name   string // the kernel, and where the loop is
	Graph  *ddg.Graph
	Refuse error // why there is no graph
	Ahead  bool  // the loop inside is filled in the iteration before
	Attr   *tileas.ScheduleAttr

	turns *turnLoop // of a role that meets others, and has products
	meets bool      // it is of a role that meets others
	// What follows is of a loop with a schedule.
	Shape       schedule.Shape
	Bound       int
	BoundWhy    string
	Registers   int // of a thread, in the steady state
	Shared      int // bytes of all slots
	Slots       []int
	Limits      schedule.Limits
	Broken      error // what the schedule does not keep
	uses        [][]modulo.Use
	unitsInUse  []int
	unitOfNames []string
}

// LoopsOf returns the loops with a counter inside a module or a kernel, in the order of the text.
func LoopsOf(root ir.Op, t *passes.Target) (loops []*Loop, err error) {
	arch, err := t.Arch()
	if err != nil {
		return nil, err
	}
	root.Walk(func(fn ir.Op) ir.WalkResult {
		if !fn.Is(tileas.Level.Func) {
			return ir.Advance
		}
		model := cost.NewModel(arch, max(1, contract.KernelSpecOf(fn).NumWarps))
		limits := schedule.LimitsOf(fn, arch)
		fn.Walk(func(op ir.Op) ir.WalkResult {
			if op.Is(scf.For) {
				l := newLoop(fn, op, model, limits.In(op))
				l.turns, l.meets = turnLoopOf(fn, op, arch), meetsOthers(op)
				loops = append(loops, l)
			}
			return ir.Advance
		})
		return ir.SkipBelow
	})
	return loops, nil
}

func newLoop(fn, op ir.Op, m *cost.Model, limits schedule.Limits) *Loop {
	l := &Loop{Name: "loop in @" + fn.StringAttr("sym_name"), Attr: tileas.ScheduleOf(op), Limits: limits}
	l.Graph, l.Refuse = ddg.Build(op, m)
	l.Ahead = op.HasUnitAttr(tileas.AttrFillAhead)
	if l.Refuse != nil || l.Attr == nil {
		return l
	}
	if l.Shape, l.Broken = schedule.ShapeOf(l.Graph, l.Attr); l.Broken != nil {
		return l
	}
	if l.Broken = schedule.Verify(l.Graph, l.Attr, limits); l.Broken != nil {
		return l
	}
	l.Bound, l.BoundWhy, _ = schedule.BoundOf(l.Graph)
	p := schedule.Problem(l.Graph, l.Shape, schedule.Limits{})
	s := &modulo.Schedule{II: l.Attr.II, Cycle: l.Attr.At}
	l.Registers, l.Shared = schedule.Room(p, s)
	for _, b := range l.Graph.Buffers {
		l.Slots = append(l.Slots, schedule.Slots(l.Graph, b, l.Attr))
	}
	used := make(map[int]bool)
	for _, o := range p.Ops {
		o.Uses = slices.DeleteFunc(o.Uses, func(u modulo.Use) bool { return u.Unit >= int(sm.NumUnits) }) // what only helps to state the problem
		l.uses = append(l.uses, o.Uses)
		for _, u := range o.Uses {
			used[u.Unit] = true
		}
	}
	for u, unit := range p.Units[:sm.NumUnits] {
		l.unitOfNames = append(l.unitOfNames, unit.Name)
		if used[u] {
			l.unitsInUse = append(l.unitsInUse, u)
		}
	}
	return l
}

// op names an operation of the body by its number.
func (l *Loop) op(i int) string {
	name := l.Graph.Nodes[i].Op.Name()
	if _, short, ok := strings.Cut(name, "."); ok {
		name = short
	}
	return fmt.Sprintf("%s#%d", name, i)
}

// header says what the schedule is, in lines of a name and a text.
func (l *Loop) header() (lines [][2]string) {
	add := func(name, format string, args ...any) {
		lines = append(lines, [2]string{name, fmt.Sprintf(format, args...)})
	}
	a := l.Attr
	cycles := a.II * a.Unit
	add("II", "%d cycles (%d units of %d); lower bound %d: %s", cycles, a.II, a.Unit, l.Bound, l.BoundWhy)
	ahead := "copies and loads run %d ahead"
	if l.Shape.Apart {
		ahead = "copies start apart, the first %d ahead"
	}
	add("stages", "%d; "+ahead+", %d of the iterations compute at once", a.Stages(), l.Shape.Lead, l.Shape.Overlap+1)
	for i, b := range l.Graph.Buffers {
		add("slots", "%d x %d bytes, filled by %s", l.Slots[i], schedule.SlotBytes(b), l.op(b.Copy))
	}
	add("shared memory", "%d of %d bytes", l.Shared, l.Limits.Shared)
	add("registers", "%d of %d for tensors of the steady state", l.Registers, l.Limits.Registers)
	return lines
}

// A bar is a time, within the steady state, in which an operation keeps a unit busy; one that goes over the end is two bars.
type bar struct {
	unit, op, from, to int
}

func (l *Loop) bars() (bars []bar) {
	ii := l.Attr.II
	for i, uses := range l.uses {
		for _, u := range uses {
			from := (l.Attr.At[i] + u.At) % ii
			to := from + min(u.Cycles, ii)
			bars = append(bars, bar{u.Unit, i, from, min(to, ii)})
			if to > ii {
				bars = append(bars, bar{u.Unit, i, 0, to - ii})
			}
		}
	}
	slices.SortFunc(bars, func(a, b bar) int {
		return cmp.Or(cmp.Compare(a.unit, b.unit), cmp.Compare(a.from, b.from), cmp.Compare(a.op, b.op))
	})
	return bars
}
