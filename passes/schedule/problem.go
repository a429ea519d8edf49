package schedule

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/target/sm"
)

// Limits are what a loop may take.
type Limits struct {
	Registers int  // of a thread, for tensors that the loop works on; 0: no limit
	Shared    int  // bytes for the slots of its buffers
	Stages    int  // the kernel's hint: how many iterations of data are on their way or in use; 0: none
	Lead      int  // turns that copies and loads are to run ahead; 0: the scheduler decides
	AtOnce    int  // iterations that are to compute at once; 0: the scheduler decides
	Apart     bool // copies are to start apart

	arch   *sm.Arch
	warps  int
	blocks int // that the kernel asks for on an SM; 0: none
}

// Blocks returns how many tile blocks an SM runs at once when each thread has so many registers for tensors, and a block so many bytes of shared memory.
func (l Limits) Blocks(registers, shared int) int {
	if l.arch == nil {
		return 1
	}
	threads := sm.WarpSize * l.warps
	n := l.arch.Warps / l.warps
	n = min(n, l.arch.Registers.PerSM/(threads*min(registers+others, l.arch.Registers.PerThread)))
	n = min(n, l.arch.Shared.PerSM/(shared+l.arch.Shared.Reserved))
	return max(1, n)
}

// Asked returns how many tile blocks the kernel asks to run on an SM at once; 0: it does not.
func (l Limits) Asked() int { return l.blocks }

// Threads returns the threads of a tile block.
func (l Limits) Threads() int { return sm.WarpSize * max(1, l.warps) }

// A Shape is what is fixed before operations are placed.
//
// Copies start together at the head of an iteration, and what reads them begins Lead turns later, behind one wait and one barrier for all of them at the head of its turn. So a turn has one
// place where warps meet, whatever it copies. Compute operations start within Overlap turns more than one: with none, all
// of an iteration's arithmetic is issued before the next one's.
//
// Or copies start Apart, each when its slot has been read, with a wait and a place to meet for each.
type Shape struct {
	II      int
	Unit    int // cycles of a unit of time
	Lead    int
	Overlap int
	Apart   bool
	// Behind is at the head of how many turns later the asynchronous products of a turn are known to be done, whose slots copies fill then: at the next one, where the tensor cores have nothing to do until
	// the next products start, or at that after it, for one slot more of each buffer. 0: there are none, or something in the iteration waits for each.
	Behind int
	// After keeps products from starting earlier than so many units of time in the turn of what they read: time for the last ones of the iteration before. It helps a search, and says nothing of a schedule.
	After int
}

// units rounds cycles up to units of time.
func (s Shape) units(cycles int) int { return (cycles + s.Unit - 1) / s.Unit }

// The classes of room.
const (
	classRegisters = iota
	classShared
)

// endOfTurn is a unit of its own, which keeps products from reaching over the end of a turn. A warp issues the instructions of a product as the tensor cores take them, in order, and ptxas moves nothing over
// the branch back: what the next turn begins with would wait for the last of them. The head takes its one cycle at the beginning of a turn, and a product those after its first.
const endOfTurn = int(sm.NumUnits)

// withinTurn adds to the uses of a node that it does not reach over the end of a turn, if it is a product.
func withinTurn(uses []modulo.Use, n ddg.Node, s Shape) []modulo.Use {
	if t := min(s.units(n.Timing.Busy[sm.UnitTensor]), s.II); t > 1 && !n.Op.Is(tileas.DotAsync) { // which no warp stays with
		uses = append(uses, modulo.Use{Unit: endOfTurn, At: 1, Cycles: t - 1})
	}
	return uses
}

// Problem states the scheduling problem of a graph, given its shape.
func Problem(g *ddg.Graph, s Shape, l Limits) *modulo.Problem { return problem(g, s, l, values(g, s)) }

// problem is Problem with what lives how long, which is the same for all shapes with one unit of time: a search states it once.
func problem(g *ddg.Graph, s Shape, l Limits, lives []modulo.Value) *modulo.Problem {
	p := &modulo.Problem{Values: lives, Ops: make([]modulo.Op, 0, len(g.Nodes)), Edges: make([]modulo.Edge, 0, len(g.Edges)+4*len(g.Nodes)),
		Classes: []modulo.Class{{Name: "registers", Limit: l.Registers}, {Name: "bytes of shared memory", Limit: l.Shared, Slots: true}}}
	for u := range sm.NumUnits {
		p.Units = append(p.Units, modulo.Unit{Name: u.String(), Copies: 1})
	}
	p.Units = append(p.Units, modulo.Unit{Name: "the end of a turn", Copies: 1})
	for i, n := range g.Nodes {
		op := modulo.Op{Name: n.Op.Name()}
		for u, cycles := range n.Timing.Busy {
			// What is made again wherever it is wanted, or made anew, is no work of one place, and what runs ahead is the head's.
			if t := s.units(cycles); t > 0 && n.Role != ddg.Ahead && n.Role != ddg.Glue && !g.Early(i) {
				op.Uses = append(op.Uses, modulo.Use{Unit: u, Cycles: t})
			}
		}
		p.Ops = append(p.Ops, op)
	}
	for _, e := range g.Edges {
		f := e.Edge
		from, to := g.Nodes[e.From], g.Nodes[e.To]
		f.Latency = s.units(e.Latency)
		switch {
		case g.Early(e.From):
			f.Latency = 0
		case from.Async() && to.Role != ddg.Glue && e.Kind == modulo.Async && !s.Apart:
			// The wait stands at the head of a turn. How long the copy takes decides Lead.
			f.Latency = s.Lead * s.II
		}
		p.Edges = append(p.Edges, f)
	}
	if s.Apart {
		anchorApart(g, p, s)
	} else {
		anchor(g, p, s)
	}
	return p
}

// Head returns the node that the turns of a graph are counted from: the first copy that runs ahead, or else the first load; -1 when nothing does.
func Head(g *ddg.Graph) int {
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

// anchor ties what runs ahead to the head of an iteration, and compute operations to their turns.
func anchor(g *ddg.Graph, p *modulo.Problem, s Shape) {
	head := Head(g)
	if head < 0 {
		return
	}
	tie := func(op, at int) {
		p.Edges = append(p.Edges, modulo.Edge{From: head, To: op, Latency: at, Kind: modulo.Async}, modulo.Edge{From: op, To: head, Latency: -at, Kind: modulo.Async})
	}
	p.Ops[head].Uses = append(p.Ops[head].Uses, modulo.Use{Unit: endOfTurn, Cycles: 1})
	var busy [sm.NumUnits]int
	for i, n := range g.Nodes {
		switch n.Role {
		case ddg.Compute:
			p.Edges = append(p.Edges, modulo.Edge{From: head, To: i, Latency: s.Lead * s.II, Kind: modulo.Async},
				modulo.Edge{From: i, To: head, Latency: 1, Distance: s.Lead + s.Overlap + 1, Kind: modulo.Async})
			if n.Timing.Busy[sm.UnitTensor] > 0 {
				p.Edges = append(p.Edges, modulo.Edge{From: head, To: i, Latency: s.Lead*s.II + s.After, Kind: modulo.Async})
			}
			p.Ops[i].Uses = withinTurn(p.Ops[i].Uses, n, s)
		case ddg.Floating, ddg.Glue: // nothing stands before the head, so that it is at time 0
			if p.Edges = append(p.Edges, modulo.Edge{From: head, To: i, Kind: modulo.Async}); i == g.Drain {
				tie(i, (s.Lead+max(1, s.Behind))*s.II)
			}
		case ddg.Ahead:
			for u, cycles := range n.Timing.Busy {
				busy[u] += cycles
			}
			switch {
			case i == head:
			case n.Async() || !g.Nodes[head].Async():
				tie(i, 0)
			default:
				// Beside copies, a load to registers runs one turn ahead, however far these do: each further turn would cost a tile of registers.
				tie(i, (s.Lead-1)*s.II)
			}
		}
	}
	for u, cycles := range busy { // the head keeps the units busy for all of them, since they start together
		if t := min(s.units(cycles), s.II); t > 0 {
			p.Ops[head].Uses = append(p.Ops[head].Uses, modulo.Use{Unit: u, Cycles: t})
		}
	}
}

// Registers returns how many registers of 32 bits each thread needs for a value; 0 for what is no tensor.
func Registers(t ir.Type) int {
	l, ok := tileas.LayoutOf(t)
	if !ok {
		return 0
	}
	return (l.Size(linear.Register)*max(8, ir.BitWidth(ir.ElementType(t))) + 31) / 32
}

// SlotBytes returns the bytes of a slot of a buffer.
func SlotBytes(b ddg.Buffer) int {
	return int(b.Type().SlotBytes())
}

// Room returns the registers of a thread and the bytes of shared memory that the steady state of a schedule takes.
func Room(p *modulo.Problem, s *modulo.Schedule) (registers, shared int) {
	pressure := s.Pressure(p)
	return pressure[classRegisters], pressure[classShared]
}
