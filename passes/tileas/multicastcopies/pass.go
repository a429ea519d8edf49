package multicastcopies

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/passes/tileas/sameness"
	"github.com/tilewright/tilewright/target/sm"
)

var numCopies = passes.NewStatistic("copies", "copies that became multicast copies")

// Pass is tileas-multicast-copies.
var Pass = passes.Register(&passes.Pass{
	Name:    "tileas-multicast-copies",
	Title:   "TileASMulticastCopies",
	Summary: "load what all CTAs of a cluster need once for all of them",
	Doc: "Makes bulk tensor copies multicast copies whose coordinates are the same in all CTAs that share a tile block. Each CTA brings a part; mbarriers, or barriers of the cluster, say when the memory of all of them is " +
		"free.",
	On:       "nv_tileas.func",
	Requires: []*passes.Property{property.TileAS, property.LayoutsAssigned},
	Destroys: []*passes.Property{property.SharedAllocated, property.Synchronised},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "tileas-specialize-warps", Reason: "mbarriers of its rings say when slots are free"},
		{Pass: "tileas-pipeline-loops", Reason: "it makes the copies that run ahead"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-allocate-shared", Reason: "which memory is in use follows from where copies may arrive"},
		{Pass: "tileas-insert-barriers", Reason: "a barrier of the cluster is one of the tile block too"},
	},
	Statistics: []*passes.Statistic{numCopies},
	Run:        run,
})

// fast reports whether multicast has its full speed on a target: of those without products that run beside the threads (sm_120, 121) ptxas says that they have "substantially reduced performance".
func fast(arch *sm.Arch) bool { return arch.Has(sm.WgmmaSync) || arch.Has(sm.Tcgen05Commit) }

func run(r *passes.Run) error {
	ctas := contract.CTAsOf(r.Op)
	var loads []ir.Op
	if ctas > 1 {
		r.Op.Walk(func(op ir.Op) ir.WalkResult {
			if op.Is(tileas.TMALoad) && !op.HasUnitAttr(tileas.AttrMulticast) {
				loads = append(loads, op)
			}
			return ir.Advance
		})
	}
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	if len(loads) == 0 || !arch.Has(sm.TMALoadMulticast) || !fast(arch) {
		r.MarkUnchanged()
		return nil
	}
	k := &kernel{fn: r.Op, ctas: ctas, same: sameness.Of(r.Op), rings: make(map[ir.Op]*ring)}
	chosen := 0
	for _, load := range loads {
		if why := k.add(load); why != "" {
			remark.NotMulticast.At(r, load.Loc(), "each CTA loads the tile for itself: %s", why).Arg(remark.ReasonKey, why).Report()
			continue
		}
		remark.Multicast.At(r, load.Loc(), "the tile is loaded once for %d CTAs", ctas).Report()
		chosen++
	}
	if chosen == 0 {
		r.MarkUnchanged()
		return nil
	}
	k.write()
	r.Add(numCopies, chosen)
	return nil
}
