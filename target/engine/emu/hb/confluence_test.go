package hb_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
	"github.com/tilewright/tilewright/target/engine/emu/hb"
)

// protocol makes a random program of three warps out of handshakes: each is right by itself, and some lose or exchange
// an instruction.
func protocol(r *rand.Rand) string {
	const warps = 3
	var code [warps]strings.Builder
	emit := func(w int, format string, args ...any) { fmt.Fprintf(&code[w], "\t"+format+"\n", args...) }
	label, phases := 0, map[int]int{}
	wait := func(w, b int) {
		label++
		emit(w, "W%d: mbarrier.try_wait.parity.shared.b64 %%p1, [%%r41+%d], %d; @!%%p1 bra W%d;", label, 8*b, phases[b]&1, label)
	}
	for range 1 + r.IntN(5) {
		a, b := r.IntN(warps), r.IntN(warps-1)
		if b >= a {
			b++
		}
		switch r.IntN(5) {
		case 0:
			id := 1 + r.IntN(3)
			emit(a, "bar.sync %d, 64;", id)
			emit(b, "bar.sync %d, 64;", id)
		case 1:
			id := 1 + r.IntN(3)
			emit(a, "bar.arrive %d, 64;", id)
			emit(b, "bar.sync %d, 64;", id)
		case 2:
			for w := range warps {
				emit(w, "bar.sync 0;")
			}
		case 3:
			m := r.IntN(2)
			emit(a, "@%%p2 mbarrier.arrive.shared.b64 _, [%%r41+%d];", 8*m)
			wait(b, m)
			if r.IntN(2) == 0 {
				wait(a, m)
			}
			phases[m]++
		case 4:
			m := r.IntN(2)
			emit(a, "@%%p2 mbarrier.expect_tx.relaxed.cta.shared.b64 [%%r41+%d], 16;", 8*m)
			emit(a, "@%%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%%r40], [%%d31], 16, [%%r41+%d];", 8*m)
			emit(a, "@%%p2 mbarrier.arrive.shared.b64 _, [%%r41+%d];", 8*m)
			wait(a, m)
			if r.IntN(2) == 0 {
				wait(b, m)
			}
			phases[m]++
		}
	}
	var out strings.Builder
	out.WriteString("\t@%p15 mbarrier.init.shared.b64 [%r41], 1; @%p15 mbarrier.init.shared.b64 [%r41+8], 1;\n\tand.b32 %r9, %r31, 31; setp.eq.u32 %p2, %r9, 0; bar.sync 0;\n")
	for w := range warps {
		lines := strings.SplitAfter(code[w].String(), "\n")
		if n := len(lines) - 1; n > 0 && r.IntN(4) == 0 {
			if i := r.IntN(n); r.IntN(2) == 0 || i+1 >= n {
				lines[i] = ""
			} else {
				lines[i], lines[i+1] = lines[i+1], lines[i]
			}
		}
		fmt.Fprintf(&out, "\tsetp.ge.u32 %%p3, %%r31, %d; @%%p3 bra N%d;\n%s\tbra E;\nN%d:\n", 32*(w+1), w, strings.Join(lines, ""), w)
	}
	return out.String() + "E:"
}

// TestConfluence compares one run of random programs with adversarial ones. Where the report is of all schedules and
// says nothing but what waits lack, all of them must end in the same way: docs/async-model.md, "Deadlocks".
func TestConfluence(t *testing.T) {
	t.Parallel()
	programs, seeds := 40, uint64(3)
	if tier.All() {
		programs, seeds = 300, 6
	}
	var ends, stuck, others int
	for i := range programs {
		body := memory + protocol(rand.New(rand.NewPCG(1, uint64(i))))
		run := func(seed uint64) (*emu.SyncReport, string) {
			l := emu.Launch{Adversarial: seed > 0, Seed: seed, Block: [3]uint32{96}}
			report, err := emutest.Checked(t, emutest.Kernel(body), l, 4096, emutest.Numbered(64))
			var d *emu.Deadlock
			switch {
			case errors.As(err, &d):
				return report, "deadlock"
			case err != nil:
				return report, err.Error()
			}
			return report, "end"
		}
		report, how := run(0)
		claims := report.AllSchedules
		for _, f := range report.Findings {
			lacks := f.Kind == hb.Stuck || f.Kind == hb.Bytes && strings.Contains(f.Missing, "that the phase of the mbarrier expects")
			claims = claims && how == "deadlock" && lacks
		}
		if !claims {
			others++
			continue
		}
		if how == "end" {
			ends++
		} else {
			stuck++
		}
		for seed := range seeds {
			if _, other := run(seed + 1); other != how {
				t.Errorf("program %d: one run has the result %q, and the report is of all schedules, but seed %d has %q\n%s", i, how, seed+1, other, body)
			}
		}
	}
	t.Logf("%d programs end, %d deadlock, %d have findings", ends, stuck, others)
	if ends == 0 || stuck == 0 || others == 0 {
		t.Error("the programs are not of all kinds")
	}
}
