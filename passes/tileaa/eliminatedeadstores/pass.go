package eliminatedeadstores

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/provenance"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/alias"
	"github.com/tilewright/tilewright/passes/analysis/dominance"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
	"github.com/tilewright/tilewright/passes/property"
)

var (
	numOverwritten = passes.NewStatistic("num-overwritten", "stores that a later one overwrites before anything reads them")
	numUnread      = passes.NewStatistic("num-unread", "stores to memory of the CTA that nothing reads")
)

// Pass is tileaa-eliminate-dead-stores.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileaa-eliminate-dead-stores",
	Summary:  "erase stores that nothing can read",
	Doc:      "Erases weak stores that a later store overwrites before anything can read them, and those to an alloca that nothing reads.",
	Requires: []*passes.Property{property.TileAA},
	Destroys: []*passes.Property{property.Canonical}, // what computed the addresses may be dead
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "tileaa-attach-objects", Reason: "a read of another object leaves a dead store dead"},
		{Pass: "cse", Reason: "the same place is the same values only then"},
	},
	Before: []passes.Edge{
		{Pass: "convert-tileaa-to-tileas", Reason: "stores get a layout there"},
		{Pass: "tileaa-prune-tokens", Reason: "a store that is gone needs no order"},
	},
	Statistics: []*passes.Statistic{numOverwritten, numUnread},
	Uses:       []*passes.Analysis{alias.Analysis.Analysis},
	Preserves:  []*passes.Analysis{dominance.Analysis.Analysis},
	Run:        run,
})

func run(r *passes.Run) error {
	aliases := alias.Analysis.Get(r)
	e := &eraser{aliases: aliases, kernel: r.Op, may: r.May}
	e.block(r.Op.Body(), nil)
	e.unread()
	r.Add(numOverwritten, e.overwritten)
	r.Add(numUnread, e.notRead)
	return nil
}

// maxComing bounds how many later stores are remembered.
const maxComing = 64

type eraser struct {
	aliases              *alias.Aliases
	kernel               ir.Op
	none                 ir.Value
	may                  func(what string, op ir.Op) bool
	overwritten, notRead int
}

// block walks a block backwards, with the stores that provably come after it.
//
//	store %x, %p      dead: %p is overwritten, and nothing reads it in between
//	load %q           of another object
//	store %y, %p
func (e *eraser) block(b ir.Block, coming []ir.Op) {
	if b.IsNil() {
		return
	}
	for op := b.Last(); !op.IsNil(); {
		before := op.Prev()
		switch {
		case op.NumRegions() > 0:
			// Stores in the regions are not added to the list. So a store before them is dead only if one after
			// them overwrites it.
			e.regions(op, coming)
			coming = e.beforeRegions(op, coming)
		case !isStore(op):
			coming = e.unless(op, coming)
		case slices.ContainsFunc(coming, func(later ir.Op) bool { return overwrites(later, op) }) && e.may("erase-overwritten", op):
			e.erase(op)
			e.overwritten++
		default:
			if len(coming) == maxComing {
				coming = slices.Delete(coming, 0, 1)
			}
			coming = append(coming, op)
		}
		op = before
	}
}

// regions walks the regions of an operation. What comes after an if comes after its branches as well.
func (e *eraser) regions(op ir.Op, coming []ir.Op) {
	_, branch := ir.RegionBranch.Of(op)
	_, loop := ir.LoopLike.Of(op)
	for i := range op.NumRegions() {
		for b := range op.Region(i).Blocks() {
			// A branch runs at most once and then control gets to what follows. An iteration of a loop may be
			// followed by another one.
			if branch && !loop && op.Region(i).HasOneBlock() && ir.ExitTarget(b.Last()) == op {
				e.block(b, slices.Clone(coming))
			} else {
				e.block(b, nil)
			}
		}
	}
}

// beforeRegions returns the stores that provably come before an operation with regions is executed, and that nothing in
// it reads.
func (e *eraser) beforeRegions(op ir.Op, coming []ir.Op) []ir.Op {
	op.Walk(func(inner ir.Op) ir.WalkResult {
		if len(coming) == 0 {
			return ir.Interrupt
		}
		switch {
		case inner.HasTrait(ir.Terminator):
			if t := ir.ExitTarget(inner); t.IsNil() || !op.IsAncestorOf(t) {
				coming = nil // control may go elsewhere
			}
		case inner.NumRegions() == 0:
			coming = e.unless(inner, coming)
		default:
			if describe, ok := ir.LoopLike.Of(inner); ok && describe(inner).IndVar.IsNil() {
				coming = nil // it may be endless
			}
		}
		return ir.Advance
	})
	return coming
}

// unless drops the stores whose place an operation before them may read.
func (e *eraser) unless(op ir.Op, coming []ir.Op) []ir.Op {
	switch {
	case len(coming) == 0:
		return nil
	case op.HasTrait(ir.Terminator):
		return coming
	case tile.IsOrdered(op) || e.aliases.ChangesUnknown(op):
		return nil
	case !e.aliases.Reads(op):
		return coming
	}
	loop := ir.LoopAround(op, false)
	return slices.DeleteFunc(coming, func(later ir.Op) bool { return e.aliases.MayAliasIn(op, later, loop) })
}

func isStore(op ir.Op) bool {
	return (op.Is(tileaa.Level.TiledStore) || op.Is(tileaa.Level.Store)) && !tile.IsOrdered(op)
}

// overwrites reports whether a store leaves nothing of what an earlier one stored.
//
// A later store through the same pointers without a mask covers one with any mask.
func overwrites(later, op ir.Op) bool {
	if alias.SameLocation(later, op) {
		return later.OperandNamed("value").Type() == op.OperandNamed("value").Type()
	}
	return later.Is(tileaa.Level.Store) && op.Is(tileaa.Level.Store) && later.OperandNamed("ptrs") == op.OperandNamed("ptrs") &&
		later.OperandNamed("mask").IsNil()
}

// unread erases stores to objects of the CTA that nothing reads.
//
// Two walks and not one: a read may be before the store in the text and after it in a loop.
func (e *eraser) unread() {
	var stores, reads []ir.Op
	e.kernel.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case op.NumRegions() > 0:
		case isStore(op) && e.aliases.IsPrivate(op):
			stores = append(stores, op)
		case e.aliases.Reads(op):
			reads = append(reads, op)
		}
		return ir.Advance
	})
	var read provenance.Set
	for _, op := range reads {
		read |= e.aliases.ObjectsOf(op)
	}
	for _, op := range stores {
		if e.aliases.ObjectsOf(op)&read == 0 && e.may("erase-unread", op) {
			e.erase(op)
			e.notRead++
		}
	}
}

func (e *eraser) erase(op ir.Op) {
	tokens.Drop(op, func() ir.Value {
		if e.none.IsNil() {
			e.none = ir.BuilderAtStart(e.kernel.Body()).Create(tileaa.Level.MakeToken, nil, []ir.Type{tileaa.Level.Token(e.kernel.Context())}).Result(0)
		}
		return e.none
	})
}
