package hb_test

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
	"github.com/tilewright/tilewright/target/engine/emu/hb"
)

// A rule is a kernel that is right, and mutants of it: each replaces a text of the kernel and is found as a kind.
type rule struct {
	name    string
	grid    uint32
	cluster uint32
	threads uint32 // 0: 64
	body    string
	mutants []mutant
}

type mutant struct {
	old, new string
	kind     hb.Kind
	missing  string // a part of the words
}

// memory is shared memory and its addresses.
const memory = `.shared .align 1024 .b8 s[8192]; .shared .align 8 .b64 bar[4];
	mov.u32 %r40, s; mov.u32 %r41, bar; setp.eq.u32 %p15, %r31, 0; setp.lt.u32 %p14, %r31, 32;
	shl.b32 %r42, %r31, 2; add.u32 %r43, %r40, %r42; xor.b32 %r44, %r42, 128; add.u32 %r44, %r44, %r40;
`

var rules = []rule{
	{name: "bar.sync orders the warps of a CTA", body: `
	st.shared.u32 [%r43], %r31;
	bar.sync 0;
	ld.shared.u32 %r0, [%r44];`, mutants: []mutant{
		{"bar.sync 0;", "", hb.Race, "no barrier"},
		{"bar.sync 0;", "bar.warp.sync -1;", hb.Race, "no barrier"},
	}},
	{name: "a read is over before memory is written again", body: `
	st.shared.u32 [%r43], %r31;
	bar.sync 0;
	ld.shared.u32 %r0, [%r44];
	bar.sync 1;
	st.shared.u32 [%r43], 0;`, mutants: []mutant{
		{"bar.sync 1;", "", hb.Reuse, "after the read and before the write"},
	}},
}

// launch runs the kernel of a rule.
func (r rule) launch(t *testing.T, body string) (*emu.SyncReport, error) {
	l := emu.Launch{Grid: [3]uint32{max(r.grid, 1)}, Cluster: [3]uint32{max(r.cluster, 1)}, Block: [3]uint32{64}}
	if r.threads > 0 {
		l.Block[0] = r.threads
	}
	return emutest.Checked(t, emutest.Kernel(memory+body), l, 4096, emutest.Numbered(4096))
}

func TestRules(t *testing.T) {
	t.Parallel()
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			report, err := r.launch(t, r.body)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range report.Findings {
				t.Errorf("the kernel is right, but: %s", f.String())
			}
			for _, m := range r.mutants {
				if !strings.Contains(r.body, m.old) {
					t.Fatalf("the kernel has no %q", m.old)
				}
				report, err := r.launch(t, strings.Replace(r.body, m.old, m.new, 1))
				found := false
				for _, f := range report.Findings {
					found = found || f.Kind == m.kind && strings.Contains(f.Missing, m.missing)
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
