package schedule

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/machine/cost"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/target/sm"
)

// Limits are the resources that a loop may take, and what the kernel or the pass options ask for.
type Limits struct {
	Registers int  // per thread, for the loop's tensors; 0: no limit
	Shared    int  // bytes for the stages of its buffers
	Stages    int  // the kernel's hint num_stages; 0: none
	Prefetch  int  // prefetch distance asked for; 0: the scheduler decides
	AtOnce    int  // iterations that shall compute at the same time; 0: the scheduler decides
	Staggered bool // copies shall be staggered
	Strict    bool // the limit of registers holds however few of them prefetched loads take

	Kernel *budget.Kernel
}

// Blocks returns how many CTAs an SM runs at once, if each thread has so many registers for tensors and each CTA so
// many bytes of shared memory.
func (l Limits) Blocks(registers, shared int) int {
	return l.Kernel.CTAs(registers+budget.ForLoops.Others(), shared)
}

// A Shape is what is fixed before operations are placed.
//
// Copies start together at the head of a steady-state iteration. Their readers start Prefetch iterations later, after
// one wait and one barrier at the head of their iteration. So threads synchronize once per iteration, however much it
// copies.
//
// Compute operations start within Overlap + 1 iterations. With no overlap, all arithmetic of an iteration is issued
// before that of the next one.
//
// Staggered copies instead start one after the other, each when its stage has been read, with a wait and a barrier of
// its own (staggered.go).
type Shape struct {
	II        int
	Unit      int // cycles of a unit of time
	Prefetch  int
	Overlap   int
	Staggered bool
	// Drain is how many iterations later the asynchronous MMAs of an iteration are known to be complete, so that loads
	// may refill their stages. With 1, the tensor cores idle until the next MMAs start. With 2, each buffer has one
	// stage more. 0: there are none, or something in the iteration waits for each.
	Drain int
	// Index is how many iterations before a copy its address is loaded (ddg.Graph.IndexDepth); 0: no address is
	// loaded.
	Index int
	// After delays MMAs by so many units after the head of the iteration that reads their operands. That leaves time
	// for the last MMAs of the previous iteration. It guides the search only.
	After int
	// Fragments is in which of the Overlap + 1 iterations, from 1 on, MMA operands in registers are computed and used.
	// 0: in any. It guides the search only.
	Fragments int
}

// Concurrency says in words how many iterations compute at the same time.
func (s Shape) Concurrency() string {
	if s.Overlap == 0 {
		return "1 iteration computes at a time"
	}
	return fmt.Sprintf("%d iterations compute at the same time", s.Overlap+1)
}

// units rounds cycles up to units of time.
func (s Shape) units(cycles int) int { return (cycles + s.Unit - 1) / s.Unit }

// The resource classes of a problem.
const (
	classRegisters = iota
	classShared
)

// endOfIteration is a pseudo unit that keeps MMAs within a steady-state iteration. A warp issues instructions in
// order, and ptxas moves nothing over the backward branch. So an MMA across the end would delay everything at the head
// of the next iteration. The head occupies the unit's first cycle, and an MMA its cycles after the first.
const endOfIteration = int(sm.NumUnits)

// withinIteration adds the use of endOfIteration to the uses of a node, if it is an MMA.
func withinIteration(uses []modulo.Use, n ddg.Node, s Shape) []modulo.Use {
	if t := min(s.units(n.Timing.Busy[sm.UnitTensor]), s.II); t > 1 && !n.Op.Is(tileas.DotAsync) { // no warp waits for the rest of a dot_async
		uses = append(uses, modulo.Use{Unit: endOfIteration, At: 1, Cycles: t - 1})
	}
	return uses
}

// Problem states the scheduling problem of a graph with a given shape.
func Problem(g *ddg.Graph, s Shape, l Limits) *modulo.Problem { return problem(g, s, l, values(g, s)) }

// problem is Problem with given lifetimes. They are the same for all shapes with one unit of time, so a search
// computes them once.
func problem(g *ddg.Graph, s Shape, l Limits, lives []modulo.Value) *modulo.Problem {
	p := &modulo.Problem{Units: units, Values: lives, Ops: make([]modulo.Op, 0, len(g.Nodes)), Edges: make([]modulo.Edge, 0, len(g.Edges)+4*len(g.Nodes)),
		Classes: []modulo.Class{{Name: "registers", Limit: l.Registers}, {Name: "bytes of shared memory", Limit: l.Shared, Buffered: true}}}
	for i, n := range g.Nodes {
		op := modulo.Op{Name: n.Op.Name()}
		_, index := g.IndexDepth(i)
		for u, cycles := range n.Timing.Busy {
			// Rematerialized operations have no place of their own. Prefetched operations occupy the units at the head
			// (anchor), and the few instructions that compute an address from a loaded index count with them.
			if t := s.units(cycles); t > 0 && n.Role != ddg.Ahead && n.Role != ddg.Glue && !g.Early(i) && !index {
				op.Uses = append(op.Uses, modulo.Use{Unit: u, Cycles: t})
			}
		}
		p.Ops = append(p.Ops, op)
	}
	for _, e := range g.Edges {
		f := e.Edge
		from, to := g.Nodes[e.From], g.Nodes[e.To]
		f.Latency = s.units(e.Latency)
		_, index := g.IndexDepth(e.From)
		switch {
		case g.Early(e.From), index: // Index iterations hide the latency
			f.Latency = 0
		case from.Async() && to.Role != ddg.Glue && e.Kind == modulo.Async && !s.Staggered:
			// The wait stands at the head of an iteration, and the latency of the copy has determined Prefetch.
			f.Latency = s.Prefetch * s.II
		}
		p.Edges = append(p.Edges, f)
	}
	if s.Staggered {
		anchorStaggered(g, p, s)
	} else {
		anchor(g, p, s)
	}
	return p
}

// units are those of an SM, and endOfIteration.
var units = func() (names []string) {
	for u := range sm.NumUnits {
		names = append(names, u.String())
	}
	return append(names, "the end of an iteration")
}()

// Head returns the node from which iterations are counted: the first prefetched copy, or else the first prefetched
// load; -1 if there is none.
func Head(g *ddg.Graph) int {
	// A copy is the head even if a load precedes it in the body: copies have the longer prefetch distance.
	head := -1
	for i, n := range g.Nodes {
		if n.Async() {
			return i
		}
		if n.Role == ddg.Ahead && head < 0 {
			head = i
		}
	}
	return head
}

// after lets an operation start so many units after another one, or later, so many iterations after it.
func after(p *modulo.Problem, from, to, latency, distance int) {
	p.Edges = append(p.Edges, modulo.Edge{From: from, To: to, Latency: latency, Distance: distance, Kind: modulo.Async})
}

// anchor ties prefetched operations to the head of an iteration, and compute operations to the iterations that the
// shape allows.
func anchor(g *ddg.Graph, p *modulo.Problem, s Shape) {
	head := Head(g) // newPrefetcher and ShapeOf reject a loop without one
	// Two edges with opposite latencies fix the distance between an operation and the head.
	tie := func(op, at int) {
		after(p, head, op, at, 0)
		after(p, op, head, -at, 0)
	}
	// Loads of addresses run before the head, depth by depth, and what these depend on must not come later.
	deepest := 0
	for i := range g.Nodes {
		depth, _ := g.IndexDepth(i)
		deepest = max(deepest, depth)
	}
	p.Ops[head].Uses = append(p.Ops[head].Uses, modulo.Use{Unit: endOfIteration, Cycles: 1})
	var ahead cost.Timing
	for i, n := range g.Nodes {
		switch n.Role {
		case ddg.Compute:
			// Not before the copies of its iteration are awaited, and within Overlap + 1 iterations from there. The
			// edge back to the head is the upper limit.
			after(p, head, i, s.Prefetch*s.II, 0)
			after(p, i, head, 1, s.Prefetch+s.Overlap+1)
			if n.Timing.Busy[sm.UnitTensor] > 0 {
				after(p, head, i, s.Prefetch*s.II+s.After, 0)
			}
			p.Ops[i].Uses = withinIteration(p.Ops[i].Uses, n, s)
		case ddg.Floating, ddg.Glue: // only index loads come before the head, so the first operation is at time 0
			if depth, index := g.IndexDepth(i); index {
				tie(i, -depth*s.Index*s.II)
				break
			}
			earliest := 0
			if g.Early(i) { // addresses depend on rematerialized operations, so these must not come later
				earliest = -deepest * s.Index * s.II
			}
			if after(p, head, i, earliest, 0); i == g.Drain {
				tie(i, (s.Prefetch+max(1, s.Drain))*s.II)
			}
		case ddg.Ahead:
			ahead.Add(n.Timing, 1)
			depth, index := g.IndexDepth(i)
			switch {
			case i == head:
			case index:
				tie(i, -depth*s.Index*s.II)
			case n.Async() || !g.Nodes[head].Async():
				tie(i, 0)
			default:
				// Besides copies, a load to registers is prefetched by one iteration only. Each further iteration
				// would cost a tile of registers.
				tie(i, (s.Prefetch-1)*s.II)
			}
		}
	}
	holdFragments(g, p, s, head)
	s.occupy(&p.Ops[head], ahead.Busy) // all of them start together, so the head occupies the units for all
}

// occupy lets an operation occupy units for so many cycles, as far as an iteration has them.
func (s Shape) occupy(op *modulo.Op, busy [sm.NumUnits]int) {
	for u, cycles := range busy {
		if t := min(s.units(cycles), s.II); t > 0 {
			op.Uses = append(op.Uses, modulo.Use{Unit: u, Cycles: t})
		}
	}
}

// Registers returns how many 32-bit registers of a thread values take; what is no tensor takes none.
func Registers(values ...ir.Value) (n int) {
	for _, v := range values {
		if l, ok := tileas.LayoutOf(v.Type()); ok { // elements narrower than a byte take a byte
			n += (l.Size(linear.Register)*max(8, ir.BitWidth(ir.ElementType(v.Type()))) + 31) / 32
		}
	}
	return n
}

// StageBytes returns the bytes of one stage of a buffer.
func StageBytes(b ddg.Buffer) int {
	return int(b.Type().StageBytes())
}

// Room returns the registers per thread and the bytes of shared memory in the steady state of a schedule.
func Room(g *ddg.Graph, s Shape, at []int) (registers, shared int) {
	schedule := modulo.Schedule{II: s.II, Cycle: at}
	pressure := schedule.Pressure(Problem(g, s, Limits{}))
	return pressure[classRegisters], pressure[classShared]
}
