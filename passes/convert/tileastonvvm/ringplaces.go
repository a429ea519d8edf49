package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Mbarriers, tensor copies and matrix descriptors take the address of a buffer, which in a loop is a slot of a ring: the start of shared memory, a constant, and a multiple of the place in the ring. All of it but the multiple is
// computed in front, so that an address is one multiplication and addition. Accesses of threads have constants in the instruction instead, where they cost nothing (inBuffer).

// A ringPlace is where a buffer is: so many bytes from the start of shared memory on, and if there is an index, as many times stride as it says.
type ringPlace struct {
	start  int64
	index  ir.Value
	stride int64
}

// ringPlace finds where a buffer is, unless it comes by control flow.
func (l *lowering) ringPlace(buffer ir.Value) (p ringPlace, ok bool) {
	if at, ok := constOf(l.Value(buffer)); ok {
		return ringPlace{start: at}, true
	}
	def := buffer.DefiningOp()
	switch {
	case def.IsNil():
		return p, false
	case def.Is(tileas.BufferPermute), def.Is(tileas.BufferReinterpret):
		return l.ringPlace(def.Operand(0))
	case def.Is(tileas.BufferSlice):
		p, ok = l.ringPlace(def.Operand(0))
		p.start += tileas.SliceOffset(def)
		return p, ok
	case def.Is(tileas.BufferSlot):
		whole, ok := l.ringPlace(def.Operand(0))
		index := l.places[buffer]
		if !ok || !whole.index.IsNil() || index.IsNil() {
			return p, false
		}
		return ringPlace{whole.start, index, def.Operand(0).Type().(*tileas.BufferType).SlotBytes()}, true
	}
	return p, false
}

type ringStart struct{ at int64 }

// pointer returns the address of a buffer.
func (l *lowering) pointer(buffer ir.Value) ir.Value {
	base := l.sharedBase()
	p, ok := l.ringPlace(buffer)
	if !ok || p.index.IsNil() {
		return l.create(nvvm.PtrAdd, base.Type(), base, l.Value(buffer))
	}
	at := l.const32(p.start)
	start := l.once(ringStart{p.start}, func(b *ir.Builder) ir.Value {
		return b.Create(nvvm.PtrAdd, []ir.Value{base, at}, []ir.Type{base.Type()}).Result(0)
	})
	return l.create(nvvm.PtrAdd, base.Type(), start, l.multiple(p.index, p.stride))
}

func (l *lowering) multiple(index ir.Value, stride int64) ir.Value {
	return l.create(arith.MulI, l.i32(), index, l.const32(stride))
}

// addressBits are those of an address in shared memory that a matrix descriptor has: above them is the number of the CTA in its cluster (PTX ISA, wgmma, matrix-descriptor-encode).
const addressBits = 1<<18 - 1

type unitsKey struct{ start, fields int64 }

// units returns where a buffer begins in units of matrix descriptors, with fields above, and further by a number of units that does not change, if there is one. The address of one is below 2^18, so that no sum of its parts comes near the fields.
func (l *lowering) units(buffer ir.Value, fields int64, further ir.Value) ir.Value {
	base := l.sharedBase()
	p, known := l.ringPlace(buffer)
	at, mask, unit, above := l.const32(p.start), l.const32(addressBits), l.const32(descriptorUnit), l.const32(fields)
	start := l.once(unitsKey{p.start, fields}, func(b *ir.Builder) ir.Value {
		i32 := []ir.Type{l.i32()}
		v := b.Create(nvvm.PtrAdd, []ir.Value{base, at}, []ir.Type{base.Type()}).Result(0)
		v = b.Create(nvvm.PtrToInt, []ir.Value{v}, i32).Result(0)
		v = b.Create(arith.AndI, []ir.Value{v, mask}, i32).Result(0)
		v = b.Create(arith.ShRUI, []ir.Value{v, unit}, i32).Result(0)
		return b.Create(arith.OrI, []ir.Value{v, above}, i32).Result(0)
	})
	if !further.IsNil() {
		start = l.early(arith.AddI, start, further)
	}
	switch {
	case !known:
		return l.plus(start, l.create(arith.ShRUI, l.i32(), l.Value(buffer), unit))
	case p.index.IsNil():
		return start
	}
	return l.plus(start, l.multiple(p.index, p.stride>>descriptorUnit))
}
