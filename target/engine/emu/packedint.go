package emu

// packedInt is the type of the elements of a packed integer type, or tNone.
func packedInt(t scalar) scalar {
	switch t {
	case tU16x2:
		return tU16
	case tS16x2:
		return tS16
	case tU8x4:
		return tU8
	case tS8x4:
		return tS8
	}
	return tNone
}

// sumInt adds or subtracts; sat clamps to the range of the type.
func sumInt(t scalar, sub, sat bool) func(a, b uint64) uint64 {
	n := t.bits()
	value := func(v uint64) int64 {
		if t.signed() {
			return sext(v, n)
		}
		return int64(v)
	}
	return func(a, b uint64) uint64 {
		x, y := value(a), value(b)
		if sub {
			y = -y
		}
		if x += y; sat {
			x = clampTo(x, n, t.signed())
		}
		return uint64(x) & mask(n)
	}
}

// eachPart applies f to the elements of packed 32-bit values.
func eachPart(t scalar, f func(a, b uint64) uint64) func(a, b uint64) uint64 {
	n := t.bits()
	return func(a, b uint64) (out uint64) {
		for at := 0; at < 32; at += n {
			out |= f(a>>at&mask(n), b>>at&mask(n)) << at
		}
		return out
	}
}
