package forms

func tensor() []Section {
	const (
		wait = " tcgen05.wait::ld.sync.aligned;"
		// Instruction descriptors of products of 128x16.
		f16    = "mov.b32 %r1, 0x8040010; "
		tf32   = "mov.b32 %r1, 0x8040910; "
		narrow = "mov.b32 %r1, 0x8040010; "
		i8     = "mov.b32 %r1, 0x8040020; "
		// Indices of the first two elements of each chunk.
		metadata = "mov.b32 %r0, 0x44444444; tcgen05.st.sync.aligned.32x32b.x1.b32 [%tmem], {%r0}; tcgen05.wait::st.sync.aligned; bar.sync 0; "
	)
	return []Section{
		section("Tensor Memory Instructions",
			forms("sm_100a",
				"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%smem], 64; ld.shared.b32 %r1, [%smem]; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 64;",
				"tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;",
				"tcgen05.st.sync.aligned.32x32b.x1.b32 [%tmem], {%r0}; tcgen05.wait::st.sync.aligned;", "tcgen05.st.sync.aligned.16x64b.x2.unpack::16b.b32 [%tmem], {%r0, %r1}; tcgen05.wait::st.sync.aligned;",
				"tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r0, %r1}, [%tmem];"+wait, "tcgen05.ld.sync.aligned.16x256b.x1.pack::16b.b32 {%r0..%r3}, [%tmem];"+wait, "tcgen05.ld.sync.aligned.16x128b.x1.b32 {%r0, %r1}, [%tmem];"+wait,
				"tcgen05.ld.sync.aligned.16x32bx2.x1.b32 {%r0}, [%tmem], 2;"+wait,
				"@%p7 tcgen05.cp.cta_group::1.128x256b [%tmem], %d1;", "@%p7 tcgen05.cp.cta_group::1.32x128b.warpx4 [%tmem], %d1;", "@%p7 tcgen05.cp.cta_group::1.64x128b.warpx2::02_13 [%tmem], %d1;", "@%p7 tcgen05.cp.cta_group::1.4x256b [%tmem], %d1;",

				f16+"@%p7 tcgen05.mma.cta_group::1.kind::f16 [%tmem], %d1, %d2, %r1, 0;", tf32+"@%p7 tcgen05.mma.cta_group::1.kind::tf32 [%tmem], [%tmem], %d2, %r1, 0;", narrow+"@%p7 tcgen05.mma.cta_group::1.kind::f8f6f4.collector::a::fill [%tmem], %d1, %d2, %r1, {%r2, %r3, %r4, %r5}, 0;", i8+"@%p7 tcgen05.mma.cta_group::1.kind::i8 [%tmem], %d1, %d2, %r1, 0;",

				"@%p7 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%bar];", "@%p7 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%bar], 1;",
				"tcgen05.fence::before_thread_sync;", "tcgen05.fence::after_thread_sync;",

				"@%p7 tcgen05.cp.cta_group::1.128x128b.b8x16.b4x16_p64 [%tmem], %d1;", "@%p7 tcgen05.cp.cta_group::1.64x128b.warpx2::01_23.b8x16.b6x16_p32 [%tmem], %d1;",
				"@%p7 tcgen05.shift.cta_group::1.down [%tmem]; @%p7 tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%bar];",
				"mov.b32 %r1, 0x8840000; @%p7 tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X [%tmem], %d1, %d2, %r1, [%tmem], [%tmem], 0;",
				"mov.b32 %r1, 0x8840480; @%p7 tcgen05.mma.cta_group::1.kind::mxf4.block_scale [%tmem], %d1, %d2, %r1, [%tmem], [%tmem], 0;",
				"mov.b32 %r1, 0x8840480; @%p7 tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X [%tmem], %d1, %d2, %r1, [%tmem], [%tmem], 0;",
				tf32+"@%p7 tcgen05.mma.cta_group::1.kind::tf32.ashift [%tmem], [%tmem], %d2, %r1, 0;",
				metadata+"mov.b32 %r1, 0x8040014; @%p7 tcgen05.mma.sp.cta_group::1.kind::f16 [%tmem], %d1, %d2, [%tmem], %r1, 0;",
				"mov.b32 %r1, 0x8100010; @%p7 tcgen05.mma.ws.cta_group::1.kind::f16.collector::b1::fill [%tmem], %d1, %d2, %r1, 0;"),
			forms("sm_103a", "tcgen05.ld.red.sync.aligned.32x32b.x2.min.f32 {%f0, %f1}, %f2, [%tmem];"+wait, "tcgen05.ld.red.sync.aligned.32x32b.x2.max.s32 {%r0, %r1}, %r2, [%tmem];"+wait),
			missing("sm_103a", "is supported with .32x32b", "tcgen05.ld.red.sync.aligned.16x32bx2.x2.min.f32 {%f0, %f1}, %f2, [%tmem], 2;"+wait)),
	}
}
