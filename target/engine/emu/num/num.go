package num

// ClampSigned saturates v to n bits, signed.
func ClampSigned(v int64, n int) uint64 {
	hi := int64(1)<<(n-1) - 1
	return uint64(max(min(v, hi), -hi-1)) & Mask(n)
}

// Mask returns the ones of an n-bit value.
func Mask(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// SignExtend sign-extends the low n bits of v.
func SignExtend(v uint64, n int) int64 {
	s := 64 - uint(n)
	return int64(v<<s) >> s
}

// Clamp saturates to the range of n bits.
func Clamp(v int64, bits int, signed bool) int64 {
	if signed {
		return max(min(v, 1<<(bits-1)-1), -1<<(bits-1))
	}
	return max(min(v, 1<<bits-1), 0)
}
