// Package mutate plants bugs in PTX: it proves that what runs the PTX, and the tests around it, would report them.
package mutate

import (
	"regexp"
	"strings"
	"testing"
)

// A Mutation is a bug: what Pattern matches becomes Replacement (as [regexp.Regexp.Expand] reads it), at one site at
// a time.
type Mutation struct {
	Name                 string
	Kernel               string // whose PTX is changed
	Pattern, Replacement string
	// Some lets one reported site suffice, because the rest may be harmless: the guard of an access that is inside
	// for every thread, say.
	Some bool
	// Report is what a report must say; empty: a wrong output or any fault, by the course of things.
	Report string
}

// Check plants the bug at every site of the text. Run returns what was reported about a changed text, or nil.
func (m *Mutation) Check(t *testing.T, text string, run func(t *testing.T, text string) error) {
	t.Helper()
	re := regexp.MustCompile(m.Pattern)
	sites := re.FindAllStringSubmatchIndex(text, -1)
	if len(sites) == 0 {
		t.Fatalf("the PTX of %s has nothing that matches %q: let the mutation follow the compiler", m.Kernel, m.Pattern)
	}
	found := 0
	for _, at := range sites {
		changed := text[:at[0]] + string(re.ExpandString(nil, m.Replacement, text, at)) + text[at[1]:]
		line := 1 + strings.Count(text[:at[0]], "\n")
		err := run(t, changed)
		switch {
		case err == nil && !m.Some:
			t.Errorf("line %d, '%s': nothing is reported", line, strings.TrimSpace(text[at[0]:at[1]]))
		case err != nil && !strings.Contains(err.Error(), m.Report):
			t.Errorf("line %d: got %q, which does not say %q", line, err, m.Report)
		case err != nil:
			found++
		}
	}
	if found == 0 {
		t.Errorf("nothing is reported at any of the %d sites", len(sites))
	}
}
