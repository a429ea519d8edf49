package materializeexchanges

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
)

var (
	numGathers  = passes.NewStatistic("gathers", "gathers of what the CTAs of a cluster have")
	numBarriers = passes.NewStatistic("barriers", "barriers of the cluster for them")
)

// Pass is tileas-materialize-exchanges.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-materialize-exchanges",
	Summary:  "lower all_gather to distributed shared memory",
	Doc:      "Replaces all_gather by a store to shared memory, a cluster barrier, and a load from each CTA. A second cluster barrier follows where the memory is reused.",
	Requires: []*passes.Property{property.TileAS, tileasprop.LayoutsAssigned},
	Destroys: []*passes.Property{tileasprop.LoopsScheduled, tileasprop.SharedAllocated, tileasprop.Synchronised},
	Steps:    []passes.Step{{MinOpt: 0}},
	After: []passes.Edge{
		{Pass: "tileas-pipeline-loops", Reason: "the scheduler treats an all_gather as one operation"},
		{Pass: "tileas-multicast-copies", Reason: "a gathered tile is the same in all CTAs, which is what makes a copy multicast"},
		{Pass: "tileas-promote-to-tmem", Reason: "it decides the layouts in which accumulators are gathered"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-materialize-convert-layout", Reason: "its buffers share memory with those of conversions"},
		{Pass: "tileas-allocate-tmem", Reason: "it can gather tiles that threads load from TMEM"},
		{Pass: "tileas-allocate-shared", Reason: "it creates buffers"},
		{Pass: "tileas-insert-barriers", Reason: "a cluster barrier is a CTA barrier too"},
	},
	Statistics: []*passes.Statistic{numGathers, numBarriers},
	Run:        run,
})

func run(r *passes.Run) error {
	var groups []*group
	for op := range r.Op.All() {
		if !op.Is(tileas.Level.AllGather) && !op.Is(tileas.Level.ClusterSync) {
			continue
		}
		// A cluster barrier waits for all threads of all CTAs, and the warps of another role would not come.
		if role, ok := tileas.RoleOf(op); ok {
			return op.Errorf("stands in role \"%s\", and all warps of all CTAs meet there", role.Name)
		}
		if op.Is(tileas.Level.ClusterSync) {
			continue
		}
		if n := len(groups); n > 0 && groups[n-1].takes(op) {
			groups[n-1].gathers = append(groups[n-1].gathers, op)
		} else {
			groups = append(groups, &group{gathers: []ir.Op{op}})
		}
	}
	if err := ir.Try(groups, (*group).write); err != nil {
		return err
	}
	for i, g := range groups {
		r.Add(numGathers, len(g.gathers))
		r.Add(numBarriers, 1)
		end := g.last
		if i+1 < len(groups) && g.servedBy(groups[i+1]) {
			end = groups[i+1].barrier
		} else {
			end = ir.BuilderAfter(end).WithLoc(end.Loc()).Create(tileas.ClusterBarrier, nil, nil)
			r.Add(numBarriers, 1)
		}
		// A buffer lives until its deallocation, so its memory is not reused before slower CTAs have read it.
		for _, buf := range g.buffers {
			end = ir.BuilderAfter(end).WithLoc(end.Loc()).Create(tileas.DeallocShared, []ir.Value{buf}, nil)
		}
	}
	return nil
}

// A group is a set of gathers that share barriers.
type group struct {
	gathers []ir.Op
	buffers []ir.Value
	barrier ir.Op // before the loads
	last    ir.Op // of the loads
}

// takes reports whether a later gather can join the group, whose loads then move to it: no result of the group is
// used before.
func (g *group) takes(op ir.Op) bool {
	return op.Block() == g.gathers[0].Block() && !slices.ContainsFunc(g.gathers, func(have ir.Op) bool {
		return have.Result(0).UsedBy(func(user ir.Op) bool {
			at := user.AncestorIn(op.Block().Region())
			return at == op || at.IsBeforeInBlock(op)
		})
	})
}

// write puts the stores where the gathers are, and a barrier and the loads where the last of them is.
func (g *group) write() error {
	for _, op := range g.gathers {
		t := op.Operand(0).Type().(*ir.TensorType)
		l, _ := tileas.LayoutOf(t)
		through, err := tileas.BufferBetween(t, l, l, false) // threads store and load a part in one layout
		if err != nil {
			return op.Errorf("%v", err)
		}
		b := ir.BuilderBefore(op).WithLoc(op.Loc())
		buf := b.Create(tileas.AllocShared, nil, []ir.Type{through}).Result(0)
		b.Create(tileas.LocalStore, []ir.Value{op.Operand(0), buf}, nil)
		g.buffers = append(g.buffers, buf)
	}
	at := g.gathers[len(g.gathers)-1]
	b := ir.BuilderBefore(at).WithLoc(at.Loc())
	g.barrier = b.Create(tileas.ClusterBarrier, nil, nil)
	for i, op := range g.gathers {
		whole := g.load(b, op, g.buffers[i])
		op.ReplaceWith(whole)
		g.last = whole.DefiningOp()
	}
	return nil
}

// load loads the parts of all CTAs and concatenates them. That renames registers, since a thread loads the same
// elements of all parts.
func (g *group) load(b *ir.Builder, op ir.Op, buf ir.Value) ir.Value {
	c := op.Context()
	part, whole := op.Operand(0).Type().(*ir.TensorType), op.Result(0).Type().(*ir.TensorType)
	dim, _ := op.IntAttr(tile.AttrDim)
	var row []ir.Value
	for i := range whole.Shape[dim] / part.Shape[dim] {
		row = append(row, b.Create(tileas.RemoteLoad, []ir.Value{buf, arith.NewInt(b, c.Int(32), i)}, []ir.Type{part}).Result(0))
	}
	return tileas.Concat(b, row, int(dim)) // layouts-assigned: the result's layout is that of all parts
}

// servedBy reports whether every path from this group leads to the barrier of a later one, before the end of the
// kernel. Then all CTAs come to that barrier, and none stores to the buffers before it.
func (g *group) servedBy(next *group) bool {
	return next.barrier.Block() == g.barrier.Block() && !ir.MayLeave(g.last) &&
		g.last.FindNext(func(op ir.Op) bool { return op == next.barrier || ir.MayLeave(op) }) == next.barrier
}
