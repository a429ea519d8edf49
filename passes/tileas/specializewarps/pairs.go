package specializewarps

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/cost"
	"github.com/tilewright/tilewright/target/sm"
)

// A product of two CTAs starts when one has heard of the other that its slot is filled, which that says when it has seen an earlier product done: that takes a commit to another SM, a wait, an arrival at another SM and a wait, in
// which the tensor cores must have something to do. So more products stay under way than one.

// pairMessages is how long that takes, in cycles: twice what a load of another SM's shared memory takes on sm_90 (180, Luo et al., arXiv 2402.13499), and some for two waits. Nobody has measured it on sm_100.
const pairMessages = 450

// keepUnderWay lets as many products of two CTAs be under way when an iteration ends as hide that, of those that stay under way. It returns what takes it back, where shared memory has no room for their slots.
func (p *plan) keepUnderWay(model *cost.Model) (takeBack func()) {
	var rings []*ring
	ahead, most := int64(1), int64(mostSlots-2)
	for _, r := range p.rings {
		if r.behind == 0 || r.once {
			continue
		}
		for _, g := range r.groups {
			d := p.deferrals[g.block]
			cycles := pairCycles(g.block, model)
			if d == nil || cycles == 0 {
				return func() {}
			}
			ahead = max(ahead, (pairMessages+cycles-1)/cycles)
			most = min(most, int64(tileas.MostProductsPending/d.products))
		}
		rings = append(rings, r)
	}
	set := func(n int64) {
		for _, r := range rings {
			r.behind = n
		}
	}
	set(max(1, min(ahead, most)))
	return func() { set(1) }
}

// pairCycles returns how long the tensor cores are busy with the products of a block if they are of two CTAs; else 0.
func pairCycles(b ir.Block, model *cost.Model) (n int64) {
	for op := range b.Ops() {
		if !op.Is(tileas.DotAsync) {
			continue
		}
		if !op.HasUnitAttr(tile.AttrTwoCTAs) {
			return 0
		}
		n += int64(model.Of(op).Busy[sm.UnitTensor])
	}
	return n
}
