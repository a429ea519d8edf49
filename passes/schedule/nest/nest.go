package nest

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
)

// A Nest is a loop whose fill can be started in the iteration of the outer loop before.
type Nest struct {
	Outer, Inner ir.Op
	// Guard is the if in which the loop inside stands, in its first region; a zero Op when it stands in the outer loop itself. Where the condition is false, its fill copies nothing.
	Guard ir.Op
	// Sharers are loops behind the loop inside that copy too. They use its slots, which are free then and which the next fill must not touch before.
	Sharers []ir.Op
	aside   []ir.Op // loops that are pipelined, and copy nothing to slots
	// Turns is how many turns of the loop inside only copy: those are the fill.
	Turns int
	again map[ir.Op]bool // operations of the outer body that are made for the next iteration
	late  map[ir.Op]bool // operations behind the loop inside, of whose results the next iteration is made
	// carried are the values that the outer loop carries on and the next iteration is made of.
	carried map[int]bool
	early   map[ir.Value]ir.Value // what has been made of late operations
}

// Around returns the loop around a scheduled one, and the if between them when there is one; zero Ops otherwise.
func Around(loop ir.Op) (outer, guard ir.Op) {
	p := loop.ParentOp()
	if !p.IsNil() && p.Is(scf.If) && loop.Block() == p.Region(0).First() {
		p, guard = p.ParentOp(), p
	}
	if p.IsNil() || !p.Is(scf.For) {
		return ir.Op{}, ir.Op{}
	}
	return p, guard
}

// Inside returns the first scheduled loop for which an outer one is the loop around; a zero Op if there is none.
func Inside(outer ir.Op) (first ir.Op) {
	outer.Walk(func(op ir.Op) ir.WalkResult {
		if !op.Is(scf.For) || tileas.ScheduleOf(op) == nil {
			return ir.Advance
		}
		if around, _ := Around(op); around == outer {
			first = op
		}
		return ir.Interrupt
	})
	return first
}

// Top returns the operation of the outer body that the loop inside is, or is in.
func (n *Nest) Top() ir.Op {
	if n.Guard.IsNil() {
		return n.Inner
	}
	return n.Guard
}

// Behind returns the first operation of the outer body behind all that uses the slots.
func (n *Nest) Behind() ir.Op {
	last := n.Top()
	for _, s := range n.Sharers {
		for s.Block() != n.Outer.Body() {
			s = s.ParentOp()
		}
		last = s
	}
	return last.Next()
}

// Find returns the nest of the loop of a graph, given its schedule, or says why its fill cannot go ahead: the first operation that is in the way. It believes nothing of what attributes of the outer loop say.
func Find(g *ddg.Graph, a *tileas.ScheduleAttr, l schedule.Limits, build func(loop ir.Op) (*ddg.Graph, error)) (*Nest, error) {
	s, err := schedule.ShapeOf(g, a)
	if err != nil {
		return nil, err
	}
	n := &Nest{Inner: g.Loop, Turns: s.Lead, again: make(map[ir.Op]bool), late: make(map[ir.Op]bool), carried: make(map[int]bool)}
	n.Outer, n.Guard = Around(g.Loop)
	switch {
	case n.Outer.IsNil():
		return nil, fmt.Errorf("the loop inside does not stand in it directly")
	case !counted(g):
		return nil, fmt.Errorf("the phases of mbarriers that count the copies of the loop inside do not go on from iteration to iteration")
	case s.Overlap > 1 && slices.ContainsFunc(g.Nodes, func(n ddg.Node) bool { return n.Op.Is(tileas.TMALoad) }):
		return nil, fmt.Errorf("%d iterations of the loop inside compute at once, and mbarriers count its copies", s.Overlap+1)
	case n.once():
		return nil, fmt.Errorf("it runs at most once")
	}
	if err := n.registers(g, a, s); err != nil {
		return nil, err
	}
	if err := n.share(g, a, build); err != nil {
		return nil, err
	}
	if err := n.inTheWay(); err != nil {
		return nil, err
	}
	for _, v := range n.needs(g) {
		if err := n.next(v); err != nil {
			return nil, err
		}
	}
	return n, n.room(g, a, s, l)
}

// once reports whether the outer loop is known to run no more than once.
func (n *Nest) once() bool {
	lower, ok1 := ir.ConstantValue(n.Outer.Operand(0)).(*ir.IntegerAttr)
	upper, ok2 := ir.ConstantValue(n.Outer.Operand(1)).(*ir.IntegerAttr)
	step, ok3 := ir.ConstantValue(n.Outer.Operand(2)).(*ir.IntegerAttr)
	switch {
	case !ok1 || !ok2:
		return false
	case lower.Value >= 0 && upper.Value >= 0: // the same with and without a sign
		return upper.Value <= lower.Value || ok3 && step.Value > 0 && upper.Value-lower.Value <= step.Value
	}
	return false
}

// inTheWay returns an error that names the first operation around the loop inside because of which its fill cannot go ahead, whatever that needs.
func (n *Nest) inTheWay() (err error) {
	behind := false
	for op := range n.Outer.Body().Ops() {
		behind = behind || op == n.Top()
		op.Walk(func(inner ir.Op) ir.WalkResult {
			if inner == n.Inner || n.apart(inner) {
				return ir.SkipBelow
			}
			switch t := ir.ExitTarget(inner); {
			case inner.HasTrait(ir.Terminator) && inner != n.Outer.Body().Last() && !t.IsNil() && (t == n.Outer || t.IsAncestorOf(n.Outer)):
				err = fmt.Errorf("'%s' ends an iteration early, so that what stands behind it may not run", inner.Name())
			case inner.Is(scf.For) && tileas.ScheduleOf(inner) != nil:
				err = fmt.Errorf("another loop in it, which is pipelined too, has slots of its own")
			case behind && (inner.Is(tileas.CommitGroup) || inner.Is(tileas.WaitGroup)):
				err = fmt.Errorf("'%s' behind the loop inside would count its copies", inner.Name())
			}
			if err != nil {
				return ir.Interrupt
			}
			return ir.Advance
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// apart reports whether a loop that is pipelined too leaves copies ahead of it alone.
func (n *Nest) apart(loop ir.Op) bool {
	return slices.Contains(n.Sharers, loop) || slices.Contains(n.aside, loop)
}

// needs returns the values from outside of the loop inside that its copies and its number of turns rest on.
func (n *Nest) needs(g *ddg.Graph) (out []ir.Value) {
	out = append(out, n.Inner.Operands()[:scf.NumBounds]...)
	if !n.Guard.IsNil() {
		out = append(out, n.Guard.Operand(0))
	}
	seen := make(map[int]bool)
	var visit func(i int)
	visit = func(i int) {
		if seen[i] {
			return
		}
		seen[i] = true
		for _, v := range Inputs(g.Nodes[i].Op) {
			switch j := g.Node(v); {
			case j >= 0:
				visit(j)
			case v.IsBlockArg() && v.Block() == n.Inner.Body():
				if v.Index() > 0 { // what the loop carries without a change
					out = append(out, n.Inner.Operand(scf.NumBounds+v.Index()-1))
				}
			default:
				out = append(out, v)
			}
		}
	}
	for i, nd := range g.Nodes {
		if nd.Role == ddg.Ahead {
			visit(i)
		}
	}
	return out
}

// Inputs returns the values that an operation takes from outside, itself or inside, each once.
func Inputs(op ir.Op) (out []ir.Value) {
	seen := make(map[ir.Value]bool)
	op.Walk(func(inner ir.Op) ir.WalkResult {
		for _, v := range inner.Operands() {
			if !seen[v] && !inside(op, v) {
				seen[v] = true
				out = append(out, v)
			}
		}
		return ir.Advance
	})
	return out
}

func inside(op ir.Op, v ir.Value) bool {
	for i := range op.NumRegions() {
		if r := v.Block().Region(); r == op.Region(i) || op.Region(i).IsAncestorOf(r) {
			return true
		}
	}
	return false
}

// own reports whether a value is one of the outer iteration.
func (n *Nest) own(v ir.Value) bool { return v.Block() == n.Outer.Body() || n.guarded(v) }

// guarded reports whether a value is made beside the loop inside, behind the guard.
func (n *Nest) guarded(v ir.Value) bool { return !n.Guard.IsNil() && v.Block() == n.Inner.Block() }

// next finds what has to be made again so that a value is there for the next iteration.
func (n *Nest) next(v ir.Value) error {
	switch {
	case !n.own(v), v == n.Outer.Body().Arg(0):
		return nil
	case v.IsBlockArg():
		y := n.Outer.Body().Last().Operand(v.Index() - 1)
		if y == v {
			return nil
		}
		if !chosen(v.Type()) {
			return n.carries(v, y)
		}
		n.carried[v.Index()-1] = true
		return n.now(y)
	}
	op := v.DefiningOp()
	if n.again[op] {
		return nil
	}
	if err := n.harmless(op); err != nil {
		return err
	}
	if n.guarded(v) && !ir.IsPure(op) { // it would run where the guard is false
		return fmt.Errorf("its copies rest on '%s', which stands in a branch", op.Name())
	}
	n.again[op] = true
	return all(op, n.next)
}

// chosen reports whether one of two values of a type can be taken where there may be no next iteration.
func chosen(t ir.Type) bool {
	switch t.(type) {
	case *ir.IntegerType, *tile.PtrType:
		return true
	}
	return false
}

// carries says why what an iteration hands to the next one is not there before it ends.
func (n *Nest) carries(v, y ir.Value) error {
	if op := y.DefiningOp(); !op.IsNil() && n.own(y) {
		return fmt.Errorf("its copies rest on what '%s' makes in the iteration before", op.Name())
	}
	return fmt.Errorf("its copies rest on loop-carried value #%d, which changes", v.Index()-1)
}

// now finds what has to be made early so that a value of this iteration is there behind the loop inside.
func (n *Nest) now(v ir.Value) error {
	op := v.DefiningOp()
	if !n.own(v) || v.IsBlockArg() || n.late[op] || op.Block() != n.Outer.Body() || op.IsBeforeInBlock(n.Behind()) {
		return nil
	}
	if !ir.IsPure(op) {
		return fmt.Errorf("its copies rest on '%s', which stands behind the loop inside", op.Name())
	}
	n.late[op] = true
	return all(op, n.now)
}

func all(op ir.Op, f func(v ir.Value) error) error {
	for _, v := range Inputs(op) {
		if err := f(v); err != nil {
			return err
		}
	}
	return nil
}

// harmless reports whether an operation may run once more, ahead of its iteration.
func (n *Nest) harmless(op ir.Op) error {
	load := op.Is(tileas.Level.TiledLoad) || op.Is(tileas.Level.Load)
	switch {
	case op == n.Inner || op.IsAncestorOf(n.Inner):
		return fmt.Errorf("its copies rest on what the loop inside computes")
	case load && tile.IsOrdered(op):
		return fmt.Errorf("its copies rest on '%s', which has an order with other threads", op.Name())
	case !load && !ir.HasNoEffects(op):
		return fmt.Errorf("its copies rest on '%s', which has effects", op.Name())
	}
	registers := 0
	for _, r := range op.Results() {
		registers += schedule.Registers(r.Type())
	}
	if registers > mostRegisters {
		return fmt.Errorf("its copies rest on '%s', which is too large to be made ahead", op.Name())
	}
	return nil
}
