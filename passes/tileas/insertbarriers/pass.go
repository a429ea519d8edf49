package insertbarriers

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/buffers"
	"github.com/tilewright/tilewright/passes/analysis/hazards"
	"github.com/tilewright/tilewright/passes/property"
)

var (
	numBarriers = passes.NewStatistic("barriers", "barriers inserted")
	numFences   = passes.NewStatistic("fences", "fences inserted between threads and asynchronous accesses of the memory of another buffer")
)

// Pass is tileas-insert-barriers.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileas-insert-barriers",
	Title:       "TileASInsertBarriers",
	Summary:     "insert barriers between conflicting accesses",
	Doc:         "Finds accesses of shared memory, and token-ordered ones of global memory, that conflict with earlier ones of other threads, and puts barriers before them.",
	On:          "nv_tileas.func",
	Requires:    []*passes.Property{property.TileAS, property.SharedAllocated},
	Establishes: []*passes.Property{property.Fenced, property.Synchronised},
	Statistics:  []*passes.Statistic{numBarriers, numFences},
	Run:         run,
})

// Barriers are inserted where package hazards says and nowhere else; the property synchronised is checked by
// the same analysis run again, which must then find nothing. That both could be wrong in one way is what
// execution is for: the emulator's adversarial mode, and interp's threads that meet in shared memory.
func run(r *passes.Run) error {
	b, err := buffers.Analysis.Get(r)
	if err != nil {
		return err
	}
	found, wrong := hazards.Find(r.Op, b)
	if wrong != nil {
		return wrong
	}
	var ids barrierIDs
	for _, h := range found {
		if h.UnderWay {
			return h.Diagnostic()
		}
		if held := heldAt(h.Op); !held.IsNil() {
			return h.Op.Errorf("needs a barrier in front, where a group of warps has its turn, for which the others wait").Note(held.Loc(), "where it takes the turn")
		}
		attrs, err := ids.attrs(r.Op, h.Op)
		if err != nil {
			return err
		}
		at := h.Op
		if h.Unfenced {
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
	if len(found) == 0 {
		r.MarkUnchanged()
	}
	return nil
}

// barrierBefore returns the barrier of all threads behind which nothing has happened up to an operation that another one would be for, so that a fence can stand in front of it; a zero Op if there is none.
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
