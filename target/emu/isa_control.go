package emu

func isaControl() []Section {
	return []Section{
		section("Control Flow Instructions",
			forms("sm_80",
				"{ add.s32 %r0, %r1, %r2; }", "@%p0 bra DONE; bra.uni DONE; DONE:", "ts: .branchtargets L0, L1; brx.idx %r1, ts; L0: L1:",
				"call.uni (%r0), twice, (%r1);", "call noop;", "{ .param .align 8 .b8 x[16]; .param .b32 y; st.param.v2.b64 [x], {%d0, %d1}; call (y), sum, (x); ld.param.b32 %r0, [y]; }",
				"mov.u64 %d0, twice; proto: .callprototype (.reg .b32 _) _ (.reg .b32 _); call (%r0), %d0, (%r1), proto;", "mov.u64 %d0, twice; list: .calltargets twice, thrice; call (%r0), %d0, (%r1), list;",
				"ret;", "ret.uni;", "exit;")),
		section("Stack Manipulation Instructions",
			forms("sm_80", "stacksave.u64 %d0; alloca.u64 %d1, 64, 16; stackrestore.u64 %d0;", "alloca.u64 %d0, %d1;")),
		section("Miscellaneous Instructions",
			forms("sm_80", "brkpt;", "nanosleep.u32 10;", "pmevent 7;", "pmevent.mask 3;", "trap;"),
			forms("sm_90a", "setmaxnreg.inc.sync.aligned.u32 232;", "setmaxnreg.dec.sync.aligned.u32 24;"),
			forms("sm_100",
				"clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%smem], [%bar];",
				"clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p0, %q1;",
				"clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r0, %q1;", "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r0, %r1, %r2, _}, %q1;"),
			forms("sm_100a", "clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [%smem], [%bar];")),
	}
}

func isaGraphics() []Section {
	return []Section{
		section("Texture and Surface Instructions",
			missing("sm_80", "unknown instruction 'tex.2d.v4.f32.f32'", "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d1, {%f4, %f5}];"),
			missing("sm_80", "unknown instruction 'tld4.r.2d.v4.f32.f32'", "tld4.r.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d1, {%f4, %f5}];"),
			missing("sm_80", "unknown instruction 'txq.width.b32'", "txq.width.b32 %r0, [%d1];"),
			missing("sm_80", "unknown instruction 'istypep.texref'", "istypep.texref %p0, %d1;"),
			missing("sm_80", "unknown instruction 'suld.b.1d.b32.trap'", "suld.b.1d.b32.trap %r0, [%d1, {%r1}];"),
			missing("sm_80", "unknown instruction 'sust.b.1d.b32.trap'", "sust.b.1d.b32.trap [%d1, {%r1}], %r2;"),
			missing("sm_80", "unknown instruction 'sured.b.add.1d.u32.trap'", "sured.b.add.1d.u32.trap [%d1, {%r1}], %r2;"),
			missing("sm_80", "unknown instruction 'suq.width.b32'", "suq.width.b32 %r0, [%d1];")),
	}
}
