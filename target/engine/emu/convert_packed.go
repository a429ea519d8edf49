package emu

import "math"

// randomBits is how many random bits each element of a stochastic
// conversion uses ("cvt", the figures of the layout of rbits).
func randomBits(t scalar) int {
	if t == tF16x2 {
		return 13
	}
	return 16
}

// stochastic decodes cvt.rs: the magnitude is rounded up when the part that
// rounding towards zero would drop, as a fraction of the last place, and the
// random bits, as a fraction of one, add up to one. The ISA gives only where
// the random bits stand in rbits; that they are aligned to the top of what is
// dropped follows from their number for f16 and bf16, and is taken to hold
// for the narrower formats.
func (c conversion) stochastic(d *decoder) {
	out, four := elementFormats[c.to], false
	switch c.to {
	case tF16x2, tBF16x2:
	case tE4M3x4, tE5M2x4, tE2M3x4, tE3M2x4, tE2M1x4:
		if four = true; !c.satfinite {
			d.failInst("'cvt' to .%s needs '.satfinite'", c.to)
		}
	default:
		out = nil
	}
	if out == nil || c.from != tF32 || c.ftz || c.sat {
		d.failInst("'cvt.rs' from .%s to .%s does not exist", c.from, c.to)
	}
	n := randomBits(c.to)
	one := func(v, random uint64) uint64 {
		return c.finish(fmtF32.decode(v), out, out.roundRandom(fmtF32.decode(v), random&mask(n), n))
	}
	if !four {
		args := d.args(4)
		d.in.exec = map3(d.dst(args[0], c.to), d.src(args[1], tF32), d.src(args[2], tF32), d.src(args[3], tB32), func(a, b, r uint64) uint64 {
			return one(a, r>>16)<<16 | one(b, r)
		})
		return
	}
	args := d.args(3)
	var values [4]src
	for i, o := range d.elements(args[1], 4) {
		values[i] = d.src(o, tF32)
	}
	dst, random := d.dst(args[0], c.to), d.src(args[2], tB32)
	width, nibbles := c.to.bits()/4, c.to == tE2M1x4
	d.in.exec = func(w *warp, m uint32) {
		for m != 0 {
			i := next(&m)
			r := w.lanes(random)[i]
			high, low := r>>16, r
			if nibbles { // bytes of both halves
				high, low = r>>16&0xff00|r>>8&0xff, r>>8&0xff00|r&0xff
			}
			var v uint64
			for k, s := range values {
				bits := high
				if k >= 2 {
					bits = low
				}
				v = v<<width | one(w.lanes(s)[i], bits)
			}
			w.reg(dst)[i] = v
		}
	}
}

// roundRandom rounds x, of at most 24 bits, with n random bits.
func (f *format) roundRandom(x float64, random uint64, n int) uint64 {
	v := f.round(x, rnZero)
	if x != x || math.IsInf(x, 0) {
		return f.round(x, rnNearest)
	}
	low := v &^ f.sign()
	ulp := f.decode(1)
	if low >= 1<<f.mbits {
		ulp = f.decode(low&^mask(f.mbits)) / float64(uint64(1)<<f.mbits)
	}
	if (math.Abs(x)-f.decode(low))/ulp+math.Ldexp(float64(random), -n) < 1 {
		return v
	}
	if low == f.largest() {
		return v&f.sign() | f.infinity()
	}
	return v + 1
}

// finish applies .satfinite and .relu to the rounded value v of x.
func (c conversion) finish(x float64, out *format, v uint64) uint64 {
	if c.satfinite {
		v = out.satfinite(x, v)
	}
	if c.relu && v&out.sign() != 0 && !out.isNaN(v) {
		v = 0
	}
	return v
}

// scaled decodes the conversions with a scale factor for each element: to
// bf16x2, by which the values are multiplied, and to and from the fixed-point
// s2f6x2, which is made of values divided by it.
func (c conversion) scaled(d *decoder, scale bool) {
	down := c.to == tS2F6x2
	if down && (c.from != tF32 && c.from != tBF16x2 || !c.satfinite) || !down && (c.to != tBF16x2 || elementFormats[c.from] == nil && c.from != tS2F6x2 || !isPacked(c.from) || c.from == tUE8M0x2 || c.from.bits() > 16) ||
		c.rnd != rnNearest || c.ftz || c.sat {
		d.failInst("'cvt' from .%s to .%s with these modifiers does not exist", c.from, c.to)
	}
	n := 2
	if c.from == tF32 {
		n++
	}
	factor := d.konst(0x7f7f)
	if scale {
		n++
	}
	args := d.args(n)
	if scale {
		factor = d.src(args[n-1], tB16)
	}
	in, k := elementFormats[c.from], c.from.bits()/2
	one := func(v, f uint64) uint64 {
		switch {
		case c.from == tS2F6x2:
			x := float64(sext(v, 8)) / 64 * fromUE8M0(f&0xff)
			return c.finish(x, fmtBF16, fmtBF16.round(x, rnNearest))
		case !down:
			x := in.decode(v) * fromUE8M0(f&0xff)
			return c.finish(x, fmtBF16, fmtBF16.round(x, rnNearest))
		}
		x := math.RoundToEven(in.decode(v) / fromUE8M0(f&0xff) * 64)
		switch {
		case x != x || x > 127:
			return 127
		case c.relu && x < 0:
			return 0
		}
		return uint64(int64(max(x, -128))) & 0xff
	}
	width := c.to.bits() / 2
	if c.from == tF32 {
		d.in.exec = map3(d.dst(args[0], c.to), d.src(args[1], tF32), d.src(args[2], tF32), factor, func(a, b, f uint64) uint64 {
			return one(a, f>>8)<<width | one(b, f)
		})
		return
	}
	d.in.exec = map2(d.dst(args[0], c.to), d.src(args[1], c.from), factor, func(a, f uint64) uint64 {
		return one(a>>k&mask(k), f>>8)<<width | one(a&mask(k), f)
	})
}
