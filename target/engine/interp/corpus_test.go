package interp

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// loadCase reads a case of the corpus and its module.
func loadCase(t testing.TB, path string) (*launch.Case, *Engine) {
	t.Helper()
	c, err := launch.LoadCase(path)
	if err != nil {
		t.Fatal(err)
	}
	data, err := c.ReadModule()
	if err != nil {
		t.Fatal(err)
	}
	module, err := bytecode.Read(ir.NewContext(ops.Dialect), data)
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(module); err != nil {
		t.Fatal(err)
	}
	e := New(module)
	e.scribble = true
	return c, e
}

// outside is part of the error of corpus.Outside.
const outside = "tile block (2, 0, 0): /src/kernels/own/own_kernels.py:781:30: error: 'cuda_tile.load_view_tko' op " +
	"index 2 of dimension 0 is outside of the index space of 2"

// Every case of the corpus yields what it expects, and orders its accesses.
func TestCorpusCases(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join(corpus.Dir(t), "cases", "*", "case.json"))
	if err != nil || len(paths) < 132 {
		t.Fatalf("found %d cases: %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			c, e := loadCase(t, path)
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Second)
			defer cancel()
			if c.Name == corpus.Outside {
				// Compiled code tests no bounds there, so that it is an error even if indices are loose.
				for _, e.LooseIndices = range []bool{false, true} {
					if err := e.Run(ctx, c.Request()); err == nil || !strings.Contains(err.Error(), outside) {
						t.Errorf("got %v, want %s", err, outside)
					}
				}
				return
			}
			req := c.Request()
			if err := e.Run(ctx, req); err != nil {
				t.Fatal(err)
			}
			report, err := c.Check(req)
			if err != nil {
				t.Fatal(err)
			}
			if !report.OK() {
				var text strings.Builder
				if err := report.WriteText(&text); err != nil {
					t.Fatal(err)
				}
				t.Error(text.String())
			}
			e.Races = true
			if err := e.Run(ctx, c.Request()); err != nil {
				t.Error(err)
			}
		})
	}
}
