package linear

import (
	"fmt"
	"strings"
	"testing"
)

func TestSharedRowMajor(t *testing.T) {
	t.Parallel()
	row := must(SharedRowMajor([]int{4, 8}, []int{1, 0}))
	col := must(SharedRowMajor([]int{4, 8}, []int{0, 1}))
	for i := range uint64(4) {
		for j := range uint64(8) {
			if got := row.Offset(i*8 + j); got != i*8+j {
				t.Fatalf("row-major [%d %d] at %d", i, j, got)
			}
			if got := col.Offset(i*8 + j); got != j*4+i {
				t.Fatalf("column-major [%d %d] at %d", i, j, got)
			}
		}
	}
	if p := must(col.Permute([]int{1, 0})); !p.Equal(must(SharedRowMajor([]int{8, 4}, []int{1, 0}))) {
		t.Errorf("transposed view %s", p)
	}
	if r := must(row.Reshape([]int{32})); !r.Equal(must(SharedRowMajor([]int{32}, []int{0}))) {
		t.Errorf("flat view %s", r)
	}
	if back := must(ParseShared(col.String())); !back.Equal(col) {
		t.Errorf("%s came back as %s", col, back)
	}
}

func TestSharedSwizzledMatchesFormula(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		rows, cols, vec, perPhase, maxPhase int
	}{
		{64, 64, 8, 1, 8}, {64, 32, 8, 2, 4}, {32, 16, 8, 4, 2}, {16, 128, 4, 1, 4}, {8, 8, 1, 1, 8}, {4, 16, 2, 1, 16}, {16, 8, 8, 1, 8}, {16, 16, 4, 2, 16},
	} {
		for _, transposed := range []bool{false, true} {
			shape, order := []int{tc.rows, tc.cols}, []int{1, 0}
			if transposed {
				shape, order = []int{tc.cols, tc.rows}, []int{0, 1}
			}
			s := must(SharedSwizzled(shape, tc.vec, tc.perPhase, tc.maxPhase, order))
			for r := range tc.rows {
				for c := range tc.cols {
					phase := r / tc.perPhase % tc.maxPhase
					want := r*tc.cols + (c/tc.vec^phase)*tc.vec%tc.cols + c%tc.vec
					element := r*tc.cols + c
					if transposed {
						element = c*tc.rows + r
					}
					if got := s.Offset(uint64(element)); got != uint64(want) {
						t.Fatalf("%+v: [%d %d] at %d, want %d in %s", tc, r, c, got, want, s)
					}
				}
			}
		}
	}
}

// TestSharedTMAMatchesAddresses applies the swizzle to byte addresses: over 128
// bytes, bits 4 to 6 are XORed with bits 7 to 9.
func TestSharedTMAMatchesAddresses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ rows, cols, elemBits, bytes int }{
		{64, 64, 16, 128}, {64, 128, 16, 128}, {32, 32, 16, 64}, {16, 64, 8, 32}, {8, 128, 32, 128}, {2, 64, 16, 128}, {64, 64, 16, 0},
	} {
		s := must(SharedTMA([]int{tc.rows, tc.cols}, tc.elemBits, tc.bytes, []int{1, 0}))
		size := tc.elemBits / 8
		width := tc.cols
		mask := 0
		if tc.bytes > 0 {
			width = tc.bytes / size
			mask = tc.bytes/16 - 1
		}
		for r := range tc.rows {
			for c := range tc.cols {
				address := (c/width*tc.rows*width + r*width + c%width) * size
				address ^= address >> 7 & mask << 4
				if got := int(s.Offset(uint64(r*tc.cols+c))) * size; got != address {
					t.Fatalf("%+v: [%d %d] at byte %d, want %d", tc, r, c, got, address)
				}
			}
		}
	}
}

func TestSharedErrors(t *testing.T) {
	t.Parallel()
	row := must(SharedRowMajor([]int{4, 8}, []int{1, 0}))
	for name, err := range map[string]error{
		"threads":      second(NewShared(must(Identity1D(Lane, 4)))),
		"not onto":     second(NewShared(must(New([]int{4}, Bases{Offset: {{1}}})))),
		"twice":        second(NewShared(must(New([]int{4}, Bases{Offset: {{1}, {1}}})))),
		"order":        second(SharedRowMajor([]int{4}, []int{1})),
		"extent":       second(SharedRowMajor([]int{5}, []int{0})),
		"vec":          second(SharedSwizzled([]int{4, 4}, 3, 1, 1, []int{1, 0})),
		"span":         second(SharedTMA([]int{4, 4}, 16, 48, []int{1, 0})),
		"narrow":       second(SharedTMA([]int{64, 32}, 16, 128, []int{1, 0})),
		"element":      second(SharedTMA([]int{64, 64}, 24, 128, []int{1, 0})),
		"permutation":  second(row.Permute([]int{1})),
		"reshape":      second(row.Reshape([]int{64})),
		"text":         second(ParseShared("{shape = [4], lane = [[1]]}")),
		"syntax":       second(ParseShared("{")),
		"other shape":  second(row.Offsets(must(Identity1D(Lane, 32)))),
		"swizzle rank": second(SharedSwizzled([]int{4, 4}, 1, 1, 1, []int{1})),
		"tma order":    second(SharedTMA([]int{64, 64}, 16, 128, []int{1, 1})),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if s, err := SharedSwizzled([]int{8}, 2, 1, 4, []int{0}); err != nil || !s.Equal(must(SharedRowMajor([]int{8}, []int{0}))) {
		t.Errorf("one row cannot be swizzled: %s, %v", s, err)
	}
}

func TestOffsets(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	for range 50 {
		dist := randomLayout(r, []int{8, 8}, 2, 3, 1, 1, false)
		sh := randomShared(r, []int{8, 8}, false)
		m := must(sh.Offsets(dist))
		positions(dist, func(p Index) {
			off := m.Apply(p)[Offset]
			if sh.layout.Flat(Index{Offset: off}) != dist.Flat(p) {
				t.Fatalf("%v accesses offset %d", p, off)
			}
		})
	}
}

func ExampleLayout_String() {
	l, err := MMA{16, 8, 16, 16, 1}.Accumulator([]int{16, 8}, 1, 1)
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.ReplaceAll(l.String(), ", lane", "\nlane"))
	fmt.Println(l.Apply(Index{Register: 3, Lane: 6}))
	// Output:
	// {shape = [16, 8], register = [[0, 1], [8, 0]]
	// lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], block = []}
	// [9 5]
}
