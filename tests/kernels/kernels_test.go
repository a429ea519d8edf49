package kernels

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
)

// gpus returns the targets that the n-th kernel is compiled for, all in turn. The short tier takes -O3 and one generation.
// The long tier takes -O3 for two generations and one target more, and another level for one target. The exhaustive one
// takes each level for each.
func gpus(n, level int) []string {
	all := sm.Names()
	one := all[n%len(all)]
	switch {
	case tier.Exhaustive():
		return all
	case tier.All() && level == 3:
		tried := tier.Sample(n)
		if !slices.Contains(tried, one) {
			tried = append(tried, one)
		}
		return tried
	case tier.All() && level == n%3:
		return []string{one}
	case level == 3 && n%6 == 0:
		return []string{tier.Generations[n/6%len(tier.Generations)]}
	}
	return nil
}

// TestCompile compiles each kernel in one attempt, so that none needs a fallback. The long tier gives what comes out
// below -O3 to ptxas, the exhaustive one all. Modules that are equal are compiled once, and equal PTX is assembled once.
func TestCompile(t *testing.T) {
	t.Parallel()
	files := corpus.Modules(t)
	var judge assembler
	if tier.All() {
		judge.tool = &ptxas.Tool{Path: judges.Ptxas(t)}
	}
	var compiles atomic.Int64
	t.Cleanup(func() {
		t.Logf("%d modules, %d compiles, %d distinct PTX assembled", len(files), compiles.Load(), judge.assembled.Load())
	})
	for level := 3; level >= 0; level-- {
		t.Run(fmt.Sprintf("O%d", level), func(t *testing.T) {
			t.Parallel()
			for n, file := range files {
				tried := gpus(n, level)
				if len(tried) == 0 {
					continue
				}
				t.Run(file.Name, func(t *testing.T) {
					t.Parallel()
					for _, gpu := range tried {
						compiles.Add(1)
						code := compileOnce(t, file, compile.Options{GPU: gpu, OptLevel: level})
						if code != nil && (tier.Exhaustive() || tier.All() && level < 3) {
							judge.accepts(t, gpu, code)
						}
					}
				})
			}
		})
	}
}

func compileOnce(t *testing.T, file corpus.Module, o compile.Options) *compile.Result {
	t.Helper()
	var said bytes.Buffer
	c := tileir.NewContext()
	c.Diag.Push(c.Diag.PrintTo(&said))
	module, err := tileir.Read(c, file.Path, file.Data)
	if err != nil {
		t.Fatal(err)
	}
	code, err := compile.To(context.Background(), module, o)
	if err != nil {
		t.Errorf("%s: %v\n%s", o.GPU, err, &said)
		return nil
	}
	return code
}

// An assembler takes each text once.
type assembler struct {
	tool      *ptxas.Tool
	seen      sync.Map // sums of texts
	assembled atomic.Int64
}

// accepts fails the test where ptxas rejects the PTX. At -O0 it reads and checks as much as at -O3, and takes less time.
func (a *assembler) accepts(t *testing.T, gpu string, code *compile.Result) {
	t.Helper()
	if _, seen := a.seen.LoadOrStore(sha256.Sum256(code.PTX), true); seen {
		return
	}
	a.assembled.Add(1)
	_, err := a.tool.Assemble(context.Background(), code.PTX, ptxas.Options{Arch: code.Launch.Target, OptLevel: 0})
	if err != nil {
		t.Errorf("%s: %v", gpu, err)
	}
}
