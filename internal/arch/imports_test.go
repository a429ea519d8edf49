package arch

import (
	"bufio"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
)

// TestImports holds the tree to the table.
func TestImports(t *testing.T) {
	t.Parallel()
	imports, err := readImports(corpus.Root())
	if err != nil {
		t.Fatal(err)
	}
	if len(imports) < 3 {
		t.Fatalf("found only %d packages, so the walk is broken", len(imports))
	}
	for _, violation := range check(imports) {
		t.Error(violation)
	}
}

// check returns a sentence for every import that the table forbids. The map gives for each package of the project what
// its code outside tests imports of the project; both sides are paths below the module root.
func check(imports map[string][]string) []string {
	var out []string
	for pkg, list := range imports {
		row := slices.IndexFunc(layers, func(l layer) bool { return covers(l.packages, pkg) })
		if row < 0 {
			out = append(out, fmt.Sprintf("package %s belongs to no layer: give it a row in the table", pkg))
			continue
		}
		l := layers[row]
		for _, to := range list {
			if !covers(l.may, to) || covers(l.never, to) {
				out = append(out, fmt.Sprintf("%s must not import %s: %s", pkg, to, l.why))
			}
			for _, r := range reserved {
				if covers([]string{r.pattern}, to) && !covers(r.by, pkg) {
					out = append(out, fmt.Sprintf("%s must not import %s: %s", pkg, to, r.why))
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// covers reports whether one of the patterns covers the package.
func covers(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if pattern == "..." {
			return true
		}
		prefix, deep := strings.CutSuffix(pattern, "/...")
		return pkg == prefix || deep && strings.HasPrefix(pkg, prefix+"/")
	})
}

// readImports parses the import clauses below root. Files that the build leaves out on this system count too.
func readImports(root string) (map[string][]string, error) {
	module, err := modulePath(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	imports := make(map[string][]string)
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if file != root && (name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(rel)
		list := imports[pkg]
		for _, spec := range parsed.Imports {
			target, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if below, ok := strings.CutPrefix(path.Clean(target), module+"/"); ok && !slices.Contains(list, below) {
				list = append(list, below)
			}
		}
		imports[pkg] = list
		return nil
	})
	return imports, err
}

func modulePath(goMod string) (string, error) {
	file, err := os.Open(goMod)
	if err != nil {
		return "", err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if module, ok := strings.CutPrefix(lines.Text(), "module "); ok {
			return strings.TrimSpace(module), nil
		}
	}
	return "", fmt.Errorf("%s has no module line", goMod)
}

// TestCheck shows the table at work on imports that the tree must not have.
func TestCheck(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pkg     string
		imports []string
		want    string // empty: allowed
	}{
		{"ir", []string{"ir/asm"}, ""},
		{"ir", []string{"dialects/builtin"}, "ir must not import dialects/builtin: the generic IR knows no dialect"},
		{"ir", []string{"internal/leaf/suggest"}, "the generic IR knows no dialect"},
		{"dialects/tileaa", []string{"ir", "dialects/builtin"}, ""},
		{"dialects/cudatile", []string{"dialects/cudatile/verify"}, "the words of the dialect"},
		{"dialects/cudatile/ops", []string{"dialects/cudatile", "dialects/cudatile/verify"}, ""},
		{"dialects/tileas/transfer", []string{"dialects/tileas", "ir/linear"}, ""},
		{"ir/linear", []string{"ir"}, "layouts are mathematics"},
		{"dialects/tileas", []string{"dialects/tileaa"}, "a level knows no other level"},
		{"dialects/arith", []string{"dialects/nvvm"}, "what the levels share must not depend on one of them"},
		{"bytecode", []string{"ir", "dialects/cudatile", "internal/leaf/suggest"}, ""},
		{"bytecode", []string{"passes"}, "bytecode must not import passes"},
		{"target/engine/emu", []string{"target/engine/emu/machine", "target/engine/emu/tcgen05"}, ""},
		{"target/engine/emu/machine", []string{"target/engine/emu/decode"}, "knows no instruction"},
		{"target/engine/emu/mma", []string{"target/engine/emu/tcgen05"}, "know no TMEM"},
		{"target/engine/emu/arith", []string{"target/engine/emu/access"}, "needs no memory"},
		{"target/engine/emu", []string{"target/engine/emu/emutest"}, "is for tests"},
		{"target/engine/emu", []string{"target/sm"}, "shares no code with it"},
		{"target/engine/interp", []string{"dialects/cudatile", "dialects/tileaa", "bytecode"}, ""},
		{"target/engine/interp/core", []string{"dialects/tileas", "target/engine/interp/async"}, "knows no operation"},
		{"target/engine/interp/access", []string{"target/engine/interp/async"}, "know nothing asynchronous"},
		{"target/ptx", []string{"passes"}, "target/ptx must not import passes"},
		{"target/ptx", []string{"internal/testing/judges"}, "what tests share serves tests"},
		{"passes/any/cse", []string{"ir", "target/sm", "dialects/tileas", "ir/linear"}, ""},
		{"passes/convert/tileastonvvm", []string{"dialects/tileas", "dialects/nvvm"}, ""},
		{"passes/convert/tileastonvvm/tmem", []string{"passes/convert/tileastonvvm/core"}, ""},
		{"passes/convert/tileastonvvm/tmem", []string{"passes/convert/tileastonvvm/async"}, "and not each other"},
		{"passes/any/cse", []string{"pipeline"}, "does not know it"},
		{"pipeline", []string{"passes", "ir"}, ""},
		{"pipeline", []string{"internal/tooling/cli"}, "what the tools share is not for what lies below them"},
		{"internal/tooling/cli", []string{"pipeline"}, ""},
		{"internal/leaf/suggest", []string{"ir"}, "a leaf knows none"},
		{"cmd/tile-opt", []string{"internal/tooling/cli", "pipeline"}, ""},
		{"cmd/tile-opt", []string{"internal/testing/corpus"}, "what tests share serves tests"},
		{"cmd/tile-opt", []string{"internal/testing/testpasses/updatesymbolname"}, "passes for tests are linked by tests"},
		{"passes/all", []string{"internal/testing/testpasses/updatesymbolname"}, "passes for tests are linked by tests"},
		{"cmd/tile-opt", []string{"cmd/tilec"}, "a tool is a thin main"},
		{"tests/lit", []string{"internal/testing/judges", "tests/filecheck"}, ""},
		{"tests/lit", []string{"cmd/tilec"}, "a tool is a thin main"},
		{"pipeline", []string{"tests/lit"}, "test libraries serve tests"},
		{"surprise", nil, "package surprise belongs to no layer"},
	}
	for _, tt := range tests {
		got := strings.Join(check(map[string][]string{tt.pkg: tt.imports}), "\n")
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s imports %v: %q, want %q", tt.pkg, tt.imports, got, tt.want)
		}
	}
}

func TestReadImports(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":            "module example.org/m\n\ngo 1.26\n",
		"a/a.go":            "package a\n\nimport (\n\t\"fmt\"\n\t_ \"example.org/m/b\"\n\t\"example.org/mother\"\n)\n",
		"a/a_test.go":       "package a\n\nimport \"example.org/m/c\"\n",
		"a/a_windows.go":    "package a\n\nimport \"example.org/m/d/e\"\n",
		"a/testdata/x/x.go": "package x\n\nimport \"example.org/m/f\"\n",
		".hidden/h/h.go":    "package h\n",
		"d/e/e.go":          "package e\n",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readImports(root)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got["a"])
	if want := fmt.Sprint(map[string][]string{"a": {"b", "d/e"}, "d/e": nil}); fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
