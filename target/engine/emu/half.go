package emu

import "math"

// half describes the arithmetic of f16 or bf16: operands become float64
// values, and the result is rounded once.
type half struct {
	f   *format
	ftz bool
	sat bool // clamp to [0, 1]
	// relu clamps negative results to 0 and NaN to the canonical one.
	relu bool
	rnd  rounding
}

func (h half) in(v uint64) float64 {
	if h.ftz && v&(mask(h.f.ebits)<<h.f.mbits) == 0 {
		v &= h.f.sign()
	}
	if h.f == fmtBF16 {
		return float64(f32from(v << 16))
	}
	return decodeF16(v)
}

// decodeF16 converts an f16 pattern.
func decodeF16(v uint64) float64 {
	if v&0x7c00 == 0x7c00 {
		if v&1023 != 0 {
			return math.NaN()
		}
		return math.Inf(1 - 2*int(v>>15&1))
	}
	// With the fields moved to where binary64 has them, only the bias of the
	// exponent is off, also for subnormal numbers.
	return f64from(v&0x8000<<48|v&0x7fff<<42) * 0x1p1008
}

// roundF16 is fmtF16.round to nearest even. See nearestNormal.
func roundF16(x float64) uint64 {
	const rebias, drop = (1023 - 15) << 52, 52 - 10
	b := f64bits(x)
	m := b &^ (1 << 63)
	if m >= rebias+1<<52 {
		if m = (m - rebias + (1<<(drop-1) - 1) + m>>drop&1) >> drop; m < 0x7c00 {
			return m | b>>63<<15
		}
	}
	return fmtF16.round(x, rnNearest)
}

// roundBF16 is fmtBF16.round to nearest even.
func roundBF16(x float64) uint64 {
	const rebias, drop = (1023 - 127) << 52, 52 - 7
	b := f64bits(x)
	m := b &^ (1 << 63)
	if m >= rebias+1<<52 {
		if m = (m - rebias + (1<<(drop-1) - 1) + m>>drop&1) >> drop; m < 0x7f80 {
			return m | b>>63<<15
		}
	}
	return fmtBF16.round(x, rnNearest)
}

func (h half) out(x float64) uint64 {
	if !(h.ftz || h.sat || h.relu) && h.rnd == rnNearest {
		if h.f == fmtF16 {
			return roundF16(x)
		}
		return roundBF16(x)
	}
	v := h.f.round(x, h.rnd)
	sign := h.f.sign()
	if h.ftz && v&(mask(h.f.ebits)<<h.f.mbits) == 0 {
		v &= sign
	}
	if h.sat {
		switch {
		case x >= 1:
			v = h.f.round(1, rnNearest)
		case !(x > 0):
			v = 0
		}
	}
	if h.relu && v&sign != 0 && !h.f.isNaN(v) {
		v = 0
	}
	return v
}

func (h half) add(a, b uint64) uint64    { return h.out(addOdd(h.in(a), h.in(b))) }
func (h half) sub(a, b uint64) uint64    { return h.out(addOdd(h.in(a), -h.in(b))) }
func (h half) mul(a, b uint64) uint64    { return h.out(h.in(a) * h.in(b)) }
func (h half) fma(a, b, c uint64) uint64 { return h.out(fmaOdd(h.in(a), h.in(b), h.in(c))) }

// minMax is minMaxF32 for a half format.
func (h half) minMax(greatest, nan, xorsign bool) func(a, b uint64) uint64 {
	s := h.f.sign()
	return func(a, b uint64) uint64 {
		if h.ftz {
			a, b = h.flush(a), h.flush(b)
		}
		var sign uint64
		if xorsign {
			sign = (a ^ b) & s
			a, b = a&^s, b&^s
		}
		an, bn := h.f.isNaN(a), h.f.isNaN(b)
		switch {
		case an && bn || nan && (an || bn):
			return h.f.nan
		case an:
			return b | sign
		case bn:
			return a | sign
		}
		if less(a, b, s) == greatest {
			a = b
		}
		return a | sign
	}
}

func (h half) flush(v uint64) uint64 {
	if v&(mask(h.f.ebits)<<h.f.mbits) == 0 {
		return v & h.f.sign()
	}
	return v
}

// pair lifts functions of one half to both halves of a packed register.
func pair1(f func(a uint64) uint64) func(a uint64) uint64 {
	return func(a uint64) uint64 { return f(a&0xffff) | f(a>>16)<<16 }
}

func pair2(f func(a, b uint64) uint64) func(a, b uint64) uint64 {
	return func(a, b uint64) uint64 { return f(a&0xffff, b&0xffff) | f(a>>16, b>>16)<<16 }
}

func pair3(f func(a, b, c uint64) uint64) func(a, b, c uint64) uint64 {
	return func(a, b, c uint64) uint64 {
		return f(a&0xffff, b&0xffff, c&0xffff) | f(a>>16, b>>16, c>>16)<<16
	}
}

// halfFormat returns the element format of a half type, or nil.
func halfFormat(t scalar) (f *format, packed bool) {
	switch t {
	case tF16:
		return fmtF16, false
	case tF16x2:
		return fmtF16, true
	case tBF16:
		return fmtBF16, false
	case tBF16x2:
		return fmtBF16, true
	}
	return nil, false
}
