package view

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tilewright/tilewright/internal/testing/scratch"
)

// TestSavedMeanwhile saves a program while it runs: its kernels are those of the program as it was, so that the next
// call makes them again. A call after that does nothing.
func TestSavedMeanwhile(t *testing.T) {
	dir := t.TempDir()
	python := scratch.Script(t, dir, "python", `#!/bin/sh
cp "$6" "$5/kernels.tileirbc"
echo "$6" > "$5/sources.txt"
echo run >> "$5/runs"
if grep -q before "$6"; then echo afterwards > "$6"; fi
`)
	program := filepath.Join(dir, "prog.py")
	if err := os.WriteFile(program, []byte("before\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	hourAgo := time.Now().Add(-time.Hour)
	if err := os.Chtimes(program, hourAgo, hourAgo); err != nil {
		t.Fatal(err)
	}
	p := &Program{Name: program, Python: python, Folder: t.TempDir()}
	for _, want := range []struct{ kernels, runs string }{
		{"before\n", "run\n"},
		{"afterwards\n", "run\nrun\n"},
		{"afterwards\n", "run\nrun\n"},
	} {
		if err := p.Make(t.Context()); err != nil {
			t.Fatal(err)
		}
		kernels, _ := os.ReadFile(p.File())
		runs, _ := os.ReadFile(filepath.Join(p.Folder, "runs"))
		if string(kernels) != want.kernels || string(runs) != want.runs {
			t.Errorf("kernels %q after the runs %q, want %q after %q", kernels, runs, want.kernels, want.runs)
		}
		time.Sleep(2 * clockTick) // a file that is as new as this call might have been saved during it
	}
}
