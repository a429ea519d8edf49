package materializecopies

import (
	"cmp"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
	"github.com/tilewright/tilewright/passes/tileas/analysis/transfers"
	"github.com/tilewright/tilewright/target/sm"
)

var numCopies = passes.NewStatistic("copies", "asynchronous copies created")

// Pass is tileas-materialize-copies.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-materialize-copies",
	Summary:  "lower planned loads to asynchronous copies (TMA, cp.async)",
	Doc:      "Replaces each load that has a plan by a copy_async or tma_load to a buffer, a wait, and a local_load.",
	Requires: []*passes.Property{property.TileAS, tileasprop.LayoutsAssigned},
	Destroys: []*passes.Property{tileasprop.SharedAllocated, tileasprop.Synchronised},
	Steps:    []passes.Step{{MinOpt: 1}},
	Before: []passes.Edge{
		{Pass: "tileas-materialize-convert-layout", Reason: "a copy through shared memory replaces a conversion"},
		{Pass: "tileas-allocate-shared", Reason: "it creates buffers"},
	},
	Statistics: []*passes.Statistic{numCopies},
	Run:        passes.OnMachine(run),
})

func run(r *passes.Run, arch *sm.Arch, warps int) error {
	var planned, tensors, stores []ir.Op
	for op := range r.Op.All() {
		switch {
		case op.Is(tileas.Level.TiledStore), op.Is(tileas.Level.TiledAtomic):
			if op.StringAttr(tileas.AttrTransfer) == tileas.TransferTMA {
				stores = append(stores, op)
			}
		case !op.Is(tileas.Level.TiledLoad) && !op.Is(tileas.Level.Load):
		case op.StringAttr(tileas.AttrTransfer) == tileas.TransferCpAsync:
			planned = append(planned, op)
		case op.StringAttr(tileas.AttrTransfer) == tileas.TransferTMA:
			tensors = append(tensors, op)
		}
	}
	w := waits{}
	for _, op := range planned {
		c, why := transfers.Plan(op, warps)
		if c == nil {
			return op.Errorf("is planned as cp.async, which cannot represent it: %s", cmp.Or(why, "it feeds no MMA"))
		}
		w.lower(c)
	}
	// Only now: a wait is shared by all groups that are committed before it.
	w.insert()
	if err := lowerTMA(r.Op, tensors, stores, warps, arch.Has(sm.StMatrix)); err != nil {
		return err
	}
	if n := len(planned) + len(tensors) + len(stores); n > 0 {
		r.Add(numCopies, n)
		ir.EraseDead(r.Op) // the loads, what stands between them and the MMAs, and what only they addressed memory by
	}
	return nil
}

// A wait says that a group must be complete before an operation of its block.
type wait struct {
	group ir.Value
	by    ir.Op
}

type waits []wait

// lower replaces a load by a copy to a buffer, and the MMA operands by loads from it (package comment).
//
// The wait also precedes the first use of the load's token: an operation that is ordered after the load must find it
// complete.
func (w *waits) lower(c *transfers.Copy) {
	load := c.Load
	ctx := load.Context()
	b := ir.BuilderBefore(load)
	buffer := tileas.Alloc(b, c.Buffer, c.Align)
	start := copyTo(b, load, buffer)
	group := b.Create(tileas.CommitGroup, nil, []ir.Type{tileas.Group(ctx)}).Result(0)

	by := read(c, buffer)
	load.Result(1).ReplaceAllUsesWith(start.Result(0))
	*w = append(*w, wait{group, by})
}

// read loads the operands of MMAs from the buffer. It returns the first operation in the load's block that needs the
// copy to be complete.
func read(c *transfers.Copy, buffer ir.Value) (by ir.Op) {
	load := c.Load
	need := func(op ir.Op) { by = ir.Earliest(by, op.AncestorIn(load.Block().Region())) }
	for u := range load.Result(1).Uses() { // operations that are ordered after the load
		need(u.Owner())
	}
	taken := func(u ir.Use) bool { // whether the use is one that the copy serves
		if c.Threads {
			return !slices.Contains(c.Views, u.Owner())
		}
		return tileas.IsMMA(u.Owner())
	}
	for _, e := range c.Ends {
		b := ir.BuilderBefore(ir.FirstUser(e.Value))
		loaded, v := c.Take(b, e, e.View(b, buffer))
		e.Value.ReplaceUsesIf(v, taken)
		need(loaded)
	}
	if v := load.Result(0); c.Shared {
		b := ir.BuilderBefore(ir.FirstUser(v))
		loaded := b.Create(tileas.LocalLoad, []ir.Value{buffer}, []ir.Type{v.Type()})
		v.ReplaceAllUsesWith(loaded.Result(0))
		need(loaded)
	}
	// An early exit must not skip the wait. A CTA must not end while copies write its shared memory.
	return load.FindNext(func(op ir.Op) bool { return op == by || ir.MayLeave(op) })
}

// copyTo creates the copy_async or gather_async that replaces a load.
func copyTo(b *ir.Builder, load ir.Op, to ir.Value) ir.Op {
	types := []ir.Type{load.Result(1).Type()}
	if load.Is(tileas.Level.Load) { // a copy writes zeros for masked elements; the plan requires the load to do the same
		operands := [][]ir.Value{{to}, load.OperandsNamed("ptrs"), load.OperandsNamed("mask"), load.OperandsNamed("token"), nil}
		return b.CreateGroups(tileas.GatherAsync, operands, types, attrsOf(load, tileas.GatherAsync)...)
	}
	a := tile.AccessOf(load)
	operands := [][]ir.Value{{to}, {a.Base}, a.Offsets, a.Sizes, a.Strides, ir.Group(a.Token), nil}
	return b.CreateGroups(tileas.CopyAsync, operands, types, attrsOf(load, tileas.CopyAsync)...)
}

// attrsOf returns the attributes of an access that its copy has too.
func attrsOf(access ir.Op, copy *ir.OpDef) []ir.NamedAttr {
	return ir.Filter(access.InherentAttrs(), func(a ir.NamedAttr) bool {
		return copy.AttrSlot(a.Name) >= 0 && a.Name != ir.OperandSegmentSizes
	})
}

// insert creates the waits, block by block.
//
// A wait_group with pending = 0 waits for every group that the thread has committed, not only for those it names (PTX
// ISA, cp.async.wait_group). So one wait serves all groups that were committed before it in its block.
func (w waits) insert() {
	// In the order of the first use, so that an earlier wait is there when a later use could share it.
	slices.SortStableFunc(w, func(x, y wait) int {
		if a, b := x.by.Block(), y.by.Block(); a != b {
			return cmp.Compare(a.ID(), b.ID())
		}
		return x.by.CompareInBlock(y.by)
	})
	var made []ir.Op
	for _, x := range w {
		// A wait between the commit and the use already covers this group. It only has to name it, for the dump and for
		// the scheduler.
		covers := func(m ir.Op) bool {
			return m.Block() == x.by.Block() && x.group.DefiningOp().IsBeforeInBlock(m) && m.IsBeforeInBlock(x.by)
		}
		if i := slices.IndexFunc(made, covers); i >= 0 {
			made[i].SetOperands(append(made[i].Operands(), x.group))
			continue
		}
		made = append(made, ir.BuilderBefore(x.by).Create(tileas.WaitGroup, []ir.Value{x.group}, nil,
			tileas.Number(x.by.Context(), tileas.AttrPending, 0)))
	}
}
