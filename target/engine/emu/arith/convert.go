package arith

import (
	"math"
	"slices"

	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

var convertOps = map[string]decode.Func{"cvt": decodeCvt}

// conversion holds the modifiers of a cvt.
//
// cvt has more than a hundred pairs of types. Each is a decoding, an operation on a float64 or an integer, and an
// encoding, composed here once when the instruction is decoded.
type conversion struct {
	to, from  syntax.Type
	rnd       fp.Rounding
	integral  bool // .rni and its like
	ftz       bool
	sat       bool
	satfinite bool
	relu      bool
}

// The modifiers decide which of five families it is; what is left over then is rejected by the decoder, so that no
// rounding mode is dropped in silence.
//
// The families, by modifiers and types:
//
//	cvt.pack.sat          two s32 to narrow integers                         decodeCvtPack
//	cvt.rs                random bits decide the rounding                     stochastic
//	cvt...scaled, s2f6    with a scale for each element                       scaled
//	two sources           two f32 packed into one register                    element
//	packed to packed      f16x2 to and from 8-, 6- and 4-bit pairs            element
//	all else              one value                                           scalar
func decodeCvt(d *decode.Decoder) {
	if d.Opt("pack") {
		decodeCvtPack(d)
		return
	}
	var c conversion
	switch r := d.OneOf("rn", "rz", "rm", "rp", "rna", "rs", "rni", "rzi", "rmi", "rpi"); r {
	case "rni", "rzi", "rmi", "rpi":
		c.integral = true
		c.rnd = map[string]fp.Rounding{"rzi": fp.TowardZero, "rmi": fp.Down, "rpi": fp.Up}[r]
	default:
		c.rnd = map[string]fp.Rounding{"rz": fp.TowardZero, "rm": fp.Down, "rp": fp.Up, "rna": fp.Away}[r]
	}
	c.ftz, c.sat, c.satfinite, c.relu = d.Opt("ftz"), d.Opt("sat"), d.Opt("satfinite"), d.Opt("relu")
	scale := d.Opt("scaled::n2::ue8m0")
	c.to, c.from = d.Type(), d.Type()
	switch {
	case slices.Contains(d.Stmt.Mods, "rs"):
		c.stochastic(d)
		return
	case scale || c.to == syntax.S2F6x2 || c.from == syntax.S2F6x2:
		c.scaled(d, scale)
		return
	}
	args := d.Argc(2, 3)
	if len(args) == 3 {
		one := c.element(d, false)
		n := c.to.Bits() / 2
		// The first source becomes the upper half.
		d.Inst.Exec = decode.Map2(d.DstAs(args[0], c.to, true), d.Src(args[1], c.from), d.Src(args[2], c.from), func(a, b uint64) uint64 {
			return one(a)<<n | one(b)
		})
		return
	}
	if isPacked(c.to) || isPacked(c.from) {
		if !isPacked(c.to) || !isPacked(c.from) {
			d.Fail("'cvt' from .%s to .%s needs two sources or does not exist", c.from, c.to)
		}
		one := c.element(d, true)
		n, k := c.to.Bits()/2, c.from.Bits()/2
		d.Inst.Exec = decode.Map1(d.DstAs(args[0], c.to, true), d.SrcAs(args[1], c.from, true), func(a uint64) uint64 {
			return one(a>>k&num.Mask(k))<<n | one(a&num.Mask(k))
		})
		return
	}
	f := c.scalar(d)
	// A wider destination register gets the value extended by its sign.
	if r := args[0].Sym; c.to.Signed() && r != nil && r.Type.Bits() > c.to.Bits() {
		g, wide, n := f, num.Mask(r.Type.Bits()), c.to.Bits()
		f = func(a uint64) uint64 { return uint64(num.SignExtend(g(a), n)) & wide }
	}
	d.Inst.Exec = decode.Map1(d.DstAs(args[0], c.to, true), d.SrcAs(args[1], c.from, true), f)
}

// elementFormats are the formats of the elements of packed types and of
// the scalar floating-point types.
var elementFormats = map[syntax.Type]*fp.Format{
	syntax.F16: fp.F16, syntax.BF16: fp.BF16, syntax.F32: fp.F32, syntax.F64: fp.F64, syntax.TF32: fp.TF32,
	syntax.F16x2: fp.F16, syntax.BF16x2: fp.BF16, syntax.E4M3x2: fp.E4M3, syntax.E5M2x2: fp.E5M2,
	syntax.E2M1x2: fp.E2M1, syntax.E2M3x2: fp.E2M3, syntax.E3M2x2: fp.E3M2,
	syntax.E4M3x4: fp.E4M3, syntax.E5M2x4: fp.E5M2, syntax.E2M3x4: fp.E2M3, syntax.E3M2x4: fp.E3M2, syntax.E2M1x4: fp.E2M1,
}

func isPacked(t syntax.Type) bool {
	switch t {
	case syntax.F16x2, syntax.BF16x2, syntax.E4M3x2, syntax.E5M2x2, syntax.E2M1x2, syntax.E2M3x2, syntax.E3M2x2, syntax.UE8M0x2, syntax.E4M3x4, syntax.E5M2x4, syntax.E2M3x4, syntax.E3M2x4, syntax.E2M1x4, syntax.S2F6x2:
		return true
	}
	return false
}

// element converts one element to the element format of a packed type;
// packed reports whether the source is packed too.
//
// Conversions to 8, 6 and 4 bits must say .satfinite ("cvt"): in most of these formats nothing stands for a
// number that is too large.
func (c conversion) element(d *decode.Decoder, packed bool) func(uint64) uint64 {
	if !isPacked(c.to) || syntax.ElementsOf(c.to) != 2 || packed && syntax.ElementsOf(c.from) != 2 || packed != isPacked(c.from) || !packed && c.from != syntax.F32 {
		d.Fail("'cvt' from .%s to .%s with these sources does not exist", c.from, c.to)
	}
	if c.to == syntax.UE8M0x2 {
		in := elementFormats[c.from]
		return func(v uint64) uint64 { return fp.ToUE8M0(in.Decode(v), c.rnd) }
	}
	if c.from == syntax.UE8M0x2 {
		out := elementFormats[c.to]
		return func(v uint64) uint64 { return out.Round(fp.FromUE8M0(v), fp.Nearest) }
	}
	out := elementFormats[c.to]
	if out.Top != fp.TopIEEE || out == fp.E5M2 {
		if !c.satfinite {
			d.Fail("'cvt' to .%s needs '.satfinite'", c.to)
		}
	}
	return c.toFloat(elementFormats[c.from], out)
}

// scalar converts one value.
//
// tf32 stands in the upper 19 bits of a word, of which the lower 13 are not part of the format: they are zero
// here.
func (c conversion) scalar(d *decode.Decoder) func(uint64) uint64 {
	out, in := elementFormats[c.to], elementFormats[c.from]
	switch {
	case c.to.Integer() && c.from.Integer():
		return c.intToInt()
	case c.to.Integer() && in != nil && c.from != syntax.TF32:
		if !c.integral {
			d.Fail("'cvt' from .%s to .%s needs an integer rounding mode", c.from, c.to)
		}
		return c.floatToInt(in)
	case out != nil && c.from.Integer() && c.to != syntax.TF32:
		return c.intToFloat(out)
	case c.to == syntax.TF32 && c.from == syntax.F32:
		f := c.toFloat(in, out)
		return func(a uint64) uint64 { return f(a) << 13 }
	case out != nil && in != nil && c.to != syntax.TF32 && c.from != syntax.TF32:
		return c.toFloat(in, out)
	}
	d.Fail("'cvt' from .%s to .%s does not exist", c.from, c.to)
	return nil
}

// Without .sat the low bits are kept, sign-extended from the source first: cvt.u64.s8 of -1 is 2^64 - 1.
func (c conversion) intToInt() func(uint64) uint64 {
	n, k := c.from.Bits(), c.to.Bits()
	ones := num.Mask(k)
	signed := c.from.Signed()
	if !c.sat {
		return func(a uint64) uint64 {
			a &= num.Mask(n)
			if signed {
				a = uint64(num.SignExtend(a, n))
			}
			return a & ones
		}
	}
	return func(a uint64) uint64 {
		a &= num.Mask(n)
		neg := signed && num.SignExtend(a, n) < 0
		switch {
		case neg && !c.to.Signed():
			return 0
		case neg:
			return uint64(max(num.SignExtend(a, n), -1<<(k-1))) & ones
		case c.to.Signed():
			return min(a, ones>>1)
		}
		return min(a, ones)
	}
}

// floatToInt rounds to an integer and saturates. NaN gives 0, but when the
// source is f64 or the result has 64 bits, only the top bit is set.
//
// Values out of range saturate also without .sat, and the two results of NaN are those that "cvt" names.
func (c conversion) floatToInt(in *fp.Format) func(uint64) uint64 {
	n := c.to.Bits()
	lo, hi := 0.0, math.Ldexp(1, n)
	low, high := uint64(0), num.Mask(n)
	if c.to.Signed() {
		hi = math.Ldexp(1, n-1)
		lo = -hi
		low, high = 1<<(n-1), num.Mask(n-1)
	}
	return func(a uint64) uint64 {
		x := in.Decode(a & num.Mask(in.Width()))
		if c.ftz && in == fp.F32 {
			x = float64(fp.Float32(fp.Flush(a)))
		}
		x = integral(x, c.rnd)
		switch {
		case x != x && in != fp.F64 && n < 64:
			return 0
		case x != x:
			return 1 << (n - 1)
		case x < lo:
			return low
		case x >= hi:
			return high
		case x < 0:
			return uint64(int64(x)) & num.Mask(n)
		}
		return uint64(x)
	}
}

func integral(x float64, r fp.Rounding) float64 {
	switch r {
	case fp.TowardZero:
		return math.Trunc(x)
	case fp.Down:
		return math.Floor(x)
	case fp.Up:
		return math.Ceil(x)
	}
	return math.RoundToEven(x)
}

// The magnitude goes through Format.Pack as an integer: a double would round 64 bits a first time.
func (c conversion) intToFloat(out *fp.Format) func(uint64) uint64 {
	n := c.from.Bits()
	return func(a uint64) uint64 {
		a &= num.Mask(n)
		neg := c.from.Signed() && num.SignExtend(a, n) < 0
		if neg {
			a = -uint64(num.SignExtend(a, n))
		}
		v := out.Pack(neg, a, 0, c.rnd)
		if c.sat {
			v = c.clamp(v, out)
		}
		return v
	}
}

// toFloat converts between floating-point formats.
//
// The order of the steps is that of the ISA: flush, round to an integer, round to the format, .satfinite, .relu,
// .sat, flush.
func (c conversion) toFloat(in, out *fp.Format) func(uint64) uint64 {
	if in == fp.F32 && out == fp.F32 && !c.integral {
		return func(a uint64) uint64 {
			if c.ftz {
				a = fp.Flush(a)
			}
			if c.sat {
				a = fp.Saturate(a)
			}
			return a
		}
	}
	return func(a uint64) uint64 {
		a &= num.Mask(in.Width())
		if c.ftz && in == fp.F32 {
			a = fp.Flush(a)
		}
		x := in.Decode(a)
		if c.integral {
			x = math.Copysign(integral(x, c.rnd), x)
		}
		v := out.Round(x, c.rnd)
		if c.satfinite {
			v = out.Satfinite(x, v)
		}
		if c.relu && v&out.Sign() != 0 && !out.IsNaN(v) {
			v = 0
		}
		if c.sat {
			v = c.clamp(v, out)
		}
		if c.ftz && out == fp.F32 {
			v = fp.Flush(v)
		}
		return v
	}
}

// clamp saturates to [0, 1]; NaN becomes zero.
//
// -0 becomes +0 as well, since it is not greater than zero.
func (c conversion) clamp(v uint64, out *fp.Format) uint64 {
	switch x := out.Decode(v); {
	case x >= 1:
		return out.Round(1, fp.Nearest)
	case x > 0:
		return v
	}
	return 0
}

// decodeCvtPack decodes cvt.pack.sat: two s32 are saturated to 16, 8, 4 or
// 2 bits and packed, above the low bits of a third operand if there is one.
func decodeCvtPack(d *decode.Decoder) {
	d.Opt("sat")
	to, from := d.Type(syntax.U16, syntax.S16, syntax.U8, syntax.S8, syntax.U4, syntax.S4), d.Type(syntax.S32)
	args := d.Argc(3, 4)
	c := conversion{to: to, from: from, sat: true}
	f, n := c.intToInt(), to.Bits()
	a, b := d.Src(args[1], syntax.S32), d.Src(args[2], syntax.S32)
	rest := d.Const(0)
	if len(args) == 4 {
		d.Type(syntax.B32)
		rest = d.Src(args[3], syntax.B32)
	}
	d.Inst.Exec = decode.Map3(d.Dst(args[0], syntax.B32), a, b, rest, func(a, b, c uint64) uint64 {
		return (c<<(2*n) | f(a)<<n | f(b)) & num.Mask(32)
	})
}
