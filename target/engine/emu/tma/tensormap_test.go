package tma_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// TestMakeTensorMap makes a tensor map from zeros in shared memory, copies
// it to global memory and loads a box with it. It must be what Encode makes.
func TestMakeTensorMap(t *testing.T) {
	t.Parallel()
	m := emutest.Parse(t, emutest.Kernel(`.shared .align 128 .b8 map[128]; .shared .align 256 .b8 buf[256]; .shared .align 8 .b64 bar;
	mov.u32 %r0, map; mov.u32 %r1, buf; mov.u32 %r2, bar; setp.eq.u32 %p0, %r31, 0;
	shl.b32 %r3, %r31, 2; add.u32 %r4, %r0, %r3; mov.b32 %r5, 0; st.shared.b32 [%r4], %r5;
	bar.warp.sync -1;
	cvt.u64.u32 %d1, %r0; mov.b32 %r6, 8; mov.b64 %d2, 48; mov.b32 %r7, 4; mov.b32 %r8, 9; mov.b32 %r9, 5;
	@!%p0 bra MADE;
	tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%d1], 0x2;
	tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%d1], %d31;
	tensormap.replace.tile.rank.shared::cta.b1024.b32 [%d1], 1;
	tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%d1], 0, %r6;
	tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%d1], 1, %r7;
	tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%d1], 0, %r8;
	tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%d1], 1, %r9;
	tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%d1], 0, %d2;
	tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%d1], 0, 1;
	tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%d1], 1, 1;
	tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%d1], 0;
	tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%d1], 1;
	tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%d1], 0;
MADE: bar.warp.sync -1;
	tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d30], [%d1], 128;
	fence.proxy.tensormap::generic.acquire.gpu [%d30], 128;
	@%p0 mbarrier.init.shared::cta.b64 [%r2], 1;
	bar.warp.sync -1;
	mov.b32 %r10, 4; mov.b32 %r11, 2;
	@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 128;
	@%p0 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%d30, {%r10, %r11}], [%r2];
W:	mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], 0; @!%p1 bra W;
	add.u32 %r12, %r1, %r3; ld.shared.b32 %r13, [%r12]; cvt.u64.u32 %d3, %r3; add.u64 %d3, %d3, %d30; st.global.b32 [%d3+128], %r13;`))
	mem := emu.NewMemory()
	out, err := mem.Alloc("out", 256, 128)
	if err != nil {
		t.Fatal(err)
	}
	const rows, pitch = 5, 12
	in, err := mem.Alloc("in", 4*rows*pitch, 0)
	if err != nil {
		t.Fatal(err)
	}
	var data []uint32
	for i := range uint32(rows * pitch) {
		data = append(data, 100+i)
	}
	if err := mem.Write(in, emutest.LE32(data...)); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Run(context.Background(), mem, emu.Launch{Entry: "k", Block: [3]uint32{32}, Params: [][]byte{emutest.LE64(out), emutest.LE64(in)}, Adversarial: true}); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 256)
	if err := mem.Read(out, got); err != nil {
		t.Fatal(err)
	}
	want, err := emu.TensorMap{Address: in, Type: "u32", Dims: []uint64{9, rows}, Strides: []uint64{4 * pitch}, Box: []uint32{8, 4}, Swizzle: 32}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got[:128], want) {
		t.Errorf("got the map %x, want %x", got[:128], want)
	}
	for i, v := range emutest.U32s(got[128:]) {
		// Four rows are one 128-byte line, the first of the pattern, so
		// that nothing is exchanged.
		x, y := 4+i%8, 2+i/8
		want := uint32(0)
		if x < 9 && y < rows {
			want = data[y*pitch+x]
		}
		if v != want {
			t.Errorf("element (%d, %d): got %d, want %d", x, y, v, want)
		}
	}
}

func TestTensorMapErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ inst, want string }{
		{"tensormap.replace.tile.rank.shared::cta.b1024.b32 [%d1], 5;", "value 5 of the field is above 4"},
		{"tensormap.replace.tile.rank.shared::cta.b1024.b32 [%d1+32], 1;", "misaligned"},
		{"tensormap.replace.tile.rank.shared::cta.b1024.b64 [%d1], 1;", "type '.b64' does not go with the field"},
		{"tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%d1], 5, 1;", "the dimension must be a constant below 5"},
		{"tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%d1], 4, 16;", "the dimension must be a constant below 4"},
		{"tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%d1], %r31;", "the new value of the field must be a constant"},
		{"tensormap.replace.tile.shared::cta.b1024.b32 [%d1], 1;", "has no field"},
		{"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d30], [%d1], 64;", "the size must be 128"},
		{"setp.eq.u32 %p0, %r31, 0; @%p0 tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d30], [%d1], 128;", "needs all 32 lanes"},
		{"cp.async.bulk.prefetch.tensor.1d.L2.global.tile [%d30, {%r31}];", ""}, // advice: the map is not read
		{`mbarrier.init.shared::cta.b64 [%d1+256], 1;
		cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%d1], [%d30, {%r31}], [%d1+256];`, "dimension 0 has size 0 and box 0"},
	} {
		m, err := emu.Parse("test.ptx", []byte(emutest.Header+emutest.Kernel(".shared .align 128 .b8 map[512]; mov.u32 %r0, map; cvt.u64.u32 %d1, %r0;\n"+c.inst)))
		if err == nil {
			_, err = emutest.TryLaunch(m, 32, 128, nil)
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got error %v, want %q", c.inst, err, c.want)
		}
	}
}
