package ddg

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/cost"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
)

// A Role is what an operation is to a schedule; see the package documentation.
type Role uint8

// The roles.
const (
	Compute Role = iota
	Floating
	Ahead
	Glue
)

var roleNames = [...]string{"compute", "floating", "ahead", "glue"}

func (r Role) String() string { return roleNames[r] }

// A Node is an operation of the body.
type Node struct {
	Op     ir.Op
	Role   Role
	Timing cost.Timing
}

// Async reports whether the node starts an asynchronous copy to a buffer of its own.
func (n *Node) Async() bool { return n.Role == Ahead && fills(n.Op) }

// fills reports whether an operation starts a copy to a buffer, which a group or an mbarrier tells the end of.
func fills(op ir.Op) bool { return tileas.IsCopy(op) || op.Is(tileas.TMALoad) }

// An Edge is a dependence between nodes.
type Edge struct {
	modulo.Edge
	Value ir.Value // that carries it; a zero Value when effects alone do
}

// A Buffer is an allocation that one copy of an iteration fills and others read.
type Buffer struct {
	Root    ir.Value // the allocation
	Alloc   int      // the node that makes it; -1: it is made outside of the loop, which fills it anew in each iteration
	Copy    int      // node
	Readers []int    // nodes
}

// Type returns the type of the buffer.
func (b Buffer) Type() *tileas.BufferType { return b.Root.Type().(*tileas.BufferType) }

// A Graph is the dependence graph of a loop.
type Graph struct {
	Loop    ir.Op
	Nodes   []Node
	Edges   []Edge
	Buffers []Buffer
	// Products are the asynchronous products. Drain is the wait, a node, for those of which only the slots of buffers are waited for; -1: there are none.
	Products []Product
	Drain    int
	index    map[ir.Op]int
	yields   []ir.Value
	early    []bool       // see Early
	reads    map[int]bool // nodes that read buffers of Buffers, and others that no operation of the body writes
	done     map[int]int  // the wait of each of Products
	counters map[int]bool // nodes that count bytes of copies by mbarriers, and the phases of those
	parities map[int]bool // loop-carried values that count phases
}

// Build builds the graph of an scf.for, or says why its body cannot be pipelined.
func Build(loop ir.Op, m *cost.Model) (*Graph, error) {
	if !loop.Is(scf.For) {
		return nil, fmt.Errorf("'%s' has no counter", loop.Name())
	}
	g := &Graph{Loop: loop, index: make(map[ir.Op]int)}
	body := loop.Body()
	for op := range body.Ops() {
		if op.HasTrait(ir.Terminator) {
			g.yields = op.Operands()
			continue
		}
		if err := simple(op); err != nil {
			return nil, err
		}
		g.index[op] = len(g.Nodes)
		g.Nodes = append(g.Nodes, Node{Op: op, Timing: m.Of(op)})
	}
	for i, y := range g.yields {
		if a := body.Arg(1 + i); y != a && (y.DefiningOp().IsNil() || y.DefiningOp().Block() != body) {
			return nil, fmt.Errorf("loop-carried value #%d is not computed in the loop", i)
		}
	}
	g.findBuffers()
	if err := g.findCounters(); err != nil {
		return nil, err
	}
	if err := g.findProducts(); err != nil {
		return nil, err
	}
	if err := g.findFragments(); err != nil {
		return nil, err
	}
	g.early = make([]bool, len(g.Nodes))
	g.assignRoles()
	if err := g.allAhead(); err != nil {
		return nil, err
	}
	g.findDrain()
	g.flow()
	g.waits()
	g.products()
	g.fragments()
	g.effects()
	return g, nil
}

// LoopInside is the error of a loop that has another one in it.
type LoopInside struct{ Loop ir.Op }

func (e *LoopInside) Error() string {
	return fmt.Sprintf("there is a loop inside ('%s')", e.Loop.Name())
}

// simple refuses what hides control flow that leaves an iteration, and loops inside: how long one takes is not known, and its own accesses are scheduled by itself. A loop over steps of one
// operation is none.
func simple(op ir.Op) (err error) {
	op.Walk(func(inner ir.Op) ir.WalkResult {
		if _, ok := tileas.StepLoop(inner); ok {
			return ir.SkipBelow
		}
		if _, isLoop := ir.LoopLike.Of(inner); isLoop {
			err = &LoopInside{inner}
		} else if _, exits := ir.RegionExitOp.Of(inner); exits {
			err = fmt.Errorf("'%s' leaves an iteration early", inner.Name())
		}
		if err != nil {
			return ir.Interrupt
		}
		return ir.Advance
	})
	return err
}

// Index returns the node of an operation of the body; ok is false for others.
func (g *Graph) Index(op ir.Op) (i int, ok bool) {
	i, ok = g.index[op]
	return i, ok
}

// Node returns the node in whose operation v is computed, or -1: it comes from outside, or is an argument of the body.
func (g *Graph) Node(v ir.Value) int {
	if i, ok := g.index[v.DefiningOp()]; ok && !v.DefiningOp().IsNil() {
		return i
	}
	return -1
}

// Carried returns what a loop-carried value is in the next iteration; ok is false for any other value, and for one that never changes.
func (g *Graph) Carried(v ir.Value) (next ir.Value, ok bool) {
	body := g.Loop.Body()
	if !v.DefiningOp().IsNil() || v.Block() != body {
		return v, false
	}
	for i, y := range g.yields {
		if body.Arg(1+i) == v && y != v {
			return y, true
		}
	}
	return v, false
}

// Yields returns the loop-carried values as an iteration leaves them.
func (g *Graph) Yields() []ir.Value { return g.yields }

// inputs calls f for each value of this iteration or the one before that an operation takes, itself or inside.
func (g *Graph) inputs(op ir.Op, f func(v ir.Value)) {
	op.Walk(func(inner ir.Op) ir.WalkResult {
		for _, v := range inner.Operands() {
			f(v)
		}
		return ir.Advance
	})
}

// findBuffers finds the allocations of the body that one asynchronous copy fills, as a whole, and that everything else only reads. Any other is a place that iterations share.
func (g *Graph) findBuffers() {
	g.reads = make(map[int]bool)
	reads := make(map[int]int) // of such buffers
	for i, n := range g.Nodes {
		if !n.Op.Is(tileas.AllocShared) {
			continue
		}
		b := Buffer{Root: n.Op.Result(0), Alloc: i, Copy: -1}
		if g.follow(b.Root, &b) && b.Copy >= 0 {
			g.Buffers = append(g.Buffers, b)
		}
	}
	for _, n := range g.Nodes {
		if !n.Op.Is(tileas.TMALoad) {
			continue
		}
		b := Buffer{Root: n.Op.Operand(0), Alloc: -1, Copy: -1}
		if Refilled(g.Loop, b.Root) && g.follow(b.Root, &b) && b.Copy >= 0 {
			g.Buffers = append(g.Buffers, b)
		}
	}
	for _, b := range g.Buffers {
		for _, r := range b.Readers {
			reads[r]++
		}
	}
	for i, n := range g.Nodes {
		if all := g.loadsIn(n.Op); all > 0 || n.Op.Is(tileas.DotAsync) {
			g.reads[i] = reads[i] == all
		}
	}
}

// loadsIn returns how many times the text of an operation reads a buffer that is not fixed.
func (g *Graph) loadsIn(op ir.Op) (n int) {
	op.Walk(func(inner ir.Op) ir.WalkResult {
		switch {
		case inner.Is(tileas.LocalLoad):
			n++
		case inner.Is(tileas.DotAsync):
			for _, v := range tileas.Buffers(inner) {
				if !g.fixed(v) {
					n++
				}
			}
		}
		return ir.Advance
	})
	return n
}

// follow collects what is done to a buffer through views of it, and reports whether that is all as it should be.
func (g *Graph) follow(v ir.Value, b *Buffer) bool {
	for u := range v.Uses() {
		if b.Alloc < 0 && !g.Loop.IsAncestorOf(u.Owner()) { // Refilled has seen what it is
			if tileas.IsView(u.Owner()) && !g.follow(u.Owner().Result(0), b) {
				return false
			}
			continue
		}
		i, top := g.index[u.Owner()]
		if around := u.Owner().ParentOp(); !top && u.Owner().Is(tileas.LocalLoad) {
			if i, top = g.index[around]; top {
				_, top = tileas.StepLoop(around)
			}
		}
		if !top {
			return false
		}
		switch op := u.Owner(); {
		case tileas.IsView(op):
			if !g.follow(op.Result(0), b) {
				return false
			}
		case fills(op) && u.Index() == 0 && b.Copy < 0 && v == b.Root:
			b.Copy = i
		case op.Is(tileas.LocalLoad), op.Is(tileas.DotAsync):
			b.Readers = append(b.Readers, i)
		default:
			return false
		}
	}
	return true
}

// assignRoles decides what each operation is to the schedule.
func (g *Graph) assignRoles() {
	owned := make(map[int]bool)
	for _, b := range g.Buffers {
		owned[b.Copy] = true
		if b.Alloc >= 0 {
			owned[b.Alloc] = true
		}
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		switch op := n.Op; {
		case g.counters[i], op.Is(tileas.CommitGroup), op.Is(tileas.WaitGroup), op.Is(tileas.FenceAsync) && !g.stores(), op.Is(tileas.DotWait) && g.forSlots(i):
			n.Role = Glue
		case op.Is(tileas.AllocShared) && owned[i]:
			n.Role = Floating
		case fills(op) && owned[i], (op.Is(tileas.Level.TiledLoad) || op.Is(tileas.Level.Load)) && !tile.IsOrdered(op) && wide(op):
			if n.Role = Compute; g.Rests(op) {
				n.Role = Ahead
			}
		case ir.IsPure(op) && ir.IsSpeculatable(op) && op.NumRegions() == 0:
			if g.early[i] = g.Rests(op); g.early[i] || light(op) {
				n.Role = Floating
			}
		}
	}
}

// allAhead refuses a loop of which some copies run ahead and others cannot: what waits for copies is glue, which an expansion makes anew for the former.
func (g *Graph) allAhead() (err error) {
	ahead := false
	for _, b := range g.Buffers {
		if n := &g.Nodes[b.Copy]; n.Role == Ahead {
			ahead = true
		} else {
			err = fmt.Errorf("where '%s' #%d copies from rests on what the loop computes", n.Op.Name(), b.Copy)
		}
	}
	if !ahead && len(g.parities) == 0 {
		return nil
	}
	return err
}

// fewElements is how many elements of a thread may come one by one in a load that runs ahead.
const fewElements = 8

// wide reports whether a load fills whole registers, or is small. Elements that come one by one have a register each until somebody packs them, so they would keep twice as many or more throughout a turn, which
// a thread that has few of them can afford.
func wide(op ir.Op) bool {
	if l, ok := tileas.LayoutOf(op.Result(0).Type()); ok && l.Size(linear.Register) <= fewElements {
		return true
	}
	a, ok := transfer.Accesses.Of(op)
	return ok && a(op).Vector*ir.BitWidth(ir.ElementType(op.Result(0).Type())) >= 32
}

// light reports whether an operation works on scalars and places only.
func light(op ir.Op) bool {
	for _, r := range op.Results() {
		if _, isTensor := r.Type().(*ir.TensorType); isTensor {
			return false
		}
	}
	return true
}

// Rests reports whether an operation rests, in the loop, on the counter alone and on what is pure and does so too: it can be carried out for any iteration at any time.
func (g *Graph) Rests(op ir.Op) bool {
	body := g.Loop.Body()
	ok := true
	g.inputs(op, func(v ir.Value) {
		switch j := g.Node(v); {
		case j >= 0:
			ok = ok && (g.early[j] || g.Nodes[j].Op.Is(tileas.AllocShared))
		case v.DefiningOp().IsNil() && v.Block() == body && v != body.Arg(0):
			if _, changes := g.Carried(v); changes {
				ok = false
			}
		}
	})
	return ok
}

// Early reports whether a floating node rests on the counter and the outside alone, so that it can be made again wherever it is wanted.
func (g *Graph) Early(i int) bool { return g.early[i] }

// Stay makes a load to registers that could run ahead one that does not.
func (g *Graph) Stay(i int) {
	if n := &g.Nodes[i]; n.Role == Ahead && !n.Async() {
		n.Role = Compute
	}
}
