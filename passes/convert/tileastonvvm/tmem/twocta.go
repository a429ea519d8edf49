package tmem

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// MMAs of two CTAs (cta_group::2), which the even CTA issues for both. Descriptors and columns are the same in both,
// since shared and tensor memory of the two is laid out alike.
//
// An MMA warp of the even CTA knows when the operands of both are there. Elsewhere both CTAs come to the MMA: the elected
// thread of the odd CTA arrives at an mbarrier of the even one, whose elected thread waits for that.
// Arrival and wait have the scope of the cluster. So after the wait, the issuing thread sees what the arriving
// one has seen of its CTA, by barriers and waits for copies.

// ofPair adds to the attributes of a tcgen05 instruction that it is of two CTAs.
func ofPair(l *core.Lowering, op ir.Op, attrs ...ir.NamedAttr) []ir.NamedAttr {
	if op.HasUnitAttr(tile.AttrTwoCTAs) {
		attrs = append(attrs, ir.NamedAttr{Name: nvvm.AttrTwoCTAs, Value: l.Ctx.Unit()})
	}
	return attrs
}

// issueForBoth writes code that issues an MMA. If both CTAs come to it, the even one does when the odd one has arrived.
func issueForBoth(l *core.Lowering, op ir.Op, issue func() error) error {
	if op.OperandNamed(tileas.FieldReady).IsNil() {
		return issue()
	}
	ready, phase := l.Pointer(op.OperandNamed(tileas.FieldReady)), l.Value(op.OperandNamed(tileas.FieldPhase))
	rank, zero := l.CTARank(), l.Const32(0)
	one := l.Const32(1)
	seen := ir.NamedAttr{Name: nvvm.AttrCluster, Value: l.Ctx.Unit()}
	odd := l.Make(arith.AndI, l.I32(), rank, one)
	if err := l.OnlyIf(l.Compare("ne", odd, zero), func() error {
		l.Create(nvvm.Tcgen05FenceBefore, nil, nil)
		l.Create(nvvm.MbarrierArriveRemote, []ir.Value{ready, l.Make(arith.XOrI, l.I32(), rank, one)}, nil, seen)
		return nil
	}); err != nil {
		return err
	}
	return l.OnlyIf(l.Compare("eq", odd, zero), func() error {
		l.Create(nvvm.MbarrierWait, []ir.Value{ready, phase}, nil, seen)
		l.Create(nvvm.Tcgen05FenceAfter, nil, nil)
		return issue()
	})
}

// signaled returns the operands of a commit: the mbarrier, and for several CTAs the mask of these.
func signaled(l *core.Lowering, op ir.Op, mbarrier ir.Value) []ir.Value {
	switch {
	case op.HasUnitAttr(tile.AttrTwoCTAs):
		both := l.Make(arith.ShLI, l.I32(), l.Const32(3), l.CTARank())
		return []ir.Value{mbarrier, l.Make(arith.TruncI, l.Ctx.Int(16), both)}
	case op.HasUnitAttr(tileas.AttrCluster):
		return []ir.Value{mbarrier, l.Const(l.Ctx.IntAttr(l.Ctx.Int(16), 1<<contract.CTAsOf(l.Source)-1))}
	}
	return []ir.Value{mbarrier}
}
