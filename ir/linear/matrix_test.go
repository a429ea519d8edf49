package linear

import (
	"strings"
	"testing"
)

// ldmatrix executes one op as the PTX ISA describes ldmatrix.m8n8.b16 and returns,
// per lane and matrix, the elements that the 32-bit result holds. Memory holds
// element numbers, memory[i] being the element at offset i.
func ldmatrix(t *testing.T, a MatrixAccess, op MatrixOp, warp, block uint32, memory []uint64, elemBits int) [32][][]uint64 {
	t.Helper()
	row := func(matrix, i int) []uint64 {
		at := op.Offset ^ a.Row.At(uint32(8*matrix+i), warp, block)
		n := uint32(128 / elemBits)
		if at%n != 0 {
			t.Fatalf("row %d of matrix %d at offset %d is not aligned", i, matrix, at)
		}
		return memory[at : at+n]
	}
	var out [32][][]uint64
	for lane := range out {
		for m := range a.Matrices {
			var word []uint64
			if a.Trans {
				unit := 16 / elemBits
				for half := range 2 {
					word = append(word, row(m, 2*(lane%4)+half)[lane/4*unit:][:unit]...)
				}
			} else {
				unit := 32 / elemBits
				word = row(m, lane/4)[lane%4*unit:][:unit]
			}
			out[lane] = append(out[lane], word)
		}
	}
	return out
}

func checkMatrix(t *testing.T, a MatrixAccess, dist Layout, sh Shared, elemBits int) {
	t.Helper()
	memory := make([]uint64, 1<<sh.layout.ElementBits())
	for e := range memory {
		memory[sh.Offset(uint64(e))] = uint64(e)
	}
	wavefronts := 0
	for warp := range uint32(dist.Size(Warp)) {
		for block := range uint32(dist.Size(Block)) {
			seen := map[int]bool{}
			for _, op := range a.Ops {
				got := ldmatrix(t, a, op, warp, block, memory, elemBits)
				if len(op.Registers) != a.Matrices {
					t.Fatalf("%d operands for %d matrices", len(op.Registers), a.Matrices)
				}
				for lane, words := range got {
					for m, regs := range op.Registers {
						for i, r := range regs {
							want := dist.Flat(Index{Register: uint32(r), Lane: uint32(lane), Warp: warp, Block: block})
							if words[m][i] != want {
								t.Fatalf("trans %v: lane %d warp %d receives element %d in register %d, want %d\nof %s\nin %s\nplan %+v", a.Trans, lane, warp, words[m][i], r, want, dist, sh, a)
							}
							seen[r] = true
						}
					}
				}
				for m := range a.Matrices {
					var at []int
					for i := range 8 {
						o := op.Offset ^ a.Row.At(uint32(8*m+i), warp, block)
						if a.Disjoint && o != op.Offset+a.Row.At(uint32(8*m+i), warp, block) {
							t.Fatalf("offset %d is not a sum", o)
						}
						at = append(at, int(o)*elemBits/8)
					}
					ways := countConflicts(at, 16)
					if ways != a.Ways {
						t.Fatalf("%d ways, the plan says %d", ways, a.Ways)
					}
					if warp == 0 && block == 0 {
						wavefronts += ways
					}
				}
			}
			for r, c := range a.Copies {
				same := dist.RegisterPart(uint32(r)) == dist.RegisterPart(uint32(c))
				if !seen[c] || !same {
					t.Fatalf("register %d is said to be a copy of %d", r, c)
				}
			}
		}
	}
	if wavefronts != a.Wavefronts || a.Instructions != len(a.Ops) {
		t.Fatalf("%d wavefronts in %d ops, the plan says %d in %d", wavefronts, len(a.Ops), a.Wavefronts, a.Instructions)
	}
}

func TestPlanMatrix(t *testing.T) {
	t.Parallel()
	f16, tf32, i8, f64 := MMA{16, 8, 16, 16, 1}, MMA{16, 8, 8, 32, 1}, MMA{16, 8, 32, 8, 1}, MMA{8, 8, 4, 64, 1}
	row := func(m, n int) Shared { return must(SharedRowMajor([]int{m, n}, []int{1, 0})) }
	col := func(m, n int) Shared { return must(SharedRowMajor([]int{m, n}, []int{0, 1})) }
	swizzled := func(m, n, vec int, order []int) Shared {
		return must(SharedSwizzled([]int{m, n}, vec, 1, 8, order))
	}
	for _, tc := range []struct {
		name           string
		dist           Layout
		sh             Shared
		elemBits       int
		plain, trans   bool // which forms apply
		matrices, ways int
	}{
		{"A row-major", must(f16.OperandA([]int{64, 64}, 2, 2)), row(64, 64), 16, true, false, 4, 8},
		{"A row-major, swizzled", must(f16.OperandA([]int{64, 64}, 2, 2)), swizzled(64, 64, 8, []int{1, 0}), 16, true, false, 4, 1},
		{"A column-major", must(f16.OperandA([]int{64, 64}, 2, 2)), swizzled(64, 64, 8, []int{0, 1}), 16, false, true, 4, 1},
		{"B row-major", must(f16.OperandB([]int{32, 64}, 2, 2)), swizzled(32, 64, 8, []int{1, 0}), 16, false, true, 4, 1},
		{"B column-major", must(f16.OperandB([]int{64, 32}, 2, 2)), swizzled(64, 32, 8, []int{0, 1}), 16, true, false, 4, 1},
		{"one fragment of B", must(f16.OperandB([]int{16, 8}, 1, 1)), col(16, 8), 16, true, false, 2, 2},
		{"half a fragment", must(MMA{16, 8, 8, 16, 1}.OperandB([]int{8, 8}, 1, 1)), row(8, 8), 16, false, true, 1, 1},
		{"C row-major", must(f16.Accumulator([]int{64, 64}, 2, 2)), swizzled(64, 64, 8, []int{1, 0}), 16, true, false, 4, 1},
		{"C column-major", must(f16.Accumulator([]int{64, 64}, 2, 2)), swizzled(64, 64, 8, []int{0, 1}), 16, false, true, 4, 1},
		{"tf32 A row-major", must(tf32.OperandA([]int{32, 32}, 2, 1)), swizzled(32, 32, 4, []int{1, 0}), 32, true, false, 4, 1},
		{"tf32 A column-major", must(tf32.OperandA([]int{32, 32}, 2, 1)), col(32, 32), 32, false, false, 0, 0},
		{"8-bit A row-major", must(i8.OperandA([]int{32, 128}, 1, 2)), swizzled(32, 128, 16, []int{1, 0}), 8, true, false, 4, 1},
		{"8-bit B column-major", must(i8.OperandB([]int{128, 32}, 1, 2)), swizzled(128, 32, 16, []int{0, 1}), 8, true, false, 4, 1},
		{"8-bit B row-major", must(i8.OperandB([]int{128, 32}, 1, 2)), row(128, 32), 8, false, false, 0, 0},
		{"f64", must(f64.OperandA([]int{16, 16}, 1, 1)), row(16, 16), 64, false, false, 0, 0},
		{"chunks of 4 elements", must(f16.OperandA([]int{64, 64}, 2, 2)), swizzled(64, 64, 4, []int{1, 0}), 16, false, false, 0, 0},
		{"blocked", must(Blocked([]int{64, 64}, []int{1, 8}, []int{4, 8}, []int{4, 1}, []int{1, 0})), row(64, 64), 16, false, false, 0, 0},
		{"copies in registers and lanes", must(f16.OperandA([]int{4, 32}, 1, 2)), row(4, 32), 16, true, false, 4, 2},
		{"3-D", must(must(f16.OperandA([]int{2, 32, 64}, 2, 1)).Reshape([]int{64, 64})), swizzled(64, 64, 8, []int{1, 0}), 16, true, false, 4, 1},
	} {
		for _, trans := range []bool{false, true} {
			a, err := PlanMatrix(tc.dist, tc.sh, tc.elemBits, trans)
			want := tc.plain && !trans || tc.trans && trans
			if (err == nil) != want {
				t.Errorf("%s, trans %v: %v", tc.name, trans, err)
			}
			if err != nil {
				continue
			}
			checkMatrix(t, a, tc.dist, tc.sh, tc.elemBits)
			if a.Matrices != tc.matrices || a.Ways != tc.ways {
				t.Errorf("%s: x%d with %d ways, want x%d with %d", tc.name, a.Matrices, a.Ways, tc.matrices, tc.ways)
			}
		}
	}
}

// TestPlanMatrixOfRandomLayouts builds layouts that are matrices by construction, hides them after a change of
// basis of the registers, and runs the plans.
func TestPlanMatrixOfRandomLayouts(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	planned := map[bool]int{}
	for range 400 {
		elemBits := 8 << r.IntN(3)
		elem := must(elemLog(elemBits))
		shape := []int{32, 64}
		sh := randomShared(r, shape, false)
		trans := r.IntN(2) == 0 && elemBits < 32
		sub, row := wordLog-elem, 7-elem
		if trans {
			sub--
		}
		element := func(offset uint64) uint64 { return sh.layout.Flat(Index{Offset: uint32(offset)}) }
		outside := func() uint64 { return element(r.Uint64N(2048) &^ (1<<row - 1)) }
		dist := Layout{in: widths{Register: uint8(sub + 1 + r.IntN(4)), Lane: 5, Warp: 1, Block: uint8(r.IntN(2))}, shape: must(logShape(shape))}
		for i := range dist.in.total() {
			lane := i - dist.Bits(Register)
			if trans {
				lane -= 3
			} else if lane >= 2 {
				lane = -1
			}
			if i < sub {
				dist.bases = append(dist.bases, element(1<<i))
			} else if i >= dist.Bits(Register) && i < dist.Bits(Register)+5 && (!trans && lane >= 0 || trans && lane+3 >= 2) {
				at := i - dist.Bits(Register)
				if trans {
					at -= 2
				}
				dist.bases = append(dist.bases, element(1<<(sub+at)))
			} else {
				dist.bases = append(dist.bases, outside())
			}
		}
		for range 4 {
			i, j := r.IntN(dist.Bits(Register)), r.IntN(dist.Bits(Register))
			if i != j {
				dist.bases[i] ^= dist.bases[j]
			}
		}
		a, err := PlanMatrix(dist, sh, elemBits, trans)
		if err != nil {
			if trans && strings.Contains(err.Error(), "second row") {
				continue // the other registers were copies
			}
			t.Fatalf("%v\n%s\nin %s", err, dist, sh)
		}
		checkMatrix(t, a, dist, sh, elemBits)
		planned[trans]++
	}
	if planned[false] < 100 || planned[true] < 100 {
		t.Errorf("planned %v", planned)
	}
}

func TestPlanMatrixErrors(t *testing.T) {
	t.Parallel()
	f16 := MMA{16, 8, 16, 16, 1}
	a := must(f16.OperandA([]int{16, 16}, 1, 1))
	row := must(SharedRowMajor([]int{16, 16}, []int{1, 0}))
	small := must(New([]int{4}, Bases{Register: {{1}}, Lane: {{2}, {0}, {0}, {0}, {0}}}))
	half := must(New([]int{4, 8}, Bases{Lane: {{1, 0}, {2, 0}, {0, 1}, {0, 2}, {0, 4}}}))
	for want, err := range map[string]error{
		"not a power of two": second(PlanMatrix(a, row, 12, false)),
		"do not fit":         second(PlanMatrix(a, row, 64, false)),
		"of 16 bits":         second(PlanMatrix(a, row, 32, true)),
		"expected 32":        second(PlanMatrix(must(New([]int{4}, Bases{Lane: {{1}, {2}}})), must(SharedRowMajor([]int{4}, []int{0})), 16, false)),
		"no row":             second(PlanMatrix(small, must(SharedRowMajor([]int{4}, []int{0})), 16, false)),
		"shape":              second(PlanMatrix(small, row, 16, false)),
		"second row":         second(PlanMatrix(half, must(SharedRowMajor([]int{4, 8}, []int{1, 0})), 16, true)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
