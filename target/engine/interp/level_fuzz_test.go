package interp

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/builtin"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// FuzzLevels executes the kernels of texts at the levels below cuda_tile: whatever a verified module does ends in a
// result or an error.
func FuzzLevels(f *testing.F) {
	for _, dialect := range []string{"arith", "scf", "nv_tileaa", "nv_tileas"} {
		paths, err := filepath.Glob(filepath.Join(corpus.Root(), "tests", "suite", "reference", dialect, "*.mlir"))
		if err != nil || len(paths) == 0 {
			f.Fatalf("found %d examples of %s: %v", len(paths), dialect, err)
		}
		for i, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text, uint64(i), i%2 == 0)
		}
	}
	f.Add([]byte(tiledCopy("bounds = array<i1: true>")), uint64(1), true)
	f.Add([]byte(sharedCopy("at 0", "at 64")), uint64(1), false)
	f.Fuzz(func(t *testing.T, text []byte, n uint64, races bool) {
		ctx := ir.NewContext(builtin.Dialect, arith.Dialect, scf.Dialect, tileaa.Dialect, tileas.Dialect)
		defer ctx.Diag.Push(func(*ir.Diagnostic) {})()
		module, err := asm.Parse(ctx, "k.mlir", text, asm.ParseOptions{ImplicitModule: builtin.Module})
		if err != nil || ir.Verify(module) != nil {
			return
		}
		e := New(module)
		e.MaxSteps, e.Races, e.scribble = 2000, races, true
		module.Walk(func(op ir.Op) ir.WalkResult {
			if !core.IsEntry(op) {
				return ir.Advance
			}
			limited, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			req := &launch.Request{Entry: op.SymbolName(), Grid: [3]uint32{2, 1, 1}, Args: argsFor(op, n)}
			_ = e.Run(limited, req) // an error is as good as a result
			return ir.SkipBelow
		})
	})
}
