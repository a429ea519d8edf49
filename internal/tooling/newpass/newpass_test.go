package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/tests/lit"
)

// TestNewPass makes a pass of each level and a plugin, builds tile-opt with them, and runs their suites. The files
// are laid over the sources, so that nothing is copied.
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
	for _, s := range []spec{
		{name: "cuda-tile-new", level: "cuda_tile"}, {name: "tileaa-new", level: "tileaa"},
		{name: "tileas-new", level: "tileas"}, {name: "tileas-new-memory", level: "tileas", room: "memory"},
		{name: "nvvm-new", level: "nvvm"}, {name: "new-plugin", level: "tileas", plugin: true},
	} {
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
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-overlay", filepath.Join(dir, "overlay.json"), "-o", tool, "./cmd/tile-opt")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	(&lit.Suite{Root: suite, Package: "./internal/tooling/newpass", Tools: map[string]lit.Tool{"tile-opt": lit.Exec(tool)}}).Run(t)
}

func TestErrors(t *testing.T) {
	t.Parallel()
	read := func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(corpus.Root(), name)) }
	for _, tt := range []struct {
		spec spec
		want string
	}{
		{spec{name: "MyPass", level: "tileas"}, "name 'MyPass' is not in kebab case"},
		{spec{name: "my-pass", level: "ptx"}, "unknown level 'ptx'"},
		{spec{name: "my-pass", level: "tileas", room: "attic"}, "unknown room 'attic' of level 'tileas'; there is legalize, layout, async, memory"},
		{spec{name: "my-pass", level: "nvvm", room: "memory"}, "the passes of level 'nvvm' have no rooms"},
		{spec{name: "my-pass", level: "tileas", room: "memory", plugin: true}, "a plugin has no room"},
		{spec{name: "tileas-tile-mma-k", level: "tileas"}, "is there already"},
	} {
		if _, err := tt.spec.files(read); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: got %v, want %s", tt.spec, err, tt.want)
		}
	}
}

// A pass lies in the room that it was made for, or in the first of its level.
func TestFolders(t *testing.T) {
	t.Parallel()
	read := func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(corpus.Root(), name)) }
	for _, tt := range []struct {
		spec spec
		want string
	}{
		{spec{name: "tileas-my-pass", level: "tileas"}, "passes/tileas/legalize/mypass/pass.go"},
		{spec{name: "tileas-my-pass", level: "tileas", room: "async"}, "passes/tileas/async/mypass/pass.go"},
		{spec{name: "my-pass", level: "nvvm"}, "passes/nvvm/mypass/pass.go"},
		{spec{name: "my-pass", level: "tileas", plugin: true}, "passes/plugins/mypass/pass.go"},
	} {
		files, err := tt.spec.files(read)
		if err != nil {
			t.Errorf("%+v: %v", tt.spec, err)
		} else if files[0].path != tt.want {
			t.Errorf("%+v: got %s, want %s", tt.spec, files[0].path, tt.want)
		}
	}
}

// The rooms of a level are the folders in its folder that hold passes of their own.
func TestRooms(t *testing.T) {
	t.Parallel()
	for _, l := range levels {
		passes, err := filepath.Glob(filepath.Join(corpus.Root(), "passes", l.Folder, "*", "*", "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, file := range passes {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), "passes.Register(") {
				got = append(got, filepath.Base(filepath.Dir(filepath.Dir(file))))
			}
		}
		slices.Sort(got)
		if got, want := slices.Compact(got), slices.Sorted(slices.Values(l.Rooms)); !slices.Equal(got, want) {
			t.Errorf("level %s: the rooms are %q, the folders %q", l.Name, want, got)
		}
	}
}
