package mma_test

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/mma"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// placeMeta gives the lane and the lowest bit of the metadata of a chunk, in the
// words of the figures on the metadata layout of a shape: group is the row
// modulo 8.
type placeMeta func(row, chunk, selector int) (thread, bit int)

var (
	// One thread holds row g in its lower half and row g + 8 in its upper.
	metaOne placeMeta = func(row, chunk, f int) (int, int) { return f, pick(row < 8, 0, 16) + 4*chunk }
	// Of a pair of threads, the first has the chunks 0 to 3 of both rows.
	metaPair placeMeta = func(row, chunk, f int) (int, int) {
		return 2*f + pick(chunk < 4, 0, 1), pick(row < 8, 0, 16) + chunk%4*4
	}
	// Of a pair of threads, the first has row g and the second row g + 8.
	metaRows placeMeta = func(row, chunk, f int) (int, int) { return 2*f + pick(row < 8, 0, 1), 4 * chunk }
	// Threads 0 and 1 have the lower half of the columns, 2 and 3 the upper.
	metaAll placeMeta = func(row, chunk, f int) (int, int) {
		return pick(row < 8, 0, 1) + pick(chunk < 8, 0, 2), chunk % 8 * 4
	}
)

// sparseCase is a form of mma.sp. a gives row and first column of the chunks
// from which the stored element i of a lane comes, and its number among the
// stored elements of the columns from there on.
type sparseCase struct {
	k         int
	ta, tb    syntax.Type
	tc        syntax.Type
	kind      string
	wide      int // columns of a chunk
	selectors int
	meta      placeMeta
	a         func(g, t, i int) (row, first, nth int)
	b         place3
	na, nb    int // registers
	vectors   int // scale factors of a row or column
}

// storedAt gives the place of stored element i of a lane: each register holds
// per of them, from width columns of one row; from element split on, the
// columns are further up.
func storedAt(upperRow func(i int) bool, width, per, split, further int) func(g, t, i int) (row, first, nth int) {
	return func(g, t, i int) (int, int, int) {
		return pick(upperRow(i), g, g+8), t*width + pick(i < split, 0, further), i % per
	}
}

var (
	aHalf16 = storedAt(func(i int) bool { return i < 2 }, 4, 2, 4, 0)
	aHalf32 = storedAt(func(i int) bool { return i < 2 || i >= 4 && i < 6 }, 4, 2, 4, 16)
	aTF8    = storedAt(func(i int) bool { return i == 0 }, 2, 1, 2, 0)
	aTF16   = storedAt(func(i int) bool { return i == 0 || i == 2 }, 2, 1, 2, 8)
	aByte32 = storedAt(func(i int) bool { return i < 4 }, 8, 4, 8, 0)
	aByte64 = storedAt(func(i int) bool { return i < 4 || i >= 8 && i < 12 }, 8, 4, 8, 32)
	aNib64  = storedAt(func(i int) bool { return i < 8 }, 16, 8, 16, 0)
	aNib128 = storedAt(func(i int) bool { return i < 8 || i >= 16 && i < 24 }, 16, 8, 16, 64)

	b32half place3 = func(g, t, i int) (int, int) { return t*2 + i&1 + i/2*8, g }
	b16tf32 place3 = func(g, t, i int) (int, int) { return t + i*4, g }
	b64byte place3 = func(g, t, i int) (int, int) { return t*4 + i&3 + i/4*16, g }
	b128nib place3 = func(g, t, i int) (int, int) { return t*8 + i&7 + i/8*32, g }
)

var sparseCases = []sparseCase{
	{k: 16, ta: syntax.F16, tb: syntax.F16, tc: syntax.F32, wide: 4, selectors: 4, meta: metaOne, a: aHalf16, b: b16half, na: 2, nb: 2},
	{k: 32, ta: syntax.F16, tb: syntax.F16, tc: syntax.F32, wide: 4, selectors: 2, meta: metaPair, a: aHalf32, b: b32half, na: 4, nb: 4},
	{k: 16, ta: syntax.BF16, tb: syntax.BF16, tc: syntax.F32, wide: 4, selectors: 4, meta: metaOne, a: aHalf16, b: b16half, na: 2, nb: 2},
	{k: 32, ta: syntax.BF16, tb: syntax.BF16, tc: syntax.F32, wide: 4, selectors: 2, meta: metaPair, a: aHalf32, b: b32half, na: 4, nb: 4},
	{k: 8, ta: syntax.TF32, tb: syntax.TF32, tc: syntax.F32, wide: 2, selectors: 4, meta: metaOne, a: aTF8, b: b8tf32, na: 2, nb: 2},
	{k: 16, ta: syntax.TF32, tb: syntax.TF32, tc: syntax.F32, wide: 2, selectors: 2, meta: metaPair, a: aTF16, b: b16tf32, na: 4, nb: 4},
	{k: 32, ta: syntax.S8, tb: syntax.U8, tc: syntax.S32, wide: 4, selectors: 2, meta: metaRows, a: aByte32, b: b32byte, na: 2, nb: 2},
	{k: 64, ta: syntax.U8, tb: syntax.S8, tc: syntax.S32, wide: 4, selectors: 1, meta: metaAll, a: aByte64, b: b64byte, na: 4, nb: 4},
	{k: 64, ta: syntax.S4, tb: syntax.U4, tc: syntax.S32, wide: 8, selectors: 2, meta: metaRows, a: aNib64, b: b64nib, na: 2, nb: 2},
	{k: 128, ta: syntax.S4, tb: syntax.S4, tc: syntax.S32, wide: 8, selectors: 1, meta: metaAll, a: aNib128, b: b128nib, na: 4, nb: 4},
	{k: 64, ta: syntax.E4M3, tb: syntax.E5M2, tc: syntax.F32, wide: 4, selectors: 1, meta: metaAll, a: aByte64, b: b64byte, na: 4, nb: 4},
	{k: 64, ta: syntax.E2M1, tb: syntax.E3M2, tc: syntax.F32, kind: "kind::f8f6f4.", wide: 4, selectors: 1, meta: metaAll, a: aByte64, b: b64byte, na: 4, nb: 4},
	{k: 64, ta: syntax.E2M3, tb: syntax.E2M1, tc: syntax.F32, kind: "kind::mxf8f6f4.block_scale.scale_vec::1X.", wide: 4, selectors: 1, meta: metaAll, a: aByte64, b: b64byte, na: 4, nb: 4, vectors: 1},
	{k: 128, ta: syntax.E2M1, tb: syntax.E2M1, tc: syntax.F32, kind: "kind::mxf4.block_scale.scale_vec::2X.", wide: 8, selectors: 1, meta: metaAll, a: aNib128, b: b128nib, na: 4, nb: 4, vectors: 2},
	{k: 128, ta: syntax.E2M1, tb: syntax.E2M1, tc: syntax.F32, kind: "kind::mxf4nvf4.block_scale.scale_vec::4X.", wide: 8, selectors: 1, meta: metaAll, a: aNib128, b: b128nib, na: 4, nb: 4, vectors: 4},
}

// sparseMatrix is a matrix with zeros as the sparsity demands, and the
// indices of its chunks.
type sparseMatrix struct {
	elements
	index  [][]uint32 // of a row's chunks
	places [][]int    // columns of a row that are stored, in order
}

func (c sparseCase) random(rng *rand.Rand, ordered bool) sparseMatrix {
	m := sparseMatrix{elements: elements{make([]uint64, 16*c.k), make([]float64, 16*c.k)}, index: make([][]uint32, 16), places: make([][]int, 16)}
	for row := range 16 {
		for chunk := range c.k / c.wide {
			first := rng.Intn(3)
			second := first + 1 + rng.Intn(3-first)
			if !ordered && rng.Intn(2) == 0 {
				first, second = second, first
			}
			at := []int{first, second}
			switch c.wide {
			case 2:
				e := rng.Intn(2)
				m.index[row] = append(m.index[row], []uint32{0b0100, 0b1110}[e])
				at = []int{e}
			case 8:
				m.index[row] = append(m.index[row], uint32(first|second<<2))
				at = []int{2 * first, 2*first + 1, 2 * second, 2*second + 1}
			default:
				m.index[row] = append(m.index[row], uint32(first|second<<2))
			}
			for _, p := range at {
				col := chunk*c.wide + p
				m.places[row] = append(m.places[row], col)
				m.code[row*c.k+col], m.x[row*c.k+col] = randomElement(rng, c.ta)
			}
		}
	}
	return m
}

// randomElement is an element of any type: small integers where they exist.
func randomElement(rng *rand.Rand, t syntax.Type) (uint64, float64) {
	if mma.Narrow(t) {
		return randomNarrow(rng, t)
	}
	x := small(rng, t)
	return encodeSmall(t, x), float64(x)
}

func (c sparseCase) bits(t syntax.Type) int {
	if c.kind != "" && c.wide == 4 {
		return 8
	}
	return t.Bits()
}

func (c sparseCase) inst(variant string) string {
	scale := map[int]string{1: ".ue8m0", 2: ".ue8m0", 4: ".ue4m3"}[c.vectors]
	return fmt.Sprintf("mma.%s.sync.aligned.m16n8k%d.row.col.%s%s.%s.%s.%s%s", variant, c.k, c.kind, c.tc, c.ta, c.tb, c.tc, scale)
}

// TestMmaSparse compares with the MMA of the matrix with its zeros.
func TestMmaSparse(t *testing.T) {
	t.Parallel()
	for n, c := range sparseCases {
		for selector := range c.selectors {
			for _, variant := range []string{"sp", "sp::ordered_metadata"} {
				if variant == "sp" && c.kind != "" {
					continue // kinds have ordered metadata only
				}
				inst := c.inst(variant)
				t.Run(fmt.Sprintf("%s_%d", inst, selector), func(t *testing.T) {
					t.Parallel()
					c.check(t, inst, selector, rand.New(rand.NewSource(int64(n))), variant != "sp")
				})
			}
		}
	}
}

func (c sparseCase) check(t *testing.T, inst string, selector int, rng *rand.Rand, ordered bool) {
	A := c.random(rng, ordered)
	var B elements
	for range c.k * 8 {
		code, x := randomElement(rng, c.tb)
		B.code, B.x = append(B.code, code), append(B.x, x)
	}
	var meta [32]uint32
	for lane := range meta {
		meta[lane] = rng.Uint32() // of lanes that do not contribute
	}
	for row := range 16 {
		for chunk, v := range A.index[row] {
			thread, bit := c.meta(row, chunk, selector)
			m := &meta[row%8*4+thread]
			*m = *m&^(0xf<<bit) | v<<bit
		}
	}
	contained := func(tt syntax.Type, code uint64) uint64 {
		if c.bits(tt) != tt.Bits() {
			return inByte(tt, code)
		}
		return code
	}
	run := mmaRun{inst: inst, regs: []int{c.na, c.nb, 4, 1}, d: 4, tail: fmt.Sprintf(", %%s, %d", selector)}
	var scales [2][32]uint32
	threadA, threadB := 1, 2
	factor := func(op, lane, k int) float64 { return 1 }
	if c.vectors > 0 {
		run.regs = append(run.regs, 1, 1)
		run.tail += fmt.Sprintf(", %%s, {0, %d}, %%s, {0, %d}", threadA, threadB)
		for i := range 64 { // 1, 2 or 4: exponents and, of ue4m3, a fraction of zero
			scales[i/32][i%32] = packed(8, func(int) uint64 { return uint64(pick(c.vectors == 4, (7+rng.Intn(3))<<3, 127+rng.Intn(3))) })
		}
		factor = func(op, lane, k int) float64 {
			v := scales[op][lane] >> (8 * (k * c.vectors / c.k)) & 0xff
			if c.vectors == 4 {
				return math.Ldexp(1, int(v>>3)-7)
			}
			return math.Ldexp(1, int(v)-127)
		}
	}
	get := run.run(t, func(lane, op, i int) uint32 {
		g, q := lane/4, lane%4
		switch op {
		case 0:
			per := 32 / c.bits(c.ta)
			return packed(c.bits(c.ta), func(e int) uint64 {
				row, first, nth := c.a(g, q, per*i+e)
				for _, col := range A.places[row] {
					if col >= first {
						if nth == 0 {
							return contained(c.ta, A.code[row*c.k+col])
						}
						nth--
					}
				}
				t.Fatalf("no stored element for lane %d, element %d", lane, per*i+e)
				return 0
			})
		case 1:
			per := 32 / c.bits(c.tb)
			return packed(c.bits(c.tb), func(e int) uint64 { k, n := c.b(g, q, per*i+e); return contained(c.tb, B.code[k*8+n]) })
		case 2:
			return uint32(encodeSmall(c.tc, i-2))
		case 3:
			return meta[lane]
		}
		return scales[op-4][lane]
	})
	for lane := range 32 {
		for i := range 4 {
			row, col := accum16(lane/4, lane%4, i)
			sum := float64(i - 2)
			for k := range c.k {
				sum += A.x[row*c.k+k] * factor(0, row%8*4+2*threadA+row/8, k) * B.x[k*8+col] * factor(1, col*4+threadB, k)
			}
			got := float64(math.Float32frombits(get(lane, i)))
			if c.tc == syntax.S32 {
				got = float64(int32(get(lane, i)))
			}
			if got != sum {
				t.Fatalf("row %d, column %d: got %v, want %v", row, col, got, sum)
			}
		}
	}
}

// TestMmaSparseFaults gives metadata without a meaning.
func TestMmaSparseFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		inst  string
		regs  []int
		meta  uint32
		wants string
	}{
		{"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", []int{2, 2, 4, 1}, 0x44445444, "metadata 0b0101 of row 0, chunk 3, is not valid"},
		{"mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", []int{2, 2, 4, 1}, 0x44441444, "metadata 0b0001 of row 0, chunk 3, is not valid"},
		{"mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", []int{2, 2, 4, 1}, 0x44448444, "metadata 0b1000 of row 0, chunk 3, is not valid"},
		{"mma.sp.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", []int{2, 2, 4, 1}, 0x44444440, "metadata 0b0000 of row 0, chunk 0, is not valid"},
	} {
		mmaRun{inst: c.inst, regs: c.regs, d: 4, tail: ", %s, 0", wants: c.wants}.run(t, func(lane, op, i int) uint32 { return c.meta * uint32(op/3) })
	}
}
