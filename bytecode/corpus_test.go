package bytecode_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
)

// corpusFiles returns all bytecode files of the corpus, each with a listing beside it.
func corpusFiles(t testing.TB) []string {
	t.Helper()
	dir := corpus.Dir(t)
	modules, err := filepath.Glob(filepath.Join(dir, "bytecode", "*.tileirbc"))
	if err != nil {
		t.Fatal(err)
	}
	cases, err := filepath.Glob(filepath.Join(dir, "cases", "*", "*.tileirbc"))
	if err != nil {
		t.Fatal(err)
	}
	if len(modules) == 0 || len(cases) == 0 {
		t.Fatal("the corpus has no bytecode")
	}
	return append(modules, cases...)
}

// producerFiles returns the files of the corpus and what front ends wrote for the kernels that stand beside it.
func producerFiles(t testing.TB) []string {
	t.Helper()
	files := corpusFiles(t)
	for _, folder := range []string{"real", "perf"} {
		more, err := filepath.Glob(filepath.Join(corpus.Dir(t), "..", folder, "*.tileirbc"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	return files
}

func listing(t *testing.T, op ir.Op, debug bool) string {
	t.Helper()
	var out bytes.Buffer
	if err := asm.Print(&out, op, asm.PrintOptions{ImplicitModule: true, DebugInfo: debug}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestCorpusListings reads every file, verifies it, and compares its text with what the reference disassembler printed.
func TestCorpusListings(t *testing.T) {
	t.Parallel()
	for _, file := range corpusFiles(t) {
		stem := strings.TrimSuffix(file, ".tileirbc")
		name := filepath.Join(filepath.Base(filepath.Dir(file)), filepath.Base(stem))
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			op, err := bytecode.Read(ir.NewContext(ops.Dialect), data)
			if err != nil {
				t.Fatal(err)
			}
			if err := ir.Verify(op); err != nil {
				t.Error(err)
			}
			compareListing(t, stem+".mlir", listing(t, op, false))
			if _, err := os.Stat(stem + ".g.mlir"); err == nil {
				compareListing(t, stem+".g.mlir", listing(t, op, true))
			}
		})
	}
}

func compareListing(t *testing.T, file, got string) {
	t.Helper()
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(g), len(w)) {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			t.Errorf("%s:%d:\n got %q\nwant %q", filepath.Base(file), i+1, a, b)
			return
		}
	}
}
