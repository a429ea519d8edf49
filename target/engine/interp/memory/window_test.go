package memory

import (
	"slices"
	"testing"
)

// Whole joins dimensions that follow each other, and says no for tiles that reach outside or are no box.
func TestWhole(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		shape, origin, size, stride []int64
		sparse                      int
		offset                      int64
		dims                        []Dim
		length                      uint64
	}{
		"rows":         {[]int64{4, 8}, []int64{4, 16}, []int64{8, 32}, []int64{32, 1}, -1, 4 * (4*32 + 16), []Dim{{4, 128}, {8, 4}}, 4 * (3*32 + 8)},
		"whole rows":   {[]int64{4, 32}, []int64{4, 0}, []int64{8, 32}, []int64{32, 1}, -1, 4 * 128, []Dim{{128, 4}}, 512},
		"columns":      {[]int64{4, 8}, []int64{0, 0}, []int64{4, 8}, []int64{1, 4}, -1, 0, []Dim{{4, 4}, {8, 16}}, 128},
		"one head":     {[]int64{1, 4, 8}, []int64{2, 0, 0}, []int64{3, 4, 8}, []int64{32, 8, 1}, -1, 256, []Dim{{32, 4}}, 128},
		"one element":  {[]int64{1, 1}, []int64{1, 2}, []int64{3, 4}, []int64{4, 1}, -1, 24, []Dim{{1, 4}}, 4},
		"at the end":   {[]int64{4, 8}, []int64{4, 28}, []int64{8, 32}, []int64{32, 1}, -1, 0, nil, 0},
		"before":       {[]int64{4, 8}, []int64{-1, 0}, []int64{8, 32}, []int64{32, 1}, -1, 0, nil, 0},
		"sparse":       {[]int64{4, 8}, []int64{0, 0}, []int64{8, 32}, []int64{32, 1}, 0, 0, nil, 0},
		"backwards":    {[]int64{4, 8}, []int64{0, 0}, []int64{8, 32}, []int64{-32, 1}, -1, 0, nil, 0},
		"far too wide": {[]int64{4, 8}, []int64{0, 0}, []int64{8, 32}, []int64{1 << 37, 1}, -1, 0, nil, 0},
	} {
		var views Views
		w := views.NewWindow(&Viewing{Shape: c.shape, Sparse: c.sparse}, 0)
		copy(w.Origin, c.origin)
		copy(w.Size, c.size)
		copy(w.Stride, c.stride)
		n := 1
		for _, d := range c.shape {
			n *= int(d)
		}
		offset, dims, length, ok := w.Whole(n, 4)
		if ok != (c.dims != nil) || ok && (offset != c.offset || length != c.length || !slices.Equal(dims, c.dims)) {
			t.Errorf("%s: got %d, %v, %d, %t, want %d, %v, %d", name, offset, dims, length, ok, c.offset, c.dims, c.length)
		}
	}
}
