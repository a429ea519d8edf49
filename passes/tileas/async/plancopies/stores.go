package plancopies

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/passes/tileas/analysis/transfers"
	"github.com/tilewright/tilewright/target/sm"
)

// store writes on the store of an MMA's result how it is transferred.
func (p *planner) store(r *passes.Run, op ir.Op) {
	if !p.tensors {
		return
	}
	what, worth := "store", p.worthStore
	if op.Is(tileas.Level.TiledAtomic) {
		what, worth = "update", p.worthReduction
	}
	s, why := transfers.PlanStore(op, p.arch.Has(sm.StMatrix), p.ranges)
	if s != nil {
		s, why = worth(s)
	}
	switch {
	case s != nil:
		op.SetAttr(tileas.AttrTransfer, r.IR().String(tileas.TransferTMA))
		r.Add(numStores, 1)
		selected(r, op, remark.StoreSelected, what, remark.TMAStore, s.Boxes)
	case why != "":
		op.SetAttr(tileas.AttrRejected, r.IR().String(beginTMA+why))
		op.SetAttr(tileas.AttrTransfer, r.IR().String(tileas.TransferRegisters))
		withoutTMA(r, op, remark.TmaStoreFailed, what, why)
	}
}

// worthStore gives up a TMA store for an MMA without tensor cores, whose fragments fill the registers of its threads:
// block_scaled_matmul_mxf8 spilled 8 bytes on sm_100. It also gives up a store whose buffer leaves no room for others.
//
// Without TMA the tile goes through shared memory too, since the store converts the layout. But a layout conversion
// that finds no room is split into subtiles (tileas-materialize-convert-layout), and a TMA store is not.
func (p *planner) worthStore(s *transfers.Store) (*transfers.Store, string) {
	if !s.Async && !p.opts.Synchronous {
		return nil, "the MMA runs without tensor cores, and its result is in registers"
	}
	return p.roomForStore(s)
}

// roomForStore gives up a store whose tensor map is not profitable, whose buffer does not fit, or whose destination
// may be in shared memory.
func (p *planner) roomForStore(s *transfers.Store) (*transfers.Store, string) {
	room := p.room(budget.ForCTA)
	// In a loop over tiles the stages of the next tile's loads are live at the same time.
	if ir.InLoop(s.Op) {
		room = p.room(budget.ForTiles)
	}
	switch n := s.Buffer.Bytes(); {
	case p.device && !ir.InLoop(s.Op):
		return nil, "a tensor map for one tile costs as much as the copy saves"
	case p.hasAlloca:
		return nil, "the kernel has an alloca: the destination may be in shared memory"
	case n > room:
		return nil, fmt.Sprintf("its buffer needs %d bytes, and %d are available", n, room)
	}
	return s, ""
}

// worthReduction gives up a TMA reduction of few elements. Each element costs a thread an address, a bounds test and
// an instruction. The way through shared memory costs two barriers.
func (p *planner) worthReduction(s *transfers.Store) (*transfers.Store, string) {
	l, _ := tileas.LayoutOf(s.Value.Type())
	const each, barriers = 4, 4 // instructions, as in package cost
	// Per thread: updates of all its elements, or its stores to shared memory, the copies and the barriers.
	if by, with := each*l.Size(linear.Register), s.Cost.Instructions+len(s.Boxes.Places)+barriers; by <= with && !p.opts.Anything {
		return nil, fmt.Sprintf("updates by threads take %d instructions, a TMA reduction takes %d", by, with)
	}
	return p.roomForStore(s)
}
