package linear

// Ints returns a shape of the IR as one of a layout.
func Ints(shape []int64) []int { return converted[int](shape) }

// Int64s returns a shape of a layout as one of the IR.
func Int64s(shape []int) []int64 { return converted[int64](shape) }

func converted[To, From int | int64](xs []From) []To {
	out := make([]To, len(xs))
	for i, x := range xs {
		out[i] = To(x)
	}
	return out
}
