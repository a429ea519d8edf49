package compile_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// BenchmarkToPTX takes kernels from bytecode to PTX, the verifier running after every pass as it does by default.
func BenchmarkToPTX(b *testing.B) {
	for _, name := range []string{"vadd_f32", "softmax_rows_f16", "matmul_f16", "matmul_f16_big_tile"} {
		data, err := os.ReadFile(filepath.Join(corpus.Dir(b), "cases", name, "k.tileirbc"))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ctx := tileir.NewContext()
				module, err := tileir.Read(ctx, name, data)
				if err != nil {
					b.Fatal(err)
				}
				r, err := compile.To(context.Background(), module, compile.Options{GPU: "sm_90", OptLevel: 3})
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(r.PTX)))
			}
		})
	}
}
