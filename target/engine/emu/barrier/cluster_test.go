package barrier_test

import (
	"context"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

func TestClusters(t *testing.T) {
	t.Parallel()
	m := emutest.Parse(t, `.visible .entry k(.param .u64 out) .reqntid 32 .reqnctapercluster 4, 1, 1
{
	.reg .b32 %r<16>; .reg .b64 %d<8>; .reg .pred %p<2>;
	.shared .align 4 .b8 s[128];
	ld.param.u64 %d0, [out];
	mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %cluster_ctarank; mov.u32 %r3, s;
	shl.b32 %r4, %r0, 2; add.u32 %r5, %r3, %r4; mad.lo.u32 %r6, %r1, 1000, %r0; st.shared.u32 [%r5], %r6;
	barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
	xor.b32 %r7, %r2, 1; mapa.shared::cluster.u32 %r8, %r5, %r7; ld.shared::cluster.u32 %r9, [%r8];
	mad.lo.u32 %r10, %r1, 32, %r0; mul.wide.u32 %d1, %r10, 4; add.u64 %d1, %d1, %d0; st.global.u32 [%d1], %r9;
	barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
	ret;
}`)
	mem := emu.NewMemory()
	out, err := mem.Alloc("out", 8*32*4, 0)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(4) {
		if _, err := m.Run(context.Background(), mem, emu.Launch{Entry: "k", Grid: [3]uint32{8}, Params: [][]byte{emutest.LE64(out)}, Adversarial: seed > 0, Seed: seed}); err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 8*32*4)
		if err := mem.Read(out, b); err != nil {
			t.Fatal(err)
		}
		for i, v := range emutest.U32s(b) {
			if want := uint32(i/32^1)*1000 + uint32(i%32); v != want {
				t.Fatalf("thread %d read %d from its neighbour, want %d", i, v, want)
			}
		}
	}
}
