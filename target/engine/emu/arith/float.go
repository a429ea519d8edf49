package arith

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
	"github.com/tilewright/tilewright/target/engine/emu/vector"
)

var floatOps = map[string]decode.Func{
	"add":      func(d *decode.Decoder) { addSub(d, false) },
	"sub":      func(d *decode.Decoder) { addSub(d, true) },
	"fma":      floatFma,
	"min":      decodeMinMax,
	"max":      decodeMinMax,
	"abs":      decodeAbsNeg,
	"neg":      decodeAbsNeg,
	"rcp":      decodeUnaryFloat,
	"sqrt":     decodeUnaryFloat,
	"rsqrt":    decodeUnaryFloat,
	"sin":      decodeUnaryFloat,
	"cos":      decodeUnaryFloat,
	"lg2":      decodeUnaryFloat,
	"ex2":      decodeUnaryFloat,
	"tanh":     decodeUnaryFloat,
	"copysign": decodeCopysign,
	"testp":    decodeTestp,
}

// roundMode consumes a rounding modifier; it defaults to nearest even.
func roundMode(d *decode.Decoder) fp.Rounding {
	return map[string]fp.Rounding{"rz": fp.TowardZero, "rm": fp.Down, "rp": fp.Up}[d.OneOf("rn", "rz", "rm", "rp")]
}

// The type decides, and it comes after the modifiers that depend on it: hence a look ahead instead of a table by
// type.
func addSub(d *decode.Decoder, sub bool) {
	t := d.PeekType()
	if t.Integer() || packedInt(t) != syntax.NoType || t == syntax.B32 || t == syntax.B64 {
		intBinary(d, d.Type(syntax.U16, syntax.U32, syntax.U64, syntax.S16, syntax.S32, syntax.S64, syntax.U16x2, syntax.S16x2, syntax.U8x4, syntax.S8x4, syntax.B32, syntax.B64), sub)
		return
	}
	name := "add"
	if sub {
		name = "sub"
	}
	floatBinary(d, name)
}

// floatBinary decodes the floating-point forms of add, sub and mul.
//
// Addition and multiplication without a rounding mode are to the nearest even; that ptxas may contract them into fma
// then is its business and not a meaning of the PTX.
//
// f16 and bf16 are computed in double and then rounded (fp.Half). A product of two of them is always exact. A sum of
// bf16 with far exponents is not. It is rounded to odd, which keeps the second rounding right.
func floatBinary(d *decode.Decoder, name string) {
	r := roundMode(d)
	ftz, sat := d.Opt("ftz"), d.Opt("sat")
	d.Opt("noftz")
	t := d.Type(syntax.F32, syntax.F64, syntax.F16, syntax.F16x2, syntax.BF16, syntax.BF16x2, syntax.F32x2)
	if t == syntax.F32 {
		if src := d.PeekType(); src == syntax.F16 || src == syntax.BF16 {
			mixed(d, d.Type(), name, r, sat)
			return
		}
	}
	args := d.Args(3)
	dst, a, b := d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], t)
	if hf, packed := halfFormat(t); hf != nil {
		h := fp.Half{Format: hf, Ftz: ftz, Sat: sat, Rounding: r}
		f := map[string]func(a, b uint64) uint64{"add": h.Add, "sub": h.Sub, "mul": h.Mul}[name]
		if packed {
			f = fp.Pair2(f)
		}
		d.Inst.Exec = decode.Map2(dst, a, b, f)
		return
	}
	if t == syntax.F64 {
		d.Inst.Exec = decode.Map2(dst, a, b, binaryF64(name, r))
		return
	}
	f := fp.ModF32{Ftz: ftz, Sat: sat}.Wrap2(binaryF32(name, r))
	if t == syntax.F32x2 {
		d.Inst.Exec = decode.Map2(dst, a, b, func(a, b uint64) uint64 { return f(a&num.Mask(32), b&num.Mask(32)) | f(a>>32, b>>32)<<32 })
		return
	}
	d.Inst.Exec = decode.Full2(dst, a, b, vectors(r, sat, vector.Binary(name, ftz)), decode.Map2(dst, a, b, f))
}

// vectors returns a kernel where it does what an instruction asks for.
func vectors[T vector.Two | vector.Three](r fp.Rounding, sat bool, k T) T {
	if r != fp.Nearest || sat {
		return nil
	}
	return k
}

func binaryF32(name string, r fp.Rounding) func(a, b uint64) uint64 {
	switch name {
	case "add":
		return func(a, b uint64) uint64 { return fp.Canonical(fp.AddF32(fp.Float32(a), fp.Float32(b), r)) }
	case "sub":
		return func(a, b uint64) uint64 { return fp.Canonical(fp.AddF32(fp.Float32(a), -fp.Float32(b), r)) }
	}
	return func(a, b uint64) uint64 { return fp.Canonical(fp.MulF32(fp.Float32(a), fp.Float32(b), r)) }
}

func binaryF64(name string, r fp.Rounding) func(a, b uint64) uint64 {
	switch name {
	case "add":
		return func(a, b uint64) uint64 { return fp.Bits64(fp.AddF64(fp.Float64(a), fp.Float64(b), r)) }
	case "sub":
		return func(a, b uint64) uint64 { return fp.Bits64(fp.AddF64(fp.Float64(a), -fp.Float64(b), r)) }
	}
	return func(a, b uint64) uint64 { return fp.Bits64(fp.MulF64(fp.Float64(a), fp.Float64(b), r)) }
}

// mixed decodes add.f32.f16 and its like: the first source is a half.
//
// The half is widened exactly, so that the operation is that of f32.
func mixed(d *decode.Decoder, t syntax.Type, name string, r fp.Rounding, sat bool) {
	hf, _ := halfFormat(t)
	args := d.Args(3)
	f := fp.ModF32{Ftz: false, Sat: sat}.Wrap2(binaryF32(name, r))
	d.Inst.Exec = decode.Map2(d.Dst(args[0], syntax.F32), d.Src(args[1], t), d.Src(args[2], syntax.F32), func(a, b uint64) uint64 {
		return f(fp.Bits32(float32(hf.Decode(a))), b)
	})
}

// floatFma decodes fma and the floating-point form of mad.
//
// An exact product and sum of doubles would not fit a double, so f64 has an fma of its own; f32 goes through
// one that rounds once in every mode.
func floatFma(d *decode.Decoder) {
	r := roundMode(d)
	ftz, sat, relu := d.Opt("ftz"), d.Opt("sat"), d.Opt("relu")
	oob := d.Opt("oob")
	t := d.Type(syntax.F32, syntax.F64, syntax.F16, syntax.F16x2, syntax.BF16, syntax.BF16x2, syntax.F32x2)
	ab := t
	if t == syntax.F32 {
		if src := d.PeekType(); src == syntax.F16 || src == syntax.BF16 {
			ab = d.Type()
		}
	}
	args := d.Args(4)
	dst, a, b, c := d.Dst(args[0], t), d.Src(args[1], ab), d.Src(args[2], ab), d.Src(args[3], t)
	hf, packed := halfFormat(ab)
	switch {
	case hf != nil && ab == t:
		f := fp.Half{Format: hf, Ftz: ftz, Sat: sat, Relu: relu, Rounding: r}.Fma
		if oob {
			f = zeroOOB(f)
		}
		if packed {
			f = fp.Pair3(f)
		}
		d.Inst.Exec = decode.Map3(dst, a, b, c, f)
	case t == syntax.F64:
		d.Inst.Exec = decode.Map3(dst, a, b, c, func(a, b, c uint64) uint64 {
			return fp.Bits64(fp.FmaF64(fp.Float64(a), fp.Float64(b), fp.Float64(c), r))
		})
	default:
		f := fp.ModF32{Ftz: ftz, Sat: sat}.Wrap3(fmaF32(r))
		switch {
		case hf != nil:
			d.Inst.Exec = decode.Map3(dst, a, b, c, func(a, b, c uint64) uint64 {
				return f(fp.Bits32(float32(hf.Decode(a))), fp.Bits32(float32(hf.Decode(b))), c)
			})
		case t == syntax.F32x2:
			d.Inst.Exec = decode.Map3(dst, a, b, c, func(a, b, c uint64) uint64 {
				return f(a&num.Mask(32), b&num.Mask(32), c&num.Mask(32)) | f(a>>32, b>>32, c>>32)<<32
			})
		default:
			d.Inst.Exec = decode.Full3(dst, a, b, c, vectors(r, sat, vector.FMA(ftz)), decode.Map3(dst, a, b, c, f))
		}
	}
}

func fmaF32(r fp.Rounding) func(a, b, c uint64) uint64 {
	return func(a, b, c uint64) uint64 {
		return fp.Canonical(fp.FmaF32(fp.Float32(a), fp.Float32(b), fp.Float32(c), r))
	}
}

// zeroOOB makes the result of a fused operation on halves zero if a factor is the NaN that stands for elements outside
// of a tensor, see TensorMap.
//
// .oob lets a convolution run over the border of a tensor. The copy fills with a NaN that no arithmetic makes, and the
// multiply-add takes it for zero.
func zeroOOB(f func(a, b, c uint64) uint64) func(a, b, c uint64) uint64 {
	return func(a, b, c uint64) uint64 {
		if a == 0xffff || b == 0xffff {
			return 0
		}
		return f(a, b, c)
	}
}

// floatDiv decodes the floating-point forms of div after their type.
//
// .full has a bound of two ulp and .approx one with exceptions; both give the rounded quotient here, but for the
// exception that the ISA spells out (see DivApprox).
func floatDiv(d *decode.Decoder, t syntax.Type) {
	mode := d.OneOf("approx", "full", "rn", "rz", "rm", "rp")
	r := map[string]fp.Rounding{"rz": fp.TowardZero, "rm": fp.Down, "rp": fp.Up}[mode]
	ftz := d.Opt("ftz")
	args := d.Args(3)
	var f func(a, b uint64) uint64
	switch {
	case mode == "" || t != syntax.F32 && t != syntax.F64:
		d.Fail("'div.%s' needs a rounding mode, .approx or .full, and type .f32 or .f64", t)
	case t == syntax.F64:
		f = func(a, b uint64) uint64 { return fp.Bits64(fp.DivF64(fp.Float64(a), fp.Float64(b), r)) }
	case mode == "approx":
		f = fp.ModF32{Ftz: ftz}.Wrap2(fp.DivApprox)
	default:
		f = fp.ModF32{Ftz: ftz}.Wrap2(func(a, b uint64) uint64 { return fp.Canonical(fp.DivF32(fp.Float32(a), fp.Float32(b), r)) })
	}
	d.Inst.Exec = decode.Map2(d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], t), f)
}

// The sign is that of the first source, the reverse of C's order.
func decodeCopysign(d *decode.Decoder) {
	t := d.Type(syntax.F32, syntax.F64)
	args := d.Args(3)
	sign := uint64(1) << (t.Bits() - 1)
	d.Inst.Exec = decode.Map2(d.Dst(args[0], t), d.Src(args[1], t), d.Src(args[2], t), func(a, b uint64) uint64 { return a&sign | b&^sign })
}
