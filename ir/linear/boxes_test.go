package linear

import (
	"strings"
	"testing"
)

// TestTensorBoxes fills buffers as the PTX ISA says that bulk tensor copies do (swizzling modes: the 16-byte chunk's
// number is xored with that of its 128-byte row), and finds each element where the layout has it.
func TestTensorBoxes(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		shape           []int
		bits, swizzle   int
		order           []int
		box             []int
		boxes, swizzled int // swizzled: what is found, where that is another one
	}{
		{[]int{128, 64}, 16, 128, []int{1, 0}, []int{128, 64}, 1, 128},
		{[]int{128, 128}, 16, 128, []int{1, 0}, []int{128, 64}, 2, 128},
		{[]int{64, 128}, 16, 128, []int{0, 1}, []int{64, 128}, 1, 128},
		{[]int{256, 64}, 16, 128, []int{0, 1}, []int{64, 64}, 4, 128},
		{[]int{128, 32}, 16, 64, []int{1, 0}, []int{128, 32}, 1, 64},
		{[]int{64, 64}, 8, 32, []int{1, 0}, []int{64, 32}, 2, 32},
		{[]int{32, 64}, 32, 128, []int{1, 0}, []int{32, 32}, 2, 128},
		{[]int{2, 16, 64}, 16, 128, []int{2, 1, 0}, []int{2, 16, 64}, 1, 128},
		{[]int{2, 16, 64}, 16, 128, []int{2, 0, 1}, []int{2, 16, 64}, 1, 128},
		{[]int{16, 64}, 16, 0, []int{1, 0}, []int{16, 64}, 1, 0},
		{[]int{8, 1024}, 16, 0, []int{1, 0}, []int{1, 256}, 32, 0},
		{[]int{512}, 32, 0, []int{0}, []int{256}, 2, 0},
		{[]int{1, 8}, 64, 32, []int{1, 0}, []int{1, 8}, 1, 0}, // too little for the swizzle to move anything
		{[]int{512, 16}, 16, 32, []int{1, 0}, []int{256, 16}, 2, 32},
	} {
		s := must(SharedTMA(tc.shape, tc.bits, tc.swizzle, tc.order))
		b, err := s.TensorBoxes(tc.bits, tc.order[0])
		if err != nil {
			t.Errorf("%+v: %v", tc, err)
			continue
		}
		if b.Swizzle != tc.swizzled || len(b.Places) != tc.boxes || !equal(b.Box, tc.box) || b.Order[0] != tc.order[0] {
			t.Errorf("%+v: got %+v", tc, b)
			continue
		}
		seen := 0
		for _, p := range b.Places {
			at := make([]int, len(tc.shape))
			for n := 0; ; n++ {
				element := 0
				for d, x := range at {
					element = element*tc.shape[d] + p.From[d] + x
				}
				addr := (p.Offset + n) * tc.bits / 8
				addr ^= addr >> 3 & max(0, b.Swizzle-16)
				if got := int(s.Offset(uint64(element))) * tc.bits / 8; got != addr {
					t.Fatalf("%+v: element %d lies at %d, and the copy brings it to %d", tc, element, got, addr)
				}
				seen++
				i := 0
				for ; i < len(b.Order); i++ {
					d := b.Order[i]
					if at[d]++; at[d] < b.Box[d] {
						break
					}
					at[d] = 0
				}
				if i == len(b.Order) {
					break
				}
			}
		}
		n := 1
		for _, d := range tc.shape {
			n *= d
		}
		if seen != n {
			t.Errorf("%+v: %d of %d elements are copied", tc, seen, n)
		}
	}
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// TestNoTensorBoxes: layouts that no bulk tensor copy fills.
func TestNoTensorBoxes(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		s           Shared
		bits, inner int
		want        string
	}{
		"other swizzle": {must(SharedSwizzled([]int{64, 64}, 8, 2, 4, []int{1, 0})), 16, 1, "an order that no swizzle"},
		"transposed":    {must(SharedTMA([]int{64, 64}, 16, 128, []int{1, 0})), 16, 0, "keeps neighbours of global memory apart"},
		"short rows":    {must(SharedRowMajor([]int{64, 4}, []int{1, 0})), 16, 1, "rows of 8 bytes"},
		"half bytes":    {must(SharedRowMajor([]int{64, 64}, []int{1, 0})), 4, 1, "elements of 4 bits"},
		"scalar":        {must(SharedRowMajor([]int{}, []int{})), 16, 0, "dimensions"},
		"many boxes":    {must(SharedRowMajor([]int{64, 512}, []int{1, 0})), 16, 1, "boxes"},
		"rank":          {must(SharedRowMajor([]int{2, 2, 2, 2, 2, 64}, []int{5, 4, 3, 2, 1, 0})), 16, 5, "6 dimensions"},
	} {
		if _, err := tc.s.TensorBoxes(tc.bits, tc.inner); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %s", name, err, tc.want)
		}
	}
}
