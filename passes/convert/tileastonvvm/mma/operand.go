package mma

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// An operand is A or B of an asynchronous MMA: registers, or a buffer that descriptors describe.
type operand struct {
	words []ir.Value // of fragments
	size  int        // words of one

	base  ir.Value // the descriptor of the beginning of the buffer
	desc  linear.Descriptor
	place func(batch, row, k int) int64 // in bytes from there
}

var swizzleModes = map[int]int64{0: 0, 128: 1, 64: 2, 32: 3}

// operandOf returns an operand.
func operandOf(l *core.Lowering, op ir.Op, which int, t linear.MMATile) (s operand, err error) {
	v := op.Operand(which)
	buffer, ok := v.Type().(*tileas.BufferType)
	if !ok {
		got, err := l.Layout(v)
		if err != nil {
			return s, err
		}
		if !got.Equal(t.A) || instr.Side(op, which) != 0 {
			return s, op.Errorf("operand #%d has the layout %s, but %s needs %s", which, got, ir.AttrString(tileas.MMAOf(op)), t.A)
		}
		s.words = l.Pack(l.Values(v))
		s.size = len(s.words) * t.SizeA / len(l.Values(v))
		return s, nil
	}
	if s.desc, err = instr.Describe(op, which, buffer); err != nil {
		return s, op.Errorf("operand #%d cannot be read by %s: %v", which, ir.AttrString(tileas.MMAOf(op)), err)
	}
	layout, size := buffer.Layout.Shared, buffer.ElementBytes()
	rank := len(buffer.Shape)
	rows, ks := rank-2+which, rank-1-which
	flat := func(batch, row, step int) uint64 {
		at := [2]int{}
		at[rows-(rank-2)], at[ks-(rank-2)] = row, step
		return uint64((batch*int(buffer.Shape[rank-2])+at[0])*int(buffer.Shape[rank-1]) + at[1])
	}
	s.place = func(batch, row, step int) int64 { return int64(layout.Offset(flat(batch, row, step))) * size }
	s.base = descriptorBase(l, op, instr.Side(op, which), v, s, t)
	return s, nil
}

// descriptorBase returns the descriptor of where the part of a warpgroup begins in the buffer of an operand.
func descriptorBase(l *core.Lowering, op ir.Op, which int, buffer ir.Value, s operand, t linear.MMATile) ir.Value {
	attr := tileas.MMAOf(op)
	const together = 4 // warps
	var moved ir.Value // by the part, which does not change
	for _, part := range []struct {
		side, groups, extent int
		number               func() ir.Value
	}{
		{0, attr.WarpsM / together, t.M * attr.M, func() ir.Value { return l.WarpBits(2, attr.WarpsM/together) }},
		{1, attr.WarpsN, t.N * attr.N, func() ir.Value { return l.WarpBits(log2(attr.WarpsM), attr.WarpsN) }},
	} {
		if part.side != which || part.groups == 1 {
			continue
		}
		// Parts are at multiples of one distance but where their bits are apart in the layout, as beyond the width of
		// a swizzle.
		number := part.number()
		for bit := 1; bit < part.groups; bit *= 2 {
			one := l.Early(arith.AndI, l.Early(arith.ShRUI, number, l.Const32(int64(log2(bit)))), l.Const32(1))
			part := l.Early(arith.MulI, one, l.Const32(s.place(0, bit*part.extent, 0)>>core.DescriptorUnit))
			if moved.IsNil() {
				moved = part
			} else {
				moved = l.Early(arith.AddI, moved, part)
			}
		}
	}
	low := l.DescriptorUnits(buffer, int64(s.desc.Lead)>>core.DescriptorUnit<<core.LeadField, moved)
	fields := int64(s.desc.Stride)>>core.DescriptorUnit<<core.StrideField | swizzleModes[s.desc.Swizzle]<<core.SwizzleField
	return l.Make(arith.OrI, l.I64(), l.Make(arith.ExtUI, l.I64(), low), l.Const64(fields))
}

// descriptor returns the descriptor of a part of the buffer. It differs from that of the beginning by a constant:
// only the address changes, and does not overflow.
func descriptor(l *core.Lowering, s *operand, batch, row, step int) ir.Value {
	at := s.place(batch, row, step) >> core.DescriptorUnit
	if at == 0 {
		return s.base
	}
	return l.Make(arith.AddI, l.I64(), s.base, l.Const64(at))
}

func log2(n int) (bits int) {
	for ; n > 1; n /= 2 {
		bits++
	}
	return bits
}
