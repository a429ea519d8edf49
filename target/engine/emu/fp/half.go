package fp

import (
	"math"

	"github.com/tilewright/tilewright/target/engine/emu/num"
)

// Half describes the arithmetic of f16 or bf16: operands become float64 values, and the result is rounded once.
//
// Binary64 holds products of halves exactly, and a sum of them rounded to odd is as good as exact. So two decoders and
// two encoders are all of the arithmetic. Tables of 65536 entries for unary functions were not worth the cache that
// they take from the rest.
type Half struct {
	Format *Format
	Ftz    bool
	Sat    bool // clamp to [0, 1]
	// Relu clamps negative results to 0 and NaN to the canonical one.
	Relu     bool
	Rounding Rounding
}

// In decodes; without .ftz, subnormals are kept, as halves have by default.
func (h Half) In(v uint64) float64 {
	if h.Ftz && v&(num.Mask(h.Format.ExponentBits)<<h.Format.MantissaBits) == 0 {
		v &= h.Format.Sign()
	}
	if h.Format == BF16 {
		return float64(Float32(v << 16))
	}
	return DecodeF16(v)
}

// DecodeF16 converts an f16 pattern.
func DecodeF16(v uint64) float64 {
	if v&0x7c00 == 0x7c00 {
		if v&1023 != 0 {
			return math.NaN()
		}
		return math.Inf(1 - 2*int(v>>15&1))
	}
	// With the fields moved to where binary64 has them, only the bias of the
	// exponent is off, also for subnormal numbers.
	return Float64(v&0x8000<<48|v&0x7fff<<42) * 0x1p1008
}

// RoundF16 is F16.round to nearest even. See nearestNormal.
//
// It is on the path of every multiply-add of halves and of every accumulator of mma. Bound to its format, it compiles
// to a dozen instructions, where Format.round has to load the parameters.
func RoundF16(x float64) uint64 {
	const rebias, drop = (1023 - 15) << 52, 52 - 10
	b := Bits64(x)
	m := b &^ (1 << 63)
	if m >= rebias+1<<52 {
		if m = (m - rebias + (1<<(drop-1) - 1) + m>>drop&1) >> drop; m < 0x7c00 {
			return m | b>>63<<15
		}
	}
	return F16.Round(x, Nearest)
}

// roundBF16 is BF16.round to nearest even.
func roundBF16(x float64) uint64 {
	const rebias, drop = (1023 - 127) << 52, 52 - 7
	b := Bits64(x)
	m := b &^ (1 << 63)
	if m >= rebias+1<<52 {
		if m = (m - rebias + (1<<(drop-1) - 1) + m>>drop&1) >> drop; m < 0x7f80 {
			return m | b>>63<<15
		}
	}
	return BF16.Round(x, Nearest)
}

// Out rounds once and then clamps: .sat is to [0, 1] with NaN as zero, .relu to the numbers not below zero with NaN
// kept.
func (h Half) Out(x float64) uint64 {
	if !(h.Ftz || h.Sat || h.Relu) && h.Rounding == Nearest {
		if h.Format == F16 {
			return RoundF16(x)
		}
		return roundBF16(x)
	}
	v := h.Format.Round(x, h.Rounding)
	sign := h.Format.Sign()
	if h.Ftz && v&(num.Mask(h.Format.ExponentBits)<<h.Format.MantissaBits) == 0 {
		v &= sign
	}
	if h.Sat {
		switch {
		case x >= 1:
			v = h.Format.Round(1, Nearest)
		case !(x > 0):
			v = 0
		}
	}
	if h.Relu && v&sign != 0 && !h.Format.IsNaN(v) {
		v = 0
	}
	return v
}

func (h Half) Add(a, b uint64) uint64 { return h.Out(addOdd(h.In(a), h.In(b))) }
func (h Half) Sub(a, b uint64) uint64 { return h.Out(addOdd(h.In(a), -h.In(b))) }
func (h Half) Mul(a, b uint64) uint64 { return h.Out(h.In(a) * h.In(b)) }

// Fma is exact up to its rounding: the product has at most 22 bits.
func (h Half) Fma(a, b, c uint64) uint64 { return h.Out(fmaOdd(h.In(a), h.In(b), h.In(c))) }

// MinMax is that of the format with .ftz.
func (h Half) MinMax(greatest, nan, xorsign bool) func(a, b uint64) uint64 {
	f := h.Format.MinMax(greatest, nan, xorsign)
	if h.Ftz {
		return func(a, b uint64) uint64 { return f(h.Flush(a), h.Flush(b)) }
	}
	return f
}

func (h Half) Flush(v uint64) uint64 {
	if v&(num.Mask(h.Format.ExponentBits)<<h.Format.MantissaBits) == 0 {
		return v & h.Format.Sign()
	}
	return v
}

// Pair1 lifts functions of one half to both halves of a packed register.
func Pair1(f func(a uint64) uint64) func(a uint64) uint64 {
	return func(a uint64) uint64 { return f(a&0xffff) | f(a>>16)<<16 }
}

// The halves of a packed register do not know of each other, so that packed forms are the plain ones twice.
func Pair2(f func(a, b uint64) uint64) func(a, b uint64) uint64 {
	return func(a, b uint64) uint64 { return f(a&0xffff, b&0xffff) | f(a>>16, b>>16)<<16 }
}

func Pair3(f func(a, b, c uint64) uint64) func(a, b, c uint64) uint64 {
	return func(a, b, c uint64) uint64 {
		return f(a&0xffff, b&0xffff, c&0xffff) | f(a>>16, b>>16, c>>16)<<16
	}
}
