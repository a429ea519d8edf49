package cases

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
)

// TestPtxas assembles the kernels of the corpus cases: the assembler takes the PTX without a complaint and spills
// registers of the listed cases only. The kernels of the slice are assembled for every architecture, each of the others
// for one, in turn.
func TestPtxas(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	folder, names := corpus.Cases(t)
	for i, name := range names {
		if !tier.Try(i, 14) {
			continue
		}
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
			if !tier.All() || !slices.Contains(corpus.Representative, name) {
				archs = archs[i%len(archs):][:1]
			}
			for _, arch := range archs {
				want := slices.Contains(spills[name], arch.Name)
				if spilled := kerneltest.Assemble(t, tool, arch.Name, data); spilled != want {
					t.Errorf("%s: spills registers: %t, want %t", arch, spilled, want)
				}
			}
		})
	}
}
