package eliminateloads

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/alias"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
)

// maxKnown bounds how many values are remembered, the latest ones, and maxSteps how far a token is followed.
const (
	maxKnown = 64
	maxSteps = 512
)

// A known is a value that is in memory at the location of an access.
type known struct {
	access ir.Op
	value  ir.Value
	key    uint64 // of its location
}

type eliminator struct {
	aliases          *alias.Aliases
	kernel           ir.Op
	none             ir.Value
	loads, forwarded int
	unused           int
	may              func(what string, op ir.Op) bool // passes.Run.May
}

// block walks a block with what is known at its beginning, and returns what is at its end.
func (e *eliminator) block(b ir.Block, list []known) []known {
	if b.IsNil() {
		return list
	}
	for op := range b.Ops() {
		switch {
		case op.NumRegions() > 0:
			list = e.regions(op, list)
		case isLoad(op) && !op.Result(0).HasUses() && e.may("erase-unused", op):
			tokens.Drop(op, e.noToken)
			e.unused++
		case isLoad(op):
			if !e.replace(op, list) {
				list = remember(list, known{op, op.Result(0), alias.LocationKey(op)})
			}
		default:
			if list = e.without(list, op, ir.LoopAround(op, false)); isStore(op) {
				list = remember(list, known{op, op.OperandNamed("value"), alias.LocationKey(op)})
			}
		}
	}
	return list
}

// regions walks the regions of an operation, and returns what is known after it.
//
//	load %p (known); if %c { load %p (replaced) }; load %p (replaced)                     the branch only reads
//	load %p (known); for { store %p ...; load %p (the store's value) }; load %p (stays)   the loop may have written
func (e *eliminator) regions(op ir.Op, list []known) []known {
	after := e.withoutInside(slices.Clone(list), op)
	inside := list
	if _, ok := ir.RegionBranch.Of(op); !ok {
		inside = nil // when and how often it runs is not known
	} else if _, ok := ir.LoopLike.Of(op); ok {
		// Writes of earlier iterations count too, so what the loop writes is dropped before it is walked.
		inside = after
	}
	for i := range op.NumRegions() {
		if r := op.Region(i); r.HasOneBlock() {
			e.block(r.First(), slices.Clone(inside))
		} else if !r.Empty() {
			for b := range r.Blocks() {
				e.block(b, nil)
			}
		}
	}
	return after
}

func isWeak(op ir.Op) bool { return !tile.IsOrdered(op) }

func isLoad(op ir.Op) bool {
	return (op.Is(tileaa.Level.TiledLoad) || op.Is(tileaa.Level.Load)) && isWeak(op)
}

func isStore(op ir.Op) bool {
	return (op.Is(tileaa.Level.TiledStore) || op.Is(tileaa.Level.Store)) && isWeak(op)
}

func remember(list []known, k known) []known {
	if len(list) == maxKnown {
		list = slices.Delete(list, 0, 1)
	}
	return append(list, k)
}

// without drops what an operation without regions may make unknown, executed in the same iteration of a loop as all
// that is known.
func (e *eliminator) without(list []known, op, loop ir.Op) []known {
	if len(list) == 0 || !e.aliases.Writes(op) {
		return list
	}
	return slices.DeleteFunc(list, func(k known) bool { return e.aliases.MayAliasIn(k.access, op, loop) })
}

// withoutInside drops what the operations in the regions of op may make unknown.
func (e *eliminator) withoutInside(list []known, op ir.Op) []known {
	loop := ir.LoopAround(op, false)
	op.Walk(func(inner ir.Op) ir.WalkResult {
		if len(list) == 0 {
			return ir.Interrupt
		}
		if inner.NumRegions() == 0 {
			list = e.without(list, inner, loop)
		}
		return ir.Advance
	})
	return list
}

// replace replaces a load by a known value, and reports whether it did. The latest known value is tried first.
// For a store, tokens must order the load after it: text order alone would forward a value that the memory model
// need not give.
func (e *eliminator) replace(load ir.Op, list []known) bool {
	key := alias.LocationKey(load)
	for _, k := range slices.Backward(list) {
		// The key is a hash: comparing locations is slow, and most differ.
		if k.key != key || !alias.SameLocation(k.access, load) || k.value.Type() != load.Result(0).Type() {
			continue
		}
		v, ok, count, what := k.value, true, &e.loads, "merge-load"
		// Elements that a mask excludes must be equal in both loads. No order by tokens is needed: two reads
		// commute.
		if isLoad(k.access) {
			ok = sameRest(k.access, load)
		} else if ok = tokens.OrderedAfter(load, k.access, false, maxSteps); ok {
			count, what = &e.forwarded, "forward-store"
			v, ok = stored(k, load)
		}
		if !ok || !e.may(what, load) {
			continue
		}
		*count++
		load.Result(0).ReplaceAllUsesWith(v)
		tokens.Drop(load, e.noToken)
		return true
	}
	return false
}

// sameRest reports whether two loads of the same location give the same value to the elements that they do not
// load.
func sameRest(a, b ir.Op) bool {
	if a.Is(tileaa.Level.Load) {
		return a.OperandNamed("other") == b.OperandNamed("other")
	}
	return a.StringAttr(tile.AttrPadding) == b.StringAttr(tile.AttrPadding)
}

// stored returns what a load of a stored value gives: the value, except for the elements that were not stored.
func stored(k known, load ir.Op) (ir.Value, bool) {
	if load.Is(tileaa.Level.TiledLoad) {
		if load.StringAttr(tile.AttrPadding) == "" {
			return k.value, true
		}
		b, ok := load.Attr(tile.AttrBounds).(*ir.DenseArrayAttr)
		return k.value, ok && !slices.ContainsFunc(b.Values, func(checked int64) bool { return checked != 0 })
	}
	mask, other := load.OperandNamed("mask"), load.OperandNamed("other")
	if mask.IsNil() || other.IsNil() {
		return k.value, true
	}
	return ir.BuilderBefore(load).Create(arith.Select, []ir.Value{mask, k.value, other}, []ir.Type{k.value.Type()}).Result(0), true
}
