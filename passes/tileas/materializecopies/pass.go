package materializecopies

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/tileas/copies"
	"github.com/tilewright/tilewright/target/sm"
)

var numCopies = passes.NewStatistic("copies", "asynchronous copies made")

// Pass is tileas-materialize-copies.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-materialize-copies",
	Title:    "TileASMaterializeCopies",
	Summary:  "make the asynchronous copies that are planned",
	Doc:      "Replaces loads that are planned to travel by cp.async, or by bulk tensor copies, by copy_async or tma_load to a buffer, a wait, and local_load.",
	On:       "nv_tileas.func",
	Requires: []*passes.Property{property.TileAS, property.LayoutsAssigned},
	Destroys: []*passes.Property{property.SharedAllocated, property.Synchronised},
	Steps:    []passes.Step{{MinOpt: 1}},
	Before: []passes.Edge{
		{Pass: "tileas-materialize-convert-layout", Reason: "a copy takes the place of a conversion"},
		{Pass: "tileas-allocate-shared", Reason: "it creates buffers"},
	},
	Statistics: []*passes.Statistic{numCopies},
	Run:        run,
})

func run(r *passes.Run) error {
	warps, err := contract.NumWarpsOf(r.Op)
	if err != nil {
		return err
	}
	var planned, tensors, stores []ir.Op
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case op.Is(tileas.Level.TiledStore), op.Is(tileas.Level.TiledAtomic):
			if op.StringAttr(tileas.AttrTravel) == tileas.TravelTMA {
				stores = append(stores, op)
			}
		case !op.Is(tileas.Level.TiledLoad) && !op.Is(tileas.Level.Load):
		case op.StringAttr(tileas.AttrTravel) == tileas.TravelCopy:
			planned = append(planned, op)
		case op.StringAttr(tileas.AttrTravel) == tileas.TravelTMA:
			tensors = append(tensors, op)
		}
		return ir.Advance
	})
	w := waits{}
	for _, op := range planned {
		c, why := copies.Plan(op, warps)
		if c == nil {
			if why == "" {
				why = "it feeds no matrix product"
			}
			return op.Errorf("is planned to travel by cp.async, but cannot: %s", why)
		}
		if err := w.materialize(c); err != nil {
			return err
		}
	}
	w.insert()
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	if err := materializeTensors(r.Op, tensors, stores, warps, arch.Has(sm.StMatrix)); err != nil {
		return err
	}
	r.Add(numCopies, len(planned)+len(tensors)+len(stores))
	if len(planned)+len(tensors)+len(stores) == 0 {
		r.MarkUnchanged()
	}
	return nil
}

// A wait is what one copy needs: its group, by an operation of its block at the latest.
type wait struct {
	group ir.Value
	by    ir.Op
}

type waits []wait

// materialize puts a copy where the load stands, and loads from its buffer where the operands of products are made.
//
//	%a, %t1 = tiled_load %p[...] {travel = "cp.async"}      %buf = alloc_shared
//	                                                        %t1 = copy_async %p[...] -> %buf ; %g = commit_group
//	%f = convert_layout %a                                  wait_group %g pending 0 ; (barrier, by insert-barriers) ; %f = local_load %buf
//	dot %f, ...                                             dot %f, ...
//
// The wait comes before the first use of the load's token too: what is ordered behind the load must find it
// done.
func (w *waits) materialize(c *copies.Copy) error {
	load := c.Load
	ctx := load.Context()
	b := ir.BuilderBefore(load)
	buffer := tileas.Alloc(b, c.Buffer, c.Align)
	start := b.Insert(copyOf(b, load, buffer))
	group := b.Create(tileas.CommitGroup, nil, []ir.Type{tileas.Group(ctx)}).Result(0)

	by, err := read(c, buffer)
	if err != nil {
		return load.Errorf("is planned to travel by cp.async, but cannot: %v", err)
	}
	load.Result(1).ReplaceAllUsesWith(start.Result(0))
	eraseDead(load)
	*w = append(*w, wait{group, by})
	return nil
}

// read loads from a buffer where products take what was copied there, and returns the first operation of the block of the load that needs the copy to have completed.
func read(c *copies.Copy, buffer ir.Value) (by ir.Op, err error) {
	load := c.Load
	need := func(op ir.Op) {
		for op.Block() != load.Block() {
			op = op.ParentOp()
		}
		if by.IsNil() || op.IsBeforeInBlock(by) {
			by = op
		}
	}
	for u := range load.Result(1).Uses() { // what comes after the load in the order of memory
		need(u.Owner())
	}
	taken := func(u ir.Use) bool { // by what the copy is for
		if c.Threads {
			return !slices.Contains(c.Views, u.Owner())
		}
		return tileas.IsProduct(u.Owner())
	}
	for _, e := range c.Ends {
		b := ir.BuilderBefore(firstUser(e.Value))
		from, err := e.View(b, buffer)
		if err != nil {
			return by, err
		}
		loaded, v, err := c.Take(b, e, from)
		if err != nil {
			return by, err
		}
		e.Value.ReplaceUsesIf(v, taken)
		need(loaded)
	}
	// A tile block that ends does so behind what it has started.
	for op := load.Next(); !op.IsNil() && op != by; op = op.Next() {
		if leaves(op) {
			return op, nil
		}
	}
	return by, nil
}

// leaves reports whether control may go from inside an operation to behind the block that it stands in.
func leaves(op ir.Op) bool {
	return op.NumRegions() > 0 && !op.Walk(func(inner ir.Op) ir.WalkResult {
		if _, exits := ir.RegionExitOp.Of(inner); exits {
			if to := ir.ExitTarget(inner); to.IsNil() || to != op && !op.IsAncestorOf(to) {
				return ir.Interrupt
			}
		}
		return ir.Advance
	})
}

// copyOf returns the copy_async or gather_async that does what a load describes.
func copyOf(b *ir.Builder, load ir.Op, to ir.Value) *ir.OpState {
	if load.Is(tileas.Level.Load) {
		return gatherOf(b, load, to)
	}
	a := tile.AccessOf(load)
	st := b.NewState(tileas.CopyAsync, load.Loc())
	groups := [][]ir.Value{{to}, {a.Base}, a.Offsets, a.Sizes, a.Strides, nil, nil}
	if !a.Token.IsNil() {
		groups[5] = []ir.Value{a.Token}
	}
	st.OperandGroups(groups...)
	keepAttrs(st, load, tileas.CopyAsync)
	st.Types = []ir.Type{load.Result(1).Type()}
	return st
}

// gatherOf is copyOf a load through pointers. What it has for elements that are masked off is zeros, as the copy has.
func gatherOf(b *ir.Builder, load ir.Op, to ir.Value) *ir.OpState {
	st := b.NewState(tileas.GatherAsync, load.Loc())
	groups := [][]ir.Value{{to}, {load.OperandNamed("ptrs")}, nil, nil, nil}
	for i, name := range []string{"mask", "token"} {
		if v := load.OperandNamed(name); !v.IsNil() {
			groups[2+i] = []ir.Value{v}
		}
	}
	st.OperandGroups(groups...)
	keepAttrs(st, load, tileas.GatherAsync)
	st.Types = []ir.Type{load.Result(1).Type()}
	return st
}

// keepAttrs gives a copy the attributes of its load that it has too.
func keepAttrs(st *ir.OpState, load ir.Op, def *ir.OpDef) {
	for _, attr := range load.InherentAttrs() {
		if def.AttrSlot(attr.Name) >= 0 && attr.Name != ir.OperandSegmentSizes {
			st.SetAttr(attr.Name, attr.Value)
		}
	}
}

// eraseDead erases a load and what stood between it and the products.
func eraseDead(op ir.Op) {
	var chain []ir.Op
	var visit func(op ir.Op)
	visit = func(op ir.Op) {
		for u := range op.Result(0).Uses() {
			visit(u.Owner())
		}
		if !slices.Contains(chain, op) {
			chain = append(chain, op)
		}
	}
	visit(op)
	var other ir.Op // what a load through pointers has for elements that are masked off, which are zeros of the copy's own
	if op.Is(tileas.Level.Load) && !op.OperandNamed("other").IsNil() {
		other = op.OperandNamed("other").DefiningOp()
	}
	for _, o := range chain {
		o.Erase()
	}
	if !other.IsNil() && !other.HasUses() {
		other.Erase()
	}
}

// firstUser returns the first operation of the block of a value that uses it, itself or inside.
func firstUser(v ir.Value) (first ir.Op) {
	for u := range v.Uses() {
		user := u.Owner()
		for user.Block() != v.Block() {
			user = user.ParentOp()
		}
		if first.IsNil() || user.IsBeforeInBlock(first) {
			first = user
		}
	}
	return first
}

// insert makes the waits. All groups are waited for, so that one wait serves those that were started before it in its block.
//
// pending = 0 waits for every group that the thread has committed, not only the ones it names; hence one wait
// serves all that were started before it.
func (w waits) insert() {
	blocks := make(map[ir.Block][]wait)
	var order []ir.Block
	for _, x := range w {
		b := x.by.Block()
		if blocks[b] == nil {
			order = append(order, b)
		}
		blocks[b] = append(blocks[b], x)
	}
	for _, b := range order {
		list := blocks[b]
		slices.SortStableFunc(list, func(x, y wait) int {
			switch {
			case x.by == y.by:
				return 0
			case x.by.IsBeforeInBlock(y.by):
				return -1
			}
			return 1
		})
		insertIn(list)
	}
}

// insertIn makes the waits of one block, in the order in which they are needed.
func insertIn(list []wait) {
	var made []ir.Op
	for _, x := range list {
		commit := x.group.DefiningOp()
		i := slices.IndexFunc(made, func(m ir.Op) bool { return commit.IsBeforeInBlock(m) && m.IsBeforeInBlock(x.by) })
		if i >= 0 {
			made[i].SetOperands(append(made[i].Operands(), x.group))
			continue
		}
		b := ir.BuilderBefore(x.by)
		made = append(made, b.Create(tileas.WaitGroup, []ir.Value{x.group}, nil,
			ir.NamedAttr{Name: tileas.AttrPending, Value: b.Context().IntAttr(b.Context().Int(32), 0)}))
	}
}
