package barrier_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/emutest"
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
		out := emutest.U32s(emutest.RunAdversarial(t, emutest.Kernel(body+emutest.Store), 64, 256, nil, seed))
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
	out := emutest.U32s(emutest.Launch(t, emutest.Kernel(`.shared .align 8 .b64 b;
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

// TestMbarrierManyWait: that all of many warps wait forever shows, however turns fall; and a copy that completes
// only when they all wait does so.
func TestMbarrierManyWait(t *testing.T) {
	t.Parallel()
	const waits = `.shared .align 8 .b64 full; .shared .align 16 .b8 buf[16]; setp.ne.u32 %p0, %r31, 0; @%p0 bra READY; mbarrier.init.shared::cta.b64 [full], 1;
READY: bar.sync 0;
	@%p0 bra WAIT;
	COPY
WAIT:	mbarrier.try_wait.parity.shared::cta.b64 %p2, [full], 0; @%p2 bra END; bra WAIT;
END:	mov.u32 %r0, 1;`
	for _, tt := range []struct{ copy, want string }{
		{"mbarrier.arrive.expect_tx.shared.b64 %d0, [full], 16; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [buf], [%d31], 16, [full];", ""},
		{"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [full], 16;", "deadlock"},
	} {
		for seed := range uint64(4) {
			_, err := emutest.TryAdversarial(t, emutest.Kernel(strings.Replace(waits, "COPY", tt.copy, 1)+emutest.Store), 1024, 4096, make([]byte, 64), 1+seed)
			if got := fmt.Sprint(err); tt.want == "" && err != nil || !strings.Contains(got, tt.want) {
				t.Errorf("seed %d: got %s, want %q", 1+seed, got, tt.want)
			}
		}
	}
}
