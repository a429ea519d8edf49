package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
)

// TestByHand runs RUN lines of a suite in a shell, with the programs that a user installs.
func TestByHand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, pkg := range []string{"./cmd/tile-opt", "./tests/cmd/FileCheck"} {
		cmd := exec.Command("go", "build", "-o", dir+string(filepath.Separator), pkg)
		cmd.Dir = corpus.Root()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	file := filepath.Join(corpus.Root(), "tests", "suite", "tools", "disable-pass.mlir")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for line := range strings.Lines(string(text)) {
		run, ok := strings.CutPrefix(strings.TrimSpace(line), "// RUN: ")
		if !ok {
			continue
		}
		ran++
		// 'not' is lit's, '!' the shell's.
		run = strings.ReplaceAll(strings.Replace(run, "not tile-opt", "tile-opt", 1), "%s", file)
		shell := func(command string) ([]byte, error) {
			cmd := exec.Command("sh", "-c", command)
			cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
			return cmd.CombinedOutput()
		}
		if out, err := shell(run); err != nil {
			t.Errorf("%s: %v\n%s", run, err, out)
		}
		wrong := strings.Replace(run, "--check-prefix=", "--check-prefix=NONE_", 1)
		if out, err := shell(wrong); err == nil || !bytes.Contains(out, []byte("NONE_")) {
			t.Errorf("%s: %v\n%s", wrong, err, out)
		}
	}
	if ran == 0 {
		t.Errorf("%s has no RUN line", file)
	}
}
