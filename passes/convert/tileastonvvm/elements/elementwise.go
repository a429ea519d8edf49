package elements

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// elementwise repeats an operation for every register.
//
//	%c = arith.addf %a, %b : tensor<64xf32, #l>       %c0 = arith.addf %a0, %b0 : f32 ; %c1 = arith.addf %a1, %b1 : f32
func elementwise(l *core.Lowering, op ir.Op) error {
	result := op.Result(0)
	// The operands and the result have one layout, so register r of one belongs to register r of the others. A scalar
	// operand, as the condition of a select may be, has one register for all.
	types := l.ConvertType(result.Type())
	for i, v := range op.Operands() {
		if n := len(l.Values(v)); n != 1 && n != len(types) {
			return op.Errorf("has an operand #%d of %d registers, and a result of %d", i, n, len(types))
		}
	}
	attrs := append(op.InherentAttrs(), op.DiscardableAttrs().Entries...)
	regs := make([]ir.Value, len(types))
	for r, t := range types {
		operands := make([]ir.Value, op.NumOperands())
		for i, v := range op.Operands() {
			operands[i] = l.RegisterOf(v, r)
		}
		regs[r] = l.Create(op.Def(), operands, []ir.Type{t}, attrs...).Result(0)
	}
	l.Bind(result, regs...)
	return nil
}

func constant(l *core.Lowering, op ir.Op) error {
	a := arith.Splat(op.AttrAt(0))
	if a == nil {
		return constantTable(l, op)
	}
	fill(l, op.Result(0), l.Const(a))
	return nil
}

// fill makes every register of v the same value.
//
// One SSA value for all registers: no instruction, and what is computed of it alone is computed once.
func fill(l *core.Lowering, v, x ir.Value) {
	regs := make([]ir.Value, l.Count(v.Type()))
	for i := range regs {
		regs[i] = x
	}
	l.Bind(v, regs...)
}

func splat(l *core.Lowering, op ir.Op) error {
	fill(l, op.Result(0), l.Value(op.Operand(0)))
	return nil
}

func unsplat(l *core.Lowering, op ir.Op) error {
	// A tile of one element has no bits that distinguish threads, so all hold it, and the scalar is uniform without an
	// exchange. Branches on it rely on that.
	l.Bind(op.Result(0), l.Values(op.Operand(0))[:1]...)
	return nil
}

func broadcast(l *core.Lowering, op ir.Op) error {
	dst, err := l.Layout(op.Result(0))
	if err != nil {
		return err
	}
	shape := op.Operand(0).Type().(*ir.TensorType).Shape
	source := make([]int, len(shape))
	for i, d := range shape {
		source[i] = int(d)
	}
	// Coordinates along repeated dimensions are dropped; the operand's layout was chosen so that what is left is in
	// the same thread, and the result's registers name the operand's.
	from, err := dst.BroadcastRegisters(source)
	if err != nil {
		return op.Errorf("cannot be done in place: %v", err)
	}
	src := l.Values(op.Operand(0))
	regs := make([]ir.Value, len(from))
	for r, f := range from {
		if f >= len(src) {
			return op.Errorf("operand has not the layout that the result's needs")
		}
		regs[r] = src[f]
	}
	l.Bind(op.Result(0), regs...)
	return nil
}

func makeRange(l *core.Lowering, op ir.Op) error {
	lay, err := l.Layout(op.Result(0))
	if err != nil {
		return err
	}
	// An element of a range is its own coordinate.
	p := l.CoordinatesOf(lay)
	t := ir.ElementType(op.Result(0).Type())
	regs := make([]ir.Value, lay.Size(linear.Register))
	for r := range regs {
		v, k := p.Split(r, 0)
		if k != 0 {
			v = l.Make(arith.AddI, l.I32(), v, l.Const32(k))
		}
		regs[r] = l.Resize(v, t)
	}
	l.Bind(op.Result(0), regs...)
	return nil
}
