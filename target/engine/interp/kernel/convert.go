package kernel

import (
	"math"

	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/vector"
)

// Conversion returns the kernel of a conversion to nearest even, or nil.
func Conversion(from, to numeric.Format) Unary {
	k := conversions[[2]numeric.Format{from, to}]
	if k == nil {
		return nil
	}
	return first1(vector.Convert(from, to), k)
}

// conversions are the common ones.
var conversions = map[[2]numeric.Format]Unary{
	{numeric.F16, numeric.F32}: func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = uint64(math.Float32bits(f16Values[uint16(x)]))
		}
	},
	{numeric.BF16, numeric.F32}: func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			if x&0x7fff > 0x7f80 {
				x = canonicalF32 >> 16
			}
			out[i] = x << 16
		}
	},
	{numeric.F16, numeric.F64}: func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = bitsF64(float64(f16Values[uint16(x)]))
		}
	},
	{numeric.BF16, numeric.F64}: func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = bitsF64(float64(f32(x << 16)))
		}
	},
	{numeric.F32, numeric.F64}: func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = bitsF64(float64(f32(x)))
		}
	},
	{numeric.F64, numeric.F32}: func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = bitsF32(float32(math.Float64frombits(x)))
		}
	},
	{numeric.F32, numeric.F16}: func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = uint64(roundF16(f32(x)))
		}
	},
	{numeric.F32, numeric.BF16}: func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = uint64(roundBF16(f32(x)))
		}
	},
}

// FromInt returns the kernel of a conversion to nearest even, or nil. An integer of up to 32 bits is exact in double
// precision. One of 64 bits is rounded to the format at once, or is out of the range of f16 where it is not exact in
// single precision.
func FromInt(w numeric.Int, f numeric.Format, signed bool) Unary {
	shift := (64 - uint(w)) & 63
	switch {
	case !signed && shift == 0:
		return nil
	case !signed:
		shift = 0
	}
	switch f {
	case numeric.F16:
		return func(out, a []uint64) {
			a = a[:len(out)]
			for i, x := range a {
				out[i] = uint64(roundF16(float32(int64(x<<shift) >> shift)))
			}
		}
	case numeric.F32:
		if w == numeric.I32 && signed { // the most common one
			return func(out, a []uint64) {
				a = a[:len(out)]
				for i, x := range a {
					out[i] = uint64(math.Float32bits(float32(int32(x))))
				}
			}
		}
		return func(out, a []uint64) {
			a = a[:len(out)]
			for i, x := range a {
				out[i] = uint64(math.Float32bits(float32(int64(x<<shift) >> shift)))
			}
		}
	case numeric.F64:
		return func(out, a []uint64) {
			a = a[:len(out)]
			for i, x := range a {
				out[i] = math.Float64bits(float64(int64(x<<shift) >> shift))
			}
		}
	case numeric.BF16:
		if w <= numeric.I32 {
			return func(out, a []uint64) {
				a = a[:len(out)]
				for i, x := range a {
					out[i] = numeric.BF16.Encode(float64(int64(x<<shift)>>shift), numeric.Env{})
				}
			}
		}
	}
	return nil
}
