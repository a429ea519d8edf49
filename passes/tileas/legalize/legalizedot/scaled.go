package legalizedot

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/target/sm"
)

// A scaled expands a dot_scaled. For each block of K that shares scales, an MMA of the bare elements is
// multiplied by the scales of its row and column.
//
//	D = C + sum over blocks k of (sum over i in k of A[m,i] * B[i,n]) * scaleA[m,k] * scaleB[k,n]
//
// Scaling the result of a block instead of each element is exact except for the rounding of the accumulator, since
// scales are the same in the entire block. It takes M x N multiplications for each block, against M x K + K x N for
// scaled operands. But scaled operands need a type with the range of both, f32, and f32 has no matrix instruction.
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
	rows, columns := s.operands(op.Operand(3), 0), s.operands(op.Operand(4), 1)
	// Each block starts from zero and not from C, which must not be scaled with it.
	zero := s.bits(s.result, 0)
	accumulator := op.Operand(2)
	for k := range s.blocks {
		p := s.Create(tileas.Level.Dot, []ir.Value{s.part(a, rank-1, k), s.part(b, rank-2, k), zero}, []ir.Type{s.result}).Result(0)
		row, column := s.unpack(s.spread(s.part(rows, rank-1, k))), s.unpack(s.spread(s.part(columns, rank-2, k)))
		for i := range row {
			scale := arith.New(s.Builder, arith.MulF, row[i], column[i])
			if i < len(row)-1 {
				p = arith.New(s.Builder, arith.MulF, p, scale)
				continue
			}
			// The last scale is multiplied and added in one instruction, with one rounding less.
			accumulator = s.Create(arith.Fma, []ir.Value{p, scale, accumulator}, []ir.Type{s.result}).Result(0)
		}
	}
	op.ReplaceWith(accumulator)
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
			t = tile.OperandType(op, i) // bytes that this pass has packed count as the elements in them
		}
		f, ok := ir.ElementType(t).(*ir.FloatType)
		if !ok || !slices.Contains(allowed, f.Format) {
			return op.Errorf("operand #%d has no element type of a scaled MMA, but '%s'", i, ir.TypeString(op.Operand(i).Type()))
		}
	}
	return nil
}

// multiplied converts elements without an instruction of the target to f16, which holds all their values.
func (s *scaled) multiplied(v ir.Value) ir.Value {
	if mma.Choose(s.arch, mma.Unscaled(s.op), mma.KExtent(s.op)/int(s.blocks)) != nil {
		return v
	}
	return s.to(arith.FToF, v, s.Context().F16())
}

// The encoding of f8E8M0FNU, and of two bf16 in one word.
const (
	scaleBias = 127
	scaleNaN  = 0xff
	bf16Shift = 7 // where the exponent of a bf16 begins
	highHalf  = 16
)

// operands returns scales in a form in which rows and columns can be multiplied.
//
// A product of two scales of f8E4M3FN or f8E5M3FNU has few digits, so these become f32.
//
// An e8m0 number E means 2^(E-127), from 2^-127 to 2^127. The product of a row's and a column's scale goes from
// 2^-254 to 2^254, beyond f32 on both sides. So each scale is split into two factors with half the exponent.
// Their exponent fields are (E + 127 + up) / 2, rounded down, and add to E + 127. They are between 63 and 191, so
// all are normal. E = 255 is NaN (OCP Microscaling Formats specification, E8M0).
//
// The larger factor comes first for a row and second for a column, so a pair of factors stays in the range of
// f32. The accumulator is multiplied by one pair after the other, and leaves the range only if the result does.
// The two are exchanged as one word of two bf16.
func (s *scaled) operands(scale ir.Value, side int64) ir.Value {
	c := s.Context()
	if f := ir.ElementType(scale.Type()).(*ir.FloatType); f.Format != numeric.F8E8M0FNU {
		return s.to(arith.FToF, scale, c.F32())
	}
	exponent := s.to(arith.ExtUI, s.to(arith.Bitcast, scale, c.Int(8)), c.Int(32))
	half := func(up, shift int64) ir.Value {
		e := s.shift(arith.ShRUI, arith.New(s.Builder, arith.AddI, exponent, s.bits(exponent.Type(), uint64(scaleBias+up))), 1)
		return s.shift(arith.ShLI, e, shift)
	}
	both := arith.New(s.Builder, arith.OrI, half(1-side, highHalf+bf16Shift), half(side, bf16Shift))
	isNaN := arith.NewCmpI(s.Builder, "eq", exponent, s.bits(exponent.Type(), scaleNaN))
	nan := s.bits(both.Type(), numeric.BF16.NaN()<<highHalf)
	return s.Create(arith.Select, []ir.Value{isNaN, nan, both}, []ir.Type{both.Type()}).Result(0)
}

// unpack returns the factors of scales as f32.
func (s *scaled) unpack(v ir.Value) []ir.Value {
	f32 := s.Context().F32()
	if ir.ElementType(v.Type()) == ir.Type(f32) {
		return []ir.Value{v}
	}
	// A bf16 is the upper half of an f32, so a mask and a shift give two f32 from one word.
	high := arith.New(s.Builder, arith.AndI, v, s.bits(v.Type(), 1<<32-1<<highHalf))
	return []ir.Value{s.to(arith.Bitcast, high, f32), s.to(arith.Bitcast, s.shift(arith.ShLI, v, highHalf), f32)}
}

func (s *scaled) shift(def *ir.OpDef, v ir.Value, by int64) ir.Value {
	return arith.New(s.Builder, def, v, s.bits(v.Type(), uint64(by)))
}

// spread repeats the scales of a block, of rows or of columns, for each element of the result. All blocks at once
// would take fewer barriers, but more registers than there are in addition to the accumulators.
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

func (s *scaled) to(def *ir.OpDef, v ir.Value, elem ir.Type) ir.Value {
	return s.Create(def, []ir.Value{v}, []ir.Type{arith.WithElement(v.Type(), elem)}).Result(0)
}

// bits returns the constant, or the tensor of constants, with the bit pattern.
func (s *scaled) bits(t ir.Type, bits uint64) ir.Value {
	return arith.NewConstant(s.Builder, t, arith.OfType(arith.FromBits(ir.ElementType(t), bits), t))
}
