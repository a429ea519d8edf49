package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A buffer is one register: where it starts, in bytes from the start of the kernel's shared memory, as an i32. Control flow and selects pass it on like any other scalar. One that comes
// straight from an allocation, or from a view of it, is a constant, which goes into the immediate offset of every access.
//
//	%b = alloc_shared {offset = 1024} : !nv_tileas.buffer<2 x 32x64xf16, ...>   1024
//	%s = buffer_slot %b[%i]                                                       1024 + 4096 * %i
//	%v = buffer_permute %s                                                        the same: only coordinates change their names
//
// 32 bits are enough for all of shared memory, and half the registers of a generic pointer.

func bufferRules() map[*ir.OpDef]rule {
	return map[*ir.OpDef]rule{
		tileas.AllocShared: (*lowering).allocShared, tileas.DeallocShared: nothing,
		tileas.BufferSlot: (*lowering).bufferSlot, tileas.BufferSlice: (*lowering).bufferSlice,
		tileas.BufferPermute: (*lowering).same, tileas.BufferReinterpret: (*lowering).same,
	}
}

// allocShared: the offset is that of tileas-allocate-shared, the only pass that knows what lives at the same
// time.
func (l *lowering) allocShared(op ir.Op) error {
	off, ok := op.IntAttr(tileas.AttrOffset)
	if !ok {
		return op.Errorf("has no offset")
	}
	l.Bind(op.Result(0), l.const32(off))
	return nil
}

func (l *lowering) bufferSlot(op ir.Op) error {
	// The product is made for a constant index too: at -O0 nothing folds, and an address with a constant offset
	// needs no register.
	t := op.Operand(0).Type().(*tileas.BufferType)
	stride := t.SlotBytes()
	if t.Space == tileas.TensorSpace {
		stride /= tileas.TensorColumnBytes
	}
	index := l.Value(op.Operand(1))
	if ahead, _ := op.IntAttr(tileas.AttrAhead); ahead > 0 {
		index = l.ringIndex(index, ahead, t.Slots)
	}
	var offset ir.Value
	if k, ok := constOf(index); ok {
		offset = l.const32(k * stride)
	} else {
		if l.places == nil {
			l.places = make(map[ir.Value]ir.Value)
		}
		l.places[op.Result(0)] = index
		offset = l.create(arith.MulI, l.i32(), index, l.const32(stride))
	}
	l.Bind(op.Result(0), l.plus(l.Value(op.Operand(0)), offset))
	return nil
}

// ringIndex returns (index + ahead) mod slots. The index is below slots, so that one comparison does for the division.
func (l *lowering) ringIndex(index ir.Value, ahead, slots int64) ir.Value {
	if k, ok := constOf(index); ok {
		return l.const32((k + ahead) % slots)
	}
	plain := l.create(arith.AddI, l.i32(), index, l.const32(ahead))
	wrapped := l.create(arith.AddI, l.i32(), index, l.const32(ahead-slots))
	return l.create(arith.Select, l.i32(), l.compare("ult", index, l.const32(slots-ahead)), plain, wrapped)
}

// bufferSlice: slices begin at constants. The verifier refuses a part whose elements are not where the whole
// has them but for one sum, as swizzles make some.
func (l *lowering) bufferSlice(op ir.Op) error {
	l.Bind(op.Result(0), l.plus(l.Value(op.Operand(0)), l.const32(tileas.SliceOffset(op))))
	return nil
}

// plus adds two i32, which is a constant where both are.
func (l *lowering) plus(a, b ir.Value) ir.Value {
	x, xok := constOf(a)
	y, yok := constOf(b)
	switch {
	case xok && yok:
		return l.const32(x + y)
	case xok && x == 0:
		return b
	case yok && y == 0:
		return a
	}
	return l.create(arith.AddI, l.i32(), a, b)
}

// inBuffer moves a shared-memory address, with a constant to add, from the start of shared memory to that of a buffer.
func (l *lowering) inBuffer(buffer, ptr ir.Value, constant int64) (ir.Value, int64) {
	if at, ok := constOf(buffer); ok {
		return ptr, constant + at
	}
	return l.create(nvvm.PtrAdd, ptr.Type(), ptr, buffer), constant
}
