package mma_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/emutest"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// mmaRun executes one mma whose operands are registers of 32 bits. Each
// lane's registers come from word: operand 0 is A, 1 is B, 2 is C, and what
// follows are registers of their own. The operands after C are tail, in
// which %s stands for those registers. It returns the registers of D.
type mmaRun struct {
	inst  string
	regs  []int
	d     int // registers of D
	tail  string
	wants string // of a fault
}

func (m mmaRun) source() string {
	var b strings.Builder
	total := 0
	for _, n := range m.regs {
		total += n
	}
	fmt.Fprintf(&b, "\t.reg .b32 %%x<%d>, %%y<%d>;\n\tmul.wide.u32 %%d1, %%r31, %d; add.u64 %%d1, %%d1, %%d31;\n", total, m.d, 4*total)
	at := 0
	var lists []string
	var extra []any
	for op, n := range m.regs {
		var names []string
		for range n {
			fmt.Fprintf(&b, "\tld.global.b32 %%x%d, [%%d1+%d];\n", at, 4*at)
			names = append(names, fmt.Sprintf("%%x%d", at))
			at++
		}
		if op < 3 {
			lists = append(lists, "{"+strings.Join(names, ", ")+"}")
		} else {
			extra = append(extra, names[0])
		}
	}
	var out []string
	for i := range m.d {
		out = append(out, fmt.Sprintf("%%y%d", i))
	}
	fmt.Fprintf(&b, "\t%s {%s}, %s%s;\n\tmul.wide.u32 %%d1, %%r31, %d; add.u64 %%d1, %%d1, %%d30;\n", m.inst, strings.Join(out, ", "),
		strings.Join(lists, ", "), fmt.Sprintf(m.tail, extra...), 4*m.d)
	for i := range m.d {
		fmt.Fprintf(&b, "\tst.global.b32 [%%d1+%d], %%y%d;\n", 4*i, i)
	}
	return emutest.Kernel(b.String())
}

func (m mmaRun) run(t *testing.T, word func(lane, operand, i int) uint32) func(lane, i int) uint32 {
	t.Helper()
	var in []byte
	for lane := range 32 {
		for op, n := range m.regs {
			for i := range n {
				in = binary.LittleEndian.AppendUint32(in, word(lane, op, i))
			}
		}
	}
	out, err := emutest.TryLaunch(emutest.Parse(t, m.source()), 32, 128*m.d, in)
	if m.wants != "" {
		if err == nil || !strings.Contains(err.Error(), m.wants) {
			t.Fatalf("got %v, want a fault with %q", err, m.wants)
		}
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return func(lane, i int) uint32 { return binary.LittleEndian.Uint32(out[4*(lane*m.d+i):]) }
}

// packed puts elements of some bits each into a register, the first lowest.
func packed(bits int, elem func(i int) uint64) uint32 {
	var v uint64
	for i := range 32 / bits {
		v |= elem(i) << (i * bits)
	}
	return uint32(v)
}

// narrowValues are the magnitudes of the types below eight bits, by code.
var narrowValues = map[syntax.Type][]float64{
	syntax.E2M1: {0, 0.5, 1, 1.5, 2, 3, 4, 6},
	syntax.E2M3: {0, .125, .25, .375, .5, .625, .75, .875, 1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875,
		2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 3.75, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5},
	syntax.E3M2: {0, .0625, .125, .1875, .25, .3125, .375, .4375, .5, .625, .75, .875, 1, 1.25, 1.5, 1.75,
		2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28},
}

// randomNarrow is an element's code and value; those of eight bits are small
// integers.
func randomNarrow(rng *rand.Rand, t syntax.Type) (uint64, float64) {
	v := narrowValues[t]
	if v == nil {
		x := rng.Intn(9) - 4
		return encodeSmall(t, x), float64(x)
	}
	code := rng.Intn(2 * len(v))
	if code >= len(v) {
		return uint64(code), -v[code-len(v)]
	}
	return uint64(code), v[code]
}

// inByte is the container of a code in the forms with f8f6f4: four bits are
// in the middle of the byte.
func inByte(t syntax.Type, code uint64) uint64 {
	if t == syntax.E2M1 {
		return code << 2
	}
	return code
}

// elements are a matrix of codes and values.
type elements struct {
	code []uint64
	x    []float64
}

func randomElements(rng *rand.Rand, t syntax.Type, n int) (e elements) {
	for range n {
		code, x := randomNarrow(rng, t)
		e.code, e.x = append(e.code, code), append(e.x, x)
	}
	return e
}

func checkF32(t *testing.T, get func(lane, i int) uint32, n int, at place3, want func(r, c int) float64) {
	t.Helper()
	for lane := range 32 {
		for i := range n {
			r, c := at(lane/4, lane%4, i)
			if got := math.Float32frombits(get(lane, i)); got != float32(want(r, c)) {
				t.Fatalf("lane %d, element %d: got %v, want %v", lane, i, got, want(r, c))
			}
		}
	}
}

// TestMmaNarrow multiplies elements of four, six and eight bits, one to a
// byte, with and without a scale factor for each row and column.
func TestMmaNarrow(t *testing.T) {
	t.Parallel()
	types := []syntax.Type{syntax.E4M3, syntax.E5M2, syntax.E3M2, syntax.E2M3, syntax.E2M1}
	for n, ta := range types {
		for m, tb := range types {
			for _, scaled := range []bool{false, true} {
				byteA, threadA, byteB, threadB := m%4, n%2, n%4, m%4
				run := mmaRun{inst: fmt.Sprintf("mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.%s.%s.f32", ta, tb), regs: []int{4, 2, 4}, d: 4}
				if scaled {
					run.inst = fmt.Sprintf("mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.%s.%s.f32.ue8m0", ta, tb)
					run.regs, run.tail = []int{4, 2, 4, 1, 1}, fmt.Sprintf(", %%s, {%d, %d}, %%s, {%d, %d}", byteA, threadA, byteB, threadB)
				}
				t.Run(run.inst, func(t *testing.T) {
					t.Parallel()
					rng := rand.New(rand.NewSource(int64(10*n + m)))
					A, B := randomElements(rng, ta, 16*32), randomElements(rng, tb, 32*8)
					var words [2][32]uint32 // scale factors, exponents near the bias
					for i := range 32 {
						words[0][i] = packed(8, func(int) uint64 { return uint64(125 + rng.Intn(5)) })
						words[1][i] = packed(8, func(int) uint64 { return uint64(125 + rng.Intn(5)) })
					}
					get := run.run(t, func(lane, op, i int) uint32 {
						g, q := lane/4, lane%4
						switch op {
						case 0:
							return packed(8, func(e int) uint64 { r, k := a32byte(g, q, 4*i+e); return inByte(ta, A.code[r*32+k]) })
						case 1:
							return packed(8, func(e int) uint64 { k, c := b32byte(g, q, 4*i+e); return inByte(tb, B.code[k*8+c]) })
						case 2:
							return math.Float32bits(float32(i))
						}
						return words[op-3][lane]
					})
					factor := func(op, lane, b int) float64 {
						if !scaled {
							return 1
						}
						return math.Ldexp(1, int(words[op][lane]>>(8*b)&0xff)-127)
					}
					checkF32(t, get, 4, accum16, func(r, c int) float64 {
						sum := 0.0
						for k := range 32 {
							sum += A.x[r*32+k] * B.x[k*8+c]
						}
						// Thread 2*thread-id-a of a group has row g, the next row g + 8.
						sum *= factor(0, r%8*4+2*threadA+r/8, byteA) * factor(1, c*4+threadB, byteB)
						return sum + float64(r/8*2+c%2)
					})
				})
			}
		}
	}
}

// TestMmaFp4Scaled multiplies packed e2m1 elements with two or four scale
// factors along k.
func TestMmaFp4Scaled(t *testing.T) {
	t.Parallel()
	for n, c := range []struct {
		mods        string
		vectors     int
		ue4m3       bool
		byteA, thrA int
		byteB, thrB int
		wants       string
	}{
		{mods: "kind::mxf4.block_scale.scale_vec::2X", vectors: 2, byteA: 0, thrA: 1, byteB: 2, thrB: 3},
		{mods: "kind::mxf4.block_scale", vectors: 2, byteA: 2, thrA: 0, byteB: 0, thrB: 2},
		{mods: "kind::mxf4nvf4.block_scale.scale_vec::2X", vectors: 2, byteA: 2, thrA: 1, byteB: 2, thrB: 1},
		{mods: "kind::mxf4nvf4.block_scale.scale_vec::4X", vectors: 4, thrA: 1, thrB: 0},
		{mods: "kind::mxf4nvf4.block_scale.scale_vec::4X", vectors: 4, ue4m3: true, thrA: 0, thrB: 3},
		{mods: "kind::mxf4nvf4.block_scale.scale_vec::4X", vectors: 4, byteA: 2, wants: "byte 2 and thread 0 cannot select 4 scale factors"},
		{mods: "kind::mxf4.block_scale", vectors: 2, byteB: 1, wants: "byte 1 and thread 0 cannot select 2 scale factors"},
		{mods: "kind::mxf4.block_scale", vectors: 2, thrA: 2, wants: "byte 0 and thread 2 cannot select 2 scale factors"},
		{mods: "kind::mxf4.block_scale", vectors: 2, thrB: 4, wants: "byte 0 and thread 4 cannot select 2 scale factors"},
	} {
		stype := map[bool]string{false: "ue8m0", true: "ue4m3"}[c.ue4m3]
		run := mmaRun{inst: "mma.sync.aligned.m16n8k64.row.col." + c.mods + ".f32.e2m1.e2m1.f32." + stype, regs: []int{4, 2, 4, 1, 1}, d: 4,
			tail: fmt.Sprintf(", %%s, {%d, %d}, %%s, {%d, %d}", c.byteA, c.thrA, c.byteB, c.thrB), wants: c.wants}
		if n%2 == 0 {
			run.tail = strings.ReplaceAll(run.tail, "%s", "{%s}") // as other compilers write it
		}
		t.Run(fmt.Sprintf("%s_%d", stype, n), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewSource(int64(n)))
			A, B := randomElements(rng, syntax.E2M1, 16*64), randomElements(rng, syntax.E2M1, 64*8)
			var words [2][32]uint32
			var value [2][32][4]float64
			for op := range 2 {
				for i := range 32 {
					words[op][i] = packed(8, func(b int) uint64 {
						x := rng.Intn(8)
						if c.ue4m3 {
							value[op][i][b] = 1 + float64(x)/8
							return uint64(7<<3 | x)
						}
						value[op][i][b] = math.Ldexp(1, x-3)
						return uint64(127 + x - 3)
					})
				}
			}
			get := run.run(t, func(lane, op, i int) uint32 {
				g, q := lane/4, lane%4
				switch op {
				case 0:
					return packed(4, func(e int) uint64 { r, k := a64nib(g, q, 8*i+e); return A.code[r*64+k] })
				case 1:
					return packed(4, func(e int) uint64 { k, c := b64nib(g, q, 8*i+e); return B.code[k*8+c] })
				case 2:
					return math.Float32bits(float32(i))
				}
				return words[op-3][lane]
			})
			if get == nil {
				return
			}
			checkF32(t, get, 4, accum16, func(row, col int) float64 {
				sum := float64(row/8*2 + col%2)
				for k := range 64 {
					part := k * c.vectors / 64
					sa := value[0][row%8*4+2*c.thrA+row/8][c.byteA+part]
					sb := value[1][col*4+c.thrB][c.byteB+part]
					sum += A.x[row*64+k] * sa * B.x[k*8+col] * sb
				}
				return sum
			})
		})
	}
}
