package tileasassignlayouts

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// A dotPlan is how a dot is computed: the instruction, and the fragments of its operands.
type dotPlan struct {
	a, b, acc linear.Layout
}

// anchor chooses the layouts of the classes that contain a matrix multiplication or an access to memory.
func (a *assigner) anchor() error {
	a.layouts = make(map[int]linear.Layout)
	a.pinned = make(map[int]bool)
	a.dots = make(map[ir.Op]dotPlan)
	weight := make(map[int]int64)
	var firstErr error
	a.fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.Level.Dot) {
			plan, err := a.planDot(op)
			if err != nil {
				firstErr = err
				return ir.Interrupt
			}
			a.dots[op] = plan
			class := a.classes.find(op.Result(0))
			a.layouts[class], a.pinned[class] = plan.acc, true
		}
		return ir.Advance
	})
	if firstErr != nil {
		return firstErr
	}
	a.fn.Walk(func(op ir.Op) ir.WalkResult {
		v := accessed(op)
		if v.IsNil() || !isTensor(v) || flexible(v) {
			return ir.Advance
		}
		class := a.classes.find(v)
		t := v.Type().(*ir.TensorType)
		bytes := t.NumElements() * int64(tile.ElementBytes(t.Elem))
		if a.pinned[class] || bytes <= weight[class] {
			return ir.Advance
		}
		l, err := a.memoryLayout(op, t)
		if err != nil {
			firstErr = op.Errorf("cannot be distributed: %v", err)
			return ir.Interrupt
		}
		a.layouts[class], weight[class] = l, bytes
		return ir.Advance
	})
	return firstErr
}

// accessed returns the tensor that an operation moves from or to global memory, or a zero Value.
func accessed(op ir.Op) ir.Value {
	l := tileas.Level
	switch {
	case op.Is(l.TiledLoad), op.Is(l.Load):
		return op.Result(0)
	case op.Is(l.TiledStore), op.Is(l.Store):
		return op.OperandNamed("value")
	}
	return ir.Value{}
}

// memoryLayout returns the coalesced layout for an access of a tensor.
func (a *assigner) memoryLayout(op ir.Op, t *ir.TensorType) (linear.Layout, error) {
	order := rowMajor(len(t.Shape))
	vector := 1
	if op.Is(tileas.Level.TiledLoad) || op.Is(tileas.Level.TiledStore) {
		acc := tile.AccessOf(op)
		if dim := acc.ContiguousDim(); dim >= 0 {
			order = append([]int{dim}, remove(order, dim)...)
			vector = acc.VectorElements()
		}
	}
	bits := tile.ElementBytes(t.Elem) * 8
	// A vector that leaves threads without work costs more than it saves.
	for vector > 1 && t.NumElements()/int64(vector) < int64(32*a.warps) {
		vector /= 2
	}
	return linear.Coalesced(shapeOf(t), bits, vector*bits, 32, a.warps, order)
}

func rowMajor(rank int) []int {
	order := make([]int, rank)
	for i := range order {
		order[i] = rank - 1 - i
	}
	return order
}

func remove(list []int, x int) []int {
	var out []int
	for _, y := range list {
		if y != x {
			out = append(out, y)
		}
	}
	return out
}

func shapeOf(t *ir.TensorType) []int {
	out := make([]int, len(t.Shape))
	for i, d := range t.Shape {
		out[i] = int(d)
	}
	return out
}

// planDot chooses the mma.sync instruction and the arrangement of warps for a dot.
func (a *assigner) planDot(op ir.Op) (dotPlan, error) {
	ta, tb, tc := op.Operand(0).Type().(*ir.TensorType), op.Operand(1).Type().(*ir.TensorType), op.Operand(2).Type().(*ir.TensorType)
	mma, ok := instruction(ta.Elem)
	if !ok {
		return dotPlan{}, op.Errorf("has no matrix instruction for these element types yet")
	}
	shape := shapeOf(tc)
	m, n := shape[len(shape)-2], shape[len(shape)-1]
	k := int(ta.Shape[len(ta.Shape)-1])
	if m < mma.M || n < mma.N || k < mma.K {
		return dotPlan{}, op.Errorf("of %dx%dx%d is smaller than its matrix instruction m%dn%dk%d", m, n, k, mma.M, mma.N, mma.K)
	}
	wm, wn := arrangeWarps(a.warps, m/mma.M, n/mma.N)
	var p dotPlan
	var err error
	if p.acc, err = mma.Accumulator(shape, wm, wn); err == nil {
		if p.a, err = mma.OperandA(shapeOf(ta), wm, wn); err == nil {
			p.b, err = mma.OperandB(shapeOf(tb), wm, wn)
		}
	}
	if err != nil {
		return dotPlan{}, op.Errorf("has no fragment layout: %v", err)
	}
	return p, nil
}

// instruction returns the mma.sync shape for operands of an element type.
func instruction(elem ir.Type) (linear.MMA, bool) {
	f, ok := elem.(*ir.FloatType)
	if !ok {
		return linear.MMA{}, false
	}
	switch f.Format {
	case numeric.F16, numeric.BF16:
		return linear.MMA{M: 16, N: 8, K: 16, ElemBits: 16}, true
	case numeric.TF32:
		return linear.MMA{M: 16, N: 8, K: 8, ElemBits: 32}, true
	}
	return linear.MMA{}, false
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
