package integers

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/internal/corpus"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/interp"
	"github.com/tilewright/tilewright/target/launch"
)

// TestCases runs the kernels of the corpus and holds what the first and the last tile block compute to what the analyses say.
func TestCases(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(corpus.Dir(t), "cases")
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, e := range entries {
		if e.IsDir() {
			ran++
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
	ctx := tileir.NewContext()
	module, err := tileir.Read(ctx, dir, data)
	if err != nil {
		t.Fatal(err)
	}
	var entry ir.Op
	module.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(cudatile.Entry) && op.SymbolName() == c.Entry {
			entry = op
		}
		return ir.Advance
	})
	req := c.Request()
	check := newChecker(entry)
	for _, block := range [][3]uint32{{}, {req.Grid[0] - 1, req.Grid[1] - 1, req.Grid[2] - 1}} {
		e := interp.New(module)
		e.LooseIndices = true
		e.Trace, e.TraceBlock = check.trace, block
		if err := e.Run(context.Background(), c.Request()); err != nil {
			t.Fatal(err)
		}
		if check.broken {
			t.Errorf("block %v breaks a promise of its own", block)
		}
		if block == [3]uint32{} && req.Grid == [3]uint32{1, 1, 1} {
			break
		}
	}
	check.report(t, func() string { return c.Name })
	if check.values == 0 {
		t.Error("nothing was compared")
	}
}
