package tcgen05_test

import (
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

func (c *tensorCase) idesc() uint32 {
	types := map[string]uint32{"f16": 0, "bf16": 1, "tf32": 2, "u8": 0, "s8": 1, "e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5}
	ta, tb := types[c.a], types[c.b]
	bit := func(b bool, at int) uint32 {
		if b {
			return 1 << at
		}
		return 0
	}
	v := bit(c.sparse, 2) | uint32(c.n/8)<<17 | bit(c.transA, 15) | bit(c.transB, 16) | uint32(c.negate)<<13 | bit(c.saturate, 3)
	if c.vectors == 0 {
		return v | ta<<7 | tb<<10 | uint32(c.m/16)<<24 | map[string]uint32{"f16": 0, "f32": 1, "s32": 2}[c.d]<<4 | uint32(c.selector) | uint32(c.shift)<<30
	}
	if strings.HasPrefix(c.inst, "kind::mxf4") {
		ta, tb = 1, 1
	}
	return v | ta<<7 | tb<<10 | uint32(c.m/128)<<27 | bit(!c.fine, 23) | uint32(c.idA)<<29 | uint32(c.idB)<<4
}

// kernel is the program: images in, product, images out.
func (c *tensorCase) kernel() string {
	group, mask, extra := "cta_group::1", "", ""
	if c.pair {
		group, mask, extra = "cta_group::2", ".multicast::cluster", ", 3"
	}
	var st, ld strings.Builder
	for i := 0; i < testColumns; i += 32 {
		for j := 0; j < 32; j += 4 {
			fmt.Fprintf(&st, "ld.global.v4.b32 {%%r%d, %%r%d, %%r%d, %%r%d}, [%%d4+%d];\n", 16+j, 17+j, 18+j, 19+j, 4*(i+j))
		}
		fmt.Fprintf(&st, "tcgen05.st.sync.aligned.32x32b.x32.b32 [%%r9+%d], %s; tcgen05.wait::st.sync.aligned;\n", i, emutest.RegisterList(16, 32))
		fmt.Fprintf(&ld, "tcgen05.ld.sync.aligned.32x32b.x32.b32 %s, [%%r9+%d]; tcgen05.wait::ld.sync.aligned;\n", emutest.RegisterList(16, 32), i)
		for j := range 32 {
			fmt.Fprintf(&ld, "st.global.b32 [%%d0+%d], %%r%d;\n", 4*(i+j), 16+j)
		}
	}
	return strings.NewReplacer("GROUP", group, "MASK", mask, "EXTRA", extra, "STORES", st.String(), "LOADS", ld.String(), "PRODUCT", c.product(group)).Replace(`.extern .shared .align 1024 .b8 s[];
.visible .entry k(.param .u64 out, .param .u64 in)
{
	.reg .pred %p<8>; .reg .b32 %r<64>; .reg .b64 %d<16>; .shared .align 8 .b64 bar; .shared .align 4 .b32 where;
	ld.param.u64 %d0, [out]; ld.param.u64 %d1, [in]; mov.u32 %r0, %tid.x; mov.u32 %r1, %cluster_ctarank;
	mul.wide.u32 %d2, %r1, 212992; add.u64 %d1, %d1, %d2; mul.wide.u32 %d2, %r1, 163840; add.u64 %d0, %d0, %d2;
	mov.u32 %r2, s; mov.u32 %r3, bar; setp.eq.u32 %p0, %r0, 0; setp.lt.u32 %p1, %r0, 32;
	@%p0 mbarrier.init.shared::cta.b64 [%r3], 1;
	shl.b32 %r4, %r0, 2; cvt.u64.u32 %d3, %r4; add.u64 %d3, %d3, %d1; add.u32 %r5, %r2, %r4; mov.u32 %r6, 0;
L:	ld.global.b32 %r7, [%d3]; st.shared.b32 [%r5], %r7; add.u64 %d3, %d3, 512; add.u32 %r5, %r5, 512; add.u32 %r6, %r6, 512; setp.lt.u32 %p2, %r6, 49152; @%p2 bra L;
	fence.proxy.async;
	@!%p1 bra A;
	mov.u32 %r8, where; tcgen05.alloc.GROUP.sync.aligned.shared::cta.b32 [%r8], 512; tcgen05.relinquish_alloc_permit.GROUP.sync.aligned;
A:	bar.sync 0;
	and.b32 %r9, %r0, 96; shl.b32 %r9, %r9, 16; mul.wide.u32 %d4, %r0, 1280; add.u64 %d0, %d0, %d4; add.u64 %d4, %d4, %d1; add.u64 %d4, %d4, 49152;
	STORES
	tcgen05.fence::before_thread_sync; barrier.cluster.arrive; barrier.cluster.wait; tcgen05.fence::after_thread_sync;
	setp.ne.or.u32 %p3, %r1, 0, !%p0; @%p3 bra W;
	shr.u32 %r10, %r2, 4; cvt.u64.u32 %d5, %r10;
	PRODUCT
	tcgen05.commit.GROUP.mbarrier::arrive::one.shared::clusterMASK.b64 [%r3]EXTRA;
W:	mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r3], 0; @!%p4 bra W;
	tcgen05.fence::after_thread_sync;
	LOADS
	barrier.cluster.arrive; barrier.cluster.wait;
	@!%p1 bra F;
	tcgen05.dealloc.GROUP.sync.aligned.b32 0, 512;
F:	ret;
}
`)
}

// product is the instruction with its operands.
func (c *tensorCase) product(group string) string {
	if c.body != "" {
		return c.body
	}
	op := "tcgen05.mma"
	if c.ws {
		op += ".ws"
	}
	if c.sparse {
		op += ".sp"
	}
	var b strings.Builder
	swA, swB := testDescriptor(0, c.swizzleA, c.transA), testDescriptor(testB, c.swizzleB, c.transB)^c.flipB
	fmt.Fprintf(&b, "add.u64 %%d6, %%d5, %#x; add.u64 %%d7, %%d5, %#x; mov.b64 %%d8, %#x; mov.b32 %%r11, %#x; setp.eq.b32 %%p5, 0, %d;\n", swA, swB, c.mask, c.idesc()^c.flip, map[bool]int{true: 1}[c.discard])
	for i, at := range []int{c.lane << 16, c.lane<<16 + testA, c.lane<<16 + testMeta, testSA, testSB} {
		fmt.Fprintf(&b, "mov.b32 %%r%d, %#x; ", 48+i, at)
	}
	for i, m := range c.disable {
		fmt.Fprintf(&b, "mov.b32 %%r%d, %#x; ", 53+i, m)
	}
	fmt.Fprintf(&b, "\n%s.%s.%s [%%r48], ", op, group, c.inst)
	if c.inTensor {
		b.WriteString("[%r49], %d7")
	} else {
		b.WriteString("%d6, %d7")
	}
	if c.sparse {
		b.WriteString(", [%r50]")
	}
	b.WriteString(", %r11")
	if c.vectors > 0 {
		b.WriteString(", [%r51], [%r52]")
	}
	if c.disable != nil {
		b.WriteString(", " + emutest.RegisterList(53, len(c.disable)))
	}
	b.WriteString(", %p5")
	switch {
	case c.mask != 0:
		b.WriteString(", %d8")
	case c.divide > 0:
		fmt.Fprintf(&b, ", %d", c.divide)
	}
	return b.String() + ";"
}
