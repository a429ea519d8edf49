package exec

import (
	"bytes"
	"context"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/pipeline/check/fuzz"
	"github.com/tilewright/tilewright/pipeline/check/generate"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/ptxas"
)

// agrees checks that the code for one target of each generation, with and without optimisation, does what the
// interpreter does, as do the levels on the way, and that the assembler takes it.
func agrees(t *testing.T, k *generate.Kernel) {
	t.Helper()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	engines := []fuzz.Engine{fuzz.TileAA, fuzz.TileAS, fuzz.PTX} // the levels hardly depend on the target
	for i, gpu := range tier.Generations {
		if !tier.Try(i, 6) {
			continue
		}
		for _, level := range []int{0, 3} {
			f, err := fuzz.Check(context.Background(), k, fuzz.Options{GPU: gpu, OptLevel: level, Engines: engines, Adversarial: level == 3, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			if f != nil {
				t.Fatalf("%s -O%d: %s: %s\n%.2000s", gpu, level, f.Kind, f.Message, k.Text)
			}
		}
		engines = []fuzz.Engine{fuzz.PTX}
		var said bytes.Buffer
		c := tileir.NewContext()
		c.Diag.Push(c.Diag.PrintTo(&said))
		module, err := tileir.Read(c, "k.mlir", k.Text)
		if err != nil {
			t.Fatal(err)
		}
		code, err := compile.To(context.Background(), module, compile.Options{GPU: gpu, OptLevel: 3})
		if err != nil {
			t.Fatalf("%s: %v\n%s", gpu, err, &said)
		}
		if _, err := tool.Assemble(context.Background(), code.PTX, ptxas.Options{Arch: code.Launch.Target}); err != nil {
			t.Errorf("%s: ptxas: %v", gpu, err)
		}
	}
}
