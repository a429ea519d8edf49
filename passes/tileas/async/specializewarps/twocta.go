package specializewarps

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/machine/price"
	"github.com/tilewright/tilewright/target/sm"
)

// Two-CTA MMAs are issued by the MMA warp of the even CTA of a pair (PTX ISA, tcgen05, .cta_group::2; CUTLASS's
// PipelineTmaUmmaAsync for two SMs):
//
//	role "load"       acquires a stage of its own CTA, and loads its operands there. The even CTA counts the bytes of both.
//	role "product"    in the even CTA alone waits for these, and issues. Both CTAs hear when an MMA is done.
//	role "compute"    waits for the accumulator in its own CTA, and releases it to the even CTA.
//
// The pipes are of two CTAs. Roles are as for one CTA otherwise.

// inEvenCTA lets what f creates execute in the even CTA only.
func (w *writer) inEvenCTA(f func()) {
	i32 := w.b.Context().Int(32)
	rank := w.b.Create(tileas.Level.CTARank, nil, []ir.Type{i32}).Result(0)
	odd := w.b.Create(arith.AndI, []ir.Value{rank, arith.NewInt(w.b, i32, 1)}, []ir.Type{i32}).Result(0)
	w.when(arith.NewCmpI(w.b, "eq", odd, arith.NewInt(w.b, i32, 0)), w.fn, f)
}

// Without an MMA warp, a two-CTA MMA starts when the leading CTA knows that the other one's stage is filled. The other CTA says so when it
// has seen an earlier MMA complete. That takes a commit to another SM, a wait, an arrival at another SM, and a wait.
// The tensor cores need work during that time, so more than one MMA stays in flight.

// pairMessages is how long that takes, in cycles. It is twice a load from another SM's shared memory on sm_90 (180
// cycles, Luo et al., arXiv 2402.13499), and some for the two waits. It is not measured on sm_100.
const pairMessages = 450

// keepPairsInFlight lets as many two-CTA MMAs stay in flight across iterations as hide that time.
func (p *plan) keepPairsInFlight() {
	inFlight, most := int64(1), int64(mostStages-2)
	for _, r := range ir.Filter(p.pipes, func(r *pipe) bool { return r.lag > 0 }) {
		for _, g := range r.groups {
			d := p.deferrals[g.block]
			cycles := pairCycles(g.block, p.model)
			if d == 0 || cycles == 0 {
				return
			}
			inFlight = max(inFlight, (pairMessages+cycles-1)/cycles)
			most = min(most, int64(tileas.MostMMAsPending/d))
		}
	}
	p.setLag(max(1, min(inFlight, most)))
}

// setLag changes how many iterations later the stages are released that MMAs in flight read.
func (p *plan) setLag(n int64) {
	for _, r := range p.pipes {
		if r.lag > 0 {
			r.lag = n
		}
	}
}

// pairCycles returns how long the two-CTA MMAs of a block keep the tensor cores busy; 0 if an MMA is not a two-CTA
// one.
func pairCycles(b ir.Block, model *price.Model) (n int64) {
	for _, op := range b.Collect(tileas.DotAsync.Is) {
		if !op.HasUnitAttr(tile.AttrTwoCTAs) {
			return 0
		}
		n += int64(model.Of(op).Busy[sm.UnitTensor])
	}
	return n
}
