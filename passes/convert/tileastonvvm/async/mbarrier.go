package async

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
	"github.com/tilewright/tilewright/target/sm"
)

type lanePerCTA struct{}

// arriveEverywhere arrives at the mbarrier of the same offset in all CTAs of the cluster. Lane i arrives at that of
// CTA i, so it costs a warp what one arrival costs.
//
// Most arrivals release a stage for multicast copies. The MMAs or loads that read it are complete before them, and the
// waiting thread reads nothing that these threads wrote. So they need no order in the scope of the cluster
// (nvvm.AttrCluster). CUTLASS's ClusterBarrier::arrive and tileiras 13.5 leave it out too.
func arriveEverywhere(l *core.Lowering, op ir.Op, at ir.Value, n int64, attrs ...ir.NamedAttr) error {
	ctas := int64(contract.CTAsOf(l.Source))
	i1, lane := l.Ctx.Int(1), l.Lane()
	if n == 1 || n == int64(l.Warps) {
		count := l.Const32(ctas)
		acts := l.Once(lanePerCTA{}, func(b *ir.Builder) ir.Value { return arith.NewCmpI(b, "ult", lane, count) })
		if n == 1 {
			acts = l.Make(arith.AndI, i1, acts, l.Compare("eq", l.UniformWarp(), l.Const32(0)))
		}
		l.Create(nvvm.MbarrierArriveRemote, []ir.Value{at, lane, acts}, nil, attrs...)
		return nil
	}
	if n != int64(sm.WarpSize*l.Warps) {
		return op.Errorf("makes %d arrivals, which no set of threads does: one thread makes 1, one of each warp make %d, and all of them make %d", n, l.Warps, sm.WarpSize*l.Warps)
	}
	for i := range ctas {
		l.Create(nvvm.MbarrierArriveRemote, []ir.Value{at, l.Const32(i)}, nil, attrs...)
	}
	return nil
}

// lanesMeet makes the lanes of a warp meet before one of them arrives for all. At the wait for a wgmma they have.
func lanesMeet(l *core.Lowering, op ir.Op) {
	if before := op.Prev(); before.IsNil() || !before.Is(tileas.DotWait) {
		l.LanesMeet()
	}
}

// clusterBarrier makes a barrier of all threads of the cluster, or of the warps of a role in all CTAs. Accesses to memory
// before it are visible after it.
func clusterBarrier(l *core.Lowering, op ir.Op) error {
	if op.NumOperands() == 0 {
		return l.ClusterBarrier(op)
	}
	seen := ir.NamedAttr{Name: nvvm.AttrCluster, Value: l.Ctx.Unit()}
	at := l.Pointer(op.Operand(0))
	return l.FencedBy(func() error {
		l.LanesMeet() // one lane arrives for what all have stored
		if err := arriveEverywhere(l, op, at, int64(l.Warps), seen); err != nil {
			return err
		}
		l.Create(nvvm.MbarrierWait, []ir.Value{at, l.Value(op.Operand(1))}, nil, seen)
		return nil
	})
}

// acts makes an operation that only the first thread does.
func acts(l *core.Lowering, def *ir.OpDef, operands []ir.Value, attrs ...ir.NamedAttr) error {
	first, err := l.Elected()
	if err != nil {
		return err
	}
	l.Create(def, append(operands, core.Predicate(first)...), nil, attrs...)
	return nil
}

// mbarrierInit makes the object visible to copies, by a fence. The barrier after it makes it visible to threads.
func mbarrierInit(l *core.Lowering, op ir.Op) error {
	n, _ := op.IntAttr(tileas.AttrArrivals)
	if err := acts(l, nvvm.MbarrierInit, []ir.Value{l.Pointer(op.Operand(0))}, l.Attr32(nvvm.AttrCount, n)); err != nil {
		return err
	}
	if l.Arch.Has(sm.FenceMbarrierInit) { // targets without it have no copies that report to an mbarrier by bytes
		l.Create(nvvm.FenceMbarrierInit, nil, nil)
	}
	return nil
}

func mbarrierInval(l *core.Lowering, op ir.Op) error {
	return acts(l, nvvm.MbarrierInval, []ir.Value{l.Pointer(op.Operand(0))})
}

func mbarrierExpect(l *core.Lowering, op ir.Op) error {
	n, _ := op.IntAttr(tileas.AttrBytes)
	first, err := firstIf(l, op)
	if err != nil {
		return err
	}
	if op.HasUnitAttr(tile.AttrTwoCTAs) {
		first = l.And(first, l.IsEvenCTA())
	}
	// All lanes of the warp that loads have waited for the slot. One that is behind must not see the next phase of that
	// mbarrier end, which this arrival leads to.
	if _, in := tileas.RoleOf(op); in {
		l.LanesMeet()
	}
	l.Create(nvvm.MbarrierArrive, append([]ir.Value{l.Pointer(op.Operand(0))}, core.Predicate(first)...), nil, l.Attr32(nvvm.AttrSize, n))
	return nil
}

func mbarrierArrive(l *core.Lowering, op ir.Op) error {
	n, _ := op.IntAttr(tileas.AttrArrivals)
	address := l.Mbarrier
	cluster, pair := op.HasUnitAttr(tileas.AttrCluster), op.HasUnitAttr(tile.AttrTwoCTAs)
	if cluster || pair {
		address = l.Pointer
	}
	at := []ir.Value{address(op.Operand(0))}
	if op.HasUnitAttr(tileas.AttrCopies) {
		if all := int64(sm.WarpSize * l.Warps); n != all {
			return op.Errorf("makes %d arrivals for copies of %d threads", n, all)
		}
		l.Create(nvvm.CpAsyncArrive, at, nil)
		return nil
	}
	if op.HasUnitAttr(tileas.AttrTMEM) { // by each thread, before its warp meets and one lane arrives
		l.Create(nvvm.Tcgen05FenceBefore, nil, nil)
	}
	if cluster {
		if n > 1 && n == int64(l.Warps) {
			lanesMeet(l, op)
		}
		return arriveEverywhere(l, op, at[0], n)
	}
	arrives, attrs := nvvm.MbarrierArrive, relaxed(l, op)
	if pair {
		arrives, at = nvvm.MbarrierArriveRemote, append(at, l.EvenCTA())
	}
	switch n {
	case 1:
		return acts(l, arrives, at, attrs...)
	case int64(l.Warps): // one of each warp, after its lanes have met
		lanesMeet(l, op)
		l.Create(arrives, append(at, core.Predicate(l.OneLane())...), nil, attrs...)
		return nil
	case int64(sm.WarpSize * l.Warps):
		l.Create(arrives, at, nil, attrs...)
		return nil
	default:
		return op.Errorf("makes %d arrivals, which no set of threads does: one thread makes 1, one of each warp make %d, and all of them make %d", n, l.Warps, sm.WarpSize*l.Warps)
	}
}

// relaxed returns the attribute of an arrival of the threads of two CTAs, and of the wait for it. They release an
// accumulator, whose loads are complete, and fences of tcgen05 stand on both sides.
func relaxed(l *core.Lowering, op ir.Op) []ir.NamedAttr {
	if !op.HasUnitAttr(tile.AttrTwoCTAs) {
		return nil
	}
	return []ir.NamedAttr{{Name: nvvm.AttrRelaxed, Value: l.Ctx.Unit()}}
}

func mbarrierWait(l *core.Lowering, op ir.Op) error {
	l.Create(nvvm.MbarrierWait, []ir.Value{l.Mbarrier(op.Operand(0)), l.Value(op.Operand(1))}, nil, relaxed(l, op)...)
	if op.HasUnitAttr(tileas.AttrTMEM) {
		l.Create(nvvm.Tcgen05FenceAfter, nil, nil)
	}
	return nil
}
