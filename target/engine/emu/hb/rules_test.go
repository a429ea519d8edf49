package hb_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
	"github.com/tilewright/tilewright/target/engine/emu/hb"
)

// A rule is a kernel that is right, and mutants of it: each replaces a text of the kernel and is found as a kind.
type rule struct {
	name    string
	covers  string // rules of docs/async-model.md, by name
	grid    uint32
	cluster uint32
	threads uint32 // 0: 64
	tensor  bool   // with tensor memory
	body    string
	mutants []mutant
}

type mutant struct {
	old, new string
	kind     hb.Kind // "a|b" for either, where the order of the run decides; "": it is right too
	missing  string  // a part of the words
}

// memory is shared memory and its addresses.
const memory = `.shared .align 1024 .b8 s[8192]; .shared .align 8 .b64 bar[4];
	mov.u32 %r40, s; mov.u32 %r41, bar; setp.eq.u32 %p15, %r31, 0; setp.lt.u32 %p14, %r31, 32;
	shl.b32 %r42, %r31, 2; add.u32 %r43, %r40, %r42; xor.b32 %r44, %r42, 128; add.u32 %r44, %r44, %r40;
`

var rules = []rule{
	{name: "bar.sync orders the warps of a CTA", covers: "order, barrier", body: `
	st.shared.u32 [%r43], %r31;
	bar.sync 0;
	ld.shared.u32 %r0, [%r44];`, mutants: []mutant{
		{"bar.sync 0;", "", hb.Race, "no barrier"},
		{"bar.sync 0;", "bar.warp.sync -1;", hb.Race, "no barrier"},
	}},
	{name: "a read is over before memory is written again", covers: "order", body: `
	st.shared.u32 [%r43], %r31;
	bar.sync 0;
	ld.shared.u32 %r0, [%r44];
	bar.sync 1;
	st.shared.u32 [%r43], 0;`, mutants: []mutant{
		{"bar.sync 1;", "", hb.Reuse, "after the read and before the write"},
	}},
	{name: "writes of the same value are no race", covers: "same-bytes", body: `
	st.shared.u32 [%r40], 5;`, mutants: []mutant{
		{"[%r40], 5;", "[%r40], %r31;", hb.Race, "write and the write"},
	}},
	{name: "bar.warp.sync orders the lanes of a warp", covers: "lanes", threads: 32, body: `
	st.shared.u32 [%r43], %r31;
	bar.warp.sync -1;
	xor.b32 %r1, %r42, 4; add.u32 %r1, %r1, %r40; ld.shared.u32 %r0, [%r1];
	bar.warp.sync -1;
	st.shared.u32 [%r43], 0;
	ld.shared.u32 %r0, [%r43];`, mutants: []mutant{
		{"bar.warp.sync -1;\n\txor", "xor", hb.Race, "bar.warp.sync between the write of lane 0 and the read of lane 1"},
		{"bar.warp.sync -1;\n\txor", "shfl.sync.bfly.b32 %r2, %r31, 1, 31, -1;\n\txor", hb.Race, "bar.warp.sync between"},
		{"bar.warp.sync -1;\n\tst.shared", "st.shared", hb.Reuse, "bar.warp.sync between the read of lane 1 and the write of lane 0"},
		{"bar.warp.sync -1;\n\txor", "setp.lt.u32 %p1, %r31, 16; selp.b32 %r2, 0xffff, 0xffff0000, %p1; bar.warp.sync %r2;\n\txor", "", ""},
		{"bar.warp.sync -1;\n\txor.b32 %r1, %r42, 4;", "setp.lt.u32 %p1, %r31, 16; selp.b32 %r2, 0xffff, 0xffff0000, %p1; bar.warp.sync %r2;\n\txor.b32 %r1, %r42, 64;", hb.Race, "bar.warp.sync between"},
	}},
	{name: "halves of words are of the lanes that access them", covers: "lanes", threads: 32, body: `
	shl.b32 %r1, %r31, 1; add.u32 %r1, %r1, %r40; st.shared.u16 [%r1], %r31;
	ld.shared.u16 %r0, [%r1];
	add.u32 %r1, %r40, %r31; st.shared.u8 [%r1+256], %r31; ld.shared.u8 %r0, [%r1+256];
	bar.warp.sync -1;
	ld.shared.u32 %r2, [%r43]; ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [%r40+256];`, mutants: []mutant{
		{"bar.warp.sync -1;", "", hb.Race, "bar.warp.sync between the write of lane"},
	}},
	{name: "all lanes are done before one of them arrives", covers: "lane-release", body: `
	@%p15 mbarrier.init.shared.b64 [%r41], 1;
	bar.sync 0;
	@!%p14 bra C;
	ld.shared.u32 %r0, [%r43];
	bar.warp.sync -1;
	@%p15 mbarrier.arrive.shared.b64 _, [%r41];
	bra E;
C:	mbarrier.try_wait.parity.shared.b64 %p1, [%r41], 0; @!%p1 bra C;
	st.shared.u32 [%r44], %r31;
E:`, mutants: []mutant{
		{"bar.warp.sync -1;", "", hb.Reuse, "bar.warp.sync after the read of lane 1: another lane"},
		{"bar.warp.sync -1;", "elect.sync _|%p2, -1;", hb.Reuse, "bar.warp.sync after the read of lane 1: another lane"},
	}},
	{name: "one lane waits for all", covers: "lane-release", body: `
	@%p15 mbarrier.init.shared.b64 [%r41], 32;
	bar.sync 0;
	@!%p14 bra C;
	st.shared.u32 [%r43], %r31;
	mbarrier.arrive.shared.b64 _, [%r41];
	bra E;
C:	setp.ne.u32 %p2, %r31, 32; @%p2 bra D;
W:	mbarrier.try_wait.parity.shared.b64 %p1, [%r41], 0; @!%p1 bra W;
D:	bar.warp.sync -1;
	ld.shared.u32 %r0, [%r44];
E:`, mutants: []mutant{
		{"D:	bar.warp.sync -1;", "D:", hb.Race, "only lanes 0x1 of the warp have waited"},
	}},
	{name: "bar.arrive hands on, bar.sync takes", covers: "barrier", body: `
	@!%p14 bra C;
	st.shared.u32 [%r43], %r31;
	bar.arrive 1, 64;
	bra E;
C:	bar.sync 1, 64;
	ld.shared.u32 %r0, [%r44];
E:`, mutants: []mutant{
		{"st.shared.u32 [%r43], %r31;\n\tbar.arrive 1, 64;", "bar.arrive 1, 64;\n\tst.shared.u32 [%r43], %r31;", hb.Race, "no barrier"},
		{"bar.arrive 1, 64;", "bar.arrive 2, 64;", hb.Stuck, "barrier 1"},
	}},
	{name: "a barrier has the same threads until its phase is over", covers: "participants", threads: 128, body: `
	setp.lt.u32 %p1, %r31, 64; @!%p1 bra C;
	bar.sync 1, 64;
	bra E;
C:	bar.sync 2, 64;
E:`, mutants: []mutant{
		{"bar.sync 2, 64;", "bar.sync 1, 64;", hb.Participants, "could count in it"},
	}},
	{name: "a phase of a barrier has one number of threads", covers: "barrier-count", body: `
	@!%p14 bra C;
	bar.sync 1, 64;
	bra E;
C:	bar.sync 1, 64;
E:`, mutants: []mutant{
		{"C:	bar.sync 1, 64;", "C:	bar.sync 1, 32;", hb.Participants, "one number of threads"},
		{"C:	bar.sync 1, 64;", "C:	barrier.cta.red.popc.aligned.u32 %r0, 1, 64, %p14;", hb.Participants, "one operation"},
	}},
	{name: "a launch that is stopped says what its waits lack", covers: "stuck", body: `
	@%p15 mbarrier.init.shared.b64 [%r41], 1;
	bar.sync 0;
	@!%p14 bra C;
	@%p15 mbarrier.arrive.shared.b64 _, [%r41];
	bra E;
C:	mbarrier.try_wait.parity.shared.b64 %p1, [%r41], 0; @!%p1 bra C;
E:`, mutants: []mutant{
		{"@%p15 mbarrier.arrive.shared.b64 _, [%r41];", "X:	ld.volatile.global.u32 %r1, [%d30]; setp.eq.u32 %p1, %r1, 0; @%p1 bra X;\n\t@%p15 mbarrier.arrive.shared.b64 _, [%r41];", hb.Stuck, "1 arrivals that the phase of the mbarrier expects, when the launch was stopped"},
		{"[%r41], 0; @!%p1 bra C;", "[%r41+8], 0; @!%p1 bra C;", hb.Arrival, "mbarrier.init of this address"},
	}},
	{name: "mbarrier.arrive hands on, a wait takes", covers: "mbarrier, mbarrier-init, arrival, stuck", body: `
	@%p15 mbarrier.init.shared.b64 [%r41], 32;
	bar.sync 0;
	@!%p14 bra C;
	st.shared.u32 [%r43], %r31;
	mbarrier.arrive.shared.b64 _, [%r41];
	bra E;
C:	mbarrier.try_wait.parity.shared.b64 %p1, [%r41], 0; @!%p1 bra C;
	ld.shared.u32 %r0, [%r44];
E:`, mutants: []mutant{
		{"mbarrier.arrive.shared", "mbarrier.arrive.relaxed.cta.shared", hb.TooNarrow, "relaxed"},
		{"try_wait.parity.shared", "try_wait.parity.relaxed.cta.shared", hb.TooNarrow, "relaxed"},
		{"@!%p1 bra C;", "", hb.Race, "no barrier"},
		{"[%r41], 0;", "[%r41], 1;", hb.Race + "|" + hb.Reuse, ""},
		{"bar.sync 0;", "", hb.Race, "no barrier"},
		{"[%r41], 32;", "[%r41], 31;", hb.Arrival, "could count in that phase"},
		{"[%r41], 32;", "[%r41], 33;", hb.Stuck, "1 arrivals"},
	}},
	{name: "a wait names the phase by its parity", covers: "late-wait", body: `
	@%p15 mbarrier.init.shared.b64 [%r41], 32;
	bar.sync 0;
	@!%p14 bra C;
	mbarrier.arrive.shared.b64 _, [%r41];
A:	mbarrier.try_wait.parity.shared.b64 %p1, [%r41], 0; @!%p1 bra A;
	bar.sync 1, 64;
	mbarrier.arrive.shared.b64 _, [%r41];
	@%p15 st.global.u32 [%d30], 1;
	bra E;
C:	mbarrier.try_wait.parity.shared.b64 %p1, [%r41], 0; @!%p1 bra C;
	bar.sync 1, 64;
D:	mbarrier.try_wait.parity.shared.b64 %p1, [%r41], 1; @!%p1 bra D;
E:`, mutants: []mutant{
		{"C:	mbarrier.try_wait.parity.shared.b64 %p1, [%r41], 0; @!%p1 bra C;\n\tbar.sync 1, 64;", "C:	bar.arrive 1, 64;\nX:	ld.global.u32 %r1, [%d30]; setp.eq.u32 %p1, %r1, 0; @%p1 bra X;", hb.Parity, "an older phase of the same parity"},
		{"bar.sync 1, 64;\n\tmbarrier.arrive", "bar.arrive 1, 64;\n\tmbarrier.arrive", hb.Stuck, "32 arrivals"},
	}},
	{name: "a phase ends after the waits for the phase before", covers: "early-phase", body: `
	@%p15 mbarrier.init.shared.b64 [%r41], 32;
	bar.sync 0;
	@!%p14 bra C;
	mbarrier.arrive.shared.b64 _, [%r41];
V:	mbarrier.try_wait.parity.shared.b64 %p1, [%r41], 0; @!%p1 bra V;
	bar.sync 1, 64;
	mov.u32 %r2, 0;
L:	add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 4000; @%p2 bra L;
	mbarrier.arrive.shared.b64 _, [%r41];
	bra E;
C:	mov.u32 %r1, 0;
W:	mbarrier.try_wait.parity.shared.b64 %p1, [%r41], 0; @!%p1 bra W;
	bar.sync 1, 64;
E:`, mutants: []mutant{
		{"C:	mov.u32 %r1, 0;\nW:	mbarrier.try_wait.parity.shared.b64 %p1, [%r41], 0; @!%p1 bra W;\n\tbar.sync 1, 64;",
			"C:	bar.arrive 1, 64;\nW:	mbarrier.try_wait.parity.shared.b64 %p1, [%r41], 0; @!%p1 bra W;", hb.Parity, "an order between this wait and the end of the next phase"},
	}},
	{name: "bytes are expected before the last arrival", covers: "expect", body: `
	@%p15 mbarrier.init.shared.b64 [%r41], 1; setp.eq.u32 %p2, %r31, 32;
	bar.sync 0;
	@!%p14 bra C;
	@%p15 mbarrier.expect_tx.relaxed.cta.shared.b64 [%r41], 256;
	@%p15 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r40], [%d31], 256, [%r41];
	bar.sync 1, 64;
	bra W;
C:	bar.sync 1, 64;
	@%p2 mbarrier.arrive.shared.b64 _, [%r41];
W:	mbarrier.try_wait.parity.shared.b64 %p1, [%r41], 0; @!%p1 bra W;`, mutants: []mutant{
		{"C:	bar.sync 1, 64;", "C:	bar.arrive 1, 64;", hb.Arrival, "an order between"},
	}},
	{name: "a ring of stages between TMA and readers", covers: "bulk, bytes, completion, read-first, arrival", body: ring, mutants: []mutant{
		{"@!%p1 bra EMPTY;", "", hb.Arrival, "more arrivals than the phase expects"},
		{"@!%p1 bra FULL;", "", hb.Unawaited, "wait for its mbarrier"},
		{"ld.shared.u32 %r9, [%r8];\n\t" + release, release + "\n\tld.shared.u32 %r9, [%r8];", hb.Reuse, "after the read and before the write"},
		{"xor.b32 %r7, %r6, 1;", "mov.u32 %r7, %r6;", hb.Stuck, "1 arrivals"},
		{"xor.b32 %r7, %r6, 1;", "mov.u32 %r7, 1;", hb.Arrival, "more arrivals than the phase expects"},
		{"[%r4], 256;", "[%r4], 512;", hb.Bytes, "256 bytes"},
		{"[%r4], 256;", "[%r4], 128;", hb.Bytes, "expect_tx of 128"},
		{"init.shared.b64 [%r41], 1;", "init.shared.b64 [%r41], 2;", hb.Stuck, "1 arrivals"},
		{"init.shared.b64 [%r41+16], 1;", "init.shared.b64 [%r41+16], 2;", hb.Stuck, "1 arrivals"},
	}},
	{name: "fence.proxy.async between a write of threads and a copy that reads", covers: "proxy, bulk, pending", body: `
	st.shared.u32 [%r43], %r31;
	fence.proxy.async.shared::cta;
	bar.sync 0;
	@%p15 cp.async.bulk.global.shared::cta.bulk_group [%d30], [%r40], 256;
	@%p15 cp.async.bulk.commit_group;
	@%p15 cp.async.bulk.wait_group.read 0;
	bar.sync 1;
	st.shared.u32 [%r43], 0;`, mutants: []mutant{
		{"fence.proxy.async.shared::cta;", "", hb.Proxy, "fence.proxy.async between"},
		{"fence.proxy.async.shared::cta;", "fence.proxy.async.global;", hb.Proxy, "fence.proxy.async between"},
		{"fence.proxy.async.shared::cta;", "membar.cta;", hb.Proxy, "fence.proxy.async between"},
		{"fence.proxy.async.shared::cta;\n\tbar.sync 0;", "bar.sync 0;", hb.Proxy, "fence.proxy.async between"},
		{"bar.sync 0;", "", hb.Race + "|" + hb.Reuse, ""},
		{"@%p15 cp.async.bulk.commit_group;", "", hb.Pending, "cp.async.bulk.wait_group.read"},
		{"wait_group.read 0;", "wait_group.read 1;", hb.Reuse, "cp.async.bulk.wait_group.read"},
		{"bar.sync 1;", "", hb.Race + "|" + hb.Reuse, ""},
	}},
	{name: "fence.proxy.async of global memory", covers: "proxy", body: `
	@%p15 mbarrier.init.shared.b64 [%r41], 1;
	cvt.u64.u32 %d1, %r42; add.u64 %d1, %d1, %d30; st.global.u32 [%d1], %r31;
	fence.proxy.async.global;
	bar.sync 0;
	@%p15 mbarrier.arrive.expect_tx.shared.b64 _, [%r41], 256;
	@%p15 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r40], [%d30], 256, [%r41];
W:	mbarrier.try_wait.parity.shared.b64 %p1, [%r41], 0; @!%p1 bra W;
	ld.shared.u32 %r0, [%r43];`, mutants: []mutant{
		{"fence.proxy.async.global;", "", hb.Proxy, "fence.proxy.async between"},
		{"fence.proxy.async.global;", "fence.proxy.async.shared::cta;", hb.Proxy, "fence.proxy.async between"},
	}},
	{name: "groups of cp.async", covers: "cp-async, pending", body: `
	cvt.u64.u32 %d1, %r42; add.u64 %d1, %d1, %d31;
	cp.async.ca.shared.global [%r43], [%d1], 4;
	cp.async.commit_group;
	cp.async.ca.shared.global [%r43+256], [%d1], 4;
	cp.async.commit_group;
	cp.async.wait_group 1;
	bar.sync 0;
	ld.shared.u32 %r0, [%r44];
	cp.async.wait_all;`, mutants: []mutant{
		{"cp.async.wait_group 1;", "cp.async.wait_group 2;", hb.Unawaited, "cp.async.wait_group"},
		{"cp.async.wait_group 1;", "", hb.Unawaited, "cp.async.wait_group"},
		{"4;\n\tcp.async.commit_group;\n\tcp.async.ca", "4;\n\tcp.async.ca", hb.Unawaited, "cp.async.wait_group"},
		{"cp.async.wait_group 1;\n\tbar.sync 0;", "bar.sync 0;\n\tcp.async.wait_group 1;", hb.Unawaited, "cp.async.wait_group"},
		{"bar.sync 0;", "", hb.Unawaited, "cp.async.wait_group"},
		{"[%r43+256]", "[%r43]", hb.Unawaited, "before the write"},
		{"cp.async.wait_all;", "", hb.Pending, "cp.async.wait_group"},
	}},
	{name: "copies of two warps that bring the same are no race", covers: "same-bytes", body: `
	and.b32 %r42, %r42, 127; add.u32 %r43, %r40, %r42;
	cvt.u64.u32 %d1, %r42; add.u64 %d1, %d1, %d31;
	setp.ge.u32 %p1, %r31, 32;
	@%p1 add.u64 %d1, %d1, 0;
	cp.async.ca.shared.global [%r43], [%d1], 4;
	cp.async.wait_all;
	bar.sync 0;
	ld.shared.u32 %r0, [%r43];`, mutants: []mutant{
		{"%d1, %d1, 0;", "%d1, %d1, 128;", hb.Unawaited, "before the write"},
	}},
	{name: "cp.async.mbarrier.arrive", covers: "cp-async", body: `
	@%p15 mbarrier.init.shared.b64 [%r41], 64;
	bar.sync 0;
	cvt.u64.u32 %d1, %r42; add.u64 %d1, %d1, %d31;
	cp.async.ca.shared.global [%r43], [%d1], 4;
	cp.async.mbarrier.arrive.noinc.shared.b64 [%r41];
W:	mbarrier.try_wait.parity.shared.b64 %p1, [%r41], 0; @!%p1 bra W;
	ld.shared.u32 %r0, [%r44];`, mutants: []mutant{
		{"@!%p1 bra W;", "", hb.Unawaited, "cp.async.wait_group"},
		{"cp.async.mbarrier.arrive.noinc.shared.b64 [%r41];", "mbarrier.arrive.shared.b64 _, [%r41];", hb.Unawaited, "cp.async.wait_group"},
	}},
	{name: "release and acquire between CTAs", covers: "strong", grid: 2, body: `
	mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra R;
	@%p15 st.global.u32 [%d30+64], 7;
	@%p15 st.release.gpu.global.u32 [%d30], 1;
	bra E;
R:	ld.acquire.gpu.global.u32 %r2, [%d30]; setp.eq.u32 %p2, %r2, 0; @%p2 bra R;
	ld.global.u32 %r3, [%d30+64];
E:`, mutants: []mutant{
		{"st.release.gpu", "st.relaxed.gpu", hb.TooNarrow, "relaxed"},
		{"st.release.gpu", "st.release.cta", hb.TooNarrow, "too narrow"},
		{"ld.acquire.gpu", "ld.relaxed.gpu", hb.TooNarrow, "relaxed"},
		{"ld.acquire.gpu", "ld.acquire.cluster", hb.TooNarrow, "too narrow"},
		{"st.release.gpu.global", "st.global", hb.Race, "no barrier"},
	}},
	{name: "fences around relaxed atomics", covers: "strong", grid: 2, body: `
	mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra R;
	@%p15 st.global.u32 [%d30+64], 7;
	fence.acq_rel.gpu;
	@%p15 red.relaxed.gpu.global.add.u32 [%d30], 1;
	bra E;
R:	atom.relaxed.gpu.global.add.u32 %r2, [%d30], 0; setp.eq.u32 %p2, %r2, 0; @%p2 bra R;
	membar.gl;
	ld.global.u32 %r3, [%d30+64];
E:`, mutants: []mutant{
		{"fence.acq_rel.gpu;", "", hb.TooNarrow, "relaxed"},
		{"fence.acq_rel.gpu;", "fence.acq_rel.cta;", hb.TooNarrow, "too narrow"},
		{"membar.gl;", "", hb.TooNarrow, "relaxed"},
		{"membar.gl;", "membar.cta;", hb.TooNarrow, "too narrow"},
	}},
	{name: "the barrier of the cluster, and memory of other CTAs", covers: "cluster-barrier, remote-exit", grid: 2, cluster: 2, body: `
	st.shared.u32 [%r43], %r31;
	barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
	mov.u32 %r1, %cluster_ctarank; xor.b32 %r1, %r1, 1; mapa.shared::cluster.u32 %r2, %r43, %r1;
	ld.shared::cluster.u32 %r0, [%r2];
	barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;`, mutants: []mutant{
		{"barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;", "", hb.Race, "no barrier"},
		{"arrive.release", "arrive.relaxed", hb.TooNarrow, "relaxed"},
		{"barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;", "", hb.Pending, "may have exited"},
	}},
	{name: "a fence before a relaxed arrival at the barrier of the cluster", covers: "cluster-barrier", grid: 2, cluster: 2, body: `
	st.shared.u32 [%r43], %r31;
	fence.acq_rel.cluster;
	barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;
	mov.u32 %r1, %cluster_ctarank; xor.b32 %r1, %r1, 1; mapa.shared::cluster.u32 %r2, %r43, %r1;
	ld.shared::cluster.u32 %r0, [%r2];
	barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;`, mutants: []mutant{
		{"fence.acq_rel.cluster;", "", hb.TooNarrow, "relaxed"},
		{"fence.acq_rel.cluster;", "fence.acq_rel.cta;", hb.TooNarrow, "relaxed"},
	}},
	{name: "an mbarrier of another CTA", covers: "mbarrier", grid: 2, cluster: 2, body: `
	@%p15 mbarrier.init.shared.b64 [%r41], 32;
	barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
	mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p1, %r1, 0; mov.u32 %r3, 0; @%p1 bra R;
	@!%p14 bra E;
	mapa.shared::cluster.u32 %r2, %r43, %r3; mapa.shared::cluster.u32 %r4, %r41, %r3;
	st.shared::cluster.u32 [%r2], %r31;
	mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4];
	bra E;
R:	mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p2, [%r41], 0; @!%p2 bra R;
	@%p14 ld.shared.u32 %r0, [%r43];
E:`, mutants: []mutant{
		{"arrive.release.cluster.shared", "arrive.release.cta.shared", hb.TooNarrow, "too narrow"},
		{"arrive.release.cluster.shared", "arrive.shared", hb.TooNarrow, "too narrow"},
		{"parity.acquire.cluster", "parity", hb.TooNarrow, "too narrow"},
		{"@!%p2 bra R;", "", hb.Race, "no barrier"},
	}},
	{name: "two bulk stores of one thread to one place", covers: "bulk-order", body: `
	@%p15 cp.async.bulk.global.shared::cta.bulk_group [%d30], [%r40], 256;
	@%p15 cp.async.bulk.commit_group;
	@%p15 cp.async.bulk.wait_group.read 0;
	@%p15 cp.async.bulk.global.shared::cta.bulk_group [%d30], [%r40], 256;
	@%p15 cp.async.bulk.commit_group;
	@%p15 cp.async.bulk.wait_group 0;
	@%p15 ld.global.u32 %r1, [%d30];`, mutants: []mutant{
		{"wait_group.read 0;", "wait_group.read 1;", hb.Unawaited, "cp.async.bulk.wait_group"},
		{"wait_group 0;", "wait_group.read 0;", hb.Unawaited, "cp.async.bulk.wait_group"},
	}},
	{name: "st.async", covers: "bulk", grid: 2, cluster: 2, body: `
	@%p15 mbarrier.init.shared.b64 [%r41], 1;
	@%p15 mbarrier.arrive.expect_tx.shared.b64 _, [%r41], 256;
	barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
	mov.u32 %r1, %cluster_ctarank; xor.b32 %r1, %r1, 1;
	mapa.shared::cluster.u32 %r2, %r43, %r1; mapa.shared::cluster.u32 %r4, %r41, %r1;
	st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r2], %r31, [%r4];
R:	mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p2, [%r41], 0; @!%p2 bra R;
	ld.shared.u32 %r0, [%r43];
	barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;`, mutants: []mutant{
		{"@!%p2 bra R;", "", hb.Unawaited, "wait for its mbarrier"},
	}},
	{name: "wgmma", covers: "wgmma-reads, wgmma-fence", threads: 128, body: product, mutants: []mutant{
		{"fence.proxy.async;", "", hb.Proxy, "fence.proxy.async between"},
		{"wgmma.fence.sync.aligned;", "", hb.Register, "wgmma.fence"},
		{"wgmma.wait_group.sync.aligned 0;", "", hb.Reuse, "wgmma.wait_group"},
		{"wgmma.wait_group.sync.aligned 0;", "wgmma.wait_group.sync.aligned 1;", hb.Reuse, "wgmma.wait_group"},
		{"wgmma.commit_group.sync.aligned;", "", hb.Reuse, "wgmma.wait_group"},
		{"bar.sync 1;", "", hb.Reuse, "wgmma.wait_group"},
	}},
	{name: "accumulators of wgmma", covers: "results", threads: 128, body: product + "\n\tadd.f32 %f5, %f1, %f2;", mutants: []mutant{
		{"wgmma.wait_group.sync.aligned 0;", "", hb.Register, "wgmma.wait_group between the operation that writes the register"},
	}},
	{name: "registers of tcgen05.ld", covers: "results", threads: 128, tensor: true, body: tensorProduct + "\n\tadd.u32 %r14, %r10, %r11;", mutants: []mutant{
		{"tcgen05.wait::ld.sync.aligned;", "", hb.Register, "tcgen05.wait::ld between the operation that writes the register"},
	}},
	{name: "operands of wgmma in registers", covers: "wgmma-registers, wgmma-fence", threads: 128, body: strings.NewReplacer("%d1, %d1, %p", "{%r1, %r2, %r3, %r4}, %d1, %p", "1, 1, 0, 0;", "1, 1, 0;",
		"wgmma.fence", "mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0; mov.b32 %r4, 0;\n\twgmma.fence", "bar.sync 1;", "mov.b32 %r1, 1;\n\tbar.sync 1;").Replace(product), mutants: []mutant{
		{"mov.b32 %r4, 0;\n\twgmma.fence.sync.aligned;", "wgmma.fence.sync.aligned;\n\tmov.b32 %r4, 0;", hb.Register, "wgmma.fence"},
		{"wgmma.wait_group.sync.aligned 0;", "", hb.Register, "wgmma.wait_group"},
	}},
	{name: "tcgen05", covers: "tcgen05-fence, tcgen05-wait", threads: 128, tensor: true, body: tensorProduct, mutants: []mutant{
		{"tcgen05.fence::before_thread_sync; bar.sync 0;", "bar.sync 0;", hb.TensorFence, "before_thread_sync"},
		{"bar.sync 0; tcgen05.fence::after_thread_sync;", "bar.sync 0;", hb.TensorFence, "after_thread_sync"},
		{"tcgen05.wait::st.sync.aligned;", "", hb.Unawaited, "tcgen05.wait::st"},
		{"bra W;\n\ttcgen05.fence::after_thread_sync;", "bra W;", hb.TensorFence, "after_thread_sync"},
		{"@!%p2 bra W;", "", hb.Unawaited, "tcgen05.commit"},
		{"tcgen05.wait::ld.sync.aligned;", "", hb.Reuse, "tcgen05.wait::ld"},
		{"fence.proxy.async;", "", hb.Proxy, "fence.proxy.async between"},
	}},
	{name: "an mbarrier without semantics between tcgen05 of two threads", covers: "tcgen05-execution", threads: 128, tensor: true, body: strings.Replace(tensorProduct, "fence.proxy.async;",
		"fence.proxy.async; add.u32 %r41, %r49, 8192; @%p15 mbarrier.init.shared.b64 [%r41], 128;", 1) + `
	tcgen05.fence::before_thread_sync;
	mbarrier.arrive.relaxed.cta.shared.b64 _, [%r41];
	@!%p15 bra D;
X:	mbarrier.try_wait.parity.relaxed.cta.shared.b64 %p2, [%r41], 0; @!%p2 bra X;
	tcgen05.fence::after_thread_sync;
	tcgen05.mma.cta_group::1.kind::f16 [%r50], %d1, %d1, %r1, %p1;
	tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r48];
D:	mbarrier.try_wait.parity.shared.b64 %p2, [%r48], 1; @!%p2 bra D;`, mutants: []mutant{
		{"tcgen05.fence::before_thread_sync;\n\tmbarrier", "mbarrier", hb.Reuse, ""},
		{"bra X;\n\ttcgen05.fence::after_thread_sync;", "bra X;", hb.Reuse, ""},
		{"tcgen05.wait::ld.sync.aligned;", "", hb.Reuse, "tcgen05.wait::ld"},
		{"@!%p2 bra X;", "", hb.Reuse, ""},
	}},
	{name: "MMAs of one thread", covers: "tcgen05-order, tcgen05-commit", threads: 128, tensor: true, body: strings.Replace(tensorProduct, "@!%p15 bra W;",
		"setp.eq.u32 %p4, %r31, 0; @%p4 tcgen05.mma.cta_group::1.kind::f16 [%r50], %d1, %d1, %r1, %p1;\n\t@!%p15 bra W;", 1), mutants: []mutant{
		{"setp.eq.u32 %p4, %r31, 0;", "setp.eq.u32 %p4, %r31, 32;", hb.Race + "|" + hb.Unawaited + "|" + hb.Reuse, ""},
		{"tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r48];", "mbarrier.arrive.shared.b64 _, [%r48];", hb.Unawaited, "tcgen05.commit"},
	}},
	{name: "a tensor map that the kernel makes", covers: "tensormap", threads: 32, body: tensorMap, mutants: []mutant{
		{"fence.proxy.tensormap::generic.acquire.gpu [%d30], 128;", "", hb.Proxy, "fence.proxy.tensormap"},
		{"fence.proxy.tensormap::generic.acquire.gpu [%d30], 128;", "fence.proxy.async;", hb.Proxy, "fence.proxy.tensormap"},
	}},
}

// ring has a producer, thread 0, and a warp that reads: two stages of 256 bytes, full at bar and bar+8, empty at bar+16
// and bar+24, and six turns.
const ring = `
	@%p15 mbarrier.init.shared.b64 [%r41], 1; @%p15 mbarrier.init.shared.b64 [%r41+8], 1;
	@%p15 mbarrier.init.shared.b64 [%r41+16], 1; @%p15 mbarrier.init.shared.b64 [%r41+24], 1;
	fence.mbarrier_init.release.cluster;
	bar.sync 0;
	mov.u32 %r1, 0;
	@!%p14 bra READ;
	@!%p15 bra DONE;
COPY:	and.b32 %r2, %r1, 1; shl.b32 %r3, %r2, 3; add.u32 %r4, %r41, %r3; shl.b32 %r5, %r2, 8; add.u32 %r5, %r5, %r40;
	shr.u32 %r6, %r1, 1; and.b32 %r6, %r6, 1; xor.b32 %r7, %r6, 1;
EMPTY:	mbarrier.try_wait.parity.shared.b64 %p1, [%r4+16], %r7; @!%p1 bra EMPTY;
	mbarrier.arrive.expect_tx.shared.b64 _, [%r4], 256;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%d31], 256, [%r4];
	add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 6; @%p2 bra COPY;
	bra DONE;
READ:	and.b32 %r2, %r1, 1; shl.b32 %r3, %r2, 3; add.u32 %r4, %r41, %r3; shl.b32 %r5, %r2, 8; add.u32 %r5, %r5, %r40;
	shr.u32 %r6, %r1, 1; and.b32 %r6, %r6, 1;
FULL:	mbarrier.try_wait.parity.shared.b64 %p1, [%r4], %r6; @!%p1 bra FULL;
	and.b32 %r8, %r42, 127; add.u32 %r8, %r8, %r5; setp.eq.u32 %p3, %r31, 32;
	ld.shared.u32 %r9, [%r8];
	` + release + `
	add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 6; @%p2 bra READ;
DONE:`

const release = "bar.warp.sync -1; @%p3 mbarrier.arrive.shared.b64 _, [%r4+16];"

// product multiplies operands that threads have written, and writes over them.
const product = `
	setp.ne.u32 %p1, %r31, %r31; shl.b32 %r5, %r31, 4; add.u32 %r5, %r5, %r40;
	st.shared.v4.u32 [%r5], {0, 0, 0, 0};
	fence.proxy.async;
	bar.sync 0;
	shr.u32 %r6, %r40, 4; cvt.u64.u32 %d1, %r6; or.b64 %d1, %d1, 0x1000080000;
	wgmma.fence.sync.aligned;
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %d1, %d1, %p1, 1, 1, 0, 0;
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
	bar.sync 1;
	st.shared.v4.u32 [%r5], {1, 1, 1, 1};`

// tensorProduct writes an accumulator, multiplies into it and reads it.
const tensorProduct = `
	shl.b32 %r5, %r31, 4; add.u32 %r5, %r5, %r49; st.shared.v4.u32 [%r5], {0, 0, 0, 0};
	fence.proxy.async;
	shr.u32 %r2, %r49, 4; cvt.u64.u32 %d1, %r2; or.b64 %d1, %d1, 0x401000080000; mov.u32 %r1, 0x8040010; setp.eq.u32 %p1, %r31, %r31;
	tcgen05.st.sync.aligned.32x32b.x4.b32 [%r51], {%r31, %r31, %r31, %r31};
	tcgen05.wait::st.sync.aligned;
	tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
	@!%p15 bra W;
	tcgen05.mma.cta_group::1.kind::f16 [%r50], %d1, %d1, %r1, %p1;
	tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r48];
W:	mbarrier.try_wait.parity.shared.b64 %p2, [%r48], 0; @!%p2 bra W;
	tcgen05.fence::after_thread_sync;
	tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r10, %r11, %r12, %r13}, [%r51];
	tcgen05.wait::ld.sync.aligned;`

// tensorMap makes a tensor map in shared memory, copies it to global memory and loads a box with it.
const tensorMap = `
	add.u32 %r1, %r40, 256; add.u32 %r3, %r40, %r42; st.shared.b32 [%r3], 0;
	bar.warp.sync -1;
	cvt.u64.u32 %d1, %r40; mov.b64 %d2, 48;
	@!%p15 bra MADE;
	tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%d1], 0x2;
	tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%d1], %d31;
	tensormap.replace.tile.rank.shared::cta.b1024.b32 [%d1], 1;
	tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%d1], 0, 8;
	tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%d1], 1, 4;
	tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%d1], 0, 9;
	tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%d1], 1, 5;
	tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%d1], 0, %d2;
	tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%d1], 0, 1;
	tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%d1], 1, 1;
	tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%d1], 0;
	tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%d1], 1;
	tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%d1], 0;
MADE:	bar.warp.sync -1;
	tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d30], [%d1], 128;
	fence.proxy.tensormap::generic.acquire.gpu [%d30], 128;
	bar.warp.sync -1;
	@%p15 mbarrier.init.shared::cta.b64 [%r41], 1;
	@%p15 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r41], 128;
	@%p15 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%d30, {%r31, %r31}], [%r41];
	bar.warp.sync -1;
W:	mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r41], 0; @!%p1 bra W;
	add.u32 %r12, %r1, %r42; ld.shared.b32 %r13, [%r12];`

// launch runs the kernel of a rule; with a seed it is adversarial.
func (r rule) launch(t *testing.T, body string, seed uint64) (*emu.SyncReport, error) {
	const steps = 1 << 16 // the kernels are small, and one waits forever
	l := emu.Launch{MaxSteps: steps, Adversarial: seed > 0, Seed: seed, Grid: [3]uint32{max(r.grid, 1)}, Cluster: [3]uint32{max(r.cluster, 1)}, Block: [3]uint32{64}}
	if r.threads > 0 {
		l.Block[0] = r.threads
	}
	if body = memory + body; r.tensor {
		body = emutest.TensorBody(strings.TrimPrefix(body, memory))
	}
	return emutest.Checked(t, emutest.Kernel(body), l, 4096, emutest.Numbered(4096))
}

// TestLaunches runs two launches one after the other, of which the second reads what the first wrote. In one launch the
// CTAs that do so have a race.
func TestLaunches(t *testing.T) {
	t.Parallel()
	body := "mov.u32 %r1, %ctaid.x; shl.b32 %r2, %r31, 2; shl.b32 %r3, %r1, 8; xor.b32 %r4, %r3, 256; add.u32 %r3, %r3, %r2; add.u32 %r4, %r4, %r2;" +
		"cvt.u64.u32 %d1, %r3; add.u64 %d1, %d1, %d30; cvt.u64.u32 %d2, %r4; add.u64 %d2, %d2, %d30;"
	write, read := " st.global.u32 [%d1], %r31;", " ld.global.u32 %r5, [%d2];"
	mem := emu.NewMemory()
	out, err := mem.Alloc("out", 4096, 0)
	if err != nil {
		t.Fatal(err)
	}
	run := func(body string, r *emu.SyncReport) {
		l := emu.Launch{Entry: "k", Grid: [3]uint32{2}, Block: [3]uint32{64}, Params: [][]byte{emutest.LE64(out), emutest.LE64(out)}, Sync: r}
		if _, err := emutest.Parse(t, emutest.Kernel(body)).Run(t.Context(), mem, l); err != nil {
			t.Fatal(err)
		}
	}
	r := new(emu.SyncReport)
	run(body+write, r)
	if run(body+read, r); len(r.Findings) > 0 {
		t.Errorf("a launch is ordered after the one before, but got %v", texts(r))
	}
	if run(body+write+read, r); len(r.Findings) == 0 || r.Findings[0].Kind != hb.Race {
		t.Errorf("the CTAs of one launch race, but got %v", texts(r))
	}
}

// TestEveryRule looks for a test of each rule that docs/async-model.md has.
func TestEveryRule(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../../docs/async-model.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(data), "| name | rule | section |")
	if !ok {
		t.Fatal("the page has no table of rules")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	tests := map[string]bool{"launch": true} // TestLaunches
	for _, r := range rules {
		wrong := slices.ContainsFunc(r.mutants, func(m mutant) bool { return m.kind != "" })
		for _, name := range strings.Split(r.covers, ", ") {
			if tests[name] = true; !wrong {
				t.Errorf("the test '%s' of rule '%s' has no mutant", r.name, name)
			}
			if !strings.Contains(table, "\n| `"+name+"` | ") {
				t.Errorf("the test '%s' is of a rule '%s' that the page has not", r.name, name)
			}
		}
	}
	for _, line := range strings.Split(table, "\n")[2:] {
		if name, _, _ := strings.Cut(strings.TrimPrefix(line, "| `"), "`"); !tests[name] {
			t.Errorf("the rule '%s' has no test", name)
		}
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(tier.Count(2, 3)) {
				report, err := r.launch(t, r.body, seed)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range report.Findings {
					t.Errorf("seed %d: the kernel is right, but: %s", seed, f.String())
				}
			}
			for _, m := range r.mutants {
				if !strings.Contains(r.body, m.old) {
					t.Fatalf("the kernel has no %q", m.old)
				}
				body := strings.Replace(r.body, m.old, m.new, 1)
				if report, err := r.launch(t, body, 1); m.kind != "" && err == nil && len(report.Findings) == 0 && report.AllSchedules {
					t.Errorf("%q instead of %q: another schedule finds nothing, and says that none does", m.new, m.old)
				}
				report, err := r.launch(t, body, 0)
				found := m.kind == "" && len(report.Findings) == 0
				for _, f := range report.Findings {
					found = found || slices.Contains(strings.Split(string(m.kind), "|"), string(f.Kind)) && strings.Contains(f.Missing, m.missing)
				}
				if !found {
					t.Errorf("%q instead of %q: no finding of kind %q, but %v, and the run ends with %v", m.new, m.old, m.kind, texts(report), err)
				}
			}
		})
	}
}

func texts(r *emu.SyncReport) (out []string) {
	for i := range r.Findings {
		out = append(out, r.Findings[i].String())
	}
	return out
}
