package emu

import "math/bits"

// wideInt is a signed integer of 128 bits.
type wideInt struct {
	hi int64
	lo uint64
}

func wide(v int64) wideInt { return wideInt{v >> 63, uint64(v)} }

// mul multiplies a value of 64 bits.
func (x wideInt) mul(v int64) wideInt {
	hi, lo := bits.Mul64(x.lo, uint64(v))
	if int64(x.lo) < 0 {
		hi -= uint64(v)
	}
	if v < 0 {
		hi -= x.lo
	}
	return wideInt{int64(hi), lo}
}

func (x wideInt) add(v int64) wideInt {
	lo, carry := bits.Add64(x.lo, uint64(v), 0)
	return wideInt{x.hi + v>>63 + int64(carry), lo}
}

func (x wideInt) neg() wideInt { return wideInt{^x.hi, ^x.lo}.add(1) }

// shr shifts right by less than 64 bits.
func (x wideInt) shr(n int) wideInt {
	return wideInt{x.hi >> n, x.lo>>n | uint64(x.hi)<<(64-n)}
}

// clamp32 saturates to 32 bits.
func (x wideInt) clamp32(signed bool) int64 {
	switch {
	case x.hi > 0 || x.hi == 0 && x.lo > 1<<62:
		return clampTo(1<<62, 32, signed)
	case x.hi < -1 || x.hi == -1 && int64(x.lo) >= 0:
		return clampTo(-1<<62, 32, signed)
	}
	return clampTo(int64(x.lo), 32, signed)
}
