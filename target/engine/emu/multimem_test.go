package emu

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestMultimem has the operations on a multicast object with one member.
func TestMultimem(t *testing.T) {
	t.Parallel()
	in := append(le32(7, 0x3c004000, math.Float32bits(1.5), math.Float32bits(-2)), le64(1<<40)...)
	out := u32s(launch(t, kernel(`
	multimem.ld_reduce.relaxed.gpu.global.add.u32 %r0, [%d31]; st.global.u32 [%d30], %r0;
	multimem.ld_reduce.weak.global.add.acc::f32.f16x2 %r1, [%d31+4]; st.global.u32 [%d30+4], %r1;
	multimem.ld_reduce.global.add.v2.f32 {%f0, %f1}, [%d31+8]; st.global.v2.f32 [%d30+8], {%f0, %f1};
	multimem.ld_reduce.global.max.u64 %d1, [%d31+16]; st.global.u64 [%d30+16], %d1;
	mov.b32 %r2, 5; multimem.st.relaxed.sys.global.u32 [%d30+24], %r2; multimem.red.relaxed.gpu.global.add.u32 [%d30+24], %r2;
	multimem.st.weak.global.v2.f32 [%d30+32], {%f0, %f1}; multimem.red.relaxed.gpu.global.add.v2.f32 [%d30+32], {%f0, %f0};
	multimem.red.release.sys.global.or.b32 [%d30+24], 16;`), 1, 40, in))
	want := []uint32{7, 0x3c004000, math.Float32bits(1.5), math.Float32bits(-2), 0, 256, 26, 0, math.Float32bits(3), math.Float32bits(-0.5)}
	if fmt.Sprint(out) != fmt.Sprint(want) {
		t.Errorf("got %#x, want %#x", out, want)
	}
	for _, c := range []struct{ inst, want string }{
		{"multimem.ld_reduce.global.add.s64 %d1, [%d31];", "does not exist"},
		{"multimem.ld_reduce.global.min.f32 %f1, [%d31];", "does not exist"},
		{"multimem.red.global.max.v2.f16x2 [%d31], {%r1, %r1};", "does not exist"},
		{"multimem.ld_reduce.global.add.f16 %h1, [%d31];", "does not exist"},
		{"multimem.ld_reduce.weak.gpu.global.add.u32 %r1, [%d31];", "state space, semantics or scope"},
		{"multimem.st.acquire.gpu.global.u32 [%d31], %r1;", "state space, semantics or scope"},
		{"mov.u64 %d1, 0x10000000000; multimem.ld_reduce.global.add.u32 %r1, [%d1];", "is not in global memory"},
	} {
		m, err := Parse("test.ptx", []byte(header+kernel(c.inst)))
		if err == nil {
			_, err = tryLaunch(m, 1, 64, make([]byte, 64))
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.inst, err, c.want)
		}
	}
}

// TestMaskedCopies has the stores that pick bytes, zero shared memory or
// arrive later.
func TestMaskedCopies(t *testing.T) {
	t.Parallel()
	out := launch(t, kernel(`.shared .align 128 .b8 buf[64]; mov.u32 %r1, buf; mov.b32 %r2, 0x04030201;
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
	want = append(want, le32(2*word, 2*word, 2*word, 2*word, word, word, 0, 0, 0, 0, word, word, 9, 9)...)
	if fmt.Sprint(out) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", out, want)
	}
}

// TestLaunchControl has a kernel whose CTAs cancel others and do their work:
// each CTA of the grid is done once.
func TestLaunchControl(t *testing.T) {
	t.Parallel()
	m := parse(t, kernel(`.shared .align 16 .b8 buf[16]; .shared .align 8 .b64 bar;
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
		mem := NewMemory()
		out, err := mem.Alloc("out", 4*35, 0)
		if err != nil {
			t.Fatal(err)
		}
		stats, err := m.Run(context.Background(), mem, Launch{Entry: "k", Grid: [3]uint32{5, 7}, Block: [3]uint32{1}, Params: [][]byte{le64(out), le64(out)}, Adversarial: seed > 0, Seed: seed, MaxSteps: 1 << 20})
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
		for i, n := range u32s(b) {
			if n != 1 {
				t.Errorf("cta %d was done %d times", i, n)
			}
		}
	}
}
