package ci

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/tier"
)

// TestRunIsLong: .ci/run runs all packages in the long tier.
func TestRunIsLong(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile(filepath.Join(corpus.Root(), ".ci", "run"))
	if err != nil {
		t.Fatal(err)
	}
	set, run := -1, -1
	for i, line := range strings.Split(string(script), "\n") {
		words := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "export "+tier.EnvVar+"=all"):
			set = i
		case strings.HasPrefix(line, "go test "):
			if run = i; words[len(words)-1] != "./..." || slices.ContainsFunc(words, func(w string) bool { return w == "-short" || w == "-run" || w == "-skip" }) {
				t.Errorf("'%s' leaves tests out", line)
			}
		}
	}
	if set < 0 || run < set {
		t.Errorf("the script sets %s=all in line %d and runs the tests in line %d", tier.EnvVar, set+1, run+1)
	}
}

// TestLongTests: testdata/long.txt lists the tests that the long tier adds, and those with more variants there.
// Nothing else leaves tests out by the time that they take.
func TestLongTests(t *testing.T) {
	t.Parallel()
	var lines []string
	folders := make(map[string]int) // with RUN lines of the long tier, and how many files have them
	err := filepath.WalkDir(corpus.Root(), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && strings.HasPrefix(e.Name(), ".") && path != corpus.Root() {
			return fs.SkipDir
		}
		if !e.IsDir() && strings.HasSuffix(path, ".mlir") {
			return longFile(path, folders)
		}
		if e.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		folder, err := filepath.Rel(corpus.Root(), filepath.Dir(path))
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			calls := callsOf(f)
			if calls["testing.Short"] {
				t.Errorf("%s: %s asks testing.Short; the tiers are those of internal/testing/tier", path, f.Name.Name)
			}
			what := ""
			switch {
			case calls["tier.Long"]:
				what = "long"
			case calls["tier.All"], calls["tier.Count"], calls["tier.Try"]:
				what = "more variants"
			case calls["tier.Exhaustive"]:
				what = "exhaustive"
			default:
				continue
			}
			lines = append(lines, fmt.Sprintf("%s %s: %s\n", filepath.ToSlash(folder), f.Name.Name, what))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for folder, files := range folders {
		lines = append(lines, fmt.Sprintf("%s: %d files with more RUN lines\n", folder, files))
	}
	slices.Sort(lines)
	got, list := strings.Join(lines, ""), filepath.Join("testdata", "long.txt")
	if os.Getenv("TILEWRIGHT_UPDATE") == "1" {
		if err := os.WriteFile(list, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s lists other tests (TILEWRIGHT_UPDATE=1 rewrites it):\n%s", list, got)
	}
}

// longFile counts a test file by its folder if RUN lines of it are of the long tier.
func longFile(path string, folders map[string]int) error {
	text, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(text, []byte("// RUN(long")) {
		return err
	}
	folder, err := filepath.Rel(corpus.Root(), filepath.Dir(path))
	folders[filepath.ToSlash(folder)]++
	return err
}

// callsOf returns the functions of packages that a function calls, as PACKAGE.NAME.
func callsOf(f *ast.FuncDecl) map[string]bool {
	calls := make(map[string]bool)
	ast.Inspect(f, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if s, ok := c.Fun.(*ast.SelectorExpr); ok {
				if p, ok := s.X.(*ast.Ident); ok {
					calls[p.Name+"."+s.Sel.Name] = true
				}
			}
		}
		return true
	})
	return calls
}
