package emu_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

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
				for i, v := range emutest.U32s(emutest.RunAdversarial(t, emutest.Kernel(body+emutest.Store), 128, 512, emutest.LE32(in...), seed)) {
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

func TestGridAndSpecialRegisters(t *testing.T) {
	t.Parallel()
	m := emutest.Parse(t, `.visible .entry k(.param .u64 out) .reqntid 4, 3, 2
{
	.reg .b32 %r<20>; .reg .b64 %d<4>;
	ld.param.u64 %d1, [out];
	mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z;
	mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ctaid.y; mov.u32 %r6, %ctaid.z;
	mov.u32 %r7, %nctaid.x; mov.u32 %r8, %nctaid.y;
	mad.lo.u32 %r9, %r6, %r8, %r5; mad.lo.u32 %r9, %r9, %r7, %r4;
	mov.u32 %r10, %ntid.x; mov.u32 %r11, %ntid.y; mov.u32 %r12, %ntid.z;
	mad.lo.u32 %r13, %r3, %r11, %r2; mad.lo.u32 %r13, %r13, %r10, %r1;
	mul.lo.u32 %r14, %r10, %r11; mul.lo.u32 %r14, %r14, %r12;
	mad.lo.u32 %r15, %r9, %r14, %r13;
	mul.wide.u32 %d2, %r15, 4; add.u64 %d2, %d2, %d1;
	red.global.add.u32 [%d2], 1;
	ret;
}`)
	mem := emu.NewMemory()
	const n = 5 * 3 * 2 * 24
	out, err := mem.Alloc("out", 4*n, 0)
	if err != nil {
		t.Fatal(err)
	}
	stats, err := m.Run(context.Background(), mem, emu.Launch{Entry: "k", Grid: [3]uint32{5, 3, 2}, Params: [][]byte{emutest.LE64(out)}})
	if err != nil {
		t.Fatal(err)
	}
	if stats.CTAs != 30 || stats.ThreadInstructions != 30*24*stats.WarpInstructions/30 {
		t.Errorf("stats are %+v", stats)
	}
	b := make([]byte, 4*n)
	if err := mem.Read(out, b); err != nil {
		t.Fatal(err)
	}
	for i, v := range emutest.U32s(b) {
		if v != 1 {
			t.Fatalf("thread %d ran %d times", i, v)
		}
	}
}

// TestWaitForLaterCTA has every CTA but the last spin on a flag that the
// last one sets.
func TestWaitForLaterCTA(t *testing.T) {
	t.Parallel()
	m := emutest.Parse(t, `.visible .entry k(.param .u64 flag)
{
	.reg .b32 %r<4>; .reg .b64 %d<2>; .reg .pred %p<2>;
	ld.param.u64 %d0, [flag];
	mov.u32 %r0, %ctaid.x; mov.u32 %r1, %nctaid.x; sub.u32 %r1, %r1, 1;
	setp.eq.u32 %p0, %r0, %r1; @%p0 bra SET;
W:	ld.acquire.gpu.global.u32 %r2, [%d0]; setp.eq.u32 %p1, %r2, 0; @%p1 bra W;
	ret;
SET: st.release.gpu.global.u32 [%d0], 1;
	ret;
}`)
	mem := emu.NewMemory()
	flag, err := mem.Alloc("flag", 4, 4)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Run(context.Background(), mem, emu.Launch{Entry: "k", Grid: [3]uint32{3}, Block: [3]uint32{32}, Params: [][]byte{emutest.LE64(flag)}, Workers: 1}); err != nil {
		t.Fatal(err)
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, body string
		threads    uint32
		want       string
	}{
		{"past the end", "mul.wide.u32 %d0, %r31, 4; add.u64 %d0, %d0, %d30; st.global.u32 [%d0], %r31;", 32,
			"test.ptx:16: 'st.global.u32 [%d0], %r31;': global write of 4 bytes is out of bounds: address 0x7f0000000040, 0 bytes past the end of 'out' (64 bytes) (cta 0,0,0 thread 16,0,0)"},
		{"null", "mov.b64 %d0, 0; ld.global.u32 %r0, [%d0+8];", 1, "address 0x8 (null)"},
		{"before", "ld.global.u32 %r0, [%d30+-4];", 1, "4 bytes before 'out'"},
		{"misaligned", "ld.global.u32 %r0, [%d30+2];", 1, "misaligned global read of 4 bytes at address 0x7f0000000002, offset 2 of 'out'"},
		{"misaligned vector", "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%d30+8];", 1, "misaligned global read of 16 bytes"},
		{"shared", ".shared .b8 s[8]; mov.u32 %r0, s; ld.shared.u32 %r1, [%r0+8];", 1, "shared read of 4 bytes is out of bounds: shared address 0x8 of 8 bytes"},
		{"local", ".local .align 4 .b8 s[16]; mov.u64 %d0, s; st.local.u32 [%d0+16], 1;", 1, "local write of 4 bytes is out of bounds"},
		{"uninitialised", "add.u32 %r0, %r1, 1;", 1, "register '%r1' is read before it is written"},
		{"uninitialised in a lane", "setp.eq.u32 %p0, %r31, 3; @%p0 bra A; mov.u32 %r1, 1; A: add.u32 %r0, %r1, 1;", 32, "'%r1' is read before it is written (cta 0,0,0 thread 3,0,0)"},
		{"uninitialised predicate", "@%p7 mov.u32 %r0, 1;", 1, "'%p7' is read before it is written"},
		{"trap", "setp.eq.u32 %p0, %r31, 3; @%p0 trap;", 32, "'trap' is executed (cta 0,0,0 thread 3,0,0)"},
		{"divergent barrier", "setp.lt.u32 %p0, %r31, 3; @%p0 bra A; bar.sync 0; A: mov.u32 %r0, 1;", 32, "barrier is executed by lanes 0xfffffff8, but lanes 0xffffffff of warp 0 are live"},
		{"missing warp", "setp.lt.u32 %p0, %r31, 32; @%p0 bra A; bar.sync 1, 64; A: mov.u32 %r0, 1;", 64, "deadlock: cta 0,0,0 warp 1 waiting at line 16 'bar.sync 1, 64;'"},
		{"different barriers", "setp.lt.u32 %p0, %r31, 32; @%p0 bra A; bar.sync 1; bra E; A: bar.sync 2; E: mov.u32 %r0, 1;", 64,
			"deadlock: cta 0,0,0 warp 0 waiting at line 16 'bar.sync 2;'; cta 0,0,0 warp 1 waiting at line 16 'bar.sync 1;'"},
		{"incomplete mask", "setp.lt.u32 %p0, %r31, 3; @%p0 bra A; shfl.sync.bfly.b32 %r0, %r31, 1, 31, -1; bra E; A: shfl.sync.bfly.b32 %r0, %r31, 2, 31, -1; E: mov.u32 %r1, 1;", 32, "deadlock"},
		{"not a member", "vote.sync.ballot.b32 %r0, 1, 0xff;", 32, "thread is not in its own member mask 0xff (cta 0,0,0 thread 8,0,0)"},
		{"barrier number", "mov.u32 %r0, 16; bar.sync %r0;", 32, "barrier 16 does not exist"},
		{"steps", "L: bra L;", 1, "step limit reached"},
		{"constant memory", "mov.u64 %d0, cst; st.global.u32 [%d0], 1;", 1, "write to constant memory"},
		{"index", "T: .branchtargets A; mov.u32 %r0, 2; brx.idx %r0, T; A: mov.u32 %r1, 1;", 1, "index 2 is beyond the 1 branch targets"},
		{"partial mma", ".reg .b32 %c<4>; movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r31;", 16, "'movmatrix' needs all 32 lanes, but only lanes 0xffff execute it"},
		{"barrier count", "mov.u32 %r0, 40; bar.sync 0, %r0;", 64, "barrier thread count 40 is not a positive multiple of 32"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := emutest.TryLaunch(emutest.Parse(t, ".const .u32 cst = 5;\n"+emutest.Kernel(c.body)), c.threads, 64, nil)
			if err == nil {
				t.Fatalf("no error, want %q", c.want)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is\n%v\nwant\n%s", err, c.want)
			}
			if c.name == "steps" != errors.Is(err, emu.ErrSteps) {
				t.Errorf("error %v: errors.Is(err, ErrSteps) is wrong", err)
			}
		})
	}
}

func TestLaunchErrors(t *testing.T) {
	t.Parallel()
	m := emutest.Parse(t, ".visible .entry k(.param .u32 n) .maxntid 64\n{\n\tret;\n}\n.visible .entry q() .reqntid 32\n{\n\tret;\n}")
	for _, c := range []struct {
		l    emu.Launch
		want string
	}{
		{emu.Launch{Entry: "x"}, "no such entry, the module has 'k', 'q'"},
		{emu.Launch{Entry: "k", Params: [][]byte{emutest.LE32(1)}}, "no block shape is given"},
		{emu.Launch{Entry: "k", Block: [3]uint32{128}, Params: [][]byte{emutest.LE32(1)}}, "has more threads than '.maxntid'"},
		{emu.Launch{Entry: "k", Block: [3]uint32{32}}, "0 parameters are given, the entry has 1"},
		{emu.Launch{Entry: "k", Block: [3]uint32{32}, Params: [][]byte{emutest.LE64(1)}}, "parameter 0 has 8 bytes, 'n' of type .u32 has 4"},
		{emu.Launch{Entry: "q", Block: [3]uint32{64}}, "differs from '.reqntid'"},
		{emu.Launch{Entry: "q", Cluster: [3]uint32{2}}, "is not a multiple of the cluster"},
		{emu.Launch{Entry: "q", DynamicShared: 1 << 30}, "exceed the limit"},
	} {
		if _, err := m.Run(context.Background(), emu.NewMemory(), c.l); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("launch %+v: error is %v, want %q", c.l, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	loop := emutest.Parse(t, ".visible .entry k()\n{\nL: bra L;\n}")
	if _, err := loop.Run(ctx, emu.NewMemory(), emu.Launch{Entry: "k", Block: [3]uint32{1}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled launch: error is %v", err)
	}
}
