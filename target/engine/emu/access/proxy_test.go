package access_test

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// TestProxyFence leaves out the fence between stores to shared memory and a
// reader that goes through the asynchronous proxy.
func TestProxyFence(t *testing.T) {
	t.Parallel()
	stores := `.shared .align 1024 .b8 s[8192]; .reg .f32 %c<4>;
	mov.u32 %r1, s; shl.b32 %r2, %r31, 5; add.u32 %r2, %r2, %r1; mov.b32 %r3, 0; setp.eq.u32 %p0, %r31, 0; setp.eq.u32 %p1, 0, 0;
	st.shared.v4.b32 [%r2], {%r3, %r3, %r3, %r3}; st.shared.v4.b32 [%r2+16], {%r3, %r3, %r3, %r3};`
	store := "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%d30], [%r1+%at], 512; @%p0 cp.async.bulk.commit_group; @%p0 cp.async.bulk.wait_group 0;"
	multiply := `cvt.u64.u32 %d2, %r1; shr.u64 %d2, %d2, 4; add.u64 %d2, %d2, 0x4000000100080000;
	wgmma.fence.sync.aligned;
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%c0, %c1, %c2, %c3}, %d2, %d2, 0, 1, 1, 0, 0;
	wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;`
	const want = "is read through the asynchronous proxy, but there was no 'fence.proxy.async' since it was written"
	for _, c := range []struct{ name, between, read, want string }{
		{"none before a bulk copy", "bar.sync 0;", store, want},
		{"none before wgmma", "bar.sync 0;", multiply, want},
		{"of another proxy", "fence.proxy.tensormap::generic.acquire.gpu [%d30], 128; fence.proxy.alias; bar.sync 0;", store, want},
		{"of global memory", "fence.proxy.async.global; bar.sync 0;", store, want},
		{"a fence of threads", "fence.acq_rel.cta; membar.gl; bar.sync 0;", store, want},
		{"before the last store", "fence.proxy.async; @%p0 st.shared.b8 [%r1+511], %r3; bar.sync 0;", store, want},
		{"of shared memory", "fence.proxy.async.shared::cta; bar.sync 0;", store, ""},
		{"before the barrier", "fence.proxy.async; bar.sync 0;", multiply, ""},
		{"behind the barrier", "bar.sync 0; fence.proxy.async.shared::cta;", multiply, ""},
		{"not needed for what is next to it", "fence.proxy.async; @%p0 st.shared.b8 [%r1+512], %r3; bar.sync 0;", store, ""},
		{"not needed for what nobody wrote", "bar.sync 0;", strings.ReplaceAll(store, "%at", "4096"), ""},
	} {
		body := stores + c.between + strings.ReplaceAll(c.read, "%at", "0")
		_, err := emutest.TryLaunch(emutest.Parse(t, emutest.Kernel(body)), 128, 512, nil)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
}

// TestGlobalProxyFence leaves out the fence between stores to global memory and a bulk copy that reads or writes what
// was stored.
func TestGlobalProxyFence(t *testing.T) {
	t.Parallel()
	stores := `.shared .align 1024 .b8 s[8192]; .shared .align 8 .b64 bar; .reg .pred %q<2>;
	mov.u32 %r1, s; mov.u32 %r2, bar; mov.b32 %r3, 0; setp.eq.u32 %p0, %r31, 0; mul.wide.u32 %d1, %r31, 4; add.u64 %d1, %d1, %d30;
	@%p0 mbarrier.init.shared.b64 [%r2], 1; fence.mbarrier_init.release.cluster; st.global.u32 [%d1+%at], %r31; `
	load := ` @%p0 mbarrier.arrive.expect_tx.shared.b64 %d2, [%r2], 512; @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d30], 512, [%r2];
	W: mbarrier.try_wait.parity.shared.b64 %q0, [%r2], 0; @!%q0 bra W;`
	store := " @%p0 cp.async.bulk.global.shared::cta.bulk_group [%d30], [%r1], 512; @%p0 cp.async.bulk.commit_group; @%p0 cp.async.bulk.wait_group 0;"
	const want = "is accessed through the asynchronous proxy, but there was no 'fence.proxy.async' of global memory since it was written"
	for _, c := range []struct{ name, between, copy, want string }{
		{"none before a load", "bar.sync 0;", load, want},
		{"none before a store", "bar.sync 0;", store, want},
		{"of shared memory", "bar.sync 0; fence.proxy.async.shared::cta;", load, want},
		{"a fence of threads", "fence.acq_rel.gpu; bar.sync 0; membar.gl;", load, want},
		{"by the one who copies, in front of the barrier", "@%p0 fence.proxy.async.global; bar.sync 0;", load, want},
		{"by the one who copies", "bar.sync 0; @%p0 fence.proxy.async.global;", load, ""},
		{"by each thread", "fence.proxy.async.global; bar.sync 0;", load, ""},
		{"of all memory", "bar.sync 0; @%p0 fence.proxy.async;", load, ""},
		{"before a store", "bar.sync 0; @%p0 fence.proxy.async.global;", store, ""},
		{"before the last store", "bar.sync 0; fence.proxy.async.global; @%p0 st.global.u8 [%d30+511], %r3;", load, want},
		{"not needed for what is next to it", "bar.sync 0; fence.proxy.async.global; @%p0 st.global.u8 [%d30+512], %r3;", load, ""},
	} {
		body := strings.ReplaceAll(stores, "%at", "0") + c.between + c.copy
		_, err := emutest.TryLaunch(emutest.Parse(t, emutest.Kernel(body)), 128, 1024, nil)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
}
