package machine

import (
	"slices"

	"github.com/tilewright/tilewright/target/engine/emu/hb"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// AsyncOp is a bulk copy that has been issued. It takes effect when the scheduler says so, or when its thread waits for
// it.
//
// What it does is a closure made at its issue, which has read the registers. Registers may change before it takes
// effect. Memory must not, and a change of memory is the mistake that must show.
type AsyncOp struct {
	w       *Warp
	lane    int
	stmt    *syntax.Stmt
	group   uint64 // bulk group of the thread, for those that belong to one
	grouped bool
	lazy    bool // completes only when something waits for it
	Commit  bool // only tells of other operations
	// Detached says that the operation may outlive its thread.
	Detached bool
	perform  func() // records a fault in w when it fails
	event    int32  // of a trace, that issued it
	watch    *hb.Operation
}

// Issue puts an operation into the queue of its cluster. One of a bulk group
// takes effect at the latest moment, when its thread waits for the group;
// the adversary chooses for every operation.
//
// PTX ISA, "Async proxy": there is no order among asynchronous operations but what their completion mechanism gives.
// One queue for each cluster is enough, as CTAs of different clusters share nothing but global memory.
func (w *Warp) Issue(lane int, grouped bool, perform func()) *AsyncOp {
	g := w.CTA.Cluster
	op := &AsyncOp{w: w, lane: lane, stmt: w.Stmt(), grouped: grouped, perform: perform}
	if op.event = -1; w.CTA.trace != nil {
		op.event = w.CTA.trace.state.current[w.ID]
	}
	op.lazy = grouped
	if w.watch != nil {
		op.watch = w.watch.Issued()
	}
	if g.Rng != nil {
		op.lazy = g.Chance(2)
	}
	if grouped {
		op.group = w.copies.lanes[lane].bulkGroups
	}
	g.pending = append(g.pending, op)
	return op
}

// CommitBulk closes the group of the bulk copies that a lane has issued since the last one.
func (w *Warp) CommitBulk(lane int) {
	w.copies.lanes[lane].bulkGroups++
	w.CommitOf(hb.Bulk, 1<<lane)
}

// WaitBulk performs the bulk copies of a lane but those of the n latest groups.
func (w *Warp) WaitBulk(lane int, n uint64) {
	if g := w.copies.lanes[lane].bulkGroups; g > n {
		// A fault stays in the warp, which stops for it.
		_ = w.CTA.Cluster.finish(func(op *AsyncOp) bool { return op.w == w && op.lane == lane && op.grouped && op.group < g-n })
	}
}

// finish performs the queued operations that want selects, in order.
//
// An operation may issue others or fault; it is taken out of the queue before it runs.
func (g *Cluster) finish(want func(op *AsyncOp) bool) error {
	for i := 0; i < len(g.pending); i++ {
		op := g.pending[i]
		if !want(op) {
			continue
		}
		g.pending = slices.Delete(g.pending, i, i+1)
		i--
		g.Events++
		g.performing = &op.event
		op.w.performUnseen(op)
		g.performing = nil
		if op.w.Err != nil {
			return op.blame()
		}
	}
	return nil
}

// performUnseen performs an operation, whose accesses were reported at its issue.
func (w *Warp) performUnseen(op *AsyncOp) {
	if w.watch == nil {
		op.perform()
		return
	}
	g := w.CTA.Cluster
	g.issued = op.watch
	w.Unseen(op.perform)
	g.issued = nil
}

// blame makes the warp's fault one of the operation.
func (op *AsyncOp) blame() error {
	op.w.Settle(op.lane, op.stmt)
	return op.w.Err
}
