package linear

import "testing"

func TestOptimalSwizzleKnown(t *testing.T) {
	t.Parallel()
	f16, tf32, i8 := MMA{16, 8, 16, 16, 1}, MMA{16, 8, 8, 32, 1}, MMA{16, 8, 32, 8, 1}
	rows := func(m, n, elemBits int) Layout {
		return must(Coalesced([]int{m, n}, elemBits, 128, 32, 4, []int{1, 0}))
	}
	cols := func(m, n, elemBits int) Layout {
		return must(Coalesced([]int{m, n}, elemBits, 128, 32, 4, []int{0, 1}))
	}
	yes, no := AccessOptions{Matrix: true}, AccessOptions{}
	for _, tc := range []struct {
		name            string
		elemBits        int
		store, load     Layout
		storeOpt, opt   AccessOptions
		storeM, loadM   Mode
		storeV, loadV   int // log2 of the elements of a plain vector
		storeWays, ways int
	}{
		{"A", 16, rows(64, 64, 16), must(f16.OperandA([]int{64, 64}, 2, 2)), no, yes, Plain, Matrix, 3, 0, 1, 1},
		{"A narrow", 16, rows(128, 32, 16), must(f16.OperandA([]int{128, 32}, 2, 2)), no, yes, Plain, Matrix, 3, 0, 1, 1},
		{"A column-major", 16, cols(64, 64, 16), must(f16.OperandA([]int{64, 64}, 2, 2)), no, yes, Plain, MatrixTrans, 3, 0, 1, 1},
		{"B", 16, rows(32, 128, 16), must(f16.OperandB([]int{32, 128}, 2, 2)), no, yes, Plain, MatrixTrans, 3, 0, 1, 1},
		{"B column-major", 16, cols(64, 64, 16), must(f16.OperandB([]int{64, 64}, 2, 2)), no, yes, Plain, Matrix, 3, 0, 1, 1},
		{"tf32 A", 32, rows(64, 32, 32), must(tf32.OperandA([]int{64, 32}, 2, 2)), no, yes, Plain, Matrix, 2, 0, 1, 1},
		{"8-bit A", 8, rows(64, 64, 8), must(i8.OperandA([]int{64, 64}, 2, 2)), no, yes, Plain, Matrix, 4, 0, 1, 1},
		{"epilogue with stmatrix", 16, must(f16.Accumulator([]int{64, 64}, 2, 2)), rows(64, 64, 16), yes, no, Matrix, Plain, 0, 3, 1, 1},
		{"transposing epilogue", 16, must(f16.Accumulator([]int{64, 64}, 2, 2)), cols(64, 64, 16), yes, no, MatrixTrans, Plain, 0, 3, 1, 1},
		{"same layout", 32, rows(64, 64, 32), rows(64, 64, 32), no, yes, Plain, Plain, 2, 2, 1, 1},
	} {
		sh := must(OptimalSwizzleFor(tc.store.Shape(), tc.elemBits, tc.store, tc.load, tc.storeOpt, tc.opt))
		for _, side := range []struct {
			name string
			l    Layout
			o    AccessOptions
			mode Mode
			vec  int
			ways int
		}{{"store", tc.store, tc.storeOpt, tc.storeM, tc.storeV, tc.storeWays}, {"load", tc.load, tc.opt, tc.loadM, tc.loadV, tc.ways}} {
			mode, cost, err := BestAccess(side.l, sh, tc.elemBits, side.o)
			if err != nil || mode != side.mode || cost.Ways != side.ways {
				t.Errorf("%s: %s is %s with %d ways (%v), want %s with %d, in %s", tc.name, side.name, mode, cost.Ways, err, side.mode, side.ways, sh)
				continue
			}
			if mode != Plain {
				a := must(PlanMatrix(side.l, sh, tc.elemBits, mode == MatrixTrans))
				checkMatrix(t, a, side.l, sh, tc.elemBits)
				if a.Cost != cost {
					t.Errorf("%s: cost %+v, plan %+v", tc.name, cost, a.Cost)
				}
				continue
			}
			a := must(PlanAccess(side.l, sh, tc.elemBits, 128))
			checkAccess(t, a, side.l, sh, tc.elemBits)
			if a.VecBits != side.vec || a.Cost != cost {
				t.Errorf("%s: %s with vectors of 2^%d, want 2^%d", tc.name, side.name, a.VecBits, side.vec)
			}
		}
	}
}

// TestOptimalSwizzleTranspose has no common vector: both sides are to be free of
// conflicts, in the sense that no wavefront is wasted.
func TestOptimalSwizzleTranspose(t *testing.T) {
	t.Parallel()
	for _, elemBits := range []int{8, 16, 32, 64} {
		for _, n := range []int{16, 32, 64} {
			store := must(Blocked([]int{n, n}, []int{1, 1}, []int{1, 32}, []int{4, 1}, []int{1, 0}))
			load := must(Blocked([]int{n, n}, []int{1, 1}, []int{32, 1}, []int{1, 4}, []int{0, 1}))
			sh := must(OptimalSwizzle([]int{n, n}, elemBits, store, load))
			for _, l := range []Layout{store, load} {
				a := must(PlanAccess(l, sh, elemBits, 128))
				checkAccess(t, a, l, sh, elemBits)
				if a.Ways != 1 {
					t.Errorf("%d bits, %d: %d ways", elemBits, n, a.Ways)
				}
			}
		}
	}
}

// TestOptimalSwizzleBeatsOthers compares with the usual choices.
func TestOptimalSwizzleBeatsOthers(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	better := 0
	for range 250 {
		shape := []int{1 << (3 + r.IntN(4)), 1 << (3 + r.IntN(4))}
		elemBits := 8 << r.IntN(4)
		pick := func() Layout {
			order := []int{1, 0}
			if r.IntN(2) == 0 {
				order = []int{0, 1}
			}
			switch r.IntN(3) {
			case 0:
				return must(Coalesced(shape, elemBits, 128, 32, 4, order))
			case 1:
				across := 1 << r.IntN(6)
				return must(Blocked(shape, []int{1, 2}, []int{32 / across, across}, []int{2, 2}, order))
			default:
				n := must(logSize(shape))
				return randomSurjective(r, shape, max(n-5, 2), 5, 2, 0, r.IntN(2) == 0)
			}
		}
		store, load := pick(), pick()
		cost := func(sh Shared) int {
			_, a, err := BestAccess(store, sh, elemBits, AccessOptions{})
			if err != nil {
				t.Fatal(err)
			}
			_, b, err := BestAccess(load, sh, elemBits, AccessOptions{Matrix: true})
			if err != nil {
				t.Fatal(err)
			}
			return a.Wavefronts + b.Wavefronts
		}
		best := cost(must(OptimalSwizzle(shape, elemBits, store, load)))
		usual := 1 << 30
		for _, order := range [][]int{{1, 0}, {0, 1}} {
			for vec := 1; vec <= 16; vec *= 2 {
				for phases := 1; phases <= 32; phases *= 2 {
					usual = min(usual, cost(must(SharedSwizzled(shape, vec, 1, phases, order))))
				}
			}
		}
		if best > usual {
			t.Errorf("%d wavefronts, %d with a simple swizzle of %d-bit elements\nfrom %s\nto   %s", best, usual, elemBits, store, load)
		}
		if best < usual {
			better++
		}
	}
	if better == 0 {
		t.Error("never better than a simple swizzle")
	}
}

func TestOptimalSwizzleErrors(t *testing.T) {
	t.Parallel()
	l := must(Coalesced([]int{64, 64}, 16, 128, 32, 4, []int{1, 0}))
	part := must(New([]int{64, 64}, Bases{Register: {{0, 1}}}))
	for name, err := range map[string]error{
		"element": second(OptimalSwizzle([]int{64, 64}, 20, l, l)),
		"shape":   second(OptimalSwizzle([]int{64, 63}, 16, l, l)),
		"other":   second(OptimalSwizzle([]int{64, 32}, 16, l, l)),
		"part":    second(OptimalSwizzle([]int{64, 64}, 16, l, part)),
		"access":  bestError(l, must(SharedRowMajor([]int{64}, []int{0})), 16),
		"bits":    bestError(part, must(SharedRowMajor([]int{64, 64}, []int{0, 1})), 2),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func bestError(l Layout, sh Shared, elemBits int) error {
	_, _, err := BestAccess(l, sh, elemBits, AccessOptions{})
	return err
}

func BenchmarkOptimalSwizzle(b *testing.B) {
	store := must(Coalesced([]int{128, 64}, 16, 128, 32, 4, []int{1, 0}))
	load := must(MMA{16, 8, 16, 16, 1}.OperandA([]int{128, 64}, 2, 2))
	for b.Loop() {
		must(OptimalSwizzle([]int{128, 64}, 16, store, load))
	}
}

func BenchmarkConvert(b *testing.B) {
	src := must(Coalesced([]int{128, 64}, 16, 128, 32, 4, []int{1, 0}))
	dst := must(MMA{16, 8, 16, 16, 1}.OperandA([]int{128, 64}, 2, 2))
	for b.Loop() {
		must(Convert(src, dst))
	}
}

// TestInOrder: where an instruction takes what a vector brings, the registers of the vector follow each other.
func TestInOrder(t *testing.T) {
	t.Parallel()
	tf32 := MMA{16, 8, 8, 32, 1}
	tile := must(must(tf32.Tile(nil, 64, 64, 32, 4, 1)).Interleave(1, 2))
	// A thread stores four neighbours of four rows.
	store := must(New([]int{32, 64}, Bases{Register: {{0, 1}, {0, 2}, {4, 0}, {8, 0}}, Lane: {{0, 4}, {0, 8}, {0, 16}, {0, 32}, {1, 0}}, Warp: {{2, 0}, {16, 0}}}))
	sh := must(OptimalSwizzleFor([]int{32, 64}, 32, store, tile.B, AccessOptions{}, AccessOptions{Matrix: true, InOrder: true}))
	for name, l := range map[string]Layout{"store": store, "load": tile.B} {
		a := must(PlanAccess(l, sh, 32, 128))
		if a.VecBits != 2 || a.Cost.Ways != 1 {
			t.Errorf("%s: vectors of 2^%d and %d ways in %s", name, a.VecBits, a.Cost.Ways, sh)
		}
		for _, op := range a.Ops {
			for i, r := range op.Registers {
				if name == "load" && r != op.Registers[0]+i {
					t.Fatalf("a vector brings registers %v", op.Registers)
				}
			}
		}
	}
}

// TestInOrderAccumulators: where the accumulator of one MMA becomes operand A of the next, no vector brings registers of
// two MMAs, which would have to be moved.
func TestInOrderAccumulators(t *testing.T) {
	t.Parallel()
	for _, warps := range [][2]int{{4, 1}, {2, 2}, {1, 4}} {
		tile := must(MMA{16, 8, 8, 32, 1}.Tile(nil, 64, 64, 64, warps[0], warps[1]))
		for name, load := range map[string]Layout{"A": tile.A, "B": tile.B} {
			sh := must(OptimalSwizzleFor([]int{64, 64}, 32, tile.C, load, AccessOptions{}, AccessOptions{Matrix: true, InOrder: true}))
			if mode, _, err := BestAccess(load, sh, 32, AccessOptions{Matrix: true}); err != nil || mode != Plain {
				continue
			}
			for _, op := range must(PlanAccess(load, sh, 32, 128)).Ops {
				for i, r := range op.Registers {
					if r != op.Registers[0]+i || op.Registers[0]%len(op.Registers) != 0 {
						t.Fatalf("%s in %d x %d warps: a vector brings registers %v", name, warps[0], warps[1], op.Registers)
					}
				}
			}
		}
	}
}

// TestStoreInOrder: the chunks of a copy are contiguous in the buffer, though other vectors would be as cheap for a store
// from registers.
func TestStoreInOrder(t *testing.T) {
	t.Parallel()
	// A thread copies eight neighbours of 16 rows, and the operand is transposed.
	store := must(New([]int{32, 512}, Bases{Register: {{0, 1}, {0, 2}, {0, 4}, {2, 0}, {4, 0}, {8, 0}, {16, 0}}, Lane: {{0, 8}, {0, 16}, {0, 32}, {0, 64}, {0, 128}}, Warp: {{0, 256}, {1, 0}}}))
	load := must(must(MMA{16, 8, 16, 16, 1}.OperandA([]int{512, 32}, 4, 1)).Permute([]int{1, 0}))
	sh := must(OptimalSwizzleFor([]int{32, 512}, 16, store, load, AccessOptions{InOrder: true}, AccessOptions{Matrix: true, MaxBits: 32}))
	for _, op := range must(PlanAccess(store, sh, 16, 128)).Ops {
		if first := op.Registers[0]; len(op.Registers) != 8 || first%8 != 0 || op.Registers[7] != first+7 {
			t.Fatalf("a chunk is registers %v in %s", op.Registers, sh)
		}
	}
	if mode, cost, err := BestAccess(load, sh, 16, AccessOptions{Matrix: true, MaxBits: 32}); err != nil || mode != MatrixTrans || cost.Ways != 1 {
		t.Errorf("%v of %d ways, %v in %s", mode, cost.Ways, err, sh)
	}
}
