package tests

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tilewright/tilewright/internal/judges"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
	"github.com/tilewright/tilewright/tests/tiles"
)

// TestPtxas assembles the kernels of the corpus cases: the assembler takes the PTX without a complaint and spills registers of the listed cases
// only. The kernels of the slice are assembled for every architecture, each of the others for one, in turn.
func TestPtxas(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	folder, names := allCases(t)
	for i, name := range names {
		if gaps[name] != "" {
			continue // TestCases checks how they fail
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Join(folder, name, "k.tileirbc"))
			if err != nil {
				t.Fatal(err)
			}
			archs := sm.All()
			if !slices.Contains(slice, name) {
				archs = archs[i%len(archs):][:1]
			}
			for _, arch := range archs {
				want := slices.Contains(spills[name], arch.Name)
				if spilled := assemble(t, tool, arch.Name, data); spilled != want {
					t.Errorf("%s: spills registers: %t, want %t", arch, spilled, want)
				}
			}
		})
	}
}

// assemble compiles and assembles a module, and reports whether registers are spilled.
func assemble(t *testing.T, tool *ptxas.Tool, gpu string, data []byte) (spilled bool) {
	t.Helper()
	return assembleWith(t, tool, gpu, data, compile.Options{})
}

// assembleWith is assemble with further options.
func assembleWith(t *testing.T, tool *ptxas.Tool, gpu string, data []byte, options compile.Options) (spilled bool) {
	t.Helper()
	ctx := tileir.NewContext()
	ctx.Diag.Push(func(d *ir.Diagnostic) {
		if !ignoredHint(d.Message) {
			t.Errorf("%s: %v", gpu, d)
		}
	})
	module, err := tileir.Read(ctx, "k.tileirbc", data)
	if err != nil {
		t.Fatal(err)
	}
	options.GPU, options.OptLevel = gpu, 3
	code, err := compile.To(context.Background(), module, options)
	if err != nil {
		t.Fatalf("%s: %v", gpu, err)
	}
	result, err := tool.Assemble(context.Background(), code.PTX, ptxas.Options{Arch: code.Launch.Target, OptLevel: 3})
	if err != nil {
		t.Fatalf("%s: %v", gpu, err)
	}
	if len(result.Entries) != len(code.Launch.Kernels) {
		t.Errorf("%s: ptxas reports %d entries, but the module has %d", gpu, len(result.Entries), len(code.Launch.Kernels))
	}
	for _, w := range result.Warnings {
		t.Errorf("%s: %v", gpu, w)
	}
	for _, e := range result.Entries {
		spilled = spilled || e.SpillStores+e.SpillLoads > 0
	}
	return spilled
}

// TestPtxasScans assembles scans and scaled products, each for the architectures in turn.
func TestPtxasScans(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	var sources []string
	for i, s := range scans {
		sources = append(sources, s.source(i%2 == 0))
	}
	for _, p := range scaledProducts {
		sources = append(sources, p.source())
	}
	for i, source := range sources {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			for _, n := range []int{i, i + 5} {
				arch := sm.All()[n%len(sm.All())]
				if assemble(t, tool, arch.Name, []byte(source)) {
					t.Errorf("%s: spills registers\n%s", arch, source)
				}
			}
		})
	}
}

// spilling are the large products that still spill.
var spilling = map[string][]string{"attention of bf16 64x64x512": {"sm_80", "sm_120"}, "attention of bf16 128x128x128": {"sm_120"}}

// TestPtxasLargeProducts assembles products on tiles that do not fit, which are cut until they do.
func TestPtxasLargeProducts(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	for i, k := range tiles.Products() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			gpu := []string{"sm_80", "sm_120"}[i%2]
			want := slices.Contains(spilling[k.Name], gpu)
			if spilled := assemble(t, tool, gpu, []byte(k.Text)); spilled != want {
				t.Errorf("%s: spills registers: %t, want %t", gpu, spilled, want)
			}
		})
	}
}
