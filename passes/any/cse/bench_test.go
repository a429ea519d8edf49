package cse_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/testdialect"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/any/cse"
)

type discard struct{}

func (discard) Report(*ir.Diagnostic)            {}
func (discard) Count(*passes.Statistic, int64)   {}
func (discard) Artifact(string, passes.Artifact) {}

// BenchmarkCSE runs on blocks of growing size in which every second operation is a repetition. Making the block is
// not timed.
func BenchmarkCSE(b *testing.B) {
	for _, n := range []int{1000, 10000, 100000} {
		b.Run(fmt.Sprintf("ops=%d", n), func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				op := block(n)
				run := passes.NewRun(context.Background(), cse.Pass, op, nil, nil, discard{})
				b.StartTimer()
				if err := cse.Pass.Run(run); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/op-in")
		})
	}
}

// block returns a function of n operations, each a difference of the two before it, and written twice.
func block(n int) ir.Op {
	ctx := ir.NewContext(testdialect.Dialect)
	i32 := []ir.Type{ctx.Int(32)}
	top := ir.NewBuilder(ctx.NewArena())
	st := top.NewState(testdialect.Func, nil)
	body := st.AddRegion().AddBlock(ctx.Int(32), ctx.Int(32))
	b := ir.BuilderAtEnd(body)
	x, y := body.Arg(0), body.Arg(1)
	for range n / 2 {
		a := b.Create(testdialect.Sub, []ir.Value{x, y}, i32).Result(0)
		c := b.Create(testdialect.Sub, []ir.Value{x, y}, i32).Result(0)
		x, y = a, c
	}
	b.Create(testdialect.Use, []ir.Value{x, y}, nil)
	return top.Insert(st)
}
