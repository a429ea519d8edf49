package assignlayouts

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

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
	case op.Is(l.TiledStore), op.Is(l.Store), op.Is(l.TiledAtomic), op.Is(l.AtomicRMW), op.Is(l.AtomicCAS):
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
	if tile.IsHalf(t.Elem) {
		return a.packedLayout(t, order, max(vector, 2))
	}
	bits := tile.ElementBytes(t.Elem) * 8
	// A vector that leaves threads without work costs more than it saves.
	for vector > 1 && t.NumElements()/int64(vector) < int64(32*a.warps) {
		vector /= 2
	}
	return linear.Coalesced(shapeOf(t), bits, vector*bits, 32, a.warps, order)
}

// packedLayout returns the coalesced layout for elements of half a byte that are packed along order[0]: that of the bytes, with both halves in one thread.
func (a *assigner) packedLayout(t *ir.TensorType, order []int, vector int) (linear.Layout, error) {
	shape := shapeOf(t)
	shape[order[0]] /= 2
	bytes, err := linear.Coalesced(shape, 8, vector/2*8, 32, a.warps, order)
	if err != nil {
		return linear.Layout{}, err
	}
	return bytes.WidenAlong(order[0], 2)
}

// splitsBytes reports whether the layout of an accessed tile leaves the two elements of a byte to different threads, neither of which could then access it.
func splitsBytes(op ir.Op, v ir.Value) bool {
	l, ok := tileas.LayoutOf(v.Type())
	dim, packed := op.IntAttr(tile.AttrPacked)
	return ok && packed && l.Contiguity(int(dim)) == 1
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
