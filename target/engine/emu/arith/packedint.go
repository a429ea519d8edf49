package arith

import (
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// packedInt is the type of the elements of a packed integer type, or NoType.
func packedInt(t syntax.Type) syntax.Type {
	switch t {
	case syntax.U16x2:
		return syntax.U16
	case syntax.S16x2:
		return syntax.S16
	case syntax.U8x4:
		return syntax.U8
	case syntax.S8x4:
		return syntax.S8
	}
	return syntax.NoType
}

// sumInt adds or subtracts; sat clamps to the range of the type.
func sumInt(t syntax.Type, sub, sat bool) func(a, b uint64) uint64 {
	n := t.Bits()
	value := func(v uint64) int64 {
		if t.Signed() {
			return num.SignExtend(v, n)
		}
		return int64(v)
	}
	return func(a, b uint64) uint64 {
		x, y := value(a), value(b)
		if sub {
			y = -y
		}
		if x += y; sat {
			x = num.Clamp(x, n, t.Signed())
		}
		return uint64(x) & num.Mask(n)
	}
}

// eachPart applies f to the elements of packed 32-bit values.
//
// Parts do not carry into each other: each is computed alone and put back in its place.
func eachPart(t syntax.Type, f func(a, b uint64) uint64) func(a, b uint64) uint64 {
	n := t.Bits()
	return func(a, b uint64) (out uint64) {
		for at := 0; at < 32; at += n {
			out |= f(a>>at&num.Mask(n), b>>at&num.Mask(n)) << at
		}
		return out
	}
}
