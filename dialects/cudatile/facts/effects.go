package facts

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// Console is what asserts and prints write to: it orders them among themselves, not against memory.
var Console = &ir.Resource{Name: "console"}

// TouchesAll declares what may read and write any memory: barriers between kernels or address spaces.
var TouchesAll = []ir.CapImpl{ir.MemoryEffects.Is(func(_ ir.Op, add func(ir.Effect)) {
	add(ir.Effect{Kind: ir.Read})
	add(ir.Effect{Kind: ir.Write})
})}

// Allocates declares that the result is memory of its own.
var Allocates = []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
	add(ir.Effect{Kind: ir.Allocate, Value: op.Result(0)})
})}

// Affects declares a write of a resource other than memory.
func Affects(r *ir.Resource) []ir.CapImpl {
	return []ir.CapImpl{ir.MemoryEffects.Is(func(_ ir.Op, add func(ir.Effect)) {
		add(ir.Effect{Kind: ir.Write, Resource: r})
	})}
}

// Loads, stores and updates declare what an operation does to the memory that one of its operands points to.
func Loads(operand string) []ir.CapImpl   { return accesses(operand, ir.Read) }
func Stores(operand string) []ir.CapImpl  { return accesses(operand, ir.Write) }
func Updates(operand string) []ir.CapImpl { return accesses(operand, ir.Read, ir.Write) }

func accesses(operand string, kinds ...ir.EffectKind) []ir.CapImpl {
	return []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
		v, ordering := op.OperandNamed(operand), cudatile.MemoryOrderingOf(op)
		for _, k := range kinds {
			add(ir.Effect{Kind: k, Value: v, Concurrent: k == ir.Read && ordering != cudatile.Weak})
		}
		// What is stronger than relaxed orders other accesses, of any memory.
		if ordering >= cudatile.Acquire {
			add(ir.Effect{Kind: ir.Read})
			add(ir.Effect{Kind: ir.Write})
		}
	})}
}

// NoEffects declares that a row does nothing to memory; unlike Pure it does not say that it may be executed where the
// program would not have.
var NoEffects = []ir.CapImpl{ir.MemoryEffects.Is(func(ir.Op, func(ir.Effect)) {})}
