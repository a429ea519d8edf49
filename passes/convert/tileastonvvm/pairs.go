package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Products of two CTAs. The odd one's thread arrives at an mbarrier of the even one, whose thread waits for that and starts the instructions for both: descriptors and columns are the same in both, whose shared and tensor memory is
// laid out alike. What the arriving thread has seen of its own CTA, by barriers and by waits for copies, the other one sees behind its wait, since arrival and wait are of the cluster.

// ofGroup adds to the attributes of an instruction of tcgen05 that it is of two CTAs.
func (l *lowering) ofGroup(op ir.Op, attrs ...ir.NamedAttr) []ir.NamedAttr {
	if op.HasUnitAttr(tile.AttrTwoCTAs) {
		attrs = append(attrs, ir.NamedAttr{Name: nvvm.AttrTwoCTAs, Value: l.ctx.Unit()})
	}
	return attrs
}

// together makes code that starts a product: at once for one CTA; for two the even one does, when the odd one has come.
func (l *lowering) together(op ir.Op, issue func() error) error {
	if !op.HasUnitAttr(tile.AttrTwoCTAs) {
		return issue()
	}
	ready, phase := l.pointer(op.OperandNamed(tileas.FieldReady)), l.Value(op.OperandNamed(tileas.FieldPhase))
	rank, zero := l.rank(), l.const32(0)
	one := l.const32(1)
	odd := l.create(arith.AndI, l.i32(), rank, one)
	if err := l.onlyIf(l.compare("ne", odd, zero), func() error {
		l.Create(nvvm.Tcgen05FenceBefore, nil, nil)
		l.Create(nvvm.MbarrierArriveRemote, []ir.Value{ready, l.create(arith.XOrI, l.i32(), rank, one)}, nil)
		return nil
	}); err != nil {
		return err
	}
	return l.onlyIf(l.compare("eq", odd, zero), func() error {
		l.Create(nvvm.MbarrierWait, []ir.Value{ready, phase}, nil, ir.NamedAttr{Name: nvvm.AttrCluster, Value: l.ctx.Unit()})
		l.Create(nvvm.Tcgen05FenceAfter, nil, nil)
		return issue()
	})
}

// told returns the operands of a commit: the mbarrier, and of two CTAs both, of which the first has the number of the one that starts products.
func (l *lowering) told(op ir.Op, mbarrier ir.Value) []ir.Value {
	if !op.HasUnitAttr(tile.AttrTwoCTAs) {
		return []ir.Value{mbarrier}
	}
	both := l.create(arith.ShLI, l.i32(), l.const32(3), l.rank())
	return []ir.Value{mbarrier, l.create(arith.TruncI, l.ctx.Int(16), both)}
}
