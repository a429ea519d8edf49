package numeric

import (
	"fmt"
	"math"
)

// Format names a floating-point format. The zero value is none.
type Format uint8

// The element types of Tile IR.
const (
	F16 Format = iota + 1
	BF16
	TF32 // 19 bits; a pattern is an f32 pattern whose low 13 bits are ignored on reading and zero on writing
	F32
	F64
	F8E4M3FN
	F8E5M2
	F8E8M0FNU
	F4E2M1FN
	F8E5M3FNU // spelled fnv8E5M3FNU in Tile IR
	numFormats
)

// Spec describes a format. With E the exponent field and M the mantissa field, a finite pattern is worth
// (1+M/2^Man)·2^(E-Bias), or (M/2^Man)·2^(1-Bias) when E is 0 and the format has subnormals.
type Spec struct {
	Name      string
	Exp, Man  int
	Bias      int
	Pad       int    // unused low bits of the container
	Signed    bool   // has a sign bit, above the exponent
	Subnormal bool   // E = 0 means subnormal or zero
	HasInf    bool   // Inf is an infinity
	HasNaN    bool   // NaN is a NaN
	Saturate  bool   // overflow yields MaxFinite in every mode
	MaxFinite uint64 // magnitude patterns, without Pad and sign
	Inf       uint64
	NaN       uint64 // canonical; every magnitude above Inf (above MaxFinite without Inf) is a NaN
}

var specs = [numFormats]Spec{
	F16:      ieee("f16", 5, 10),
	BF16:     ieee("bf16", 8, 7),
	TF32:     padded(ieee("tf32", 8, 10), 13),
	F32:      ieee("f32", 8, 23),
	F64:      ieee("f64", 11, 52),
	F8E4M3FN: {Name: "f8E4M3FN", Exp: 4, Man: 3, Bias: 7, Signed: true, Subnormal: true, HasNaN: true, Saturate: true, MaxFinite: 0x7e, NaN: 0x7f},
	F8E5M2: {Name: "f8E5M2", Exp: 5, Man: 2, Bias: 15, Signed: true, Subnormal: true, HasInf: true, HasNaN: true, Saturate: true,
		MaxFinite: 0x7b, Inf: 0x7c, NaN: 0x7f},
	F8E8M0FNU: {Name: "f8E8M0FNU", Exp: 8, Bias: 127, HasNaN: true, Saturate: true, MaxFinite: 0xfe, NaN: 0xff},
	F4E2M1FN:  {Name: "f4E2M1FN", Exp: 2, Man: 1, Bias: 1, Signed: true, Subnormal: true, Saturate: true, MaxFinite: 7, NaN: 7},
	F8E5M3FNU: {Name: "fnv8E5M3FNU", Exp: 5, Man: 3, Bias: 15, Subnormal: true, HasNaN: true, Saturate: true, MaxFinite: 0xfe, NaN: 0xff},
}

func ieee(name string, exp, man int) Spec {
	inf := (uint64(1)<<exp - 1) << man
	return Spec{
		Name: name, Exp: exp, Man: man, Bias: 1<<(exp-1) - 1,
		Signed: true, Subnormal: true, HasInf: true, HasNaN: true,
		MaxFinite: inf - 1, Inf: inf, NaN: inf | 1<<(man-1),
	}
}

func padded(s Spec, pad int) Spec {
	s.Pad = pad
	return s
}

// Formats lists every format.
func Formats() []Format {
	list := make([]Format, 0, numFormats-1)
	for f := Format(1); f < numFormats; f++ {
		list = append(list, f)
	}
	return list
}

// ParseFormat returns the format that Tile IR spells name.
func ParseFormat(name string) (Format, bool) {
	for f := Format(1); f < numFormats; f++ {
		if specs[f].Name == name {
			return f, true
		}
	}
	return 0, false
}

// Valid reports whether f is one of the formats above. Every other method needs a valid format.
func (f Format) Valid() bool { return f > 0 && f < numFormats }

// Spec returns the description of f.
func (f Format) Spec() Spec { return specs[f] }

func (f Format) String() string {
	if !f.Valid() {
		return fmt.Sprintf("format(%d)", uint8(f))
	}
	return specs[f].Name
}

// Bits is the width of a pattern in its container: 32 for TF32, 4 for F4E2M1FN.
func (f Format) Bits() int {
	s := &specs[f]
	n := s.Exp + s.Man + s.Pad
	if s.Signed {
		n++
	}
	return n
}

// Precision is the number of significant bits, the implicit one included.
func (f Format) Precision() int { return specs[f].Man + 1 }

// signBit is the mask of the sign in a pattern, 0 for unsigned formats.
func (s *Spec) signBit() uint64 {
	if !s.Signed {
		return 0
	}
	return 1 << (s.Exp + s.Man + s.Pad)
}

// split returns the magnitude without padding and whether the sign is set.
func (s *Spec) split(b uint64) (magnitude uint64, negative bool) {
	sign := s.signBit()
	return b >> s.Pad & (1<<(s.Exp+s.Man) - 1), b&sign != 0
}

// join is the inverse of split; it drops a sign that the format cannot hold.
func (s *Spec) join(magnitude uint64, negative bool) uint64 {
	magnitude <<= s.Pad
	if negative {
		magnitude |= s.signBit()
	}
	return magnitude
}

// NaN returns the canonical NaN, or the stand-in of a format that has none.
func (f Format) NaN() uint64 { return specs[f].join(specs[f].NaN, false) }

// Inf returns the infinity of the given sign, or the largest finite value where there is none.
func (f Format) Inf(negative bool) uint64 {
	s := &specs[f]
	if !s.HasInf {
		return s.join(s.MaxFinite, negative)
	}
	return s.join(s.Inf, negative)
}

// MaxFinite returns the finite value of the given sign that is farthest from zero.
func (f Format) MaxFinite(negative bool) uint64 {
	s := &specs[f]
	return s.join(s.MaxFinite, negative)
}

// Zero returns the zero of the given sign; for F8E8M0FNU, which has none, the smallest value.
func (f Format) Zero(negative bool) uint64 { return specs[f].join(0, negative) }

// IsNaN reports whether b is a NaN.
func (f Format) IsNaN(b uint64) bool {
	s := &specs[f]
	m, _ := s.split(b)
	return s.HasNaN && m > max(s.MaxFinite, s.Inf)
}

// IsInf reports whether b is an infinity.
func (f Format) IsInf(b uint64) bool {
	s := &specs[f]
	m, _ := s.split(b)
	return s.HasInf && m == s.Inf
}

// IsZero reports whether b is a zero of either sign.
func (f Format) IsZero(b uint64) bool {
	s := &specs[f]
	m, _ := s.split(b)
	return s.Subnormal && m == 0
}

// IsSubnormal reports whether b is subnormal and not zero.
func (f Format) IsSubnormal(b uint64) bool {
	s := &specs[f]
	m, _ := s.split(b)
	return s.Subnormal && m != 0 && m < 1<<s.Man
}

// Signbit reports whether the sign of b is set.
func (f Format) Signbit(b uint64) bool { return b&specs[f].signBit() != 0 }

// Decode returns the value of b. It is exact, except that every NaN becomes the canonical one.
func (f Format) Decode(b uint64) float64 {
	switch f {
	case F64:
		return canonical(math.Float64frombits(b))
	case F32:
		return canonical(float64(math.Float32frombits(uint32(b))))
	case BF16:
		return canonical(float64(math.Float32frombits(uint32(b << 16))))
	case F16:
		if e := b & 0x7c00; e != 0 && e != 0x7c00 {
			return math.Float64frombits(b&0x8000<<48 | b&0x7fff<<42 + (1023-15)<<52)
		}
	case F8E4M3FN:
		return e4m3Values[b&0xff]
	case F8E5M2:
		return e5m2Values[b&0xff]
	}
	return specs[f].decode(b)
}

func canonical(x float64) float64 {
	if x != x {
		return math.NaN()
	}
	return x
}

// The 8-bit formats of MMA operands are decoded by table.
var e4m3Values, e5m2Values = values(F8E4M3FN), values(F8E5M2)

func values(f Format) (list [256]float64) {
	for b := range list {
		list[b] = specs[f].decode(uint64(b))
	}
	return list
}

func (s *Spec) decode(b uint64) float64 {
	m, negative := s.split(b)
	var x float64
	switch {
	case m > s.MaxFinite:
		if !s.HasInf || m != s.Inf {
			return math.NaN()
		}
		x = math.Inf(1)
	case m >= 1<<s.Man || !s.Subnormal:
		x = math.Float64frombits(m<<(52-s.Man) + uint64(1023-s.Bias)<<52)
	default:
		x = float64(m) * math.Float64frombits(uint64(1023+1-s.Bias-s.Man)<<52)
	}
	if negative {
		x = -x
	}
	return x
}
