package all_test

import (
	"bytes"
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/passes"
	_ "github.com/tilewright/tilewright/passes/all"
	"github.com/tilewright/tilewright/pipeline"
)

const module = "github.com/tilewright/tilewright/"

// TestEveryPassIsLinked looks for folders that register a pass and checks that this package imports them, directly or
// through the plugins.
func TestEveryPassIsLinked(t *testing.T) {
	t.Parallel()
	linked := make(map[string]bool)
	for _, dir := range []string{".", "../plugins"} {
		pkg, err := build.ImportDir(dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, imp := range pkg.Imports {
			linked[strings.TrimPrefix(imp, module)] = true
		}
	}
	err := filepath.WalkDir("..", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !bytes.Contains(src, []byte("\nvar Pass = passes.Register(")) {
			return nil
		}
		folder, err := filepath.Rel("..", filepath.Dir(path))
		if err != nil {
			return err
		}
		if pkg := "passes/" + filepath.ToSlash(folder); !linked[pkg] {
			t.Errorf("%s registers a pass, but neither passes/all nor passes/plugins imports it", pkg)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestRegistry checks what holds for all passes together.
func TestRegistry(t *testing.T) {
	t.Parallel()
	if err := passes.Default.Err(); err != nil {
		t.Error(err)
	}
	if err := passes.Default.CheckEdges(); err != nil {
		t.Error(err)
	}
	if _, err := pipeline.ViewRegistry(passes.Default); err != nil {
		t.Error(err)
	}
	titles := make(map[string]string)
	for _, p := range passes.Default.Passes() {
		if other := titles[p.DisplayTitle()]; other != "" {
			t.Errorf("passes '%s' and '%s' have the same title", p.Name, other)
		}
		titles[p.DisplayTitle()] = p.Name
		for _, s := range p.Steps {
			if _, err := pipeline.ParsePass(passes.Default, p.Name, s.Options); err != nil {
				t.Errorf("step '%s': %v", p.ID(s), err)
			}
		}
	}
	for _, name := range []string{"canonicalize", "cse", "dce", "strip-debuginfo", "op-count"} {
		if !slices.ContainsFunc(passes.Default.Passes(), func(p *passes.Pass) bool { return p.Name == name }) {
			t.Errorf("no pass '%s'", name)
		}
	}
}
