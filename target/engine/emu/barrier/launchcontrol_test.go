package barrier_test

import (
	"context"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// TestLaunchControl has a kernel whose CTAs cancel others and do their work:
// each CTA of the grid is done once.
func TestLaunchControl(t *testing.T) {
	t.Parallel()
	m := emutest.Parse(t, emutest.Kernel(`.shared .align 16 .b8 buf[16]; .shared .align 8 .b64 bar;
	mov.u32 %r1, buf; mov.u32 %r2, bar; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ctaid.y; mov.b32 %r8, 0;
	mbarrier.init.shared::cta.b64 [%r2], 1;
WORK:	mad.lo.u32 %r5, %r4, 5, %r3; mul.wide.u32 %d1, %r5, 4; add.u64 %d1, %d1, %d30; red.global.add.u32 [%d1], 1;
	mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64 _, [%r2], 16;
	clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r1], [%r2];
W:	mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], %r8; @!%p1 bra W;
	xor.b32 %r8, %r8, 1;
	.reg .b128 %q; ld.shared.b128 %q, [%r1];
	clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p2, %q;
	@!%p2 ret;
	clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r3, %r4, _, _}, %q;
	clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %r6, %q; setp.ne.u32 %p3, %r6, %r4; @%p3 trap;
	fence.proxy.async.shared::cta;
	bra WORK;`))
	for seed := range uint64(4) {
		mem := emu.NewMemory()
		out, err := mem.Alloc("out", 4*35, 0)
		if err != nil {
			t.Fatal(err)
		}
		stats, err := m.Run(context.Background(), mem, emu.Launch{Entry: "k", Grid: [3]uint32{5, 7}, Block: [3]uint32{1}, Params: [][]byte{emutest.LE64(out), emutest.LE64(out)}, Adversarial: seed > 0, Seed: seed, MaxSteps: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		if stats.CTAs == 35 {
			t.Error("no launch was cancelled")
		}
		b := make([]byte, 4*35)
		if err := mem.Read(out, b); err != nil {
			t.Fatal(err)
		}
		for i, n := range emutest.U32s(b) {
			if n != 1 {
				t.Errorf("cta %d was done %d times", i, n)
			}
		}
	}
}
