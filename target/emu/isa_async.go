package emu

func isaAsync() []Section {
	const load = "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%smem], [%map, {%r0, %r1}], [%bar];"
	return []Section{
		section("Asynchronous Copies",
			forms("sm_80",
				"cp.async.ca.shared.global [%smem], [%out], 4;", "cp.async.cg.shared.global.L2::128B [%smem], [%out], 16, %r1;", "cp.async.ca.shared.global.L2::cache_hint [%smem], [%out], 8, %p1, %d1;",
				"cp.async.commit_group;", "cp.async.wait_group 0;", "cp.async.wait_all;"),
			forms("sm_90",
				"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%smem], [%out], 16, [%bar];", "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint [%smem], [%out], 16, [%bar], %d1;",
				"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%smem], [%out], 16, [%bar], 1;", "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%smem], [%smem+64], 16, [%bar];",
				"cp.async.bulk.global.shared::cta.bulk_group [%out], [%smem], 16;", "cp.async.bulk.commit_group;", "cp.async.bulk.wait_group.read 0;", "cp.async.bulk.wait_group 0;",
				"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%smem], [%smem+64], 16, [%bar];", "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [%out], [%smem], 16;", "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f16 [%out], [%smem], 16;",
				"cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.u32 [%out], [%smem], 16;", "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64 [%out], [%smem], 16;", "cp.reduce.async.bulk.global.shared::cta.bulk_group.and.b64 [%out], [%smem], 16;",
				"cp.async.bulk.prefetch.L2.global [%out], 16;"),
		),
		section("Tensor Copies",
			forms("sm_90", load,
				"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%smem], [%map, {%r0, %r1}], [%bar], 1, %d1;",

				"cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%map, {%r0, %r1}], [%smem];",
				"cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%map, {%r0, %r1}], [%smem];", "cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.bulk_group [%map, {%r0, %r1}], [%smem];",
				"cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%map, {%r0, %r1}];"),
			forms("sm_100a",

				"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::1 [%smem], [%map, {%r0, %r1}], [%bar];"),
			forms("sm_90a",
				"tensormap.replace.tile.global_address.global.b1024.b64 [%map], %d1;", "tensormap.replace.tile.rank.global.b1024.b32 [%map], 1;", "tensormap.replace.tile.box_dim.global.b1024.b32 [%map], 0, 16;", "tensormap.replace.tile.global_dim.global.b1024.b32 [%map], 1, 8;",
				"tensormap.replace.tile.global_stride.global.b1024.b64 [%map], 0, 64;", "tensormap.replace.tile.element_stride.global.b1024.b32 [%map], 0, 1;", "tensormap.replace.tile.elemtype.global.b1024.b32 [%map], 7;", "tensormap.replace.tile.interleave_layout.global.b1024.b32 [%map], 0;",
				"tensormap.replace.tile.swizzle_mode.global.b1024.b32 [%map], 3;", "tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%smem], 1;",
				"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%map], [%smem], 128;"),
			forms("sm_100a", "tensormap.replace.tile.swizzle_atomicity.global.b1024.b32 [%map], 1;")),
	}
}
