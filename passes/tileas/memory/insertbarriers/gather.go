package insertbarriers

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/analysis/buffers"
	"github.com/tilewright/tilewright/passes/tileas/analysis/hazards"
)

// maxGathered bounds the barriers for which stores are gathered, since each try finds all hazards again.
const maxGathered = 8

// gather moves stores to global memory up before an access that needs a barrier, where that leaves fewer barriers: of
// two chains of stores, each first one then comes before the one barrier that is before both second ones.
//
//	store %a ; barrier ; store %a2 ; store %b ; barrier ; store %b2
//	store %a ; store %b ; barrier ; store %a2 ; store %b2
func gather(fn ir.Op, b *buffers.Buffers, found []hazards.Hazard, may func(what string, op ir.Op) bool) ([]hazards.Hazard, int) {
	moved := 0
	for i := 0; i < min(len(found), maxGathered); i++ {
		h := found[i]
		if h.InFlight || h.Unfenced {
			continue
		}
		stores := independent(h.Op)
		if len(stores) == 0 || !may("gather", h.Op) {
			continue
		}
		next := make([]ir.Op, len(stores))
		for k, op := range stores {
			next[k] = op.Next()
			op.MoveBefore(h.Op)
		}
		if better, wrong := hazards.Find(fn, b); wrong == nil && len(better) < len(found) {
			found = better
			moved += len(stores)
			continue
		}
		for k := len(stores) - 1; k >= 0; k-- {
			stores[k].MoveBefore(next[k])
		}
	}
	return found, moved
}

// independent returns the stores after an operation that may as well come before it: tokens do not order them after it
// or after what follows it.
func independent(at ir.Op) (stores []ir.Op) {
	for op := at; !op.IsNil() && !op.HasTrait(ir.Terminator); op = op.Next() {
		reads, writes, other := accesses(op)
		if other {
			break
		}
		if op != at && writes && !reads && definedBefore(op, at) {
			stores = append(stores, op)
		}
	}
	return stores
}

// accesses says what an operation does to global memory, and whether it does anything else, or what other CTAs rely on.
func accesses(op ir.Op) (reads, writes, other bool) {
	_, async := ir.Asynchrony.Of(op)
	declared := ir.Effects(op, func(e ir.Effect) {
		reads = reads || e.Kind == ir.Read
		writes = writes || e.Kind == ir.Write
		other = other || e.Kind != ir.Read && e.Kind != ir.Write || e.Resource != nil || e.Concurrent
	})
	return reads, writes, other || async || !declared || op.NumRegions() > 0 || tile.IsOrdered(op)
}

// definedBefore reports whether all operands of op are defined before another operation of its block.
func definedBefore(op, at ir.Op) bool {
	return !slices.ContainsFunc(op.Operands(), func(v ir.Value) bool {
		def := v.DefiningOp()
		return !def.IsNil() && def.Block() == at.Block() && !def.IsBeforeInBlock(at)
	})
}
