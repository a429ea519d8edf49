package assignlayouts

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
	"github.com/tilewright/tilewright/target/sm"
)

// planFMA gives each thread a patch of the accumulator, the rows of A and the columns of B that it needs.
//
// Rows are whole: a thread that owns elements (i, j) reads A[i, *] and B[*, j], all of K, so that no partial
// sums have to be exchanged.
func (c *chooser) planFMA(op ir.Op) (s transfer.Signature, err error) {
	acc, ok := given(op.Result(0))
	if !ok {
		if acc, err = c.patches(op); err != nil {
			return s, op.Errorf("cannot be distributed: %v", err)
		}
	}
	s = transfer.Fill(op, acc, acc)
	if s.Operands[0], err = acc.RowsOf(matrix.Depth(op)); err == nil {
		s.Operands[1], err = acc.ColumnsOf(matrix.Depth(op))
	}
	if err != nil {
		return s, op.Errorf("cannot be distributed: %v", err)
	}
	return s, nil
}

// patches distributes the accumulator of a dot that threads compute alone, and writes down how.
func (c *chooser) patches(op ir.Op) (linear.Layout, error) {
	acc, wm, wn, err := linear.Patches(transfer.Shape(op.Result(0)), runOf(op.Operand(0)), runOf(op.Operand(1)), c.warps)
	if err != nil {
		return acc, err
	}
	op.SetAttr(tileas.AttrMMA, tileas.MMA(c.ctx, string(sm.FMA), 1, 1, 1, wm, wn))
	return acc, nil
}

// runOf is how many elements of an operand side by side a thread is to have: those of an access of 16 bytes, but no more than are worth a patch that is less square.
func runOf(v ir.Value) int {
	const most = 4
	return max(1, min(most, tile.MaxVectorBytes/tile.ElementBytes(ir.ElementType(v.Type()))))
}
