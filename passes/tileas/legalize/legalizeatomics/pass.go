package legalizeatomics

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
)

var numShared = passes.NewStatistic("through-shared", "results broadcast through shared memory")

// Pass is tileas-legalize-atomics.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileas-legalize-atomics",
	Summary:     "broadcast atomic results to threads with replicated layouts",
	Doc:         "Executes each atomic once per element. Where threads hold copies of an element, one thread stores the result to shared memory and the others load it.",
	Requires:    []*passes.Property{property.TileAS, tileasprop.LayoutsAssigned},
	Establishes: []*passes.Property{tileasprop.AtomicsOnce},
	Destroys:    []*passes.Property{property.Canonical, tileasprop.LocalConversions, tileasprop.SharedAllocated, tileasprop.Synchronised},
	Before: []passes.Edge{
		{Pass: "tileas-materialize-convert-layout", Reason: "it converts operands to layouts without replication inside a thread"},
		{Pass: "tileas-allocate-shared", Reason: "it creates buffers"},
	},
	Statistics: []*passes.Statistic{numShared},
	Run:        run,
})

func run(r *passes.Run) error {
	warps, err := contract.NumWarpsOf(r.Op)
	if err != nil {
		return err
	}
	for _, op := range r.Op.Collect(func(op ir.Op) bool { return op.Is(tileas.Level.AtomicRMW) || op.Is(tileas.Level.AtomicCAS) }) {
		changed, err := share(op, warps)
		if err != nil {
			return op.Errorf("cannot broadcast its result to all threads: %v", err)
		}
		if changed {
			r.Add(numShared, 1)
		}
	}
	return nil
}

// share makes the operation one on tensors without copies in a thread. Its result goes through shared memory if
// other threads need it.
//
// A scalar counter, atomic add on one address:
//
//	%old, %t = atomic_rmw "add", %p, %one : i32                            all threads would add
//	->
//	%ps = splat %p : tensor<1x..., #one> ; %v = splat %one
//	%o, %t = atomic_rmw "add", %ps, %v                                     one owner
//	%buf = alloc_shared ; local_store %o, %buf {owner} ; %l = local_load %buf : #all
//	%old = unsplat %l                                                      every thread has it
//
// Inside a warp a shuffle would do. Other warps need shared memory anyway.
func share(op ir.Op, warps int) (bool, error) {
	c, result := op.Context(), op.Result(0)
	before := result.Type()
	shape, def := tile.Shape(before), tileas.ConvertLayout
	want, isTensor := tileas.LayoutOf(before)
	used := ir.Any(result.Uses(), wantsAll)
	if !isTensor {
		if !used {
			return false, nil
		}
		shape, def = []int64{1}, tileas.Level.Splat
	}
	own := want
	// Copies in the registers of one thread would make that thread execute the operation several times.
	if !isTensor || want.FreeMask(linear.Register) != 0 {
		bits := 8 * tile.ElementBytes(ir.ElementType(before))
		own, _ = linear.Coalesced(linear.Ints(shape), bits, bits, 32, warps, linear.ContiguousFirst(len(shape), len(shape)-1)) // of a shape with another layout, or of one element
	}
	if own.Equal(want) && !(used && (own.FreeMask(linear.Lane) != 0 || own.FreeMask(linear.Warp) != 0)) {
		return false, nil
	}
	owned := func(t ir.Type) *ir.TensorType { return c.Tensor(shape, ir.ElementType(t), tileas.Layout(c, own)) }
	b := ir.BuilderBefore(op)
	for i, v := range op.Operands() {
		if tokens.Is(v) {
			continue
		}
		if t := owned(v.Type()); v.Type() != ir.Type(t) {
			op.SetOperand(i, b.Create(def, []ir.Value{v}, []ir.Type{t}).Result(0))
		}
	}
	result.SetType(owned(before))
	// No one reads the result: the operation still needs the layout without copies, but no buffer.
	if !used {
		return false, nil
	}
	after := ir.BuilderAfter(op)
	final, isTensor := before.(*ir.TensorType)
	if !isTensor {
		final = owned(before)
	}
	out, err := through(after, result, final)
	if err != nil {
		return false, err
	}
	if !isTensor {
		out = after.Create(tileas.Level.Unsplat, []ir.Value{out}, []ir.Type{before}).Result(0)
	}
	result.ReplaceUsesIf(out, wantsAll)
	return true, nil
}

// wantsAll reports whether a use of a result is by all threads that hold it. The store that this pass inserts is
// by the owners only, so a second run of the pass finds nothing to do.
func wantsAll(u ir.Use) bool {
	return !u.Owner().Is(tileas.LocalStore) || !u.Owner().HasUnitAttr(tileas.AttrOwner)
}

// through stores v to a new buffer, by the owners of its elements, and loads it in another layout.
func through(b *ir.Builder, v ir.Value, to *ir.TensorType) (ir.Value, error) {
	src, _ := tileas.LayoutOf(v.Type())
	dst, _ := tileas.LayoutOf(to)
	t, err := tileas.BufferBetween(to, src, dst, false)
	if err != nil {
		return ir.Value{}, err
	}
	buf := tileas.Alloc(b, t, 0)
	b.Create(tileas.LocalStore, []ir.Value{v, buf}, nil, ir.NamedAttr{Name: tileas.AttrOwner, Value: b.Context().Unit()})
	return b.Create(tileas.LocalLoad, []ir.Value{buf}, []ir.Type{to}).Result(0), nil
}
