package emu

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// store writes %r0 of each thread to out[tid].
const store = "\n\tmul.wide.u32 %d0, %r31, 4; add.u64 %d0, %d0, %d30; st.global.u32 [%d0], %r0;"

func TestControl(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, body string
		threads    uint32
		want       func(tid uint32) uint32
	}{
		{"if else", `setp.lt.u32 %p0, %r31, 10; @%p0 bra A; mov.u32 %r0, 1; bra B; A: mov.u32 %r0, 2; B: activemask.b32 %r1; add.u32 %r0, %r0, %r1;`, 32,
			// The mask -1 proves that all lanes met again.
			func(i uint32) uint32 { return map[bool]uint32{true: 1, false: 0}[i < 10] }},
		{"loop with different trip counts", `mov.u32 %r0, 0; mov.u32 %r1, 0;
			L: add.u32 %r0, %r0, %r1; add.u32 %r1, %r1, 1; setp.le.u32 %p0, %r1, %r31; @%p0 bra L;`, 64,
			func(i uint32) uint32 { return i * (i + 1) / 2 }},
		{"nested", `mov.u32 %r0, 0; and.b32 %r1, %r31, 1; setp.eq.u32 %p0, %r1, 0; @!%p0 bra END;
			and.b32 %r1, %r31, 2; setp.eq.u32 %p1, %r1, 0; @%p1 bra IN; add.u32 %r0, %r0, 10; bra OUT; IN: add.u32 %r0, %r0, 100; OUT: add.u32 %r0, %r0, 1; END: add.u32 %r0, %r0, 1000;`, 32,
			func(i uint32) uint32 { return []uint32{1101, 1000, 1011, 1000}[i%4] }},
		{"break out of a loop", `mov.u32 %r0, 0;
			L: add.u32 %r0, %r0, 1; setp.eq.u32 %p0, %r0, %r31; @%p0 bra OUT; setp.lt.u32 %p1, %r0, 5; @%p1 bra L; add.u32 %r0, %r0, 50; OUT: add.u32 %r0, %r0, 0;`, 32,
			func(i uint32) uint32 {
				if i >= 1 && i <= 5 {
					return i
				}
				return 55
			}},
		{"early exit", `mov.u32 %r0, 7; setp.gt.u32 %p0, %r31, 20; @%p0 exit; bar.sync 0;`, 64,
			func(i uint32) uint32 { return map[bool]uint32{true: 7, false: 0}[i <= 20] }},
		{"predicated instructions", `mov.u32 %r0, 1; setp.eq.u32 %p0, %r31, 3; @%p0 mov.u32 %r0, 5; @!%p0 add.u32 %r0, %r0, 1;`, 32,
			func(i uint32) uint32 { return map[bool]uint32{true: 5, false: 2}[i == 3] }},
		{"indexed branch", `and.b32 %r1, %r31, 3; T: .branchtargets A, B, C, B; brx.idx %r1, T; A: mov.u32 %r0, 10; bra E; B: mov.u32 %r0, 20; bra E; C: mov.u32 %r0, 30; E: add.u32 %r0, %r0, 1;`, 32,
			func(i uint32) uint32 { return []uint32{11, 21, 31, 21}[i%4] }},
		{"labels are local to their block", `mov.u32 %r0, 0; { L: add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 3; @%p0 bra L; } { L: add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 10; @%p0 bra L; }`, 32,
			func(uint32) uint32 { return 10 }},
		{"barrier", `.shared .align 4 .b8 s[512]; mov.u32 %r1, s; shl.b32 %r2, %r31, 2; add.u32 %r3, %r1, %r2; st.shared.u32 [%r3], %r31; bar.sync 0;
			xor.b32 %r4, %r31, 127; shl.b32 %r4, %r4, 2; add.u32 %r4, %r4, %r1; ld.shared.u32 %r0, [%r4];`, 128,
			func(i uint32) uint32 { return i ^ 127 }},
		{"named barriers with counts", `.shared .u32 x; shr.u32 %r1, %r31, 5; setp.eq.u32 %p0, %r1, 0; mov.u32 %r0, 0; @%p0 bra P; barrier.sync.aligned 1, 96; ld.shared.u32 %r0, [x]; bra E;
			P: st.shared.u32 [x], 42; bar.arrive 1, 96; E: add.u32 %r0, %r0, 0;`, 96,
			func(i uint32) uint32 { return map[bool]uint32{true: 42, false: 0}[i >= 32] }},
		{"reducing barriers", `setp.lt.u32 %p0, %r31, 40; bar.red.popc.u32 %r0, 0, %p0; barrier.red.or.pred %p1, 0, %p0; barrier.cta.red.aligned.and.pred %p2, 1, %p0;
			@%p1 add.u32 %r0, %r0, 1000; @%p2 add.u32 %r0, %r0, 5000;`, 64,
			func(uint32) uint32 { return 1040 }},
		{"divergent lanes of one warp meet at barrier.sync", `.shared .u32 x; setp.lt.u32 %p0, %r31, 7; @%p0 bra A; barrier.sync 2; ld.shared.u32 %r0, [x]; bra E; A: st.shared.u32 [x], 3; barrier.sync 2; mov.u32 %r0, 1; E: add.u32 %r0, %r0, 1;`, 48,
			func(i uint32) uint32 { return map[bool]uint32{true: 2, false: 4}[i < 7] }},
		{"lanes wait for each other in a spin loop", `.shared .u32 x; st.shared.u32 [x], 0; bar.warp.sync 0xffffffff; mov.u32 %r0, 1; setp.eq.u32 %p0, %r31, 0; @%p0 bra A;
			W: ld.volatile.shared.u32 %r0, [x]; setp.eq.u32 %p1, %r0, 0; @%p1 bra W; bra E; A: st.volatile.shared.u32 [x], 9; E: add.u32 %r0, %r0, 0;`, 32,
			func(i uint32) uint32 { return map[bool]uint32{true: 1, false: 9}[i == 0] }},
		{"clock", `.reg .b32 %c<3>; mov.u32 %c1, %clock; mov.u32 %c2, %clock; setp.lt.u32 %p0, %c1, %c2; selp.u32 %r0, 1, 0, %p0; nanosleep.u32 20;`, 32,
			func(uint32) uint32 { return 1 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out := u32s(launch(t, kernel(c.body+store), c.threads, int(4*c.threads), nil))
			for i, got := range out {
				want := c.want(uint32(i))
				if got != want {
					t.Errorf("thread %d: got %d, want %d", i, got, want)
				}
			}
		})
	}
}

func TestCollectives(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, body string
		want       func(i uint32) uint32
	}{
		{"shfl bfly", `shfl.sync.bfly.b32 %r0, %r31, 5, 0x1f, 0xffffffff;`, func(i uint32) uint32 { return i ^ 5 }},
		{"shfl up", `shfl.sync.up.b32 %r0|%p0, %r31, 3, 0, 0xffffffff; @!%p0 add.u32 %r0, %r0, 100;`,
			func(i uint32) uint32 {
				if i < 3 {
					return i + 100
				}
				return i - 3
			}},
		{"shfl down in segments of 8", `shfl.sync.down.b32 %r0|%p0, %r31, 2, 0x181f, 0xffffffff; @!%p0 add.u32 %r0, %r0, 100;`,
			func(i uint32) uint32 {
				if i%8 >= 6 {
					return i + 100
				}
				return i + 2
			}},
		{"shfl idx in segments of 16", `shfl.sync.idx.b32 %r0, %r31, 5, 0x101f, -1;`, func(i uint32) uint32 { return i&16 | 5 }},
		{"shfl of divergent lanes", `setp.lt.u32 %p0, %r31, 10; @%p0 bra A; add.u32 %r31, %r31, 0; A: shfl.sync.bfly.b32 %r0, %r31, 1, 31, -1;`, func(i uint32) uint32 { return i ^ 1 }},
		{"guarded shfl", `mov.u32 %r0, 0; setp.lt.u32 %p0, %r31, 16; @%p0 shfl.sync.bfly.b32 %r0, %r31, 8, 31, 0xffff;`,
			func(i uint32) uint32 {
				if i < 16 {
					return i ^ 8
				}
				return 0
			}},
		{"ballot", `setp.lt.u32 %p0, %r31, 5; vote.sync.ballot.b32 %r0, %p0, -1;`, func(uint32) uint32 { return 31 }},
		{"votes", `setp.lt.u32 %p0, %r31, 5; vote.sync.any.pred %p1, %p0, -1; vote.sync.all.pred %p2, %p0, -1; vote.sync.uni.pred %p3, %p0, -1; vote.sync.all.pred %p4, !%p5, -1;
			selp.u32 %r0, 1, 0, %p1; @%p2 add.u32 %r0, %r0, 10; @%p3 add.u32 %r0, %r0, 100;`, func(uint32) uint32 { return 1 }},
		{"match any", `and.b32 %r1, %r31, 3; match.any.sync.b32 %r0, %r1, -1;`, func(i uint32) uint32 { return 0x11111111 << (i % 4) }},
		{"match all", `and.b32 %r1, %r31, 0; match.all.sync.b32 %r0|%p0, %r1, -1; @!%p0 mov.u32 %r0, 0;`, func(uint32) uint32 { return 0xffffffff }},
		{"match all differs", `match.all.sync.b32 %r0|%p0, %r31, -1; @%p0 mov.u32 %r0, 5;`, func(uint32) uint32 { return 0 }},
		{"redux add", `redux.sync.add.u32 %r0, %r31, -1;`, func(uint32) uint32 { return 496 }},
		{"redux min", `neg.s32 %r1, %r31; redux.sync.min.s32 %r0, %r1, -1;`, func(uint32) uint32 { return 0xffffffe1 }},
		{"redux or", `redux.sync.or.b32 %r0, %r31, -1;`, func(uint32) uint32 { return 31 }},
		{"elect", `elect.sync %r1|%p0, -1; selp.u32 %r0, 1, 0, %p0; add.u32 %r0, %r0, %r1;`, func(i uint32) uint32 { return map[bool]uint32{true: 1, false: 0}[i == 0] }},
		{"halves", `setp.lt.u32 %p0, %r31, 16; selp.b32 %r1, 0xffff, 0xffff0000, %p0; redux.sync.add.u32 %r0, 1, %r1; vote.sync.ballot.b32 %r2, %p0, %r1; add.u32 %r0, %r0, %r2;`,
			func(i uint32) uint32 { return 16 + map[bool]uint32{true: 0xffff, false: 0}[i < 16] }},
		{"lane masks", `mov.u32 %r1, %lanemask_lt; mov.u32 %r2, %lanemask_ge; xor.b32 %r1, %r1, %r2; mov.u32 %r0, %laneid; setp.ne.u32 %p0, %r1, -1; @%p0 add.u32 %r0, %r0, 77;`, func(i uint32) uint32 { return i }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			body := c.body
			if c.name == "votes" {
				body = "setp.ne.u32 %p5, %r31, %r31;\n" + body
			}
			for i, got := range u32s(launch(t, kernel(body+store), 32, 128, nil)) {
				if want := c.want(uint32(i)); got != want {
					t.Errorf("thread %d: got %#x, want %#x", i, got, want)
				}
			}
		})
	}
}

func TestGridAndSpecialRegisters(t *testing.T) {
	t.Parallel()
	m := parse(t, `.visible .entry k(.param .u64 out) .reqntid 4, 3, 2
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
	mem := NewMemory()
	const n = 5 * 3 * 2 * 24
	out, err := mem.Alloc("out", 4*n, 0)
	if err != nil {
		t.Fatal(err)
	}
	stats, err := m.Run(context.Background(), mem, Launch{Entry: "k", Grid: [3]uint32{5, 3, 2}, Params: [][]byte{le64(out)}})
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
	for i, v := range u32s(b) {
		if v != 1 {
			t.Fatalf("thread %d ran %d times", i, v)
		}
	}
}

// TestWaitForLaterCTA has every CTA but the last spin on a flag that the
// last one sets.
func TestWaitForLaterCTA(t *testing.T) {
	t.Parallel()
	m := parse(t, `.visible .entry k(.param .u64 flag)
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
	mem := NewMemory()
	flag, err := mem.Alloc("flag", 4, 4)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Run(context.Background(), mem, Launch{Entry: "k", Grid: [3]uint32{3}, Block: [3]uint32{32}, Params: [][]byte{le64(flag)}, Workers: 1}); err != nil {
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
		{"missing warp", "setp.lt.u32 %p0, %r31, 32; @%p0 bra A; bar.sync 1, 64; A: mov.u32 %r0, 1;", 64, "deadlock in cta 0,0,0: warp 1 waits at line 16 'bar.sync 1, 64;'"},
		{"different barriers", "setp.lt.u32 %p0, %r31, 32; @%p0 bra A; bar.sync 1; bra E; A: bar.sync 2; E: mov.u32 %r0, 1;", 64,
			"deadlock in cta 0,0,0: warp 0 waits at line 16 'bar.sync 2;'; warp 1 waits at line 16 'bar.sync 1;'"},
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
			_, err := tryLaunch(parse(t, ".const .u32 cst = 5;\n"+kernel(c.body)), c.threads, 64, nil)
			if err == nil {
				t.Fatalf("no error, want %q", c.want)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is\n%v\nwant\n%s", err, c.want)
			}
			if c.name == "steps" != errors.Is(err, ErrSteps) {
				t.Errorf("error %v: errors.Is(err, ErrSteps) is wrong", err)
			}
		})
	}
}

func TestLaunchErrors(t *testing.T) {
	t.Parallel()
	m := parse(t, ".visible .entry k(.param .u32 n) .maxntid 64\n{\n\tret;\n}\n.visible .entry q() .reqntid 32\n{\n\tret;\n}")
	for _, c := range []struct {
		l    Launch
		want string
	}{
		{Launch{Entry: "x"}, "no such entry, the module has 'k', 'q'"},
		{Launch{Entry: "k", Params: [][]byte{le32(1)}}, "no block shape is given"},
		{Launch{Entry: "k", Block: [3]uint32{128}, Params: [][]byte{le32(1)}}, "has more threads than '.maxntid'"},
		{Launch{Entry: "k", Block: [3]uint32{32}}, "0 parameters are given, the entry has 1"},
		{Launch{Entry: "k", Block: [3]uint32{32}, Params: [][]byte{le64(1)}}, "parameter 0 has 8 bytes, 'n' of type .u32 has 4"},
		{Launch{Entry: "q", Block: [3]uint32{64}}, "differs from '.reqntid'"},
		{Launch{Entry: "q", Cluster: [3]uint32{2}}, "is not a multiple of the cluster"},
		{Launch{Entry: "q", DynamicShared: 1 << 30}, "exceed the limit"},
	} {
		if _, err := m.Run(context.Background(), NewMemory(), c.l); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("launch %+v: error is %v, want %q", c.l, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	loop := parse(t, ".visible .entry k()\n{\nL: bra L;\n}")
	if _, err := loop.Run(ctx, NewMemory(), Launch{Entry: "k", Block: [3]uint32{1}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled launch: error is %v", err)
	}
}
