package linear

import "testing"

func TestParts(t *testing.T) {
	t.Parallel()
	l, err := Coalesced([]int{16, 64}, 32, 128, 32, 4, []int{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	part, err := l.Part([]int{4, 32})
	if err != nil {
		t.Fatal(err)
	}
	if !part.IsSurjective() {
		t.Errorf("part %s does not hold all elements", part)
	}
	whole, err := part.Whole([]int{16, 64})
	if err != nil {
		t.Fatal(err)
	}
	n := part.Size(Register)
	for r := range whole.Size(Register) {
		for lane := range uint32(32) {
			for warp := range uint32(4) {
				got := whole.Apply(Index{Register: uint32(r), Lane: lane, Warp: warp})
				want := part.Apply(Index{Register: uint32(r % n), Lane: lane, Warp: warp})
				want[0] += r / n / 2 * 4
				want[1] += r / n % 2 * 32
				if got[0] != want[0] || got[1] != want[1] {
					t.Fatalf("register %d, lane %d, warp %d: %v, want %v", r, lane, warp, got, want)
				}
			}
		}
	}
	for _, shape := range [][]int{{16}, {32, 64}, {3, 8}} {
		if _, err := l.Part(shape); err == nil {
			t.Errorf("parts of shape %v are accepted", shape)
		}
	}
	if _, err := part.Whole([]int{2, 64}); err == nil {
		t.Error("a whole that is smaller than its part is accepted")
	}
}

// TestDealtPart: lanes and warps that tell halves apart take over registers, while there are any.
func TestDealtPart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shape     []int
		registers int // of a part
		copies    bool
	}{
		{[]int{2, 1024}, 8, false}, // 16 of both parts
		{[]int{2, 256}, 4, true},   // four neighbours stay together
		{[]int{2, 64}, 1, true},
	} {
		l, err := Coalesced(c.shape, 32, 128, 32, 4, []int{1, 0})
		if err != nil {
			t.Fatal(err)
		}
		part, err := l.DealtPart([]int{1, c.shape[1]})
		if err != nil {
			t.Fatal(err)
		}
		if !part.IsSurjective() || part.IsInjective() == c.copies || part.Size(Register) != c.registers {
			t.Errorf("parts of %s: %s", l, part)
		}
		if !c.copies {
			continue
		}
		// A part of what has copies has no more of them while it has registers.
		half, err := part.DealtPart([]int{1, c.shape[1] / 2})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := half.MatrixRank(), half.ElementBits(); got != want || half.Size(Register) > 1 && half.Size(Register) == part.Size(Register) {
			t.Errorf("parts of %s: %s", part, half)
		}
	}
	// The rows of one thread are no neighbours: its column of two rows has one for each of two threads.
	l, err := Coalesced([]int{256, 8}, 64, 128, 32, 4, []int{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	if column, err := l.DealtPart([]int{256, 1}); err != nil || !column.IsInvertible() {
		t.Errorf("a column of %s: %s, %v", l, column, err)
	}
}

// TestDealtToLanes: lanes that hold copies divide registers among them, as far as there are any.
func TestDealtToLanes(t *testing.T) {
	t.Parallel()
	l, err := New([]int{16}, Bases{Register: {{1}, {2}, {0}}, Lane: {{0}, {4}, {0}, {0}, {0}}, Warp: {{8}, {0}}})
	if err != nil {
		t.Fatal(err)
	}
	want, err := New([]int{16}, Bases{Lane: {{2}, {4}, {1}, {0}, {0}}, Warp: {{8}, {0}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := l.DealtToLanes(); !got.Equal(want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWiden(t *testing.T) {
	t.Parallel()
	l, err := Coalesced([]int{4, 64}, 16, 32, 32, 4, []int{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	w, err := l.Widen(2)
	if err != nil {
		t.Fatal(err)
	}
	for r := range uint32(w.Size(Register)) {
		for lane := range uint32(32) {
			got := w.Apply(Index{Register: r, Lane: lane})
			want := l.Apply(Index{Register: r / 2, Lane: lane})
			if got[0] != want[0] || got[1] != 2*want[1]+int(r%2) {
				t.Fatalf("register %d, lane %d: %v, source %v", r, lane, got, want)
			}
		}
	}
	back, err := w.Narrow(2)
	if err != nil {
		t.Fatal(err)
	}
	if !back.Equal(l) {
		t.Errorf("narrowed again: %s, want %s", back, l)
	}
	if _, err := l.Widen(3); err == nil {
		t.Error("3 elements each are accepted")
	}
	if _, err := l.Narrow(128); err == nil {
		t.Error("more elements than there are are accepted")
	}
}

func TestRowsAndColumns(t *testing.T) {
	t.Parallel()
	l, err := Blocked([]int{16, 32}, []int{2, 4}, []int{4, 8}, []int{2, 2}, []int{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := l.RowsOf(8)
	if err != nil {
		t.Fatal(err)
	}
	cols, err := l.ColumnsOf(8)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []Index{{}, {Lane: 13, Warp: 2}, {Lane: 31, Warp: 3}} {
		c := l.Apply(at)
		if got := rows.Apply(at); got[0] != c[0] || got[1] != 0 {
			t.Errorf("row of %v is at %v", c, got)
		}
		if got := cols.Apply(at); got[0] != 0 || got[1] != c[1] {
			t.Errorf("column of %v is at %v", c, got)
		}
	}
	if rows.Size(Register) != 2*8 || cols.Size(Register) != 4*8 {
		t.Errorf("a thread holds %d and %d elements, want 16 and 32", rows.Size(Register), cols.Size(Register))
	}
}

func TestEverywhere(t *testing.T) {
	t.Parallel()
	l, err := Everywhere([]int{2, 4}, 32, 4)
	if err != nil {
		t.Fatal(err)
	}
	for r := range uint32(8) {
		if got := l.Apply(Index{Register: r, Lane: 5, Warp: 3}); got[0] != int(r/4) || got[1] != int(r%4) {
			t.Errorf("register %d holds %v", r, got)
		}
	}
	if _, err := Everywhere([]int{2}, 32, 3); err == nil {
		t.Error("3 warps are accepted")
	}
}

func TestWidenAlong(t *testing.T) {
	t.Parallel()
	l, err := Coalesced([]int{32, 8}, 8, 16, 32, 1, []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	w, err := l.WidenAlong(0, 2)
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Contiguity(0); got != 4 {
		t.Errorf("%s has %d elements along dimension 0 in a row, want 4", w, got)
	}
	for r := range uint32(w.Size(Register)) {
		for lane := range uint32(32) {
			got := w.Apply(Index{Register: r, Lane: lane})
			want := l.Apply(Index{Register: r / 2, Lane: lane})
			if got[0] != 2*want[0]+int(r%2) || got[1] != want[1] {
				t.Fatalf("register %d, lane %d: %v, from %v", r, lane, got, want)
			}
		}
	}
	for _, bad := range [][2]int{{2, 2}, {-1, 2}, {0, 3}} {
		if _, err := l.WidenAlong(bad[0], bad[1]); err == nil {
			t.Errorf("%d elements along dimension %d are accepted", bad[1], bad[0])
		}
	}
}
