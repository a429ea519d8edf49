package arith

import (
	"math"

	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// randomBits is how many random bits each element of a stochastic
// conversion uses ("cvt", the figures of the layout of rbits).
func randomBits(t syntax.Type) int {
	if t == syntax.F16x2 {
		return 13
	}
	return 16
}

// stochastic decodes cvt.rs. Rounding towards zero would drop a fraction of the last place. If that and the random
// bits, as a fraction of one, add up to one, the magnitude is rounded up. The ISA gives only where the random bits
// stand in rbits. That they are aligned to the top of what is dropped follows from their number for f16 and bf16, and
// is taken to hold for the narrower formats.
func (c conversion) stochastic(d *decode.Decoder) {
	out, four := elementFormats[c.to], false
	switch c.to {
	case syntax.F16x2, syntax.BF16x2:
	case syntax.E4M3x4, syntax.E5M2x4, syntax.E2M3x4, syntax.E3M2x4, syntax.E2M1x4:
		if four = true; !c.satfinite {
			d.Fail("'cvt' to .%s needs '.satfinite'", c.to)
		}
	default:
		out = nil
	}
	if out == nil || c.from != syntax.F32 || c.ftz || c.sat {
		d.Fail("'cvt.rs' from .%s to .%s does not exist", c.from, c.to)
	}
	n := randomBits(c.to)
	one := func(v, random uint64) uint64 {
		return c.finish(fp.F32.Decode(v), out, out.RoundRandom(fp.F32.Decode(v), random&num.Mask(n), n))
	}
	if !four {
		args := d.Args(4)
		d.Inst.Exec = decode.Map3(d.Dst(args[0], c.to), d.Src(args[1], syntax.F32), d.Src(args[2], syntax.F32), d.Src(args[3], syntax.B32), func(a, b, r uint64) uint64 {
			return one(a, r>>16)<<16 | one(b, r)
		})
		return
	}
	args := d.Args(3)
	var values [4]machine.Src
	for i, o := range d.Elements(args[1], 4) {
		values[i] = d.Src(o, syntax.F32)
	}
	dst, random := d.Dst(args[0], c.to), d.Src(args[2], syntax.B32)
	width, nibbles := c.to.Bits()/4, c.to == syntax.E2M1x4
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		for m != 0 {
			i := machine.Next(&m)
			r := w.Lanes(random)[i]
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
				v = v<<width | one(w.Lanes(s)[i], bits)
			}
			w.Reg(dst)[i] = v
		}
	}
}

// finish applies .satfinite and .relu to the rounded value v of x.
func (c conversion) finish(x float64, out *fp.Format, v uint64) uint64 {
	if c.satfinite {
		v = out.Satfinite(x, v)
	}
	if c.relu && v&out.Sign() != 0 && !out.IsNaN(v) {
		v = 0
	}
	return v
}

// scaled decodes the conversions with a scale factor for each element. Conversions to bf16x2 multiply by it.
// Conversions to the fixed-point s2f6x2 divide by it, those from it multiply.
//
// s2f6 is two's complement with 6 bits after the point: from -2 to 127/64 in steps of 1/64. 0x7f7f is a factor of one
// for both elements: the exponent 127 of ue8m0.
func (c conversion) scaled(d *decode.Decoder, scale bool) {
	down := c.to == syntax.S2F6x2
	if down && (c.from != syntax.F32 && c.from != syntax.BF16x2 || !c.satfinite) || !down && (c.to != syntax.BF16x2 || elementFormats[c.from] == nil && c.from != syntax.S2F6x2 || !isPacked(c.from) || c.from == syntax.UE8M0x2 || c.from.Bits() > 16) ||
		c.rnd != fp.Nearest || c.ftz || c.sat {
		d.Fail("'cvt' from .%s to .%s with these modifiers does not exist", c.from, c.to)
	}
	n := 2
	if c.from == syntax.F32 {
		n++
	}
	factor := d.Const(0x7f7f)
	if scale {
		n++
	}
	args := d.Args(n)
	if scale {
		factor = d.Src(args[n-1], syntax.B16)
	}
	in, k := elementFormats[c.from], c.from.Bits()/2
	one := func(v, f uint64) uint64 {
		switch {
		case c.from == syntax.S2F6x2:
			x := float64(num.SignExtend(v, 8)) / 64 * fp.FromUE8M0(f&0xff)
			return c.finish(x, fp.BF16, fp.BF16.Round(x, fp.Nearest))
		case !down:
			x := in.Decode(v) * fp.FromUE8M0(f&0xff)
			return c.finish(x, fp.BF16, fp.BF16.Round(x, fp.Nearest))
		}
		x := math.RoundToEven(in.Decode(v) / fp.FromUE8M0(f&0xff) * 64)
		switch {
		case x != x || x > 127:
			return 127
		case c.relu && x < 0:
			return 0
		}
		return uint64(int64(max(x, -128))) & 0xff
	}
	width := c.to.Bits() / 2
	if c.from == syntax.F32 {
		d.Inst.Exec = decode.Map3(d.Dst(args[0], c.to), d.Src(args[1], syntax.F32), d.Src(args[2], syntax.F32), factor, func(a, b, f uint64) uint64 {
			return one(a, f>>8)<<width | one(b, f)
		})
		return
	}
	d.Inst.Exec = decode.Map2(d.Dst(args[0], c.to), d.Src(args[1], c.from), factor, func(a, f uint64) uint64 {
		return one(a>>k&num.Mask(k), f>>8)<<width | one(a&num.Mask(k), f)
	})
}
