package assignlayouts

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/target/sm"
)

// planFMA gives each thread a patch of the accumulator, the rows of A and the columns of B that it needs.
//
// A thread that owns element (i, j) reads all of row i of A and all of column j of B, so no partial accumulators
// have to be exchanged.
func (c *chooser) planFMA(op ir.Op) (s transfer.Signature, err error) {
	acc, ok := given(op.Result(0))
	if !ok {
		if acc, err = c.patches(op); err != nil {
			return s, op.Errorf("cannot be distributed: %v", err)
		}
	}
	s = transfer.Fill(op, acc, acc)
	if s.Operands[0], err = acc.RowsOf(mma.KExtent(op)); err == nil {
		s.Operands[1], err = acc.ColumnsOf(mma.KExtent(op))
	}
	if err != nil {
		return s, op.Errorf("cannot be distributed: %v", err)
	}
	return s, nil
}

// patches distributes the accumulator of a dot without a matrix instruction, and notes the warp tiling in the
// attribute.
func (c *chooser) patches(op ir.Op) (linear.Layout, error) {
	acc, wm, wn, err := linear.Patches(transfer.Shape(op.Result(0)), runOf(op.Operand(0)), runOf(op.Operand(1)), c.warps)
	if err != nil {
		return acc, err
	}
	op.SetAttr(tileas.AttrMMA, tileas.MMA(c.ctx, string(sm.FMA), 1, 1, 1, wm, wn))
	return acc, nil
}

// runOf is how many adjacent elements of an operand a thread should have: those of an access of 16 bytes. It is
// at most 4, beyond which a patch gets less square and each thread reads more.
func runOf(v ir.Value) int {
	const most = 4
	return max(1, min(most, tile.MaxVectorBytes/tile.ElementBytes(ir.ElementType(v.Type()))))
}
