package core

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

// Fields of a matrix descriptor (PTX ISA, wgmma, matrix descriptor): addresses and distances in units of 16 bytes.
const (
	DescriptorUnit = 4 // log2 of the bytes
	LeadField      = 16
	StrideField    = 32
	SwizzleField   = 62
)

// addressBits are those of an address in shared memory that a matrix descriptor has: above them is the number of the
// CTA in its cluster (PTX ISA, wgmma, matrix-descriptor-encode).
const addressBits = 1<<18 - 1

type unitsKey struct{ start, fields int64 }

// DescriptorUnits returns where a buffer begins, in units of matrix descriptors, with other fields of the
// descriptor above. The value `further` is an invariant number of units to add, or a zero Value. An address is
// below 2^18, so adding its parts never reaches the fields.
func (l *Lowering) DescriptorUnits(buffer ir.Value, fields int64, further ir.Value) ir.Value {
	base := l.SharedBase()
	p, known := l.placeOf(buffer)
	at, mask, unit, above := l.Const32(p.start), l.Const32(addressBits), l.Const32(DescriptorUnit), l.Const32(fields)
	start := l.Once(unitsKey{p.start, fields}, func(b *ir.Builder) ir.Value {
		i32 := []ir.Type{l.I32()}
		v := b.Create(nvvm.PtrAdd, []ir.Value{base, at}, []ir.Type{base.Type()}).Result(0)
		v = b.Create(nvvm.PtrToInt, []ir.Value{v}, i32).Result(0)
		v = b.Create(arith.AndI, []ir.Value{v, mask}, i32).Result(0)
		v = b.Create(arith.ShRUI, []ir.Value{v, unit}, i32).Result(0)
		return b.Create(arith.OrI, []ir.Value{v, above}, i32).Result(0)
	})
	if !further.IsNil() {
		start = l.Early(arith.AddI, start, further)
	}
	switch {
	case !known:
		return l.Plus(start, l.Make(arith.ShRUI, l.I32(), l.Value(buffer), unit))
	case p.index.IsNil():
		return start
	}
	return l.Plus(start, l.multiple(p.index, p.stride>>DescriptorUnit))
}
