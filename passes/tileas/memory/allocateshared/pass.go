package allocateshared

import (
	"math"
	"sort"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
	"github.com/tilewright/tilewright/passes/tileas/analysis/buffers"
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
	Run:        run,
})

// A placed is a buffer with its place.
type placed struct {
	*buffers.Life
	offset int64
	done   bool // it has its offset
}

// toPlace returns live ranges without places. A buffer that is kept lives to the end of its block at least.
func toPlace(lives []*buffers.Life, kept func(*buffers.Life) bool) []*placed {
	out := make([]*placed, len(lives))
	for i, l := range lives {
		if kept(l) {
			longer := *l
			longer.End = max(l.End, l.BlockEnd)
			l = &longer
		}
		out[i] = &placed{Life: l}
	}
	return out
}

func run(r *passes.Run) error {
	b, err := buffers.Analysis.Get(r)
	if err != nil {
		return err
	}
	all := b.Lives()
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	limit := int64(arch.Shared.PerCTA)
	lives := toPlace(all, func(*buffers.Life) bool { return false })
	total := place(lives, math.MaxInt64)
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
		longer := toPlace(all, try.kept)
		if n := place(longer, try.limit); n <= try.limit {
			lives, total = longer, n
			break
		}
	}
	for _, l := range lives {
		l.Op.SetAttr(tileas.AttrOffset, r.IR().IntAttr(r.IR().Int(32), l.offset))
	}
	r.Op.SetAttr(tileas.AttrSharedBytes, r.IR().IntAttr(r.IR().Int(32), total))
	r.Add(sharedBytes, int(total))
	return nil
}

// place gives every buffer the lowest offset that is free during its live range, large ones first, and returns
// the bytes in use. It gives up if these exceed a limit.
//
// First fit by decreasing size is not optimal: dynamic storage allocation is NP-hard (Garey and Johnson, 1979,
// problem SR2). Its time depends on how many buffers are live together, which the memory bounds, and not on how
// many there are.
func place(lives []*placed, limit int64) (total int64) {
	x := newIndex(lives)
	sort.SliceStable(lives, func(i, j int) bool { return lives[i].Size > lives[j].Size })
	for _, l := range lives {
		l.offset = lowestFree(l, x.meeting(l))
		x.add(l)
		if total = max(total, l.offset+l.Size); total > limit {
			break
		}
	}
	return total
}

// lowestFree returns the lowest offset at which l overlaps none of the others, which are live with it. Busy
// places are sorted by offset, so the first gap that is wide enough is the lowest. Places may overlap each other
// if their own live ranges are disjoint, which is why at only grows.
func lowestFree(l *placed, busy []*placed) int64 {
	sort.SliceStable(busy, func(i, j int) bool { return busy[i].offset < busy[j].offset })
	at := int64(0)
	for _, p := range busy {
		if at+l.Size <= p.offset {
			break
		}
		at = max(at, up(p.offset+p.Size, l.Align))
	}
	return at
}

// up rounds up to a multiple.
func up(n, of int64) int64 { return (n + of - 1) / of * of }
