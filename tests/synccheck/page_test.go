package synccheck

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/tests/mutate"
)

const (
	page = "../../docs/measurements/sync-mutants.md"
	// begin and end are around what the test writes.
	begin = "<!-- written by tests/synccheck -->\n"
	end   = "<!-- end -->\n"
)

// writePage writes the tables of the page.
func writePage(t *testing.T, all []*verdict) {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := bytes.Cut(data, []byte(begin))
	_, after, ok2 := bytes.Cut(rest, []byte(end))
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the tables", page)
	}
	text := string(before) + begin + tables(all) + end + string(after)
	if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A tally counts mutants.
type tally struct{ tried, checker, run, adverse, onlyChecker, onlyAdverse, equivalent, none int }

func (c *tally) add(v *verdict) {
	found := len(v.found) > 0
	for _, x := range []struct {
		n    *int
		when bool
	}{
		{&c.tried, true}, {&c.checker, found}, {&c.run, v.plain != ""}, {&c.adverse, v.adverse != ""}, {&c.equivalent, v.equivalent},
		{&c.onlyChecker, found && v.plain == "" && v.adverse == ""},
		{&c.onlyAdverse, !found && v.plain == "" && v.adverse != ""},
		{&c.none, !found && v.plain == "" && v.adverse == "" && !v.equivalent},
	} {
		if x.when {
			*x.n++
		}
	}
}

func (c *tally) row(name string) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d | %d |\n", name, c.tried, c.checker, c.run, c.adverse, c.onlyChecker, c.onlyAdverse, c.equivalent)
}

func tables(all []*verdict) string {
	var b strings.Builder
	b.WriteString("| mistake | tried | checker | plain run | adversary | only checker | only adversary | equivalent |\n|---|---|---|---|---|---|---|---|\n")
	var sum tally
	for i := range mutate.SyncRules {
		r := &mutate.SyncRules[i]
		var c tally
		for _, v := range all {
			if v.rule.Name == r.Name {
				c.add(v)
				sum.add(v)
			}
		}
		if c.tried > 0 {
			b.WriteString(c.row(r.Name))
		}
	}
	b.WriteString(sum.row("all"))
	b.WriteString("\n")
	for _, v := range all {
		if len(v.found) == 0 && v.plain == "" && v.adverse != "" {
			what, _, _ := strings.Cut(v.adverse, ":")
			fmt.Fprintf(&b, "Only the adversary shows %s #%d of %s/%s: %s with seed %d.\n", v.rule.Name, v.n, v.kernel.subject.origin(), v.kernel.subject.id(), what, v.seed)
		}
	}
	if sum.none > 0 {
		fmt.Fprintf(&b, "Nothing shows %d mutants, and there is no reason for them.\n", sum.none)
	}
	return b.String()
}
