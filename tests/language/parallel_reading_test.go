package language

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/tests/large"
)

// TestReadAheadOfRealTexts checks that it does not matter how many goroutines read a text: the suites, the corpus and
// what is printed of its bytecode are read as one goroutine reads them, with the same diagnostics, names and
// locations.
func TestReadAheadOfRealTexts(t *testing.T) {
	t.Parallel()
	texts := 0
	check := func(name string, text []byte) {
		for _, chunk := range asm.Split(text) {
			if texts++; !tier.Try(texts, 3) {
				continue
			}
			if want, got := readWith(t, chunk, 1), readWith(t, chunk, 3); !bytes.Equal(got, want) {
				t.Errorf("%s: with three goroutines\n%s\nwith one\n%s", name, head(got), head(want))
			}
		}
	}
	walk := func(root string, visit func(path string, data []byte)) {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			if err == nil {
				visit(path, data)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	visit := func(path string, data []byte) {
		switch {
		case filepath.Ext(path) == ".mlir":
			check(path, data)
		case bytecode.Is(data):
			if op, err := bytecode.Read(tileir.NewContext(), data); err == nil {
				var text bytes.Buffer
				if err := asm.Print(&text, op, asm.PrintOptions{DebugInfo: true}); err != nil {
					t.Fatal(err)
				}
				check(path, text.Bytes())
			}
		}
	}
	walk("../suite", visit)
	walk(corpus.Dir(t), visit)
	check("large", large.Text(10))
	if texts < 500 {
		t.Errorf("there are only %d texts", texts)
	}
}

// readWith returns all that can be seen of reading a text.
func readWith(t *testing.T, chunk asm.Chunk, workers int) []byte {
	ctx := tileir.NewContext()
	ctx.AllowUnregistered = true
	var out bytes.Buffer
	ctx.Diag.Push(ctx.Diag.PrintTo(&out))
	opts := tileir.Syntax()
	opts.Workers, opts.LineOffset = workers, chunk.LineOffset
	op, err := asm.Parse(ctx, "t.mlir", chunk.Text, opts)
	if err != nil {
		return out.Bytes()
	}
	if err := ir.Verify(op); err != nil { // the diagnostics are part of the outcome
		return out.Bytes()
	}
	if err := asm.Print(&out, op, asm.PrintOptions{DebugInfo: true}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func head(text []byte) []byte { return text[:min(len(text), 2000)] }
