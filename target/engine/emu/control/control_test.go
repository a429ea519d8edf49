package control_test

import (
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

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
			out := emutest.U32s(emutest.Launch(t, emutest.Kernel(c.body+emutest.Store), c.threads, int(4*c.threads), nil))
			for i, got := range out {
				want := c.want(uint32(i))
				if got != want {
					t.Errorf("thread %d: got %d, want %d", i, got, want)
				}
			}
		})
	}
}
