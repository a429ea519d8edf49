package materializeconvertlayout

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
	"github.com/tilewright/tilewright/target/sm"
)

var (
	numShared   = passes.NewStatistic("through-shared", "conversions through shared memory")
	numSubtiles = passes.NewStatistic("pieces", "subtiles of conversions that were cut")
)

// Options are the pass's options. A trip through shared memory is two barriers, and as many stores and loads as a
// thread has vectors.
type Options struct {
	MaxShuffles int `opt:"max-shuffles" help:"shuffles per thread up to which a conversion inside warps avoids shared memory"`
	MaxBytes    int `opt:"max-bytes" help:"bytes of shared memory that a conversion goes through, if it can be cut so far; 0: what the target has room for"`
}

// Pass is tileas-materialize-convert-layout.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileas-materialize-convert-layout",
	Summary:     "lower layout conversions across warps to shared memory",
	Doc:         "Replaces each convert_layout across warps by a local_store to a swizzled buffer and a local_load from it.",
	Options:     func() any { return &Options{MaxShuffles: tileas.MostShuffles} },
	Requires:    []*passes.Property{property.TileAS, tileasprop.LayoutsAssigned},
	Establishes: []*passes.Property{tileasprop.LocalConversions},
	Destroys:    []*passes.Property{tileasprop.LoopsScheduled, tileasprop.SharedAllocated, tileasprop.Synchronised},
	After: []passes.Edge{
		{Pass: "tileas-legalize-reduce", Reason: "splitting a reduce creates conversions across warps"},
	},
	Statistics: []*passes.Statistic{numShared, numSubtiles},
	Run:        passes.OnArch(run),
})

func run(r *passes.Run, arch *sm.Arch) error {
	opts := passes.OptionsOf[Options](r)
	todo := r.Op.Collect(tileas.ConvertLayout.Is)
	space := newRoom(r, arch, todo, int64(opts.MaxBytes))
	known := make(table)
	for _, op := range todo {
		t := op.Result(0).Type().(*ir.TensorType)
		src, _ := tileas.LayoutOf(op.Operand(0).Type())
		dst, _ := tileas.LayoutOf(t)
		layout, err := known.through(op, t, src, dst, opts.MaxShuffles)
		if err != nil {
			return op.Errorf("%v", err)
		}
		if layout == nil {
			continue
		}
		r.Add(numShared, 1)
		c := linear.CutInto(src, dst, int(space.subtiles(op, t)))
		if space.alive[op]+tile.Bytes(t)/int64(c.Subtiles)+space.waiting() > space.limit {
			// Layouts allow no smaller subtiles. Pending loads then make room for these, or for all of it.
			space.loadBefore(op)
			c = linear.CutInto(src, dst, int(space.subtiles(op, t)))
		}
		if c.Subtiles > 1 {
			if err := inSubtiles(c, op, t); err != nil {
				return err
			}
			r.Add(numSubtiles, c.Subtiles)
			continue
		}
		// Loading only at the first user lets several conversions share the barrier between their stores and loads, and
		// ptxas load the elements as they are used.
		sinkRepeated(op.Result(0))
		around := op.ParentRegion()
		load := throughShared(op, t, layout, space.loadsAt(op, t))
		until := load.AncestorIn(around)
		if until != load {
			until = until.Next()
		}
		space.pending = append(space.pending, waiting{load, until, tile.Bytes(t)})
	}
	return nil
}

// A pair determines how a conversion is done: the layouts, which a context has once each, the size of an element,
// and whether an MMA takes the result.
type pair struct {
	src, dst ir.Attribute
	bytes    int
	mma      bool
}

// A table has, for the pairs so far, the layout of the buffer that they go through; nil: not through memory. A kernel
// has many conversions of few pairs, and a swizzle is a search: without the table it was three quarters of this pass's
// time.
type table map[pair]*tileas.SharedAttr

func (k table) through(op ir.Op, t *ir.TensorType, src, dst linear.Layout, maxShuffles int) (layout *tileas.SharedAttr, err error) {
	key := pair{op.Operand(0).Type().(*ir.TensorType).Encoding, t.Encoding, tile.ElementBytes(t.Elem), feedsDot(op)}
	if layout, ok := k[key]; ok {
		return layout, nil
	}
	c, err := linear.Convert(src, dst)
	if err != nil {
		return nil, fmt.Errorf("cannot be done: %w", err)
	}
	if tileas.ThroughMemory(c, t, maxShuffles) {
		b, err := tileas.BufferBetween(t, src, dst, key.mma)
		if err != nil {
			return nil, err
		}
		layout = b.Layout
	}
	k[key] = layout
	return layout, nil
}

// throughShared converts through a buffer, and returns the operation that loads the result.
//
//	%y = convert_layout %x : A -> B      ->      %buf = alloc_shared #swizzled ; local_store %x, %buf
//	... ; (barrier) ; %y = local_load %buf : B        before an operation, such as the first that uses %y
func throughShared(op ir.Op, t *ir.TensorType, layout *tileas.SharedAttr, before ir.Op) ir.Op {
	ctx := op.Context()
	b := ir.BuilderBefore(op)
	// Each conversion has its own buffer; tileas-allocate-shared finds from their live ranges which of them can
	// share memory.
	buf := b.Create(tileas.AllocShared, nil, []ir.Type{tileas.Buffer(ctx, t.Shape, t.Elem, layout)}).Result(0)
	b.Create(tileas.LocalStore, []ir.Value{op.Operand(0), buf}, nil)
	b.SetInsertionPointBefore(before)
	loaded := b.Create(tileas.LocalLoad, []ir.Value{buf}, []ir.Type{t})
	op.ReplaceWith(loaded.Result(0))
	return loaded
}

// sinkRepeated moves what only repeats or reshapes a value to where something computes with that. Of an epilogue
//
//	%s1 = broadcast %s ; %x = mulf %acc, %s1 ; %t1 = broadcast %t ; %y = addf %x, %t1
//
// the rows %s and %t would otherwise be loaded one after the other, with a barrier between, and take as many registers as
// the tile has columns each.
func sinkRepeated(v ir.Value) {
	for _, u := range slices.Collect(v.Uses()) {
		op := u.Owner()
		if !transfer.Cheap.Has(op) {
			continue
		}
		sinkRepeated(op.Result(0))
		if user := ir.FirstUse(op.Result(0), ir.LoopLike.Has); !user.IsNil() {
			op.MoveBefore(user)
		}
	}
}

// feedsDot reports whether an MMA takes what a conversion makes as A or B: all of it or a part, perhaps in a later
// iteration.
func feedsDot(op ir.Op) bool {
	work := ir.NewWorklist(op.Result(0))
	for v := range work.All() {
		for u := range v.Uses() {
			user := u.Owner()
			switch to, _ := u.HandedOn(); {
			case tileas.IsMMAOperand(u):
				return true
			case user.Is(tileas.Level.Extract), user.Is(tileas.Level.Reshape), user.Is(tileas.Level.Permute), renames(user):
				work.Add(user.Result(0))
			default:
				work.Add(to...)
			}
		}
	}
	return false
}

// renames reports whether an operation is a conversion that moves elements inside threads at most.
func renames(op ir.Op) bool {
	if !op.Is(tileas.ConvertLayout) {
		return false
	}
	c, ok := tileas.ConversionOf(op)
	return ok && c.Class <= linear.RegisterMove
}
