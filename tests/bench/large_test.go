package bench

import (
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

// A largeModule is a module of a number of entries with 1,000 operations each, in all its forms.
type largeModule struct {
	name   string
	text   []byte
	op     ir.Op
	ops    int
	packed []byte
}

func newLargeModule(b *testing.B, name string, entries int) *largeModule {
	m := &largeModule{name: name, text: large.Text(entries)}
	m.op = parseLarge(b, m.text)
	m.ops = countOps(m.op)
	var err error
	if m.packed, err = bytecode.Encode(m.op, bytecode.Options{}); err != nil {
		b.Fatal(err)
	}
	return m
}

// BenchmarkLarge measures the stages of the front end on modules of 10,000 to 1,000,000 operations: IR operations per
// second, allocations for each of them while a stage runs, and how many bytes for each are alive when it is done and
// were not before.
func BenchmarkLarge(b *testing.B) {
	modules := []*largeModule{newLargeModule(b, "10k", 10), newLargeModule(b, "100k", 100), newLargeModule(b, "200k", 200), newLargeModule(b, "1M", 1000)}
	run := func(stage string, size func(m *largeModule) int, work func(b *testing.B, m *largeModule) any) {
		for _, m := range modules {
			b.Run(stage+"/"+m.name, func(b *testing.B) {
				b.SetBytes(int64(size(m)))
				b.ReportAllocs()
				for b.Loop() {
					work(b, m)
				}
				b.StopTimer()
				b.ReportMetric(float64(m.ops)*float64(b.N)/b.Elapsed().Seconds(), "ir-ops/s")
				mallocs, bytes := heapUse(func() any { return work(b, m) })
				b.ReportMetric(mallocs/float64(m.ops), "allocs/ir-op")
				b.ReportMetric(bytes/float64(m.ops), "live-B/ir-op")
			})
		}
	}
	textSize := func(m *largeModule) int { return len(m.text) }
	packedSize := func(m *largeModule) int { return len(m.packed) }
	run("read-bytecode", packedSize, func(b *testing.B, m *largeModule) any {
		op, err := bytecode.Read(tileir.NewContext(), m.packed)
		if err != nil {
			b.Fatal(err)
		}
		return op
	})
	run("parse", textSize, func(b *testing.B, m *largeModule) any { return parseLarge(b, m.text) })
	run("verify", textSize, func(b *testing.B, m *largeModule) any { return ir.Verify(m.op) })
	run("print", textSize, func(b *testing.B, m *largeModule) any { return asm.Print(io.Discard, m.op, asm.PrintOptions{}) })
	run("write-bytecode", packedSize, func(b *testing.B, m *largeModule) any {
		return bytecode.Write(io.Discard, m.op, bytecode.Options{})
	})
}

// heapUse returns how many allocations a stage makes, and the bytes that are alive after it and were not before.
func heapUse(stage func() any) (mallocs, bytes float64) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	result := stage()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(result)
	return float64(after.Mallocs - before.Mallocs), float64(after.HeapAlloc) - float64(before.HeapAlloc)
}
