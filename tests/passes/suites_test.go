package passes

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// Every pass of levels 1 to 3 has a suite tests/suite/passes/PASS.mlir. Kernels there whose names begin with
// "unchanged" are what the pass must leave alone, and it is held to that here: they come out of it bit by bit as they
// were, while at least one other kernel does not. A conversion, which changes everything, shows what it refuses
// instead.
const unchanged = "unchanged"

// lowered reports whether a pass works at level 1, 2 or 3.
func lowered(p *passes.Pass) bool {
	between := func(l *passes.Property) bool {
		return l != nil && l.Rank() >= property.TileAA.Rank() && l.Rank() <= property.NVVM.Rank()
	}
	if between(p.Level()) || between(p.TargetLevel()) {
		return true
	}
	for _, s := range p.Steps {
		if between(s.Level) {
			return true
		}
	}
	return false
}

// TestPassSuites holds every pass to its suite.
func TestPassSuites(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, p := range passes.Default.Passes() {
		if !lowered(p) {
			continue
		}
		tried++
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("..", "suite", "passes", p.Name+".mlir")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("no suite: %v", err)
			}
			if p.TargetLevel() != nil {
				if !bytes.Contains(text, []byte("expected-error")) && !bytes.Contains(text, []byte("-NOT:")) {
					t.Errorf("%s shows nothing that the pass refuses or must not make", file)
				}
				return
			}
			s := &passSuite{t: t, pass: p, target: &passes.Target{GPU: gpuOf(text), OptLevel: 3}}
			for _, chunk := range asm.Split(text) {
				s.run(file, chunk.Text)
			}
			if p.Tries && s.changed == 0 && s.kept > 0 {
				return // nothing follows it here that it could try; the suite has pipelines that do
			}
			if s.kept == 0 || s.changed == 0 {
				t.Errorf("%s has %d kernels '@%s...' and %d others that the pass changes, expected some of both", file, s.kept, unchanged, s.changed)
			}
		})
	}
	if tried < 15 {
		t.Errorf("%d passes are of levels 1 to 3, expected more", tried)
	}
}

var gpuFlag = regexp.MustCompile(`// RUN: .*--gpu-name=(sm_\w+)`)

// gpuOf returns the target of the first RUN line that names one.
func gpuOf(text []byte) string {
	if m := gpuFlag.FindSubmatch(text); m != nil {
		return string(m[1])
	}
	return "sm_90"
}

// A passSuite is the suite of one pass, being held against it.
type passSuite struct {
	t             *testing.T
	pass          *passes.Pass
	target        *passes.Target
	kept, changed int
}

// run runs the pass on a part of a suite. Parts that do not verify, or that the pass refuses, are not about what it
// keeps.
func (s *passSuite) run(file string, text []byte) {
	ctx := tileir.NewContext()
	ctx.AllowUnregistered = true
	defer ctx.Diag.Push(func(*ir.Diagnostic) {})()
	module, err := tileir.Read(ctx, file, text)
	if err != nil {
		return
	}
	before := kernelsOf(s.t, module)
	p := pipeline.New(module.Name())
	item, err := pipeline.ParsePass(passes.Default, s.pass.Name, "")
	if err != nil {
		s.t.Fatal(err)
	}
	on := s.pass.On
	for name := range before { // a pass for any operation runs on the kernels
		if on == "" {
			on = before[name].op
		}
	}
	if on == "" {
		return
	}
	p.Append(pipeline.NestPath(ctx, module.Name(), on), item)
	m := &pipeline.Manager{Target: s.target}
	_, err = m.Run(s.t.Context(), p, module)
	after := kernelsOf(s.t, module)
	for name, k := range before {
		same := err == nil && after[name].text == k.text
		switch {
		case strings.HasPrefix(name, unchanged) && !same:
			s.t.Errorf("%s: @%s must come out as it is, but is now (error: %v)\n%s", file, name, err, after[name].text)
		case strings.HasPrefix(name, unchanged):
			s.kept++
		case !same && err == nil:
			s.changed++
		}
	}
}

type kernelText struct{ op, text string }

// kernelsOf returns the texts of the kernels of a module.
func kernelsOf(t *testing.T, module ir.Op) map[string]kernelText {
	out := make(map[string]kernelText)
	for _, op := range kernelOps(module) {
		out[op.SymbolName()] = kernelText{op.Name(), string(kerneltest.Print(t, op, true))}
	}
	return out
}

// kernelOps returns the kernels of a module.
func kernelOps(module ir.Op) (out []ir.Op) {
	module.Walk(func(op ir.Op) ir.WalkResult {
		if op.HasTrait(ir.IsolatedFromAbove) && op.SymbolName() != "" && !op.HasTrait(ir.SymbolTable) {
			out = append(out, op)
			return ir.SkipBelow
		}
		return ir.Advance
	})
	return out
}
