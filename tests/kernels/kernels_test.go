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

// A setting is what a kernel is compiled for.
type setting struct {
	gpu   string
	level int
}

// settings returns those of the n-th kernel. The short tier takes -O3 and one generation, in turn. The long tier takes
// -O3 for each target, and the other levels for one target, in turn. The exhaustive one takes each level for each.
func settings(n int) (out []setting) {
	if !tier.All() {
		return []setting{{generations[n%len(generations)], 3}}
	}
	for i, gpu := range sm.Names() {
		for level := range 4 {
			if level == 3 || i == n%len(sm.Names()) || tier.Exhaustive() {
				out = append(out, setting{gpu, level})
			}
		}
	}
	return out
}

// TestCompile compiles each kernel in one attempt, so that none needs a fallback.
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
			tried := settings(compiled)
			compiled++
			t.Run(filepath.ToSlash(name), func(t *testing.T) {
				t.Parallel()
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range tried {
					compileOnce(t, file, data, s.gpu, s.level)
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
