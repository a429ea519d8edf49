package filecheck

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestMainCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	check := file("k.mlir", "CHECK: a\nO3: b\nNUM: n [[N]]\n")
	input := file("out.txt", "b\n")
	bad := file("bad.mlir", "CHECK-NXT: a\n")

	tests := []struct {
		name   string
		args   []string
		stdin  string
		exit   int
		stderr string
	}{
		{"holds", []string{check}, "a", 0, ""},
		{"fails", []string{check}, "b", 1, "expected string not found"},
		{"prefix", []string{check, "--check-prefix=O3"}, "b", 0, ""},
		{"one dash", []string{check, "-check-prefix=O3"}, "b", 0, ""},
		{"prefix as next argument", []string{"--check-prefix", "O3", check}, "b", 0, ""},
		{"prefixes", []string{check, "--check-prefixes=CHECK,O3"}, "a\nb", 0, ""},
		{"input file", []string{check, "--check-prefix=O3", "--input-file=" + input}, "", 0, ""},
		{"definition", []string{check, "--check-prefix=NUM", "-DN=5"}, "n 5", 0, ""},
		{"implicit not", []string{check, "--implicit-check-not=z"}, "a z", 1, "implicit-check-not 'z'"},
		{"empty input", []string{check}, "", 1, "is empty"},
		{"bad check file", []string{bad}, "a", 2, "unknown directive 'CHECK-NXT:'"},
		{"no check file", nil, "a", 2, "expected one check file, got 0"},
		{"two check files", []string{check, bad}, "a", 2, "expected one check file, got 2"},
		{"missing check file", []string{filepath.Join(dir, "none")}, "a", 2, "could not open check file"},
		{"missing input file", []string{check, "--input-file=" + filepath.Join(dir, "none")}, "a", 2, "could not read the input"},
		{"unknown option", []string{check, "--nosuch"}, "a", 2, "unknown flag: --nosuch"},
		{"bad definition", []string{check, "-DN"}, "a", 2, "invalid definition 'N'"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var stderr strings.Builder
			exit := Main(tt.args, strings.NewReader(tt.stdin), &stderr)
			if exit != tt.exit || !strings.Contains(stderr.String(), tt.stderr) || exit == 0 && stderr.Len() > 0 {
				t.Errorf("exit %d, stderr %q; want %d, %q", exit, stderr.String(), tt.exit, tt.stderr)
			}
		})
	}
}

func TestPrefixesOf(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"k.mlir": {"CHECK"},
		"k.mlir --check-prefix=A --check-prefix B": {"A", "B"},
		"k.mlir -check-prefixes=A,B":               {"A", "B"},
	} {
		got, err := PrefixesOf(strings.Fields(line))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v; want %v", line, got, err, want)
		}
	}
}
