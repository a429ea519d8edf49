package linear

import "testing"

// TestMMATile multiplies integer matrices with the instructions of a plan, each
// executed on the fragments as the PTX ISA describes them.
func TestMMATile(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	for _, tc := range []struct {
		fragment       int // of the table of fragments
		batch          []int
		m, n, k        int
		warpsM, warpsN int
		grid           [4]int
		interleave     [2]int
	}{
		{0, nil, 64, 32, 32, 2, 2, [4]int{1, 2, 2, 2}, [2]int{1, 1}},
		{0, nil, 32, 64, 16, 1, 4, [4]int{1, 2, 2, 1}, [2]int{1, 1}},
		{0, []int{2, 2}, 16, 16, 32, 1, 1, [4]int{4, 1, 2, 2}, [2]int{1, 1}},
		{0, nil, 16, 8, 16, 2, 2, [4]int{1, 1, 1, 1}, [2]int{1, 1}},
		{0, nil, 4, 4, 16, 1, 1, [4]int{1, 1, 1, 1}, [2]int{1, 1}},
		{2, nil, 32, 32, 32, 2, 1, [4]int{1, 1, 4, 4}, [2]int{1, 1}},
		{5, nil, 32, 16, 64, 1, 2, [4]int{1, 2, 1, 2}, [2]int{1, 1}},
		{7, nil, 16, 32, 8, 2, 2, [4]int{1, 1, 2, 2}, [2]int{1, 1}},
		{8, nil, 32, 16, 32, 2, 1, [4]int{1, 1, 2, 2}, [2]int{1, 1}},
		{0, nil, 64, 32, 32, 2, 2, [4]int{1, 2, 2, 2}, [2]int{2, 1}},
		{0, nil, 32, 64, 16, 1, 2, [4]int{1, 2, 4, 1}, [2]int{4, 4}},
		{2, nil, 32, 32, 32, 2, 1, [4]int{1, 1, 4, 4}, [2]int{1, 2}},
		{5, []int{2}, 32, 32, 64, 1, 2, [4]int{2, 2, 2, 2}, [2]int{2, 2}},
	} {
		f := fragments[tc.fragment]
		mma := f.mma
		plan := must(mma.Tile(tc.batch, tc.m, tc.n, tc.k, tc.warpsM, tc.warpsN))
		plan = must(plan.Interleave(tc.interleave[0], tc.interleave[1]))
		if got := [4]int{plan.Batch, plan.M, plan.N, plan.K}; got != tc.grid || plan.SizeA != f.na || plan.SizeB != f.nb {
			t.Fatalf("%v: grid %v, want %v; fragments of %d and %d registers", tc, got, tc.grid, plan.SizeA, plan.SizeB)
		}
		a := make([]int, plan.Batch*tc.m*tc.k)
		b := make([]int, plan.Batch*tc.k*tc.n)
		for i := range a {
			a[i] = r.IntN(9) - 4
		}
		for i := range b {
			b[i] = r.IntN(9) - 4
		}
		posC := position(accumulator16x8)
		if f.c != nil {
			posC = f.c
		}
		value := func(data []int, l Layout, reg, lane, warp int) int {
			return data[l.Flat(Index{Register: uint32(reg), Lane: uint32(lane), Warp: uint32(warp)})]
		}
		for warp := range tc.warpsM * tc.warpsN {
			acc := make([][32]int, plan.C.Size(Register))
			for s := range plan.Batch * plan.M * plan.N * plan.K {
				k, n, m, batch := s%plan.K, s/plan.K%plan.N, s/plan.K/plan.N%plan.M, s/plan.K/plan.N/plan.M
				fa, fb := [16][64]int{}, [64][8]int{}
				for lane := range 32 {
					for i := range plan.SizeA {
						row, col := f.a(lane, i)
						fa[row][col] = value(a, plan.A, plan.FirstA(batch, m, k)+i, lane, warp)
					}
					for i := range plan.SizeB {
						row, col := f.b(lane, i)
						fb[row][col] = value(b, plan.B, plan.FirstB(batch, n, k)+i, lane, warp)
					}
				}
				for lane := range 32 {
					for i := range plan.SizeC {
						row, col := posC(lane, i)
						for x := range mma.K {
							acc[plan.FirstC(batch, m, n)+i][lane] += fa[row][x] * fb[x][col]
						}
					}
				}
			}
			for reg := range acc {
				for lane, got := range acc[reg] {
					at := plan.C.Flat(Index{Register: uint32(reg), Lane: uint32(lane), Warp: uint32(warp)})
					batch, row, col := int(at)/tc.m/tc.n, int(at)/tc.n%tc.m, int(at)%tc.n
					want := 0
					for x := range tc.k {
						want += a[(batch*tc.m+row)*tc.k+x] * b[(batch*tc.k+x)*tc.n+col]
					}
					if got != want {
						t.Fatalf("%v: element [%d %d %d] in register %d of lane %d of warp %d is %d, want %d", tc, batch, row, col, reg, lane, warp, got, want)
					}
				}
			}
		}
	}
	w := must(MMA{64, 64, 16, 16, 4}.Tile(nil, 128, 128, 64, 4, 1))
	if got := [4]int{w.Batch, w.M, w.N, w.K}; got != [4]int{1, 2, 2, 4} || w.SizeA != 8 || w.SizeC != 32 {
		t.Errorf("wgmma: grid %v, fragments of %d and %d registers", got, w.SizeA, w.SizeC)
	}
	one := must(MMA{16, 8, 16, 16, 1}.Tile(nil, 16, 16, 16, 1, 2))
	for name, err := range map[string]error{
		"no fragments to interleave": second(one.Interleave(1, 2)),
		"rows of other warps":        second(must(MMA{16, 8, 16, 16, 1}.Tile(nil, 32, 16, 16, 2, 1)).Interleave(4, 1)),
		"not a power of two":         second(one.Interleave(3, 1)),
		"operand in shared memory":   second(w.Interleave(1, 2)),
		"depth":                      second(MMA{16, 8, 16, 16, 1}.Tile(nil, 16, 8, 8, 1, 1)),
		"cols":                       second(MMA{16, 8, 16, 16, 1}.Tile(nil, 16, 7, 16, 1, 1)),
		"warps":                      second(MMA{64, 64, 16, 16, 4}.Tile(nil, 64, 64, 16, 2, 1)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
