package assignlayouts

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
	"github.com/tilewright/tilewright/target/sm"
)

// seedDot chooses a matrix instruction and the warp tiling for a dot, unless the dot names them. Without an
// instruction, each thread computes its elements alone.
//
// The instruction is the first row of the target's table that takes the types (package mma). The first warp
// tiling is the squarest. Take a tile of 64 x 64 in four warps. In 2 x 2, each warp reads half of A and half of
// B; in 4 x 1, a quarter of A and all of B. See searchTilings for other choices.
func (c *chooser) seedDot(op ir.Op) error {
	row := mma.Choose(c.arch, mma.Types(op), mma.KExtent(op))
	if c.named[op] {
		var err error
		if row, err = instr.RowOf(op); err != nil {
			return err
		}
	} else if async, cols, a := c.chooseAsync(op); async != nil {
		row = async
		c.name(op, tileas.MMA(c.ctx, string(row.Family), row.M, cols, row.K, a.M, a.N), a.Transposed)
	} else if row != nil {
		shape := transfer.Shape(op.Operand(2))
		m, n := shape[len(shape)-2], shape[len(shape)-1]
		// A tile smaller than the instruction counts as one: a fragment may hold copies.
		a := c.warpTilingOf(op, mma.WarpTiling{M: max(1, m/row.M), N: max(1, n/row.N.Max)})
		op.SetAttr(tileas.AttrMMA, tileas.MMA(c.ctx, string(row.Family), row.M, row.N.Max, row.K, a.M, a.N))
		if row.Family != sm.FMA {
			c.dealOut(op, tileas.MMAOf(op), c.unitAlong(op.Operand(0), 2), c.unitAlong(op.Operand(1), 1))
		}
	}
	var s transfer.Signature
	var err error
	if row == nil || row.Family == sm.FMA {
		s, err = c.planFMA(op)
	} else if s.Operands, _, err = instr.LayoutsOf(op); err == nil {
		s.Results = s.Operands[2:3]
	}
	if err != nil {
		return err
	}
	c.dots[op] = s
	switch {
	case instr.InTMEM(op):
		err = c.turnOperands(op, s)
	case instr.Async(op):
		err = c.passOperands(op, s)
	}
	if err != nil {
		return err
	}
	// A dot in each iteration of a loop fixes the layout of its accumulator.
	c.fix(op.Result(0), s.Results[0])
	for i, v := range op.Operands()[:2] {
		// If each subtile of an operand has the layout of the fragments, all of them reach the threads at once,
		// and taking one selects registers. The cost of a single subtile does not show that.
		if def := v.DefiningOp(); !def.IsNil() && def.Is(tileas.Level.Extract) && s.Operands[i].Dims() > 0 {
			c.fix(v, s.Operands[i])
		}
	}
	return nil
}

// fix gives a class a fixed layout, that of the last dot in it. If an accumulator is passed on to a dot with
// another shape of fragment, one of the two converts. Costs decide that; the classes need not prevent it.
func (c *chooser) fix(v ir.Value, l linear.Layout) {
	if _, given := tileas.LayoutOf(v.Type()); given || !c.classed(v) {
		return
	}
	class := c.classes.Find(v)
	c.homes[class], c.fixed[class] = l, true
}

// squareTiling divides the warps over tilesM x tilesN instruction tiles. Each warp's part is as square as
// possible, since a warp reads rows of A and columns of B.
func squareTiling(warps, tilesM, tilesN int) (wm, wn int) {
	wm, wn = 1, 1
	for wm*wn < warps {
		// An instruction tile is 16x8, so a warp's part has twice as many elements along M as tiles.
		m, n := 2*tilesM/wm, tilesN/wn
		switch {
		case m >= n && tilesM > wm, tilesN <= wn && tilesM > wm:
			wm *= 2
		case tilesN > wn:
			wn *= 2
		default:
			wm *= 2 // more warps than tiles: the rest hold copies
		}
	}
	return wm, wn
}

// planFMA gives each thread a patch of the accumulator, the rows of A and the columns of B that it needs.
//
// A thread that owns element (i, j) reads all of row i of A and all of column j of B, so no partial accumulators
// have to be exchanged.
func (c *chooser) planFMA(op ir.Op) (s transfer.Signature, err error) {
	acc, given := tileas.LayoutOf(op.Result(0).Type())
	if !given { // of an accumulator without a matrix instruction the attribute has the warp tiling
		var wm, wn int
		if acc, wm, wn, err = linear.Patches(transfer.Shape(op.Result(0)), runOf(op.Operand(0)), runOf(op.Operand(1)), c.warps); err != nil {
			return s, op.Errorf("cannot be distributed: %v", err)
		}
		op.SetAttr(tileas.AttrMMA, tileas.MMA(c.ctx, string(sm.FMA), 1, 1, 1, wm, wn))
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

// runOf is how many adjacent elements of an operand a thread should have: those of an access of 16 bytes. It is
// at most 4, beyond which a patch gets less square and each thread reads more.
func runOf(v ir.Value) int {
	const most = 4
	return max(1, min(most, tile.MaxVectorBytes/tile.ElementBytes(ir.ElementType(v.Type()))))
}
