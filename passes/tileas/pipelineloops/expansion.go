package pipelineloops

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/nest"
)

// An expansion is what the schedule of a loop means for its operations.
type expansion struct {
	g       *ddg.Graph
	loop    ir.Op
	bounds  bounds
	nest    *nest.Nest // of a loop that is filled in the iteration of the outer loop before; nil for others
	lead    []int
	maxLead int
	overlap int   // the E of the package documentation
	order   []int // of the operations in a turn
	// crosses is, for each value of the body, the most turns between where it is made and where it is taken.
	crosses map[ir.Value]int
	carried []ir.Value         // those that cross any, in the order of the text
	rings   map[ir.Value]*ring // by what makes the buffer that they take the place of
	// kept are operations that are made again wherever they are wanted, but whose value the next iteration takes: the first iteration takes something else instead, so this one use is of a value that
	// crosses turns.
	kept    map[int]bool
	row     []int // of each operation in a turn, by which they are ordered
	groups  []*group
	steps   []step        // a turn
	pending map[site]int  // products that waits leave under way
	given   []ir.Value    // the slots of the buffers, where they are another loop's
	single  []ir.Op       // the allocations of findSingle
	copied  bool          // a turn has copied something
	filled  map[int]*turn // turns in front of the loop that were started in the iteration of the outer loop before
}

// A ring is the slots of a buffer.
type ring struct {
	slots  int64
	buffer ir.Value // of all slots
	align  int64    // of each slot, in bytes
}

func newExpansion(g *ddg.Graph, a *tileas.ScheduleAttr) (*expansion, error) {
	x := &expansion{g: g, loop: g.Loop, bounds: boundsOf(g.Loop), lead: make([]int, len(g.Nodes)), row: make([]int, len(g.Nodes)), crosses: make(map[ir.Value]int), rings: make(map[ir.Value]*ring), kept: make(map[int]bool)}
	if err := schedule.Match(g, a); err != nil {
		return nil, err
	}
	last := 0
	for i, n := range g.Nodes {
		if n.Role == ddg.Compute {
			last = max(last, a.Stage(i))
		}
	}
	for i, n := range g.Nodes {
		if x.lead[i] = max(0, last-a.Stage(i)); !x.emitted(i) {
			continue
		}
		if n.Role == ddg.Compute {
			x.overlap = max(x.overlap, x.lead[i])
		}
		x.maxLead = max(x.maxLead, x.lead[i])
	}
	for _, b := range x.g.Buffers {
		r := &ring{slots: int64(schedule.Slots(g, b, a)), align: tileas.Alignment(b.Root.DefiningOp())}
		if b.Type().SlotBytes()%r.align != 0 {
			return nil, fmt.Errorf("slots of %d bytes cannot each be aligned to %d", b.Type().SlotBytes(), r.align)
		}
		x.rings[b.Root] = r
	}
	x.findKept()
	if err := x.findCrossings(); err != nil {
		return nil, err
	}
	x.findSingle()
	if err := x.findGroups(a); err != nil {
		return nil, err
	}
	if err := x.sort(a); err != nil {
		return nil, err
	}
	x.findPending()
	return x, nil
}

// emitted reports whether an operation has its place in a turn. Others are made where they are wanted, or stand for what is derived anew.
func (x *expansion) emitted(i int) bool {
	return x.g.Nodes[i].Role != ddg.Glue && !x.g.Early(i) && !x.isRing(i)
}

func (x *expansion) isRing(i int) bool {
	op := x.g.Nodes[i].Op
	return op.Is(tileas.AllocShared) && x.rings[op.Result(0)] != nil
}

// findKept finds the operations of kept, and lets them lead all that takes their values.
func (x *expansion) findKept() {
	lead := make(map[int]int)
	for i, y := range x.g.Yields() {
		if j := x.g.Node(y); j >= 0 && x.g.Early(j) && x.loop.Result(i).HasUses() {
			lead[j] = x.overlap
		}
	}
	for i, n := range x.g.Nodes {
		if !x.emitted(i) {
			continue
		}
		for _, v := range nest.Inputs(n.Op) {
			if next, ok := x.g.Carried(v); ok {
				if j := x.g.Node(next); j >= 0 && x.g.Early(j) {
					lead[j] = max(lead[j], x.lead[i], x.overlap)
				}
			}
		}
	}
	for j, n := range lead {
		x.kept[j], x.lead[j] = true, n
	}
}

// findCrossings finds how far each value must be carried.
func (x *expansion) findCrossings() error {
	for i, n := range x.g.Nodes {
		if !x.emitted(i) {
			continue
		}
		for _, v := range nest.Inputs(n.Op) {
			lead := x.lead[i]
			if next, ok := x.g.Carried(v); ok {
				v = next
				lead--
			}
			j := x.g.Node(v)
			if j < 0 || !x.emitted(j) && (lead == x.lead[i] || !x.kept[j]) {
				continue
			}
			if x.lead[j] < lead {
				return fmt.Errorf("'%s' takes what '%s' makes in a later turn", n.Op.Name(), x.g.Nodes[j].Op.Name())
			}
			x.crosses[v] = max(x.crosses[v], x.lead[j]-lead)
		}
	}
	for i, y := range x.g.Yields() {
		if j := x.g.Node(y); j >= 0 && x.loop.Result(i).HasUses() && !x.g.Parity(i) {
			x.crosses[y] = max(x.crosses[y], x.lead[j]+1-x.overlap)
		}
	}
	for _, n := range x.g.Nodes {
		for _, r := range n.Op.Results() {
			if x.crosses[r] > 0 {
				x.carried = append(x.carried, r)
			}
		}
	}
	return nil
}

// findSingle finds the allocations of the body that no ring takes the place of and of which a later turn takes something. Iterations share their place, since the graph keeps all that touches it in the order of the
// text, in and between iterations: so there is one in front of the turns. One that each turn made and handed on would be another place than that which a turn in front of the loop has made.
func (x *expansion) findSingle() {
	for _, n := range x.g.Nodes {
		if !n.Op.Is(tileas.AllocShared) || n.Role != ddg.Compute || !x.handedOn(n.Op.Result(0)) {
			continue
		}
		v := n.Op.Result(0)
		x.single = append(x.single, n.Op)
		x.rings[v] = &ring{slots: 1, align: tileas.Alignment(n.Op)}
		delete(x.crosses, v)
		x.carried = slices.DeleteFunc(x.carried, func(c ir.Value) bool { return c == v })
	}
}

// handedOn reports whether a buffer or a view of it crosses turns.
func (x *expansion) handedOn(v ir.Value) bool {
	if x.crosses[v] > 0 {
		return true
	}
	for u := range v.Uses() {
		if tileas.IsView(u.Owner()) && x.handedOn(u.Owner().Result(0)) {
			return true
		}
	}
	return false
}

// sort orders the operations of a turn by their time in it, and what runs ahead as beside says, but what is made in the turn before what takes it.
func (x *expansion) sort(a *tileas.ScheduleAttr) error {
	type place struct{ row, node int }
	beside := x.beside(a)
	for i := range x.row {
		x.row[i] = a.At[i] % a.II
		if row, ok := beside[i]; ok {
			x.row[i] = row
		}
	}
	at := func(i int) place { return place{x.row[i], i} }
	blocked := make([]int, len(x.g.Nodes))
	after := make([][]int, len(x.g.Nodes))
	for _, e := range x.g.Edges {
		if x.emitted(e.From) && x.emitted(e.To) && x.lead[e.From]-x.lead[e.To]+e.Distance == 0 {
			after[e.From] = append(after[e.From], e.To)
			blocked[e.To]++
		}
	}
	var ready []place
	left := 0
	for i := range x.g.Nodes {
		if !x.emitted(i) && !x.kept[i] {
			continue
		}
		left++
		if blocked[i] == 0 {
			ready = append(ready, at(i))
		}
	}
	for len(ready) > 0 {
		next := slices.MinFunc(ready, func(p, q place) int { return cmp.Or(cmp.Compare(p.row, q.row), cmp.Compare(p.node, q.node)) })
		ready = slices.DeleteFunc(ready, func(p place) bool { return p == next })
		x.order = append(x.order, next.node)
		left--
		for _, j := range after[next.node] {
			if blocked[j]--; blocked[j] == 0 {
				ready = append(ready, at(j))
			}
		}
	}
	if left > 0 {
		return fmt.Errorf("operations of one turn need each other")
	}
	return nil
}

// beside returns the rows in which what runs ahead stands in a turn: loads at its head, and each copy in front of a product, the first in front of the first. A copy is issued in instructions that wait for
// nothing, which fill the gaps of a product; but the loads from shared memory behind it wait for its place among them, since ptxas keeps the two in order. All copies at the head would keep the first product
// from its operands: that is an eighth of the issue cycles of batch_matmul_f16_128x128x64 on sm_80 (155 to 136 per 64 K multiply-adds).
//
// Asynchronous products take no time of the threads, so that copies stand behind the first of them: the tensor cores work meanwhile.
func (x *expansion) beside(a *tileas.ScheduleAttr) map[int]int {
	var products, started []int
	for i, n := range x.g.Nodes {
		switch {
		case tileas.IsProduct(n.Op):
			products = append(products, a.At[i]%a.II)
		case n.Op.Is(tileas.DotAsync):
			started = append(started, a.At[i]%a.II)
		}
	}
	slices.Sort(products)
	out := make(map[int]int)
	copies := 0
	for i, n := range x.g.Nodes {
		switch {
		case n.Role != ddg.Ahead, len(x.groups) > 1: // copies that start apart have their places
		case n.Async() && len(started) > 0:
			out[i] = slices.Min(started) + 1
		case !n.Async() || len(products) == 0:
			out[i] = -1
		default:
			out[i] = products[min(copies, len(products)-1)]
		}
		if n.Async() {
			copies++
		}
	}
	return out
}

// init returns what a loop-carried value is before the first iteration, by what it becomes.
func (x *expansion) init(next ir.Value) ir.Value {
	return x.loop.Operand(scf.NumBounds + slices.Index(x.g.Yields(), next))
}
