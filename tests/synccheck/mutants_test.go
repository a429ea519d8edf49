package synccheck

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/tests/mutate"
	triton "github.com/tilewright/tilewright/tests/triton/kernels"
)

const (
	// patience is how many times the instructions of its kernel a mutant may execute.
	patience = 4
	// waiting is how many instructions more it has, for the emulator to see that it waits forever.
	waiting = 1 << 20
	// sample is one in how many mutants the short tier tries.
	sample = 80
	// fewest is how many mutants the table must have.
	fewest = 150
)

// A verdict is what became of a mutant.
type verdict struct {
	kernel  *kernel
	rule    *mutate.SyncRule
	n       int // of the rule's places in the text
	line    int
	text    string
	plain   string        // what a run without the checker shows: a fault, a deadlock, wrong results
	found   []emu.Finding // what the checker reports in one plain run, and does not of the kernel without the mistake
	checked string        // what a run with the checker shows
	// adverse is what the first of the adversarial runs shows that shows something, and seed which it was.
	adverse    string
	seed       uint64
	equivalent bool
}

// kinds are the kinds of findings.
func (v *verdict) kinds() (out []string) {
	for _, f := range v.found {
		if !slices.Contains(out, string(f.Kind)) {
			out = append(out, string(f.Kind))
		}
	}
	return out
}

// module parses a text.
func module(t *testing.T, ptx string) *emu.Module {
	t.Helper()
	m, err := emu.Parse("k.ptx", []byte(ptx))
	if err != nil {
		t.Fatalf("this is no PTX: %v", err)
	}
	return m
}

// A baseline is a kernel without a mistake, and what it does.
type baseline struct {
	*kernel
	text   *mutate.Text
	places []mutate.Place
	left   [][]byte
	steps  uint64
	found  map[key]bool // reports of the kernel as it is
	// executed says which lines the launch executes.
	executed map[int]bool
}

// A key says which finding is which: mistakes do not move lines.
type key struct {
	kind          string
	first, second int
}

func keyOf(f *emu.Finding) key {
	k := key{string(f.Kind), 0, f.Second.Line}
	if f.First != nil {
		k.first = f.First.Line
	}
	return k
}

// measure runs a kernel as it is: it must be right, and have no report.
func measure(t *testing.T, k *kernel) *baseline {
	t.Helper()
	m := module(t, k.ptx)
	b := &baseline{kernel: k, text: mutate.Scan(k.ptx)}
	p := new(emu.Profile)
	var err error
	if b.left, b.steps, _, err = k.launch(t.Context(), m, course{profile: p}); err != nil {
		t.Fatal(err)
	}
	if err := k.right(b.left); err != nil {
		t.Fatal(err)
	}
	left, _, found, err := k.launch(t.Context(), m, course{check: true})
	if err != nil {
		t.Fatal(err)
	}
	if !same(left, b.left) {
		t.Error("with the checker the kernel leaves something else")
	}
	b.found = make(map[key]bool)
	for i := range found {
		b.found[keyOf(&found[i])] = true
		if reported[k.subject.origin()+" "+k.subject.id()] == "" {
			t.Errorf("a kernel without a mistake has the report: %v", &found[i])
		}
	}
	if len(found) == 0 && reported[k.subject.origin()+" "+k.subject.id()] != "" {
		t.Error("the kernel is listed as one with reports, and has none")
	}
	r, err := m.Report(k.entry, p)
	if err != nil {
		t.Fatal(err)
	}
	executed := make(map[int]bool)
	b.executed = executed
	for _, l := range r.Lines {
		executed[l.Line] = executed[l.Line] || l.Counters.Counters != (emu.Counters{})
	}
	all := b.text.Places(mutate.SyncRules, func(line int) bool { return executed[line] })
	for i, p := range all {
		// A rule is tried at the first and at the last of its places.
		first := i == 0 || all[i-1].Rule != p.Rule
		last := i == len(all)-1 || all[i+1].Rule != p.Rule
		if first || last {
			b.places = append(b.places, p)
		}
	}
	return b
}

// try runs a mutant.
func (b *baseline) try(t *testing.T, p *mutate.Place) *verdict {
	t.Helper()
	v := &verdict{kernel: b.kernel, rule: p.Rule, n: p.N}
	v.line, v.text = b.text.Original(p.Edit)
	m := module(t, b.text.Apply(p.Edit))
	v.plain, _ = b.shows(t, m, course{})
	checked, all := b.shows(t, m, course{check: true})
	v.checked = checked
	for i := range all {
		if !b.found[keyOf(&all[i])] {
			v.found = append(v.found, all[i])
		}
	}
	return v
}

// shows says how a run differs from that of the kernel, and what the checker finds in it. Of an adversarial one only
// results that are wrong count.
func (b *baseline) shows(t *testing.T, m *emu.Module, c course) (string, []emu.Finding) {
	ctx, cancel := context.WithTimeout(t.Context(), triton.Timeout)
	defer cancel()
	c.steps = patience*b.steps + waiting
	left, _, found, err := b.launch(ctx, m, c)
	var deadlock *emu.Deadlock
	switch {
	case errors.As(err, &deadlock):
		return "deadlock", found
	case errors.Is(err, emu.ErrSteps):
		return "does not end", found
	case err != nil:
		return "fault: " + err.Error(), found
	case same(left, b.left), c.adversarial && b.right(left) == nil:
		return "", found
	}
	return "wrong", found
}

// seeds is how many adversarial runs a mutant gets.
const seeds = 20

// adverse runs a mutant with the adversary, and without the checker.
func (b *baseline) adverse(t *testing.T, p *mutate.Place, v *verdict) {
	t.Helper()
	m := module(t, b.text.Apply(p.Edit))
	for seed := uint64(1); seed <= seeds && v.adverse == ""; seed++ {
		v.adverse, _ = b.shows(t, m, course{adversarial: true, seed: seed})
		v.seed = seed
	}
}

// elsewhere are the rules that send data elsewhere. Where all bytes and arrivals still add up, wrong results are all that
// there is to see.
var elsewhere = []string{"cluster rank swapped"}

// TestMutants plants each mistake. The checker must report it and name the edge, or the mutant is one of the equivalent
// ones, for the reason that the table has. With TILEWRIGHT_UPDATE=1 it looks for reasons, runs each mutant with
// adversarial seeds too, and writes docs/measurements/sync-mutants.md. That takes an hour.
func TestMutants(t *testing.T) {
	builds := triton.Builds(t)
	table, used := equivalents(t), make(map[string]bool)
	skipped := make(map[string]bool) // kernels that are not there
	var lock sync.Mutex
	all := make([][]*verdict, len(subjects))
	t.Run("kernels", func(t *testing.T) {
		for i := range subjects {
			s := &subjects[i]
			t.Run(s.origin()+"/"+s.id(), func(t *testing.T) {
				t.Parallel()
				t.Cleanup(func() {
					lock.Lock()
					defer lock.Unlock()
					skipped[s.origin()+"/"+s.id()] = t.Skipped()
				})
				b := measure(t, s.open(t, builds))
				for k := range b.places {
					p := &b.places[k]
					name := s.origin() + "/" + s.id() + " | " + placeName(p)
					lock.Lock()
					e, listed := table[name]
					used[name] = true
					lock.Unlock()
					if !tier.Try(i+k, sample) && !updating() {
						continue
					}
					t.Run(placeName(p), func(t *testing.T) {
						v := b.try(t, p)
						t.Logf("line %d '%s': plain run %q, checked run %q, reports %q", v.line, v.text, v.plain, v.checked, v.kinds())
						if updating() {
							b.adverse(t, p, v)
							t.Logf("adversary: %q with seed %d", v.adverse, v.seed)
							all[i] = append(all[i], v)
							if v.silent() && !listed {
								if e, listed = b.search(t, p); listed {
									lock.Lock()
									table[name] = e
									lock.Unlock()
								}
							}
						}
						b.judge(t, p, v, e, listed)
					})
				}
			})
		}
	})
	count := len(used)
	without := slices.Contains(slices.Collect(maps.Values(skipped)), true)
	if count < fewest && !without {
		t.Errorf("the table has %d mutants, want at least %d", count, fewest)
	}
	if updating() {
		writeEquivalents(t, table)
		writePage(t, slices.Concat(all...))
	}
	for name := range table {
		if kernel, _, _ := strings.Cut(name, " | "); !used[name] && !skipped[kernel] {
			t.Errorf("%s has '%s', which is no mutant", equivalentsFile, name)
		}
	}
}

// silent reports whether nothing shows that the mutant is one.
func (v *verdict) silent() bool { return v.checked == "" && len(v.found) == 0 }

func (b *baseline) judge(t *testing.T, p *mutate.Place, v *verdict, e equivalent, listed bool) {
	t.Helper()
	v.equivalent = listed && v.silent()
	switch {
	case v.silent() && v.plain != "":
		t.Error("a run without the checker shows the mistake, a run with it does not")
	case v.silent() && !listed:
		t.Errorf("nothing shows the mistake: mend the checker, or give the reason in %s", equivalentsFile)
	case v.silent():
		b.explain(t, p, e)
	case listed:
		t.Errorf("%s calls it equivalent, but the run ends with %q and %d findings", equivalentsFile, v.checked, len(v.found))
	case len(v.found) == 0 && !slices.Contains(elsewhere, p.Rule.Name):
		t.Errorf("the run ends with %q, but the report does not name what is missing", v.checked)
	}
}
