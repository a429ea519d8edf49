package allocatetmem

import (
	"math"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
	"github.com/tilewright/tilewright/passes/tileas/analysis/buffers"
)

var tensorColumns = passes.NewStatistic("tensor-columns", "columns of TMEM that kernels take")

// Pass is tileas-allocate-tmem.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileas-allocate-tmem",
	Formerly:    []string{"tileas-allocate-tensor"},
	Summary:     "allocate tensor memory (TMEM)",
	Doc:         "Assigns columns to every alloc_tmem; buffers with disjoint live ranges share columns. The kernel allocates them at its start and deallocates them at its end.",
	Requires:    []*passes.Property{property.TileAS, tileasprop.LayoutsAssigned},
	Establishes: []*passes.Property{tileasprop.TMEMAllocated},
	Destroys:    []*passes.Property{property.Canonical, tileasprop.SharedAllocated, tileasprop.Synchronised},
	Before: []passes.Edge{
		{Pass: "tileas-allocate-shared", Reason: "it creates the buffer that broadcasts the TMEM address to threads"},
	},
	Statistics: []*passes.Statistic{tensorColumns},
	Run:        run,
})

func run(r *passes.Run) error {
	b := buffers.Analysis.Get(r)
	lives := b.TensorLives()
	// A dump from after the pass has its columns already.
	if len(lives) == 0 || lives[0].Op.Attr(tileas.AttrOffset) != nil {
		return nil
	}
	placed, bytes := buffers.Assign(lives, math.MaxInt64)
	for _, l := range placed {
		l.Op.SetAttr(tileas.AttrOffset, r.IR().IntAttr(r.IR().Int(32), l.Offset))
	}
	total := bytes / tileas.TMEMColumnBytes
	if limit := int64(linear.ColumnsOfTMEM); total > limit {
		return r.Op.Errorf("needs %d columns of TMEM, but there are %d", total, limit)
	}
	columns := tileas.ColumnsFor(total)
	reserve(r.Op, columns)
	r.Add(tensorColumns, int(columns))
	return nil
}

// reserve makes a kernel allocate and deallocate columns.
func reserve(fn ir.Op, columns int64) {
	c := fn.Context()
	b := ir.BuilderBefore(tileas.AfterTensorMaps(fn.Body())).WithLoc(fn.Loc())
	n := tileas.Number(c, tileas.AttrColumns, columns)
	one, _ := linear.SharedRowMajor([]int{1}, []int{0}) // of one element there is one layout
	through := b.Create(tileas.AllocShared, nil, []ir.Type{tileas.Buffer(c, []int64{1}, c.Int(32), tileas.SharedLayout(c, one))}).Result(0)
	// Both CTAs of a pair must allocate and deallocate, by instructions for two CTAs as the MMAs are.
	pairs := fn.Contains(func(op ir.Op) bool { return op.Is(tileas.TMEMDot) && op.HasUnitAttr(tile.AttrTwoCTAs) })
	attrs := append(c.UnitIf(pairs, tile.AttrTwoCTAs), n)
	b.Create(tileas.ReserveTMEM, []ir.Value{through}, nil, attrs...)
	for op := range fn.All() {
		// Threads of all warps have read the address here, and a producer's TMA loads may reuse its memory. The
		// fence must be by all threads: those of one warp could not order the reads of the others.
		if op.Is(tileas.WarpSpecialize) {
			front := ir.BuilderBefore(op).WithLoc(fn.Loc())
			front.Create(tileas.FenceAsync, nil, nil)
		}
		if op.Is(tileas.Level.Return) {
			end := ir.BuilderBefore(op).WithLoc(op.Loc())
			end.Create(tileas.ReleaseTMEM, nil, nil, attrs...)
		}
	}
}
