package legalizearith

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
	"github.com/tilewright/tilewright/target/sm"
)

func (l *legalizer) conversionRules() map[*ir.OpDef]scalar.Rule {
	return map[*ir.OpDef]scalar.Rule{
		arith.SIToFP: l.fromInt, arith.UIToFP: l.fromInt, arith.FPToSI: l.toInt, arith.FPToUI: l.toInt, arith.FToF: l.ftof,
		arith.ExtSI: extendHalf,
	}
}

// fromInt legalizes conversions from integers.
//
//	i1                  select, since cvt does not read predicates
//	i4                  as i16
//	to f16, f32, f64    an instruction
//	i8, i16 elsewhere   exact in f32, so one rounding is left
//	i32 elsewhere       exact in f64
//	i64 elsewhere       f64 rounded to odd: 53 bits, enough for all narrower formats (package doc)
func (l *legalizer) fromInt(b scalar.Builder, op ir.Op) (ir.Value, error) {
	x, to, mode := op.Operand(0), op.Result(0).Type(), op.StringAttr(arith.AttrRounding)
	w, f := ir.BitWidth(x.Type()), format(to)
	if w == 1 {
		one := b.Float(to, 1)
		if op.Is(arith.SIToFP) {
			one = b.Float(to, -1)
		}
		return b.Select(x, one, b.Float(to, 0)), nil
	}
	if w == 4 {
		ext := arith.ExtUI
		if op.Is(arith.SIToFP) {
			ext = arith.ExtSI
		}
		return b.CastRounded(mode, op.Def(), b.Cast(ext, x, b.Context().Int(16)), to), nil
	}
	nearest := mode == "" || mode == "nearest_even"
	switch {
	case f == numeric.F16 || f == numeric.F32 || f == numeric.F64:
		return keep()
	case f == numeric.BF16 && nearest && w > 8 && l.arch.Has(sm.CvtBF16Int):
		return keep()
	case w <= 16:
		return b.CastRounded(mode, arith.FToF, b.Cast(op.Def(), x, b.Context().F32()), to), nil
	}
	wide := b.Cast(op.Def(), x, b.Context().F64())
	if w > 53 {
		wide = oddFromInt(b, op.Def(), x)
	}
	return b.CastRounded(mode, arith.FToF, wide, to), nil
}

// oddFromInt converts a long integer to f64, rounded to odd.
//
// Converted back, an inexact result differs. Rounded to zero it cannot overflow on the way back, which to
// nearest could: 2^63 - 1 becomes 2^63.
func oddFromInt(b scalar.Builder, def *ir.OpDef, x ir.Value) ir.Value {
	back := arith.FPToSI
	if def == arith.UIToFP {
		back = arith.FPToUI
	}
	zero := b.CastRounded("zero", def, x, b.Context().F64())
	return stick(b, zero, b.CmpI("ne", b.Cast(back, zero, x.Type()), x))
}

// stick sets the last bit of v where inexact is true.
//
// An odd last bit says "something lies below", so that the rounding that follows sees no tie where there is
// none.
func stick(b scalar.Builder, v, inexact ir.Value) ir.Value {
	bits := b.Context().Int(ir.BitWidth(v.Type()))
	set := b.Op(arith.OrI, b.Cast(arith.Bitcast, v, bits), b.Cast(arith.ExtUI, inexact, bits))
	return b.Cast(arith.Bitcast, set, v.Type())
}

// toInt legalizes conversions to integers. PTX clamps, but converts NaN to a number other than 0 if 64 bits are
// involved. Without saturation, values that do not fit are undefined, and PTX's clamped number is as good as any.
func (l *legalizer) toInt(b scalar.Builder, op ir.Op) (ir.Value, error) {
	x, to := op.Operand(0), op.Result(0).Type()
	f, w := format(x.Type()), ir.BitWidth(to)
	saturating := op.HasUnitAttr(arith.AttrSaturating)
	cast := b.Cast
	if saturating {
		cast = b.CastSaturating
	}
	switch {
	case f != numeric.F16 && f != numeric.F32 && f != numeric.F64:
		return cast(op.Def(), b.Cast(arith.FToF, x, b.Context().F32()), to), nil
	case w < 16:
		return narrowInt(b, cast(op.Def(), x, b.Context().Int(32)), op, saturating), nil
	case saturating && (f == numeric.F64 || w == 64):
		return b.Select(b.CmpF("uno", x, x), b.Int(to, 0), b.Cast(op.Def(), x, to)), nil
	}
	return keep()
}

// narrowInt truncates an i32, clamped first if asked.
func narrowInt(b scalar.Builder, v ir.Value, op ir.Op, saturating bool) ir.Value {
	to, i32 := op.Result(0).Type(), v.Type()
	if saturating {
		w := numeric.Int(ir.BitWidth(to))
		if op.Is(arith.FPToSI) {
			v = b.Op(arith.MaxSI, v, b.Int(i32, w.Signed(w.MinSigned())))
			v = b.Op(arith.MinSI, v, b.Int(i32, w.Signed(w.MaxSigned())))
		} else {
			v = b.Op(arith.MinUI, v, b.Int(i32, int64(w.Mask())))
		}
	}
	return b.Cast(arith.TruncI, v, to)
}

// ftof legalizes conversions between formats, via f32 if there is no direct one. Widening conversions go up by
// exact steps (8 bits to f16 to f32 to f64). Narrowing ones start from f32, or from f64 via an f32 rounded to
// odd. So only the steps need rules: n formats have n * n pairs.
func (l *legalizer) ftof(b scalar.Builder, op ir.Op) (ir.Value, error) {
	x, t, mode := op.Operand(0), op.Result(0).Type(), op.StringAttr(arith.AttrRounding)
	from, to := format(x.Type()), format(t)
	f32 := b.Context().F32()
	if from == numeric.F8E5M3FNU && (to == numeric.BF16 || to == numeric.TF32 || to == numeric.F64) {
		mode = "" // exact, whatever the mode
	}
	switch {
	case from == to:
		return x, nil
	case from == numeric.F16 && (to == numeric.F32 || to == numeric.F64), from == numeric.F64 && (to == numeric.F32 || to == numeric.F16):
		if mode == "nearest_away" {
			break
		}
		return keep()
	case from == numeric.F32:
		return l.fromF32(b, op)
	case from == numeric.F64:
		return b.CastRounded(mode, arith.FToF, oddToF32(b, x), t), nil
	case from == numeric.F4E2M1FN && to == numeric.F16:
		return halfByteToHalf(b, x), nil
	case to != numeric.F32:
		if direct := l.bytesToHalf(from) && to == numeric.F16; direct {
			return keep()
		}
		return b.CastRounded(mode, arith.FToF, b.Cast(arith.FToF, x, f32), t), nil
	case from == numeric.BF16:
		return keep()
	}
	return l.toF32(b, op)
}

// oddToF32 rounds an f64 to odd.
func oddToF32(b scalar.Builder, x ir.Value) ir.Value {
	zero := b.CastRounded("zero", arith.FToF, x, b.Context().F32())
	return stick(b, zero, b.CmpF("une", b.Cast(arith.FToF, zero, x.Type()), x))
}

// bytesToHalf reports whether the target converts an 8-bit format to f16.
func (l *legalizer) bytesToHalf(f numeric.Format) bool {
	return (f == numeric.F8E4M3FN || f == numeric.F8E5M2) && l.arch.Has(sm.CvtF16FP8)
}
