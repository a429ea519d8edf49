package confirm

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/sm"
)

const (
	tableBegins = "<!-- what is not confirmed: written by TILEWRIGHT_UPDATE=1 go test ./internal/tooling/confirm -run TestStatus -->\n"
	tableEnds   = "<!-- end of what is not confirmed -->\n"
)

// TestStatus holds the table in docs/STATUS.md to the claims and to the files of docs/confirmed.
func TestStatus(t *testing.T) {
	t.Parallel()
	tier.Long(t)
	docs := filepath.Join(corpus.Root(), "docs")
	files := make(map[string]*Comparison)
	paths, err := filepath.Glob(filepath.Join(docs, "confirmed", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		f, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if f.Device.StandIn {
			t.Errorf("%s is of the emulator, which confirms nothing", path)
		}
		if files[strings.TrimSuffix(filepath.Base(path), ".json")], err = Compare(context.Background(), f, Source{}); err != nil {
			t.Fatal(err)
		}
	}
	page := filepath.Join(docs, "STATUS.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), tableBegins)
	old, after, closed := strings.Cut(rest, tableEnds)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table", page)
	}
	table := Status(files)
	if os.Getenv("TILEWRIGHT_UPDATE") != "" {
		if err := os.WriteFile(page, []byte(before+tableBegins+table+tableEnds+after), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if old != table {
		t.Errorf("the table is out of date; TILEWRIGHT_UPDATE=1 writes\n%s", table)
	}
}

// TestClaims: each claim that is asked has probes on some architecture, and each probe but those that are timed for
// people is about a claim. A file with an answer that agrees and one that does not fills the table.
func TestClaims(t *testing.T) {
	t.Parallel()
	asked := make(map[string]bool)
	for _, a := range sm.All() {
		for _, p := range probesOf(t, a) {
			about := p.Kind == Kernels
			for i := range claims {
				if c := &claims[i]; c.has(p.ID) {
					asked[c.what], about = true, true
				}
			}
			if !about {
				t.Errorf("probe '%s' is about no claim", p.ID)
			}
		}
	}
	for _, c := range claims {
		if asked[c.what] != (len(c.probes) > 0) {
			t.Errorf("no probe asks for '%s'", c.what)
		}
	}
	list := probesOf(t, sm.All()[0])
	on := &Comparison{File: new(File), Findings: []Finding{{list[0], Agrees, ""}, {list[1], Differs, ""}, {list[2], NotAsked, ""}}}
	if want := "| what instructions compute, bit for bit | `form/` | [a100](confirmed/a100.json): 1 agree, 1 differ |\n"; !strings.Contains(Status(map[string]*Comparison{"a100": on}), want) {
		t.Errorf("got %s", Status(map[string]*Comparison{"a100": on}))
	}
	on.File.Device.StandIn = true
	if text := Status(map[string]*Comparison{"a100": on}); strings.Contains(text, "a100") {
		t.Errorf("the emulator confirms something:\n%s", text)
	}
}
