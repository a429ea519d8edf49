package plancopies

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/tileas/copies"
	"github.com/tilewright/tilewright/target/sm"
)

// store writes on a store of a result of matrix products how it travels, and reports whether it did.
func (p *planner) store(r *passes.Run, op ir.Op) bool {
	if !p.tensors {
		return false
	}
	var s *copies.Store
	var why string
	what := "store"
	if op.Is(tileas.Level.TiledAtomic) {
		what = "update"
		s, why = p.worthReduction(copies.PlanReduction(op, p.ranges))
	} else {
		s, why = p.worthStore(copies.PlanStore(op, p.arch.Has(sm.StMatrix), p.ranges))
	}
	switch {
	case s != nil:
		op.SetAttr(tileas.AttrTravel, r.IR().String(tileas.TravelTMA))
		r.Add(numStores, 1)
		stored(r, s, what)
	case why != "":
		op.SetAttr(tileas.AttrRefused, r.IR().String("tma: "+why))
		op.SetAttr(tileas.AttrTravel, r.IR().String(tileas.TravelRegisters))
		refusedStore(r, op, what, why)
	default:
		return false
	}
	return true
}

// worthStore gives up a copy for products that threads compute, whose fragments fill their registers (block_scaled_matmul_mxf8 spilled 8 bytes on sm_100), and one whose buffer would take the room of others.
//
// In front of the store the tile passes shared memory too, but a conversion of layouts that finds no room goes in pieces (tileas-materialize-convert-layout), and the copy does not. A loop around the store holds
// the buffers of loads at the same time.
func (p *planner) worthStore(s *copies.Store, why string) (*copies.Store, string) {
	if s == nil {
		return nil, why
	}
	if !s.Async && !p.synchronous {
		return nil, "threads compute the product, and store its result with the registers that they have"
	}
	return p.roomForStore(s)
}

// roomForStore gives up a store whose map does not pay, that the memory does not hold, or that cannot be to what it is to.
func (p *planner) roomForStore(s *copies.Store) (*copies.Store, string) {
	room := p.all
	if ir.InLoop(s.Op) {
		room /= share
	}
	switch n := s.Buffer.Bytes(); {
	case p.device && !ir.InLoop(s.Op):
		return nil, "its map would be made for one tile, and costs a warp as much as the copy saves"
	case p.local:
		return nil, "the kernel has an alloca, so that its destination may be in shared memory"
	case n > room:
		return nil, fmt.Sprintf("its buffer of %d bytes is more than %d that there are for it", n, room)
	}
	return s, ""
}

// worthReduction gives up a reduction where threads have few elements to update: each takes them an address, a test of bounds and an instruction, and the way through shared memory two barriers.
func (p *planner) worthReduction(s *copies.Store, why string) (*copies.Store, string) {
	if s == nil {
		return nil, why
	}
	l, ok := tileas.LayoutOf(s.Value.Type())
	if !ok {
		return nil, "the tile has no layout"
	}
	const each, barriers = 4, 4 // instructions, as package cost has them
	if by, with := each*l.Size(linear.Register), s.Cost.Instructions+len(s.Boxes.Places)+barriers; by <= with && !p.anything {
		return nil, fmt.Sprintf("threads update their elements in %d instructions, a reduction takes %d", by, with)
	}
	return p.roomForStore(s)
}
