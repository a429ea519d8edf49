package schedule

import (
	"context"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/target/sm"
)

// LimitsOf returns the limits for loops of a kernel. Only layout conversions in innermost loops reduce the shared
// memory, since these loops are pipelined. Conversions after such a loop use what its buffers leave, and are split if
// they do not fit.
func LimitsOf(fn ir.Op, arch *sm.Arch) Limits {
	k := budget.Of(fn, arch)
	l := Limits{Registers: k.Registers(budget.ForLoops), Shared: k.Shared(budget.ForCTA), Stages: contract.KernelSpecOf(fn).NumStages, Kernel: &k}
	scratch := 0
	for op := range fn.All() {
		switch {
		case op.Is(tileas.Level.Alloca):
			n, _ := op.IntAttr(tile.AttrBytes)
			l.Shared -= int(min(n, int64(l.Shared)))
		case op.Is(tileas.ConvertLayout) && inInnermost(op):
			scratch = max(scratch, Scratch(op))
		}
	}
	l.Shared = max(0, l.Shared-scratch-budget.SharedSlack)
	return l
}

// In returns the limits of one loop. Buffers that are live besides its stages reduce its shared memory: those that are
// live there, and those that are allocated in it and stored to by threads.
func (l Limits) In(loop ir.Op) Limits {
	l.Shared = max(0, l.Shared-int(Beside(loop)+allocated(loop, true)))
	return l
}

// Fit schedules a loop, once more with less shared memory if buffers that threads store have two places in the plan.
func (l Limits) Fit(ctx context.Context, s *Scheduler, g *ddg.Graph, loop ir.Op) (*Plan, error) {
	p, err := s.Schedule(ctx, g, l.In(loop))
	if err != nil {
		return nil, err
	}
	twice := int(p.twice(g))
	if twice == 0 {
		return p, nil
	}
	if _, used := Room(g, p.Shape, p.At); used+twice <= l.In(loop).Shared {
		return p, nil
	}
	l.Shared -= twice
	return s.Schedule(ctx, g, l.In(loop))
}

// twice returns the bytes of buffers that threads store in one iteration of a plan and that are read until the next, as
// those of MMAs in flight. Such a buffer has two places: the loop's, and one from before the loop.
func (p *Plan) twice(g *ddg.Graph) (n int64) {
	stage := make(map[ir.Op]int)
	for i, node := range g.Nodes {
		stage[node.Op] = p.At[i] / p.II
		if wait, ok := g.Done(i); ok {
			stage[node.Op] = p.At[wait] / p.II
		}
	}
	for _, node := range g.Nodes {
		if node.Op.Is(tileas.LocalStore) {
			alloc := tileas.RootOf(node.Op.Operand(1))
			later := func(u ir.Use) bool { return stage[u.Owner()] > stage[node.Op] }
			if !alloc.IsNil() && alloc.Block() == node.Op.Block() && ir.Any(tileas.UsesOf(alloc.Result(0)), later) {
				n += bytesOf(alloc)
			}
		}
	}
	return n
}

// StagesIn returns how many stages there is room for of what a loop copies to shared memory, beside so many bytes more.
func (l Limits) StagesIn(loop ir.Op, more int64) int64 {
	return (int64(l.In(loop).Shared) - more) / max(1, allocated(loop, false))
}

// allocated returns the bytes of the buffers of a loop that threads store to, or those of all others.
func allocated(loop ir.Op, stored bool) int64 {
	return ir.Sum(loop.Collect(func(op ir.Op) bool {
		return op.Is(tileas.AllocShared) && stored == ir.Any(tileas.UsesOf(op.Result(0)), func(u ir.Use) bool { return u.Owner().Is(tileas.LocalStore) })
	}), bytesOf)
}

// Beside returns the bytes of the buffers that are live at an operation: allocated before it, or before what it is in, and
// used there or later.
func Beside(op ir.Op) (n int64) {
	for at := op; !at.Is(tileas.Level.Func); at = at.ParentOp() {
		stays := func(u ir.Use) bool {
			top := u.Owner().AncestorIn(at.Block().Region())
			return !top.IsNil() && !top.IsBeforeInBlock(at)
		}
		for other := at.Prev(); !other.IsNil(); other = other.Prev() {
			if other.Is(tileas.AllocShared) && !tileas.IsBarriers(other.Result(0).Type()) && ir.Any(tileas.UsesOf(other.Result(0)), stays) {
				n += bytesOf(other)
			}
		}
	}
	return n
}

func bytesOf(alloc ir.Op) int64 { return alloc.Result(0).Type().(*tileas.BufferType).Bytes() }

// inInnermost reports whether an operation is in a loop without an inner loop.
func inInnermost(op ir.Op) bool {
	loop := ir.LoopAround(op, false)
	return !loop.IsNil() && !loop.Contains(func(inner ir.Op) bool {
		if inner == loop || !ir.LoopLike.Has(inner) {
			return false
		}
		_, step := tileas.StepLoop(inner)
		return !step
	})
}

// Scratch returns the bytes of shared memory that a layout conversion goes through; 0 for other operations.
func Scratch(op ir.Op) int {
	if !op.Is(tileas.ConvertLayout) {
		return 0
	}
	if c, ok := tileas.ConversionOf(op); !ok || !tileas.ThroughMemory(c, op.Result(0).Type(), tileas.MostShuffles) {
		return 0
	}
	return int(tile.Bytes(op.Result(0).Type()))
}

// LeastScratch returns the bytes of shared memory that a layout conversion takes if it goes through them in as many
// subtiles as its layouts allow.
func LeastScratch(op ir.Op) int {
	n := Scratch(op)
	if n == 0 {
		return 0
	}
	src, _ := tileas.LayoutOf(op.Operand(0).Type())
	dst, _ := tileas.LayoutOf(op.Result(0).Type())
	return n / linear.CutInto(src, dst, n).Subtiles
}
