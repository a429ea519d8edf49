package usetensormemory

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Products of two CTAs (tileas-pair-products) the even one starts, when the odd one has come as far: it says so at an mbarrier of the even one, product n at mbarrier n mod slots as those that tell when products are done. The odd one
// arrives there for product n + slots only when it has seen product n done, so that no phase gets the arrival of another one.

// paired reports whether two CTAs do the products of the kernel together.
func (x *rewriter) paired() bool {
	for _, op := range x.products {
		if op.HasUnitAttr(tile.AttrTwoCTAs) {
			return true
		}
	}
	return false
}

// others makes those mbarriers. The CTAs come together in front of all that may reach another's, and where they end, since the product of one still reads the other's memory, and tells its mbarriers, until both have seen it done.
func (x *rewriter) others() {
	x.ready = x.mbarriers()
	x.front.Create(tileas.ClusterBarrier, nil, nil)
	x.fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.Level.Return) {
			b := ir.BuilderBefore(op)
			b.Loc = op.Loc()
			b.Create(tileas.ClusterBarrier, nil, nil)
		}
		return ir.Advance
	})
}

// announced returns the mbarrier that tells of product n, and the parity of its phase.
func (x *rewriter) announced(b *ir.Builder, op ir.Op, n ir.Value) (ready, phase []ir.Value) {
	if !op.HasUnitAttr(tile.AttrTwoCTAs) {
		return nil, nil
	}
	return []ir.Value{x.slotOf(b, x.ready, n)}, []ir.Value{x.parity(b, n)}
}
