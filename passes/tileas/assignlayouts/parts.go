package assignlayouts

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

// Operations on parts (extract, insert, cat) work inside a thread: it holds all parts of the whole, in the layout of one of them. Which part is meant is then a
// choice of registers, even when it is known at run time only.

func tensorOf(v ir.Value) *ir.TensorType { return v.Type().(*ir.TensorType) }

// ratio returns how many elements of the result of a pack or unpack one of the operand makes, or else how many of the operand one of the result has; the other is 1.
func ratio(op ir.Op) (results, operands int) {
	from, to := ir.BitWidth(tensorOf(op.Operand(0)).Elem), ir.BitWidth(tensorOf(op.Result(0)).Elem)
	return max(1, from/to), max(1, to/from)
}

// naturalParts is natural for operations on parts and bytes.
func naturalParts(op ir.Op, src linear.Layout) (linear.Layout, error) {
	lv := tileas.Level
	switch {
	case op.Is(lv.Extract):
		return src.Part(shapeOf(tensorOf(op.Result(0))))
	case op.Is(lv.Cat):
		return src.Whole(shapeOf(tensorOf(op.Result(0))))
	case op.Is(lv.Pack), op.Is(lv.Unpack):
		results, operands := ratio(op)
		if operands > 1 {
			return src.Narrow(operands)
		}
		return src.Widen(results)
	}
	return linear.Layout{}, errNoSuggestion
}

// wantedParts is wanted for operations on parts and bytes.
func wantedParts(op ir.Op, dst linear.Layout) (linear.Layout, error) {
	lv := tileas.Level
	shape := shapeOf(tensorOf(op.Operand(0)))
	switch {
	case op.Is(lv.Extract):
		return dst.Whole(shape)
	case op.Is(lv.Cat), op.Is(lv.Insert):
		return dst.Part(shape)
	case op.Is(lv.Pack), op.Is(lv.Unpack):
		results, operands := ratio(op)
		if results > 1 {
			return dst.Narrow(results)
		}
		return dst.Widen(operands)
	}
	return linear.Layout{}, errNoSuggestion
}

// settleParts makes the operands and the result of an operation on parts fit: the layout of the part decides.
func (a *assigner) settleParts(op ir.Op) error {
	lv := tileas.Level
	part, whole, wanting := op.Operand(0), op.Result(0), []int{0}
	switch {
	case op.Is(lv.Cat):
		wanting = []int{0, 1}
	case op.Is(lv.Extract):
		part, whole, wanting = op.Result(0), op.Operand(0), nil
	}
	l, ok := tileas.LayoutOf(part.Type())
	if !ok { // made wherever it is wanted
		class, _ := tileas.LayoutOf(op.Result(0).Type())
		var err error
		if l, err = class.Part(shapeOf(tensorOf(part))); err != nil {
			return op.Errorf("cannot be distributed: %v", err)
		}
	}
	all, err := l.Whole(shapeOf(tensorOf(whole)))
	if err != nil {
		return op.Errorf("cannot be distributed: %v", err)
	}
	for _, i := range wanting {
		a.want(op, i, l)
	}
	switch {
	case op.Is(lv.Extract):
		a.want(op, 0, all)
		return nil
	case op.Is(lv.Insert):
		a.want(op, 1, all)
	}
	a.yields(op, 0, all)
	return nil
}

// settleWanted: the operand in the layout that the result's class asks for.
func (a *assigner) settleWanted(op ir.Op) error {
	dst, _ := tileas.LayoutOf(op.Result(0).Type())
	l, err := wanted(op, dst)
	if err != nil {
		return op.Errorf("cannot be distributed: %v", err)
	}
	a.want(op, 0, l)
	return nil
}

// settleScan: operands and results in a layout that is in order along the dimension. What a class has is taken if it is, and has several warps along the dimension only where
// they have nothing better to do.
func (a *assigner) settleScan(op ir.Op) error {
	dim, _ := op.IntAttr(tile.AttrDim)
	best, err := linear.Sequential(shapeOf(tensorOf(op.Operand(0))), int(dim), 32, a.warps)
	if err != nil {
		return op.Errorf("cannot be distributed: %v", err)
	}
	l, ok := tileas.LayoutOf(op.Operand(0).Type())
	if ok {
		seq, err := l.Sequence(int(dim))
		ok = err == nil && (seq.Warps == 0 || best.DimBits(linear.Warp, int(dim)) != 0)
	}
	if !ok {
		l = best
	}
	for i := range op.NumOperands() {
		a.want(op, i, l)
	}
	for i := range op.NumResults() {
		a.yields(op, i, l)
	}
	return nil
}

// maxPrinted is how many elements of a tensor are printed: each of them is a register of every thread.
const maxPrinted = 1024

// settlePrint: one thread prints, so it must hold everything.
func (a *assigner) settlePrint(op ir.Op) error {
	for i, v := range op.Operands() {
		if !isTensor(v) {
			continue
		}
		if n := tensorOf(v).NumElements(); n > maxPrinted {
			return op.Errorf("prints a tensor of %d elements, but at most %d are supported", n, maxPrinted)
		}
		l, err := linear.Everywhere(shapeOf(tensorOf(v)), 32, a.warps)
		if err != nil {
			return op.Errorf("cannot be distributed: %v", err)
		}
		a.want(op, i, l)
	}
	return nil
}
