package vectorgen

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
	"github.com/mmcloughlin/avo/reg"
)

// A generator makes the kernels of one engine.
type generator struct {
	*build.Context
	constants map[string]operand.Mem // by name, so that each is in memory once
	avx512    bool                   // F, VL
	masks     map[uint32]reg.OpmaskVirtual
}

// text begins a function, and returns its name.
func (g *generator) text(name, signature string) string {
	if g.avx512 {
		name += "AVX512"
	}
	g.Function(name)
	g.masks = make(map[uint32]reg.OpmaskVirtual)
	g.Attributes(attr.NOSPLIT)
	g.SignatureExpr(signature)
	return name
}

// tiles makes the kernels that each set of instructions has its own of.
func (g *generator) tiles() {
	g.products()
	g.arithmetic()
	g.order()
	g.compare()
	g.integers()
	g.conversions()
	g.negations()
	g.repetitions()
	g.memory()
	g.exponential()
}

// The kernels in the tree are those that the generator makes.
func TestKernels(t *testing.T) {
	t.Parallel()
	for _, engine := range []struct {
		folder, file string
		avx512       bool
		kernels      func(g *generator)
	}{
		{"../interp/vector", "kernels", false, func(g *generator) {
			g.features()
			g.tiles()
			g.tangent()
			g.choice()
			g.pairs()
			g.columns()
		}},
		{"../interp/vector", "kernels_avx512", true, (*generator).tiles},
		{"../emu/vector", "kernels", false, (*generator).warps},
	} {
		g := &generator{Context: build.NewContext(), constants: make(map[string]operand.Mem), avx512: engine.avx512}
		g.ConstraintExpr("amd64")
		engine.kernels(g)
		f, err := g.Result()
		if err != nil {
			t.Fatal(err)
		}
		if err := pass.Compile.Execute(f); err != nil {
			t.Fatal(err)
		}
		cfg := printer.Config{Name: "vectorgen", Pkg: filepath.Base(engine.folder)}
		for ext, p := range map[string]printer.Printer{".s": printer.NewGoAsm(cfg), ".go": printer.NewStubs(cfg)} {
			want, err := p.Print(f)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(engine.folder, engine.file+"_amd64"+ext)
			if os.Getenv("TILEWRIGHT_UPDATE") == "1" {
				if err := os.WriteFile(path, want, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := os.ReadFile(path); err != nil {
				t.Error(err)
			} else if !bytes.Equal(got, want) {
				t.Errorf("%s is not what the generator makes (TILEWRIGHT_UPDATE=1 writes it):\n%s", path, cmp.Diff(string(got), string(want)))
			}
		}
	}
}
