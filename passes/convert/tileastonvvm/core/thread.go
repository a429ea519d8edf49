package core

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// Thread numbers count from the first warp of the scope. Without warp specialization that is thread 0 of the CTA,
// and in a role the first thread of the role.

type sregKey struct{ name string }

// Sreg returns a special register, as "tid.x". Reading one is an instruction with a latency of its own, and its value
// does not change, so each is read once, in the entry block.
func (l *Lowering) Sreg(name string) ir.Value {
	return l.Once(sregKey{name}, func(b *ir.Builder) ir.Value {
		return b.Create(nvvm.Sreg[name], nil, []ir.Type{l.I32()}).Result(0)
	})
}

type threadKey struct{ what string }

// thread returns the number of the thread in its scope.
func (l *Lowering) thread() ir.Value {
	tid := l.Sreg("tid.x")
	if l.FirstWarp == 0 {
		return tid
	}
	before := l.Const32(int64(sm.WarpSize * l.FirstWarp))
	return l.Once(threadKey{"thread"}, func(b *ir.Builder) ir.Value {
		return b.Create(arith.SubI, []ir.Value{tid, before}, []ir.Type{l.I32()}).Result(0)
	})
}

// Lane returns the number of the thread in its warp: the low five bits of %tid.x, since blocks have one dimension
// (reqntid is 32 x warps, 1, 1).
func (l *Lowering) Lane() ir.Value {
	tid, mask := l.Sreg("tid.x"), l.Const32(31)
	return l.Once(threadKey{"lane"}, func(b *ir.Builder) ir.Value {
		return b.Create(arith.AndI, []ir.Value{tid, mask}, []ir.Type{l.I32()}).Result(0)
	})
}

// Warp returns the number of the warp in its scope. It is computed from %tid and not read from %warpid, which the
// PTX ISA calls volatile. That register says where a thread runs at the moment, and may change when the thread is
// rescheduled.
func (l *Lowering) Warp() ir.Value {
	if l.FirstWarp > 0 && l.Warps == 1 {
		return l.Const32(0)
	}
	tid, five := l.thread(), l.Const32(5)
	return l.Once(threadKey{"warp"}, func(b *ir.Builder) ir.Value {
		return b.Create(arith.ShRUI, []ir.Value{tid, five}, []ir.Type{l.I32()}).Result(0)
	})
}

// UniformWarp returns the warp's number, which all lanes get from the first one, so that ptxas knows that a warp has
// one value of it.
func (l *Lowering) UniformWarp() ir.Value {
	warp, zero := l.Warp(), l.Const32(0)
	return l.Once(threadKey{"uniform warp"}, func(b *ir.Builder) ir.Value {
		return b.Create(nvvm.Shuffle, []ir.Value{warp, zero}, []ir.Type{l.I32()}, ir.NamedAttr{Name: nvvm.AttrMode, Value: l.Ctx.String("idx")}).Result(0)
	})
}

// WarpBits returns some bits of the uniform number of the warp, from one on, as a number below n.
func (l *Lowering) WarpBits(from, n int) ir.Value {
	uniform := l.UniformWarp()
	if from > 0 {
		uniform = l.Early(arith.ShRUI, uniform, l.Const32(int64(from)))
	}
	return l.Early(arith.AndI, uniform, l.Const32(int64(n-1)))
}

// FirstThread returns the condition that this is the first thread of the scope.
func (l *Lowering) FirstThread() (ir.Value, error) {
	lay, err := l.ScalarLayout()
	return l.Owner(lay), err
}

// Elected returns the condition that this is the thread that starts copies and signals mbarriers; nil if it is alone. It
// is an elected lane of the first warp where the target has elect.sync.
//
// ptxas then passes uniform registers of the warp. For a thread that a comparison chooses it makes a loop over the
// lanes of each copy (13.5: 119 instructions, not 99, in the loop of batch_matmul_f16_128x128x64).
func (l *Lowering) Elected() (ir.Value, error) {
	switch {
	case l.Alone:
		return ir.Value{}, nil
	case !l.Arch.Has(sm.ElectSync):
		return l.FirstThread()
	}
	warp := l.UniformWarp()
	zero := l.Const32(0)
	return l.Once(threadKey{"elected"}, func(b *ir.Builder) ir.Value {
		i1 := l.Ctx.Int(1)
		elected := b.Create(nvvm.ElectSync, nil, []ir.Type{i1}).Result(0)
		return b.Create(arith.AndI, []ir.Value{arith.NewCmpI(b, "eq", warp, zero), elected}, []ir.Type{i1}).Result(0)
	}), nil
}

// OneLane returns a condition that holds for one lane of each warp; nil if it is alone.
func (l *Lowering) OneLane() ir.Value {
	if l.Alone {
		return ir.Value{}
	}
	return l.ElectedLane()
}

// ElectedLane computes in the entry block, which all lanes run, which lane of each warp is elected.
func (l *Lowering) ElectedLane() ir.Value {
	lane, zero := l.Lane(), l.Const32(0)
	return l.Once(threadKey{"one lane"}, func(b *ir.Builder) ir.Value {
		if l.Arch.Has(sm.ElectSync) {
			return b.Create(nvvm.ElectSync, nil, []ir.Type{l.Ctx.Int(1)}).Result(0)
		}
		return arith.NewCmpI(b, "eq", lane, zero)
	})
}

// CTARank returns the number of the CTA in its cluster.
func (l *Lowering) CTARank() ir.Value { return l.Sreg("cluster_ctarank") }

// EvenCTA returns the number of the even CTA of the pair, which does for both what one CTA can do.
func (l *Lowering) EvenCTA() ir.Value {
	rank, mask := l.CTARank(), l.Const32(^1)
	return l.Once(threadKey{"even CTA"}, func(b *ir.Builder) ir.Value {
		return b.Create(arith.AndI, []ir.Value{rank, mask}, []ir.Type{l.I32()}).Result(0)
	})
}

// IsEvenCTA returns the condition that this is that CTA.
func (l *Lowering) IsEvenCTA() ir.Value {
	rank, even := l.CTARank(), l.EvenCTA()
	return l.Once(threadKey{"is even CTA"}, func(b *ir.Builder) ir.Value { return arith.NewCmpI(b, "eq", rank, even) })
}

// Partitioned reports whether the CTAs of a cluster share a tile block.
func (l *Lowering) Partitioned() bool { return contract.CTAsOf(l.Source) > 1 }
