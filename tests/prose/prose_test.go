package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tilewright/tilewright/internal/testing/corpus"
)

// TestProse holds the project's texts to the rules of the package comment.
func TestProse(t *testing.T) {
	t.Parallel()
	all, err := files()
	if err != nil {
		t.Fatal(err)
	}
	pending, err := readPending()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range pending {
		if !slices.ContainsFunc(all, func(f file) bool { return f.path == name }) {
			t.Errorf("pending.txt lists %s, which is no file with prose: go run ./tests/prose -pending", name)
		}
	}
	for _, f := range all {
		found, err := f.findings(false)
		if err != nil {
			t.Fatal(err)
		}
		switch listed := slices.Contains(pending, f.path); {
		case listed && len(found) == 0:
			t.Errorf("%s needs no listing in pending.txt any more: go run ./tests/prose -pending", f.path)
		case !listed:
			for _, d := range found {
				t.Errorf("%s:%d: %s", f.path, d.line, d.text)
			}
		}
	}
}

// TestPageRules shows each rule a page that breaks it and one that does not.
func TestPageRules(t *testing.T) {
	t.Parallel()
	long := "One " + strings.Repeat("word ", 30)
	tests := []struct {
		name, text string
		want       []string // LINE: beginning of the finding
	}{
		{"short", "A page.\n", nil},
		{"long sentence", "# A\n\n" + strings.ReplaceAll(long, " ", "\n") + "end.\n", []string{"3: a sentence of 32 words"}},
		{"full stop", strings.ReplaceAll(long, " ", "\n") + "end. And more.\n", []string{"1: a sentence of 32 words"}},
		{"code is a word", "A `" + strings.Repeat("w ", 40) + "` b.\n", nil},
		{"mean", strings.Repeat("Xx "+strings.Repeat("w ", 20)+"e.\n", 3), []string{"1: 22.0 words a sentence"}},
		{"cell", "| a | b |\n|---|---|\n| " + long + " | x |\n", []string{"3: a cell or heading of 31 words"}},
		{"wide", strings.Repeat("x", 121) + "\n", []string{"1: a line of more"}},
		{"wide link", "- [" + strings.Repeat("x", 121) + "](glossary.md)\n", nil},
		{"wide link in small type", "<sub>[" + strings.Repeat("x", 121) + "](glossary.md)</sub>\n", nil},
		{"wide code of its own", "- `" + strings.Repeat("x ", 121) + "`\n", nil},
		{"a list of code is a word", "Operations: " + strings.Repeat("`add`,\n", 40) + "`sub`\n", nil},
		{"a quotation is a word", "It is rejected with \"" + strings.ReplaceAll(long, " ", "\n") + "\".\n", nil},
		{"wide code", "See:\n\n    " + strings.Repeat("x ", 121) + "\n\n    " + long + "\n\n```\n" + long + "\n```\n", nil},
		{"code in an item", "1. See:\n\n       " + strings.Repeat("x ", 121) + "\n\n   Text behind it.\n", []string{`5: "behind"`}},
		{"quotation", "> " + long + strings.Repeat("x", 121) + "\n", nil},
		{"words", "Tiles travel by a bulk\ntensor copy.\n", []string{`1: "travel"`, `1: "bulk\ntensor copy"`}},
		{"paths", "[a](page.md), [b](glossary.md#words), [c](https://x/y), `passes/any/gone`.\n", []string{"1: a link to page.md", "1: the path passes/any/gone"}},
		{"paths that exist", "`passes/any/cse`, `go test ./passes/...`, `tests/suite/DIALECT`, `passes/any/mypass`.\n", nil},
		{"words in a cell", "| what is behind |\n", []string{`1: "behind"`}},
		{"words in code and quotations", "The old name is `in front of`, or \"anew\".\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			found, err := file{"docs/page.md", tt.text}.findings(false)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, found, tt.want)
		})
	}
}

// TestGoRules: rules hold for messages and package comments, and on demand for all comments.
func TestGoRules(t *testing.T) {
	t.Parallel()
	source := `// Package p refuses tiles.
package p

import "the/ring of/paths"

type options struct {
	Ring int ` + "`help:\"stages of the ring there\"`" + `
}

// f is behind g.
func f() error {
	return errors.New("2 products are under way")
}

const long = "` + strings.Repeat("w ", 16) + `\n\n` + strings.Repeat("w ", 31) + `"

const ir = "a text\n %0 = ring %behind in front of\n that refuses it"
`
	tested := []string{`1: "refuses"`, `7: "ring"`, `12: "products are under way"`, `15: a sentence of 31 words`, `19: "refuses"`}
	for comments, want := range map[bool][]string{false: tested, true: slices.Insert(slices.Clone(tested), 2, `10: "behind"`)} {
		found, err := file{"p/p.go", source}.findings(comments)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, found, want)
	}
}

// TestLegitimate: sentences that use the same words in another sense.
func TestLegitimate(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"the MMA of the extents fits 32 bits",
		"a scale factor, an unroll factor and the depth of a nest",
		"it turns a loop into a straight line, and in turn the next block",
		"string, during, capability slot, the roles of an operand",
		"a sum over the row",
	} {
		if uses := usesOf(text); len(uses) > 0 {
			t.Errorf("%q: %v", text, uses)
		}
	}
}

// TestGlossary: the glossary has the words that findings name.
func TestGlossary(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(corpus.Root(), "docs", "glossary.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range banned {
		for _, say := range strings.Split(w.say, ", ") {
			if !strings.Contains(string(text), say) {
				t.Errorf("docs/glossary.md has no %q", say)
			}
		}
	}
}

func compare(t *testing.T, found []finding, want []string) {
	t.Helper()
	var got []string
	for i, d := range found {
		text := fmt.Sprintf("%d: %s", d.line, d.text)
		if i < len(want) && strings.HasPrefix(text, want[i]) {
			text = want[i]
		}
		got = append(got, text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
