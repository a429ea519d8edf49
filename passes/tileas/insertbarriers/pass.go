package insertbarriers

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/buffers"
	"github.com/tilewright/tilewright/passes/analysis/hazards"
	"github.com/tilewright/tilewright/passes/property"
)

var numBarriers = passes.NewStatistic("barriers", "barriers inserted")

// Pass is tileas-insert-barriers.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileas-insert-barriers",
	Title:       "TileASInsertBarriers",
	Summary:     "insert barriers between conflicting accesses",
	Doc:         "Finds accesses of shared memory, and token-ordered ones of global memory, that conflict with earlier ones of other threads, and puts barriers before them.",
	On:          "nv_tileas.func",
	Requires:    []*passes.Property{property.TileAS, property.SharedAllocated},
	Establishes: []*passes.Property{property.Synchronised},
	Statistics:  []*passes.Statistic{numBarriers},
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
		attrs, err := ids.attrs(r.Op, h.Op)
		if err != nil {
			return err
		}
		ir.BuilderBefore(h.Op).Create(tileas.Barrier, nil, nil, attrs...)
	}
	r.Add(numBarriers, len(found))
	if len(found) == 0 {
		r.MarkUnchanged()
	}
	return nil
}
