package generate_test

import (
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/check/generate"
)

// TestIndexed generates kernels with loops whose tiles stand where loaded numbers say: of pages, of pages in tables of
// tables, of gathered rows, for one accumulator and for several.
func TestIndexed(t *testing.T) {
	t.Parallel()
	tier.Long(t)
	const first, seeds = 128, 100
	pages, tables, rows, several := 0, 0, 0, 0
	for seed := range uint64(seeds) {
		read(t, seed, generate.New(first+seed, generate.Options{Products: true}).Text).Walk(func(op ir.Op) ir.WalkResult {
			if !op.Is(cudatile.For) {
				return ir.Advance
			}
			loaded := make(map[ir.Value]int) // on how many loads of the loop one rests, one behind the other
			multiplied := 0
			for inner := range op.Body().Ops() {
				most := 0
				for _, v := range inner.Operands() {
					most = max(most, loaded[v])
				}
				if inner.Is(cudatile.LoadView) && most > 0 {
					pages++
					tables += max(0, most-1)
				}
				if inner.Is(cudatile.LoadPtr) && most > 0 {
					rows++
				}
				if inner.Is(cudatile.LoadView) || inner.Is(cudatile.LoadPtr) {
					most++
				}
				if inner.Is(cudatile.MmaF) || inner.Is(cudatile.MmaI) {
					if acc := inner.Operand(2); acc.IsBlockArg() {
						multiplied++
					}
				}
				for _, r := range inner.Results() {
					loaded[r] = most
				}
			}
			if multiplied > 1 {
				several++
			}
			return ir.Advance
		})
	}
	if least := seeds / 20; pages < least || tables < least || rows < least || several < least {
		t.Errorf("of %d kernels have %d loads of pages, %d by tables of tables, %d gathers, %d loops with several accumulators", seeds, pages, tables, rows, several)
	}
}
