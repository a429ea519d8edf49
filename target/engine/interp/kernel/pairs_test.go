package kernel

import (
	"slices"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir/numeric"
)

// Pairs of neighbours are combined as the elements of two lists are.
func TestPairs(t *testing.T) {
	t.Parallel()
	const n = 2001
	for _, f := range []numeric.Format{numeric.F16, numeric.BF16, numeric.F32, numeric.F64} {
		pairs := samples(f, 2*n)
		first, second := make([]uint64, n), make([]uint64, n)
		for i := range n {
			first[i], second[i] = pairs[2*i], pairs[2*i+1]
		}
		check := func(name string, k Unary, want Binary) {
			t.Helper()
			out, expected := make([]uint64, n), make([]uint64, n)
			want(expected, first, second)
			same := func() {
				t.Helper()
				for i, x := range out {
					if x != expected[i] {
						t.Fatalf("%v %s of %#x and %#x: got %#x, want %#x", f, name, first[i], second[i], x, expected[i])
					}
				}
			}
			for _, part := range parts(n) {
				for i := 0; i < n; i += part {
					end := min(i+part, n)
					k(out[i:end], pairs[2*i:2*end])
				}
				same()
			}
			out = slices.Clone(pairs) // the results may be where the pairs are
			k(out[:n], out)
			out = out[:n]
			same()
		}
		for _, env := range []numeric.Env{{}, {Rounding: numeric.Zero}} {
			check("sum", SumsOfPairs(f, env), Arithmetic(cudatile.AddF, numeric.Format.Add, f, env))
		}
		for _, larger := range []bool{false, true} {
			for _, propagate := range []bool{false, true} {
				check("order", MinMaxOfPairs(f, larger, propagate), MinMax(f, larger, propagate))
			}
		}
	}
}
