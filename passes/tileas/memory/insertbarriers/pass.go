package insertbarriers

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
	"github.com/tilewright/tilewright/passes/tileas/analysis/buffers"
	"github.com/tilewright/tilewright/passes/tileas/analysis/hazards"
)

var (
	numBarriers = passes.NewStatistic("barriers", "barriers inserted")
	numGathered = passes.NewStatistic("gathered", "stores moved up before a barrier that another one then stands for")
	numFences   = passes.NewStatistic("fences", "fences inserted between threads and asynchronous accesses of the memory of another buffer")
)

// Pass is tileas-insert-barriers.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileas-insert-barriers",
	Summary:     "insert CTA barriers between conflicting accesses",
	Doc:         "Finds accesses that conflict with an earlier access of another thread, and inserts a barrier between them. It covers shared memory, and global memory as far as tokens order it.",
	Requires:    []*passes.Property{property.TileAS, tileasprop.SharedAllocated},
	Establishes: []*passes.Property{tileasprop.Fenced, tileasprop.Synchronised},
	Statistics:  []*passes.Statistic{numBarriers, numGathered, numFences},
	Run:         run,
})

// run inserts barriers only where package hazards says. The property synchronised is checked by the same
// analysis, run again, which must then find nothing. If both are wrong in the same way, execution shows it: the
// emulator's adversarial mode, and the interpreter's threads that meet in shared memory.
func run(r *passes.Run) error {
	b, err := buffers.Analysis.Get(r)
	if err != nil {
		return err
	}
	found, wrong := hazards.Find(r.Op, b)
	if wrong != nil {
		return wrong
	}
	found, moved := gather(r.Op, b, found, r.May)
	r.Add(numGathered, moved)
	var ids barrierIDs
	holders := turns(r.Op)
	for _, h := range found {
		if h.InFlight {
			return h.Diagnostic()
		}
		if held, _ := holders.Before(h.Op); !held.IsNil() {
			return h.Op.Errorf("needs a barrier, but only one group of warps of a ping-pong is here, and the others wait for it").Note(held.Loc(), "where the group begins")
		}
		attrs, err := ids.attrs(r.Op, h.Op)
		if err != nil {
			return err
		}
		at := h.Op
		if h.Unfenced {
			// A fence must come before the barrier that orders it for other threads, so an earlier barrier is
			// reused.
			if met := barrierBefore(h.Op); !met.IsNil() {
				at = met
			}
			ir.BuilderBefore(at).Create(tileas.FenceAsync, nil, nil)
			r.Add(numFences, 1)
		}
		if at == h.Op {
			ir.BuilderBefore(at).Create(tileas.Barrier, nil, nil, attrs...)
			r.Add(numBarriers, 1)
		}
	}
	return nil
}

// barrierBefore returns the last CTA barrier before an operation, for a fence to be put before it. It returns a
// zero Op if there is none, or if something in between needs another barrier.
func barrierBefore(op ir.Op) ir.Op {
	for op = op.Prev(); !op.IsNil(); op = op.Prev() {
		switch {
		case op.Is(tileas.Barrier) && op.Attr(tileas.AttrID) == nil, op.Is(tileas.ClusterBarrier), op.Is(tileas.Level.ClusterSync):
			return op
		case !ir.IsPure(op) && !op.Is(tileas.MbarrierExpect) && !op.Is(tileas.TMALoad) && !op.Is(tileas.BulkLoad):
			return ir.Op{}
		}
	}
	return ir.Op{}
}
