package mma_test

import (
	"encoding/binary"
	"math/rand"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// TestByteMatricesBlackwell multiplies 8-bit matrices whose B has n as the
// contiguous dimension: the transposing ldmatrix must make the fragments
// that mma takes. Then stmatrix stores bytes of the result, transposed.
func TestByteMatricesBlackwell(t *testing.T) {
	t.Parallel()
	// Shared memory: A, 16 x 32; B, 32 x 16; the result, 16 rows (n) of 16
	// bytes (m).
	body := `.shared .align 16 .b8 s[1280]; .reg .b32 %a<4>; .reg .b32 %b<4>; .reg .b32 %c<8>;
	mov.u32 %r1, s; shl.b32 %r2, %r31, 5; cvt.u64.u32 %d1, %r2; add.u64 %d1, %d1, %d31; add.u32 %r3, %r1, %r2;
	ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%d1]; ld.global.v4.b32 {%r8, %r9, %r10, %r11}, [%d1+16];
	st.shared.v4.b32 [%r3], {%r4, %r5, %r6, %r7}; st.shared.v4.b32 [%r3+16], {%r8, %r9, %r10, %r11}; bar.sync 0;
	// Rows of A are 32 bytes: lanes 0 to 15 have the left halves.
	and.b32 %r12, %r31, 15; shl.b32 %r12, %r12, 5; and.b32 %r13, %r31, 16; add.u32 %r12, %r12, %r13; add.u32 %r12, %r12, %r1;
	ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1, %a2, %a3}, [%r12];
	shl.b32 %r14, %r31, 4; add.u32 %r14, %r14, %r1;
	ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 {%b0, %b1, %b2, %b3}, [%r14+512];
	mov.b32 %c0, 0; mov.b32 %c1, 0; mov.b32 %c2, 0; mov.b32 %c3, 0; mov.b32 %c4, 0; mov.b32 %c5, 0; mov.b32 %c6, 0; mov.b32 %c7, 0;
	mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%c0, %c1, %c2, %c3}, {%a0, %a1, %a2, %a3}, {%b0, %b2}, {%c0, %c1, %c2, %c3};
	mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%c4, %c5, %c6, %c7}, {%a0, %a1, %a2, %a3}, {%b1, %b3}, {%c4, %c5, %c6, %c7};
	prmt.b32 %r15, %c0, %c1, 0x0040; prmt.b32 %r16, %c2, %c3, 0x0040; prmt.b32 %r17, %r15, %r16, 0x5410;
	prmt.b32 %r15, %c4, %c5, 0x0040; prmt.b32 %r16, %c6, %c7, 0x0040; prmt.b32 %r18, %r15, %r16, 0x5410;
	and.b32 %r19, %r31, 15; shl.b32 %r19, %r19, 4; add.u32 %r19, %r19, %r1;
	stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 [%r19+1024], {%r17, %r18}; bar.sync 0;
	shl.b32 %r20, %r31, 3; add.u32 %r21, %r20, %r1; ld.shared.b64 %d2, [%r21+1024];
	cvt.u64.u32 %d3, %r20; add.u64 %d3, %d3, %d30; st.global.b64 [%d3], %d2;`
	in := make([]byte, 1024)
	rand.New(rand.NewSource(1)).Read(in)
	out := emutest.Launch(t, emutest.Kernel(body), 32, 256, in)
	for m := range 16 {
		for n := range 16 {
			var sum int
			for k := range 32 {
				sum += int(int8(in[32*m+k])) * int(int8(in[512+16*k+n]))
			}
			if got := out[16*n+m]; got != byte(sum) {
				t.Fatalf("element (%d, %d): got %#x, want %#x", m, n, got, byte(sum))
			}
		}
	}
}

// TestPackedMatricesBlackwell loads rows of 6-bit and 4-bit elements.
func TestPackedMatricesBlackwell(t *testing.T) {
	t.Parallel()
	in := make([]byte, 512)
	rand.New(rand.NewSource(2)).Read(in)
	element := func(row, i, bits int) uint32 {
		at := i * bits
		return uint32(binary.LittleEndian.Uint64(append(in[16*row+at/8:][:2:2], 0, 0, 0, 0, 0, 0))) >> (at % 8) & (1<<bits - 1)
	}
	for _, c := range []struct {
		inst string
		want func(lane, e int) uint32
	}{
		{"ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b6x16_p32 {%r4, %r0}, [%r3];", func(l, e int) uint32 { return element(8+l/4, l%4*4+e, 6) }},
		{"ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64 {%r0}, [%r3];", func(l, e int) uint32 { return element(l/4, l%4*4+e, 4) }},
		{"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b4x16_p64 {%r4, %r0}, [%r3];", func(l, e int) uint32 { return element(l%4*4+e, l/4+8, 4) }},
	} {
		body := `.shared .align 16 .b8 s[512];
	mov.u32 %r1, s; shl.b32 %r2, %r31, 4; cvt.u64.u32 %d1, %r2; add.u64 %d1, %d1, %d31; add.u32 %r3, %r1, %r2;
	ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%d1]; st.shared.v4.b32 [%r3], {%r4, %r5, %r6, %r7}; bar.sync 0;
	` + c.inst + emutest.Store
		for lane, got := range emutest.U32s(emutest.Launch(t, emutest.Kernel(body), 32, 128, in)) {
			var want uint32
			for e := range 4 {
				want |= c.want(lane, e) << (8 * e)
			}
			if got != want {
				t.Errorf("%s: lane %d: got %#x, want %#x", c.inst, lane, got, want)
			}
		}
	}
}
