package allocatetensor

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/buffers"
	"github.com/tilewright/tilewright/passes/property"
)

var tensorColumns = passes.NewStatistic("tensor-columns", "columns of tensor memory that kernels take")

// Pass is tileas-allocate-tensor.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileas-allocate-tensor",
	Title:       "TileASAllocateTensor",
	Summary:     "place buffers in tensor memory",
	Doc:         "Assigns columns to every alloc_tensor, the same to buffers whose lives do not meet, and makes the kernel reserve and release what it needs.",
	On:          "nv_tileas.func",
	Requires:    []*passes.Property{property.TileAS, property.LayoutsAssigned},
	Establishes: []*passes.Property{property.TensorAllocated},
	Destroys:    []*passes.Property{property.Canonical, property.SharedAllocated, property.Synchronised},
	Before: []passes.Edge{
		{Pass: "tileas-allocate-shared", Reason: "it creates the buffer through which threads learn where their tensor memory is"},
	},
	Statistics: []*passes.Statistic{tensorColumns},
	Run:        run,
})

func run(r *passes.Run) error {
	b, err := buffers.Analysis.Get(r)
	if err != nil {
		return err
	}
	lives := b.TensorLives()
	if len(lives) == 0 || lives[0].Op.Attr(tileas.AttrOffset) != nil {
		r.MarkUnchanged()
		return nil
	}
	total := place(lives)
	if limit := int64(tileas.TensorColumns); total > limit {
		return r.Op.Errorf("needs %d columns of tensor memory, but there are %d", total, limit)
	}
	columns := tileas.ColumnsFor(total)
	reserve(r.Op, columns)
	r.Add(tensorColumns, int(columns))
	return nil
}

// place gives each buffer the lowest columns that are free for its life, wide ones first, and returns how many are in use. Kernels have few.
func place(lives []*buffers.Life) (columns int64) {
	order := slices.Clone(lives)
	slices.SortStableFunc(order, func(x, y *buffers.Life) int { return int(y.Size - x.Size) })
	at := make(map[*buffers.Life]int64)
	for i, l := range order {
		var busy []*buffers.Life
		for _, o := range order[:i] {
			if o.Meets(l) {
				busy = append(busy, o)
			}
		}
		slices.SortStableFunc(busy, func(x, y *buffers.Life) int { return int(at[x] - at[y]) })
		free := int64(0)
		for _, o := range busy {
			if free+l.Size <= at[o] {
				break
			}
			free = max(free, at[o]+o.Size)
		}
		at[l] = free
		c := l.Op.Context()
		l.Op.SetAttr(tileas.AttrOffset, c.IntAttr(c.Int(32), free))
		columns = max(columns, (free+l.Size)/tileas.TensorColumnBytes)
	}
	return columns
}

// reserve makes a kernel take columns and give them back.
func reserve(fn ir.Op, columns int64) {
	c := fn.Context()
	b := ir.BuilderBefore(tileas.BehindTensorMaps(fn.Body()))
	b.Loc = fn.Loc()
	n := ir.NamedAttr{Name: tileas.AttrColumns, Value: c.IntAttr(c.Int(32), columns)}
	one, _ := linear.SharedRowMajor([]int{1}, []int{0}) // of one element there is one layout
	through := b.Create(tileas.AllocShared, nil, []ir.Type{tileas.Buffer(c, []int64{1}, c.Int(32), tileas.SharedLayout(c, one))}).Result(0)
	attrs := []ir.NamedAttr{n}
	if pairs(fn) { // the columns of both CTAs are taken and given back as the products go
		attrs = append(attrs, ir.NamedAttr{Name: tile.AttrTwoCTAs, Value: c.Unit()})
	}
	b.Create(tileas.ReserveTensor, []ir.Value{through}, nil, attrs...)
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.WarpSpecialize) { // what threads of all warps have read here, copies of a role may fill: its own threads alone could not fence it
			front := ir.BuilderBefore(op)
			front.Loc = fn.Loc()
			front.Create(tileas.FenceAsync, nil, nil)
		}
		if op.Is(tileas.Level.Return) {
			end := ir.BuilderBefore(op)
			end.Loc = op.Loc()
			end.Create(tileas.ReleaseTensor, nil, nil, attrs...)
		}
		return ir.Advance
	})
}

// pairs reports whether two CTAs do products together.
func pairs(fn ir.Op) bool {
	return !fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.TensorDot) && op.HasUnitAttr(tile.AttrTwoCTAs) {
			return ir.Interrupt
		}
		return ir.Advance
	})
}
