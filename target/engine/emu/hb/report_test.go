package hb_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// TestSchedules says when a report holds for all schedules, and what it names if not.
func TestSchedules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, body, because string }{
		{"nothing depends", "bar.sync 0; st.global.u32 [%d30], 1;", ""},
		{"a result that decides nothing", "atom.global.add.u32 %r0, [%d30], 1; add.u32 %r1, %r0, 1;", ""},
		{"a branch", "atom.global.add.u32 %r0, [%d30], 1; add.u32 %r1, %r0, 1; setp.eq.u32 %p0, %r1, 1; @%p0 bra E; add.u32 %r1, %r1, 1; E:", "the branch at line "},
		{"an address", "atom.global.add.u32 %r0, [%d30], 4; cvt.u64.u32 %d1, %r0; add.u64 %d1, %d1, %d31; ld.global.u32 %r1, [%d1];", "the address at line "},
		{"a guard", "ld.relaxed.gpu.global.u32 %r0, [%d30]; setp.eq.u32 %p0, %r0, 1; @%p0 st.global.u32 [%d30+64], 1;", "the guard of the instruction at line "},
		{"through memory", `.shared .b32 s; setp.eq.u32 %p1, %r31, 0; @%p1 atom.global.add.u32 %r0, [%d30], 1; @%p1 st.shared.u32 [s], %r0; bar.sync 0;
			ld.shared.u32 %r2, [s]; setp.eq.u32 %p0, %r2, 1; @%p0 bra E; E:`, "atom.global.add.u32"},
		{"a value that is written over", "atom.global.add.u32 %r0, [%d30], 1; mov.u32 %r0, 3; setp.eq.u32 %p0, %r0, 1; @%p0 bra E; E:", ""},
		{"a clock", "mov.u32 %r0, %clock; setp.lt.u32 %p0, %r0, 100; @%p0 bra E; E:", "the branch at line "},
		{"lanes that happen to be active", "activemask.b32 %r0; setp.eq.u32 %p0, %r0, 1; @%p0 bra E; E:", "activemask"},
		{"a wait", `.shared .align 8 .b64 b; setp.eq.u32 %p1, %r31, 0; @%p1 mbarrier.init.shared.b64 [b], 64; bar.sync 0; mbarrier.arrive.shared.b64 _, [b];
			W: mbarrier.try_wait.parity.shared.b64 %p2, [b], 0; @!%p2 bra W;`, ""},
		{"a wait that leaves its loop", `.shared .align 8 .b64 b; setp.eq.u32 %p1, %r31, 0; @%p1 mbarrier.init.shared.b64 [b], 64; bar.sync 0; mbarrier.arrive.shared.b64 _, [b];
			W: mbarrier.try_wait.parity.shared.b64 %p2, [b], 0; @%p2 bra D; bra W; D:`, ""},
		{"a test that decides", `.shared .align 8 .b64 b; setp.eq.u32 %p1, %r31, 0; @%p1 mbarrier.init.shared.b64 [b], 64; bar.sync 0; mbarrier.arrive.shared.b64 _, [b];
			mbarrier.test_wait.parity.shared.b64 %p2, [b], 0; @%p2 bra D; add.u32 %r1, %r31, 1; D:`, "mbarrier.test_wait"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, err := emutest.Checked(t, emutest.Kernel(c.body), emu.Launch{Block: [3]uint32{64}}, 4096, emutest.Numbered(4096))
			if err != nil {
				t.Fatal(err)
			}
			if all := c.because == ""; r.AllSchedules != all || !strings.Contains(r.Schedule(), c.because) {
				t.Errorf("got %q, want all schedules: %t, or because of %q", r.Schedule(), all, c.because)
			}
		})
	}
}

// TestLimit keeps one finding for a pair of lines, and counts what is beyond the limit.
func TestLimit(t *testing.T) {
	t.Parallel()
	body := ".shared .b32 s; .shared .b32 u; mov.u32 %r1, 0;\nL: st.shared.u32 [s], %r31;\nst.shared.u32 [u], %r31;\nadd.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 3; @%p1 bra L;"
	m := emutest.Parse(t, emutest.Kernel(body))
	run := func(r *emu.SyncReport) {
		if _, err := m.Run(context.Background(), emu.NewMemory(), emu.Launch{Entry: "k", Block: [3]uint32{64}, Params: [][]byte{make([]byte, 8), make([]byte, 8)}, Sync: r}); err != nil {
			t.Fatal(err)
		}
	}
	r := new(emu.SyncReport)
	if run(r); len(r.Findings) != 2 || r.Findings[0].Count < 1 || r.More != 0 {
		t.Errorf("got %v and %d more, want two findings", texts(r), r.More)
	}
	if r = (&emu.SyncReport{Limit: 1}); len(r.Findings) == 0 {
		if run(r); len(r.Findings) != 1 || r.More != 1 {
			t.Errorf("with a limit of 1: got %d findings and %d more", len(r.Findings), r.More)
		}
	}
	if r = (&emu.SyncReport{Accept: []emu.SyncKind{"race"}}); len(r.Findings) == 0 {
		if run(r); len(r.Findings) != 0 {
			t.Errorf("races are accepted, but got %v", texts(r))
		}
	}
}
