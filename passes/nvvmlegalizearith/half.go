package nvvmlegalizearith

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/scalar"
)

// f16Scale is what the bits of an f4E2M1FN, moved to the place of an f16's, are to be multiplied by, because the formats' biases differ: 2^(15-1).
const f16Scale = 1 << 14

// halfByteToHalf converts an f4E2M1FN to f16.
func halfByteToHalf(b scalar.Builder, x ir.Value) ir.Value {
	i16, f16 := b.Context().Int(16), b.Context().F16()
	bits := b.Cast(arith.ExtUI, b.Cast(arith.Bitcast, x, b.Context().Int(4)), i16)
	sign := b.Op(arith.ShLI, b.Op(arith.AndI, bits, b.Int(i16, 8)), b.Int(i16, 12))
	magnitude := b.Op(arith.ShLI, b.Op(arith.AndI, bits, b.Int(i16, 7)), b.Int(i16, 9))
	return b.Op(arith.MulF, b.Cast(arith.Bitcast, b.Op(arith.OrI, magnitude, sign), f16), b.Float(f16, f16Scale))
}

// toHalfByte rounds an f32 to the nearest f4E2M1FN, or towards zero, saturated; NaN, which the format lacks, becomes the largest number.
//
// The sum with a power of two whose last place is that of the result rounds: 0.5 below 2, 1 below 4, 2 from there on.
func toHalfByte(b scalar.Builder, x ir.Value, t ir.Type, mode string) ir.Value {
	i32, f32 := b.Context().Int(32), b.Context().F32()
	spec := format(t).Spec()
	bits := b.Cast(arith.Bitcast, x, i32)
	magnitude := b.Op(arith.AndI, bits, b.Int(i32, f32Magnitude))
	value := b.Cast(arith.Bitcast, magnitude, f32)
	// rounded returns the pattern of a value whose last place is worth 2^place, given the pattern that counts those places from.
	rounded := func(place, from int64) ir.Value {
		unit := b.Bits(f32, uint64(place+f32Man+f32Bias)<<f32Man)
		places := b.Op(arith.SubI, b.Cast(arith.Bitcast, b.Rounded(mode, arith.AddF, value, unit), i32), b.Cast(arith.Bitcast, unit, i32))
		return b.Op(arith.AddI, places, b.Int(i32, from))
	}
	below := func(x float64) ir.Value {
		return b.CmpI("ult", magnitude, b.Bits(i32, numeric.F32.Encode(x, numeric.Env{})))
	}
	result := b.Select(below(4), rounded(0, 2), rounded(1, 4))
	result = b.Select(below(2), rounded(-1, 0), result)
	result = b.Select(below(6), result, b.Bits(i32, spec.MaxFinite))
	sign := b.Op(arith.AndI, b.Op(arith.ShRUI, bits, b.Int(i32, 28)), b.Int(i32, 8))
	result = b.Op(arith.OrI, result, sign)
	result = b.Select(b.CmpI("ugt", magnitude, b.Int(i32, f32Inf)), b.Bits(i32, spec.NaN), result)
	return b.Cast(arith.Bitcast, b.Cast(arith.TruncI, result, b.Context().Int(4)), t)
}
