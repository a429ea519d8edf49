package legalizearith

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
)

// directed are the roundings towards one side.
var directed = map[string]bool{"zero": true, "positive_inf": true, "negative_inf": true}

// toByte rounds an f32 to a format of a byte or half a byte, saturated to the finite values.
//
// A normal result is found by rounding the bits, as in toTF32, and changing the exponent's bias. A subnormal
// result is rounded by an addition in hardware: a number is added whose last place is that of the format's
// subnormals, and its bits are subtracted.
func toByte(b scalar.Builder, x ir.Value, t ir.Type, mode string) ir.Value {
	i32, f32 := b.Context().Int(32), b.Context().F32()
	spec := format(t).Spec()
	bits := b.Cast(arith.Bitcast, x, i32)
	m := magnitude{b: b, bits: b.Op(arith.AndI, bits, b.Int(i32, f32Magnitude)), drop: int64(f32Man - spec.Man)}
	switch mode {
	case "positive_inf":
		m.outward = b.CmpI("sge", bits, b.Int(i32, 0))
	case "negative_inf":
		m.outward = b.CmpI("slt", bits, b.Int(i32, 0))
	}

	rebias := int64(spec.Bias-f32Bias) << f32Man
	sum := b.Op(arith.AddI, b.Op(arith.AddI, m.bits, b.Int(i32, rebias)), m.carry(mode))
	normal := b.Op(arith.ShRUI, sum, b.Int(i32, m.drop))

	smallest := int64(1 - spec.Bias) // exponent of the normal numbers
	unit := b.Bits(f32, uint64(smallest-int64(spec.Man)+f32Man+f32Bias)<<f32Man)
	subnormal := b.Op(arith.SubI, b.Cast(arith.Bitcast, m.plus(unit, mode), i32), b.Cast(arith.Bitcast, unit, i32))

	isNormal := b.CmpI("uge", m.bits, b.Int(i32, (smallest+f32Bias)<<f32Man))
	result := b.Select(isNormal, normal, subnormal)
	// Magnitudes from that of the largest finite value on, infinity included, saturate.
	largest := b.CmpI("uge", m.bits, b.Bits(i32, numeric.F32.Encode(format(t).Decode(spec.MaxFinite), numeric.Env{})))
	result = b.Select(largest, b.Bits(i32, spec.MaxFinite), result)
	result = b.Select(b.CmpI("ugt", m.bits, b.Int(i32, f32Inf)), b.Bits(i32, spec.NaN), result)
	if !spec.Signed { // the magnitude is what remains of a negative number, as in package numeric
		return byteOf(b, result, t)
	}
	width := int64(ir.BitWidth(t))
	sign := b.Op(arith.AndI, b.Op(arith.ShRUI, bits, b.Int(i32, 32-width)), b.Int(i32, 1<<(width-1)))
	sign = b.Select(b.CmpI("ugt", m.bits, b.Int(i32, f32Inf)), b.Int(i32, 0), sign)
	return byteOf(b, b.Op(arith.OrI, result, sign), t)
}

// A magnitude is that of an f32, whose lowest bits are to be dropped.
type magnitude struct {
	b    scalar.Builder
	bits ir.Value
	drop int64
	// outward says whether it grows when something is lost, where the number's sign decides that.
	outward ir.Value
}

// carry returns what is added to the bits so that dropping the lowest ones rounds.
func (m *magnitude) carry(mode string) ir.Value {
	b, i32 := m.b, m.bits.Type()
	below := int64(1)<<m.drop - 1
	switch {
	case mode == "zero":
		return b.Int(i32, 0)
	case !m.outward.IsNil():
		return b.Select(m.outward, b.Int(i32, below), b.Int(i32, 0))
	}
	odd := b.Op(arith.AndI, b.Op(arith.ShRUI, m.bits, b.Int(i32, m.drop)), b.Int(i32, 1))
	return b.Op(arith.AddI, odd, b.Int(i32, below>>1))
}

// plus adds a positive f32 and rounds as the conversion does.
func (m *magnitude) plus(unit ir.Value, mode string) ir.Value {
	b := m.b
	x := b.Cast(arith.Bitcast, m.bits, unit.Type())
	if m.outward.IsNil() {
		return b.Rounded(mode, arith.AddF, x, unit)
	}
	return b.Select(m.outward, b.Rounded("positive_inf", arith.AddF, x, unit), b.Rounded("zero", arith.AddF, x, unit))
}
