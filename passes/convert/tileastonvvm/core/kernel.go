package core

import (
	"errors"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/divisibility"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/target/sm"
)

// A Kernel is what does not change while it is converted.
type Kernel struct {
	Ctx        *ir.Context
	Name       string
	Arch       *sm.Arch
	TensorMaps contract.TensorMaps
	Source     ir.Op     // the nv_tileas.func
	Dest       ir.Op     // the nvvm.func
	Blocks     ir.Region // of Dest
	// Space is where pointers point to: global memory, or anywhere in a kernel that allocates memory of its own.
	Space  nvvm.Space
	ranges *intrange.Ranges // nil until Integers is called: most kernels do not need them
	facts  *divisibility.Facts
}

func newKernel(src, dst ir.Op, arch *sm.Arch, maps contract.TensorMaps) *Kernel {
	return &Kernel{Ctx: src.Context(), Name: src.SymbolName(), Arch: arch, TensorMaps: maps, Source: src, Dest: dst, Blocks: dst.Region(0), Space: spaceOf(src)}
}

// Integers returns what is known about the integers of the source.
func (k *Kernel) Integers() *intrange.Ranges {
	if k.ranges == nil {
		k.ranges = intrange.Analyze(k.Source)
	}
	return k.ranges
}

// Divisors returns what is known to divide the integers of the source.
func (k *Kernel) Divisors() *divisibility.Facts {
	if k.facts == nil {
		k.facts = divisibility.Analyze(k.Source, k.Integers())
	}
	return k.facts
}

// spaceOf returns where the pointers of a kernel point to.
//
// It is one space for the entire kernel, not one for each pointer. Pointers are loaded from memory, made of
// integers and carried by loops, and their type does not say where they point. A kernel without an alloca, which
// is nearly every one, has .global everywhere.
func spaceOf(fn ir.Op) nvvm.Space {
	if tileas.AllocatesShared(fn) { // such a pointer and a parameter may meet in a select; only generic addresses can be both
		return nvvm.Generic
	}
	return nvvm.Global
}

// scalarType returns what a scalar, or an element, is to one thread.
func (k *Kernel) scalarType(t ir.Type) (ir.Type, bool) {
	switch t := t.(type) {
	case *tile.PtrType:
		return nvvm.Ptr(k.Ctx, k.Space), true
	case *ir.IntegerType, *ir.FloatType:
		return t, true
	}
	return nil, false
}

// types says what a thread holds of a value. For a tensor it holds the registers that the layout gives the
// thread; for a buffer, the offset in the kernel's shared memory. For a token it holds nothing, since its
// barriers exist already.
//
// Registers that hold copies (free bits) count too, so values of one layout match register by register.
func (k *Kernel) types(t ir.Type) ([]ir.Type, error) {
	switch t := t.(type) {
	case *tile.TokenType, *tileas.GroupType:
		return nil, nil
	case *tileas.BufferType:
		return []ir.Type{k.Ctx.Int(32)}, nil
	case *tileas.TensorMapType: // its address, and whether the object is empty
		return []ir.Type{nvvm.Ptr(k.Ctx, nvvm.Generic), k.Ctx.Int(1)}, nil
	case *ir.TensorType:
		lay, ok := tileas.LayoutOf(t)
		if !ok {
			return nil, errors.New("is of a tensor that has no layout")
		}
		elem, ok := k.scalarType(t.Elem)
		if !ok {
			return nil, errors.New("has elements that no register holds")
		}
		out := make([]ir.Type, lay.Size(linear.Register))
		for i := range out {
			out[i] = elem
		}
		return out, nil
	}
	s, ok := k.scalarType(t)
	if !ok {
		return nil, errors.New("has no counterpart in nvvm")
	}
	return []ir.Type{s}, nil
}
