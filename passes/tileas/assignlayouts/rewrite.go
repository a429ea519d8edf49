package assignlayouts

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

// rewrite sets the types and inserts the conversions. Every value first gets the layout of its class; then each operation makes sure of its
// operands, and of its results where it yields another layout than the class has.
func (a *assigner) rewrite() error {
	var all []ir.Op
	a.fn.Walk(func(op ir.Op) ir.WalkResult {
		if op != a.fn {
			all = append(all, op)
		}
		for i := range op.NumRegions() {
			for b := range op.Region(i).Blocks() {
				for _, v := range b.Args() {
					a.setClassType(v)
				}
			}
		}
		for _, v := range op.Results() {
			a.setClassType(v)
		}
		return ir.Advance
	})
	var loose []ir.Op
	for _, op := range all {
		if op.NumResults() == 1 && flexible(op.Result(0)) && isTensor(op.Result(0)) {
			loose = append(loose, op)
			continue
		}
		if err := a.settle(op); err != nil {
			return err
		}
	}
	for _, op := range loose { // every use has its own copy now
		op.Erase()
	}
	return nil
}

func (a *assigner) setClassType(v ir.Value) {
	if t, ok := v.Type().(*ir.TensorType); ok && !flexible(v) {
		v.SetType(tileas.WithLayout(t, a.layouts[a.classes.find(v)]))
	}
}

// settle makes the operands and results of one operation fit.
func (a *assigner) settle(op ir.Op) error {
	lv := tileas.Level
	switch {
	case op.Is(lv.Dot):
		plan := a.dots[op]
		a.want(op, 0, plan.a)
		a.want(op, 1, plan.b)
		a.want(op, 2, plan.acc)
		return nil
	case op.Is(lv.TiledLoad):
		if v := op.Result(0); !isTensor(v) || !a.pinned[a.classes.find(v)] && !splitsBytes(op, v) {
			return nil
		}
		l, err := a.memoryLayout(op, op.Result(0).Type().(*ir.TensorType))
		if err != nil {
			return op.Errorf("cannot be distributed: %v", err)
		}
		a.yields(op, 0, l)
		return nil
	case op.Is(lv.TiledStore), op.Is(lv.TiledAtomic):
		v := op.OperandNamed("value")
		if !isTensor(v) {
			return nil
		}
		if !flexible(v) && !a.pinned[a.classes.find(v)] && !splitsBytes(op, v) {
			return nil
		}
		l, err := a.memoryLayout(op, v.Type().(*ir.TensorType))
		if err != nil {
			return op.Errorf("cannot be distributed: %v", err)
		}
		a.want(op, 0, l)
		return nil
	case op.Is(lv.Reduce), op.Is(lv.Reshape), op.Is(lv.Permute):
		return a.settleForward(op)
	case op.Is(lv.Pack), op.Is(lv.Unpack):
		// The side of the wider elements decides, because a thread needs all that makes one up.
		if _, operands := ratio(op); operands > 1 {
			return a.settleWanted(op)
		}
		return a.settleForward(op)
	case op.Is(lv.Broadcast):
		return a.settleWanted(op)
	case op.Is(lv.Print):
		return a.settlePrint(op)
	case op.Is(lv.Scan):
		return a.settleScan(op)
	case op.Is(lv.Extract), op.Is(lv.Insert), op.Is(lv.Cat):
		return a.settleParts(op)
	case op.Is(lv.Unsplat):
		if flexible(op.Operand(0)) {
			a.want(op, 0, a.defaultLayout(op.Operand(0)))
		}
		return nil
	}
	return a.settleSame(op)
}

// settleForward: all operands in the layout of the first that has one, the results in what follows from it.
func (a *assigner) settleForward(op ir.Op) error {
	var src linear.Layout
	found := false
	for _, v := range op.Operands() {
		if l, ok := tileas.LayoutOf(v.Type()); ok && !found {
			src, found = l, true
		}
	}
	if !found {
		src = a.defaultLayout(op.Operand(0))
	}
	for i := range op.NumOperands() {
		a.want(op, i, src)
	}
	for i := range op.NumResults() {
		if !isTensor(op.Result(i)) {
			continue
		}
		l, err := natural(op, src)
		if err != nil {
			return op.Errorf("cannot be distributed: %v", err)
		}
		a.yields(op, i, l)
	}
	return nil
}

// settleSame: an element-wise operation, a plain access, or control flow; only flexible operands can be in another layout.
func (a *assigner) settleSame(op ir.Op) error {
	same := sameLayout(op)
	var l linear.Layout
	found := false
	for _, v := range same {
		if isTensor(v) && !flexible(v) { // the operand may be a conversion by now, which is in no class
			l, found = tileas.LayoutOf(v.Type())
			break
		}
	}
	for i := range op.NumOperands() {
		v := op.Operand(i)
		if !isTensor(v) || !flexible(v) {
			continue
		}
		if len(same) > 0 && found {
			a.want(op, i, l)
		}
	}
	ir.RegionEdges(op, func(e ir.RegionEdge) {
		for i := range e.Len() {
			if input := e.Input(i); e.From == op && isTensor(input) {
				if l, ok := tileas.LayoutOf(input.Type()); ok {
					a.want(op, e.Lo+i, l)
				}
			}
		}
	})
	for i := range op.NumOperands() { // what nothing constrains
		if v := op.Operand(i); isTensor(v) && flexible(v) {
			if _, ok := tileas.LayoutOf(v.Type()); !ok {
				a.want(op, i, a.defaultLayout(v))
			}
		}
	}
	return nil
}

func (a *assigner) defaultLayout(v ir.Value) linear.Layout {
	t := v.Type().(*ir.TensorType)
	l, err := linear.Coalesced(shapeOf(t), 32, 32, 32, a.warps, rowMajor(len(t.Shape)))
	if err != nil { // shapes and warps were accepted before
		return linear.Layout{}
	}
	return l
}

// want makes operand i of op have layout l: a copy of a flexible value, or a conversion.
func (a *assigner) want(op ir.Op, i int, l linear.Layout) {
	v := op.Operand(i)
	t := tileas.WithLayout(v.Type().(*ir.TensorType), l)
	if v.Type() == ir.Type(t) {
		return
	}
	b := ir.BuilderBefore(op)
	if flexible(v) {
		def := v.DefiningOp()
		b.Loc = def.Loc()
		copied := b.Clone(def, ir.NewMapping())
		copied.Result(0).SetType(t)
		op.SetOperand(i, copied.Result(0))
		return
	}
	key := conversion{v, t}
	made, ok := a.made[key]
	if !ok || made.Block() != op.Block() { // operations are settled in their order, so one of the block stands before op
		a.conversions++
		made = b.Create(tileas.ConvertLayout, []ir.Value{v}, []ir.Type{t})
		a.made[key] = made
	}
	op.SetOperand(i, made.Result(0))
}

// A conversion is named by what it converts and its result's type.
type conversion struct {
	of ir.Value
	to ir.Type
}

// yields says that result i of op comes in layout l, and converts it to the layout of its class for its uses.
func (a *assigner) yields(op ir.Op, i int, l linear.Layout) {
	v := op.Result(i)
	class := v.Type().(*ir.TensorType)
	t := tileas.WithLayout(class, l)
	if ir.Type(t) == ir.Type(class) {
		return
	}
	a.conversions++
	b := ir.BuilderAfter(op)
	conv := b.Create(tileas.ConvertLayout, []ir.Value{v}, []ir.Type{class})
	v.SetType(t)
	v.ReplaceUsesIf(conv.Result(0), func(u ir.Use) bool { return u.Owner() != conv })
}
