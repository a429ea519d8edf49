package integers

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// TestCases runs the kernels of the corpus and holds what the first and the last tile block compute to what the
// analyses say.
func TestCases(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(corpus.Dir(t), "cases")
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for i, e := range entries {
		if e.IsDir() {
			if ran++; !tier.Try(i, 4) {
				continue
			}
			t.Run(e.Name(), func(t *testing.T) {
				t.Parallel()
				runKernel(t, filepath.Join(folder, e.Name()))
			})
		}
	}
	if ran < 100 {
		t.Errorf("%s holds %d cases, expected more than 100", folder, ran)
	}
}

// levels are those whose IR the interpreter runs.
var levels = []*passes.Property{property.CudaTile, property.TileAA, property.TileAS}

func runKernel(t *testing.T, dir string) {
	t.Helper()
	c, err := launch.LoadCase(filepath.Join(dir, "case.json"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := c.ReadModule()
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range levels {
		module, err := tileir.Read(tileir.NewContext(), dir, data)
		if err != nil {
			t.Fatal(err)
		}
		if level != property.CudaTile {
			if _, err := compile.To(context.Background(), module, compile.Options{GPU: "sm_90", OptLevel: 3, To: level}); err != nil {
				t.Fatal(err)
			}
		}
		runLevel(t, c, module, level.Level())
	}
}

func runLevel(t *testing.T, c *launch.Case, module ir.Op, level string) {
	t.Helper()
	var entry ir.Op
	module.Walk(func(op ir.Op) ir.WalkResult {
		if op.HasTrait(ir.IsolatedFromAbove|ir.Symbol) && op.SymbolName() == c.Entry {
			entry = op
		}
		return ir.Advance
	})
	check := newChecker(entry)
	req := c.Request()
	for _, block := range [][3]uint32{{}, {req.Grid[0] - 1, req.Grid[1] - 1, req.Grid[2] - 1}} {
		e := interp.New(module)
		e.LooseIndices = true
		e.Trace, e.TraceBlock = check.trace, block
		if err := e.Run(context.Background(), c.Request()); err != nil {
			t.Fatalf("%s: %v", level, err)
		}
		if check.broken {
			t.Errorf("%s: block %v breaks a promise of its own", level, block)
		}
		if req.Grid == [3]uint32{1, 1, 1} {
			break
		}
	}
	check.report(t, func() string { return level })
	if check.values == 0 {
		t.Errorf("%s: nothing was compared", level)
	}
}
