package kerneltest

import (
	"bytes"
	"strings"
	"testing"

	_ "github.com/tilewright/tilewright/internal/testing/heap"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// FirstDifference describes the first line in which two texts differ.
func FirstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return "line " + strings.TrimSpace(w[i]) + " is " + strings.TrimSpace(g[i])
		}
	}
	return "one is longer"
}

// Print returns the text of an operation.
func Print(t *testing.T, op ir.Op, generic bool) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := asm.Print(&b, op, asm.PrintOptions{Generic: generic}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Read reads a module and writes its diagnostics to said, those of passes that run on it included.
func Read(t *testing.T, said *bytes.Buffer, name string, text []byte) ir.Op {
	t.Helper()
	ctx := tileir.NewContext()
	ctx.Diag.Push(ctx.Diag.PrintTo(said))
	m, err := tileir.Read(ctx, name, text)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, said, text)
	}
	return m
}

// ReadQuiet reads a module of which a diagnostic, one of a pass included, fails the test.
func ReadQuiet(t *testing.T, file string, source []byte) ir.Op {
	t.Helper()
	ctx := tileir.NewContext()
	ctx.Diag.Push(func(d *ir.Diagnostic) { t.Errorf("%s: %v", file, d) })
	m, err := tileir.Read(ctx, file, source)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
