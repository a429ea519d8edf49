package core

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// synchronises reports whether an operation acquires, and whether it releases, for other tile blocks.
func synchronises(op ir.Op) (acquires, releases bool) {
	if scope, ok := scopeOf(op); !ok || scope == cudatile.ScopeTileBlock {
		return false, false
	}
	switch orderingOf(op) {
	case cudatile.Acquire:
		return true, false
	case cudatile.Release:
		return false, true
	case cudatile.AcqRel:
		return true, true
	}
	return false, false
}

// Accessing reports whether an operation accesses memory, and whether the access is weak: it assumes that nobody else
// accesses the memory at the same time.
func Accessing(op ir.Op) (accesses, weak bool) {
	if op.Dialect() == ops.Dialect {
		accesses = op.Attr("memory_ordering_semantics") != nil
	} else {
		accesses = op.Def().AttrSlot(tile.AttrOrdering) >= 0 || startsGlobal(op)
	}
	return accesses, accesses && orderingOf(op) == cudatile.Weak && !op.Is(tileas.TMAReduce) // which is atomic at device scope
}

// startsGlobal reports whether an operation starts an asynchronous access of global memory. That is weak, and no
// attribute says so.
func startsGlobal(op ir.Op) (yes bool) {
	if steps, ok := ir.Asynchrony.Of(op); ok {
		steps(op, func(s ir.AsyncStep) { yes = yes || s.Kind == ir.AsyncStart && s.Access.Resource == nil })
	}
	return yes
}

// orderingOf, scopeOf and AtomicModeOf read attributes that are numbers in cuda_tile and words of the same spelling
// below it.
func orderingOf(op ir.Op) cudatile.MemoryOrdering {
	if op.Dialect() == ops.Dialect {
		return cudatile.MemoryOrderingOf(op)
	}
	return orderings[op.StringAttr(tile.AttrOrdering)] // weak if there is none
}

func scopeOf(op ir.Op) (cudatile.MemoryScope, bool) {
	if op.Dialect() == ops.Dialect {
		return cudatile.MemoryScopeOf(op)
	}
	scope, ok := scopes[op.StringAttr(tile.AttrScope)]
	return scope, ok
}

func AtomicModeOf(op ir.Op) cudatile.AtomicRMWMode {
	if op.Dialect() == ops.Dialect {
		return cudatile.AtomicModeOf(op)
	}
	return atomicModes[op.StringAttr(tile.AttrMode)]
}

var (
	orderings   = byName(cudatile.Weak, cudatile.AcqRel)
	scopes      = byName(cudatile.ScopeTileBlock, cudatile.ScopeSys)
	atomicModes = byName(cudatile.AtomicAnd, cudatile.AtomicXchg)
)

// byName returns the constants from first to last by their names.
func byName[E interface {
	~uint8
	String() string
}](first, last E) map[string]E {
	out := make(map[string]E)
	for e := first; e <= last; e++ {
		out[e.String()] = e
	}
	return out
}
