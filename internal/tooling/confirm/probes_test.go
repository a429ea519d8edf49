package confirm

import (
	"context"
	"slices"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/sm"
)

// TestProbes: on each architecture every probe has a name of its own, says what it means, and runs in the emulator to
// the same answer twice.
func TestProbes(t *testing.T) {
	t.Parallel()
	for _, a := range sm.All() {
		// sm_100 has the most. The long tier has kernels, and a third of the others, for one architecture of each generation.
		if a.Name != "sm_100" && !(tier.All() && slices.Contains(tier.Generations, a.Name)) && !tier.Exhaustive() {
			continue
		}
		seen := make(map[string]bool)
		for i, p := range probesOf(t, a) {
			if seen[p.ID] || p.Means == "" || p.Look == "" || !slices.Contains(Kinds, p.Kind) {
				t.Errorf("%s: probe '%s' has a name twice, or does not explain itself", a, p.ID)
			}
			seen[p.ID] = true
			// Kernels take a while to compile, and TestAgrees has sm_90.
			if p.Kind == Numeric && !(tier.All() && a.Name != "sm_90" && slices.Contains(tier.Generations, a.Name)) {
				continue
			}
			if i%3 != 0 && p.Kind != Numeric && (a.Name != "sm_100" || !tier.All()) && !tier.Exhaustive() {
				continue
			}
			l, err := p.Make(context.Background(), targetOf(a))
			if err != nil {
				t.Fatal(err)
			}
			again, err := p.Make(context.Background(), targetOf(a))
			if err != nil || again.Hash() != l.Hash() {
				t.Errorf("%s: probe '%s' asks another question the second time: %v", a, p.ID, err)
			}
			if p.timed != nil || p.figure { // TestAgrees runs them
				continue
			}
			want, err := Expected(context.Background(), l)
			if err != nil {
				t.Errorf("%s: %s: %v\n%s", a, p.ID, err, l.PTX)
				continue
			}
			if len(want) > maxAnswer {
				t.Errorf("%s: %s: the answer has %d bytes", a, p.ID, len(want))
			}
			if n := distinct(want); n < 8 && (p.Kind == Fragments || p.Kind == Descriptors) {
				t.Errorf("%s: %s: the answer has only %d different words, so that few layouts differ", a, p.ID, n)
			}
			if d, err := p.compare(l.Fields, want, want); d != nil || err != nil {
				t.Errorf("%s: %s differs from itself: %v, %v", a, p.ID, d, err)
			}
		}
	}
}

// distinct counts the words of four bytes in an answer.
func distinct(b []byte) int {
	words := make(map[string]bool)
	for ; len(b) >= 4; b = b[4:] {
		words[string(b[:4])] = true
	}
	return len(words)
}

// TestSkipped: each rule that leaves forms out does, so that none is there for nothing; most forms are asked.
func TestSkipped(t *testing.T) {
	t.Parallel()
	used := make(map[string]bool)
	asked, of := 0, 0
	for _, s := range emu.Instructions() {
		for _, f := range s.Forms {
			of++
			if why := Skipped(s.Title, f); why != "" {
				used[why] = true
			} else {
				asked++
			}
		}
	}
	for _, s := range skipped {
		if !used[s.why] {
			t.Errorf("no form is left out because it '%s'", s.why)
		}
	}
	t.Logf("%d of %d forms are asked by themselves", asked, of)
	if 2*asked < of {
		t.Errorf("only %d of %d forms are asked", asked, of)
	}
}

// TestAssembles shows every probe to ptxas. The long tier does so for one architecture of each generation, the exhaustive
// one for all.
func TestAssembles(t *testing.T) {
	t.Parallel()
	ptxas := judges.Ptxas(t)
	for i, a := range sm.All() {
		if !tier.Exhaustive() && !(tier.Try(i, 12) && slices.Contains(tier.Generations, a.Name)) {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			list := slices.DeleteFunc(probesOf(t, a), func(p *Probe) bool { return p.Kind == Numeric || p.Kind == Kernels }) // which the compiler's own tests assemble
			for id, why := range assemble(t, ptxas, targetOf(a), list) {
				t.Errorf("%s: %s", id, why)
			}
		})
	}
}
