package asm

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// benchText is a module of n operations in functions of a thousand.
func benchText(n int, op func(sb *strings.Builder, i int)) string {
	var sb strings.Builder
	for f := 0; f*1000 < n; f++ {
		fmt.Fprintf(&sb, "t.func @f%d(%%a: i32, %%b: f32) {\n  %%0 = \"u.first\"() : () -> i32\n", f)
		for i := 1; i < 1000; i++ {
			op(&sb, i)
		}
		sb.WriteString("}\n")
	}
	return sb.String()
}

var benchTexts = []struct {
	name string
	op   func(sb *strings.Builder, i int)
}{
	{"generic", func(sb *strings.Builder, i int) {
		fmt.Fprintf(sb, "  %%%d = \"t.add\"(%%%d, %%a) : (i32, i32) -> i32\n", i, i-1)
	}},
	{"format", func(sb *strings.Builder, i int) { fmt.Fprintf(sb, "  %%%d = t.add %%%d, %%a : i32\n", i, i-1) }},
	{"attrs", func(sb *strings.Builder, i int) {
		fmt.Fprintf(sb, "  %%%d = \"t.add\"(%%%d, %%a) <{mode = \"fast\"}> {n = %d : i32} : (i32, i32) -> i32\n", i, i-1, i%100)
	}},
	{"named", func(sb *strings.Builder, i int) {
		fmt.Fprintf(sb, "  %%name_%d = \"t.add\"(%%a, %%a) : (i32, i32) -> i32\n", i)
	}},
}

const benchOps = 200_000

func BenchmarkParse(b *testing.B) {
	for _, bt := range benchTexts {
		src := []byte(benchText(benchOps, bt.op))
		b.Run(bt.name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				ctx, _ := newCtx(b)
				if _, err := Parse(ctx, "b.mlir", src, ParseOptions{ImplicitModule: testModule}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchOps, "ns/op-parsed")
		})
	}
}

func BenchmarkPrint(b *testing.B) {
	for _, bt := range benchTexts {
		op := parseOK(b, benchText(benchOps, bt.op))
		for _, opts := range []struct {
			name string
			PrintOptions
		}{{"custom", PrintOptions{}}, {"generic", PrintOptions{Generic: true}}, {"debug", PrintOptions{DebugInfo: true}}} {
			b.Run(bt.name+"/"+opts.name, func(b *testing.B) {
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
	for _, bt := range benchTexts {
		small := testing.AllocsPerRun(1, func() { parseOK(t, benchText(1000, bt.op)) })
		large := testing.AllocsPerRun(1, func() { parseOK(t, benchText(16000, bt.op)) })
		if large > 20*small {
			t.Errorf("%s: %.0f allocations for 1000 operations, %.0f for 16000", bt.name, small, large)
		}
	}
}
