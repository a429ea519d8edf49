package pipeline

import (
	"context"
	"fmt"
	"testing"

	"github.com/tilewright/tilewright/passes"
)

// BenchmarkManager shows what the manager itself costs for a pass on an operation.
func BenchmarkManager(b *testing.B) {
	for _, n := range []int{10, 1000} {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf("f%d", i))
		}
		op := parse(b, funcs(names...))
		reg := registryOf(b, testPass("idle", func(p *passes.Pass) {
			p.Run = func(r *passes.Run) error { return nil }
		}))
		p, err := Parse(reg, "test.module(test.func(idle,idle,idle,idle))")
		if err != nil {
			b.Fatal(err)
		}
		for _, workers := range []int{1, 0} {
			b.Run(fmt.Sprintf("ops=%d/workers=%d", n, workers), func(b *testing.B) {
				b.ReportAllocs()
				for range b.N {
					if _, err := (&Manager{Workers: workers}).Run(context.Background(), p, op); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*4), "ns/run")
			})
		}
	}
}

// BenchmarkPlan shows how computing a default pipeline grows with the number of steps.
func BenchmarkPlan(b *testing.B) {
	for _, n := range []int{10, 40, 80} {
		ps := compilerPasses()
		for i := range n {
			edit := []func(*passes.Pass){needs(lvlMid, laidOut), step(passes.Step{})}
			if i > 0 {
				edit = append(edit, after(fmt.Sprintf("step-%d", i-1), "steps come in order"))
			}
			ps = append(ps, testPass(fmt.Sprintf("step-%d", i), edit...))
		}
		reg := registryOf(b, ps...)
		b.Run(fmt.Sprintf("steps=%d", n), func(b *testing.B) {
			for range b.N {
				if _, err := NewPlan(reg, Goal{From: lvlHigh, To: lvlLow, Target: &passes.Target{OptLevel: 3}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
