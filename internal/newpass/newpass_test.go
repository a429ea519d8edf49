package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/corpus"
	"github.com/tilewright/tilewright/tests/lit"
)

// TestNewPass makes a pass of each level and a plugin, builds tile-opt with them, and runs their suites. The files are laid over the sources, so that nothing is copied.
func TestNewPass(t *testing.T) {
	t.Parallel()
	root, dir := corpus.Root(), t.TempDir()
	made := make(map[string][]byte)
	read := func(name string) ([]byte, error) {
		if text, ok := made[name]; ok {
			return text, nil
		}
		return os.ReadFile(filepath.Join(root, name))
	}
	for _, s := range []spec{{"cuda-tile-new", "cuda_tile", false}, {"tileaa-new", "tileaa", false}, {"tileas-new", "tileas", false}, {"nvvm-new", "nvvm", false}, {"new-plugin", "tileas", true}} {
		files, err := s.files(read)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			made[f.path] = f.text
		}
	}
	replace := make(map[string]string)
	suite := filepath.Join(dir, "suite")
	for name, text := range made {
		path := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if strings.HasSuffix(name, ".mlir") {
			path = filepath.Join(suite, filepath.Base(name))
		} else {
			replace[filepath.Join(root, name)] = path
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	tool := filepath.Join(dir, "tile-opt")
	cmd := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", tool, "./cmd/tile-opt")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	(&lit.Suite{Root: suite, Package: "./internal/newpass", Tools: map[string]lit.Tool{"tile-opt": lit.Exec(tool)}}).Run(t)
}

func TestErrors(t *testing.T) {
	t.Parallel()
	read := func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(corpus.Root(), name)) }
	for _, tt := range []struct {
		spec spec
		want string
	}{
		{spec{"MyPass", "tileas", false}, "name 'MyPass' is not in kebab case"},
		{spec{"my-pass", "ptx", false}, "unknown level 'ptx'"},
		{spec{"tileas-cut-products", "tileas", false}, "is there already"},
	} {
		if _, err := tt.spec.files(read); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: got %v, want %s", tt.spec, err, tt.want)
		}
	}
}
