package prunetokens

import (
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/alias"
	"github.com/tilewright/tilewright/passes/analysis/dominance"
	"github.com/tilewright/tilewright/passes/analysis/integers"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
	"github.com/tilewright/tilewright/passes/property"
)

var (
	numEdges   = passes.NewStatistic("num-edges", "edges from tokens to accesses, before")
	numPruned  = passes.NewStatistic("num-pruned", "edges that are gone")
	numFreed   = passes.NewStatistic("num-freed", "accesses that are ordered after nothing any more")
	numGivenUp = passes.NewStatistic("num-given-up", "kernels with too many tokens to look at")
)

// Pass is tileaa-prune-tokens.
var Pass = passes.Register(&passes.Pass{
	Name:    "tileaa-prune-tokens",
	Summary: "remove token edges between accesses that do not conflict",
	Doc: `Removes token edges between weak accesses that both read, or that cannot touch the same memory. Each access stays ordered after all earlier
ones that it conflicts with, and around accesses that are stronger than weak nothing changes.`,
	Requires: []*passes.Property{property.TileAA},
	Destroys: []*passes.Property{property.Canonical}, // a load of which only the token was used may be dead
	Steps:    []passes.Step{{MinOpt: 1}},
	After: []passes.Edge{
		{Pass: "tileaa-attach-objects", Reason: "objects that the accesses name prove more of them disjoint"},
		{Pass: "canonicalize", Reason: "folded offsets prove more accesses disjoint"},
		{Pass: "cse", Reason: "equal offsets are one value only then"},
	},
	Before: []passes.Edge{
		{Pass: "convert-tileaa-to-tileas", Reason: "barriers below follow the tokens"},
		{Pass: "licm#tileaa", Reason: "a load after a token of its loop is not invariant"},
	},
	Statistics: []*passes.Statistic{numEdges, numPruned, numFreed, numGivenUp},
	Uses:       []*passes.Analysis{alias.Analysis.Analysis},
	Preserves:  []*passes.Analysis{alias.Analysis.Analysis, integers.Ranges.Analysis, integers.Divisibility.Analysis, dominance.Analysis.Analysis},
	Run:        run,
})

func run(r *passes.Run) error {
	aliases := alias.Analysis.Get(r)
	p := &pruner{aliases: aliases, graph: tokens.New(r.Op), plan: make(map[use][]ir.Value), full: make(map[ir.Op]bool), may: r.May, known: make(map[ir.Op][]ir.Value), steps: maxSteps}
	if !p.decide() {
		r.Add(numGivenUp, 1)
		return nil
	}
	r.Add(numEdges, p.edges)
	if !p.apply(r.Op) {
		return nil
	}
	r.Add(numPruned, p.pruned)
	r.Add(numFreed, p.freed)
	return nil
}

// apply gives the uses of tokens what was decided, and reports whether that changed anything.
func (p *pruner) apply(kernel ir.Op) bool {
	if len(p.plan) == 0 {
		return false
	}
	var none ir.Value
	for _, u := range p.planned {
		if !p.may("free-token", u.op) {
			break
		}
		kept := p.plan[u]
		// Break, not continue: later plans rely on earlier ones, as minimal counts on what tokens were decided to
		// cover.
		v := none
		switch len(kept) {
		case 0:
			if none.IsNil() {
				// One token for all, at the start, so that it dominates every use.
				none = ir.BuilderAtStart(kernel.Body()).Create(tileaa.Level.MakeToken, nil, []ir.Type{u.op.Operand(u.index).Type()}).Result(0)
			}
			v = none
		case 1:
			v = kept[0]
		default:
			v = ir.BuilderBefore(u.op).Create(tileaa.Level.JoinTokens, kept, []ir.Type{kept[0].Type()}).Result(0)
		}
		u.op.SetOperand(u.index, v)
	}
	eraseUnused(kernel)
	return true
}

// eraseUnused erases the joins that were replaced, and what only they used.
func eraseUnused(kernel ir.Op) {
	var joins []ir.Op
	kernel.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileaa.Level.JoinTokens) || op.Is(tileaa.Level.MakeToken) {
			joins = append(joins, op)
		}
		return ir.Advance
	})
	for i := len(joins) - 1; i >= 0; i-- { // uses before definitions
		if ir.IsTriviallyDead(joins[i]) {
			joins[i].Erase()
		}
	}
}
