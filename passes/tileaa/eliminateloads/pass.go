package eliminateloads

import (
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/alias"
	"github.com/tilewright/tilewright/passes/analysis/dominance"
	"github.com/tilewright/tilewright/passes/property"
)

var (
	numLoads     = passes.NewStatistic("num-loads", "loads that became the value of an earlier load")
	numUnused    = passes.NewStatistic("num-unused", "loads of which nobody uses the value")
	numForwarded = passes.NewStatistic("num-forwarded", "loads that became the value of an earlier store")
)

// Pass is tileaa-eliminate-loads.
var Pass = passes.Register(&passes.Pass{
	Name:    "tileaa-eliminate-loads",
	Summary: "replace loads by the value of an earlier load or store",
	Doc: `Replaces a weak load by the value of an earlier weak load or store of the same place, when nothing in between may have written there. A stored value is
forwarded along token order only. Erases weak loads whose value nobody uses.`,
	Requires: []*passes.Property{property.TileAA},
	Destroys: []*passes.Property{property.Canonical}, // what computed the addresses may be dead
	Steps:    []passes.Step{{MinOpt: 1}},
	After: []passes.Edge{
		{Pass: "tileaa-attach-objects", Reason: "a write to another object leaves what is known alone"},
		{Pass: "canonicalize", Reason: "folded offsets prove more accesses disjoint"},
		{Pass: "cse", Reason: "the same place is the same values only then"},
	},
	Before: []passes.Edge{
		{Pass: "convert-tileaa-to-tileas", Reason: "loads get a layout there"},
		{Pass: "tileaa-eliminate-dead-stores", Reason: "a store whose value was forwarded may have no reader left"},
		{Pass: "tileaa-prune-tokens", Reason: "a load that is gone needs no order"},
		{Pass: "licm#tileaa", Reason: "a load that is gone needs no moving"},
	},
	Statistics: []*passes.Statistic{numLoads, numForwarded, numUnused},
	Uses:       []*passes.Analysis{alias.Analysis.Analysis},
	Preserves:  []*passes.Analysis{dominance.Analysis.Analysis},
	Run:        run,
})

func run(r *passes.Run) error {
	aliases := alias.Analysis.Get(r)
	e := &eliminator{aliases: aliases, kernel: r.Op, may: r.May}
	e.block(r.Op.Body(), nil)
	r.Add(numLoads, e.loads)
	r.Add(numForwarded, e.forwarded)
	r.Add(numUnused, e.unused)
	return nil
}

// noToken makes a token that comes after nothing.
func (e *eliminator) noToken() ir.Value {
	if e.none.IsNil() {
		e.none = ir.BuilderAtStart(e.kernel.Body()).Create(tileaa.Level.MakeToken, nil, []ir.Type{tileaa.Level.Token(e.kernel.Context())}).Result(0)
	}
	return e.none
}
