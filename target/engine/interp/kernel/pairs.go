package kernel

import (
	"sync"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/vector"
)

// SumsOfPairs returns the kernel that adds the elements of pairs of neighbours.
func SumsOfPairs(f numeric.Format, env numeric.Env) Unary {
	var v vector.Unary
	if env == (numeric.Env{}) {
		v = vector.Neighbours('+', f)
	}
	return ofPairs(v, Arithmetic(cudatile.AddF, numeric.Format.Add, f, env))
}

// MinMaxOfPairs returns the kernel of MinMax for the elements of pairs, or nil.
func MinMaxOfPairs(f numeric.Format, larger, propagate bool) Unary {
	if k := MinMax(f, larger, propagate); k != nil {
		return ofPairs(vector.NeighboursInOrder(f, larger, propagate), k)
	}
	return nil
}

// ofPairs returns the kernel that combines pairs as another one does elements of two lists, and leaves as many as
// possible to vector instructions. Without those, a few pairs at a time are taken apart, so that they stay in the
// nearest cache. Results may be where the first pairs are: what is written has been read.
func ofPairs(v vector.Unary, k Binary) Unary {
	return func(out, pairs []uint64) {
		if v != nil {
			done := v(out, pairs)
			out, pairs = out[done:], pairs[2*done:]
		}
		if len(out) == 0 {
			return
		}
		lists := halves.Get().(*[2][chunk]uint64)
		defer halves.Put(lists)
		for len(out) > 0 {
			n, done := min(chunk, len(out)), 0
			x, y := lists[0][:n], lists[1][:n]
			if vector.Split != nil {
				done = vector.Split(x, y, pairs)
			}
			for i := done; i < n; i++ {
				x[i], y[i] = pairs[2*i], pairs[2*i+1]
			}
			k(out[:n], x, y)
			out, pairs = out[n:], pairs[2*n:]
		}
	}
}

// halves are scratch: lists of first and of second elements.
var halves = sync.Pool{New: func() any { return new([2][chunk]uint64) }}
