package ptxas

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	place := func(mode os.FileMode, elem ...string) string {
		path := filepath.Join(append([]string{root}, elem...)...)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	named := place(0o755, "named")
	inPath := place(0o755, "path", program)
	home := place(0o755, "home", "bin", program)
	text := place(0o644, "text", "bin", program)
	wheel := place(0o755, "env", "lib", "python3.11", "site-packages", "nvidia", "cu13", "bin", program)
	place(0o755, "old", "cuda-9.2", "bin", program)
	newest := place(0o755, "old", "cuda-13.5", "bin", program)
	place(0o755, "old", "cuda-13.10-broken", "lib")
	place(0o755, "linked", "cuda-13.5", "bin", program)
	chosen := place(0o755, "linked", "cuda", "bin", program)

	tests := []struct {
		name     string
		explicit string
		env      map[string]string
		path     string
		python   string // on PATH
		toolkits string
		want     string // empty: an error
		err      string
	}{
		{name: "explicit", explicit: named, env: map[string]string{EnvVar: home}, path: inPath, want: named},
		{name: "explicit is missing", explicit: root + "/none", path: inPath, err: "ptxas as --ptxas says: "},
		{name: "explicit is a folder", explicit: root, path: inPath, err: "is not a program"},
		{name: "variable", env: map[string]string{EnvVar: named}, path: inPath, want: named},
		{name: "variable is wrong", env: map[string]string{EnvVar: text}, path: inPath, err: "ptxas as TILEWRIGHT_PTXAS says: "},
		{name: "path before toolkit", env: map[string]string{"CUDA_HOME": filepath.Join(root, "home")}, path: inPath, want: inPath},
		{name: "CUDA_HOME", env: map[string]string{"CUDA_HOME": filepath.Join(root, "home")}, toolkits: "old", want: home},
		{name: "CUDA_PATH", env: map[string]string{"CUDA_PATH": filepath.Join(root, "home")}, toolkits: "old", want: home},
		{name: "CUDA_ROOT", env: map[string]string{"CUDA_ROOT": filepath.Join(root, "home")}, toolkits: "old", want: home},
		{name: "not executable", env: map[string]string{"CUDA_HOME": filepath.Join(root, "text")}, toolkits: "old", want: newest},
		{name: "newest toolkit", toolkits: "old", want: newest},
		{name: "chosen toolkit", toolkits: "linked", want: chosen},
		{name: "Python environment", env: map[string]string{judgesVar: filepath.Join(root, "env")}, want: wheel},
		{name: "virtual environment", env: map[string]string{"VIRTUAL_ENV": filepath.Join(root, "env")}, want: wheel},
		{name: "Python on PATH", python: filepath.Join(root, "env", "bin", "python3"), want: wheel},
		{name: "Python without ptxas", python: filepath.Join(root, "home", "bin", "python3"), err: "ptxas not found"},
		{name: "nowhere", env: map[string]string{judgesVar: root + "/["}, err: "ptxas not found: install the CUDA toolkit"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := finder{
				env: func(name string) string { return tt.env[name] },
				lookPath: func(name string) (string, error) {
					if name == "python3" && tt.python != "" {
						return tt.python, nil
					}
					if name != program || tt.path == "" {
						return "", fs.ErrNotExist
					}
					return tt.path, nil
				},
				toolkits: filepath.Join(root, tt.toolkits+"-none"),
			}
			if tt.toolkits != "" {
				f.toolkits = filepath.Join(root, tt.toolkits, "cuda*")
			}
			got, err := f.find(tt.explicit)
			if tt.want == "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("got %v, error %v; want error %q", got, err, tt.err)
				}
				if absent := strings.HasPrefix(tt.err, "ptxas not found"); absent != errors.Is(err, ErrNotFound) {
					t.Errorf("errors.Is(err, ErrNotFound) = %v", !absent)
				}
				return
			}
			if err != nil || got.Path != tt.want {
				t.Errorf("got %v, %v; want %s", got, err, tt.want)
			}
		})
	}
}
