package tests

import (
	"bytes"
	"io"
	"runtime"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/tests/large"
)

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
	text := large.Text(200)
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
