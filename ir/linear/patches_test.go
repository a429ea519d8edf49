package linear

import "testing"

// TestPatches: all elements are somewhere, each once unless there are more threads than elements, a thread's patch is
// as square as the tile allows, and lanes take turns.
func TestPatches(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		shape          []int
		warps          int
		rows, columns  int // of a thread's patch
		warpsM, warpsN int
	}{
		{[]int{128, 128}, 4, 8, 16, 4, 1},
		{[]int{128, 128}, 8, 8, 8, 4, 2},
		{[]int{64, 64}, 4, 4, 8, 4, 1},
		{[]int{256, 128}, 8, 8, 16, 8, 1},
		{[]int{4, 64, 64}, 4, 8, 16, 4, 1}, // a batch for each warp
		{[]int{8, 32, 32}, 4, 4, 8, 4, 1},
		{[]int{512, 1}, 4, 4, 1, 4, 1},
		{[]int{1, 64}, 4, 1, 1, 2, 2},
		{[]int{1, 1}, 4, 1, 1, 4, 1},
	} {
		l, wm, wn, err := Patches(tc.shape, 4, 4, tc.warps)
		if err != nil {
			t.Fatal(err)
		}
		n := 1
		for _, d := range tc.shape {
			n *= d
		}
		if !l.IsSurjective() || l.Size(Register) != max(1, n/(32*tc.warps)) || l.Size(Lane) != 32 || l.Size(Warp) != tc.warps {
			t.Errorf("%v in %d warps: %s", tc.shape, tc.warps, l)
		}
		rows, err := l.RowsOf(1)
		if err != nil {
			t.Fatal(err)
		}
		columns, err := l.ColumnsOf(1)
		if err != nil {
			t.Fatal(err)
		}
		batches := 1
		if len(tc.shape) > 2 {
			batches = max(1, tc.shape[0]/tc.warps)
		}
		if r, c := rows.Size(Register)/batches, columns.Size(Register)/batches; r != tc.rows || c != tc.columns || wm != tc.warpsM || wn != tc.warpsN {
			t.Errorf("%v in %d warps: a patch of %d x %d in %d x %d warps, want %d x %d in %d x %d: %s", tc.shape, tc.warps, r, c, wm, wn, tc.rows, tc.columns, tc.warpsM, tc.warpsN, l)
		}
	}
	if _, _, _, err := Patches([]int{64, 64}, 4, 4, 3); err == nil {
		t.Error("three warps share a tile")
	}
	if _, _, _, err := Patches([]int{64}, 4, 4, 4); err == nil {
		t.Error("a row is no matrix")
	}
}
