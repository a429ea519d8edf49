package kernel

import (
	"math"

	"github.com/tilewright/tilewright/ir/numeric"
)

// f16 and bf16 are computed in f32. With 24 >= 2p+2 bits, rounding a sum, difference, product or quotient a second time
// yields the correctly rounded result (Figueroa, "When is double rounding innocuous?", SIGNUM Newsletter 1995).

// chunk is how many elements are converted at a time.
const chunk = 256

// halfBinary returns the kernel that applies op to elements of f16 or bf16.
//
// Chunks go through the stack, so that conversion and operation are loops of their own, which the compiler keeps free
// of checks.
func halfBinary(op byte, f numeric.Format) Binary {
	return func(out, a, b []uint64) {
		var xs, ys [chunk]float32
		for len(out) > 0 {
			n := min(chunk, len(out))
			x, y := xs[:n], ys[:n]
			decodeHalf(f, x, a)
			decodeHalf(f, y, b)
			halfOp(op, x, y)
			if f == numeric.F16 {
				encodeF16(out[:n], x)
			} else {
				encodeBF16(out[:n], x)
			}
			out, a, b = out[n:], a[n:], b[n:]
		}
	}
}

// halfOp combines y into x.
func halfOp(op byte, x, y []float32) {
	y = y[:len(x)]
	switch op {
	case '+':
		for i := range x {
			x[i] += y[i]
		}
	case '-':
		for i := range x {
			x[i] -= y[i]
		}
	case '*':
		for i := range x {
			x[i] *= y[i]
		}
	default:
		for i := range x {
			x[i] /= y[i]
		}
	}
}

// decodeHalf decodes elements of f16 or bf16.
func decodeHalf(f numeric.Format, dst []float32, src []uint64) {
	if f == numeric.F16 {
		decodeF16(dst, src)
	} else {
		decodeBF16(dst, src)
	}
}

// f16Values are the values of f16.
//
// A table of 65536 floats costs 256 KiB once, and a load for each element; the shifts and cases of a decoder cost
// more.
var f16Values = func() *[1 << 16]float32 {
	t := new([1 << 16]float32)
	for b := range t {
		t[b] = float32(numeric.F16.Decode(uint64(b)))
	}
	return t
}()

func decodeF16(dst []float32, src []uint64) {
	src = src[:len(dst)]
	for i, b := range src {
		dst[i] = f16Values[uint16(b)]
	}
}

func decodeBF16(dst []float32, src []uint64) {
	src = src[:len(dst)]
	for i, b := range src {
		dst[i] = math.Float32frombits(uint32(b) << 16)
	}
}

func encodeF16(dst []uint64, src []float32) {
	src = src[:len(dst)]
	for i, x := range src {
		dst[i] = uint64(roundF16(x))
	}
}

func encodeBF16(dst []uint64, src []float32) {
	src = src[:len(dst)]
	for i, x := range src {
		dst[i] = uint64(roundBF16(x))
	}
}

// roundF16 rounds to nearest even. Adding just under half of the last kept place, and one more if that place is odd,
// carries exactly when rounding goes up. Subnormals are aligned by an addition that makes the sum's last place theirs.
func roundF16(x float32) uint16 {
	b := math.Float32bits(x)
	sign := uint16(b >> 16 & 0x8000)
	m := b &^ (1 << 31)
	const bias = (127 - 15) << 23
	switch {
	case m > 0x7f800000:
		return 0x7e00
	case m < bias+1<<23:
		sum := math.Float32frombits(m) + 0.5 // 2^-1 has a last place of 2^-24, the smallest f16
		return sign | uint16(math.Float32bits(sum)-0x3f000000)
	}
	m = (m - bias + 0xfff + m>>13&1) >> 13
	return sign | uint16(min(m, 0x7c00))
}

func roundBF16(x float32) uint16 {
	b := math.Float32bits(x)
	if x != x {
		return 0x7fc0
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}
