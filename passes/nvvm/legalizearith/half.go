package legalizearith

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
)

// f16Scale is what the bits of an f4E2M1FN, moved to the place of an f16's, are to be multiplied by, because the
// formats' biases differ: 2^(15-1).
const f16Scale = 1 << 14

// halfByteToHalf converts an f4E2M1FN to f16.
//
//	e2m1       s ee m
//	f16        s 000ee m000000000     with the bias 15 instead of 1: too small by 2^14, subnormal numbers alike
func halfByteToHalf(b scalar.Builder, x ir.Value) ir.Value {
	i16, f16 := b.Context().Int(16), b.Context().F16()
	bits := b.Cast(arith.ExtUI, b.Cast(arith.Bitcast, x, b.Context().Int(4)), i16)
	sign := b.Op(arith.ShLI, b.Op(arith.AndI, bits, b.Int(i16, 8)), b.Int(i16, 12))
	magnitude := b.Op(arith.ShLI, b.Op(arith.AndI, bits, b.Int(i16, 7)), b.Int(i16, 9))
	return b.Op(arith.MulF, b.Cast(arith.Bitcast, b.Op(arith.OrI, magnitude, sign), f16), b.Float(f16, f16Scale))
}

// extendHalf legalizes the sign extension of half a byte: (x xor 8) - 8.
func extendHalf(b scalar.Builder, op ir.Op) (ir.Value, error) {
	x, to := op.Operand(0), op.Result(0).Type()
	if ir.BitWidth(x.Type()) != 4 {
		return keep()
	}
	i16 := b.Context().Int(16)
	v := b.Op(arith.SubI, b.Op(arith.XOrI, b.Cast(arith.ExtUI, x, i16), b.Int(i16, 8)), b.Int(i16, 8))
	switch w := ir.BitWidth(to); {
	case w < 16:
		return b.Cast(arith.TruncI, v, to), nil
	case w > 16:
		return b.Cast(arith.ExtSI, v, to), nil
	}
	return v, nil
}
