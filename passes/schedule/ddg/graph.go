package ddg

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/machine/cost"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/passes/tileas/machine/price"
)

// A Role is what an operation is to a schedule; the package comment explains them.
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

// fills reports whether an operation starts a copy to a buffer, which a group or an mbarrier tracks.
func fills(op ir.Op) bool { return tileas.IsCopy(op) || op.Is(tileas.TMALoad) }

// An Edge is a dependence between nodes.
type Edge struct {
	modulo.Edge
	Value ir.Value // the value or token that carries it; a zero Value for effects
}

// A Buffer is an allocation that one copy of an iteration fills and others read.
type Buffer struct {
	Root    ir.Value // the allocation
	Alloc   int      // its node
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
	// MMAs are the asynchronous MMAs. Drain is the node of the wait for MMAs of which only stages are awaited; -1:
	// there is none.
	MMAs     []MMA
	Drain    int
	index    map[ir.Op]int
	yields   []ir.Value
	indices  map[int]int      // the depth of nodes that addresses of copies depend on; see IndexDepth
	early    []bool           // see Early
	reads    map[int]bool     // nodes that read only Buffers, or buffers that the body does not write
	counters map[int]bool     // nodes that announce bytes to mbarriers, wait for them, or compute their parity
	phases   map[ir.Value]int // by mbarrier, the loop-carried value that is its parity
}

// Build builds the graph of an scf.for, or says why its body cannot be pipelined.
func Build(loop ir.Op, m *price.Model) (*Graph, error) {
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
		if err := checkBody(op); err != nil {
			return nil, err
		}
		g.index[op] = len(g.Nodes)
		g.Nodes = append(g.Nodes, Node{Op: op, Timing: m.Of(op)})
	}
	for i, y := range g.yields {
		// Such a value has no node that defines it, so no edge could express when it is available.
		if a := body.Arg(1 + i); y != a && (y.DefiningOp().IsNil() || y.DefiningOp().Block() != body) {
			return nil, fmt.Errorf("loop-carried value #%d is not computed in the loop", i)
		}
	}
	// Roles depend on buffers, mbarriers and MMAs, and edges depend on roles.
	g.findBuffers()
	for _, find := range []func() error{g.findCounters, g.findMMAs, g.findFragments} {
		if err := find(); err != nil {
			return nil, err
		}
	}
	g.early = make([]bool, len(g.Nodes))
	g.assignRoles()
	g.findIndices()
	for i, n := range g.Nodes { // waits for copies are glue, which an expansion replaces
		if fills(n.Op) && n.Role != Ahead {
			return nil, fmt.Errorf("the address of '%s' #%d depends on what the loop computes", n.Op.Name(), i)
		}
	}
	g.findDrain()
	g.flow()
	g.waits()
	g.mmas()
	g.effects()
	return g, nil
}

// A LoopInside is the error for a loop that contains another loop.
type LoopInside struct{ Loop ir.Op }

func (e *LoopInside) Error() string {
	return fmt.Sprintf("it contains another loop ('%s')", e.Loop.Name())
}

// checkBody rejects control flow that leaves an iteration, and inner loops. The time of an inner loop is unknown, and
// it is scheduled by itself. A step loop (tileas.StepLoop) is one operation.
func checkBody(op ir.Op) (err error) {
	op.Walk(func(inner ir.Op) ir.WalkResult {
		if _, ok := tileas.StepLoop(inner); ok {
			return ir.SkipBelow
		}
		if ir.LoopLike.Has(inner) {
			err = &LoopInside{inner}
		} else if ir.RegionExitOp.Has(inner) {
			err = fmt.Errorf("'%s' leaves an iteration early", inner.Name())
		}
		if err != nil {
			return ir.Interrupt
		}
		return ir.Advance
	})
	return err
}

// Node returns the node that defines v; -1 if v comes from outside or is an argument of the body.
func (g *Graph) Node(v ir.Value) int {
	if i, ok := g.index[v.DefiningOp()]; ok && !v.DefiningOp().IsNil() {
		return i
	}
	return -1
}

// Carried returns the value of a loop-carried argument in the next iteration. ok is false for other values, and for an
// argument that never changes.
func (g *Graph) Carried(v ir.Value) (next ir.Value, ok bool) {
	if !v.IsBlockArg() || v.Block() != g.Loop.Body() || v.Index() == 0 {
		return v, false
	}
	next = g.yields[v.Index()-1]
	return next, next != v
}

// Yields returns the loop-carried values at the end of an iteration.
func (g *Graph) Yields() []ir.Value { return g.yields }

// findBuffers finds the allocations that one asynchronous copy of the body fills entirely, and that are only read
// otherwise. Iterations share any other allocation.
func (g *Graph) findBuffers() {
	for i, n := range g.Nodes {
		if !n.Op.Is(tileas.AllocShared) {
			continue
		}
		if b := (Buffer{Root: n.Op.Result(0), Alloc: i, Copy: -1}); g.follow(&b) && b.Copy >= 0 {
			g.Buffers = append(g.Buffers, b)
		}
	}
	g.findReads()
}

// findReads finds the nodes of reads.
func (g *Graph) findReads() {
	own := make(map[ir.Op]bool)
	for _, b := range g.Buffers {
		own[b.Root.DefiningOp()] = true
	}
	g.reads = make(map[int]bool)
	for i, n := range g.Nodes {
		loads := n.Op.Collect(func(op ir.Op) bool { return op.Is(tileas.LocalLoad) || op.Is(tileas.DotAsync) })
		g.reads[i] = len(loads) > 0 && !slices.ContainsFunc(loads, func(op ir.Op) bool {
			return slices.ContainsFunc(tileas.Buffers(op), func(v ir.Value) bool {
				return !own[tileas.RootOf(v)] && !(op.Is(tileas.DotAsync) && g.readOnly(v))
			})
		})
	}
}

// follow collects the uses of a buffer, and reports whether all are of the expected kind.
func (g *Graph) follow(b *Buffer) bool {
	for u := range tileas.UsesOf(b.Root) {
		op := u.Owner()
		i, top := g.index[op]
		// A load inside a step loop counts as a read by that loop, which is one operation of the body.
		if around := op.ParentOp(); !top && op.Is(tileas.LocalLoad) {
			if i, top = g.index[around]; top {
				_, top = tileas.StepLoop(around)
			}
		}
		switch {
		case !top:
			return false
		// One copy must fill the entire buffer: after a second copy, or one to a part, a stage would hold data of two.
		case fills(op) && u.Index() == 0 && b.Copy < 0 && u.Value() == b.Root:
			b.Copy = i
		case op.Is(tileas.LocalLoad), op.Is(tileas.DotAsync):
			b.Readers = append(b.Readers, i)
		default:
			return false
		}
	}
	return true
}

// assignRoles decides the role of each operation.
func (g *Graph) assignRoles() {
	owned := make(map[int]bool)
	for _, b := range g.Buffers {
		owned[b.Copy], owned[b.Alloc] = true, true
	}
	// If threads store to buffers in the loop, fences stand after the stores, and are not glue.
	stores := slices.ContainsFunc(g.Nodes, func(n Node) bool { return n.Op.Is(tileas.LocalStore) })
	for i := range g.Nodes {
		n := &g.Nodes[i]
		n.Role = Compute
		switch op := n.Op; {
		// An expansion decides where groups are committed and awaited, and where waits only for stages are.
		case g.counters[i], op.Is(tileas.CommitGroup), op.Is(tileas.WaitGroup), op.Is(tileas.FenceAsync) && !stores,
			op.Is(tileas.DotWait) && op.NumOperands() == 0 && g.forCopies(i):
			n.Role = Glue
		case op.Is(tileas.AllocShared) && owned[i]:
			n.Role = Floating
		case fills(op) && owned[i], candidate(op):
			if n.Role = Compute; g.Rests(op) {
				n.Role = Ahead
			}
		// Floating operations also execute for prefetched iterations that do not exist.
		case floats(op):
			if g.early[i] = g.Rests(op) && !g.carriedOn(op); g.early[i] || !slices.ContainsFunc(op.Results(), ir.IsTensor) { // of scalars, addresses and views only
				n.Role = Floating
			}
		}
	}
}

// floats reports whether an operation may execute at any time, and for iterations that do not exist.
func floats(op ir.Op) bool { return ir.IsPure(op) && ir.IsSpeculatable(op) && op.NumRegions() == 0 }

// fewElements is how many elements per thread a prefetched load may have if they come one by one.
const fewElements = 8

// fillsRegisters reports whether a load fills entire registers, or is small. An element that is loaded by itself takes
// a register until it is packed. So such a load takes twice the registers or more for an iteration.
func fillsRegisters(op ir.Op) bool {
	if l, ok := tileas.LayoutOf(op.Result(0).Type()); ok && l.Size(linear.Register) <= fewElements {
		return true
	}
	a, ok := transfer.Accesses.Of(op)
	return ok && a(op).Vector*ir.BitWidth(ir.ElementType(op.Result(0).Type())) >= 32
}

// Rests reports whether an operation depends, in the loop, on the counter and on pure operations with the same
// property. It can then be executed for any iteration at any time.
func (g *Graph) Rests(op ir.Op) bool {
	return !slices.ContainsFunc(ir.Inputs(op), func(v ir.Value) bool {
		if j := g.Node(v); j >= 0 {
			return !g.early[j] && !g.Nodes[j].Op.Is(tileas.AllocShared)
		}
		_, changes := g.Carried(v)
		return changes
	})
}

// carriedOn reports whether the loop hands a result of an operation to its next iteration. The first iteration has the
// initial value instead, which cannot be rematerialized.
func (g *Graph) carriedOn(op ir.Op) bool {
	return slices.ContainsFunc(op.Results(), func(v ir.Value) bool { return slices.Contains(g.yields, v) })
}

// Early reports whether a floating node depends only on the counter and values from outside, so that it can be
// rematerialized anywhere.
func (g *Graph) Early(i int) bool { return g.early[i] }

// Stay turns a prefetched load to registers into a compute operation, unless the address of a copy depends on it.
func (g *Graph) Stay(i int) {
	_, index := g.indices[i]
	if n := &g.Nodes[i]; n.Role == Ahead && !n.Async() && !index {
		n.Role = Compute
	}
}
