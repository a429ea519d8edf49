package kernels

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/sm"
)

// generations are one target of each.
var generations = []string{"sm_80", "sm_90", "sm_100", "sm_120"}

// TestCompile compiles each kernel in one attempt, so that none needs a fallback: in the long tier for each target at
// each level, in the short tier at -O3 for one target, in turn.
func TestCompile(t *testing.T) {
	t.Parallel()
	beside := filepath.Dir(corpus.Dir(t))
	compiled := 0
	for _, pattern := range []string{"real/*.tileirbc", "real/defects/*.mlir", "perf/*.tileirbc", "corpus/bytecode/*.tileirbc"} {
		files, err := filepath.Glob(filepath.Join(beside, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			name, err := filepath.Rel(beside, file)
			if err != nil {
				t.Fatal(err)
			}
			gpus, levels := generations[compiled%len(generations):][:1], []int{3}
			if tier.All() {
				gpus, levels = sm.Names(), []int{0, 1, 2, 3}
			}
			compiled++
			t.Run(filepath.ToSlash(name), func(t *testing.T) {
				t.Parallel()
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				for _, gpu := range gpus {
					for _, level := range levels {
						compileOnce(t, file, data, gpu, level)
					}
				}
			})
		}
	}
	if compiled == 0 {
		t.Errorf("there are no kernels beside %s", corpus.Dir(t))
	}
}

func compileOnce(t *testing.T, file string, data []byte, gpu string, level int) {
	t.Helper()
	var said bytes.Buffer
	c := tileir.NewContext()
	c.Diag.Push(c.Diag.PrintTo(&said))
	module, err := tileir.Read(c, file, data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compile.To(context.Background(), module, compile.Options{GPU: gpu, OptLevel: level}); err != nil {
		t.Errorf("%s -O%d: %v\n%s", gpu, level, err, &said)
	}
}
