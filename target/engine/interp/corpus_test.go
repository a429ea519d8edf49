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

// undefinedCases rely on behaviour that the specification leaves undefined: why, and part of the error that says so.
var undefinedCases = map[string]string{
	// The grid has three blocks of 128 elements for arrays of 256, so the last one's tile is not in the index space.
	"saxpy_static_shape": "tile block (2, 0, 0): /src/kernels/own/own_kernels.py:781:30: error: 'cuda_tile.load_view_tko' op " +
		"index 2 of dimension 0 is outside of the index space of 2",
}

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
			if why, ok := undefinedCases[c.Name]; ok {
				if err := e.Run(ctx, c.Request()); err == nil || !strings.Contains(err.Error(), why) {
					t.Fatalf("got %v, want %s", err, why)
				}
				e.LooseIndices = true
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
