package allocateshared

import (
	"math"
	"sort"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/buffers"
	"github.com/tilewright/tilewright/passes/property"
)

// plenty is how much shared memory a kernel may take before buffers of one block overlap: reuse costs barriers, so it is avoided while
// several tile blocks still fit an SM.
//
// 32 KiB: three such blocks fit the 100 KiB of an SM of sm_86 or sm_120, the least that a target has, and six
// the 228 KiB of sm_90 (target/sm; the system takes 1 KiB of each).
const plenty = 32 << 10

var sharedBytes = passes.NewStatistic("shared-bytes", "bytes of shared memory that kernels take")

// Pass is tileas-allocate-shared.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileas-allocate-shared",
	Title:       "TileASAllocateShared",
	Summary:     "place buffers in shared memory",
	Doc:         "Assigns an offset to every alloc_shared, overlapping buffers whose lives do not meet.",
	On:          "nv_tileas.func",
	Requires:    []*passes.Property{property.TileAS, property.LayoutsAssigned},
	Establishes: []*passes.Property{property.SharedAllocated},
	Destroys:    []*passes.Property{property.Fenced, property.Synchronised},
	After: []passes.Edge{
		{Pass: "tileas-materialize-convert-layout", Reason: "it creates the buffers of layout conversions"},
	},
	Statistics: []*passes.Statistic{sharedBytes},
	Run:        run,
})

// A placed buffer.
type placed struct {
	*buffers.Life
	offset int64
	done   bool // it has its offset
}

// toPlace returns lives without places. With relaxed, a buffer lives to the end of its block at least.
func toPlace(lives []*buffers.Life, relaxed bool) []*placed {
	out := make([]*placed, len(lives))
	for i, l := range lives {
		if relaxed {
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
	lives := toPlace(all, true)
	total := place(lives, plenty)
	if total > plenty {
		lives = toPlace(all, false)
		total = place(lives, math.MaxInt64)
	}
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	if limit := int64(arch.Shared.PerCTA); total > limit {
		return r.Op.Errorf("needs %d bytes of shared memory, but a tile block of %s has at most %d", total, arch, limit)
	}
	for _, l := range lives {
		l.Op.SetAttr(tileas.AttrOffset, r.IR().IntAttr(r.IR().Int(32), l.offset))
	}
	r.Op.SetAttr(tileas.AttrSharedBytes, r.IR().IntAttr(r.IR().Int(32), total))
	r.Add(sharedBytes, int(total))
	return nil
}

// place gives every buffer the lowest offset that is free for its life, large ones first, and returns the bytes in use. It gives up where these are more than a limit.
//
// First fit by decreasing size is not optimal (dynamic storage allocation is NP-hard: Garey and Johnson, 1979,
// problem SR2). It takes time by how many are alive together, which the memory bounds, and not by how many there are.
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

// lowestFree returns the lowest offset at which l meets none of the others, which are alive with it.
//
// Busy places are sorted by offset, so the first gap that is wide enough is the lowest; places may overlap each
// other when their own lives do not meet, which is why at only ever grows.
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
