package intrange

import "math/bits"

// wide is an integer of 128 bits in two's complement, which holds every sum, product and shift of two integers of 64
// bits, signed or not.
type wide struct {
	hi int64
	lo uint64
}

func fromSigned(v int64) wide    { return wide{v >> 63, uint64(v)} }
func fromUnsigned(v uint64) wide { return wide{0, v} }
func (a wide) less(b wide) bool  { return a.hi < b.hi || a.hi == b.hi && a.lo < b.lo }
func (a wide) negate() wide      { return wide{}.sub(a) }
func (a wide) isNegative() bool  { return a.hi < 0 }
func minWide(a, b wide) wide     { return pick(b.less(a), b, a) }
func maxWide(a, b wide) wide     { return pick(a.less(b), b, a) }
func pick(c bool, a, b wide) wide {
	if c {
		return a
	}
	return b
}

func (a wide) add(b wide) wide {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(uint64(a.hi), uint64(b.hi), carry)
	return wide{int64(hi), lo}
}

func (a wide) sub(b wide) wide {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	hi, _ := bits.Sub64(uint64(a.hi), uint64(b.hi), borrow)
	return wide{int64(hi), lo}
}

// mul multiplies numbers whose magnitudes are at most 2^64.
func (a wide) mul(b wide) wide {
	negative := a.isNegative() != b.isNegative()
	if a.isNegative() {
		a = a.negate()
	}
	if b.isNegative() {
		b = b.negate()
	}
	hi, lo := bits.Mul64(a.lo, b.lo)
	p := wide{int64(hi), lo}
	if negative {
		p = p.negate()
	}
	return p
}

// shl shifts left by less than 64.
func (a wide) shl(n uint64) wide {
	if n == 0 {
		return a
	}
	return wide{a.hi<<n | int64(a.lo>>(64-n)), a.lo << n}
}

// shr shifts right, rounding down, by at most 64.
func (a wide) shr(n uint64) wide {
	switch {
	case n == 0:
		return a
	case n == 64:
		return wide{a.hi >> 63, uint64(a.hi)}
	}
	return wide{a.hi >> n, a.lo>>n | uint64(a.hi)<<(64-n)}
}
