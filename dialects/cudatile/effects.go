package cudatile

import "github.com/tilewright/tilewright/ir"

// console is what asserts and prints write to: it orders them among themselves, not against memory.
var console = &ir.Resource{Name: "console"}

// touchesAll declares what may read and write any memory: barriers between kernels or address spaces.
var touchesAll = []ir.CapImpl{ir.MemoryEffects.Is(func(_ ir.Op, add func(ir.Effect)) {
	add(ir.Effect{Kind: ir.Read})
	add(ir.Effect{Kind: ir.Write})
})}

var allocates = []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
	add(ir.Effect{Kind: ir.Allocate, Value: op.Result(0)})
})}

// affects declares a write of a resource other than memory.
func affects(r *ir.Resource) []ir.CapImpl {
	return []ir.CapImpl{ir.MemoryEffects.Is(func(_ ir.Op, add func(ir.Effect)) {
		add(ir.Effect{Kind: ir.Write, Resource: r})
	})}
}

// loads, stores and updates declare what an operation does to the memory behind one of its operands.
func loads(operand string) []ir.CapImpl   { return accesses(operand, ir.Read) }
func stores(operand string) []ir.CapImpl  { return accesses(operand, ir.Write) }
func updates(operand string) []ir.CapImpl { return accesses(operand, ir.Read, ir.Write) }

func accesses(operand string, kinds ...ir.EffectKind) []ir.CapImpl {
	return []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
		v, ordering := op.OperandNamed(operand), MemoryOrderingOf(op)
		for _, k := range kinds {
			add(ir.Effect{Kind: k, Value: v, Concurrent: k == ir.Read && ordering != Weak})
		}
		// What is stronger than relaxed orders other accesses, of any memory.
		if ordering >= Acquire {
			add(ir.Effect{Kind: ir.Read})
			add(ir.Effect{Kind: ir.Write})
		}
	})}
}
