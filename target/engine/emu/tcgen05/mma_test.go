package tcgen05_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"strings"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
)

// A tensorCase is one tcgen05.mma with everything around it. The reference
// of its result is written from the definition: values are drawn, encoded
// and put in their places one by one.
type tensorCase struct {
	inst               string // kind and the modifiers after .cta_group
	m, n, k            int    // k of a dense matrix
	a, b               string // types
	d                  string
	sparse, ws, pair   bool
	vectors            int // scale factors of a row
	fine               bool
	idA, idB           int
	swizzleA, swizzleB int // bytes; 129 for 128 with atoms of 32
	transA, transB     bool
	inTensor           bool
	lane               int // 16 for the upper half of the lanes
	discard            bool
	divide             int
	negate             int
	selector           int
	mask               uint64 // zero-column mask descriptor
	shift              int    // that the instruction descriptor allows
	disable            []uint32
	ashift             bool
	saturate           bool
	body               string // other instructions in place of the MMA
	flip               uint32 // bits of the instruction descriptor
	flipB              uint64 // bits of the descriptor of B
	edit               [2]string
}

// testFloats are the formats: exponent and mantissa bits.
var testFloats = map[string][2]int{"e4m3": {4, 3}, "e5m2": {5, 2}, "e2m3": {2, 3}, "e3m2": {3, 2}, "e2m1": {2, 1}, "f16": {5, 10}, "bf16": {8, 7}, "tf32": {8, 23}}

// place is the CTA, the lane of row r of A and D, and the first lanes of the
// copies that other columns of D need.
func (c *tensorCase) place(r int) (cta, lane int, copies []int) {
	switch {
	case c.pair && c.m == 256:
		return r / 128, r % 128, []int{0}
	case c.pair && !c.sparse:
		return r / 64, r % 64, []int{0, 64}
	case c.pair:
		return r / 64, r%64/16*32 + r%16 + c.lane, []int{0}
	case c.ws && c.m == 64:
		return 0, r, []int{0, 64}
	case c.ws && c.m == 32:
		return 0, r, []int{0, 32, 64, 96}
	case c.m == 64:
		return 0, r/16*32 + r%16 + c.lane, []int{0}
	}
	return 0, r, []int{0}
}

// setup draws the operands and returns the images and what TMEM
// must be in the end.
func (c *tensorCase) setup(rng *rand.Rand) (in, want []testImage) {
	in = make([]testImage, 1)
	if c.pair {
		in = make([]testImage, 2)
	}
	for i := range in {
		in[i].shared = make([]byte, testShared)
	}
	most := 4.0
	if c.d == "f16" {
		most = 1
	}
	k := c.k
	if c.sparse {
		k *= 2
	}
	dense := strings.HasPrefix(c.inst, "kind::mxf4")
	codesA, codesB := testCodes(c.a, most), testCodes(c.b, most)
	a, b := make([][]float64, c.m), make([][]float64, k)
	half := c.n / len(in)
	for n := range c.n + 32*min(c.shift, 1) { // columns beyond N for a shift
		for i := range b {
			code := codesB[rng.Intn(len(codesB))]
			b[i] = append(b[i], testDecode(c.b, code))
			in[min(n/half, len(in)-1)].put(testB, c.b, dense, c.swizzleB, c.transB, n-min(n/half, len(in)-1)*half, i, code)
		}
	}
	for r := range a {
		cta, lane, copies := c.place(r)
		x := &in[cta]
		local := r % (c.m / len(in))
		stored := make([]int, c.k)
		for i := range stored {
			stored[i] = codesA[rng.Intn(len(codesA))]
			if !c.inTensor {
				x.put(0, c.a, dense, c.swizzleA, c.transA, local, i, stored[i])
				continue
			}
			v, width := testHolder(c.a, dense, stored[i])
			for _, at := range copies {
				x.tensor[lane+at][testA+i*width/32] |= v << (i * width % 32)
			}
		}
		a[r] = make([]float64, k)
		if !c.sparse {
			for i, code := range stored {
				a[r][i] = testDecode(c.a, code)
			}
		} else {
			c.sparseRow(rng, x, r, lane, copies, stored, a[r])
		}
	}
	// Scale factors.
	sa, sb := make([][]float64, c.m), make([][]float64, c.n)
	draw := func() (uint32, float64) {
		if c.fine {
			code := []int{0x30, 0x38, 0x3c, 0x40}[rng.Intn(4)]
			return uint32(code), testDecode("e4m3", code)
		}
		e := rng.Intn(4) - 1
		return uint32(127 + e), math.Ldexp(1, e)
	}
	for j := range c.vectors {
		for r := range c.m {
			code, v := draw()
			sa[r] = append(sa[r], v)
			cta, local := r/(c.m/len(in)), r%(c.m/len(in))
			for q := range 4 {
				in[cta].tensor[local%32+32*q][testSA+local/32] |= code << (8 * (c.idA + j))
			}
		}
		for n := range c.n {
			code, v := draw()
			sb[n] = append(sb[n], v)
			for i := range in {
				if c.pair && c.m == 128 { // halves of the columns in halves of the lanes
					l := n % (c.n / 2)
					for q := range 2 {
						in[i].tensor[n/(c.n/2)*64+l%32+32*q][testSB+l/32] |= code << (8 * (c.idB + j))
					}
					continue
				}
				for q := range 4 {
					in[i].tensor[n%32+32*q][testSB+n/32] |= code << (8 * (c.idB + j))
				}
			}
		}
	}
	// The accumulator, and the result.
	type cell struct{ cta, lane, column int }
	at := func(r, n int) cell {
		cta, lane, copies := c.place(r)
		part := c.n / len(copies)
		return cell{cta, lane + copies[n/part], n % part}
	}
	old := make(map[cell]float64)
	for r := range c.m {
		for n := range c.n {
			p, v := at(r, n), float64(rng.Intn(9)-4)
			old[p] = v
			in[p.cta].tensor[p.lane][p.column] = testAccumulator(c.d, v)
		}
	}
	want = make([]testImage, len(in))
	copy(want, in)
	shift := int(c.mask >> 56 & 63)
	for r := range c.m {
		for n := range c.n {
			p := at(r, n)
			sum := 0.0
			if !c.discard {
				sum = math.Ldexp(old[p], -c.divide)
			}
			for i := range k {
				x := a[r][i] * b[i][n+shift]
				if c.vectors > 0 {
					j := i / (k / c.vectors)
					x *= sa[r][j] * sb[n][j]
				}
				if c.negate == 1 || c.negate == 2 {
					x = -x
				}
				if !c.masked(n) {
					sum += x
				}
			}
			if c.disable == nil || c.disable[p.cta*4+p.lane/32]>>(p.lane%32)&1 == 0 {
				want[p.cta].tensor[p.lane][p.column] = testAccumulator(c.d, sum)
			}
		}
	}
	if c.ashift {
		for i := range want {
			for lane := range 128 {
				if lane%32 != 31 {
					copy(want[i].tensor[lane][testA:testA+8], in[i].tensor[lane+1][testA:])
				}
			}
		}
	}
	return in, want
}

// masked follows the description of the zero-column mask: it writes out the
// spans of one sub-mask, from which the first columns are dropped.
func (c *tensorCase) masked(n int) bool {
	if c.mask>>39&1 == 0 {
		return false
	}
	parts := map[int]int{128: 1, 64: 2, 32: 4}[c.m]
	i := n / (c.n / parts)
	var list []bool
	zero := c.mask>>(32+i)&1 == 1
	for len(list) < 1024 {
		span := c.mask >> 48 & 0xff // of used columns
		if zero {
			span = c.mask >> 40 & 0xff
		}
		for range span + 1 {
			list = append(list, zero)
		}
		zero = !zero
	}
	return list[int(c.mask>>(8*i)&0xff)+n%(c.n/parts)]
}

func testAccumulator(t string, v float64) uint32 {
	switch t {
	case "s32":
		return uint32(int32(v))
	case "f16":
		return uint32(fp.F16.Round(v, fp.Nearest))
	}
	return math.Float32bits(float32(v))
}

// sparseRow draws the metadata of row r, puts it in its place and spreads
// the stored elements.
func (c *tensorCase) sparseRow(rng *rand.Rand, x *testImage, r, lane int, copies []int, stored []int, row []float64) {
	indices := [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 1}, {2, 3}}
	narrow := testBits(c.a) <= 8
	chunks := 8
	if narrow {
		chunks = 16
	}
	per := len(row) / chunks
	for j := range chunks {
		var meta uint32
		if c.a == "tf32" {
			p := rng.Intn(2)
			meta = []uint32{0b0100, 0b1110}[p]
			row[2*j+p] = testDecode(c.a, stored[j])
		} else {
			x := indices[rng.Intn(len(indices))]
			meta = uint32(x[0] | x[1]<<2)
			for e := range per / 4 {
				row[j*per+x[0]*per/4+e] = testDecode(c.a, stored[j*per/2+e])
				row[j*per+x[1]*per/4+e] = testDecode(c.a, stored[j*per/2+per/4+e])
			}
		}
		for _, at := range copies {
			if narrow {
				x.tensor[lane+at][testMeta+j/8] |= meta << (4 * (j % 8))
				continue
			}
			// Rows 8 to 15 of 16 have the upper half of the words of the others;
			// the second half of the chunks is 8 lanes further.
			to := lane + at - r%16 + r%8 + j/4*8
			x.tensor[to][testMeta+c.selector] |= meta << (4*(j%4) + 16*(r%16/8))
		}
	}
}

// run executes a case and compares all of TMEM.
func (c *tensorCase) run(in, want []testImage, seed uint64) error {
	mem := emu.NewMemory()
	var raw []byte
	for _, x := range in {
		raw = append(raw, x.shared...)
		for _, lane := range x.tensor {
			for _, v := range lane {
				raw = binary.LittleEndian.AppendUint32(raw, v)
			}
		}
	}
	out, err := mem.Alloc("out", uint64(128*testColumns*4*len(in)), 0)
	if err != nil {
		return err
	}
	from, err := mem.Alloc("in", uint64(len(raw)), 0)
	if err != nil {
		return err
	}
	if err := mem.Write(from, raw); err != nil {
		return err
	}
	m, err := emu.Parse("test.ptx", []byte(emutest.Header+strings.Replace(c.kernel(), c.edit[0], c.edit[1], 1)))
	if err != nil {
		return err
	}
	size := [3]uint32{uint32(len(in))}
	if _, err := m.Run(context.Background(), mem, emu.Launch{Entry: "k", Grid: size, Cluster: size, Block: [3]uint32{128}, Params: [][]byte{emutest.LE64(out), emutest.LE64(from)}, DynamicShared: testShared, Adversarial: seed > 0, Seed: seed, MaxSteps: 1 << 22}); err != nil {
		return err
	}
	b := make([]byte, 128*testColumns*4)
	for i := range want {
		if err := mem.Read(out+uint64(i*len(b)), b); err != nil {
			return err
		}
		for at, got := range emutest.U32s(b) {
			if w := want[i].tensor[at/testColumns][at%testColumns]; got != w {
				return fmt.Errorf("cta %d, lane %d, column %d: got %#x (%v), want %#x (%v)", i, at/testColumns, at%testColumns, got, math.Float32frombits(got), w, math.Float32frombits(w))
			}
		}
	}
	return nil
}
