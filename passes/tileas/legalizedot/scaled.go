package legalizedot

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
	"github.com/tilewright/tilewright/target/sm"
)

// A scaled is the expansion of a dot_scaled: for each block of K that shares scales the product of the bare elements, whose sum is then multiplied by
// the scales of its row and column.
//
//	D = C + sum over blocks k of (sum over i in k of A[m,i] * B[i,n]) * scaleA[m,k] * scaleB[k,n]
//
// Scaling the sum of a block instead of each product is exact but for the rounding of the sum: scales are the
// same for the whole block. It takes M x N multiplications for each block, against M x K + K x N for operands
// scaled beforehand; but scaled operands need a type with the range of both, f32, and that has no matrix
// instruction.
type scaled struct {
	*ir.Builder
	op     ir.Op
	arch   *sm.Arch
	result *ir.TensorType
	blocks int64 // of K
}

func expandScaled(op ir.Op, arch *sm.Arch) {
	shape := op.Operand(3).Type().(*ir.TensorType).Shape
	s := scaled{ir.BuilderBefore(op), op, arch, op.Result(0).Type().(*ir.TensorType), shape[len(shape)-1]}
	rank := len(shape)
	a, b := s.multiplied(op.Operand(0)), s.multiplied(op.Operand(1))
	rows, columns := s.factors(op.Operand(3), 0), s.factors(op.Operand(4), 1)
	// The blocks' sums begin at zero and not at the accumulator, which must not be scaled with them.
	zero := s.bits(s.result, 0)
	sum := op.Operand(2)
	for k := range s.blocks {
		p := s.Create(tileas.Level.Dot, []ir.Value{s.part(a, rank-1, k), s.part(b, rank-2, k), zero}, []ir.Type{s.result}).Result(0)
		row, column := s.unpack(s.spread(s.part(rows, rank-1, k))), s.unpack(s.spread(s.part(columns, rank-2, k)))
		for i := range row {
			scale := s.binary(arith.MulF, row[i], column[i])
			if i < len(row)-1 {
				p = s.binary(arith.MulF, p, scale)
				continue
			}
			// The last factor comes with the addition, one rounding less than a multiplication and an addition.
			sum = s.Create(arith.Fma, []ir.Value{p, scale, sum}, []ir.Type{s.result}).Result(0)
		}
	}
	op.ReplaceWith(sum)
}

// scaledTypes are the element types of the operands of a dot_scaled.
var scaledTypes = [][]numeric.Format{
	{numeric.F8E4M3FN, numeric.F8E5M2, numeric.F4E2M1FN}, {numeric.F8E4M3FN, numeric.F8E5M2, numeric.F4E2M1FN}, {numeric.F32},
	{numeric.F8E8M0FNU, numeric.F8E4M3FN, numeric.F8E5M3FNU}, {numeric.F8E8M0FNU, numeric.F8E4M3FN, numeric.F8E5M3FNU},
}

func checkScaled(op ir.Op) error {
	for i, allowed := range scaledTypes {
		t := op.Operand(i).Type()
		if i < 2 {
			t = tileas.FactorType(op, i) // of bytes that this pass has made of pairs, that of those
		}
		f, ok := ir.ElementType(t).(*ir.FloatType)
		if !ok || !slices.Contains(allowed, f.Format) {
			return op.Errorf("operand #%d has no element type of a scaled product, but '%s'", i, ir.TypeString(op.Operand(i).Type()))
		}
	}
	return nil
}

// multiplied converts elements that the target does not multiply to f16, which holds all their values.
func (s *scaled) multiplied(v ir.Value) ir.Value {
	if matrix.Choose(s.arch, matrix.Unscaled(s.op), matrix.Depth(s.op)/int(s.blocks)) != nil {
		return v
	}
	return s.to(arith.FToF, v, s.Context().F16())
}

// Powers of two of f8E8M0FNU, and two of them as bf16 in one word.
const (
	scaleBias = 127
	scaleNaN  = 0xff
	bf16Shift = 7 // where the exponent of a bf16 begins
	highHalf  = 16
)

// factors returns the numbers whose product is the scale. A product of two scales of f8E4M3FN or fnv8E5M3FNU has few digits, so that is f32. A power of two is cut into halves, so that
// the halves of a row and of a column together stay in the range of f32, where the powers themselves do not: the larger half comes first in a row, second
// in a column. Multiplied by one after the other, a sum of products leaves the range only if the result does. Both halves travel in one word of two bf16.
//
// An e8m0 number E means 2^(E-127), from 2^-127 to 2^127; with the bits of a row and of a column their product
// goes from 2^-254 to 2^254, beyond f32 on both sides. Its halves have exponent fields (E + 127 + up) / 2,
// rounded down, that add to E + 127: between 63 and 191, all normal. E = 255 is NaN (OCP Microscaling Formats
// specification, E8M0).
func (s *scaled) factors(scale ir.Value, side int64) ir.Value {
	c := s.Context()
	if f := ir.ElementType(scale.Type()).(*ir.FloatType); f.Format != numeric.F8E8M0FNU {
		return s.to(arith.FToF, scale, c.F32())
	}
	exponent := s.to(arith.ExtUI, s.to(arith.Bitcast, scale, c.Int(8)), c.Int(32))
	half := func(up, shift int64) ir.Value {
		e := s.shift(arith.ShRUI, s.binary(arith.AddI, exponent, s.bits(exponent.Type(), uint64(scaleBias+up))), 1)
		return s.shift(arith.ShLI, e, shift)
	}
	both := s.binary(arith.OrI, half(1-side, highHalf+bf16Shift), half(side, bf16Shift))
	isNaN := arith.NewCmpI(s.Builder, "eq", exponent, s.bits(exponent.Type(), scaleNaN))
	nan := s.bits(both.Type(), numeric.BF16.NaN()<<highHalf)
	return s.Create(arith.Select, []ir.Value{isNaN, nan, both}, []ir.Type{both.Type()}).Result(0)
}

// unpack returns the factors in f32.
func (s *scaled) unpack(v ir.Value) []ir.Value {
	f32 := s.Context().F32()
	if ir.ElementType(v.Type()) == ir.Type(f32) {
		return []ir.Value{v}
	}
	// A bf16 is the upper half of an f32, so that a mask and a shift make two of them from one word.
	high := s.binary(arith.AndI, v, s.bits(v.Type(), 1<<32-1<<highHalf))
	return []ir.Value{s.to(arith.Bitcast, high, f32), s.to(arith.Bitcast, s.shift(arith.ShLI, v, highHalf), f32)}
}

func (s *scaled) shift(def *ir.OpDef, v ir.Value, by int64) ir.Value {
	return s.binary(def, v, s.bits(v.Type(), uint64(by)))
}

// spread repeats the factors of a block, those of the rows or of the columns, for each element of the result. All blocks at once would take fewer
// barriers, but more registers than there are beside the sums.
func (s *scaled) spread(v ir.Value) ir.Value {
	return s.Create(tileas.Level.Broadcast, []ir.Value{v}, []ir.Type{arith.WithElement(s.result, ir.ElementType(v.Type()))}).Result(0)
}

// part returns the elements of block k along dim.
func (s *scaled) part(v ir.Value, dim int, k int64) ir.Value {
	if s.blocks == 1 {
		return v
	}
	c := s.Context()
	t := v.Type().(*ir.TensorType)
	shape := append([]int64{}, t.Shape...)
	shape[dim] /= s.blocks
	operands := []ir.Value{v}
	for d := range shape {
		at := int64(0)
		if d == dim {
			at = k
		}
		operands = append(operands, s.bits(c.Int(32), uint64(at)))
	}
	return s.Create(tileas.Level.Extract, operands, []ir.Type{c.Tensor(shape, t.Elem, nil)}).Result(0)
}

func (s *scaled) binary(def *ir.OpDef, a, b ir.Value) ir.Value {
	return s.Create(def, []ir.Value{a, b}, []ir.Type{a.Type()}).Result(0)
}

func (s *scaled) to(def *ir.OpDef, v ir.Value, elem ir.Type) ir.Value {
	return s.Create(def, []ir.Value{v}, []ir.Type{arith.WithElement(v.Type(), elem)}).Result(0)
}

// bits returns the constant, or the tensor of constants, with the bit pattern.
func (s *scaled) bits(t ir.Type, bits uint64) ir.Value {
	return arith.NewConstant(s.Builder, t, arith.OfType(arith.FromBits(ir.ElementType(t), bits), t))
}
