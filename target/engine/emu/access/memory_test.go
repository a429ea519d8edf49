package access_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// TestDiscard loses what it discards.
func TestDiscard(t *testing.T) {
	t.Parallel()
	body := "mov.b32 %r1, 7; st.global.u32 [%d30], %r1; discard.global.L2 [%d30], 128; applypriority.global.L2::evict_normal [%d31], 128; bar.warp.sync -1;"
	if out := emutest.U32s(emutest.RunAdversarial(t, emutest.Kernel(body), 32, 128, make([]byte, 128), 1)); out[0] == 7 {
		t.Error("the value is still there")
	}
	for _, c := range []struct{ inst, want string }{
		{"discard.global.L2 [%d30], 64;", "the size must be 128"},
		{"discard.global.L2 [%d30+64], 128;", "misaligned"},
		{"discard.global.L2 [%d30+128], 128;", "out of bounds"},
		{"discard.shared.L2 [%d30], 128;", "works on global memory only"},
		{"applypriority.global.L2 [%d30], 128;", "needs .L2::evict_normal"},
	} {
		m, err := emu.Parse("test.ptx", []byte(emutest.Header+emutest.Kernel(c.inst)))
		if err == nil {
			_, err = emutest.TryLaunch(m, 1, 128, nil)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.inst, err, c.want)
		}
	}
}

func TestLoadStore(t *testing.T) {
	t.Parallel()
	in := make([]byte, 64)
	for i := range in {
		in[i] = byte(0x80 + i)
	}
	for _, c := range []struct {
		name, body string
		want       []uint32
	}{
		{"widths", `ld.global.u8 %r0, [%d31+1]; ld.global.s8 %r1, [%d31+1]; ld.global.u16 %r2, [%d31+2]; ld.global.s16 %r3, [%d31+2];
			st.global.v4.b32 [%d30], {%r0, %r1, %r2, %r3};`, []uint32{0x81, 0xffffff81, 0x8382, 0xffff8382}},
		{"s8 to 16 bits", `ld.global.s8 %h0, [%d31]; cvt.u32.u16 %r0, %h0; st.global.u32 [%d30], %r0;`, []uint32{0xff80}},
		{"s32 to 64 bits", `ld.global.s32 %d0, [%d31+4]; st.global.b64 [%d30], %d0;`, []uint32{0x87868584, 0xffffffff}},
		{"vectors", `ld.global.nc.v2.b64 {%d0, %d1}, [%d31+16]; ld.global.L1::no_allocate.L2::128B.v4.f32 {%f0, %f1, %f2, %f3}, [%d31+32];
			st.global.wt.v2.b64 [%d30], {%d1, %d0}; st.global.v2.f32 [%d30+16], {%f3, %f0};`,
			[]uint32{0x9b9a9998, 0x9f9e9d9c, 0x93929190, 0x97969594, 0xafaeadac, 0xa3a2a1a0}},
		{"truncating store", `mov.b32 %r0, 0x12345678; st.global.b32 [%d30], 0; st.global.u8 [%d30+1], %r0; st.global.u16 [%d30+2], %r0;`, []uint32{0x56787800}},
		{"b128", `.reg .b128 %q; ld.global.b128 %q, [%d31]; st.global.b128 [%d30], %q;`, []uint32{0x83828180, 0x87868584, 0x8b8a8988, 0x8f8e8d8c}},
		{"orders", `ld.relaxed.gpu.global.u32 %r0, [%d31]; ld.acquire.sys.global.u32 %r1, [%d31]; ld.volatile.global.u8 %r2, [%d31+3];
			st.release.cta.global.u32 [%d30], %r0; st.relaxed.gpu.global.u16 [%d30+4], %r1; st.volatile.global.u8 [%d30+6], %r2; fence.acq_rel.gpu; membar.gl; fence.proxy.async;`,
			[]uint32{0x83828180, 0x838180}},
		{"generic", `ld.u32 %r0, [%d31]; st.u32 [%d30], %r0;`, []uint32{0x83828180}},
		{"shared", `.shared .align 16 .b8 buf[64]; .shared .b32 x; mov.u32 %r0, buf; mov.b32 %r1, 7; st.shared.b32 [%r0+4], %r1; st.shared.u32 [x], 9;
			ld.shared.u32 %r2, [buf+4]; ld.shared::cta.u32 %r3, [x]; st.global.v2.u32 [%d30], {%r2, %r3};`, []uint32{7, 9}},
		{"shared through generic", `.shared .align 8 .b8 buf[16]; mov.u64 %d0, buf; cvta.shared.u64 %d1, %d0; mov.b32 %r1, 5; st.u32 [%d1+8], %r1; ld.shared.u32 %r2, [buf+8];
			cvta.to.shared.u64 %d2, %d1; ld.shared.u32 %r3, [%d2+8]; st.global.v2.u32 [%d30], {%r2, %r3};`, []uint32{5, 5}},
		{"local", `.local .align 8 .b8 buf[16]; mov.u64 %d0, buf; cvta.local.u64 %d1, %d0; mov.b32 %r1, 5; st.local.u32 [%d0+4], %r1; ld.u32 %r2, [%d1+4]; st.global.u32 [%d30], %r2;`, []uint32{5}},
		{"isspacep", `.shared .b32 x; mov.u64 %d0, x; cvta.shared.u64 %d1, %d0; isspacep.shared %p0, %d1; isspacep.global %p1, %d1; isspacep.global %p2, %d30;
			selp.u32 %r0, 1, 0, %p0; selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 1, 0, %p2; st.global.v2.u32 [%d30], {%r0, %r1}; st.global.u32 [%d30+8], %r2;`, []uint32{1, 0, 1}},
		{"hints", `.reg .b64 %pol; createpolicy.fractional.L2::evict_last.b64 %pol, 1.0; ld.global.L2::cache_hint.u32 %r0, [%d31], %pol; prefetch.global.L2 [%d31];
			st.global.L2::cache_hint.u32 [%d30], %r0, %pol;`, []uint32{0x83828180}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out := emutest.U32s(emutest.Launch(t, emutest.Kernel(c.body), 1, 4*len(c.want), in))
			for i, w := range c.want {
				if out[i] != w {
					t.Errorf("word %d is %#x, want %#x", i, out[i], w)
				}
			}
		})
	}
}

func TestModuleVariables(t *testing.T) {
	t.Parallel()
	src := `
.global .align 4 .u32 a[4] = {1, 2, -3};
.const .align 8 .b8 c[8] = {0x11, 0x22, 0x33};
.global .align 8 .u64 p = a;
.global .f32 f = 1.5;
.extern .shared .align 16 .b8 dyn[];
.shared .align 4 .b8 stat[12];
` + emutest.Kernel(`
	ld.global.u32 %r0, [a+8];
	ld.const.u32 %r1, [c];
	ld.global.u64 %d0, [p];
	ld.global.u32 %r2, [%d0+4];
	ld.global.f32 %f0, [f];
	mov.u32 %r4, dyn;
	mov.u32 %r5, stat;
	sub.u32 %r4, %r4, %r5;
	mov.u64 %d1, c;
	ld.const.u8 %r6, [%d1+1];
	st.global.v4.b32 [%d30], {%r0, %r1, %r2, %r4};
	st.global.v2.b32 [%d30+16], {%f0, %r6};`)
	out := emutest.U32s(emutest.Launch(t, src, 1, 24, nil))
	for i, want := range []uint32{0xfffffffd, 0x332211, 2, 16, 0x3fc00000, 0x22} {
		if out[i] != want {
			t.Errorf("word %d is %#x, want %#x", i, out[i], want)
		}
	}
}

func TestAtomics(t *testing.T) {
	t.Parallel()
	// Each case starts from in[0] in memory; 64 threads execute the
	// instruction on it and the result is what memory holds afterwards.
	for _, c := range []struct {
		inst string
		in   uint64
		want uint64
	}{
		{"atom.global.add.u32 %r0, [%d30], 3;", 5, 5 + 192},
		{"red.relaxed.gpu.global.add.u32 [%d30], %r31;", 0, 63 * 32},
		{"red.global.add.u64 [%d30], 1;", 1<<32 - 1, 1<<32 + 63},
		{"atom.acq_rel.sys.global.max.s32 %r0, [%d30], %r31;", 0xffffffff, 63},
		{"red.global.min.u32 [%d30], %r31;", 7, 0},
		{"red.global.and.b32 [%d30], %r31;", 0xff, 0},
		{"red.global.or.b32 [%d30], %r31;", 0, 63},
		{"red.global.xor.b32 [%d30], %r31;", 9, 9},
		{"atom.global.inc.u32 %r0, [%d30], 9;", 0, 4},
		{"atom.global.dec.u32 %r0, [%d30], 9;", 0, 6},
		{"atom.global.exch.b32 %r0, [%d30], 77;", 1, 77},
		{"atom.global.cas.b32 %r0, [%d30], %r31, 100;", 63, 100},
		{"atom.global.cas.b16 %h0, [%d30+2], 0, 1;", 0x5, 0x10005},
		{"red.global.add.f32 [%d30], 0f3F800000;", 0x3f800000, 0x42820000},
		{"red.global.add.f32 [%d30], 0f00000001;", 0x00800000, 0x00800000}, // subnormal numbers count as zero
		{"red.global.add.f64 [%d30], 0d3FF0000000000000;", 0, 0x4050000000000000},
		{"atom.global.add.noftz.f16 %h0, [%d30+2], %h9;", 0x00010000, 0x54000000}, // 2^-24 is lost in rounding
		{"atom.global.add.noftz.f16x2 %r0, [%d30], %r9;", 0x3c000000, 0x54105400},
		{"red.global.add.noftz.bf16x2 [%d30], %r10;", 0, 0x42804280},
	} {
		t.Run(c.inst, func(t *testing.T) {
			t.Parallel()
			body := "mov.b16 %h9, 0x3c00; mov.b32 %r9, 0x3c003c00; mov.b32 %r10, 0x3f803f80;\n setp.eq.u32 %p0, %r31, 0;\n" +
				"ld.global.u64 %d9, [%d31];\n @%p0 st.global.u64 [%d30], %d9;\n bar.sync 0;\n" + c.inst
			got := binary.LittleEndian.Uint64(emutest.Launch(t, emutest.Kernel(body), 64, 8, emutest.LE64(c.in)))
			if got != c.want {
				t.Errorf("memory holds %#x, want %#x", got, c.want)
			}
		})
	}
}

func TestAtomicReturnsOld(t *testing.T) {
	t.Parallel()
	out := emutest.U32s(emutest.Launch(t, emutest.Kernel(`.shared .u32 n; st.shared.u32 [n], 0; bar.sync 0;
	atom.shared.add.u32 %r0, [n], 1; mul.wide.u32 %d0, %r0, 4; add.u64 %d0, %d0, %d30; st.global.u32 [%d0], 1;`), 96, 96*4, nil))
	for i, v := range out {
		if v != 1 {
			t.Errorf("ticket %d was never drawn", i)
		}
	}
}

func TestAsyncCopy(t *testing.T) {
	t.Parallel()
	in := emutest.LE32(1, 2, 3, 4, 5, 6, 7, 8)
	out := emutest.U32s(emutest.Launch(t, emutest.Kernel(`.shared .align 16 .b8 buf[64];
	mov.u32 %r0, buf; mov.b32 %r9, 99;
	st.shared.v4.u32 [buf], {%r9, %r9, %r9, %r9}; st.shared.v4.u32 [buf+16], {%r9, %r9, %r9, %r9}; st.shared.u32 [buf+32], %r9;
	cp.async.cg.shared.global [%r0], [%d31], 16;
	cp.async.commit_group;
	cp.async.ca.shared.global.L2::128B [%r0+16], [%d31+16], 16, 8;
	cp.async.commit_group;
	cp.async.ca.shared.global [%r0+32], [%d31+4], 4;
	ld.shared.u32 %r1, [buf];
	cp.async.wait_group 1;
	ld.shared.u32 %r2, [buf+4]; ld.shared.u32 %r3, [buf+16];
	cp.async.wait_group 0;
	ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [buf+16]; ld.shared.u32 %r8, [buf+32];
	cp.async.wait_all;
	ld.shared.u32 %r10, [buf+32];
	st.global.v4.u32 [%d30], {%r1, %r2, %r3, %r4};
	st.global.v4.u32 [%d30+16], {%r5, %r6, %r7, %r8};
	st.global.u32 [%d30+32], %r10;`), 1, 36, in))
	// The copies take effect no earlier than the wait that covers them.
	for i, want := range []uint32{99, 2, 99, 5, 6, 0, 0, 99, 2} {
		if out[i] != want {
			t.Errorf("word %d is %d, want %d", i, out[i], want)
		}
	}
}
