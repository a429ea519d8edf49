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
	g           *ddg.Graph
	loop        ir.Op
	bounds      scf.Bounds
	nest        *nest.Nest // if the prologue runs in the previous iteration of the outer loop; else nil
	prefetch    []int
	maxPrefetch int
	overlap     int   // E in the package comment
	order       []int // of the operations in an iteration, by node number
	// crosses is, for each value of the body, how many iterations lie between its definition and its last use.
	crosses map[ir.Value]int
	carried []ir.Value                 // values that cross an iteration, in the order of the text
	staged  map[ir.Value]*stagedBuffer // by the allocation that they replace
	row     []int                      // time in an iteration, by node number; the order follows it
	groups  []*group
	steps   []step             // the operations and synchronizations of an iteration, in order
	pending map[site]int       // how many MMAs each wait leaves in flight
	given   []ir.Value         // the stages of an earlier loop that this one uses; nil: its own
	single  []ir.Op            // allocations with one place for all iterations (findSingle)
	copied  bool               // some copy has been emitted, so groups must be committed from here on
	filled  map[int]*iteration // prologue iterations that ran in the previous iteration of the outer loop
}

// A stagedBuffer is a buffer with a stage for each iteration in flight.
type stagedBuffer struct {
	stages int64
	buffer ir.Value // of all stages
}

func newExpansion(g *ddg.Graph, a *tileas.ScheduleAttr) (*expansion, error) {
	x := &expansion{g: g, loop: g.Loop, bounds: scf.BoundsOf(g.Loop), prefetch: make([]int, len(g.Nodes)), row: make([]int, len(g.Nodes)), crosses: make(map[ir.Value]int), staged: make(map[ir.Value]*stagedBuffer)}
	if err := schedule.Match(g, a); err != nil {
		return nil, err
	}
	_, last := schedule.Computes(g, a)
	for i, n := range g.Nodes {
		if x.prefetch[i] = max(0, last-a.Stage(i)); !x.emitted(i) {
			continue
		}
		if n.Role == ddg.Compute {
			x.overlap = max(x.overlap, x.prefetch[i])
		}
		x.maxPrefetch = max(x.maxPrefetch, x.prefetch[i])
	}
	for _, b := range x.g.Buffers {
		if align := tileas.Alignment(b.Root.DefiningOp()); b.Type().StageBytes()%align != 0 {
			return nil, fmt.Errorf("stages of %d bytes cannot each be aligned to %d", b.Type().StageBytes(), align)
		}
		x.staged[b.Root] = &stagedBuffer{stages: int64(schedule.BufferStages(g, b, a))}
	}
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

// emitted reports whether an operation has a place in an iteration. Others are rematerialized at their uses, or
// replaced by what the expansion creates.
func (x *expansion) emitted(i int) bool {
	op := x.g.Nodes[i].Op
	return x.g.Nodes[i].Role != ddg.Glue && !x.g.Early(i) && !(op.Is(tileas.AllocShared) && x.staged[op.Result(0)] != nil)
}

// findCrossings finds how many iterations each value crosses.
func (x *expansion) findCrossings() error {
	for i, n := range x.g.Nodes {
		if !x.emitted(i) {
			continue
		}
		for _, v := range ir.Inputs(n.Op) {
			prefetch := x.prefetch[i]
			if next, ok := x.g.Carried(v); ok {
				v = next
				// A loop-carried argument is the value of the previous iteration.
				prefetch--
			}
			j := x.g.Node(v)
			if j < 0 || !x.emitted(j) {
				continue
			}
			// The schedule starts the use before the definition.
			if x.prefetch[j] < prefetch {
				return fmt.Errorf("'%s' uses the result of '%s' from a later iteration", n.Op.Name(), x.g.Nodes[j].Op.Name())
			}
			x.crosses[v] = max(x.crosses[v], x.prefetch[j]-prefetch)
		}
	}
	for i, y := range x.g.Yields() {
		if j := x.g.Node(y); j >= 0 && x.loop.Result(i).HasUses() && !x.g.Parity(i) {
			x.crosses[y] = max(x.crosses[y], x.prefetch[j]+1-x.overlap)
		}
	}
	for _, n := range x.g.Nodes {
		x.carried = append(x.carried, ir.Filter(n.Op.Results(), func(r ir.Value) bool { return x.crosses[r] > 0 })...)
	}
	return nil
}

// findSingle finds allocations of the body that have no stages, and of which a later iteration uses something.
//
// The dependence graph keeps all accesses to such a buffer in order, within and between iterations. So one place
// serves all iterations, and it is allocated before the prologue. If each iteration allocated its own and handed it
// on, a prologue iteration would have written to another place than the loop reads.
func (x *expansion) findSingle() {
	for _, n := range x.g.Nodes {
		if !n.Op.Is(tileas.AllocShared) || n.Role != ddg.Compute || !x.crossesIterations(n.Op.Result(0)) {
			continue
		}
		v := n.Op.Result(0)
		x.single = append(x.single, n.Op)
		x.staged[v] = &stagedBuffer{stages: 1}
		delete(x.crosses, v)
		x.carried = slices.DeleteFunc(x.carried, func(c ir.Value) bool { return c == v })
	}
}

// crossesIterations reports whether a buffer or a view of it crosses iterations.
func (x *expansion) crossesIterations(v ir.Value) bool {
	return x.crosses[v] > 0 || v.UsedBy(func(op ir.Op) bool { return tileas.IsView(op) && x.crossesIterations(op.Result(0)) })
}

// sort orders the operations of an iteration by their time, and prefetched ones by rowsAhead. A definition comes
// before its uses in the same iteration.
func (x *expansion) sort(a *tileas.ScheduleAttr) error {
	rows := x.rowsAhead(a)
	for i := range x.row {
		x.row[i] = a.At[i] % a.II
		if row, ok := rows[i]; ok {
			x.row[i] = row
		}
	}
	blocked := make([]int, len(x.g.Nodes))
	after := make([][]int, len(x.g.Nodes))
	for _, e := range x.g.Edges {
		// Only dependences within one steady-state iteration constrain its order.
		if x.emitted(e.From) && x.emitted(e.To) && x.prefetch[e.From]-x.prefetch[e.To]+e.Distance == 0 {
			after[e.From] = append(after[e.From], e.To)
			blocked[e.To]++
		}
	}
	var left []int
	for i := range x.g.Nodes {
		if x.emitted(i) {
			left = append(left, i)
		}
	}
	slices.SortStableFunc(left, func(i, j int) int { return cmp.Compare(x.row[i], x.row[j]) })
	for len(left) > 0 {
		k := slices.IndexFunc(left, func(i int) bool { return blocked[i] == 0 })
		if k < 0 {
			return fmt.Errorf("operations of one iteration depend on each other")
		}
		for _, j := range after[left[k]] {
			blocked[j]--
		}
		x.order = append(x.order, left[k])
		left = slices.Delete(left, k, k+1)
	}
	return nil
}

// rowsAhead returns the times at which prefetched operations stand in an iteration: loads at its head, and copies each
// before an MMA.
//
// A cp.async needs issue slots and waits for nothing, so it fills the gaps of an MMA. But ptxas keeps it in order with
// the loads from shared memory after it. All copies at the head would delay the operands of the first MMA. On sm_80
// that costs batch_matmul_f16_128x128x64 an eighth of its issue cycles: 155 instead of 136 per 64 K multiply-adds.
//
// Copies stand after the first asynchronous MMA, because the tensor cores work while threads issue them.
func (x *expansion) rowsAhead(a *tileas.ScheduleAttr) map[int]int {
	var mmas, started []int
	for i, n := range x.g.Nodes {
		switch {
		case tileas.IsMMA(n.Op):
			mmas = append(mmas, a.At[i]%a.II)
		case n.Op.Is(tileas.DotAsync):
			started = append(started, a.At[i]%a.II)
		}
	}
	slices.Sort(mmas)
	out := make(map[int]int)
	copies := 0
	for i, n := range x.g.Nodes {
		switch {
		case n.Role != ddg.Ahead, len(x.groups) > 1: // staggered copies stand where the schedule puts them
		case n.Async() && len(started) > 0:
			out[i] = slices.Min(started) + 1
		case !n.Async() || len(mmas) == 0:
			out[i] = -1
		default:
			out[i] = mmas[min(copies, len(mmas)-1)]
		}
		if n.Async() {
			copies++
		}
	}
	return out
}
