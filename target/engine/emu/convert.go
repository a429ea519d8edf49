package emu

import (
	"math"
	"slices"
)

var convertOps = map[string]decodeFn{"cvt": decodeCvt}

// conversion holds the modifiers of a cvt.
type conversion struct {
	to, from  scalar
	rnd       rounding
	integral  bool // .rni and its like
	ftz       bool
	sat       bool
	satfinite bool
	relu      bool
}

func decodeCvt(d *decoder) {
	if d.opt("pack") {
		decodeCvtPack(d)
		return
	}
	var c conversion
	switch r := d.oneOf("rn", "rz", "rm", "rp", "rna", "rs", "rni", "rzi", "rmi", "rpi"); r {
	case "rni", "rzi", "rmi", "rpi":
		c.integral = true
		c.rnd = map[string]rounding{"rzi": rnZero, "rmi": rnDown, "rpi": rnUp}[r]
	default:
		c.rnd = map[string]rounding{"rz": rnZero, "rm": rnDown, "rp": rnUp, "rna": rnAway}[r]
	}
	c.ftz, c.sat, c.satfinite, c.relu = d.opt("ftz"), d.opt("sat"), d.opt("satfinite"), d.opt("relu")
	scale := d.opt("scaled::n2::ue8m0")
	c.to, c.from = d.typ(), d.typ()
	switch {
	case slices.Contains(d.s.mods, "rs"):
		c.stochastic(d)
		return
	case scale || c.to == tS2F6x2 || c.from == tS2F6x2:
		c.scaled(d, scale)
		return
	}
	args := d.argc(2, 3)
	if len(args) == 3 {
		one := c.element(d, false)
		n := c.to.bits() / 2
		// The first source becomes the upper half.
		d.in.exec = map2(d.dstAs(args[0], c.to, true), d.src(args[1], c.from), d.src(args[2], c.from), func(a, b uint64) uint64 {
			return one(a)<<n | one(b)
		})
		return
	}
	if isPacked(c.to) || isPacked(c.from) {
		if !isPacked(c.to) || !isPacked(c.from) {
			d.failInst("'cvt' from .%s to .%s needs two sources or does not exist", c.from, c.to)
		}
		one := c.element(d, true)
		n, k := c.to.bits()/2, c.from.bits()/2
		d.in.exec = map1(d.dstAs(args[0], c.to, true), d.srcAs(args[1], c.from, true), func(a uint64) uint64 {
			return one(a>>k&mask(k))<<n | one(a&mask(k))
		})
		return
	}
	f := c.scalar(d)
	// A wider destination register gets the value extended by its sign.
	if r := args[0].sym; c.to.signed() && r != nil && r.typ.bits() > c.to.bits() {
		g, wide, n := f, mask(r.typ.bits()), c.to.bits()
		f = func(a uint64) uint64 { return uint64(sext(g(a), n)) & wide }
	}
	d.in.exec = map1(d.dstAs(args[0], c.to, true), d.srcAs(args[1], c.from, true), f)
}

// elementFormats are the formats of the elements of packed types and of
// the scalar floating-point types.
var elementFormats = map[scalar]*format{
	tF16: fmtF16, tBF16: fmtBF16, tF32: fmtF32, tF64: fmtF64, tTF32: fmtTF32,
	tF16x2: fmtF16, tBF16x2: fmtBF16, tE4M3x2: fmtE4M3, tE5M2x2: fmtE5M2,
	tE2M1x2: fmtE2M1, tE2M3x2: fmtE2M3, tE3M2x2: fmtE3M2,
	tE4M3x4: fmtE4M3, tE5M2x4: fmtE5M2, tE2M3x4: fmtE2M3, tE3M2x4: fmtE3M2, tE2M1x4: fmtE2M1,
}

func isPacked(t scalar) bool {
	switch t {
	case tF16x2, tBF16x2, tE4M3x2, tE5M2x2, tE2M1x2, tE2M3x2, tE3M2x2, tUE8M0x2, tE4M3x4, tE5M2x4, tE2M3x4, tE3M2x4, tE2M1x4, tS2F6x2:
		return true
	}
	return false
}

// element converts one element to the element format of a packed type;
// packed tells whether the source is packed too.
func (c conversion) element(d *decoder, packed bool) func(uint64) uint64 {
	if !isPacked(c.to) || elementsOf(c.to) != 2 || packed && elementsOf(c.from) != 2 || packed != isPacked(c.from) || !packed && c.from != tF32 {
		d.failInst("'cvt' from .%s to .%s with these sources does not exist", c.from, c.to)
	}
	if c.to == tUE8M0x2 {
		in := elementFormats[c.from]
		return func(v uint64) uint64 { return toUE8M0(in.decode(v), c.rnd) }
	}
	if c.from == tUE8M0x2 {
		out := elementFormats[c.to]
		return func(v uint64) uint64 { return out.round(fromUE8M0(v), rnNearest) }
	}
	out := elementFormats[c.to]
	if out.top != topIEEE || out == fmtE5M2 {
		if !c.satfinite {
			d.failInst("'cvt' to .%s needs '.satfinite'", c.to)
		}
	}
	return c.toFloat(elementFormats[c.from], out)
}

// toUE8M0 converts to the exponent-only format: 2^(v-127), 0xff is NaN.
// Rounding is towards zero or towards infinity; out-of-range values
// saturate.
func toUE8M0(x float64, r rounding) uint64 {
	x = math.Abs(x)
	switch {
	case x != x:
		return 0xff
	case math.IsInf(x, 0):
		return 0xfe
	case x == 0:
		return 0
	}
	frac, e := math.Frexp(x) // x = frac * 2^e, 0.5 <= frac < 1
	e--
	if r == rnUp && frac > 0.5 {
		e++
	}
	return uint64(min(max(e+127, 0), 0xfe))
}

func fromUE8M0(v uint64) float64 {
	if v == 0xff {
		return math.NaN()
	}
	return math.Ldexp(1, int(v)-127)
}

// scalar converts one value.
func (c conversion) scalar(d *decoder) func(uint64) uint64 {
	out, in := elementFormats[c.to], elementFormats[c.from]
	switch {
	case c.to.integer() && c.from.integer():
		return c.intToInt()
	case c.to.integer() && in != nil && c.from != tTF32:
		if !c.integral {
			d.failInst("'cvt' from .%s to .%s needs an integer rounding mode", c.from, c.to)
		}
		return c.floatToInt(in)
	case out != nil && c.from.integer() && c.to != tTF32:
		return c.intToFloat(out)
	case c.to == tTF32 && c.from == tF32:
		f := c.toFloat(in, out)
		return func(a uint64) uint64 { return f(a) << 13 }
	case out != nil && in != nil && c.to != tTF32 && c.from != tTF32:
		return c.toFloat(in, out)
	}
	d.failInst("'cvt' from .%s to .%s does not exist", c.from, c.to)
	return nil
}

func (c conversion) intToInt() func(uint64) uint64 {
	n, k := c.from.bits(), c.to.bits()
	ones := mask(k)
	signed := c.from.signed()
	if !c.sat {
		return func(a uint64) uint64 {
			a &= mask(n)
			if signed {
				a = uint64(sext(a, n))
			}
			return a & ones
		}
	}
	return func(a uint64) uint64 {
		a &= mask(n)
		neg := signed && sext(a, n) < 0
		switch {
		case neg && !c.to.signed():
			return 0
		case neg:
			return uint64(max(sext(a, n), -1<<(k-1))) & ones
		case c.to.signed():
			return min(a, ones>>1)
		}
		return min(a, ones)
	}
}

// floatToInt rounds to an integer and saturates. NaN gives 0, but when the
// source is f64 or the result has 64 bits, only the top bit is set.
func (c conversion) floatToInt(in *format) func(uint64) uint64 {
	n := c.to.bits()
	lo, hi := 0.0, math.Ldexp(1, n)
	low, high := uint64(0), mask(n)
	if c.to.signed() {
		hi = math.Ldexp(1, n-1)
		lo = -hi
		low, high = 1<<(n-1), mask(n-1)
	}
	return func(a uint64) uint64 {
		x := in.decode(a & mask(in.width()))
		if c.ftz && in == fmtF32 {
			x = float64(f32from(flush(a)))
		}
		x = integral(x, c.rnd)
		switch {
		case x != x && in != fmtF64 && n < 64:
			return 0
		case x != x:
			return 1 << (n - 1)
		case x < lo:
			return low
		case x >= hi:
			return high
		case x < 0:
			return uint64(int64(x)) & mask(n)
		}
		return uint64(x)
	}
}

func integral(x float64, r rounding) float64 {
	switch r {
	case rnZero:
		return math.Trunc(x)
	case rnDown:
		return math.Floor(x)
	case rnUp:
		return math.Ceil(x)
	}
	return math.RoundToEven(x)
}

func (c conversion) intToFloat(out *format) func(uint64) uint64 {
	n := c.from.bits()
	return func(a uint64) uint64 {
		a &= mask(n)
		neg := c.from.signed() && sext(a, n) < 0
		if neg {
			a = -uint64(sext(a, n))
		}
		v := out.pack(neg, a, 0, c.rnd)
		if c.sat {
			v = c.clamp(v, out)
		}
		return v
	}
}

// toFloat converts between floating-point formats.
func (c conversion) toFloat(in, out *format) func(uint64) uint64 {
	if in == fmtF32 && out == fmtF32 && !c.integral {
		return func(a uint64) uint64 {
			if c.ftz {
				a = flush(a)
			}
			if c.sat {
				a = clamp01(a)
			}
			return a
		}
	}
	return func(a uint64) uint64 {
		a &= mask(in.width())
		if c.ftz && in == fmtF32 {
			a = flush(a)
		}
		x := in.decode(a)
		if c.integral {
			x = math.Copysign(integral(x, c.rnd), x)
		}
		v := out.round(x, c.rnd)
		if c.satfinite {
			v = out.satfinite(x, v)
		}
		if c.relu && v&out.sign() != 0 && !out.isNaN(v) {
			v = 0
		}
		if c.sat {
			v = c.clamp(v, out)
		}
		if c.ftz && out == fmtF32 {
			v = flush(v)
		}
		return v
	}
}

// satfinite is v, or the largest finite number for what overflows.
func (f *format) satfinite(x float64, v uint64) uint64 {
	if x != x {
		if f.top == topNumber { // no NaN: the largest positive number
			return f.largest()
		}
		return v
	}
	over := f.top != topNumber && v&^f.sign() == f.infinity()
	if over {
		return v&f.sign() | f.largest()
	}
	return v
}

// clamp saturates to [0, 1]; NaN becomes zero.
func (c conversion) clamp(v uint64, out *format) uint64 {
	switch x := out.decode(v); {
	case x >= 1:
		return out.round(1, rnNearest)
	case x > 0:
		return v
	}
	return 0
}

// decodeCvtPack decodes cvt.pack.sat: two s32 are saturated to 16, 8, 4 or
// 2 bits and packed, above the low bits of a third operand if there is one.
func decodeCvtPack(d *decoder) {
	d.opt("sat")
	to, from := d.typ(tU16, tS16, tU8, tS8, tU4, tS4), d.typ(tS32)
	args := d.argc(3, 4)
	c := conversion{to: to, from: from, sat: true}
	f, n := c.intToInt(), to.bits()
	a, b := d.src(args[1], tS32), d.src(args[2], tS32)
	rest := d.konst(0)
	if len(args) == 4 {
		d.typ(tB32)
		rest = d.src(args[3], tB32)
	}
	d.in.exec = map3(d.dst(args[0], tB32), a, b, rest, func(a, b, c uint64) uint64 {
		return (c<<(2*n) | f(a)<<n | f(b)) & mask(32)
	})
}
