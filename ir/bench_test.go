package ir

import (
	"runtime"
	"testing"
	"time"
)

// The benchmark that decided the storage builds one block of a million operations with two operands and a result each.
// It does so in the arena and in two storages of the usual kinds (bench_storage_test.go).
// docs/measurements/ir-storage.md has the figures.
//
//	go test ./ir -run '^$' -bench Storage -benchtime 3x

const benchOps = 1_000_000

// A benchStorage builds and changes a block of operations. Operation i uses the results of i-1 and of an earlier one
// that near says.
type benchStorage interface {
	build(n int)
	walk() int   // visits every operation and both its operands, and returns how many operations there are
	replaceAll() // makes every use of every odd operation's result one of its predecessor's
	eraseOdd()   // erases every odd operation; they have no uses
	operations() int
}

// near returns which earlier operation operation i uses besides its predecessor.
func near(i int) int { return max(i-1-(i*7)%64, 0) }

func BenchmarkStorage(b *testing.B) {
	for _, s := range []struct {
		name string
		make func() benchStorage
	}{
		{"arena", func() benchStorage { return &arenaStorage{} }},
		{"structs", func() benchStorage { return &structStorage{} }},
		{"slabs", func() benchStorage { return &slabStorage{} }},
	} {
		b.Run(s.name, func(b *testing.B) { benchmarkStorage(b, s.make) })
	}
}

func benchmarkStorage(b *testing.B, make func() benchStorage) {
	var build, walk, replace, erase, gc time.Duration
	var bytes uint64
	for range b.N {
		before := heap()
		s := make()
		build += timed(func() { s.build(benchOps) })
		bytes += heap() - before
		gc += timed(runtime.GC)
		walk += timed(func() {
			if n := s.walk(); n != benchOps {
				b.Fatalf("walked %d operations", n)
			}
		})
		replace += timed(s.replaceAll)
		erase += timed(s.eraseOdd)
		if n := s.walk(); n != benchOps/2 {
			b.Fatalf("%d operations are left", n)
		}
		runtime.KeepAlive(s)
	}
	perOp := func(d time.Duration, ops int) float64 { return float64(d.Nanoseconds()) / float64(b.N) / float64(ops) }
	b.ReportMetric(0, "ns/op") // of the entire iteration: means nothing
	b.ReportMetric(perOp(build, benchOps), "build-ns/op")
	b.ReportMetric(perOp(walk, benchOps), "walk-ns/op")
	b.ReportMetric(perOp(replace, benchOps/2), "replace-ns/value")
	b.ReportMetric(perOp(erase, benchOps/2), "erase-ns/op")
	b.ReportMetric(float64(bytes)/float64(b.N)/benchOps, "bytes/op")
	b.ReportMetric(gc.Seconds()*1e3/float64(b.N), "gc-ms")
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

// heap returns how many bytes are in use after a collection.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkManyEntries builds a module of ten thousand small isolated operations, each of which has an arena.
func BenchmarkManyEntries(b *testing.B) {
	const entries, opsEach = 10_000, 30
	var build time.Duration
	var bytes uint64
	for range b.N {
		c := NewContext(testDialect)
		before := heap()
		var module Op
		build += timed(func() { module = buildEntries(c, entries, opsEach) })
		bytes += heap() - before
		runtime.KeepAlive(module)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(build.Microseconds())/float64(b.N)/entries, "build-us/entry")
	b.ReportMetric(float64(bytes)/float64(b.N)/entries, "bytes/entry")
}

func buildEntries(c *Context, entries, opsEach int) Op {
	top := NewBuilder(c.NewArena())
	st := top.NewState(testFunc, nil)
	body := st.AddRegion().AddBlock()
	module := top.Insert(st)
	mb := BuilderAtEnd(body)
	i32 := c.Int(32)
	for range entries {
		st := mb.NewState(testFunc, nil)
		entry := st.AddRegion().AddBlock(i32)
		mb.Insert(st)
		fb := BuilderAtEnd(entry)
		v := entry.Arg(0)
		for range opsEach {
			v = fb.Create(testAdd, []Value{v, v}, []Type{i32}).Result(0)
		}
	}
	return module
}

// The arena as it is used.
type arenaStorage struct{ fn Op }

func (s *arenaStorage) build(n int) {
	c := NewContext(testDialect)
	top := NewBuilder(c.NewArena())
	st := top.NewState(testFunc, nil)
	i32 := c.Int(32)
	block := st.AddRegion().AddBlock(i32)
	s.fn = top.Insert(st)
	b := BuilderAtEnd(block)
	first := Value{block.a, block.Arg(0).id + 1} // values are numbered as they are made
	operands, types := make([]Value, 2), []Type{i32}
	for i := range n {
		if i == 0 {
			operands[0], operands[1] = block.Arg(0), block.Arg(0)
		} else {
			operands[0] = Value{block.a, first.id + uint32(i-1)}
			operands[1] = Value{block.a, first.id + uint32(near(i))}
		}
		b.Create(testAdd, operands, types)
	}
}

func (s *arenaStorage) walk() int {
	n, uses := 0, 0
	for op := range s.fn.Body().Ops() {
		n++
		for i := range op.NumOperands() {
			uses += op.Operand(i).ID() & 1
		}
	}
	if uses < 0 {
		return -1
	}
	return n
}

func (s *arenaStorage) replaceAll() {
	i := 0
	for op := range s.fn.Body().Ops() {
		if i&1 == 1 {
			op.Result(0).ReplaceAllUsesWith(op.Prev().Result(0))
		}
		i++
	}
}

func (s *arenaStorage) eraseOdd() {
	i := 0
	for op := range s.fn.Body().Ops() {
		if i&1 == 1 {
			op.Erase()
		}
		i++
	}
}

func (s *arenaStorage) operations() int { return s.fn.InnerArena().NumOps() }
