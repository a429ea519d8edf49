package values

import (
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

// Rows of one element repeated have it in all places, of every length.
func TestFill(t *testing.T) {
	t.Parallel()
	for n := range 40 {
		list := make([]uint64, n+1)
		fill(list[:n], 7)
		for i, x := range list {
			if (x == 7) != (i < n) {
				t.Fatalf("%d elements: element %d is %d", n, i, x)
			}
		}
	}
}
