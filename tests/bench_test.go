package tests

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// largeText returns a module of entries with 1,000 operations each: integer and floating-point constants and additions, and a few
// stores through pointers.
func largeText(entries int) []byte {
	var sb strings.Builder
	sb.WriteString("cuda_tile.module @large {\n")
	for e := range entries {
		fmt.Fprintf(&sb, "entry @k%d(%%p: tile<ptr<i32>>, %%q: tile<ptr<f32>>) {\n", e)
		sb.WriteString("%i0 = constant <i32: 1> : tile<i32>\n%f0 = constant <f32: 1.0> : tile<f32>\n")
		n := 2
		for k := 1; n < 997; k++ {
			fmt.Fprintf(&sb, "%%c%d = constant <i32: %d> : tile<i32>\n", k, k)
			fmt.Fprintf(&sb, "%%i%d = addi %%i%d, %%c%d : tile<i32>\n", k, k-1, k)
			fmt.Fprintf(&sb, "%%d%d = constant <f32: %d.5> : tile<f32>\n", k, k)
			fmt.Fprintf(&sb, "%%f%d = addf %%f%d, %%d%d : tile<f32>\n", k, k-1, k)
			n += 4
			if k%120 == 0 {
				fmt.Fprintf(&sb, "%%t%d = store_ptr_tko weak %%p, %%i%d : tile<ptr<i32>>, tile<i32> -> token\n", k, k)
				fmt.Fprintf(&sb, "%%u%d = store_ptr_tko weak %%q, %%f%d : tile<ptr<f32>>, tile<f32> -> token\n", k, k)
				n += 2
			}
		}
		sb.WriteString("return\n}\n")
	}
	sb.WriteString("}\n")
	return []byte(sb.String())
}

func parseLarge(tb testing.TB, text []byte) ir.Op {
	tb.Helper()
	op, err := asm.Parse(tileir.NewContext(), "large.mlir", text, asm.ParseOptions{ImplicitModule: cudatile.Module})
	if err != nil {
		tb.Fatal(err)
	}
	return op
}

func countOps(op ir.Op) (n int) {
	op.Walk(func(ir.Op) ir.WalkResult { n++; return ir.Advance })
	return n
}

// BenchmarkLarge measures the stages of the front end on 200 entries with 1,000 operations each: operations per second, and how much the heap
// grows while a stage runs.
func BenchmarkLarge(b *testing.B) {
	text := largeText(200)
	module := parseLarge(b, text)
	ops := countOps(module)
	var packed bytes.Buffer
	if err := bytecode.Write(&packed, module, bytecode.Options{}); err != nil {
		b.Fatal(err)
	}
	run := func(name string, size int, stage func() any) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				stage()
			}
			b.StopTimer()
			b.ReportMetric(float64(ops)*float64(b.N)/b.Elapsed().Seconds(), "ops/s")
			b.ReportMetric(heapGrowth(stage)/float64(ops), "heap-B/op")
		})
	}
	run("read-bytecode", packed.Len(), func() any {
		op, err := bytecode.Read(tileir.NewContext(), packed.Bytes())
		if err != nil {
			b.Fatal(err)
		}
		return op
	})
	run("parse", len(text), func() any { return parseLarge(b, text) })
	run("verify", len(text), func() any { return ir.Verify(module) })
	run("print", len(text), func() any { return asm.Print(io.Discard, module, asm.PrintOptions{}) })
	run("write-bytecode", packed.Len(), func() any {
		return bytecode.Write(io.Discard, module, bytecode.Options{})
	})
}

// heapGrowth returns the bytes that are alive after a stage and were not before.
func heapGrowth(stage func() any) float64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	result := stage()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(result)
	return float64(after.HeapAlloc) - float64(before.HeapAlloc)
}
