package insertbarriers

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow"
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
	b := buffers.Analysis.Get(r)
	p := placer{Run: r, turns: turns(r.Op), ids: newBarrierIDs(r.Op)}
	found, err := p.outside(b)
	if err != nil {
		return err
	}
	found, moved := gather(r.Op, b, found, r.May)
	r.Add(numGathered, moved)
	p.turns = turns(r.Op) // stores have moved
	if err := ir.Try(found, func(h hazards.Hazard) error { return p.place(h, h.Op) }); err != nil {
		return err
	}
	for _, op := range p.placed {
		if op.Is(tileas.Barrier) {
			r.Add(numBarriers, 1)
		} else {
			r.Add(numFences, 1)
		}
	}
	return nil
}

// A placer creates barriers and fences.
type placer struct {
	*passes.Run
	turns  *dataflow.Points[ir.Op]
	ids    *barrierIDs
	placed []ir.Op
}

// outside creates barriers before loops, where that leaves fewer hazards: a loop may have conflicts of its own, for which
// its barrier stands anyway. It returns the hazards that are left.
func (p *placer) outside(b *buffers.Buffers) ([]hazards.Hazard, error) {
	found, wrong := hazards.Find(p.Op, b)
	for wrong == nil {
		before := hazards.Outside(found)
		if len(before) == 0 {
			return found, nil
		}
		old := len(p.placed)
		if err := ir.Try(before, func(h hazards.Hazard) error { return p.place(h, h.Before) }); err != nil {
			return nil, err
		}
		left, _ := hazards.Find(p.Op, b) // of the same regions
		if len(left) >= len(found) {
			for _, op := range p.placed[old:] {
				op.Erase()
			}
			p.placed = p.placed[:old]
			return found, nil
		}
		found = left
	}
	return nil, wrong
}

// place creates what a hazard needs before an operation.
func (p *placer) place(h hazards.Hazard, at ir.Op) error {
	if h.InFlight {
		return h.Diagnostic()
	}
	at = p.beforeTurn(at)
	if held := p.held(at); !held.IsNil() {
		return h.Op.Errorf("needs a barrier, but only one group of warps of a ping-pong is here, and the others wait for it").Note(held.Loc(), "where the group begins")
	}
	attrs, err := p.ids.attrs(at)
	if err != nil {
		return err
	}
	var met ir.Op
	if h.Unfenced {
		// A fence must come before the barrier that orders it for other threads, so an earlier barrier is reused.
		if met = barrierBefore(at); !met.IsNil() {
			at = met
		}
		p.placed = append(p.placed, ir.BuilderBefore(at).Create(tileas.FenceAsync, nil, nil))
	}
	if met.IsNil() {
		p.placed = append(p.placed, ir.BuilderBefore(at).Create(tileas.Barrier, nil, nil, attrs...))
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
