package tileastonvvm

import (
	"errors"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/divisibility"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/target/sm"
)

// A kernel is what does not change while it is converted.
type kernel struct {
	ctx    *ir.Context
	name   string
	arch   *sm.Arch
	maps   contract.TensorMaps
	source ir.Op     // the nv_tileas.func
	region ir.Region // of the nvvm.func
	// space is where pointers point to: global memory, or anywhere in a kernel that allocates memory of its own.
	space  nvvm.Space
	ranges *intrange.Ranges // nil until integers asks for them: most kernels do not need them
	facts  *divisibility.Facts
}

func newKernel(src, dst ir.Op, arch *sm.Arch, maps contract.TensorMaps) *kernel {
	return &kernel{ctx: src.Context(), name: src.SymbolName(), arch: arch, maps: maps, source: src, region: dst.Region(0), space: spaceOf(src)}
}

// integers returns what is known about the integers of the source.
func (k *kernel) integers() *intrange.Ranges {
	if k.ranges == nil {
		k.ranges = intrange.Analyze(k.source)
	}
	return k.ranges
}

// divisors returns what is known to divide the integers of the source.
func (k *kernel) divisors() *divisibility.Facts {
	if k.facts == nil {
		k.facts = divisibility.Analyze(k.source, k.integers())
	}
	return k.facts
}

// spaceOf returns where the pointers of a kernel point to.
//
// One space for the whole kernel, not one for each pointer: pointers are loaded from memory, made of integers
// and carried by loops, and their type says nothing of where they point. A kernel without an alloca, which is
// nearly every one, has .global everywhere.
func spaceOf(fn ir.Op) nvvm.Space {
	if tileas.AllocatesShared(fn) { // such a pointer and a parameter may meet in a select; only generic addresses can be both
		return nvvm.Generic
	}
	return nvvm.Global
}

// scalarType returns what a scalar, or an element, is to one thread.
func (k *kernel) scalarType(t ir.Type) (ir.Type, bool) {
	switch t := t.(type) {
	case *tile.PtrType:
		return nvvm.Ptr(k.ctx, k.space), true
	case *ir.IntegerType, *ir.FloatType:
		return t, true
	}
	return nil, false
}

// types says what a thread holds of a value: of a tensor the registers that its layout gives it; of a buffer the number of its first byte in the kernel's
// shared memory; of a token nothing, since the barriers that it asks for are there already.
//
// That the number of registers is the size of the register dimension alone makes values of one layout match
// register by register; registers that hold copies (free bits) are counted too.
func (k *kernel) types(t ir.Type) ([]ir.Type, error) {
	switch t := t.(type) {
	case *tile.TokenType, *tileas.GroupType:
		return nil, nil
	case *tileas.BufferType:
		return []ir.Type{k.ctx.Int(32)}, nil
	case *tileas.TensorMapType: // its address, and whether the object is empty
		return []ir.Type{nvvm.Ptr(k.ctx, nvvm.Generic), k.ctx.Int(1)}, nil
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
