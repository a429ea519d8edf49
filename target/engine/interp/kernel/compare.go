package kernel

import (
	"math"

	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/vector"
)

// Truth returns the pattern of an i1.
func Truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// MinMax returns the kernel of maxf or minf in a format that IEEE 754 defines, or nil. Ordered by sign and magnitude,
// patterns compare like the values, and -0 is less than +0.
func MinMax(f numeric.Format, larger, propagate bool) Binary {
	switch f {
	case numeric.F16, numeric.BF16, numeric.F32, numeric.F64:
	default:
		return nil
	}
	shift, infinity, nan := uint(64-f.Bits())&63, f.Inf(false), f.NaN()
	magnitude := ^uint64(0) >> 1 >> shift
	return first2(vector.Order(f, larger, propagate), func(out, a, b []uint64) {
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			x, y := a[i], b[i]
			xNaN, yNaN := x&magnitude > infinity, y&magnitude > infinity
			switch {
			case xNaN || yNaN:
				switch {
				case propagate || xNaN && yNaN:
					x = nan
				case xNaN:
					x = y
				}
			default:
				p, q := int64(x<<shift), int64(y<<shift)
				p ^= int64(uint64(p>>63) >> 1)
				q ^= int64(uint64(q>>63) >> 1)
				if (p < q) == larger {
					x = y
				}
			}
			out[i] = x
		}
	})
}

// Compare returns the kernel of cmpf in a format, or nil. Each of the four relations that two values can have looks
// up its answer.
func Compare(f numeric.Format, p numeric.Predicate, unordered bool) Binary {
	one, two, nan := f.Encode(1, numeric.Env{}), f.Encode(2, numeric.Env{}), f.NaN()
	answer := func(a, b uint64) uint64 { return Truth(f.Compare(p, unordered, a, b)) }
	r := vector.Answers{Less: answer(one, two), Equal: answer(one, one), Greater: answer(two, one), Unordered: answer(one, nan)}
	return first2(vector.Compare(f, &r), compare(f, &r))
}

func compare(f numeric.Format, r *vector.Answers) Binary {
	switch f {
	case numeric.F32:
		return func(out, a, b []uint64) {
			a, b = a[:len(out)], b[:len(out)]
			for i := range out {
				out[i] = relate(r, f32(a[i]), f32(b[i]))
			}
		}
	case numeric.F64:
		return func(out, a, b []uint64) {
			a, b = a[:len(out)], b[:len(out)]
			for i := range out {
				out[i] = relate(r, math.Float64frombits(a[i]), math.Float64frombits(b[i]))
			}
		}
	case numeric.F16, numeric.BF16:
		return func(out, a, b []uint64) {
			var xs, ys [chunk]float32
			for len(out) > 0 {
				n := min(chunk, len(out))
				x, y := xs[:n], ys[:n]
				decodeHalf(f, x, a)
				decodeHalf(f, y, b)
				for i := range x {
					out[i] = relate(r, x[i], y[i])
				}
				out, a, b = out[n:], a[n:], b[n:]
			}
		}
	}
	return nil
}

func relate[T float32 | float64](r *vector.Answers, x, y T) uint64 {
	switch {
	case x < y:
		return r.Less
	case x == y:
		return r.Equal
	case x > y:
		return r.Greater
	}
	return r.Unordered
}

// Select takes elements of a where those of cond are odd, else those of b. It uses masks, not a branch for each element,
// since a processor cannot predict the conditions of tiles.
var Select = first3(vector.Select, func(out, cond, a, b []uint64) {
	cond, a, b = cond[:len(out)], a[:len(out)], b[:len(out)]
	for i := range out {
		mask := -(cond[i] & 1)
		out[i] = a[i]&mask | b[i]&^mask
	}
})
