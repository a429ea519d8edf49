package bytecode_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
)

// synthetic returns the text of a module with entries of about ops operations each: arithmetic, memory accesses in
// token order, and loops.
func synthetic(entries, ops int) string {
	const block = `  %%c%[1]d = constant <i32: %[1]d> : tile<64xi32>
  %%a%[1]d = addi %%c%[1]d, %%i : tile<64xi32>
  %%m%[1]d = muli %%a%[1]d, %%a%[1]d overflow<no_signed_wrap> : tile<64xi32>
  %%p%[1]d = offset %%ps, %%m%[1]d : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
  %%l%[1]d, %%t%[1]d = load_ptr_tko weak %%p%[1]d token=%%tok : tile<64xptr<f32>> -> tile<64xf32>, token
  %%x%[1]d = mulf %%l%[1]d, %%l%[1]d : tile<64xf32>
  %%b%[1]d = cmpf less_than ordered %%x%[1]d, %%l%[1]d : tile<64xf32> -> tile<64xi1>
  %%s%[1]d = select %%b%[1]d, %%x%[1]d, %%l%[1]d : tile<64xi1>, tile<64xf32>
  %%f%[1]d = for %%k in (%%n to %%n, step %%n) : tile<i32> iter_values(%%v = %%s%[1]d) -> (tile<64xf32>) {
    %%w = addf %%v, %%x%[1]d : tile<64xf32>
    continue %%w : tile<64xf32>
  }
  %%u%[1]d = store_ptr_tko weak %%p%[1]d, %%f%[1]d token=%%t%[1]d : tile<64xptr<f32>>, tile<64xf32> -> token
`
	var sb strings.Builder
	for e := range entries {
		fmt.Fprintf(&sb, "entry @k%d(%%p: tile<ptr<f32>>, %%n: tile<i32>) {\n", e)
		sb.WriteString(`  %r = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
  %ps = broadcast %r : tile<1xptr<f32>> -> tile<64xptr<f32>>
  %i = iota : tile<64xi32>
  %tok = make_token : token
`)
		for i := range ops / strings.Count(block, "\n") {
			fmt.Fprintf(&sb, block, i)
		}
		sb.WriteString("  return\n}\n")
	}
	return sb.String()
}

func countOps(op ir.Op) int {
	n := 0
	op.Walk(func(ir.Op) ir.WalkResult { n++; return ir.Advance })
	return n
}

func benchmarkRead(b *testing.B, entries, perEntry int) {
	module := parse(b, synthetic(entries, perEntry))
	data := encode(b, module, bytecode.Newest())
	n := countOps(module)
	runtime.GC()
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		// A context of its own: what is measured includes making types and attributes unique.
		if _, err := bytecode.Read(ir.NewContext(ops.Dialect), data); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mops/s")
	b.ReportMetric(float64(len(data))/float64(n), "file-B/op")
}

// The goal is two million operations a second.
func BenchmarkRead(b *testing.B)        { benchmarkRead(b, 1, 200_000) }
func BenchmarkReadEntries(b *testing.B) { benchmarkRead(b, 100, 2_000) }
func BenchmarkReadSmall(b *testing.B)   { benchmarkRead(b, 1, 100) }

func BenchmarkWrite(b *testing.B) {
	module := parse(b, synthetic(1, 200_000))
	n := countOps(module)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if _, err := bytecode.Encode(module, bytecode.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mops/s")
}
