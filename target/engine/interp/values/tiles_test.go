package values

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Pairs of neighbours are taken apart, whatever their number, with what is unspecified.
func TestSplit(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 7, 8, 9, 64, 100} {
		var p Pool
		v := p.Alloc(2 * n)
		for i := range v.Data {
			v.Data[i] = uint64(i) * 0x9e3779b97f4a7c15
		}
		v.MarkUndef(2*n - 1)
		first, second := p.Split(v)
		for i := range n {
			if first.Data[i] != v.Data[2*i] || second.Data[i] != v.Data[2*i+1] {
				t.Fatalf("pair %d of %d: got %#x and %#x, want %#x", i, n, first.Data[i], second.Data[i], v.Data[2*i:2*i+2])
			}
		}
		if slices.Contains(first.Undef, true) || slices.Index(second.Undef, true) != n-1 {
			t.Errorf("of %d pairs, these are unspecified: %v and %v", n, first.Undef, second.Undef)
		}
	}
}

// A gathered tile has the element that base and steps name, whatever is repeated and whatever is adjacent.
func TestGather(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		shape, step, most := make([]int64, r.IntN(4)), make([]int64, 4), int64(0)
		next := int64(1)
		for d := len(shape) - 1; d >= 0; d-- {
			shape[d] = []int64{1, 2, 3, 8, 16}[r.IntN(5)]
			switch step[d] = int64(r.IntN(3)); r.IntN(3) {
			case 0:
				step[d] = 0
			case 1:
				step[d] = next
				next *= shape[d]
			}
			most += (shape[d] - 1) * step[d]
		}
		step = step[:len(shape)]
		base := int64(r.IntN(3))
		var p Pool
		src := p.Alloc(int(base + most + 1))
		for i := range src.Data {
			src.Data[i] = uint64(i) + 100
		}
		src.MarkUndef(len(src.Data) - 1)
		got := p.Gather(src, shape, base, step)
		for i := range got.Data {
			at, rest := base, int64(i)
			for d := len(shape) - 1; d >= 0; d-- {
				at += rest % shape[d] * step[d]
				rest /= shape[d]
			}
			if got.Data[i] != src.Data[at] || got.IsUndef(i) != src.IsUndef(int(at)) {
				t.Fatalf("shape %d, steps %d from %d: element %d is %d, want %d", shape, step, base, i, got.Data[i], src.Data[at])
			}
		}
	}
}
