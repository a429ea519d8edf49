package asm

import (
	"io"
	"testing"

	"github.com/tilewright/tilewright/ir/asm/asmtest"
)

const benchOps = 200_000

func BenchmarkParse(b *testing.B) {
	for _, bt := range asmtest.BenchTexts {
		src := []byte(asmtest.BenchText(benchOps, bt.Op))
		b.Run(bt.Name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				ctx, _ := asmtest.NewContext(b)
				if _, err := Parse(ctx, "b.mlir", src, ParseOptions{ImplicitModule: asmtest.Module}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchOps, "ns/op-parsed")
		})
	}
}

func BenchmarkPrint(b *testing.B) {
	for _, bt := range asmtest.BenchTexts {
		op := parseOK(b, asmtest.BenchText(benchOps, bt.Op))
		for _, opts := range []struct {
			name string
			PrintOptions
		}{{"custom", PrintOptions{}}, {"generic", PrintOptions{Generic: true}}, {"debug", PrintOptions{DebugInfo: true}}} {
			b.Run(bt.Name+"/"+opts.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := Print(io.Discard, op, opts.PrintOptions); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchOps, "ns/op-printed")
			})
		}
	}
}

// Cost per operation must not grow with the module.
func TestParseIsLinear(t *testing.T) {
	for _, bt := range asmtest.BenchTexts {
		small := testing.AllocsPerRun(1, func() { parseOK(t, asmtest.BenchText(1000, bt.Op)) })
		large := testing.AllocsPerRun(1, func() { parseOK(t, asmtest.BenchText(16000, bt.Op)) })
		if large > 20*small {
			t.Errorf("%s: %.0f allocations for 1000 operations, %.0f for 16000", bt.Name, small, large)
		}
	}
}
