package passes

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// A pass that has run finds nothing to do: running it again leaves the IR as it is, bit by bit. So a dump may be
// given to the pass that it is of, a pipeline may name a pass twice, and what a pass finds that it cannot do it does
// not half do.

// notIdempotent are the steps of the default pipeline of which that is not true, with why.
var notIdempotent = map[string]string{
	// Operations are taken in order, each while the loop keeps few enough values alive. One that takes the place of
	// several makes room for one that was refused before it. Rounds to a fixed point would hoist more; the limit was
	// measured with one.
	"licm#nvvm": "max-live refuses by what has moved so far",
}

// stepAt returns the name of the default pipeline's step of a pass at a level, and its options.
func stepAt(p *passes.Pass, level *passes.Property) (name, options string) {
	for _, s := range p.Steps {
		if s.Level == level {
			return p.Name + "#" + s.Label, s.Options
		}
	}
	return p.Name, ""
}

// idempotent returns the passes of levels 1 to 3 that run on kernels and leave them at their level.
func idempotent() []*passes.Pass {
	var out []*passes.Pass
	for _, p := range passes.Default.Passes() {
		if lowered(p) && p.TargetLevel() == nil {
			out = append(out, p)
		}
	}
	return out
}

// runOnce runs a pass on the kernels of a module that it is for; ran is false when there are none, or it refuses them.
func runOnce(t *testing.T, p *passes.Pass, target *passes.Target, module ir.Op) (ran bool) {
	t.Helper()
	on := p.On
	for _, k := range kernelOps(module) {
		if on == "" {
			on = k.Name()
		}
		ran = ran || k.Name() == on
	}
	if !ran {
		return false
	}
	_, options := stepAt(p, pipeline.LevelOf(module))
	item, err := pipeline.ParsePass(passes.Default, p.Name, options)
	if err != nil {
		t.Fatal(err)
	}
	line := pipeline.New(module.Name())
	line.Append(pipeline.NestPath(module.Context(), module.Name(), on), item)
	_, err = (&pipeline.Manager{Target: target}).Run(t.Context(), line, module)
	return err == nil
}

// readQuietly reads a module; the zero Op when it is none.
func readQuietly(file string, text []byte) ir.Op {
	ctx := tileir.NewContext()
	ctx.AllowUnregistered = true
	ctx.Diag.Push(func(*ir.Diagnostic) {})
	module, err := tileir.Read(ctx, file, text)
	if err != nil {
		return ir.Op{}
	}
	return module
}

// TestPassesAreIdempotent runs every pass of levels 1 to 3 twice on the kernels of all suites of passes, whichever
// pass they are for.
func TestPassesAreIdempotent(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "suite", "passes", "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no suites: %v", err)
	}
	for _, p := range idempotent() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			ran := 0
			for i, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				target := &passes.Target{GPU: gpuOf(text), OptLevel: 3}
				for k, chunk := range asm.Split(text) {
					if !tier.Try(i+k, 8) {
						continue
					}
					module := readQuietly(file, chunk.Text)
					if module.IsNil() || !runOnce(t, p, target, module) {
						continue
					}
					ran++
					once := kerneltest.Print(t, module, false)
					if !runOnce(t, p, target, module) {
						t.Errorf("%s: fails on what it has made:\n%s", file, once)
					} else if twice := kerneltest.Print(t, module, false); !bytes.Equal(once, twice) {
						t.Errorf("%s: %s", file, kerneltest.FirstDifference(string(once), string(twice)))
					}
				}
			}
			if ran == 0 {
				t.Error("ran on no kernel of the suites")
			}
		})
	}
}

// TestStepsAreIdempotent gives the dump behind each step of the default pipeline to that step's pass again.
func TestStepsAreIdempotent(t *testing.T) {
	t.Parallel()
	folder, names := corpus.Cases(t)
	if !tier.Exhaustive() {
		names = corpus.Representative
	}
	var modules []string
	for _, name := range names {
		modules = append(modules, filepath.Join(folder, name, "k.tileirbc"))
	}
	if tier.Exhaustive() {
		more, err := filepath.Glob(filepath.Join(corpus.Dir(t), "bytecode", "*.tileirbc"))
		if err != nil {
			t.Fatal(err)
		}
		modules = append(modules, more...)
	}
	var differs sync.Map
	t.Cleanup(func() {
		for step := range notIdempotent {
			if _, found := differs.Load(step); !found {
				t.Errorf("%s is idempotent on all that was tried: it need not be listed", step)
			}
		}
	})
	again := make(map[string]*passes.Pass)
	for _, p := range idempotent() {
		again[p.Name] = p
	}
	var listed []string // passes with steps that are not, which the short tier tries too
	for step := range notIdempotent {
		pass, _, _ := strings.Cut(step, "#")
		listed = append(listed, pass)
	}
	for i, module := range modules {
		t.Run(filepath.Base(filepath.Dir(module))+"/"+filepath.Base(module), func(t *testing.T) {
			t.Parallel()
			gpu := []string{"sm_90", "sm_80", "sm_100", "sm_120"}[i%4]
			var dumps bytes.Buffer
			args := []string{"--lower-to=ptx", "--print-after-all", "--print-module-scope", "--gpu-name=" + gpu, module}
			if opttool.TileOpt().Main(args, strings.NewReader(""), new(bytes.Buffer), &dumps) != 0 {
				return // refused; others say how
			}
			for k, d := range splitDumps(t, dumps.Bytes()) {
				p, ok := again[d.pass]
				if !ok || !tier.Try(i+k, 3) && !slices.Contains(listed, d.pass) {
					continue
				}
				m := readQuietly(d.pass, []byte(d.text))
				if m.IsNil() {
					t.Fatalf("the dump after %s cannot be read", d.pass)
				}
				if len(kernelOps(m)) > 1 {
					continue // the others are on their way to this step
				}
				step, _ := stepAt(p, pipeline.LevelOf(m))
				once := kerneltest.Print(t, m, false)
				if !runOnce(t, p, &passes.Target{GPU: gpu, OptLevel: 3}, m) {
					t.Errorf("%s fails on its dump", d.pass)
				} else if twice := kerneltest.Print(t, m, false); !bytes.Equal(once, twice) {
					if notIdempotent[step] == "" {
						t.Errorf("%s: %s", d.pass, kerneltest.FirstDifference(string(once), string(twice)))
					}
					differs.Store(step, true)
				}
			}
		})
	}
}
