package mma_test

import (
	"encoding/binary"
	"fmt"
	"math"
	mathbits "math/bits"
	"math/rand"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/emutest"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// image lays a matrix out in shared memory: width is the swizzle in bytes
// or 0, major whether rows (M or N) are contiguous, and put stores element
// (r, k). It returns the two byte offsets of the descriptor.
func image(buf []byte, rows, k, es, width int, major bool, value func(r, k int) uint64) (lead, stride int) {
	store := func(at int, v uint64) {
		for i := range es {
			buf[at+i] = byte(v >> (8 * i))
		}
	}
	per := 16 / es
	// Which of the 16-byte chunks of a pattern row a chunk goes to.
	chunk := func(c, row int) int {
		switch width {
		case 128:
			return c ^ row
		case 64:
			return c ^ row/2
		case 32:
			return c ^ row/4
		}
		return c
	}
	switch {
	case width == 0 && !major: // core matrices of 8 rows x 16 bytes, k fastest
		lead, stride = 128, 128*(k/per)
	case width == 0:
		lead, stride = 128*(rows/per), 128
	case !major: // patterns of 8 rows x width bytes
		lead, stride = 16, 8*width
	default: // patterns of width bytes of rows x 8 of k, k fastest
		lead, stride = 8*width*(k/8), 8*width
	}
	for r := range rows {
		for c := range k {
			var at int
			switch {
			case width == 0 && !major:
				at = r/8*stride + c/per*lead + r%8*16 + c%per*es
			case width == 0:
				at = r/per*stride + c/8*lead + c%8*16 + r%per*es
			case !major:
				at = r/8*stride + r%8*width + chunk(c*es/16, r%8)*16 + c*es%16
			default:
				in := width / es
				at = r/in*lead + c/8*stride + c%8*width + chunk(r%in*es/16, c%8)*16 + r%in*es%16
			}
			store(at, value(r, c))
		}
	}
	return lead, stride
}

type wgmmaCase struct {
	name           string
	ta, tb, td     syntax.Type
	n              int
	widthA, widthB int
	transA, transB bool
	regA           bool
	signA          int
	steps          int // k steps, each advancing the descriptors by 32 bytes
	meta           placeMeta
	selector       int
}

// sparse is a random matrix of which each chunk has two elements that are not
// zero (of tf32, one of two), with what A and the metadata hold of it.
func (c wgmmaCase) sparse(rng *rand.Rand, k int) (full, stored []int, meta [128]uint32) {
	full = make([]int, 64*k)
	width := 4
	if c.ta == syntax.TF32 {
		width = 2
	}
	for row := range 64 {
		for chunk := range k / width {
			var bits uint32
			if width == 2 {
				at := rng.Intn(2)
				bits = []uint32{0b0100, 0b1110}[at]
				v := small(rng, c.ta)
				full[row*k+chunk*2+at] = v
				stored = append(stored, v)
			} else {
				lo := rng.Intn(3)
				hi := lo + 1 + rng.Intn(3-lo)
				bits = uint32(lo | hi<<2)
				for _, at := range []int{lo, hi} {
					v := small(rng, c.ta)
					full[row*k+chunk*4+at] = v
					stored = append(stored, v)
				}
			}
			thread, bit := c.meta(row%16, chunk, c.selector)
			meta[row/16*32+row%8*4+thread] |= bits << bit
		}
	}
	return full, stored, meta
}

func TestWgmma(t *testing.T) {
	t.Parallel()
	for _, c := range []wgmmaCase{
		{name: "plain", ta: syntax.F16, tb: syntax.F16, td: syntax.F32, n: 16},
		{name: "swizzle 128", ta: syntax.F16, tb: syntax.F16, td: syntax.F32, n: 32, widthA: 128, widthB: 128, steps: 4},
		{name: "swizzle 64", ta: syntax.BF16, tb: syntax.BF16, td: syntax.F32, n: 8, widthA: 64, widthB: 64, steps: 2},
		{name: "swizzle 32", ta: syntax.F16, tb: syntax.F16, td: syntax.F16, n: 24, widthA: 32, widthB: 32},
		{name: "transposed b 128", ta: syntax.F16, tb: syntax.F16, td: syntax.F32, n: 128, widthA: 128, widthB: 128, transB: true},
		{name: "transposed a and b", ta: syntax.BF16, tb: syntax.BF16, td: syntax.F32, n: 64, widthA: 64, widthB: 32, transA: true, transB: true},
		{name: "transposed plain", ta: syntax.F16, tb: syntax.F16, td: syntax.F32, n: 16, transA: true, transB: true},
		{name: "a in registers", ta: syntax.F16, tb: syntax.F16, td: syntax.F32, n: 16, widthB: 128, regA: true, signA: -1},
		{name: "tf32", ta: syntax.TF32, tb: syntax.TF32, td: syntax.F32, n: 16, widthA: 32, widthB: 128},
		{name: "fp8", ta: syntax.E4M3, tb: syntax.E5M2, td: syntax.F32, n: 16, widthA: 128, widthB: 64, steps: 2},
		{name: "fp8 in registers", ta: syntax.E5M2, tb: syntax.E4M3, td: syntax.F16, n: 8, regA: true},
		{name: "int8", ta: syntax.S8, tb: syntax.U8, td: syntax.S32, n: 16, widthA: 32, widthB: 128},
		{name: "sparse f16", ta: syntax.F16, tb: syntax.F16, td: syntax.F32, n: 16, widthA: 32, widthB: 64, meta: metaPair, selector: 1, signA: -1},
		{name: "sparse bf16 in registers", ta: syntax.BF16, tb: syntax.BF16, td: syntax.F32, n: 32, widthB: 128, transB: true, regA: true, meta: metaPair},
		{name: "sparse tf32", ta: syntax.TF32, tb: syntax.TF32, td: syntax.F32, n: 8, widthB: 64, meta: metaPair, selector: 1},
		{name: "sparse fp8", ta: syntax.E5M2, tb: syntax.E4M3, td: syntax.F16, n: 24, widthA: 32, meta: metaAll},
		{name: "sparse int8 in registers", ta: syntax.S8, tb: syntax.U8, td: syntax.S32, n: 24, widthB: 64, regA: true, meta: metaAll},
		{name: "bits", ta: syntax.B1, tb: syntax.B1, td: syntax.S32, n: 24, widthA: 32, widthB: 32},
		{name: "bits in registers", ta: syntax.B1, tb: syntax.B1, td: syntax.S32, n: 16, regA: true},
		{name: "n 256", ta: syntax.F16, tb: syntax.F16, td: syntax.F32, n: 256, widthA: 128, widthB: 128},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(3) {
				testWgmma(t, c, seed)
			}
		})
	}
}

func testWgmma(t *testing.T, c wgmmaCase, seed uint64) {
	rng := rand.New(rand.NewSource(int64(seed)))
	steps := max(c.steps, 1)
	es, bits := c.ta.Bytes(), c.ta == syntax.B1
	if bits { // words of 32 elements
		es = 4
	}
	step := 32 / es
	storedK := step * steps
	K := storedK
	if c.meta != nil {
		step, K = 2*step, 2*K
	}
	A, B := make([]int, 64*K), make([]int, K*c.n)
	for i := range A {
		if A[i] = small(rng, c.ta); bits {
			A[i] = int(rng.Uint32())
		}
	}
	for i := range B {
		if B[i] = small(rng, c.tb); bits {
			B[i] = int(rng.Uint32())
		}
	}
	stored := A
	var meta [128]uint32
	if c.meta != nil {
		A, stored, meta = c.sparse(rng, K)
	}
	encode := func(t syntax.Type, v int) uint64 {
		if bits {
			return uint64(v)
		}
		return encodeSmall(t, v)
	}
	// A fills the first 16 KiB of shared memory, B what follows. A row that
	// is narrower than its swizzle is padded.
	const sizeA = 16 << 10
	sizeB := 32 << 10
	buf := make([]byte, sizeA+sizeB)
	leadA, strideA := image(buf, 64, storedK, es, c.widthA, c.transA, func(r, k int) uint64 { return encode(c.ta, stored[r*storedK+k]) })
	leadB, strideB := image(buf[sizeA:], c.n, K, es, c.widthB, c.transB, func(r, k int) uint64 { return encode(c.tb, B[k*c.n+r]) })
	mode := map[int]uint64{0: 0, 128: 1, 64: 2, 32: 3}
	desc := func(at, lead, stride, width int) uint64 {
		return uint64(at>>4) | uint64(lead>>4)<<16 | uint64(stride>>4)<<32 | mode[width]<<62
	}
	regs := c.n / 2
	accType := map[syntax.Type]string{syntax.F32: ".f32", syntax.F16: ".b32", syntax.S32: ".b32"}[c.td]
	if c.td == syntax.F16 {
		regs = c.n / 4
	}
	var list []string
	for i := range regs {
		list = append(list, fmt.Sprintf("%%c%d", i))
	}
	acc := "{" + strings.Join(list, ", ") + "}"
	var b strings.Builder
	fmt.Fprintf(&b, ".shared .align 1024 .b8 s[%d]; .reg %s %%c<130>; .reg .b32 %%a<4>;\n", len(buf), accType)
	fmt.Fprintf(&b, `	mov.u32 %%r1, s; shl.b32 %%r2, %%r31, 4;
F:	cvt.u64.u32 %%d1, %%r2; add.u64 %%d1, %%d1, %%d31; ld.global.v4.u32 {%%r4, %%r5, %%r6, %%r7}, [%%d1]; add.u32 %%r3, %%r1, %%r2;
	st.shared.v4.u32 [%%r3], {%%r4, %%r5, %%r6, %%r7}; add.u32 %%r2, %%r2, 2048; setp.lt.u32 %%p0, %%r2, %d; @%%p0 bra F;
	fence.proxy.async; bar.sync 0;
`, len(buf))
	if c.regA {
		// Each warp reads its 16 rows of A, laid out as for mma, after the image.
		fmt.Fprintf(&b, "\tmul.wide.u32 %%d1, %%r31, 16; add.u64 %%d1, %%d1, %%d31; ld.global.v4.b32 {%%a0, %%a1, %%a2, %%a3}, [%%d1+%d];\n", len(buf))
	}
	sparse, tail := "", ""
	if c.meta != nil {
		fmt.Fprintf(&b, "\tmul.wide.u32 %%d1, %%r31, 4; add.u64 %%d1, %%d1, %%d31; ld.global.b32 %%r9, [%%d1+%d];\n", len(buf)+2048)
		sparse, tail = ".sp", fmt.Sprintf("%%r9, %d, ", c.selector)
	}
	shapeK, types := step, fmt.Sprintf("%s.%s.%s", c.td, c.ta, c.tb)
	if bits {
		shapeK, types = 256, types+".and.popc"
	}
	b.WriteString("\twgmma.fence.sync.aligned;\n")
	flags := map[syntax.Type]string{syntax.F16: ", 1, 1, 0, 0", syntax.BF16: ", 1, 1, 0, 0", syntax.TF32: ", 1, 1", syntax.E4M3: ", 1, 1", syntax.E5M2: ", 1, 1", syntax.S8: ""}[c.ta]
	if strings.Count(flags, ",") == 4 {
		sign := "1"
		if c.signA < 0 {
			sign = "-1"
		}
		flags = fmt.Sprintf(", %s, 1, %d, %d", sign, b2i(c.transA), b2i(c.transB))
		if c.regA {
			flags = fmt.Sprintf(", %s, 1, %d", sign, b2i(c.transB))
		}
	}
	fmt.Fprintf(&b, "\tsetp.ne.u32 %%p1, 0, 0;\n\tsetp.eq.u32 %%p2, 0, 0;\n\tcvt.u64.u32 %%d2, %%r1; shr.u64 %%d2, %%d2, 4;\n")
	for i := range steps {
		fmt.Fprintf(&b, "\tadd.u64 %%d3, %%d2, %#x; add.u64 %%d4, %%d2, %#x;\n", desc(32*i, leadA, strideA, c.widthA), desc(sizeA+32*i, leadB, strideB, c.widthB))
		a := "%d3"
		if c.regA {
			a = "{%a0, %a1, %a2, %a3}"
		}
		p := "%p1"
		if i > 0 {
			p = "%p2"
		}
		fmt.Fprintf(&b, "\twgmma.mma_async%s.sync.aligned.m64n%dk%d.%s %s, %s, %%d4, %s%s%s;\n", sparse, c.n, shapeK, types, acc, a, tail, p, flags)
	}
	b.WriteString("\twgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;\n")
	fmt.Fprintf(&b, "\tmul.wide.u32 %%d5, %%r31, %d; add.u64 %%d5, %%d5, %%d30;\n", 4*regs)
	for i := range regs {
		fmt.Fprintf(&b, "\tst.global.b32 [%%d5+%d], %%c%d;\n", 4*i, i)
	}
	in := append([]byte(nil), buf...)
	if c.regA {
		form := map[int]place3{2: a16half, 1: a32byte}[es]
		for thread := range 128 {
			warp, lane := thread/32, thread%32
			if bits {
				for i := range 4 { // rows of the group and eight below, columns of the thread and 128 further
					in = append(in, emutest.LE32(uint32(A[(16*warp+lane/4+i%2*8)*K+lane%4+i/2*4]))...)
				}
				continue
			}
			in = append(in, packFragment(16/es, c.ta, func(i int) int {
				r, k := form(lane/4, lane%4, i)
				return stored[(16*warp+r)*storedK+k]
			})...)
		}
	}
	if c.meta != nil {
		in = append(append(in, make([]byte, len(buf)+2048-len(in))...), emutest.LE32(meta[:]...)...)
	}
	out := emutest.RunAdversarial(t, emutest.Kernel(b.String()), 128, 128*4*regs, in, seed)
	for thread := range 128 {
		warp, lane := thread/32, thread%32
		for i := range c.n / 2 {
			row := 16*warp + lane/4 + 8*(i/2%2)
			col := 8*(i/4) + lane%4*2 + i%2
			sum := 0
			for k := range K {
				if x, y := A[row*K+k], B[k*c.n+col]; bits {
					sum += mathbits.OnesCount32(uint32(x & y))
				} else {
					sum += x * y
				}
			}
			if c.signA < 0 {
				sum = -sum
			}
			var got uint64
			if c.td == syntax.F16 {
				got = uint64(binary.LittleEndian.Uint16(out[thread*4*regs+2*i:]))
			} else {
				got = uint64(binary.LittleEndian.Uint32(out[thread*4*regs+4*i:]))
			}
			want := encodeSmall(c.td, sum)
			if c.td == syntax.F16 {
				want = fp.F16.Round(float64(sum), fp.Nearest)
			}
			if got != want {
				t.Fatalf("element (%d, %d): got %#x, want %#x (%d)", row, col, got, want, sum)
			}
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestWgmmaInFlight(t *testing.T) {
	t.Parallel()
	body := func(before, after string) string {
		return `.shared .align 1024 .b8 s[4096]; .reg .f32 %c<4>;
	mov.u32 %r1, s; shl.b32 %r2, %r31, 5; add.u32 %r2, %r2, %r1; mov.b32 %r3, 0;
	st.shared.v4.b32 [%r2], {%r3, %r3, %r3, %r3}; st.shared.v4.b32 [%r2+16], {%r3, %r3, %r3, %r3}; fence.proxy.async; bar.sync 0;
	cvt.u64.u32 %d2, %r1; shr.u64 %d2, %d2, 4; add.u64 %d2, %d2, 0x4000000100080000; setp.eq.u32 %p1, 0, 0;
	mov.f32 %c0, 1.0; mov.f32 %c1, 2.0; ` + before + `
	wgmma.fence.sync.aligned;
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%c0, %c1, %c2, %c3}, %d2, %d2, %p1, 1, 1, 0, 0;
	wgmma.commit_group.sync.aligned;
	` + after
	}
	init := "mov.f32 %c2, 3.0; mov.f32 %c3, 4.0;"
	for _, c := range []struct{ name, body, want string }{
		{"read too early", body(init, "add.f32 %f0, %c0, %c1;"), "is read while an asynchronous 'wgmma' that writes it is in flight"},
		{"wait for too few", body(init, "wgmma.wait_group.sync.aligned 1; add.f32 %f0, %c0, %c1;"), "is in flight"},
		{"accumulator not written", body("", ""), "an accumulator register is read before it is written"},
	} {
		_, err := emutest.TryLaunch(emutest.Parse(t, emutest.Kernel(c.body)), 128, 512, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %q", c.name, err, c.want)
		}
	}
	out := emutest.U32s(emutest.Launch(t, emutest.Kernel(body(init, "wgmma.wait_group.sync.aligned 0; mov.b32 %r0, %c2;")+emutest.Store), 128, 512, nil))
	for i, v := range out {
		if v != math.Float32bits(3) {
			t.Errorf("thread %d: got %#x, want 3.0", i, v)
		}
	}
}
