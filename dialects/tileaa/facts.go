package tileaa

import (
	"math"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/divisibility"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/dataflow/provenance"
)

func init() {
	Level.AttachFacts()
	Assume.Attach(provenance.Passes(1), tile.Cheap.Is(struct{}{}), tile.Linear.Is(tile.SameElements), intrange.Infer.Is(func(op ir.Op, in []intrange.Range) []intrange.Range {
		if !in[0].IsInt() {
			return in
		}
		lower, upper := int64(math.MinInt64), int64(math.MaxInt64)
		if v, ok := op.IntAttr(AttrLower); ok {
			lower = v
		}
		if v, ok := op.IntAttr(AttrUpper); ok {
			upper = v
		}
		if r, ok := intrange.Meet(in[0], intrange.Signed(in[0].W, lower, upper)); ok {
			return []intrange.Range{r}
		}
		return in
	}), divisibility.Infer.Is(func(op ir.Op, in []divisibility.Operand) []divisibility.Fact {
		if by, ok := op.IntAttr(AttrDivBy); ok && in[0].Width > 0 {
			return []divisibility.Fact{in[0].DivisibleBy(uint64(by))}
		}
		return []divisibility.Fact{in[0].Fact}
	}))
}
