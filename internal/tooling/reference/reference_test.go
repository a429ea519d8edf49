package reference_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/tooling/reference"
	"github.com/tilewright/tilewright/ir"
	_ "github.com/tilewright/tilewright/passes/all"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

func generate(t *testing.T) (root string, pages reference.Pages) {
	t.Helper()
	root, err := reference.Root()
	if err != nil {
		t.Fatal(err)
	}
	pages, err = reference.Generate(root)
	if err != nil {
		t.Fatal(err)
	}
	return root, pages
}

// TestUpToDate holds the pages that are checked in to those that would be made now.
func TestUpToDate(t *testing.T) {
	t.Parallel()
	root, pages := generate(t)
	dir := filepath.Join(root, filepath.FromSlash(reference.Folder))
	stale := false
	for _, name := range pages.Names() {
		have, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			stale = true
			continue
		}
		if diff := firstDifference(string(have), pages[name]); diff != "" {
			t.Errorf("%s/%s is out of date: %s", reference.Folder, name, diff)
			stale = true
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if _, ok := pages[filepath.Base(file)]; !ok {
			t.Errorf("%s/%s is no page any more", reference.Folder, filepath.Base(file))
			stale = true
		}
	}
	if stale {
		t.Errorf("run '%s'", reference.Command)
	}
	if _, again := generate(t); !equal(pages, again) {
		t.Error("two runs make different pages")
	}
}

func equal(a, b reference.Pages) bool {
	for name, text := range a {
		if b[name] != text {
			return false
		}
	}
	return len(a) == len(b)
}

// firstDifference shows the first lines that differ, with the heading that they stand under.
func firstDifference(have, want string) string {
	h, w := strings.Split(have, "\n"), strings.Split(want, "\n")
	heading := ""
	for i := range max(len(h), len(w)) {
		var a, b string
		if i < len(h) {
			a = h[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b || i >= len(h) || i >= len(w) {
			return "line " + strconv.Itoa(i+1) + ", under \"" + heading + "\":\n  - " + a + "\n  + " + b
		}
		if strings.HasPrefix(a, "#") {
			heading = strings.TrimLeft(a, "# ")
		}
	}
	return ""
}

var (
	headingLine = regexp.MustCompile(`(?m)^#+ (.*)$`)
	fence       = regexp.MustCompile("(?ms)^```.*?^```$")
	linkRE      = regexp.MustCompile(`\]\(([^)\s]+)\)`)
)

// TestLinks checks that headings have anchors of their own and that links lead to something.
func TestLinks(t *testing.T) {
	t.Parallel()
	root, pages := generate(t)
	anchors := make(map[string]map[string]bool)
	for name, text := range pages {
		anchors[name] = make(map[string]bool)
		for _, m := range headingLine.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
			a := anchorOf(m[1])
			if anchors[name][a] {
				t.Errorf("%s: two headings have the anchor #%s", name, a)
			}
			anchors[name][a] = true
		}
	}
	for name, text := range pages {
		for _, m := range linkRE.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
			file, fragment, hasFragment := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = file
				if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(reference.Folder), filepath.FromSlash(file))); err != nil && pages[file] == "" {
					t.Errorf("%s: the link to %s is broken", name, m[1])
				}
			}
			if hasFragment && !anchors[target][fragment] {
				t.Errorf("%s: %s has no heading for #%s", name, target, fragment)
			}
		}
	}
}

// anchorOf is the rule of GitHub, written apart from the code under test: lower case, blanks to hyphens, nothing but
// letters, digits, - and _.
func anchorOf(heading string) string {
	s := strings.ReplaceAll(strings.ToLower(heading), " ", "-")
	return regexp.MustCompile(`[^\p{L}\p{N}_-]`).ReplaceAllString(s, "")
}

// TestData holds the descriptions of types and attributes to the hooks that parse and print them.
func TestData(t *testing.T) {
	t.Parallel()
	for _, d := range tileir.Dialects() {
		if d.ParseType != nil && len(d.Types) == 0 || d.ParseAttr != nil && len(d.Attrs) == 0 {
			t.Errorf("dialect '%s' has types or attributes that it does not describe", d.Name)
		}
		for sigil, defs := range map[string][]ir.DataDef{"!": d.Types, "#": d.Attrs} {
			for _, def := range defs {
				checkData(t, reference.DataName(d, sigil, &def), def)
			}
		}
	}
}

func checkData(t *testing.T, name string, def ir.DataDef) {
	t.Helper()
	if def.Summary == "" || len(def.Examples) == 0 {
		t.Errorf("%s has no summary or no example", name)
	}
	for _, example := range def.Examples {
		if strings.ContainsAny(name[:1], "!#") && !strings.HasPrefix(example, name) {
			t.Errorf("%s: the example '%s' is of something else", name, example)
		}
		typ, attr, err := reference.ParseData(example)
		if err != nil {
			t.Errorf("%s: '%s': %v", name, example, err)
			continue
		}
		got := ""
		if typ != nil {
			got = ir.TypeString(typ)
		} else {
			got = ir.AttrString(attr)
		}
		if got != example {
			t.Errorf("%s: '%s' is printed as '%s'", name, example, got)
		}
	}
	for _, rule := range def.Rules {
		if rule.Rejected != "" && reference.Rejection(rule.Rejected) == "" {
			t.Errorf("%s: '%s' is accepted, although %s", name, rule.Rejected, rule.Text)
		}
	}
}

// TestHandSyntax says that operations with hooks for their syntax have it written down, and others not.
func TestHandSyntax(t *testing.T) {
	t.Parallel()
	for _, d := range tileir.Dialects() {
		for _, def := range d.Ops() {
			if has := reference.HandSyntax(def) != ""; has != (def.Parse != nil) {
				t.Errorf("'%s' has hooks: %v, but its syntax is written down in internal/tooling/reference/handsyntax.go: %v", def.FullName(), def.Parse != nil, has)
			}
		}
	}
}

// TestTools says that each command has a section.
func TestTools(t *testing.T) {
	t.Parallel()
	root, pages := generate(t)
	commands, err := os.ReadDir(filepath.Join(root, "cmd"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range commands {
		if main := filepath.Join(root, "cmd", c.Name(), "main.go"); !exists(main) {
			continue
		}
		if !strings.Contains(pages["tools.md"], "\n## `"+c.Name()+"`\n") {
			t.Errorf("tools.md has no section for cmd/%s: it needs a line in internal/tooling/reference/tools.go", c.Name())
		}
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
