package core

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// Participants returns the attributes of a barrier of nvvm for some warps: its number and how many threads meet there.
// The barrier of all warps has none.
func (l *Lowering) Participants(op ir.Op) []ir.NamedAttr {
	id, named := op.IntAttr(tileas.AttrID)
	if !named {
		return nil
	}
	warps, _ := op.IntAttr(tileas.AttrParticipants)
	return []ir.NamedAttr{l.Attr32(nvvm.AttrID, id), l.Attr32(nvvm.AttrThreads, sm.WarpSize*warps)}
}

// Barrier makes a barrier. Where one warp meets, it is that of the lanes, of which ptxas mostly makes no instruction.
func (l *Lowering) Barrier(op ir.Op) error {
	warps, named := op.IntAttr(tileas.AttrParticipants)
	if !named {
		n, err := contract.NumWarpsOf(l.Source)
		if err != nil {
			return err
		}
		warps = int64(n)
	}
	if warps == 1 {
		return l.FencedBy(func() error {
			l.LanesMeet()
			return nil
		})
	}
	l.fenced(nvvm.Barrier, l.Participants(op)...)
	return nil
}

// LanesMeet makes the lanes of a warp meet, unless one of them is alone.
func (l *Lowering) LanesMeet() {
	if !l.Alone {
		l.Create(nvvm.WarpSync, nil, nil)
	}
}

// BarrierArrive comes to a named barrier, and goes on.
func (l *Lowering) BarrierArrive(op ir.Op) error {
	l.fenced(nvvm.BarrierArrive, l.Participants(op)...)
	return nil
}

// ClusterBarrier makes a barrier of the cluster, where the threads of a CTA wait for each other too.
func (l *Lowering) ClusterBarrier(ir.Op) error {
	l.fenced(nvvm.ClusterBarrier)
	return nil
}

func (l *Lowering) fenced(barrier *ir.OpDef, attrs ...ir.NamedAttr) {
	_ = l.FencedBy(func() error {
		l.Create(barrier, nil, nil, attrs...)
		return nil
	})
}

// FencedBy makes what threads meet at. Once the kernel has TMEM, fences are around it. Threads pass TMEM to each other at
// barriers, and only fences order operations on TMEM (PTX ISA, tcgen05 memory consistency model).
func (l *Lowering) FencedBy(meet func() error) error {
	if l.TMEM.IsNil() {
		return meet()
	}
	l.Create(nvvm.Tcgen05FenceBefore, nil, nil)
	err := meet()
	l.Create(nvvm.Tcgen05FenceAfter, nil, nil)
	return err
}
