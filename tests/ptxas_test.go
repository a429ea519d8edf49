package tests

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/tilewright/tilewright/internal/corpus"
	"github.com/tilewright/tilewright/internal/judges"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
)

// TestPtxas assembles the kernels of the slice for every architecture: the assembler takes the PTX without a complaint and spills no register.
func TestPtxas(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	cases := filepath.Join(corpus.Dir(t), "cases")
	for _, name := range slice {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Join(cases, name, "k.tileirbc"))
			if err != nil {
				t.Fatal(err)
			}
			for _, arch := range sm.All() {
				assemble(t, tool, arch.Name, data)
			}
		})
	}
}

func assemble(t *testing.T, tool *ptxas.Tool, gpu string, data []byte) {
	t.Helper()
	ctx := tileir.NewContext()
	ctx.Diag.Push(func(d *ir.Diagnostic) { t.Errorf("%s: %v", gpu, d) })
	module, err := tileir.Read(ctx, "k.tileirbc", data)
	if err != nil {
		t.Fatal(err)
	}
	code, err := compile.To(context.Background(), module, compile.Options{GPU: gpu, OptLevel: 3})
	if err != nil {
		t.Errorf("%s: %v", gpu, err)
		return
	}
	result, err := tool.Assemble(context.Background(), code.PTX, ptxas.Options{Arch: code.Launch.Target, OptLevel: 3})
	if err != nil {
		t.Errorf("%s: %v", gpu, err)
		return
	}
	if len(result.Entries) != len(code.Launch.Kernels) {
		t.Errorf("%s: ptxas reports %d entries, but the module has %d", gpu, len(result.Entries), len(code.Launch.Kernels))
	}
	for _, w := range result.Warnings {
		t.Errorf("%s: %v", gpu, w)
	}
	for _, e := range result.Entries {
		if e.SpillStores+e.SpillLoads > 0 {
			t.Errorf("%s: %s spills: %d bytes of stores, %d of loads", gpu, e.Entry, e.SpillStores, e.SpillLoads)
		}
	}
}
