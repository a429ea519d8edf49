package core

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A buffer is one register: an i32 with where it starts, in bytes from the start of the kernel's shared memory.
// Control flow and selects pass it on like any other scalar. One that comes straight from an allocation, or from a
// view of it, is a constant, which goes into the immediate offset of every access.
//
//	%b = alloc_shared {offset = 1024} : !nv_tileas.buffer<2 x 32x64xf16, ...>    1024
//	%s = buffer_stage %b[%i]                                                     1024 + 4096 * %i
//	%v = buffer_permute %s                                                       the same
//
// 32 bits are enough for all of shared memory, and half the registers of a generic pointer.

// allocShared takes the offset from tileas-allocate-shared, the only pass that knows what lives at the same time.
func (l *Lowering) allocShared(op ir.Op) error {
	off, ok := op.IntAttr(tileas.AttrOffset)
	if !ok {
		return op.Errorf("has no offset")
	}
	l.Bind(op.Result(0), l.Const32(off))
	return nil
}

func (l *Lowering) bufferSlot(op ir.Op) error {
	// A constant index is multiplied here: at -O0 nothing folds, and an address with a constant offset needs no
	// register.
	t := op.Operand(0).Type().(*tileas.BufferType)
	stride := t.StageBytes()
	if t.Space == tileas.TMEMSpace {
		stride /= tileas.TMEMColumnBytes
	}
	index := l.Value(op.Operand(1))
	if distance, _ := op.IntAttr(tileas.AttrAhead); distance > 0 {
		index = l.stageIndex(index, distance, t.Stages)
	}
	var offset ir.Value
	if k, ok := ConstOf(index); ok {
		offset = l.Const32(k * stride)
	} else {
		if l.stages == nil {
			l.stages = make(map[ir.Value]ir.Value)
		}
		l.stages[op.Result(0)] = index
		offset = l.Make(arith.MulI, l.I32(), index, l.Const32(stride))
	}
	l.Bind(op.Result(0), l.Plus(l.Value(op.Operand(0)), offset))
	return nil
}

// stageIndex returns (index + distance) mod stages. The index is below stages, so one comparison replaces the division.
func (l *Lowering) stageIndex(index ir.Value, distance, stages int64) ir.Value {
	if k, ok := ConstOf(index); ok {
		return l.Const32((k + distance) % stages)
	}
	plain := l.Make(arith.AddI, l.I32(), index, l.Const32(distance))
	if distance == 1 { // as tileas-pipeline-loops advances the index, so that both are computed once
		return l.Make(arith.Select, l.I32(), l.Compare("eq", index, l.Const32(stages-1)), l.Const32(0), plain)
	}
	wrapped := l.Make(arith.AddI, l.I32(), index, l.Const32(distance-stages))
	return l.Make(arith.Select, l.I32(), l.Compare("ult", index, l.Const32(stages-distance)), plain, wrapped)
}

// bufferSlice adds a constant. The verifier rejects a slice whose elements are not all moved by the same distance, as
// swizzles do.
func (l *Lowering) bufferSlice(op ir.Op) error {
	l.Bind(op.Result(0), l.Plus(l.Value(op.Operand(0)), l.Const32(tileas.SliceOffset(op))))
	return nil
}

// inBuffer moves a shared-memory address, with a constant to add, from the start of shared memory to that of a buffer.
func (l *Lowering) inBuffer(buffer, ptr ir.Value, constant int64) (ir.Value, int64) {
	if at, ok := ConstOf(buffer); ok {
		return ptr, constant + at
	}
	return l.Make(nvvm.PtrAdd, ptr.Type(), ptr, buffer), constant
}

// BufferRules lower buffers to where they are in shared memory.
var BufferRules = map[*ir.OpDef]Rule{
	tileas.AllocShared: (*Lowering).allocShared, tileas.DeallocShared: Nothing,
	tileas.BufferStage: (*Lowering).bufferSlot, tileas.BufferSlice: (*Lowering).bufferSlice,
	tileas.BufferPermute: (*Lowering).Same, tileas.BufferReinterpret: (*Lowering).Same,
}
