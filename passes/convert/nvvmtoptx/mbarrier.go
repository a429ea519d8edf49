package nvvmtoptx

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/sm"
)

func init() {
	add(map[*ir.OpDef]rule{
		nvvm.MbarrierInit: (*emitter).mbarrierInit, nvvm.MbarrierInval: (*emitter).mbarrierInval,
		nvvm.MbarrierArrive: (*emitter).mbarrierArrive, nvvm.MbarrierWait: (*emitter).mbarrierWait,
		nvvm.MbarrierArriveRemote: (*emitter).mbarrierArriveRemote, nvvm.ClusterBarrier: (*emitter).clusterBarrier, nvvm.MapShared: (*emitter).mapShared,
		nvvm.FenceMbarrierInit: fence(sm.FenceMbarrierInit, ptx.OpFenceMbarrierInit, ptx.Release, ptx.ClusterScope), // the only spelling there is
		nvvm.FenceAsync:        fence(sm.FenceProxyAsync, ptx.OpFenceProxy, ptx.Async, ptx.SharedCTA),
		nvvm.FenceGlobal:       fence(sm.FenceProxyAsync, ptx.OpFenceProxy, ptx.Async, ptx.Global),
		nvvm.BulkLoad:          (*emitter).bulkLoad, nvvm.BulkStore: (*emitter).bulkStore,
		nvvm.BulkCommit: bare(ptx.OpCpAsyncBulkCommitGroup, sm.CpAsyncBulkStore),
		nvvm.BulkWait: func(e *emitter, o ir.Op) error {
			n, _ := o.IntAttr(nvvm.AttrCount)
			if n < 0 {
				return o.Errorf("cannot leave %d groups pending", n)
			}
			var list []ptx.Mod
			if o.HasUnitAttr(nvvm.AttrRead) {
				list = mods(ptx.Read)
			}
			return e.guarded(o, sm.CpAsyncBulkStore, ptx.OpCpAsyncBulkWaitGroup, list, ptx.Int(n))
		},
	})
}

// fence is the rule of a fence that a target may lack.
func fence(needs sm.Feature, op ptx.Op, list ...ptx.Mod) rule {
	return func(e *emitter, o ir.Op) error { return e.guarded(o, needs, op, list) }
}

// guarded writes an instruction that needs a feature, under the predicate of its operation if that has one.
func (e *emitter) guarded(o ir.Op, needs sm.Feature, op ptx.Op, mods []ptx.Mod, args ...ptx.Operand) error {
	if err := e.need(o, needs); err != nil {
		return err
	}
	pred := e.predicate(o)
	i := e.body.Ins(op, mods...).Args(args...)
	if pred != 0 {
		i.If(pred)
	}
	return nil
}

func (e *emitter) mbarrierInit(o ir.Op) error {
	n, _ := o.IntAttr(nvvm.AttrCount)
	return e.guarded(o, sm.Mbarrier, ptx.OpMbarrierInit, mods(ptx.Shared, ptx.B64), e.address(o.Operand(0), 0), ptx.Int(n))
}

func (e *emitter) mbarrierInval(o ir.Op) error {
	return e.guarded(o, sm.Mbarrier, ptx.OpMbarrierInval, mods(ptx.Shared, ptx.B64), e.address(o.Operand(0), 0))
}

// mbarrierArrive names a register for the state that nobody reads: the sink came with the targets that expect bytes.
func (e *emitter) mbarrierArrive(o ir.Op) error {
	state, at := ptx.R(e.tmp(&i64Kind)), e.address(o.Operand(0), 0)
	if n, ok := o.IntAttr(nvvm.AttrSize); ok {
		return e.guarded(o, sm.MbarrierExpectTx, ptx.OpMbarrierArrive, mods(ptx.ExpectTx, ptx.Shared, ptx.B64), state, at, ptx.Int(n))
	}
	return e.guarded(o, sm.Mbarrier, ptx.OpMbarrierArrive, mods(ptx.Shared, ptx.B64), state, at)
}

// mbarrierArriveRemote arrives in shared::cluster, which has no state to return.
func (e *emitter) mbarrierArriveRemote(o ir.Op) error {
	if err := e.need(o, sm.Clusters); err != nil {
		return err
	}
	at := e.tmp(&i32Kind)
	e.emitIf(e.predicate(o), ptx.OpMapa, mods(ptx.SharedCluster, ptx.U32), ptx.R(at), ptx.R(e.reg(o.Operand(0))), e.use(o.Operand(1)))
	how, needs := mods(ptx.SharedCluster, ptx.B64), sm.MbarrierCluster
	switch {
	case o.HasUnitAttr(nvvm.AttrRelaxed):
		how, needs = mods(ptx.Relaxed, ptx.ClusterScope, ptx.SharedCluster, ptx.B64), sm.MbarrierRelaxed
	case o.HasUnitAttr(nvvm.AttrCluster):
		how = mods(ptx.Release, ptx.ClusterScope, ptx.SharedCluster, ptx.B64)
	}
	return e.guarded(o, needs, ptx.OpMbarrierArrive, how, ptx.Sink(), ptx.At(at, 0))
}

func (e *emitter) mapShared(o ir.Op) error {
	return e.guarded(o, sm.Clusters, ptx.OpMapa, mods(ptx.SharedCluster, ptx.U32), ptx.R(e.def(o.Result(0))), ptx.R(e.reg(o.Operand(0))), e.use(o.Operand(1)))
}

// clusterBarrier is not .aligned: after a wait, in which each lane has tried as often as it had to, the lanes of a
// warp need not be converged.
func (e *emitter) clusterBarrier(o ir.Op) error {
	if err := e.guarded(o, sm.Clusters, ptx.OpBarrierClusterArrive, mods(ptx.Release)); err != nil {
		return err
	}
	return e.guarded(o, sm.Clusters, ptx.OpBarrierClusterWait, mods(ptx.Acquire))
}

// mbarrierWait tries until it succeeds: try_wait gives up after a time, and test_wait, which older targets have, at
// once.
//
//	$again:  mbarrier.try_wait.parity.shared.b64  %p1, [%r1], %r2;
//	         @!%p1 bra  $again;
//
// The time is the system's. With one of its own (CUTLASS has 10 ms), ptxas takes a loop around the wait for divergent, and
// the addresses and descriptors in it are no uniform registers: a persistent attention issues in 1,614 cycles instead of
// 1,412 (ptxas 13.5, sm_90).
//
// It waits for the parity of the phase, not for the state that an arrival returns. So one thread may arrive and
// others wait, with a bit that a loop can compute. That the loop ends is checked at level tileas, by execution.
func (e *emitter) mbarrierWait(o ir.Op) error {
	over := e.tmp(&predKind)
	op, needs := ptx.OpMbarrierTestWait, sm.MbarrierParity
	operands := []ptx.Operand{ptx.R(over), e.address(o.Operand(0), 0), e.use(o.Operand(1))}
	if e.features.arch.Has(sm.MbarrierTryWait) {
		op, needs = ptx.OpMbarrierTryWait, sm.MbarrierTryWait
	}
	how := mods(ptx.Parity, ptx.Shared, ptx.B64)
	var err error
	switch {
	case o.HasUnitAttr(nvvm.AttrRelaxed):
		how, err = mods(ptx.Parity, ptx.Relaxed, ptx.ClusterScope, ptx.Shared, ptx.B64), e.need(o, sm.MbarrierRelaxed)
	case o.HasUnitAttr(nvvm.AttrCluster):
		how, err = mods(ptx.Parity, ptx.Acquire, ptx.ClusterScope, ptx.Shared, ptx.B64), e.need(o, sm.MbarrierCluster)
	}
	if err != nil {
		return err
	}
	again := e.body.NewLabel()
	e.body.Place(again)
	if err := e.guarded(o, needs, op, how, operands...); err != nil {
		return err
	}
	e.body.Bra(again).Unless(over)
	return nil
}

// ownSpelling reports whether a copy to the CTA's own shared memory says so (shared::cta), which came later than
// its first spelling (shared::cluster).
//
// It does where that needs no newer version of PTX and CTAs do not form pairs: on sm_120 and 121. For
// shared::cluster, ptxas 13.5 tests there whether each address is the CTA's own, and calls a function if not.
// That takes 70 registers and a store to the stack for each copy, up to twice the instructions other than MMAs
// (docs/measurements/codegen.md).
func (e *emitter) ownSpelling(first, own sm.Feature) bool {
	arch := e.features.arch
	_, was, _ := arch.Requirement(first)
	_, is, ok := arch.Requirement(own)
	return ok && is == was && !arch.Has(sm.TMALoadCTAGroup2)
}

func (e *emitter) bulkLoad(o ir.Op) error {
	n, _ := o.IntAttr(nvvm.AttrSize)
	needs, space := sm.CpAsyncBulk, ptx.SharedCluster
	if e.ownSpelling(sm.CpAsyncBulk, sm.CpAsyncBulkCTA) {
		needs, space = sm.CpAsyncBulkCTA, ptx.SharedCTA
	}
	return e.guarded(o, needs, ptx.OpCpAsyncBulk, mods(space, ptx.Global, ptx.CompleteTxBytes),
		e.address(o.Operand(0), 0), e.address(o.Operand(1), 0), ptx.Int(n), e.address(o.Operand(2), 0))
}

func (e *emitter) bulkStore(o ir.Op) error {
	n, _ := o.IntAttr(nvvm.AttrSize)
	return e.guarded(o, sm.CpAsyncBulkStore, ptx.OpCpAsyncBulk, mods(ptx.Global, ptx.SharedCTA, ptx.BulkGroup),
		e.address(o.Operand(0), 0), e.address(o.Operand(1), 0), ptx.Int(n))
}
