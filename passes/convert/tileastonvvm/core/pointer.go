package core

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// TMA and matrix descriptors take the address of a buffer. In a loop that is a stage of a circular buffer:
// the start of shared memory, plus a constant, plus the number of the stage times its size. All but the last is
// computed in the entry block, so an address is one multiplication and one addition. Accesses of threads have
// constants in the instruction instead, where they cost nothing (inBuffer).

// A bufferPlace is where a buffer is: start bytes from the start of shared memory, plus index times stride if there
// is an index.
type bufferPlace struct {
	start  int64
	index  ir.Value
	stride int64
}

// placeOf finds where a buffer is, unless it comes by control flow.
func (l *Lowering) placeOf(buffer ir.Value) (p bufferPlace, ok bool) {
	if at, ok := ConstOf(l.Value(buffer)); ok {
		return bufferPlace{start: at}, true
	}
	def := buffer.DefiningOp()
	switch {
	case def.IsNil():
		return p, false
	case def.Is(tileas.BufferPermute), def.Is(tileas.BufferReinterpret):
		return l.placeOf(def.Operand(0))
	case def.Is(tileas.BufferSlice):
		p, ok = l.placeOf(def.Operand(0))
		p.start += tileas.SliceOffset(def)
		return p, ok
	case def.Is(tileas.BufferStage):
		whole, ok := l.placeOf(def.Operand(0))
		index := l.stages[buffer]
		if !ok || !whole.index.IsNil() || index.IsNil() {
			return p, false
		}
		return bufferPlace{whole.start, index, def.Operand(0).Type().(*tileas.BufferType).StageBytes()}, true
	}
	return p, false
}

type stageStart struct{ at int64 }

// Pointer returns the address of a buffer.
func (l *Lowering) Pointer(buffer ir.Value) ir.Value {
	base := l.SharedBase()
	p, ok := l.placeOf(buffer)
	if !ok || p.index.IsNil() {
		return l.Make(nvvm.PtrAdd, base.Type(), base, l.Value(buffer))
	}
	at := l.Const32(p.start)
	start := l.Once(stageStart{p.start}, func(b *ir.Builder) ir.Value {
		return b.Create(nvvm.PtrAdd, []ir.Value{base, at}, []ir.Type{base.Type()}).Result(0)
	})
	return l.Make(nvvm.PtrAdd, base.Type(), start, l.multiple(p.index, p.stride))
}

// Mbarrier returns the address of an mbarrier for an instruction that adds a constant to it. Those of several pipes that
// advance together differ by one:
//
//	%s = base + 8 * %stage ; wait [%s + 4096] ; wait [%s + 4160] ; arrive [%s + 4224]
//
// An addition between two waits would wait too: ptxas moves nothing over the loop that a wait is. TMA, commits of MMAs
// and arrivals in other CTAs add nothing, so that their addresses have a start of their own (Pointer).
func (l *Lowering) Mbarrier(buffer ir.Value) ir.Value {
	p, ok := l.placeOf(buffer)
	if !ok || p.index.IsNil() {
		return l.Pointer(buffer)
	}
	base := l.SharedBase()
	stage := l.Make(nvvm.PtrAdd, base.Type(), base, l.multiple(p.index, p.stride))
	return l.Make(nvvm.PtrAdd, base.Type(), stage, l.Const32(p.start))
}

// multiple returns the offset of a stage, in units of the stride.
func (l *Lowering) multiple(index ir.Value, stride int64) ir.Value {
	return l.Make(arith.MulI, l.I32(), index, l.Const32(stride))
}
