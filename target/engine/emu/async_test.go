package emu

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func TestMbarrier(t *testing.T) {
	t.Parallel()
	// Warp 0 produces 8 rounds of values for warp 1 through a buffer that a
	// full and an empty mbarrier guard.
	body := `.shared .align 8 .b64 fullb; .shared .align 8 .b64 emptyb; .shared .align 4 .b8 buf[128];
	setp.ne.u32 %p0, %r31, 0; @%p0 bra READY;
	mbarrier.init.shared::cta.b64 [fullb], 32; mbarrier.init.shared.b64 [emptyb], 32;
READY: bar.sync 0;
	and.b32 %r1, %r31, 31; shl.b32 %r2, %r1, 2; mov.u32 %r3, buf; add.u32 %r2, %r2, %r3; xor.b32 %r4, %r2, 4;
	mov.u32 %r5, 0; mov.u32 %r0, 0; mov.u32 %r6, fullb; mov.u32 %r7, emptyb;
	setp.ge.u32 %p1, %r31, 32; @%p1 bra CONSUME;
P:	and.b32 %r8, %r5, 1; xor.b32 %r8, %r8, 1;
PW:	mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r7], %r8; @!%p2 bra PW;
	mad.lo.u32 %r9, %r5, 100, %r1; st.shared.u32 [%r2], %r9;
	mbarrier.arrive.release.cta.shared::cta.b64 _, [%r6];
	add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 8; @%p3 bra P; bra END;
CONSUME: and.b32 %r8, %r5, 1;
CW:	mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p2, [%r6], %r8, 1000; @!%p2 bra CW;
	ld.shared.u32 %r9, [%r4]; add.u32 %r0, %r0, %r9;
	mbarrier.arrive.shared::cta.b64 %d1, [%r7];
	add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 8; @%p3 bra CONSUME;
END: add.u32 %r0, %r0, 0;`
	for seed := range uint64(6) {
		out := u32s(runAdversarial(t, kernel(body+store), 64, 256, nil, seed))
		for i, got := range out {
			want := uint32(0)
			if i >= 32 {
				want = 2800 + 8*(uint32(i-32)^1)
			}
			if got != want {
				t.Fatalf("seed %d thread %d: got %d, want %d", seed, i, got, want)
			}
		}
	}
}

func TestMbarrierStates(t *testing.T) {
	t.Parallel()
	out := u32s(launch(t, kernel(`.shared .align 8 .b64 b;
	mbarrier.init.shared.b64 [b], 2;
	mbarrier.test_wait.parity.shared.b64 %p0, [b], 1; selp.u32 %r0, 1, 0, %p0;
	mbarrier.arrive.shared.b64 %d0, [b];
	mbarrier.test_wait.shared.b64 %p1, [b], %d0; selp.u32 %r1, 1, 0, %p1;
	mbarrier.pending_count.b64 %r2, %d0;
	mbarrier.arrive.expect_tx.shared.b64 %d1, [b], 16;
	mbarrier.test_wait.shared.b64 %p1, [b], %d0; selp.u32 %r3, 1, 0, %p1;
	mbarrier.complete_tx.shared::cta.relaxed.cluster.b64 [b], 16;
	mbarrier.test_wait.shared.b64 %p1, [b], %d0; selp.u32 %r4, 1, 0, %p1;
	mbarrier.test_wait.parity.shared.b64 %p1, [b], 0; selp.u32 %r5, 1, 0, %p1;
	mbarrier.arrive_drop.shared.b64 %d0, [b];
	mbarrier.arrive.shared.b64 _, [b], 1;
	mbarrier.arrive.shared.b64 _, [b];
	mbarrier.test_wait.parity.shared.b64 %p1, [b], 0; selp.u32 %r6, 1, 0, %p1;
	mbarrier.inval.shared.b64 [b];
	st.global.v4.u32 [%d30], {%r0, %r1, %r2, %r3}; st.global.v2.u32 [%d30+16], {%r4, %r5}; st.global.u32 [%d30+24], %r6;`), 1, 28, nil))
	for i, want := range []uint32{1, 0, 2, 0, 1, 1, 1} {
		if out[i] != want {
			t.Errorf("result %d is %d, want %d", i, out[i], want)
		}
	}
}

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
		out := u32s(runAdversarial(t, kernel("mov.b64 %d9, 0;\n"+body), 64, 512, le32(in...), seed))
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
	out := u32s(launch(t, kernel(body(wait, wait)), 32, 256, nil))
	if out[0] != 1 || out[32] != 2 {
		t.Errorf("got %d and %d, want 1 and 2", out[0], out[32])
	}
	if out := u32s(launch(t, kernel(body("", wait)), 32, 256, nil)); out[0] != 2 {
		t.Error("a copy took effect before its thread waited for it")
	}
	for _, last := range []string{"", late} {
		_, err := tryLaunch(parse(t, kernel(body(wait, last))), 32, 256, nil)
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
			mem := NewMemory()
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
					put(data[y*pitch+2*x:][:2], uint64(elem(x, y)))
				}
			}
			if err := mem.Write(src, data); err != nil {
				t.Fatal(err)
			}
			tm := TensorMap{Address: src, Type: "f16", Dims: []uint64{cols, rows}, Strides: []uint64{pitch}, Box: []uint32{uint32(c.box0), uint32(c.box1)}, Swizzle: c.width}
			from, err := tm.Encode()
			if err != nil {
				t.Fatal(err)
			}
			tm.Address = dst
			to, err := tm.Encode()
			if err != nil {
				t.Fatal(err)
			}
			m := parse(t, fmt.Sprintf(tensorKernel, c.x, c.y, bytes, bytes))
			if _, err := m.Run(context.Background(), mem, Launch{Entry: "k", Block: [3]uint32{32}, Params: [][]byte{from, to, le64(out)}, Adversarial: true}); err != nil {
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
					if got, want := uint16(get(raw[at:][:2])), elem(c.x+x, c.y+y); got != want {
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
					if got := uint16(get(copied[y*pitch+2*x:][:2])); got != want {
						t.Fatalf("stored element (%d, %d): got %d, want %d", x, y, got, want)
					}
				}
			}
		})
	}
}

func TestCopyArrive(t *testing.T) {
	t.Parallel()
	in := make([]uint32, 128)
	for i := range in {
		in[i] = uint32(i)
	}
	for seed := range uint64(4) {
		out := u32s(runAdversarial(t, kernel(`.shared .align 16 .b8 buf[512]; .shared .align 8 .b64 bar;
	mov.u32 %r1, buf; mov.u32 %r2, bar; shl.b32 %r3, %r31, 4; add.u32 %r4, %r1, %r3; setp.eq.u32 %p0, %r31, 0;
	@%p0 mbarrier.init.shared.b64 [%r2], 32;
	bar.sync 0;
	cvt.u64.u32 %d1, %r3; add.u64 %d1, %d1, %d31;
	cp.async.cg.shared.global [%r4], [%d1], 16;
	cp.async.mbarrier.arrive.noinc.shared.b64 [%r2];
W:	mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0; @!%p1 bra W;
	xor.b32 %r5, %r3, 0x1f0; add.u32 %r5, %r5, %r1; ld.shared.u32 %r0, [%r5];`+store), 32, 128, le32(in...), seed))
		for i, got := range out {
			if want := uint32(4 * (i ^ 31)); got != want {
				t.Fatalf("seed %d thread %d: got %d, want %d", seed, i, got, want)
			}
		}
	}
}

func TestClusters(t *testing.T) {
	t.Parallel()
	m := parse(t, `.visible .entry k(.param .u64 out) .reqntid 32 .reqnctapercluster 4, 1, 1
{
	.reg .b32 %r<16>; .reg .b64 %d<8>; .reg .pred %p<2>;
	.shared .align 4 .b8 s[128];
	ld.param.u64 %d0, [out];
	mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %cluster_ctarank; mov.u32 %r3, s;
	shl.b32 %r4, %r0, 2; add.u32 %r5, %r3, %r4; mad.lo.u32 %r6, %r1, 1000, %r0; st.shared.u32 [%r5], %r6;
	barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
	xor.b32 %r7, %r2, 1; mapa.shared::cluster.u32 %r8, %r5, %r7; ld.shared::cluster.u32 %r9, [%r8];
	mad.lo.u32 %r10, %r1, 32, %r0; mul.wide.u32 %d1, %r10, 4; add.u64 %d1, %d1, %d0; st.global.u32 [%d1], %r9;
	barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
	ret;
}`)
	mem := NewMemory()
	out, err := mem.Alloc("out", 8*32*4, 0)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(4) {
		if _, err := m.Run(context.Background(), mem, Launch{Entry: "k", Grid: [3]uint32{8}, Params: [][]byte{le64(out)}, Adversarial: seed > 0, Seed: seed}); err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 8*32*4)
		if err := mem.Read(out, b); err != nil {
			t.Fatal(err)
		}
		for i, v := range u32s(b) {
			if want := uint32(i/32^1)*1000 + uint32(i%32); v != want {
				t.Fatalf("thread %d read %d from its neighbour, want %d", i, v, want)
			}
		}
	}
}

// TestAdversary runs programs that lack a synchronisation. They work in
// lock step; the adversary must show each of them within a few seeds.
func TestAdversary(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, missing, body string }{
		{"barrier before reading", "bar.sync 1;", `.shared .align 4 .b8 s[512]; mov.u32 %r1, s; shl.b32 %r2, %r31, 2; add.u32 %r3, %r1, %r2; st.shared.u32 [%r3], %r31; bar.sync 1;
			xor.b32 %r4, %r2, 508; add.u32 %r4, %r4, %r1; ld.shared.u32 %r0, [%r4]; xor.b32 %r0, %r0, 127;`},
		{"barrier before overwriting", "bar.sync 1;", `.shared .align 4 .b8 s[512]; mov.u32 %r1, s; shl.b32 %r2, %r31, 2; add.u32 %r3, %r1, %r2; st.shared.u32 [%r3], %r31; bar.sync 0;
			xor.b32 %r4, %r2, 508; add.u32 %r4, %r4, %r1; ld.shared.u32 %r0, [%r4]; bar.sync 1; st.shared.u32 [%r3], 1; xor.b32 %r0, %r0, 127;`},
		{"wait for copies", "cp.async.wait_all;", `.shared .align 16 .b8 s[2048]; mov.u32 %r1, s; shl.b32 %r2, %r31, 2; add.u32 %r3, %r1, %r2; mul.wide.u32 %d1, %r31, 4; add.u64 %d1, %d1, %d31;
			cp.async.ca.shared.global [%r3], [%d1], 4; cp.async.wait_all; bar.sync 0; ld.shared.u32 %r0, [%r3];`},
		{"barrier before a copy overwrites", "bar.sync 1;", `.shared .align 16 .b8 s[2048]; mov.u32 %r1, s; shl.b32 %r2, %r31, 2; add.u32 %r3, %r1, %r2; xor.b32 %r6, %r31, 1; mul.wide.u32 %d1, %r6, 4; add.u64 %d1, %d1, %d31;
			st.shared.u32 [%r3], %r31; bar.sync 0; xor.b32 %r4, %r2, 508; add.u32 %r4, %r4, %r1; ld.shared.u32 %r0, [%r4]; bar.sync 1;
			cp.async.ca.shared.global [%r3], [%d1], 4; cp.async.wait_all; xor.b32 %r0, %r0, 127;`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := make([]uint32, 128)
			for i := range in {
				in[i] = uint32(i)
			}
			wrong := func(body string, seed uint64) bool {
				for i, v := range u32s(runAdversarial(t, kernel(body+store), 128, 512, le32(in...), seed)) {
					if v != uint32(i) {
						return true
					}
				}
				return false
			}
			shown := false
			for seed := range uint64(12) {
				if wrong(c.body, seed) {
					t.Fatalf("seed %d: the correct program gives a wrong result", seed)
				}
				shown = shown || seed > 0 && wrong(strings.Replace(c.body, c.missing, "", 1), seed)
			}
			if !shown {
				t.Error("no seed shows the missing synchronisation")
			}
		})
	}
}
