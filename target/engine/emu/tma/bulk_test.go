package tma_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
)

func TestBulkCopy(t *testing.T) {
	t.Parallel()
	body := `.shared .align 128 .b8 buf[512]; .shared .align 8 .b64 bar;
	mov.u32 %r1, buf; mov.u32 %r2, bar; shl.b32 %r3, %r31, 2; add.u32 %r4, %r1, %r3;
	setp.eq.u32 %p0, %r31, 0;
	@%p0 mbarrier.init.shared::cta.b64 [%r2], 1;
	fence.mbarrier_init.release.cluster;
	bar.sync 0;
	@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 256;
	@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d31], 128, [%r2];
	@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r1+128], [%d31+128], 128, [%r2], %d9;
W:	mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], 0; @!%p1 bra W;
	ld.shared.u32 %r5, [%r4]; mul.lo.u32 %r5, %r5, 3; st.shared.u32 [%r4+256], %r5;
	fence.proxy.async.shared::cta; bar.sync 0;
	@!%p0 bra END;
	cp.async.bulk.global.shared::cta.bulk_group [%d30], [%r1+256], 256;
	cp.async.bulk.commit_group;
	cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d30+256], [%r1+256], 256;
	cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d30+256], [%r1], 256;
	cp.async.bulk.commit_group;
	cp.async.bulk.wait_group.read 0;
END:`
	in := make([]uint32, 64)
	for i := range in {
		in[i] = uint32(7 * i)
	}
	for seed := range uint64(6) {
		out := emutest.U32s(emutest.RunAdversarial(t, emutest.Kernel("mov.b64 %d9, 0;\n"+body), 64, 512, emutest.LE32(in...), seed))
		for i := range in {
			if out[i] != 3*in[i] || out[64+i] != 4*in[i] {
				t.Fatalf("seed %d word %d: got %d and %d, want %d and %d", seed, i, out[i], out[64+i], 3*in[i], 4*in[i])
			}
		}
	}
}

// TestBulkGroup leaves out waits for a group of bulk copies.
func TestBulkGroup(t *testing.T) {
	t.Parallel()
	body := func(first, last string) string {
		return `.shared .align 128 .b8 buf[128]; mov.u32 %r1, buf; shl.b32 %r2, %r31, 2; add.u32 %r3, %r1, %r2; setp.eq.u32 %p0, %r31, 0;
	st.shared.u32 [%r3], 1; fence.proxy.async; bar.sync 0;
	@%p0 cp.async.bulk.global.shared::cta.bulk_group [%d30], [%r1], 128; @%p0 cp.async.bulk.commit_group; ` + first + `
	bar.sync 0; st.shared.u32 [%r3], 2; fence.proxy.async; bar.sync 0;
	@%p0 cp.async.bulk.global.shared::cta.bulk_group [%d30+128], [%r1], 128; @%p0 cp.async.bulk.commit_group; ` + last
	}
	const wait, late = "@%p0 cp.async.bulk.wait_group.read 0;", "@%p0 cp.async.bulk.wait_group.read 1;"
	out := emutest.U32s(emutest.Launch(t, emutest.Kernel(body(wait, wait)), 32, 256, nil))
	if out[0] != 1 || out[32] != 2 {
		t.Errorf("got %d and %d, want 1 and 2", out[0], out[32])
	}
	if out := emutest.U32s(emutest.Launch(t, emutest.Kernel(body("", wait)), 32, 256, nil)); out[0] != 2 {
		t.Error("a copy took effect before its thread waited for it")
	}
	for _, last := range []string{"", late} {
		_, err := emutest.TryLaunch(emutest.Parse(t, emutest.Kernel(body(wait, last))), 32, 256, nil)
		if err == nil || !strings.Contains(err.Error(), "accesses their shared memory") || !strings.Contains(err.Error(), "[%d30+128]") {
			t.Errorf("%q at the end: got error %v, want one about the second copy", last, err)
		}
	}
}

const tensorKernel = `.visible .entry k(.param .align 64 .b8 src[128], .param .align 64 .b8 dst[128], .param .u64 out)
{
	.reg .pred %%p<4>; .reg .b32 %%r<16>; .reg .b64 %%d<8>;
	.shared .align 1024 .b8 buf[4096]; .shared .align 8 .b64 bar;
	mov.b64 %%d1, src; cvta.param.u64 %%d2, %%d1; mov.b64 %%d3, dst; cvta.param.u64 %%d4, %%d3; ld.param.u64 %%d5, [out];
	mov.u32 %%r1, buf; mov.u32 %%r2, bar; mov.u32 %%r3, %%tid.x; setp.eq.u32 %%p0, %%r3, 0;
	@%%p0 mbarrier.init.shared::cta.b64 [%%r2], 1;
	bar.sync 0;
	mov.u32 %%r4, %d; mov.u32 %%r5, %d;
	@%%p0 prefetch.tensormap [%%d2];
	@%%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%r2], %d;
	@%%p0 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%%r1], [%%d2, {%%r4, %%r5}], [%%r2];
W:	mbarrier.try_wait.parity.shared::cta.b64 %%p1, [%%r2], 0; @!%%p1 bra W;
	// The raw bytes, and the box stored somewhere else.
	shl.b32 %%r6, %%r3, 2;
C:	add.u32 %%r7, %%r6, %%r1; ld.shared.u32 %%r8, [%%r7]; cvt.u64.u32 %%d6, %%r6; add.u64 %%d6, %%d6, %%d5; st.global.u32 [%%d6], %%r8;
	add.u32 %%r6, %%r6, 128; setp.lt.u32 %%p2, %%r6, %d; @%%p2 bra C;
	@%%p0 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%%d4, {%%r4, %%r5}], [%%r1];
	@%%p0 cp.async.bulk.commit_group;
	@%%p0 cp.async.bulk.wait_group 0;
	ret;
}`

// TestTensorCopy loads a box that sticks out of a 20 x 12 tensor of 16-bit
// elements and stores it into another one.
func TestTensorCopy(t *testing.T) {
	t.Parallel()
	const cols, rows, pitch = 20, 12, 48
	for _, c := range []struct {
		width, box0, box1, x, y int
	}{{0, 16, 8, 0, 0}, {0, 16, 8, 12, 8}, {32, 16, 8, -3, -2}, {64, 32, 16, 5, 0}, {128, 64, 8, 1, 6}} {
		t.Run(fmt.Sprintf("swizzle %d at %d,%d", c.width, c.x, c.y), func(t *testing.T) {
			t.Parallel()
			mem := emu.NewMemory()
			alloc := func(name string, n uint64) uint64 {
				a, err := mem.Alloc(name, n, 0)
				if err != nil {
					t.Fatal(err)
				}
				return a
			}
			bytes := 2 * c.box0 * c.box1
			src, dst, out := alloc("src", rows*pitch), alloc("dst", rows*pitch), alloc("out", uint64(bytes))
			elem := func(x, y int) uint16 {
				if x < 0 || x >= cols || y < 0 || y >= rows {
					return 0
				}
				return uint16(1000*y + x + 1)
			}
			data := make([]byte, rows*pitch)
			for y := range rows {
				for x := range cols {
					machine.Store(data[y*pitch+2*x:][:2], uint64(elem(x, y)))
				}
			}
			if err := mem.Write(src, data); err != nil {
				t.Fatal(err)
			}
			tm := emu.TensorMap{Address: src, Type: "f16", Dims: []uint64{cols, rows}, Strides: []uint64{pitch}, Box: []uint32{uint32(c.box0), uint32(c.box1)}, Swizzle: c.width}
			from, err := tm.Encode()
			if err != nil {
				t.Fatal(err)
			}
			tm.Address = dst
			to, err := tm.Encode()
			if err != nil {
				t.Fatal(err)
			}
			m := emutest.Parse(t, fmt.Sprintf(tensorKernel, c.x, c.y, bytes, bytes))
			if _, err := m.Run(context.Background(), mem, emu.Launch{Entry: "k", Block: [3]uint32{32}, Params: [][]byte{from, to, emutest.LE64(out)}, Adversarial: true}); err != nil {
				t.Fatal(err)
			}
			raw, copied := make([]byte, bytes), make([]byte, rows*pitch)
			if err := mem.Read(out, raw); err != nil {
				t.Fatal(err)
			}
			if err := mem.Read(dst, copied); err != nil {
				t.Fatal(err)
			}
			row := 2 * c.box0
			for y := range c.box1 {
				for x := range c.box0 {
					at := y*row + 2*x
					// In a row of the pattern, chunks change places with the number
					// of the 128-byte line.
					line := at / 128 % 8
					chunk := at / 16 % (max(c.width, 16) / 16)
					if c.width > 0 {
						at += (chunk ^ line%(c.width/16) - chunk) * 16
					}
					if got, want := uint16(machine.Load(raw[at:][:2])), elem(c.x+x, c.y+y); got != want {
						t.Fatalf("shared element (%d, %d): got %d, want %d", x, y, got, want)
					}
				}
			}
			for y := range rows {
				for x := range cols {
					want := elem(x, y)
					if x < c.x || x >= c.x+c.box0 || y < c.y || y >= c.y+c.box1 {
						want = 0
					}
					if got := uint16(machine.Load(copied[y*pitch+2*x:][:2])); got != want {
						t.Fatalf("stored element (%d, %d): got %d, want %d", x, y, got, want)
					}
				}
			}
		})
	}
}

// TestMaskedCopies has the stores that pick bytes, zero shared memory or
// arrive later.
func TestMaskedCopies(t *testing.T) {
	t.Parallel()
	out := emutest.Launch(t, emutest.Kernel(`.shared .align 128 .b8 buf[64]; mov.u32 %r1, buf; mov.b32 %r2, 0x04030201;
	st.shared.v4.b32 [%r1], {%r2, %r2, %r2, %r2}; st.shared.v4.b32 [%r1+16], {%r2, %r2, %r2, %r2}; fence.proxy.async; mov.b16 %h1, 0x8005;
	cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%d30], [%r1], 32, %h1;
	multimem.cp.async.bulk.global.shared::cta.bulk_group [%d30+32], [%r1], 16;
	cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
	multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d30+32], [%r1], 16;
	cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
	st.bulk.weak.shared::cta [%r1+8], 16, 0; ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%r1]; st.global.v4.b32 [%d30+48], {%r4, %r5, %r6, %r7};
	ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%r1+16]; st.global.v4.b32 [%d30+64], {%r4, %r5, %r6, %r7};
	mov.b32 %r8, 9; st.async.release.gpu.global.u32 [%d30+80], %r8; red.async.release.sys.global.add.u32 [%d30+84], %r8;`), 1, 88, nil)
	masked := []byte{1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4}
	want := append(append([]byte{}, masked...), masked...)
	const word = 0x04030201
	want = append(want, emutest.LE32(2*word, 2*word, 2*word, 2*word, word, word, 0, 0, 0, 0, word, word, 9, 9)...)
	if fmt.Sprint(out) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", out, want)
	}
}
