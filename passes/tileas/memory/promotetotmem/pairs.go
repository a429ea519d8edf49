package promotetotmem

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Without an MMA warp, threads of both CTAs come to a two-CTA MMA (tileas-form-two-cta-mma). The even CTA starts it, after
// the odd CTA has signaled that it is ready.
// For MMA n, the odd CTA arrives at mbarrier n mod stages of the even one. It arrives for MMA n + stages only
// after MMA n has completed, so no phase gets the arrival of another one.

// others creates those mbarriers. The CTAs synchronize at the start, before any access to the other's memory, and
// at the end. Until both have seen the last MMA complete, it may still read the other's memory and signal its
// mbarriers.
func (x *rewriter) others() {
	x.ready = x.mbarriers()
	x.front.Create(tileas.ClusterBarrier, nil, nil)
	for _, op := range x.fn.Collect(tileas.Level.Return.Is) {
		ir.BuilderBefore(op).WithLoc(op.Loc()).Create(tileas.ClusterBarrier, nil, nil)
	}
}
