package pipelineloops

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
)

// TMA loads of a group signal one mbarrier, which expects the bytes of all of them. Mbarriers are staged as buffers
// are. An iteration reuses an mbarrier only after the wait of the iteration that had it, since its copies come after
// the reads of the stages. The parity of a phase is that of the round through the stages, which the loop carries
// besides the stage index.

// A fullBarrier is the staged mbarrier of a group's TMA loads, signaled when a stage is full.
type fullBarrier struct {
	stagedBuffer
	bytes int64 // of a phase
	// at is the group where threads wait for the phase, and prefetch the iteration in which they do: those of the
	// first reader.
	at, prefetch int
	from         int // the prefetch distance of the copies
	phases       *phases
}

// byTMA reports whether a node is a TMA load, which an mbarrier counts.
func (x *expansion) byTMA(i int) bool { return x.g.Nodes[i].Op.Is(tileas.TMALoad) }

// findFullBarriers finds which groups need mbarriers, and where each is waited for. Function in returns the last group
// that starts no later than an operation.
func (x *expansion) findFullBarriers(in func(node int) int) error {
	for k, g := range x.groups {
		first := -1 // how many groups start between the copies and what reads them first
		for _, b := range ir.Filter(x.g.Buffers, func(b ddg.Buffer) bool { return x.byTMA(b.Copy) && slices.Contains(g.nodes, b.Copy) }) {
			if g.full == nil {
				g.full = &fullBarrier{from: x.prefetch[b.Copy]}
			}
			t := g.full
			if t.from != x.prefetch[b.Copy] {
				return fmt.Errorf("copies of one group belong to different iterations")
			}
			t.bytes += b.Type().TileBytes()
			t.stages = max(t.stages, x.staged[b.Root].stages)
			for _, r := range b.Readers {
				if between := (x.prefetch[b.Copy]-x.prefetch[r])*len(x.groups) + in(r); first < 0 || between < first {
					first, t.at, t.prefetch = between, in(r), x.prefetch[r]
				}
			}
		}
		if g.full != nil && first < 0 {
			return fmt.Errorf("nothing reads the copies of group %d", k)
		}
	}
	x.findPhases()
	return nil
}

// barriers returns the mbarriers whose phases continue from run to run, or the others.
func (x *expansion) barriers(continuing bool) (out []*fullBarrier) {
	for _, g := range x.groups {
		if g.full != nil && (g.full.phases != nil) == continuing {
			out = append(out, g.full)
		}
	}
	return out
}

// allocate creates the mbarriers, each with one arrival: that of the thread that announces the bytes. TMA counts bytes, not
// arrivals. tileas-insert-barriers adds the barrier between their initialization and the first load.
func (y *fullBarrier) allocate(b *ir.Builder) { y.buffer = tileas.NewMbarriers(b, y.stages, 1) }

// invalidateBarriers invalidates the mbarriers after a loop that runs again in another loop, unless their phases
// continue. An mbarrier must not be initialized twice (PTX ISA, mbarrier.init).
func (x *expansion) invalidateBarriers(b *ir.Builder) {
	for _, y := range x.barriers(false) {
		for s := range y.stages {
			one := tileas.NewStage(b, y.buffer, func() ir.Value { return arith.NewI32(b, s) }, 0)
			b.Create(tileas.MbarrierInval, []ir.Value{one}, nil)
		}
	}
}

// hasBarriers reports whether TMA fills some of the buffers.
func (x *expansion) hasBarriers() bool {
	return slices.ContainsFunc(x.groups, func(g *group) bool { return g.full != nil })
}

// rounds returns the different numbers of stages of mbarriers. For each, the loop carries the parity of the round.
func (x *expansion) rounds() []int64 {
	return different(x.barriers(false), func(y *fullBarrier) int64 { return y.stages })
}

// mbarrier returns the mbarrier of the iteration at a prefetch distance.
func (t *iteration) mbarrier(y *fullBarrier, prefetch int) ir.Value {
	return t.once(y.buffer, prefetch, func() ir.Value { return t.stageOf(&y.stagedBuffer, prefetch) })
}

// expect announces the bytes of a group's TMA loads, before the first of them.
func (t *iteration) expect(g *group) {
	y := g.full
	operands := append([]ir.Value{t.mbarrier(y, y.from)}, ir.Group(t.exists(y.from))...)
	t.b.Create(tileas.MbarrierExpect, operands, nil, tileas.Number(t.b.Context(), tileas.AttrBytes, y.bytes))
}

// awaitFull waits for the TMA loads whose first reader comes after the synchronization of group k.
func (t *iteration) awaitFull(k int, runs func(prefetch int) bool) {
	for _, g := range t.x.groups {
		if y := g.full; y != nil && y.at == k && runs(y.prefetch) {
			parity := t.parity
			if y.phases != nil {
				parity = t.phase
			}
			t.b.Create(tileas.MbarrierWait, []ir.Value{t.mbarrier(y, y.prefetch), parity(y)}, nil)
		}
	}
}

// parity returns the parity of the round in which the awaited iteration has its stage.
func (t *iteration) parity(y *fullBarrier) ir.Value {
	stages, prefetch := y.stages, y.prefetch
	if t.number < 0 {
		return arith.NewI32(t.b, int64(t.number+prefetch)/stages%2)
	}
	i32 := t.b.Context().Int(32)
	p := t.round(stages)
	flip := func(by ir.Value) { p = arith.New(t.b, arith.XOrI, p, by) }
	index, ahead := t.stage(stages)
	ahead += int64(prefetch)
	// The awaited iteration may be rounds ahead of the stage index: an odd number of full rounds flips the parity, and
	// so does an index that wraps around.
	if ahead/stages%2 == 1 {
		flip(arith.NewI32(t.b, 1))
	}
	if rest := ahead % stages; rest > 0 {
		over := arith.NewCmpI(t.b, "sge", index, arith.NewI32(t.b, stages-rest))
		flip(t.b.Create(arith.ExtUI, []ir.Value{over}, []ir.Type{i32}).Result(0))
	}
	return p
}

// eraseReplaced erases mbarriers that expansions have replaced, of which nothing but the initialization is left. Buffers
// without uses go too, and values that only parities were computed from.
func eraseReplaced(fn ir.Op) {
	setup := func(u ir.Use) bool { return u.Owner().Is(tileas.MbarrierInit) || u.Owner().Is(tileas.MbarrierInval) }
	for _, alloc := range fn.Collect(tileas.AllocShared.Is) {
		uses := slices.Collect(alloc.Result(0).Uses())
		if !slices.ContainsFunc(uses, func(u ir.Use) bool { return !setup(u) }) {
			for _, u := range uses {
				u.Owner().Erase()
			}
		}
	}
	ir.EraseDead(fn)
}
