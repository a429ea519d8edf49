package allocateshared

import (
	"math"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
	"github.com/tilewright/tilewright/passes/tileas/analysis/buffers"
	"github.com/tilewright/tilewright/target/sm"
)

var sharedBytes = passes.NewStatistic("shared-bytes", "bytes of shared memory that kernels take")

// Pass is tileas-allocate-shared.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileas-allocate-shared",
	Summary:     "allocate shared memory",
	Doc:         "Assigns an offset to every alloc_shared. Buffers with disjoint live ranges share memory.",
	Requires:    []*passes.Property{property.TileAS, tileasprop.LayoutsAssigned, tileasprop.LocalConversions},
	Establishes: []*passes.Property{tileasprop.SharedAllocated},
	Destroys:    []*passes.Property{tileasprop.Fenced, tileasprop.Synchronised},
	After: []passes.Edge{
		{Pass: "tileas-materialize-convert-layout", Reason: "it creates the buffers of layout conversions"},
	},
	Statistics: []*passes.Statistic{sharedBytes},
	Run:        passes.OnArch(run),
})

func run(r *passes.Run, arch *sm.Arch) error {
	b := buffers.Analysis.Get(r)
	all := b.Lives()
	limit := int64(arch.Shared.PerCTA)
	lives, total := buffers.Assign(all, math.MaxInt64)
	if total > limit {
		return r.Op.Errorf("needs %d bytes of shared memory, but a CTA of %s has at most %d", total, arch, limit)
	}
	// Reuse inside of a block costs barriers: in a loop, of each iteration. There it is avoided unless it saves enough for
	// another CTA on the SM.
	same := int64(arch.SharedPerCTA(budget.Of(r.Op, arch).CTAs(1, int(total))))
	for _, try := range []struct {
		kept  func(*buffers.Life) bool
		limit int64
	}{
		{func(*buffers.Life) bool { return true }, min(budget.SharedInBlocks, limit)},
		{func(l *buffers.Life) bool { return l.Size <= budget.SharedKept && ir.InLoop(l.Op) }, same},
	} {
		inBlocks := ir.Map(all, func(l *buffers.Life) *buffers.Life {
			one := *l
			if try.kept(l) {
				one.End = max(l.End, l.BlockEnd)
			}
			return &one
		})
		if longer, n := buffers.Assign(inBlocks, try.limit); n <= try.limit {
			lives, total = longer, n
			break
		}
	}
	for _, l := range lives {
		l.Op.SetAttr(tileas.AttrOffset, r.IR().IntAttr(r.IR().Int(32), l.Offset))
	}
	r.Op.SetAttr(tileas.AttrSharedBytes, r.IR().IntAttr(r.IR().Int(32), total))
	r.Add(sharedBytes, int(total))
	return nil
}
