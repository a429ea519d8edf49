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
	Bound      int
	BoundWhy   string
	Registers  int // per thread, in the steady state
	Shared     int // bytes of shared memory for all stages
	Stages     []int
	Limits     schedule.Limits
	Broken     error // what the schedule violates
	uses       [][]modulo.Use
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
	l.Bound, l.BoundWhy, _ = schedule.BoundOf(l.Graph)
	p := schedule.Problem(l.Graph, l.Shape, schedule.Limits{})
	s := &modulo.Schedule{II: l.Attr.II, Cycle: l.Attr.At}
	l.Registers, l.Shared = schedule.Room(p, s)
	l.Stages = ir.Map(l.Graph.Buffers, func(b ddg.Buffer) int { return schedule.BufferStages(l.Graph, b, l.Attr) })
	used := make(map[int]bool)
	for _, o := range p.Ops {
		o.Uses = slices.DeleteFunc(o.Uses, func(u modulo.Use) bool { return u.Unit >= int(sm.NumUnits) }) // the pseudo unit endOfIteration
		l.uses = append(l.uses, o.Uses)
		for _, u := range o.Uses {
			used[u.Unit] = true
		}
	}
	for u := range sm.NumUnits {
		if used[int(u)] {
			l.unitsInUse = append(l.unitsInUse, u)
		}
	}
	return l
}

// op names an operation of the body with its number.
func (l *Loop) op(i int) string {
	name := l.Graph.Nodes[i].Op.Name()
	if _, short, ok := strings.Cut(name, "."); ok {
		name = short
	}
	return fmt.Sprintf("%s#%d", name, i)
}

// header describes the schedule, in lines of a name and a text.
func (l *Loop) header() (lines [][2]string) {
	add := func(name, format string, args ...any) {
		lines = append(lines, [2]string{name, fmt.Sprintf(format, args...)})
	}
	a := l.Attr
	cycles := a.II * a.Unit
	add("II", "%d cycles (%d units of %d); lower bound %d: %s", cycles, a.II, a.Unit, l.Bound, l.BoundWhy)
	copies := ""
	if l.Shape.Staggered {
		copies = "staggered copies, "
	}
	add("stages", "%d; %sprefetch distance %d, %s", a.Stages(), copies, l.Shape.Prefetch, l.Shape.Concurrency())
	for i, b := range l.Graph.Buffers {
		add("buffer", "%d x %d bytes, filled by %s", l.Stages[i], schedule.StageBytes(b), l.op(b.Copy))
	}
	add("shared memory", "%d of %d bytes", l.Shared, l.Limits.Shared)
	add("registers", "%d of %d for tensors of the steady state", l.Registers, l.Limits.Registers)
	return lines
}

// A bar is a time in the steady state during which an operation occupies a unit. One that crosses the end is two bars.
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
