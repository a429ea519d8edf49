package synccheck

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/tests/mutate"
)

// An equivalent mutant is one that no run tells from its kernel. There are two kinds of reasons:
//
//	standIn   another synchronization orders the same: without both, the checker finds what it does not find without
//	          the other one alone, which the test shows
//	because   words, where there is nothing to order
type equivalent struct {
	standIn []string // "rule #n"
	because string
}

const equivalentsFile = "testdata/equivalents.txt"

// equivalents reads the table: the kernel, the mutant, and what stands in for it or why, with bars between.
func equivalents(t *testing.T) map[string]equivalent {
	t.Helper()
	data, err := os.ReadFile(equivalentsFile)
	if err != nil && !updating() {
		t.Fatal(err)
	}
	out := make(map[string]equivalent)
	for i, line := range strings.Split(string(data), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, " | ")
		if len(f) != 4 || out[f[0]+" | "+f[1]].because != "" {
			t.Fatalf("%s:%d: expected a kernel, a mutant, a kind of reason and a reason, once", equivalentsFile, i+1)
		}
		e := equivalent{because: f[3]}
		if f[2] == "stand-in" {
			e.standIn = strings.Split(f[3], " and ")
		}
		out[f[0]+" | "+f[1]] = e
	}
	return out
}

// writeEquivalents writes the table.
func writeEquivalents(t *testing.T, table map[string]equivalent) {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Mutants that no run tells from their kernels. \"stand-in\": the synchronization that orders the same, as\n" +
		"# the test shows by leaving out both. \"because\": why there is nothing to order.\n")
	for _, k := range slices.Sorted(maps.Keys(table)) {
		kind := "because"
		if table[k].standIn != nil {
			kind = "stand-in"
		}
		fmt.Fprintf(&b, "%s | %s | %s\n", k, kind, table[k].because)
	}
	if err := os.MkdirAll(filepath.Dir(equivalentsFile), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(equivalentsFile, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// standIns are the rules whose edits may stand in for each other: those that leave out something.
var standIns = func() (out []mutate.SyncRule) {
	for _, r := range mutate.SyncRules {
		if strings.HasSuffix(r.Name, " dropped") || r.Name == "release weakened" || r.Name == "mbarrier initialization not fenced" {
			out = append(out, r)
		}
	}
	return out
}()

func placeName(p *mutate.Place) string { return fmt.Sprintf("%s #%d", p.Rule.Name, p.N) }

// others are the places of what may stand in, the nearest first.
func (b *baseline) others(p *mutate.Place) []mutate.Place {
	line := func(q *mutate.Place) int { n, _ := b.text.Original(q.Edit); return n }
	at := line(p)
	var out []mutate.Place
	for _, q := range b.text.Places(standIns, func(line int) bool { return b.executed[line] }) {
		if !touches(q.Edit, p.Edit) {
			out = append(out, q)
		}
	}
	slices.SortStableFunc(out, func(x, y mutate.Place) int { return max(line(&x)-at, at-line(&x)) - max(line(&y)-at, at-line(&y)) })
	return out
}

func touches(a, b mutate.Edit) bool {
	for line := range a {
		if _, ok := b[line]; ok {
			return true
		}
	}
	return false
}

// standsIn reports whether the checker finds more without the mutant's synchronization and that of others than without
// that of the others alone.
func (b *baseline) standsIn(t *testing.T, p *mutate.Place, others []mutate.Place) bool {
	t.Helper()
	without := mutate.Edit{}
	for i := range others {
		maps.Copy(without, others[i].Edit)
	}
	seen := make(map[key]bool)
	alone := b.try(t, &mutate.Place{Rule: p.Rule, N: p.N, Edit: without})
	for i := range alone.found {
		seen[keyOf(&alone.found[i])] = true
	}
	both := maps.Clone(without)
	maps.Copy(both, p.Edit)
	for _, f := range b.try(t, &mutate.Place{Rule: p.Rule, N: p.N, Edit: both}).found {
		if !seen[keyOf(&f)] {
			return true
		}
	}
	return false
}

// explain checks the reason that the table has for an equivalent mutant.
func (b *baseline) explain(t *testing.T, p *mutate.Place, e equivalent) {
	t.Helper()
	if e.standIn == nil {
		return
	}
	var others []mutate.Place
	for _, q := range b.others(p) {
		if slices.Contains(e.standIn, placeName(&q)) {
			others = append(others, q)
		}
	}
	if len(others) != len(e.standIn) {
		t.Errorf("the kernel has not all of %q, which shall stand in for '%s'", e.standIn, placeName(p))
	} else if !b.standsIn(t, p, others) {
		t.Errorf("%q is said to stand in for '%s', but without both nothing more is found", e.standIn, placeName(p))
	}
}

// widest is how many places the search for a stand-in looks at.
const widest = 24

// search looks for what stands in for a mutant: one place, or the nearest ones together.
func (b *baseline) search(t *testing.T, p *mutate.Place) (e equivalent, ok bool) {
	t.Helper()
	near := b.others(p)
	near = near[:min(widest, len(near))]
	var tries [][]mutate.Place
	for i := range near {
		tries = append(tries, near[i:i+1])
	}
	var bars []mutate.Place
	for i := range near {
		if near[i].Rule.Name == p.Rule.Name && len(bars) < 6 {
			bars = append(bars, near[i])
			tries = append(tries, slices.Clone(bars))
		}
	}
	for n := 2; n <= min(6, len(near)); n++ {
		tries = append(tries, near[:n])
	}
	for _, others := range tries {
		free := true
		for i := range others {
			for j := range i {
				free = free && !touches(others[i].Edit, others[j].Edit)
			}
		}
		if free && b.standsIn(t, p, others) {
			for i := range others {
				e.standIn = append(e.standIn, placeName(&others[i]))
			}
			e.because = strings.Join(e.standIn, " and ")
			return e, true
		}
	}
	return e, false
}

func updating() bool { return os.Getenv("TILEWRIGHT_UPDATE") != "" }
