package tcgen05_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
)

// TestTensorMovesBlackwell stores a number for every cell of 16 or 32 lanes
// with the plain shape and loads them with each other one, and the reverse.
func TestTensorMovesBlackwell(t *testing.T) {
	t.Parallel()
	const wait = " tcgen05.wait::ld.sync.aligned; tcgen05.wait::st.sync.aligned; "
	for _, c := range []struct {
		shape, split string
		regs         int
		cell         func(lane, j int) (row, column int)
	}{
		{"32x32b.x8", "", 8, func(l, j int) (int, int) { return l, j }},
		{"16x64b.x4", "", 4, func(l, j int) (int, int) { return l/4 + l%2*8, l>>1&1 + 2*j }},
		{"16x128b.x2", "", 4, func(l, j int) (int, int) { return l/4 + j%2*8, l%4 + 4*(j/2) }},
		{"16x256b.x1", "", 4, func(l, j int) (int, int) { return l/4 + j/2*8, 2*(l%4) + j%2 }},
		{"16x32bx2.x4", ", 4", 4, func(l, j int) (int, int) { return l % 16, l/16*4 + j }},
	} {
		t.Run(c.shape, func(t *testing.T) {
			t.Parallel()
			// Cell (row, column) of a warp's quarter is 100 row + column.
			fill := "mul.lo.u32 %r9, %r31, 100; and.b32 %r10, %r31, 96; mul.lo.u32 %r10, %r10, 100; sub.u32 %r9, %r9, %r10;\n"
			for i := range 8 {
				fill += fmt.Sprintf("add.u32 %%r%d, %%r9, %d;\n", i, i)
			}
			load := fill + "tcgen05.st.sync.aligned.32x32b.x8.b32 [%r51], " + emutest.RegisterList(0, 8) + ";" + wait +
				"tcgen05.ld.sync.aligned." + c.shape + ".b32 " + emutest.RegisterList(10, c.regs) + ", [%r51]" + c.split + ";" + wait
			out := emutest.U32s(emutest.Launch(t, emutest.Kernel(emutest.TensorBody(load+storeAll(10, c.regs))), 128, 128*4*c.regs, nil))
			for i, got := range out {
				row, column := c.cell(i/c.regs%32, i%c.regs)
				if want := uint32(100*row + column); got != want {
					t.Fatalf("thread %d register %d: got %d, want %d", i/c.regs, i%c.regs, got, want)
				}
			}
			// The reverse: what the shape stores is what it loads.
			store := strings.ReplaceAll(fill, "[%r51]", "") + "tcgen05.st.sync.aligned." + c.shape + ".b32 [%r51]" + c.split + ", " + emutest.RegisterList(0, c.regs) + ";" + wait +
				"tcgen05.ld.sync.aligned.32x32b.x8.b32 " + emutest.RegisterList(10, 8) + ", [%r51];" + wait
			back := emutest.U32s(emutest.Launch(t, emutest.Kernel(emutest.TensorBody(store+storeAll(10, 8))), 128, 128*4*8, nil))
			for lane := range 128 {
				for j := range c.regs {
					row, column := c.cell(lane%32, j)
					if got, want := back[8*(lane/32*32+row)+column], uint32(100*(lane%32)+j); got != want {
						t.Fatalf("cell (%d, %d): got %d, want %d", row, column, got, want)
					}
				}
			}
		})
	}
}

// storeAll writes registers of all threads to out, thread by thread.
func storeAll(first, n int) string {
	s := fmt.Sprintf("mov.u32 %%r52, %%tid.x; mul.wide.u32 %%d1, %%r52, %d; add.u64 %%d1, %%d1, %%d30;\n", 4*n)
	for i := range n {
		s += fmt.Sprintf("st.global.u32 [%%d1+%d], %%r%d;\n", 4*i, first+i)
	}
	return s
}

// TestTensorPackBlackwell packs the lower halves of two columns.
func TestTensorPackBlackwell(t *testing.T) {
	t.Parallel()
	out := emutest.U32s(emutest.Launch(t, emutest.Kernel(emutest.TensorBody(`mov.b32 %r0, 0x00020001; mov.b32 %r1, 0x00040003;
	tcgen05.st.sync.aligned.32x32b.x2.unpack::16b.b32 [%r51], {%r0, %r1}; tcgen05.wait::st.sync.aligned;
	tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r2, %r3, %r4, %r5}, [%r51];
	tcgen05.ld.sync.aligned.32x32b.x1.pack::16b.b32 {%r6}, [%r51+1]; tcgen05.wait::ld.sync.aligned;
	`+storeAll(2, 5))), 128, 128*20, nil))
	for i, got := range out {
		if want := []uint32{1, 2, 3, 4, 0x00030002}[i%5]; got != want {
			t.Fatalf("value %d: got %#x, want %#x", i, got, want)
		}
	}
}

// mmaBody multiplies A (128 x 16) by B (32 x 16, transposed), f16 in core
// matrices without swizzle, K-major: rows of 8 elements are 16 bytes.
const mmaBody = `
	// A at s: core matrix (row/8, k/8) at 256 row/8 + 128 k/8. B after it.
	shl.b32 %r0, %r31, 5; cvt.u64.u32 %d1, %r0; add.u64 %d1, %d1, %d31;
	ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%d1]; ld.global.v4.b32 {%r5, %r6, %r7, %r8}, [%d1+16];
	shr.u32 %r9, %r31, 3; shl.b32 %r9, %r9, 8; and.b32 %r10, %r31, 7; shl.b32 %r10, %r10, 4; add.u32 %r9, %r9, %r10; add.u32 %r9, %r9, %r49;
	st.shared.v4.b32 [%r9], {%r1, %r2, %r3, %r4}; st.shared.v4.b32 [%r9+128], {%r5, %r6, %r7, %r8};
	@!%p14 bra FILLED;
	ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%d1+4096]; ld.global.v4.b32 {%r5, %r6, %r7, %r8}, [%d1+4112];
	st.shared.v4.b32 [%r9+4096], {%r1, %r2, %r3, %r4}; st.shared.v4.b32 [%r9+4224], {%r5, %r6, %r7, %r8};
FILLED: fence.proxy.async.shared::cta; bar.sync 0;
	@!%p15 bra ISSUED;
	shr.u32 %r11, %r49, 4; add.u32 %r12, %r11, 0x80000; mov.b32 %r13, 0x4010; mov.b64 %d2, {%r12, %r13}; add.u64 %d3, %d2, 256;
	mov.b32 %r14, 0x08080010; setp.ne.u32 %p1, 0, 0; setp.eq.u32 %p2, 0, 0;
	tcgen05.mma.cta_group::1.kind::f16 [%r50], %d2, %d3, %r14, %p1;
	tcgen05.mma.cta_group::1.kind::f16 [%r50], %d2, %d3, %r14, %p2;
	tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r48];
ISSUED:
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r48], 0; @!%p3 bra WAIT;
	tcgen05.fence::after_thread_sync;
	tcgen05.ld.sync.aligned.32x32b.x32.b32 LIST, [%r51]; tcgen05.wait::ld.sync.aligned;
`

func mmaKernel(change ...string) string {
	body := strings.NewReplacer(change...).Replace(mmaBody) + storeAll(0, 32)
	return emutest.Kernel(emutest.TensorBody(strings.Replace(body, "LIST", emutest.RegisterList(0, 32), 1)))
}

func TestTensorMmaBlackwell(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewSource(3))
	in, values := make([]byte, 0, 5120), make([]float64, 160*16)
	for i := range values {
		values[i] = float64(rng.Intn(15) - 7)
		in = binary.LittleEndian.AppendUint16(in, uint16(fp.F16.Round(values[i], fp.Nearest)))
	}
	wrong := func(src string, seed uint64) (string, error) {
		b, err := emutest.TryAdversarial(t, src, 128, 128*128, in, seed)
		if err != nil {
			return "", err
		}
		for at, v := range emutest.U32s(b) {
			want := 0.0
			for k := range 16 {
				want += 2 * values[at/32*16+k] * values[(128+at%32)*16+k]
			}
			if got := float64(math.Float32frombits(v)); got != want {
				return fmt.Sprintf("element (%d, %d): got %v, want %v", at/32, at%32, got, want), nil
			}
		}
		return "", nil
	}
	for seed := range uint64(6) {
		if diff, err := wrong(mmaKernel(), seed); err != nil || diff != "" {
			t.Fatalf("seed %d: %v%s", seed, err, diff)
		}
	}
	for _, c := range []struct{ name, old, new, want string }{
		{"no wait for the MMA", "@!%p3 bra WAIT;", "", ""},
		{"no commit", "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r48];", "", "deadlock"},
		{"neither", "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r48], 0; @!%p3 bra WAIT;", "", ""},
		{"no proxy fence", "fence.proxy.async.shared::cta;", "", "no 'fence.proxy.async' since it was written"},
		{"no wait for the load", "tcgen05.wait::ld.sync.aligned;", "", "'tcgen05.ld' that writes it is in flight"},
		{"another warp's quarter", "[%r51]; tcgen05.wait", "[%r50]; tcgen05.wait", "cannot access lanes 0 to 31"},
		{"columns of nobody", "[%r51]; tcgen05.wait", "[%r51+48]; tcgen05.wait", "is not allocated"},
		{"accumulator not initialised", "%r14, %p1;", "%r14, %p2;", ""},
		{"transposed operand", "0x08080010", "0x08090010", ""},
		{"unknown format", "0x08080010", "0x08080090", ""}, // bf16 operand
		{"no such format", "0x08080010", "0x08080110", "names a format that is not supported"},
		{"no such shape", "0x08080010", "0x07080010", "has a shape that does not exist"},
		{"reserved bits", "0x08080010", "0x08880010", "reserved bits"},
		{"sparse", "0x08080010", "0x08080014", "sparse"},
		{"descriptor of wgmma", "0x4010;", "0x0010;", "bits 46 to 48"},
		{"wrong stride", "0x4010;", "0x4020;", ""},
	} {
		report := ""
		for seed := uint64(0); seed < 6 && report == ""; seed++ {
			diff, err := wrong(mmaKernel(c.old, c.new), seed)
			if report = diff; err != nil {
				report = err.Error()
			}
		}
		if report == "" || !strings.Contains(report, c.want) {
			t.Errorf("%s: got %q, want a report of %q", c.name, report, c.want)
		}
	}
}

func TestTensorCopyBlackwell(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shape string
		row   func(lane int) int // of shared memory, -1 for none
		words int
	}{
		{"128x128b", func(l int) int { return l }, 4},
		{"128x256b", func(l int) int { return l }, 8},
		{"64x128b.warpx2::02_13", func(l int) int { return l % 64 }, 4},
		{"64x128b.warpx2::01_23", func(l int) int { return l/64*32 + l%32 }, 4},
		{"32x128b.warpx4", func(l int) int { return l % 32 }, 4},
	} {
		// Byte k of row r is at 256 r/8 + 16 r%8 + 128 k/16 + k%16.
		body := `shl.b32 %r0, %r31, 5; add.u32 %r1, %r0, %r49; mov.b32 %r2, 0; mov.b32 %r9, 0;
	setp.eq.u32 %p0, 0, 0;
L:	add.u32 %r3, %r0, %r2; st.shared.u32 [%r1], %r3; add.u32 %r1, %r1, 4; add.u32 %r2, %r2, 4; setp.lt.u32 %p0, %r2, 32; @%p0 bra L;
	fence.proxy.async; bar.sync 0;
	@!%p15 bra ISSUED;
	shr.u32 %r11, %r49, 4; add.u32 %r12, %r11, 0x80000; mov.b32 %r13, 0x4010; mov.b64 %d2, {%r12, %r13};
	tcgen05.cp.cta_group::1.` + c.shape + ` [%r50], %d2;
	tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r48];
ISSUED:
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r48], 0; @!%p3 bra WAIT;
	tcgen05.ld.sync.aligned.32x32b.x8.b32 ` + emutest.RegisterList(10, 8) + `, [%r51]; tcgen05.wait::ld.sync.aligned;
` + storeAll(10, 8)
		out := emutest.U32s(emutest.Launch(t, emutest.Kernel(emutest.TensorBody(body)), 128, 128*32, nil))
		for i, got := range out {
			if i%8 >= c.words {
				continue
			}
			r, k := c.row(i/8), 4*(i%8)
			if want := uint32(256*(r/8) + 16*(r%8) + 128*(k/16) + k%16); got != want {
				t.Fatalf("%s: lane %d column %d: got %d, want %d", c.shape, i/8, i%8, got, want)
			}
		}
	}
}

func TestTensorMemoryErrorsBlackwell(t *testing.T) {
	t.Parallel()
	alloc := `.shared .align 4 .b32 where; mov.u32 %r0, where; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r0], 64; ld.shared.b32 %r1, [where];`
	for _, c := range []struct{ body, want string }{
		{alloc, "without freeing the TMEM"},
		{alloc + "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32;", "32 columns of TMEM are freed at 0x0, where 64 are allocated"},
		{alloc + "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 64; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 64;", "where 0 are allocated"},
		{".shared .align 4 .b32 where; mov.u32 %r0, where; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r0], 48;", "48 columns of TMEM are not a power of two"},
		{alloc + "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r0], 512;", "512 columns of TMEM are not free"},
		{"tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;" + alloc, "after 'relinquish_alloc_permit'"},
		{alloc + "tcgen05.ld.sync.aligned.32x32b.x128.b32 " + emutest.RegisterList(0, 128) + ", [%r1];", "is not allocated"},
		{alloc + "mov.b32 %r1, 0x00700000; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r1];", "does not exist"},
		{"setp.eq.u32 %p0, %r31, 0; @%p0 tcgen05.wait::ld.sync.aligned;", "needs all 32 lanes"},
		{".shared .align 4 .b32 where; mov.u32 %r0, where; tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%r0], 64;", "no other one in its cluster to form a pair"},
		{alloc + "tcgen05.shift.cta_group::2.down [%r1];", "must have the same .cta_group"},
		{"tcgen05.ld.sync.aligned.16x256b.x64.b32 {%r0}, [%r1];", "too many registers"},
	} {
		src := strings.Replace(emutest.Kernel(c.body), "%r<64>", "%r<130>", 1)
		m, err := emu.Parse("test.ptx", []byte(emutest.Header+src))
		if err == nil {
			_, err = emutest.TryLaunch(m, 32, 128, nil)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.body, err, c.want)
		}
	}
}
