package access_test

import (
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

func TestCopyArrive(t *testing.T) {
	t.Parallel()
	in := make([]uint32, 128)
	for i := range in {
		in[i] = uint32(i)
	}
	for seed := range uint64(4) {
		out := emutest.U32s(emutest.RunAdversarial(t, emutest.Kernel(`.shared .align 16 .b8 buf[512]; .shared .align 8 .b64 bar;
	mov.u32 %r1, buf; mov.u32 %r2, bar; shl.b32 %r3, %r31, 4; add.u32 %r4, %r1, %r3; setp.eq.u32 %p0, %r31, 0;
	@%p0 mbarrier.init.shared.b64 [%r2], 32;
	bar.sync 0;
	cvt.u64.u32 %d1, %r3; add.u64 %d1, %d1, %d31;
	cp.async.cg.shared.global [%r4], [%d1], 16;
	cp.async.mbarrier.arrive.noinc.shared.b64 [%r2];
W:	mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0; @!%p1 bra W;
	xor.b32 %r5, %r3, 0x1f0; add.u32 %r5, %r5, %r1; ld.shared.u32 %r0, [%r5];`+emutest.Store), 32, 128, emutest.LE32(in...), seed))
		for i, got := range out {
			if want := uint32(4 * (i ^ 31)); got != want {
				t.Fatalf("seed %d thread %d: got %d, want %d", seed, i, got, want)
			}
		}
	}
}
