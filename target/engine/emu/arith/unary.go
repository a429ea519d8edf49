package arith

import (
	"math"

	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// Signs are changed in the pattern, NaN's too: it is no arithmetic, which would make a NaN canonical. The absolute
// value of the most negative integer is itself.
func decodeAbsNeg(d *decode.Decoder) {
	neg := d.Stmt.Op == "neg"
	ftz := d.Opt("ftz")
	t := d.Type(syntax.F32, syntax.F64, syntax.F16, syntax.F16x2, syntax.BF16, syntax.BF16x2, syntax.S16, syntax.S32, syntax.S64, syntax.S8x4, syntax.S16x2)
	if packedInt(t) != syntax.NoType {
		if !neg {
			d.Fail("type '.%s' is not supported by 'abs'", t)
		}
		args := d.Args(2)
		f := eachPart(packedInt(t), sumInt(packedInt(t), true, false))
		d.Inst.Exec = decode.Map1(d.Dst(args[0], t), d.Src(args[1], t), func(a uint64) uint64 { return f(0, a) })
		return
	}
	args := d.Args(2)
	dst, a := d.Dst(args[0], t), d.Src(args[1], t)
	n := t.Bits()
	var sign uint64 = 1 << (n - 1)
	if _, packed := halfFormat(t); packed {
		sign = 0x80008000
	}
	var f func(a uint64) uint64
	switch {
	case t.Integer() && neg:
		f = func(a uint64) uint64 { return -a & num.Mask(n) }
	case t.Integer():
		f = func(a uint64) uint64 {
			if num.SignExtend(a, n) < 0 {
				a = -a
			}
			return a & num.Mask(n)
		}
	case neg:
		f = func(a uint64) uint64 { return a ^ sign }
	default:
		f = func(a uint64) uint64 { return a &^ sign }
	}
	if hf, packed := halfFormat(t); ftz && hf != nil {
		fl := fp.Half{Format: hf}.Flush
		if packed {
			fl = fp.Pair1(fl)
		}
		g := f
		f = func(a uint64) uint64 { return g(fl(a)) }
	} else if ftz {
		g := f
		f = func(a uint64) uint64 { return g(fp.Flush(a)) }
	}
	d.Inst.Exec = decode.Map1(dst, a, f)
}

// approxF32 are the approximate functions of one f32.
//
// The approximations are computed in double and rounded to f32, which is inside every bound that the ISA
// states; docs/STATUS.md says what that hides.
var approxF32 = map[string]func(a uint64) uint64{
	"rcp": fp.RcpApprox, "sqrt": fp.SqrtApprox, "rsqrt": fp.RsqrtApprox, "sin": fp.SinApprox, "cos": fp.CosApprox,
	"lg2": fp.Lg2Approx, "ex2": fp.Ex2Approx, "tanh": fp.TanhApprox,
}

// A rounding mode or .approx must be there, as the ISA has no default for these.
func decodeUnaryFloat(d *decode.Decoder) {
	op := d.Stmt.Op
	approx := d.Opt("approx")
	ftz := d.Opt("ftz")
	rounded := d.OneOf("rn", "rz", "rm", "rp")
	r := map[string]fp.Rounding{"rz": fp.TowardZero, "rm": fp.Down, "rp": fp.Up}[rounded]
	t := d.Type(syntax.F32, syntax.F64, syntax.F16, syntax.F16x2, syntax.BF16, syntax.BF16x2)
	if approx == (rounded != "") || rounded != "" && op != "rcp" && op != "sqrt" {
		d.Fail("'%s' needs .approx or a rounding mode that it supports", op)
	}
	args := d.Args(2)
	dst, a := d.Dst(args[0], t), d.Src(args[1], t)
	f := approxF32[op]
	hf, packed := halfFormat(t)
	switch {
	case hf != nil:
		if op != "ex2" && op != "tanh" {
			d.Fail("type '.%s' is not supported by '%s'", t, op)
		}
		h := fp.Half{Format: hf, Ftz: ftz}
		fn := map[string]func(float64) float64{"ex2": math.Exp2, "tanh": math.Tanh}[op]
		f = func(a uint64) uint64 { return h.Out(fn(h.In(a))) }
		if packed {
			f = fp.Pair1(f)
		}
	case t == syntax.F64:
		f = unaryF64(op, approx, ftz, r)
		if f == nil {
			d.Fail("type '.%s' is not supported by '%s'", t, op)
		}
	default:
		if !approx && op == "rcp" {
			f = func(a uint64) uint64 { return fp.Canonical(fp.DivF32(1, fp.Float32(a), r)) }
		} else if !approx {
			f = func(a uint64) uint64 { return fp.Canonical(fp.SqrtF32(fp.Float32(a), r)) }
		}
		f = fp.ModF32{Ftz: ftz}.Wrap1(f)
	}
	d.Inst.Exec = decode.Map1(dst, a, f)
}

// rcp.approx.ftz.f64 is a gross approximation: of the upper word of the operand, 20 bits of the mantissa
// ("rcp.approx.ftz.f64").
func unaryF64(op string, approx, ftz bool, r fp.Rounding) func(a uint64) uint64 {
	switch op {
	case "rcp":
		if approx {
			// The hardware keeps only the upper half of operand and result.
			return func(a uint64) uint64 { return fp.Bits64(1/fp.Float64(a&^num.Mask(32))) &^ num.Mask(32) }
		}
		return func(a uint64) uint64 { return fp.Bits64(fp.DivF64(1, fp.Float64(a), r)) }
	case "sqrt":
		return func(a uint64) uint64 { return fp.Bits64(fp.SqrtF64(fp.Float64(a), r)) }
	case "rsqrt":
		return func(a uint64) uint64 {
			x := fp.Float64(a)
			if ftz && math.Abs(x) < 0x1p-1022 { // the least normal number
				x = math.Copysign(0, x)
			}
			return fp.Bits64(fp.Rsqrt(x))
		}
	}
	return nil
}
