package linear

import "testing"

// TestScales checks against the PTX ISA ("Block Scaling for mma.sync") that an instruction finds the factors of its
// rows and columns: of the rows in lanes 4g + 2t and, from row 8 on, 4g + 2t + 1, of the columns in lanes 4g + t, at
// the byte that is named, and that no warp holds more than it needs.
func TestScales(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		mma              MMA
		m, n, k          int
		batch            []int
		warpsM, warpsN   int
		dealtM, dealtN   int
		block, registers int // of A
	}{
		{MMA{16, 8, 32, 8, 1}, 128, 128, 128, nil, 2, 2, 1, 1, 32, 8},
		{MMA{16, 8, 32, 8, 1}, 128, 128, 128, nil, 2, 2, 1, 2, 32, 8},
		{MMA{16, 8, 32, 8, 1}, 128, 64, 64, nil, 1, 2, 2, 4, 32, 8},
		{MMA{16, 8, 64, 4, 1}, 64, 64, 256, nil, 4, 1, 1, 1, 32, 8},
		{MMA{16, 8, 64, 4, 1}, 64, 128, 128, nil, 1, 4, 1, 2, 16, 16},
		{MMA{16, 8, 64, 4, 1}, 64, 64, 128, []int{4}, 2, 1, 1, 1, 16, 32},
		{MMA{16, 8, 32, 8, 1}, 8, 4, 64, nil, 2, 2, 1, 1, 32, 2},    // smaller than the instruction
		{MMA{16, 8, 32, 8, 1}, 16, 8, 32, nil, 1, 1, 1, 1, 32, 1},   // one
		{MMA{16, 8, 32, 8, 1}, 32, 256, 32, nil, 1, 8, 1, 1, 32, 1}, // warps with columns only
	} {
		tile := must(must(tc.mma.Tile(tc.batch, tc.m, tc.n, tc.k, tc.warpsM, tc.warpsN)).Interleave(tc.dealtM, tc.dealtN))
		together := tc.mma.K / tc.block
		a, b, err := tile.Scales(tc.mma, tc.k/tc.block, together, tc.warpsM, tc.warpsN, tc.dealtM, tc.dealtN)
		if err != nil {
			t.Fatalf("%v: %v", tc, err)
		}
		if !a.IsSurjective() || !b.IsSurjective() || a.Size(Register) != tc.registers {
			t.Errorf("%v: A has %d registers, want %d; %s, %s", tc, a.Size(Register), tc.registers, a, b)
		}
		for batch := range tile.Batch {
			for k := range tile.K {
				for i := range tile.M {
					p, ok := tile.ScalesOfA(a, batch, i, k*together, together)
					if !ok || p.First%together != 0 {
						t.Fatalf("%v: rows %d have no scales in %s", tc, i, a)
					}
					checkScales(t, a, p, 2, func(warp, row, part int) []int {
						// Element (row, 0) of C is in register 2*(row/8) of lane 4*(row%8) (PTX ISA, mma,
						// accumulators).
						at := tile.C.Apply(Index{Register: uint32(tile.FirstC(batch, i, 0) + row/8*2), Lane: uint32(row % 8 * 4), Warp: uint32(warp)})
						at[len(at)-1] = k*together + part
						return at
					}, together)
				}
				for j := range tile.N {
					p, ok := tile.ScalesOfB(b, batch, j, k*together, together)
					if !ok || p.First%together != 0 {
						t.Fatalf("%v: columns %d have no scales in %s", tc, j, b)
					}
					checkScales(t, b, p, 1, func(warp, col, part int) []int {
						// Element (0, col) of C is in register col%2 of lane col/2.
						at := tile.C.Apply(Index{Register: uint32(tile.FirstC(batch, 0, j) + col%2), Lane: uint32(col / 2), Warp: uint32(warp)})
						at[len(at)-2] = k*together + part
						return at
					}, together)
				}
			}
		}
	}
}

// checkScales looks at each factor where the instruction does.
func checkScales(t *testing.T, l Layout, p ScalePlace, members int, want func(warp, i, part int) []int, parts int) {
	t.Helper()
	for warp := range l.Size(Warp) {
		for i := range 8 * members {
			for part := range parts {
				lane := i%8*4 + p.Thread*members + i/8
				got := l.Flat(Index{Register: uint32(p.First + part), Lane: uint32(lane), Warp: uint32(warp)})
				at := want(warp, i, part)
				flat := uint64(0)
				for d, n := range l.Shape() {
					flat = flat*uint64(n) + uint64(at[d])
				}
				if got != flat {
					t.Fatalf("factor %d of row or column %d of warp %d is element %d, want %d", part, i, warp, got, flat)
				}
			}
		}
	}
}

func TestScalesRejected(t *testing.T) {
	t.Parallel()
	m := MMA{16, 8, 32, 8, 1}
	tile := must(m.Tile(nil, 64, 64, 64, 1, 1))
	for name, args := range map[string][6]int{"blocks": {3, 1, 1, 1, 1, 1}, "together": {2, 3, 1, 1, 1, 1}, "warps": {2, 1, 3, 1, 1, 1}, "dealt": {2, 1, 1, 1, 1, 3}} {
		if _, _, err := tile.Scales(m, args[0], args[1], args[2], args[3], args[4], args[5]); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	// Rows in the wrong lanes: the layout of the columns has those of B.
	a, b, err := tile.Scales(m, 2, 1, 1, 1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	swapped := must(b.Permute([]int{1, 0}))
	if _, ok := tile.ScalesOfA(swapped, 0, 1, 0, 1); ok {
		t.Errorf("rows are found in %s", swapped)
	}
	if _, ok := tile.ScalesOfA(a, 0, 0, 0, 1); !ok {
		t.Errorf("no rows in %s", a)
	}
}
