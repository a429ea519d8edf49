package assignlayouts

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

// derive gives the remaining classes layouts: those that a shape operation suggests, forwards before backwards, and a default
// where nothing does.
func (a *assigner) derive() error {
	for {
		for a.sweep(forward) || a.sweep(backward) {
		}
		v := a.firstWithout()
		if v.IsNil() {
			return nil
		}
		t := v.Type().(*ir.TensorType)
		bits := tile.ElementBytes(t.Elem) * 8
		l, err := linear.Coalesced(shapeOf(t), bits, bits, 32, a.warps, rowMajor(len(t.Shape)))
		if err != nil {
			return ir.Errorf(a.fn.Loc(), "a tensor cannot be distributed: %v", err)
		}
		a.layouts[a.classes.find(v)] = l
	}
}

type suggestion func(a *assigner, op ir.Op) (to ir.Value, l linear.Layout, err error)

// sweep applies suggestions in program order and reports whether any class got a layout.
func (a *assigner) sweep(suggest suggestion) (changed bool) {
	a.fn.Walk(func(op ir.Op) ir.WalkResult {
		v, l, err := suggest(a, op)
		if err != nil || v.IsNil() || !isTensor(v) || flexible(v) {
			return ir.Advance
		}
		class := a.classes.find(v)
		if _, ok := a.layouts[class]; !ok {
			a.layouts[class] = l
			changed = true
		}
		return ir.Advance
	})
	return changed
}

// known returns the layout of the class of v.
func (a *assigner) known(v ir.Value) (linear.Layout, bool) {
	if flexible(v) || !isTensor(v) {
		return linear.Layout{}, false
	}
	l, ok := a.layouts[a.classes.find(v)]
	return l, ok
}

// forward suggests what the first result of a shape operation has without any conversion.
func forward(a *assigner, op ir.Op) (ir.Value, linear.Layout, error) {
	if op.NumOperands() == 0 || op.NumResults() == 0 || !isTensor(op.Operand(0)) {
		return ir.Value{}, linear.Layout{}, nil
	}
	src, ok := a.known(op.Operand(0))
	if !ok {
		return ir.Value{}, linear.Layout{}, nil
	}
	l, err := natural(op, src)
	return op.Result(0), l, err
}

// natural returns the layout that the results of a shape operation have when its operands have layout src. A zero error and a
// zero layout never go together; for other operations the error says so.
func natural(op ir.Op, src linear.Layout) (linear.Layout, error) {
	lv := tileas.Level
	switch {
	case op.Is(lv.Reduce):
		dim, _ := op.IntAttr(tile.AttrDim)
		return src.Slice(int(dim))
	case op.Is(lv.Reshape):
		return src.Reshape(shapeOf(op.Result(0).Type().(*ir.TensorType)))
	case op.Is(lv.Permute):
		return src.Permute(permutation(op))
	}
	return naturalParts(op, src)
}

var errNoSuggestion = ir.Errorf(nil, "operation suggests no layout")

func permutation(op ir.Op) []int {
	values := op.Attr(tile.AttrPerm).(*ir.DenseArrayAttr).Values
	out := make([]int, len(values))
	for i, v := range values {
		out[i] = int(v)
	}
	return out
}

// backward suggests the layout of the operand of a shape operation whose result needs no conversion then.
func backward(a *assigner, op ir.Op) (ir.Value, linear.Layout, error) {
	if op.NumOperands() == 0 || op.NumResults() != 1 || !isTensor(op.Operand(0)) {
		return ir.Value{}, linear.Layout{}, nil
	}
	dst, ok := a.known(op.Result(0))
	if !ok {
		return ir.Value{}, linear.Layout{}, nil
	}
	l, err := wanted(op, dst)
	return op.Operand(0), l, err
}

func wanted(op ir.Op, dst linear.Layout) (linear.Layout, error) {
	lv := tileas.Level
	t := op.Operand(0).Type().(*ir.TensorType)
	switch {
	case op.Is(lv.Broadcast):
		return dst.BroadcastSource(shapeOf(t))
	case op.Is(lv.Reshape):
		return dst.Reshape(shapeOf(t))
	case op.Is(lv.Permute):
		perm := permutation(op)
		inverse := make([]int, len(perm))
		for i, p := range perm {
			inverse[p] = i
		}
		return dst.Permute(inverse)
	}
	return wantedParts(op, dst)
}

// firstWithout returns the first value in program order whose class has no layout, or a zero Value.
func (a *assigner) firstWithout() (found ir.Value) {
	lacks := func(v ir.Value) bool {
		if !isTensor(v) || flexible(v) {
			return false
		}
		_, ok := a.layouts[a.classes.find(v)]
		return !ok
	}
	a.fn.Walk(func(op ir.Op) ir.WalkResult {
		values := op.Results()
		for i := range op.NumRegions() { // a carried value may have no connection but to flexible ones
			for b := range op.Region(i).Blocks() {
				values = append(values, b.Args()...)
			}
		}
		for _, v := range values {
			if lacks(v) {
				found = v
				return ir.Interrupt
			}
		}
		return ir.Advance
	})
	return found
}
