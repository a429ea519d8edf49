package access_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// remoteKernel has each of two CTAs write to the other and wait for what
// the other writes.
func remoteKernel(target string) string {
	return `.visible .entry k(.param .u64 out) .reqntid 32 .reqnctapercluster 2, 1, 1
{
	.reg .b32 %r<16>; .reg .b64 %d<8>; .reg .pred %p<2>;
	.shared .align 16 .b8 s[256]; .shared .align 8 .b64 bar;
	ld.param.u64 %d0, [out];
	mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %cluster_ctarank; mov.u32 %r3, s; mov.u32 %r4, bar;
	shl.b32 %r5, %r0, 3; add.u32 %r5, %r5, %r3; mov.u32 %r6, 7; st.shared.v2.u32 [%r5], {%r6, %r6}; setp.eq.u32 %p0, %r0, 0;
	@%p0 mbarrier.init.shared.b64 [%r4], 1;
	@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r4], 384;
	barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
	xor.b32 %r7, %r2, 1; mapa.shared::cluster.u32 %r8, %r5, %r7; mapa.shared::cluster.u32 %r9, ` + target + `, %r7;
	mad.lo.u32 %r10, %r1, 100, %r0; add.u32 %r11, %r10, 1000;
	st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%r8], {%r10, %r11}, [%r9];
W:	mbarrier.try_wait.parity.shared.b64 %p1, [%r4], 0; @%p1 bra D;
	red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r8+4], %r6, [%r9]; mov.u32 %r12, 0;
V:	mbarrier.try_wait.parity.shared.b64 %p1, [%r4], 0; @!%p1 bra V;
D:	ld.shared.v2.u32 {%r12, %r13}, [%r5];
	mad.lo.u32 %r14, %r1, 32, %r0; mul.wide.u32 %d1, %r14, 8; add.u64 %d1, %d1, %d0; st.global.v2.u32 [%d1], {%r12, %r13};
	barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
	ret;
}`
}

// TestRemote expects 256 bytes of stores and 128 of reductions. The two are
// not ordered, so that the sum may be of the old value or the new one.
func TestRemote(t *testing.T) {
	t.Parallel()
	m := emutest.Parse(t, remoteKernel("%r4"))
	for seed := range uint64(6) {
		mem := emu.NewMemory()
		out, err := mem.Alloc("out", 4*32*8, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Run(context.Background(), mem, emu.Launch{Entry: "k", Grid: [3]uint32{4}, Params: [][]byte{emutest.LE64(out)}, Adversarial: seed > 0, Seed: seed}); err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 4*32*8)
		if err := mem.Read(out, b); err != nil {
			t.Fatal(err)
		}
		got := emutest.U32s(b)
		for i := range 128 {
			want := uint32(i/32^1)*100 + uint32(i%32)
			if got[2*i] != want || got[2*i+1] != want+1000 && got[2*i+1] != want+1007 {
				t.Fatalf("seed %d: thread %d has %d and %d, want %d and %d or %d", seed, i, got[2*i], got[2*i+1], want, want+1000, want+1007)
			}
		}
	}
}

// TestSpacesOfCluster asks of an own and of the other CTA's shared memory where it is.
func TestSpacesOfCluster(t *testing.T) {
	t.Parallel()
	m := emutest.Parse(t, `.visible .entry k(.param .u64 out) .reqntid 32 .reqnctapercluster 2, 1, 1
{
	.reg .b32 %r<16>; .reg .b64 %d<8>; .reg .pred %p<4>;
	.shared .align 16 .b8 s[16];
	ld.param.u64 %d0, [out];
	mov.u32 %r1, %cluster_ctarank; xor.b32 %r2, %r1, 1; mov.u64 %d1, s; cvta.shared.u64 %d2, %d1; mapa.u64 %d3, %d2, %r2;
	isspacep.shared::cta %p0, %d2; isspacep.shared::cta %p1, %d3; isspacep.shared::cluster %p2, %d2; isspacep.shared::cluster %p3, %d3;
	selp.u32 %r3, 1, 0, %p0; selp.u32 %r4, 2, 0, %p1; selp.u32 %r5, 4, 0, %p2; selp.u32 %r6, 8, 0, %p3;
	or.b32 %r3, %r3, %r4; or.b32 %r5, %r5, %r6; or.b32 %r3, %r3, %r5;
	mul.wide.u32 %d4, %r1, 4; add.u64 %d4, %d4, %d0; st.global.u32 [%d4], %r3;
	ret;
}`)
	mem := emu.NewMemory()
	out, err := mem.Alloc("out", 8, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Run(context.Background(), mem, emu.Launch{Entry: "k", Grid: [3]uint32{2}, Params: [][]byte{emutest.LE64(out)}}); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 8)
	if err := mem.Read(out, b); err != nil {
		t.Fatal(err)
	}
	if got := emutest.U32s(b); got[0] != 1+4+8 || got[1] != 1+4+8 {
		t.Errorf("got %d", got)
	}
}

func TestRemoteErrors(t *testing.T) {
	t.Parallel()
	mem := emu.NewMemory()
	out, err := mem.Alloc("out", 4*32*8, 0)
	if err != nil {
		t.Fatal(err)
	}
	m := emutest.Parse(t, strings.Replace(remoteKernel("%r4"), "[%r9];", "[%r4];", 1))
	_, err = m.Run(context.Background(), mem, emu.Launch{Entry: "k", Grid: [3]uint32{2}, Params: [][]byte{emutest.LE64(out)}})
	if err == nil || !strings.Contains(err.Error(), "are not in the same CTA") {
		t.Errorf("mbarrier in another CTA: got error %v", err)
	}
	for _, c := range []struct{ inst, want string }{
		{"st.async.weak.global.b32 [%d30], %r31;", "is only supported with .shared::cluster"},
		{"st.async.mmio.release.gpu.global.b32 [%d30], %r31;", "with this scope or state space does not exist"},
		{"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r31], %r31, [%r31];", "needs an operation"},
		{"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.s32 [%r31], %r31, [%r31];", "does not exist for type .s32"},
		{"st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b64 [%r31], {%d1, %d1, %d1, %d1}, [%r31];", "of 32 bytes"},
	} {
		if _, err := emu.Parse("test.ptx", []byte(emutest.Header+emutest.Kernel(c.inst))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.inst, err, c.want)
		}
	}
}

// pairsKernel has CTA 1 of four copy a tensor to all of them, and the even CTA of each pair wait for both copies. The
// address of its mbarrier is the own one without bit 24.
const pairsKernel = `.visible .entry k(.param .align 64 .b8 map[128], .param .u64 out) .reqntid 32 .reqnctapercluster 4, 1, 1
{
	.reg .b16 %h<2>; .reg .b32 %r<16>; .reg .b64 %d<8>; .reg .pred %p<4>;
	.shared .align 128 .b8 s[128]; .shared .align 8 .b64 bar;
	ld.param.u64 %d0, [out]; mov.u64 %d1, map; cvta.param.u64 %d1, %d1;
	mov.u32 %r0, %tid.x; mov.u32 %r2, %cluster_ctarank; mov.u32 %r3, s; mov.u32 %r4, bar; mov.u32 %r6, 0;
	and.b32 %r5, %r4, 0xfeffffff; and.b32 %r7, %r2, 1;
	getctarank.shared::cluster.u32 %r8, %r5; sub.u32 %r9, %r2, %r7; setp.ne.u32 %p3, %r8, %r9; @%p3 trap;
	setp.eq.u32 %p0, %r0, 0; setp.eq.and.u32 %p1, %r7, 0, %p0; setp.eq.and.u32 %p2, %r2, 1, %p0;
	@%p1 mbarrier.init.shared.b64 [bar], 1;
	@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 256;
	barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
	mov.u16 %h0, 15;
	@%p2 cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.cta_group::2 [%r3], [%d1, {%r6}], [%r5], %h0;
	setp.eq.u32 %p1, %r7, 1; @%p1 bra D;
W:	mbarrier.try_wait.parity.shared.b64 %p1, [%r4], 0; @!%p1 bra W;
D:	barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
	mad.lo.u32 %r10, %r0, 4, %r3; ld.shared.u32 %r11, [%r10];
	mad.lo.u32 %r12, %r2, 32, %r0; mul.wide.u32 %d2, %r12, 4; add.u64 %d2, %d2, %d0; st.global.u32 [%d2], %r11;
	ret;
}`

func TestPairAddressesBlackwell(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, new, want string }{
		{},
		{".cta_group::2", "", "is not initialised"},
		{".multicast::cluster.cta_group::2 [%r3], [%d1, {%r6}], [%r5], %h0", " [%r3], [%d1, {%r6}], [%r5]", "is not in CTA 1 of the cluster, as the destination is"},
		{".multicast::cluster.cta_group::2 [%r3], [%d1, {%r6}], [%r5], %h0", ".cta_group::2 [%r3], [%d1, {%r6}], [%r5]", "deadlock"},
	} {
		m := emutest.Parse(t, strings.Replace(pairsKernel, c.old, c.new, 1))
		mem := emu.NewMemory()
		out, err := mem.Alloc("out", 4*128, 0)
		if err != nil {
			t.Fatal(err)
		}
		in, err := mem.Alloc("in", 128, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := mem.Write(in, emutest.Numbered(32)); err != nil {
			t.Fatal(err)
		}
		params, err := emu.TensorMap{Address: in, Type: "u32", Dims: []uint64{32}, Box: []uint32{32}}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Run(t.Context(), mem, emu.Launch{Entry: "k", Grid: [3]uint32{4}, Params: [][]byte{params, emutest.LE64(out)}})
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q: got error %v, want %q", c.new, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 4*128)
		if err := mem.Read(out, got); err != nil {
			t.Fatal(err)
		}
		for rank := range 4 {
			if !bytes.Equal(got[rank*128:][:128], emutest.Numbered(32)) {
				t.Errorf("CTA %d has % x", rank, got[rank*128:][:128])
			}
		}
	}
}
