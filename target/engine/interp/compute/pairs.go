package compute

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/kernel"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// pairs are the operations that reductions are usually made of.
var pairs = map[*ir.OpDef]func(op ir.Op) func(out, pairs []uint64){
	cudatile.AddF: func(op ir.Op) func(out, pairs []uint64) {
		return kernel.SumsOfPairs(values.FormatOf(values.ElemOf(op.Operand(0))), envOf(op))
	},
	cudatile.MaxF: orderOfPairs(true), cudatile.MinF: orderOfPairs(false),
}

func orderOfPairs(larger bool) func(op ir.Op) func(out, pairs []uint64) {
	return func(op ir.Op) func(out, pairs []uint64) {
		if envOf(op) != (numeric.Env{}) {
			return nil
		}
		return kernel.MinMaxOfPairs(values.FormatOf(values.ElemOf(op.Operand(0))), larger, propagatesNaN(op))
	}
}
