package legalizearith

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
	"github.com/tilewright/tilewright/target/sm"
)

// The fields of f32.
const (
	f32Man       = 23
	f32Bias      = 127
	f32Inf       = 0xff << f32Man
	f32Magnitude = 1<<31 - 1 // all bits but the sign
)

// fromF32 legalises conversions from f32.
func (l *legalizer) fromF32(b scalar.Builder, op ir.Op) (ir.Value, error) {
	mode := op.StringAttr(arith.AttrRounding)
	nearest := mode == "" || mode == "nearest_even"
	switch to := format(op.Result(0).Type()); to {
	case numeric.F16, numeric.BF16, numeric.F64:
		if mode != "nearest_away" {
			return keep()
		}
	case numeric.TF32:
		if mode == "nearest_away" || nearest && l.arch.Has(sm.CvtRNTF32) {
			return keep()
		}
		return toTF32(b, op, mode)
	case numeric.F8E5M3FNU:
		if nearest || directed[mode] {
			return toByte(b, op.Operand(0), op.Result(0).Type(), mode), nil
		}
	case numeric.F8E4M3FN, numeric.F8E5M2, numeric.F4E2M1FN:
		if nearest && to != numeric.F4E2M1FN && l.arch.Has(sm.CvtFP8F32) {
			return keep()
		}
		if nearest || directed[mode] {
			return toByte(b, op.Operand(0), op.Result(0).Type(), mode), nil
		}
	case numeric.F8E8M0FNU:
		if mode == "zero" || mode == "positive_inf" {
			return toExponent(b, op.Operand(0), op.Result(0).Type(), mode), nil
		}
	}
	if mode == "" {
		mode = "nearest_even"
	}
	return ir.Value{}, op.Errorf("from '%s' to '%s' with rounding '%s' is not supported",
		ir.TypeString(op.Operand(0).Type()), ir.TypeString(op.Result(0).Type()), mode)
}

// toTF32 rounds an f32 to the upper 19 bits. An addition to the bits lets a carry step into the exponent, which
// is right up to infinity.
//
// The 13 bits below are dropped: add 0xfff, and 1 more if the last kept bit is set; then mask.
//
//	...0 | 1000000000000 + 0xfff  -> no carry: a tie goes down to the even one
//	...1 | 1000000000000 + 0x1000 -> carry: a tie goes up to the even one
func toTF32(b scalar.Builder, op ir.Op, mode string) (ir.Value, error) {
	x, t := op.Operand(0), op.Result(0).Type()
	i32 := b.Context().Int(32)
	drop := int64(numeric.TF32.Spec().Pad)
	below := int64(1)<<drop - 1
	bits := b.Cast(arith.Bitcast, x, i32)
	add := b.Int(i32, 0)
	negative := func() ir.Value { return b.CmpI("slt", bits, b.Int(i32, 0)) }
	switch mode {
	case "", "nearest_even":
		odd := b.Op(arith.AndI, b.Op(arith.ShRUI, bits, b.Int(i32, drop)), b.Int(i32, 1))
		// Half a step less one, and one more if the last kept bit is set: a tie then carries exactly if that
		// makes it even.
		add = b.Op(arith.AddI, odd, b.Int(i32, below>>1))
	case "positive_inf":
		add = b.Select(negative(), add, b.Int(i32, below))
	case "negative_inf":
		add = b.Select(negative(), b.Int(i32, below), add)
	case "zero":
	default:
		return ir.Value{}, op.Errorf("with rounding '%s' is not supported", mode)
	}
	rounded := b.Op(arith.AndI, b.Op(arith.AddI, bits, add), b.Int(i32, ^below))
	// A NaN with all of its payload in the dropped bits would become infinity, and a full payload would carry
	// into the sign.
	rounded = b.Select(b.CmpF("uno", x, x), b.Bits(i32, numeric.TF32.NaN()), rounded)
	return b.Cast(arith.Bitcast, rounded, t), nil
}

func byteOf(b scalar.Builder, bits ir.Value, t ir.Type) ir.Value {
	return b.Cast(arith.Bitcast, b.Cast(arith.TruncI, bits, b.Context().Int(ir.BitWidth(t))), t)
}

// toExponent rounds the magnitude of an f32 to a power of two: its exponent field, or the next one. The smallest
// power, 2^-127, is subnormal in f32, so numbers between it and the next one round by half the step.
//
//	f32    s eeeeeeee mmmmm...     e8m0 is e, plus one if rounding up and m != 0: m + 0x7fffff carries exactly then
func toExponent(b scalar.Builder, x ir.Value, t ir.Type, mode string) ir.Value {
	i32 := b.Context().Int(32)
	spec := format(t).Spec()
	magnitude := b.Op(arith.AndI, b.Cast(arith.Bitcast, x, i32), b.Int(i32, f32Magnitude))
	sum := magnitude
	if mode == "positive_inf" {
		subnormal := b.CmpI("ult", magnitude, b.Int(i32, 1<<f32Man))
		sum = b.Op(arith.AddI, magnitude, b.Select(subnormal, b.Int(i32, 1<<(f32Man-1)-1), b.Int(i32, 1<<f32Man-1)))
	}
	result := b.Op(arith.MinUI, b.Op(arith.ShRUI, sum, b.Int(i32, f32Man)), b.Bits(i32, spec.MaxFinite))
	nan := b.CmpI("ugt", magnitude, b.Int(i32, f32Inf))
	return byteOf(b, b.Select(nan, b.Bits(i32, spec.NaN), result), t)
}

// toF32 legalizes exact conversions to f32.
func (l *legalizer) toF32(b scalar.Builder, op ir.Op) (ir.Value, error) {
	x, f32 := op.Operand(0), b.Context().F32()
	i32 := b.Context().Int(32)
	switch from := format(x.Type()); from {
	case numeric.TF32:
		// The low bits are not part of the value.
		pad := int64(1)<<from.Spec().Pad - 1
		return b.Cast(arith.Bitcast, b.Op(arith.AndI, b.Cast(arith.Bitcast, x, i32), b.Int(i32, ^pad)), f32), nil
	case numeric.F8E4M3FN, numeric.F8E5M2:
		half := b.Context().F16()
		if l.bytesToHalf(from) {
			return b.Cast(arith.FToF, b.Cast(arith.FToF, x, half), f32), nil
		}
		return b.Cast(arith.FToF, byteToHalf(b, x), f32), nil
	case numeric.F4E2M1FN:
		return b.Cast(arith.FToF, halfByteToHalf(b, x), f32), nil
	case numeric.F8E5M3FNU:
		// The bits, moved to the place of an f32's, have another bias and are scaled by the difference, subnormal
		// ones too.
		bits := b.Cast(arith.ExtUI, b.Cast(arith.Bitcast, x, b.Context().Int(8)), i32)
		spec := from.Spec()
		moved := b.Cast(arith.Bitcast, b.Op(arith.ShLI, bits, b.Int(i32, int64(f32Man-spec.Man))), f32)
		value := b.Op(arith.MulF, moved, b.Bits(f32, uint64(2*f32Bias-spec.Bias)<<f32Man))
		return b.Select(b.CmpI("eq", bits, b.Bits(i32, from.NaN())), b.Bits(f32, numeric.F32.NaN()), value), nil
	case numeric.F8E8M0FNU:
		bits := b.Cast(arith.ExtUI, b.Cast(arith.Bitcast, x, b.Context().Int(8)), i32)
		value := b.Op(arith.ShLI, bits, b.Int(i32, f32Man))
		// 2^-127 is subnormal in f32, so that shifting its exponent of 0 would give zero: it is the highest bit of
		// the fraction.
		value = b.Select(b.CmpI("eq", bits, b.Int(i32, 0)), b.Int(i32, 1<<(f32Man-1)), value)
		value = b.Select(b.CmpI("eq", bits, b.Bits(i32, from.NaN())), b.Bits(i32, numeric.F32.NaN()), value)
		return b.Cast(arith.Bitcast, value, f32), nil
	}
	return ir.Value{}, op.Errorf("from '%s' to 'f32' is not supported", ir.TypeString(x.Type()))
}

// byteToHalf converts an 8-bit float to f16. f8E5M2 is the upper half of an f16. The bits of f8E4M3FN, moved to
// the place of an f16's, have another bias and are scaled by the difference.
func byteToHalf(b scalar.Builder, x ir.Value) ir.Value {
	i16, f16 := b.Context().Int(16), b.Context().F16()
	bits := b.Cast(arith.ExtUI, b.Cast(arith.Bitcast, x, b.Context().Int(8)), i16)
	if format(x.Type()) == numeric.F8E5M2 {
		return b.Cast(arith.Bitcast, b.Op(arith.ShLI, bits, b.Int(i16, 8)), f16)
	}
	sign := b.Op(arith.ShLI, b.Op(arith.AndI, bits, b.Int(i16, 0x80)), b.Int(i16, 8))
	low := b.Op(arith.AndI, bits, b.Int(i16, 0x7f))
	magnitude := b.Op(arith.ShLI, low, b.Int(i16, 7))
	nan := b.CmpI("eq", low, b.Int(i16, 0x7f))
	// 2^8 is the difference of the biases 15 and 7. As a multiplication it also normalises subnormal numbers, and it
	// is exact.
	scaled := b.Op(arith.MulF, b.Cast(arith.Bitcast, b.Op(arith.OrI, magnitude, sign), f16), b.Float(f16, 256))
	return b.Select(nan, b.Bits(f16, numeric.F16.NaN()), scaled)
}
