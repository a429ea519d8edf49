package mma_test

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// bitCase is a shape of the MMA of single bits.
type bitCase struct {
	m, k       int
	na, nb, nc int
	a, b       place3
	c          place3
}

func (c bitCase) inst(op string) string {
	return fmt.Sprintf("mma.sync.aligned.m%dn8k%d.row.col.s32.b1.b1.s32.%s.popc", c.m, c.k, op)
}

var bitCases = []bitCase{
	{8, 128, 1, 1, 2, func(g, t, i int) (int, int) { return g, t*32 + i }, func(g, t, i int) (int, int) { return t*32 + i, g }, accum8},
	{16, 128, 2, 1, 4, func(g, t, i int) (int, int) { return pick(i < 32, g, g+8), t*32 + i&0x1f },
		func(g, t, i int) (int, int) { return t*32 + i, g }, accum16},
	{16, 256, 4, 2, 4, func(g, t, i int) (int, int) {
		return pick(i < 32 || i >= 64 && i < 96, g, g+8), t*32 + i&0x1f + pick(i < 64, 0, 128)
	}, func(g, t, i int) (int, int) { return t*32 + i&0x1f + pick(i < 32, 0, 128), g }, accum16},
}

// TestMmaBits multiplies matrices of single bits.
func TestMmaBits(t *testing.T) {
	t.Parallel()
	for n, c := range bitCases {
		for _, op := range []string{"xor", "and"} {
			run := mmaRun{inst: c.inst(op), regs: []int{c.na, c.nb, c.nc}, d: c.nc}
			t.Run(run.inst, func(t *testing.T) {
				t.Parallel()
				rng := rand.New(rand.NewSource(int64(n)))
				A, B := make([]uint64, c.m*c.k), make([]uint64, c.k*8)
				for i := range A {
					A[i] = uint64(rng.Intn(2))
				}
				for i := range B {
					B[i] = uint64(rng.Intn(2))
				}
				get := run.run(t, func(lane, operand, i int) uint32 {
					g, q := lane/4, lane%4
					switch operand {
					case 0:
						return packed(1, func(e int) uint64 { r, k := c.a(g, q, 32*i+e); return A[r*c.k+k] })
					case 1:
						return packed(1, func(e int) uint64 { k, col := c.b(g, q, 32*i+e); return B[k*8+col] })
					}
					return uint32(10 * i)
				})
				for lane := range 32 {
					for i := range c.nc {
						row, col := c.c(lane/4, lane%4, i)
						want := uint64(10 * i)
						for k := range c.k {
							if x, y := A[row*c.k+k], B[k*8+col]; op == "xor" {
								want += x ^ y
							} else {
								want += x & y
							}
						}
						if got := uint64(get(lane, i)); got != want {
							t.Fatalf("row %d, column %d: got %d, want %d", row, col, got, want)
						}
					}
				}
			})
		}
	}
}

// TestMmaQuad computes the four products of the m8n8k4 form of f16. The
// formulas take the lane, as those of its section do.
func TestMmaQuad(t *testing.T) {
	t.Parallel()
	accumulator := func(tt syntax.Type, lane, i int) (row, col int) {
		if tt == syntax.F16 {
			return lane%4 + pick(lane < 16, 0, 4), i
		}
		return lane&0b1 + i&0b10 + pick(lane < 16, 0, 4), i&0b100 + lane&0b10 + i&0b1
	}
	// computation is the number of the MMA: lanes 0-3 and 16-19 have the
	// first, 4-7 and 20-23 the second, and so on.
	computation := func(lane int) int { return lane / 4 % 4 }
	for n, types := range [][2]syntax.Type{{syntax.F16, syntax.F16}, {syntax.F32, syntax.F16}, {syntax.F32, syntax.F32}} {
		for layouts := range 4 {
			rowA, rowB := layouts&1 != 0, layouts&2 != 0
			name := map[bool]string{true: "row", false: "col"}
			td, tc := types[0], types[1]
			regs := map[syntax.Type]int{syntax.F16: 4, syntax.F32: 8}
			run := mmaRun{inst: fmt.Sprintf("mma.sync.aligned.m8n8k4.%s.%s.%s.f16.f16.%s", name[rowA], name[rowB], td, tc), regs: []int{2, 2, regs[tc]}, d: regs[td]}
			t.Run(run.inst, func(t *testing.T) {
				t.Parallel()
				rng := rand.New(rand.NewSource(int64(n)))
				var A [4][8][4]int
				var B [4][4][8]int
				var C [4][8][8]int
				for q := range 4 {
					for i := range 32 {
						A[q][i/4][i%4], B[q][i/8][i%8] = rng.Intn(17)-8, rng.Intn(17)-8
					}
					for i := range 64 {
						C[q][i/8][i%8] = rng.Intn(17) - 8
					}
				}
				get := run.run(t, func(lane, op, i int) uint32 {
					q, half := computation(lane), pick(lane < 16, 0, 4)
					if op == 2 && tc == syntax.F32 {
						r, c := accumulator(syntax.F32, lane, i)
						return math.Float32bits(float32(C[q][r][c]))
					}
					return packed(16, func(e int) uint64 {
						e += 2 * i
						var x int
						switch {
						case op == 0 && rowA:
							x = A[q][lane%4+half][e]
						case op == 0:
							x = A[q][e%4+half][lane%4]
						case op == 1 && rowB:
							x = B[q][lane%4][e+half]
						case op == 1:
							x = B[q][e][lane%4+half]
						default:
							r, c := accumulator(syntax.F16, lane, e)
							x = C[q][r][c]
						}
						return encodeSmall(syntax.F16, x)
					})
				})
				for lane := range 32 {
					for i := range 8 {
						r, c := accumulator(td, lane, i)
						q := computation(lane)
						want := C[q][r][c]
						for k := range 4 {
							want += A[q][r][k] * B[q][k][c]
						}
						got := uint64(get(lane, i*regs[td]/8))
						if td == syntax.F16 {
							got = got >> (i % 2 * 16) & 0xffff
						}
						if got != encodeSmall(td, want) {
							t.Fatalf("product %d, row %d, column %d: got %#x, want %d", q, r, c, got, want)
						}
					}
				}
			})
		}
	}
}
