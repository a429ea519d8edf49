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
	inst               string // kind and the modifiers behind .cta_group
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
	body               string // other instructions in place of the product
	flip               uint32 // bits of the instruction descriptor
	flipB              uint64 // bits of the descriptor of B
	edit               [2]string
}

// testFloats are the formats: exponent and mantissa bits.
var testFloats = map[string][2]int{"e4m3": {4, 3}, "e5m2": {5, 2}, "e2m3": {2, 3}, "e3m2": {3, 2}, "e2m1": {2, 1}, "f16": {5, 10}, "bf16": {8, 7}, "tf32": {8, 23}}

func testDecode(t string, code int) float64 {
	switch t {
	case "u8":
		return float64(code)
	case "s8":
		return float64(int8(code))
	}
	e, m := testFloats[t][0], testFloats[t][1]
	exp, man := code>>m&(1<<e-1), code&(1<<m-1)
	v := math.Ldexp(float64(man), 1-(1<<(e-1)-1)-m)
	if exp > 0 {
		v = math.Ldexp(float64(man+1<<m), exp-(1<<(e-1)-1)-m)
	}
	if code>>(e+m)&1 == 1 {
		v = -v
	}
	return v
}

func testBits(t string) int {
	if f, ok := testFloats[t]; ok {
		return 1 + f[0] + f[1]
	}
	return 8
}

// testCodes lists codes of small numbers.
func testCodes(t string, most float64) (codes []int) {
	if t == "tf32" {
		for _, v := range []float32{0, 1, -1, 0.5, -2, 3, -4, 1.25} {
			codes = append(codes, int(math.Float32bits(v)))
		}
		return codes
	}
	for c := range 1 << testBits(t) {
		v := testDecode(t, c)
		if (t == "u8" || t == "s8") && c%7 == 0 || t[0] != 'u' && t[0] != 's' && math.Abs(v) <= most && v*4 == math.Trunc(v*4) {
			codes = append(codes, c)
		}
	}
	return codes
}

const (
	testShared  = 49152
	testB       = 16384 // where B starts
	testColumns = 320
	testA       = 256 // columns of what is in tensor memory
	testMeta    = 272
	testSA      = 288
	testSB      = 304
)

// testImage is what one CTA has: shared memory and tensor memory.
type testImage struct {
	shared []byte
	tensor [128][testColumns]uint32
}

// put writes one element of a row of a matrix in shared memory.
func (x *testImage) put(base int, t string, dense bool, swizzle int, major bool, r, k, code int) {
	bits := testBits(t)
	per := 16 // elements of 16 bytes
	switch {
	case bits > 8:
		per = 128 / bits
	case dense:
		per = 32
	}
	outer, inner := r, k
	if major {
		outer, inner = k, r
	}
	unit, in := inner/per, inner%per
	rows, width := 8, swizzle
	if swizzle == 129 {
		rows, width = 4, 128
	}
	at := 0
	if width == 0 { // core matrices: 128 bytes, along the contiguous dimension by 128, then by 4096
		at = outer%8*16 + unit*128 + outer/8*4096
		if !major {
			at = outer%8*16 + unit*128 + outer/8*512
		}
	} else { // rows of the width; patterns across by 8192 (2048 for the atoms of 32), further rows by 1024
		units := width / 16
		at = outer%rows*width + unit%units*16 + unit/units*8192 + outer/rows*1024
		if swizzle == 129 {
			at -= unit / units * (8192 - 2048)
			at ^= at >> 7 & 3 << 5
		} else {
			at ^= at >> 7 & (units - 1) << 4
		}
	}
	at += base
	if bits >= 8 {
		for i := range bits / 8 {
			x.shared[at+in*bits/8+i] = byte(code >> (8 * i))
		}
		return
	}
	for i := range bits {
		p := in*bits + i
		x.shared[at+p/8] |= byte(code >> i & 1 << (p % 8))
	}
}

// descriptor is that of a matrix that put has written.
func testDescriptor(base, swizzle int, major bool) uint64 {
	mode := map[int]uint64{0: 0, 129: 1, 128: 2, 64: 4, 32: 6}[swizzle]
	lead, stride := uint64(8192), uint64(1024)
	switch {
	case swizzle == 129:
		lead = 2048
	case swizzle == 0 && major:
		lead, stride = 4096, 128
	case swizzle == 0:
		lead, stride = 128, 512
	}
	return mode<<61 | 1<<46 | stride>>4<<32 | lead>>4<<16 | uint64(base)>>4
}

// holder is the code of an element in tensor memory and its width.
func testHolder(t string, dense bool, code int) (uint32, int) {
	switch bits := testBits(t); {
	case dense:
		return uint32(code), 4
	case bits == 4:
		return uint32(code) << 2, 8
	case bits == 6:
		return uint32(code) << 1, 8
	default:
		return uint32(code), bits
	}
}

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

func (c *tensorCase) idesc() uint32 {
	types := map[string]uint32{"f16": 0, "bf16": 1, "tf32": 2, "u8": 0, "s8": 1, "e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5}
	ta, tb := types[c.a], types[c.b]
	bit := func(b bool, at int) uint32 {
		if b {
			return 1 << at
		}
		return 0
	}
	v := bit(c.sparse, 2) | uint32(c.n/8)<<17 | bit(c.transA, 15) | bit(c.transB, 16) | uint32(c.negate)<<13 | bit(c.saturate, 3)
	if c.vectors == 0 {
		return v | ta<<7 | tb<<10 | uint32(c.m/16)<<24 | map[string]uint32{"f16": 0, "f32": 1, "s32": 2}[c.d]<<4 | uint32(c.selector) | uint32(c.shift)<<30
	}
	if strings.HasPrefix(c.inst, "kind::mxf4") {
		ta, tb = 1, 1
	}
	return v | ta<<7 | tb<<10 | uint32(c.m/128)<<27 | bit(!c.fine, 23) | uint32(c.idA)<<29 | uint32(c.idB)<<4
}

// kernel is the program: images in, product, images out.
func (c *tensorCase) kernel() string {
	group, mask, extra := "cta_group::1", "", ""
	if c.pair {
		group, mask, extra = "cta_group::2", ".multicast::cluster", ", 3"
	}
	var st, ld strings.Builder
	for i := 0; i < testColumns; i += 32 {
		for j := 0; j < 32; j += 4 {
			fmt.Fprintf(&st, "ld.global.v4.b32 {%%r%d, %%r%d, %%r%d, %%r%d}, [%%d4+%d];\n", 16+j, 17+j, 18+j, 19+j, 4*(i+j))
		}
		fmt.Fprintf(&st, "tcgen05.st.sync.aligned.32x32b.x32.b32 [%%r9+%d], %s; tcgen05.wait::st.sync.aligned;\n", i, emutest.RegisterList(16, 32))
		fmt.Fprintf(&ld, "tcgen05.ld.sync.aligned.32x32b.x32.b32 %s, [%%r9+%d]; tcgen05.wait::ld.sync.aligned;\n", emutest.RegisterList(16, 32), i)
		for j := range 32 {
			fmt.Fprintf(&ld, "st.global.b32 [%%d0+%d], %%r%d;\n", 4*(i+j), 16+j)
		}
	}
	return strings.NewReplacer("GROUP", group, "MASK", mask, "EXTRA", extra, "STORES", st.String(), "LOADS", ld.String(), "PRODUCT", c.product(group)).Replace(`.extern .shared .align 1024 .b8 s[];
.visible .entry k(.param .u64 out, .param .u64 in)
{
	.reg .pred %p<8>; .reg .b32 %r<64>; .reg .b64 %d<16>; .shared .align 8 .b64 bar; .shared .align 4 .b32 where;
	ld.param.u64 %d0, [out]; ld.param.u64 %d1, [in]; mov.u32 %r0, %tid.x; mov.u32 %r1, %cluster_ctarank;
	mul.wide.u32 %d2, %r1, 212992; add.u64 %d1, %d1, %d2; mul.wide.u32 %d2, %r1, 163840; add.u64 %d0, %d0, %d2;
	mov.u32 %r2, s; mov.u32 %r3, bar; setp.eq.u32 %p0, %r0, 0; setp.lt.u32 %p1, %r0, 32;
	@%p0 mbarrier.init.shared::cta.b64 [%r3], 1;
	shl.b32 %r4, %r0, 2; cvt.u64.u32 %d3, %r4; add.u64 %d3, %d3, %d1; add.u32 %r5, %r2, %r4; mov.u32 %r6, 0;
L:	ld.global.b32 %r7, [%d3]; st.shared.b32 [%r5], %r7; add.u64 %d3, %d3, 512; add.u32 %r5, %r5, 512; add.u32 %r6, %r6, 512; setp.lt.u32 %p2, %r6, 49152; @%p2 bra L;
	fence.proxy.async;
	@!%p1 bra A;
	mov.u32 %r8, where; tcgen05.alloc.GROUP.sync.aligned.shared::cta.b32 [%r8], 512; tcgen05.relinquish_alloc_permit.GROUP.sync.aligned;
A:	bar.sync 0;
	and.b32 %r9, %r0, 96; shl.b32 %r9, %r9, 16; mul.wide.u32 %d4, %r0, 1280; add.u64 %d0, %d0, %d4; add.u64 %d4, %d4, %d1; add.u64 %d4, %d4, 49152;
	STORES
	tcgen05.fence::before_thread_sync; barrier.cluster.arrive; barrier.cluster.wait; tcgen05.fence::after_thread_sync;
	setp.ne.or.u32 %p3, %r1, 0, !%p0; @%p3 bra W;
	shr.u32 %r10, %r2, 4; cvt.u64.u32 %d5, %r10;
	PRODUCT
	tcgen05.commit.GROUP.mbarrier::arrive::one.shared::clusterMASK.b64 [%r3]EXTRA;
W:	mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r3], 0; @!%p4 bra W;
	tcgen05.fence::after_thread_sync;
	LOADS
	barrier.cluster.arrive; barrier.cluster.wait;
	@!%p1 bra F;
	tcgen05.dealloc.GROUP.sync.aligned.b32 0, 512;
F:	ret;
}
`)
}

// product is the instruction with its operands.
func (c *tensorCase) product(group string) string {
	if c.body != "" {
		return c.body
	}
	op := "tcgen05.mma"
	if c.ws {
		op += ".ws"
	}
	if c.sparse {
		op += ".sp"
	}
	var b strings.Builder
	swA, swB := testDescriptor(0, c.swizzleA, c.transA), testDescriptor(testB, c.swizzleB, c.transB)^c.flipB
	fmt.Fprintf(&b, "add.u64 %%d6, %%d5, %#x; add.u64 %%d7, %%d5, %#x; mov.b64 %%d8, %#x; mov.b32 %%r11, %#x; setp.eq.b32 %%p5, 0, %d;\n", swA, swB, c.mask, c.idesc()^c.flip, map[bool]int{true: 1}[c.discard])
	for i, at := range []int{c.lane << 16, c.lane<<16 + testA, c.lane<<16 + testMeta, testSA, testSB} {
		fmt.Fprintf(&b, "mov.b32 %%r%d, %#x; ", 48+i, at)
	}
	for i, m := range c.disable {
		fmt.Fprintf(&b, "mov.b32 %%r%d, %#x; ", 53+i, m)
	}
	fmt.Fprintf(&b, "\n%s.%s.%s [%%r48], ", op, group, c.inst)
	if c.inTensor {
		b.WriteString("[%r49], %d7")
	} else {
		b.WriteString("%d6, %d7")
	}
	if c.sparse {
		b.WriteString(", [%r50]")
	}
	b.WriteString(", %r11")
	if c.vectors > 0 {
		b.WriteString(", [%r51], [%r52]")
	}
	if c.disable != nil {
		b.WriteString(", " + emutest.RegisterList(53, len(c.disable)))
	}
	b.WriteString(", %p5")
	switch {
	case c.mask != 0:
		b.WriteString(", %d8")
	case c.divide > 0:
		fmt.Fprintf(&b, ", %d", c.divide)
	}
	return b.String() + ";"
}

// setup draws the operands and returns the images and what tensor memory
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

// run executes a case and compares all of tensor memory.
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
