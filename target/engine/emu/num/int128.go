package num

import (
	"math/bits"
)

// Int128 is a signed integer of 128 bits.
//
// vmad adds to a product of two values of 33 bits, negated or not, before it shifts and saturates: 64 bits overflow
// at the edges that tests look for.
type Int128 struct {
	hi int64
	Lo uint64
}

// Extend makes 128 bits of 64, by the sign.
func Extend(v int64) Int128 { return Int128{v >> 63, uint64(v)} }

// Mul multiplies a value of 64 bits.
func (x Int128) Mul(v int64) Int128 {
	hi, lo := bits.Mul64(x.Lo, uint64(v))
	if int64(x.Lo) < 0 {
		hi -= uint64(v)
	}
	if v < 0 {
		hi -= x.Lo
	}
	return Int128{int64(hi), lo}
}

func (x Int128) Add(v int64) Int128 {
	lo, carry := bits.Add64(x.Lo, uint64(v), 0)
	return Int128{x.hi + v>>63 + int64(carry), lo}
}

func (x Int128) Neg() Int128 { return Int128{^x.hi, ^x.Lo}.Add(1) }

// Shr shifts right by less than 64 bits.
func (x Int128) Shr(n int) Int128 {
	return Int128{x.hi >> n, x.Lo>>n | uint64(x.hi)<<(64-n)}
}

// Clamp32 saturates to 32 bits.
func (x Int128) Clamp32(signed bool) int64 {
	switch {
	case x.hi > 0 || x.hi == 0 && x.Lo > 1<<62:
		return Clamp(1<<62, 32, signed)
	case x.hi < -1 || x.hi == -1 && int64(x.Lo) >= 0:
		return Clamp(-1<<62, 32, signed)
	}
	return Clamp(int64(x.Lo), 32, signed)
}
