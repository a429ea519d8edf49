package compile_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// entries is the text of a module with so many copies of a corpus kernel, whose parameters are independent of each
// other.
func entries(b *testing.B, name string, n int) []byte {
	b.Helper()
	text, err := os.ReadFile(filepath.Join(corpus.Dir(b), "cases", name, "k.mlir"))
	if err != nil {
		b.Fatal(err)
	}
	symbol := regexp.MustCompile(`entry @\w+`)
	var out bytes.Buffer
	for i := range n {
		out.Write(symbol.ReplaceAll(text, fmt.Appendf(nil, "entry @k%d", i)))
	}
	return out.Bytes()
}

func parse(b *testing.B, text []byte) ir.Op {
	b.Helper()
	module, err := tileir.Read(tileir.NewContext(), "entries", text)
	if err != nil {
		b.Fatal(err)
	}
	return module
}

// BenchmarkEntries takes a module of 200 kernels from text to PTX. With -cpu 1,2,4 it shows how far they are compiled
// in parallel.
func BenchmarkEntries(b *testing.B) {
	text := entries(b, "matmul_f16", 200)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := compile.To(context.Background(), parse(b, text), compile.Options{GPU: "sm_90", OptLevel: 3}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkConversions measures the conversions between levels alone, on 200 kernels.
func BenchmarkConversions(b *testing.B) {
	text := entries(b, "matmul_f16", 200)
	for _, c := range []struct {
		pass string
		to   *passes.Property
	}{
		{"convert-cuda-tile-to-tileaa", property.TileAA}, {"convert-tileaa-to-tileas", property.TileAS}, {"convert-tileas-to-nvvm", property.NVVM},
	} {
		b.Run(c.pass, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				w := &stopwatch{pass: c.pass, start: b.StartTimer, stop: b.StopTimer}
				if _, err := compile.To(context.Background(), parse(b, text),
					compile.Options{GPU: "sm_90", OptLevel: 3, To: c.to, NoVerify: true, Instruments: []pipeline.Instrument{w}}); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
		})
	}
}

// A stopwatch measures one pass.
type stopwatch struct {
	pass        string
	start, stop func()
}

func (w *stopwatch) BeforePass(ev *pipeline.Event) {
	if ev.Item.Pass.Name == w.pass {
		w.start()
	}
}

func (w *stopwatch) AfterPass(ev *pipeline.Event) {
	if ev.Item.Pass.Name == w.pass {
		w.stop()
	}
}
