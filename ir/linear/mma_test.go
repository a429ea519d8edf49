package linear

import (
	"slices"
	"testing"
)

// position is where the PTX ISA puts element i of a fragment: row and column as
// functions of the lane and of the element's number.
type position func(lane, i int) (row, col int)

// The formulas of the section on matrix fragments of mma, with
// groupID = lane>>2 and threadID_in_group = lane%4.
var fragments = []struct {
	mma     MMA
	a, b, c position
	na, nb  int // elements per lane
}{
	{
		mma: MMA{16, 8, 16, 16, 1}, na: 8, nb: 4,
		a: func(lane, i int) (int, int) {
			row, col := lane>>2, lane%4*2+i&1
			if !(0 <= i && i < 2 || 4 <= i && i < 6) {
				row += 8
			}
			if i >= 4 {
				col += 8
			}
			return row, col
		},
		b: func(lane, i int) (int, int) {
			row := lane%4*2 + i&1
			if i >= 2 {
				row += 8
			}
			return row, lane >> 2
		},
	},
	{
		mma: MMA{16, 8, 8, 16, 1}, na: 4, nb: 2,
		a: func(lane, i int) (int, int) {
			if i < 2 {
				return lane >> 2, lane%4*2 + i&1
			}
			return lane>>2 + 8, lane%4*2 + i&1
		},
		b: func(lane, i int) (int, int) { return lane%4*2 + i, lane >> 2 },
	},
	{
		mma: MMA{16, 8, 8, 32, 1}, na: 4, nb: 2,
		a: func(lane, i int) (int, int) {
			row, col := lane>>2, lane%4
			if i == 1 || i == 3 {
				row += 8
			}
			if i == 2 || i == 3 {
				col += 4
			}
			return row, col
		},
		b: func(lane, i int) (int, int) {
			if i == 0 {
				return lane % 4, lane >> 2
			}
			return lane%4 + 4, lane >> 2
		},
	},
	{
		mma: MMA{16, 8, 4, 32, 1}, na: 2, nb: 1,
		a: func(lane, i int) (int, int) {
			if i == 0 {
				return lane >> 2, lane % 4
			}
			return lane>>2 + 8, lane % 4
		},
		b: func(lane, _ int) (int, int) { return lane % 4, lane >> 2 },
	},
	{
		mma: MMA{16, 8, 16, 8, 1}, na: 8, nb: 4,
		a: func(lane, i int) (int, int) {
			if i < 4 {
				return lane >> 2, lane%4*4 + i&3
			}
			return lane>>2 + 8, lane%4*4 + i&3
		},
		b: func(lane, i int) (int, int) { return lane%4*4 + i, lane >> 2 },
	},
	{
		mma: MMA{16, 8, 32, 8, 1}, na: 16, nb: 8,
		a: func(lane, i int) (int, int) {
			row, col := lane>>2, lane%4*4+i&3
			if !(0 <= i && i < 4 || 8 <= i && i < 12) {
				row += 8
			}
			if i >= 8 {
				col += 16
			}
			return row, col
		},
		b: func(lane, i int) (int, int) {
			row := lane%4*4 + i&3
			if i >= 4 {
				row += 16
			}
			return row, lane >> 2
		},
	},
	{
		mma: MMA{16, 8, 64, 4, 1}, na: 32, nb: 16,
		a: func(lane, i int) (int, int) {
			row, col := lane>>2, lane%4*8+i&7
			if !(0 <= i && i < 8 || 16 <= i && i < 24) {
				row += 8
			}
			if i >= 16 {
				col += 32
			}
			return row, col
		},
		b: func(lane, i int) (int, int) {
			row := lane%4*8 + i&7
			if i >= 8 {
				row += 32
			}
			return row, lane >> 2
		},
	},
	{
		mma: MMA{8, 8, 4, 64, 1}, na: 1, nb: 1,
		a: func(lane, _ int) (int, int) { return lane >> 2, lane % 4 },
		b: func(lane, _ int) (int, int) { return lane % 4, lane >> 2 },
		c: func(lane, i int) (int, int) { return lane >> 2, lane%4*2 + i&1 },
	},
	{
		mma: MMA{16, 8, 16, 64, 1}, na: 8, nb: 4,
		a: func(lane, i int) (int, int) {
			if i%2 == 0 {
				return lane >> 2, i*2 + lane%4
			}
			return lane>>2 + 8, i*2 - 2 + lane%4
		},
		b: func(lane, i int) (int, int) { return lane%4 + i*4, lane >> 2 },
	},
}

// accumulator16x8 is C and D of every m16n8 shape.
func accumulator16x8(lane, i int) (int, int) {
	row := lane >> 2
	if i >= 2 {
		row += 8
	}
	return row, lane%4*2 + i&1
}

func checkFragment(t *testing.T, name string, l Layout, n int, want position) {
	t.Helper()
	if l.Size(Register) != n || l.Size(Lane) != 32 || l.Size(Warp) != 1 {
		t.Fatalf("%s: %d registers, %d lanes, %d warps; want %d, 32, 1", name, l.Size(Register), l.Size(Lane), l.Size(Warp), n)
	}
	for lane := range 32 {
		for i := range n {
			row, col := want(lane, i)
			got := l.Apply(Index{Register: uint32(i), Lane: uint32(lane)})
			if !slices.Equal(got, []int{row, col}) {
				t.Fatalf("%s: element %d of lane %d at %v, the PTX ISA says [%d %d]", name, i, lane, got, row, col)
			}
		}
	}
	if !l.IsInvertible() {
		t.Errorf("%s: %s is not invertible", name, l)
	}
}

func TestFragmentsMatchPTX(t *testing.T) {
	t.Parallel()
	for _, f := range fragments {
		t.Run(f.mma.String(), func(t *testing.T) {
			t.Parallel()
			m := f.mma
			c, nc := position(accumulator16x8), 4
			if f.c != nil {
				c, nc = f.c, 2
			}
			checkFragment(t, "A", must(m.OperandA([]int{m.M, m.K}, 1, 1)), f.na, f.a)
			checkFragment(t, "B", must(m.OperandB([]int{m.K, m.N}, 1, 1)), f.nb, f.b)
			checkFragment(t, "C", must(m.Accumulator([]int{m.M, m.N}, 1, 1)), nc, c)
		})
	}
}

// TestWgmmaAccumulator uses the formulas of the section on wgmma's register
// fragments: element i of lane l in warp w of the warpgroup.
func TestWgmmaAccumulator(t *testing.T) {
	t.Parallel()
	for _, n := range []int{8, 64, 256} {
		l := must(MMA{64, n, 16, 16, 4}.Accumulator([]int{64, n}, 4, 1))
		for warp := range 4 {
			for lane := range 32 {
				for i := range n / 2 {
					row := 16*warp + lane>>2 + 8*(i>>1&1)
					col := 8*(i>>2) + lane%4*2 + i&1
					got := l.Apply(Index{Register: uint32(i), Lane: uint32(lane), Warp: uint32(warp)})
					if !slices.Equal(got, []int{row, col}) {
						t.Fatalf("n=%d: element %d of lane %d of warp %d at %v, want [%d %d]", n, i, lane, warp, got, row, col)
					}
				}
			}
		}
		a := must(MMA{64, n, 16, 16, 4}.OperandA([]int{64, 16}, 4, 1))
		for warp := range 4 {
			for lane := range 32 {
				for i := range 8 {
					row, col := fragments[0].a(lane, i)
					got := a.Apply(Index{Register: uint32(i), Lane: uint32(lane), Warp: uint32(warp)})
					if !slices.Equal(got, []int{16*warp + row, col}) {
						t.Fatalf("n=%d: A element %d of lane %d of warp %d at %v", n, i, lane, warp, got)
					}
				}
			}
		}
	}
}

// TestOperandsAgree checks what an MMA needs of the three layouts of a larger
// tile: a warp has, in the registers of one instruction, the A rows and B columns
// of the C fragment that it computes.
func TestOperandsAgree(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		mma            MMA
		m, n, k        int
		warpsM, warpsN int
	}{
		{MMA{16, 8, 16, 16, 1}, 64, 64, 32, 2, 2},
		{MMA{16, 8, 16, 16, 1}, 128, 32, 64, 4, 1},
		{MMA{16, 8, 16, 16, 1}, 16, 8, 16, 2, 4}, // more warps than work
		{MMA{16, 8, 8, 32, 1}, 32, 64, 16, 1, 4},
		{MMA{16, 8, 32, 8, 1}, 64, 16, 64, 4, 2},
		{MMA{8, 8, 4, 64, 1}, 32, 32, 8, 2, 2},
		{MMA{16, 8, 16, 16, 1}, 4, 4, 16, 1, 1}, // smaller than the instruction
	} {
		a := must(tc.mma.OperandA([]int{tc.m, tc.k}, tc.warpsM, tc.warpsN))
		b := must(tc.mma.OperandB([]int{tc.k, tc.n}, tc.warpsM, tc.warpsN))
		c := must(tc.mma.Accumulator([]int{tc.m, tc.n}, tc.warpsM, tc.warpsN))
		for _, l := range []Layout{a, b, c} {
			if !l.IsSurjective() || l.Size(Lane) != 32 || l.Size(Warp) != tc.warpsM*tc.warpsN {
				t.Fatalf("%v: bad layout %s", tc, l)
			}
		}
		for warp := range uint32(tc.warpsM * tc.warpsN) {
			rowsA, rowsC := map[int]bool{}, map[int]bool{}
			colsB, colsC := map[int]bool{}, map[int]bool{}
			collect := func(l Layout, dim int, into map[int]bool) {
				positions(l, func(p Index) {
					if p[Warp] == warp {
						into[l.Apply(p)[dim]] = true
					}
				})
			}
			collect(a, 0, rowsA)
			collect(c, 0, rowsC)
			collect(b, 1, colsB)
			collect(c, 1, colsC)
			if !sameSet(rowsA, rowsC) || !sameSet(colsB, colsC) {
				t.Errorf("%v: warp %d: rows of A %v and of C %v, columns of B %v and of C %v", tc, warp, rowsA, rowsC, colsB, colsC)
			}
		}
	}
}

func sameSet(a, b map[int]bool) bool {
	for k := range a {
		if !b[k] {
			return false
		}
	}
	return len(a) == len(b)
}

func TestMMAErrors(t *testing.T) {
	t.Parallel()
	f16 := MMA{16, 8, 16, 16, 1}
	for name, err := range map[string]error{
		"rows of a warp": second(MMA{32, 8, 16, 16, 1}.Accumulator([]int{32, 8}, 1, 1)),
		"short K":        second(MMA{16, 8, 4, 16, 1}.OperandA([]int{16, 16}, 1, 1)),
		"odd N":          second(MMA{16, 24, 16, 16, 1}.Accumulator([]int{16, 32}, 1, 1)),
		"no bits":        second(MMA{16, 8, 16, 0, 1}.Accumulator([]int{16, 8}, 1, 1)),
		"no warps":       second(MMA{16, 8, 16, 16, 0}.Accumulator([]int{16, 8}, 1, 1)),
		"small K of A":   second(f16.OperandA([]int{16, 8}, 1, 1)),
		"small K of B":   second(f16.OperandB([]int{8, 8}, 1, 1)),
		"rank 1":         second(f16.OperandA([]int{16}, 1, 1)),
		"warps":          second(f16.OperandA([]int{16, 16}, 3, 1)),
		"warpgroup":      second(MMA{64, 8, 16, 16, 4}.Accumulator([]int{64, 8}, 2, 1)),
		"wgmma N":        second(MMA{64, 64, 16, 16, 4}.Accumulator([]int{64, 32}, 4, 1)),
		"wgmma B":        second(MMA{64, 64, 16, 16, 4}.OperandB([]int{16, 64}, 4, 1)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }
