package multicastcopies

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/tileasprop"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/passes/tileas/analysis/uniform"
	"github.com/tilewright/tilewright/target/sm"
)

var numCopies = passes.NewStatistic("copies", "TMA loads that became multicast loads")

// Pass is tileas-multicast-copies.
var Pass = passes.Register(&passes.Pass{
	Name:    "tileas-multicast-copies",
	Summary: "use TMA multicast for tiles shared by a cluster",
	Doc: "Converts a TMA load whose coordinates are equal in all CTAs of a cluster to a multicast load. Each CTA loads one slice for all. " +
		"It is for warp-specialized kernels: mbarriers signal when the stage is free in every CTA.",
	Requires: []*passes.Property{property.TileAS, tileasprop.LayoutsAssigned},
	Destroys: []*passes.Property{tileasprop.SharedAllocated, tileasprop.Synchronised},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "tileas-specialize-warps", Reason: "the mbarriers of its pipes signal when stages are free"},
		{Pass: "tileas-pipeline-loops", Reason: "it creates the prefetched copies"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-allocate-shared", Reason: "live ranges must include the remote copies into a buffer"},
		{Pass: "tileas-insert-barriers", Reason: "a cluster barrier is a CTA barrier too"},
	},
	Statistics: []*passes.Statistic{numCopies},
	Run:        passes.OnArch(run),
})

func run(r *passes.Run, arch *sm.Arch) error {
	ctas := contract.CTAsOf(r.Op)
	// Without the spelling of the target that asynchronous MMAs need, such as sm_90a, ptxas warns of "substantially reduced
	// performance" of multicast.
	fast := func(op ir.Op) bool { return op.Is(tileas.DotAsync) || op.Is(tileas.TMEMDot) }
	if ctas < 2 || !arch.Has(sm.TMALoadMulticast) || !r.Op.Contains(fast) {
		return nil
	}
	loads := r.Op.Collect(func(op ir.Op) bool { return op.Is(tileas.TMALoad) && !op.HasUnitAttr(tileas.AttrMulticast) })
	k := &kernel{fn: r.Op, ctas: ctas, uniform: uniform.Of(r.Op), barriers: make(map[ir.Op]*emptyBarriers)}
	for _, load := range loads {
		if why := k.choose(load); why != "" {
			remark.NotMulticast.At(r, load.Loc(), "no TMA multicast: %s", why).Arg(remark.ReasonKey, why).Report()
			continue
		}
		remark.Multicast.At(r, load.Loc(), "TMA multicast: one load for %d CTAs", ctas).Report()
	}
	if len(k.loads) > 0 {
		k.rewrite()
	}
	r.Add(numCopies, len(k.loads))
	return nil
}
