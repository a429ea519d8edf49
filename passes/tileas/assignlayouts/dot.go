package assignlayouts

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
	"github.com/tilewright/tilewright/target/sm"
)

// A dotPlan is how a dot is computed: the instruction, and the layouts of its operands.
type dotPlan struct {
	mma       *tileas.MMAAttr
	a, b, acc linear.Layout
}

// planDot chooses a matrix instruction and the arrangement of warps for a dot; without an instruction, each thread computes its elements alone.
func (a *assigner) planDot(op ir.Op) (dotPlan, error) {
	tc := tensorOf(op.Operand(2))
	row := matrix.Choose(a.arch, matrix.Types(op), matrix.Depth(op))
	if row == nil {
		return a.planFMA(op, tc, matrix.Depth(op))
	}
	shape := shapeOf(tc)
	m, n := shape[len(shape)-2], shape[len(shape)-1]
	wm, wn := arrangeWarps(a.warps, max(1, m/row.M), max(1, n/row.N.Max))
	p := dotPlan{mma: tileas.MMA(a.ctx, string(row.Family), row.M, row.N.Max, row.K, wm, wn)}
	op.SetAttr(tileas.AttrMMA, p.mma)
	tile, err := matrix.TileOf(op)
	if err != nil {
		return dotPlan{}, err
	}
	p.a, p.b, p.acc = tile.A, tile.B, tile.C
	a.operandParts(op, p)
	return p, nil
}

// operandParts gives operands that are parts of a tensor the layout of their fragments: all parts then reach the threads at once, and each is a choice of registers.
func (a *assigner) operandParts(op ir.Op, p dotPlan) {
	for i, l := range []linear.Layout{p.a, p.b} {
		if def := op.Operand(i).DefiningOp(); !def.IsNil() && def.Is(tileas.Level.Extract) {
			class := a.classes.find(op.Operand(i))
			a.layouts[class], a.pinned[class] = l, true
		}
	}
}

// patch is how many adjacent rows, and columns, of the accumulator a thread computes where there are enough: each operand it reads serves that many.
const patch = 4

// planFMA gives each thread a patch of the accumulator, the rows of A and the columns of B that it needs.
func (a *assigner) planFMA(op ir.Op, tc *ir.TensorType, k int) (dotPlan, error) {
	shape := shapeOf(tc)
	r := len(shape)
	ones := func() []int {
		out := make([]int, r)
		for i := range out {
			out[i] = 1
		}
		return out
	}
	size, lanes, warps := ones(), ones(), ones()
	n := tc.NumElements() / int64(32*a.warps)
	for _, d := range []int{r - 1, r - 2} {
		for size[d] < patch && size[d] < shape[d] && n > 1 {
			size[d] *= 2
			n /= 2
		}
	}
	lanes[r-1] = min(8, max(1, shape[r-1]/size[r-1]))
	lanes[r-2] = 32 / lanes[r-1]
	wm, wn := arrangeWarps(a.warps, max(1, shape[r-2]/(size[r-2]*lanes[r-2])), max(1, shape[r-1]/(size[r-1]*lanes[r-1])))
	warps[r-2], warps[r-1] = wm, wn
	acc, err := linear.Blocked(shape, size, lanes, warps, rowMajor(r))
	if err != nil {
		return dotPlan{}, op.Errorf("cannot be distributed: %v", err)
	}
	p := dotPlan{mma: tileas.MMA(a.ctx, string(sm.FMA), 1, 1, 1, wm, wn), acc: acc}
	op.SetAttr(tileas.AttrMMA, p.mma)
	if p.a, err = acc.RowsOf(k); err == nil {
		p.b, err = acc.ColumnsOf(k)
	}
	if err != nil {
		return dotPlan{}, op.Errorf("cannot be distributed: %v", err)
	}
	return p, nil
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
