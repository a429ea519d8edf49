package assignlayouts

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
	"github.com/tilewright/tilewright/target/sm"
)

// seedDot chooses a matrix instruction and the arrangement of warps for a dot, unless it names them; without an instruction, each thread computes its elements alone.
//
// The instruction is the first row of the target's table that takes the types (package matrix). The first arrangement of warps is the squarest: for a tile of 64 x 64 in four warps, 2 x 2 makes each warp read
// half of A and half of B; 4 x 1 a quarter of A and all of B. See arrange for when that is not the last word.
func (c *chooser) seedDot(op ir.Op) error {
	row := matrix.Choose(c.arch, matrix.Types(op), matrix.Depth(op))
	if c.named[op] {
		var err error
		if row, err = matrix.RowOf(op); err != nil {
			return err
		}
	} else if async, cols, a := c.chooseAsync(op); async != nil {
		row = async
		c.name(op, tileas.MMA(c.ctx, string(row.Family), row.M, cols, row.K, a.m, a.n), a.transposed)
	} else if row != nil {
		shape := transfer.Shape(op.Operand(2))
		m, n := shape[len(shape)-2], shape[len(shape)-1]
		// A tile smaller than the instruction counts as one: a fragment may hold copies.
		a := c.arrangementOf(op, arrangement{m: max(1, m/row.M), n: max(1, n/row.N.Max)})
		op.SetAttr(tileas.AttrMMA, tileas.MMA(c.ctx, string(row.Family), row.M, row.N.Max, row.K, a.m, a.n))
		if row.Family != sm.FMA {
			c.interleave(op)
		}
	}
	var s transfer.Signature
	var err error
	if row == nil || row.Family == sm.FMA {
		s, err = c.planFMA(op)
	} else {
		if s.Operands, _, err = matrix.LayoutsOf(op); err == nil {
			s.Results = s.Operands[2:3]
		}
	}
	if err != nil {
		return err
	}
	c.dots[op] = s
	if matrix.Async(op) && !matrix.InTensorMemory(op) {
		if err := c.passFactors(op, s); err != nil {
			return err
		}
	}
	// A dot in each iteration of a loop leaves no choice to what it adds to.
	c.fix(op.Result(0), s.Results[0])
	for i, v := range op.Operands()[:2] {
		// All parts of an operand reach the threads at once if each has the layout of the fragments, and taking one is then a choice of registers. The cost of a single
		// part does not tell.
		if def := v.DefiningOp(); !def.IsNil() && def.Is(tileas.Level.Extract) && s.Operands[i].Dims() > 0 {
			c.fix(v, s.Operands[i])
		}
	}
	return nil
}

// A class has one fixed layout, that of the last dot in it. When a product's sum goes on as the sum of another
// dot of another shape of fragment, one of the two converts; that is for costs to bear, not for the classes to
// prevent.
func (c *chooser) fix(v ir.Value, l linear.Layout) {
	if _, ok := given(v); ok || !c.classed(v) {
		return
	}
	class := c.classes.find(v)
	c.homes[class], c.fixed[class] = l, true
}

// arrangeWarps divides the warps over tiles x tiles instruction tiles so that each warp's part is as square as possible, since a warp reads
// rows of A and columns of B.
func arrangeWarps(warps, tilesM, tilesN int) (wm, wn int) {
	wm, wn = 1, 1
	for wm*wn < warps {
		// An instruction tile is 16x8, so in elements a part has twice the rows.
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
