package numeric

import (
	"math"
	"math/bits"
)

// unpacked is the finite, nonzero value ±sig·2^(exp-63) with bit 63 of sig set.
type unpacked struct {
	negative bool
	exp      int
	sig      uint64
}

// wide is ±(hi:lo)·2^(exp-127). Bit 0 may stand for anything smaller that was discarded; the operations below keep
// enough zero bits above it that the 53-bit result is rounded rightly.
type wide struct {
	negative bool
	exp      int
	hi, lo   uint64
}

func unpack(x float64) unpacked {
	fraction, exp := math.Frexp(x) // |fraction| in [1/2, 1)
	sig := math.Float64bits(fraction)<<11 | 1<<63
	return unpacked{math.Signbit(x), exp - 1, sig}
}

// widen leaves the two top bits free, as addWide needs.
func (u unpacked) widen() wide { return wide{u.negative, u.exp + 2, u.sig >> 2, u.sig << 62} }

// mulWide returns the exact product; the lowest 22 of the 128 bits are zero, so leaving two bits free loses nothing.
func mulWide(a, b unpacked) wide {
	hi, lo := bits.Mul64(a.sig, b.sig)
	return wide{a.negative != b.negative, a.exp + b.exp + 3, hi >> 2, hi<<62 | lo>>2}
}

// addWide returns a + b. Bits are lost only when the exponents are more than 20 apart, where at most two leading
// bits cancel.
func addWide(a, b wide) wide {
	if a.exp < b.exp || a.hi == 0 && a.lo == 0 {
		a, b = b, a
	}
	b.hi, b.lo = shiftRightJam(b.hi, b.lo, a.exp-b.exp)
	if a.negative == b.negative {
		lo, carry := bits.Add64(a.lo, b.lo, 0)
		hi, _ := bits.Add64(a.hi, b.hi, carry)
		return wide{a.negative, a.exp, hi, lo}
	}
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	hi, borrow := bits.Sub64(a.hi, b.hi, borrow)
	if borrow != 0 {
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
		return wide{b.negative, a.exp, hi, lo}
	}
	return wide{a.negative, a.exp, hi, lo}
}

// divWide returns a quotient of at least 63 bits.
func divWide(a, b unpacked) wide {
	q, r := bits.Div64(a.sig>>1, a.sig<<63, b.sig)
	return wide{a.negative != b.negative, a.exp - b.exp, q, min(r, 1)}
}

// sqrtWide returns a root of 64 bits, found bit by bit. Newton's method would be quicker and need a proof of its last
// bit; directed modes of f64 are rare enough for 64 steps.
func sqrtWide(a unpacked) wide {
	shift := 63 + a.exp&1 // so that the exponent of the radicand is even
	hi, lo := a.sig>>1, a.sig<<63
	if shift == 64 {
		hi, lo = a.sig, 0
	}
	var root uint64
	for bit := uint64(1) << 63; bit != 0; bit >>= 1 {
		h, l := bits.Mul64(root|bit, root|bit)
		if h < hi || h == hi && l <= lo {
			root |= bit
		}
	}
	var inexact uint64
	if h, l := bits.Mul64(root, root); h != hi || l != lo {
		inexact = 1
	}
	return wide{false, (a.exp-63-shift)/2 + 63, root, inexact}
}

// shiftRightJam shifts right and sets the last bit if a set bit fell out.
func shiftRightJam(hi, lo uint64, n int) (uint64, uint64) {
	var lost uint64
	switch {
	case n == 0:
		return hi, lo
	case n < 64:
		lost = lo << (64 - n)
		hi, lo = hi>>n, hi<<(64-n)|lo>>n
	case n < 128:
		lost = lo
		if n > 64 {
			lost |= hi << (128 - n)
		}
		hi, lo = 0, hi>>(n-64)
	default:
		lost = hi | lo
		hi, lo = 0, 0
	}
	return hi, lo | min(lost, 1)
}

// roundWide rounds w, which is not zero.
func (s *Spec) roundWide(w wide, env Env) uint64 {
	if w.hi == 0 {
		w.hi, w.lo, w.exp = w.lo, 0, w.exp-64
	}
	n := bits.LeadingZeros64(w.hi)
	sig := w.hi<<n | w.lo>>(64-n)
	return s.round(w.negative, w.exp-n, sig|min(w.lo<<n, 1), env)
}
