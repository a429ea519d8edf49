package nest

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/tileas/machine/price"
)

// A Nest is an inner loop whose fill can start in the previous iteration of the outer loop.
type Nest struct {
	Outer, Inner ir.Op
	// Guard is the if that contains the inner loop in its first region; a zero Op if there is none. If its condition
	// is false, the fill copies nothing.
	Guard ir.Op
	// Sharers are later loops that copy too, and use the same stages. These are free then, and the next fill must come
	// after them.
	Sharers []ir.Op
	aside   []ir.Op // pipelined loops that copy nothing to stages
	// Iterations is how many iterations of the inner loop only copy: the fill.
	Iterations int
	remade     map[ir.Op]bool // operations of the outer body that are rematerialized for the next iteration
	late       map[ir.Op]bool // operations after the inner loop that the next iteration's values depend on
	// carried are the loop-carried values of the outer loop that the fill depends on.
	carried map[int]bool
	early   map[ir.Value]ir.Value // late values that are rematerialized already
}

// Around returns the loop around a scheduled one, and the if between them if there is one; zero Ops otherwise.
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

// Inside returns the first scheduled loop directly inside an outer one; a zero Op if there is none.
func Inside(outer ir.Op) ir.Op {
	for op := range outer.All() {
		if op.Is(scf.For) && tileas.ScheduleOf(op) != nil {
			if around, _ := Around(op); around == outer {
				return op
			}
			break
		}
	}
	return ir.Op{}
}

// Top returns the operation of the outer body that is, or contains, the inner loop.
func (n *Nest) Top() ir.Op {
	if n.Guard.IsNil() {
		return n.Inner
	}
	return n.Guard
}

// After returns the first operation of the outer body after all uses of the stages.
func (n *Nest) After() ir.Op {
	last := n.Top()
	for _, s := range n.Sharers {
		last = s.AncestorIn(n.Outer.Body().Region())
	}
	return last.Next()
}

// Find returns the nest of a loop, given its graph and schedule. The error names the first operation that prevents it.
// It does not trust the attributes of the outer loop.
func Find(g *ddg.Graph, a *tileas.ScheduleAttr, l schedule.Limits, m *price.Model) (*Nest, error) {
	s, err := schedule.ShapeOf(g, a)
	if err != nil {
		return nil, err
	}
	n := &Nest{Inner: g.Loop, Iterations: s.Prefetch, remade: make(map[ir.Op]bool), late: make(map[ir.Op]bool), carried: make(map[int]bool)}
	n.Outer, n.Guard = Around(g.Loop)
	switch {
	case n.Outer.IsNil():
		return nil, fmt.Errorf("the inner loop is nested in another operation")
	case !counted(g):
		return nil, fmt.Errorf("the mbarrier phases of the inner loop do not continue from iteration to iteration")
	// The guard of an overlap may select the unchanged loop, which has an mbarrier and a parity of its own.
	case s.Overlap > 0 && slices.ContainsFunc(g.Nodes, func(n ddg.Node) bool { return n.Op.Is(tileas.TMALoad) }):
		return nil, fmt.Errorf("%d iterations of the inner loop overlap, and mbarriers count its copies", s.Overlap+1)
	case g.HasIndices():
		return nil, fmt.Errorf("the inner loop loads the addresses of its copies")
	}
	if err := cmp.Or(n.registers(g, a, s), n.share(g, a, m), n.obstacle()); err != nil {
		return nil, err
	}
	if err := ir.Try(n.needs(g), n.next); err != nil {
		return nil, err
	}
	return n, n.room(g, a, s, l)
}

// obstacle names the first operation around the inner loop that prevents an early fill, whatever the fill needs.
func (n *Nest) obstacle() (err error) {
	n.around(func(op, inner ir.Op) bool {
		after := !op.IsBeforeInBlock(n.Top())
		switch t := ir.ExitTarget(inner); {
		case inner.HasTrait(ir.Terminator) && inner != n.Outer.Body().Last() && !t.IsNil() && (t == n.Outer || t.IsAncestorOf(n.Outer)):
			err = fmt.Errorf("'%s' ends an iteration early", inner.Name())
		case inner.Is(scf.For) && tileas.ScheduleOf(inner) != nil:
			err = fmt.Errorf("another inner loop is pipelined with stages of its own")
		case after && (inner.Is(tileas.CommitGroup) || inner.Is(tileas.WaitGroup)):
			err = fmt.Errorf("'%s' after the inner loop would count its copies", inner.Name())
		}
		return err == nil
	})
	return err
}

// around calls f with the operations around the inner loop, and those of the outer body that they are in, until it returns
// false. It leaves out other pipelined loops that do not disturb copies in flight.
func (n *Nest) around(f func(op, inner ir.Op) bool) {
	more := true
	for op := range n.Outer.Body().Ops() {
		op.Walk(func(inner ir.Op) ir.WalkResult {
			switch {
			case inner == n.Inner || slices.Contains(n.Sharers, inner) || slices.Contains(n.aside, inner):
				return ir.SkipBelow
			case more && f(op, inner):
				return ir.Advance
			}
			more = false
			return ir.Interrupt
		})
	}
}

// needs returns the values from outside that the copies of the inner loop and its trip count depend on.
func (n *Nest) needs(g *ddg.Graph) (out []ir.Value) {
	out = append(out, n.Inner.Operands()[:scf.NumBounds]...)
	if !n.Guard.IsNil() {
		out = append(out, n.Guard.Operand(0))
	}
	work := ir.NewWorklist[int]()
	for i, nd := range g.Nodes {
		if nd.Role == ddg.Ahead {
			work.Add(i)
		}
	}
	for i := range work.All() {
		for _, v := range ir.Inputs(g.Nodes[i].Op) {
			switch j := g.Node(v); {
			case j >= 0:
				work.Add(j)
			case v.IsBlockArg() && v.Block() == n.Inner.Body():
				if v.Index() > 0 { // a loop-carried value that never changes
					out = append(out, n.Inner.Operand(scf.NumBounds+v.Index()-1))
				}
			default:
				out = append(out, v)
			}
		}
	}
	return out
}

// own reports whether a value belongs to an iteration of the outer loop.
func (n *Nest) own(v ir.Value) bool { return v.Block() == n.Outer.Body() || n.guarded(v) }

// guarded reports whether a value is defined next to the inner loop, inside the guard.
func (n *Nest) guarded(v ir.Value) bool { return !n.Guard.IsNil() && v.Block() == n.Inner.Block() }

// next finds what must be rematerialized so that a value exists for the next iteration.
func (n *Nest) next(v ir.Value) error {
	switch {
	case !n.own(v), v == n.Outer.Body().Arg(0):
		return nil
	case v.IsBlockArg():
		y := n.Outer.Body().Last().Operand(v.Index() - 1)
		if y == v {
			return nil
		}
		// The last iteration has no next one, and selects its own value again.
		switch v.Type().(type) {
		case *ir.IntegerType, *tile.PtrType:
			n.carried[v.Index()-1] = true
			return n.now(y)
		}
		if op := y.DefiningOp(); !op.IsNil() && n.own(y) {
			return fmt.Errorf("its copies depend on the result of '%s' in the previous iteration", op.Name())
		}
		return fmt.Errorf("its copies depend on loop-carried value #%d, which changes", v.Index()-1)
	}
	op := v.DefiningOp()
	if n.remade[op] {
		return nil
	}
	if err := n.harmless(op); err != nil {
		return err
	}
	if n.guarded(v) && !ir.IsPure(op) { // it would execute even if the guard is false
		return fmt.Errorf("its copies depend on '%s', which is in a branch", op.Name())
	}
	n.remade[op] = true
	return ir.Try(ir.Inputs(op), n.next)
}

// now finds what must be rematerialized so that a value of this iteration exists right after the inner loop.
func (n *Nest) now(v ir.Value) error {
	op := v.DefiningOp()
	if !n.own(v) || v.IsBlockArg() || n.late[op] || op.Block() != n.Outer.Body() || op.IsBeforeInBlock(n.After()) {
		return nil
	}
	if !ir.IsPure(op) {
		return fmt.Errorf("its copies depend on '%s', which comes after the inner loop", op.Name())
	}
	n.late[op] = true
	return ir.Try(ir.Inputs(op), n.now)
}

// harmless reports why an operation cannot execute once more, before its iteration.
func (n *Nest) harmless(op ir.Op) error {
	load := op.Is(tileas.Level.TiledLoad) || op.Is(tileas.Level.Load)
	switch {
	case op == n.Inner || op.IsAncestorOf(n.Inner):
		return fmt.Errorf("its copies depend on what the inner loop computes")
	case load && tile.IsOrdered(op):
		return fmt.Errorf("its copies depend on '%s', which is ordered with other threads", op.Name())
	case !load && !ir.HasNoEffects(op):
		return fmt.Errorf("its copies depend on '%s', which has effects", op.Name())
	}
	if schedule.Registers(op.Results()...) > mostRegisters {
		return fmt.Errorf("its copies depend on '%s', which is too large to rematerialize", op.Name())
	}
	return nil
}
