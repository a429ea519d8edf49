package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

// elementwise repeats an operation for every register.
//
//	%c = arith.addf %a, %b : tensor<64xf32, #l>       %c0 = arith.addf %a0, %b0 : f32 ; %c1 = arith.addf %a1, %b1 : f32
func (l *lowering) elementwise(op ir.Op) error {
	result := op.Result(0)
	// The operands and the result have one layout, so register r of one belongs to register r of the others. A scalar operand, as the condition of a select may be, has one register for all.
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
			operands[i] = l.registerOf(v, r)
		}
		regs[r] = l.Create(op.Def(), operands, []ir.Type{t}, attrs...).Result(0)
	}
	l.Bind(result, regs...)
	return nil
}

func (l *lowering) constant(op ir.Op) error {
	a := arith.Splat(op.AttrAt(0))
	if a == nil {
		return l.constantTable(op)
	}
	l.fill(op.Result(0), l.constAttr(a))
	return nil
}

// fill makes every register of v the same value.
//
// One SSA value for all registers: no instruction, and what is computed of it alone is computed once.
func (l *lowering) fill(v, x ir.Value) {
	regs := make([]ir.Value, l.count(v.Type()))
	for i := range regs {
		regs[i] = x
	}
	l.Bind(v, regs...)
}

func (l *lowering) splat(op ir.Op) error {
	l.fill(op.Result(0), l.Value(op.Operand(0)))
	return nil
}

func (l *lowering) unsplat(op ir.Op) error {
	// A tile of one element has no bits to tell threads apart, so all hold it, and the scalar is uniform without an exchange. Branches on it rely on that.
	l.Bind(op.Result(0), l.Values(op.Operand(0))[:1]...)
	return nil
}

// same: the registers stay what they are, only the coordinates change their names.
// Reshapes and permutations are linear on the bits of coordinates, so there is a layout of the result under which every element stays where it is (arXiv
// 2505.23819); assign-layouts gives it.
func (l *lowering) same(op ir.Op) error {
	src, dst := l.Values(op.Operand(0)), l.count(op.Result(0).Type())
	if len(src) != dst {
		return op.Errorf("changes the number of registers from %d to %d", len(src), dst)
	}
	l.Bind(op.Result(0), src...)
	return nil
}

func (l *lowering) broadcast(op ir.Op) error {
	dst, err := l.layout(op.Result(0))
	if err != nil {
		return err
	}
	shape := op.Operand(0).Type().(*ir.TensorType).Shape
	source := make([]int, len(shape))
	for i, d := range shape {
		source[i] = int(d)
	}
	// Coordinates along repeated dimensions are dropped; the operand's layout was chosen so that what is left is in the same thread, and the result's registers name the operand's.
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

func (l *lowering) makeRange(op ir.Op) error {
	lay, err := l.layout(op.Result(0))
	if err != nil {
		return err
	}
	// An element of a range is its own coordinate.
	p := l.place(lay)
	t := ir.ElementType(op.Result(0).Type())
	regs := make([]ir.Value, lay.Size(linear.Register))
	for r := range regs {
		v, k := p.split(r, 0)
		if k != 0 {
			v = l.create(arith.AddI, l.i32(), v, l.const32(k))
		}
		regs[r] = l.resize(v, t)
	}
	l.Bind(op.Result(0), regs...)
	return nil
}

// resize makes a non-negative i32 another integer type.
func (l *lowering) resize(v ir.Value, t ir.Type) ir.Value {
	switch w := ir.BitWidth(t); {
	case w > 32:
		return l.create(arith.ExtUI, t, v)
	case w < 32:
		return l.create(arith.TruncI, t, v)
	}
	return v
}

// extend makes a signed integer 64 bits wide.
func (l *lowering) extend(v ir.Value) ir.Value {
	if ir.BitWidth(v.Type()) < 64 {
		return l.create(arith.ExtSI, l.i64(), v)
	}
	return v
}

func (l *lowering) addPtr(op ir.Op) error {
	result := op.Result(0)
	pointee := ir.ElementType(result.Type()).(*tile.PtrType).Pointee
	// The offset is signed and counts elements. It is widened before it is multiplied, since the product may not fit its type.
	size, half := int64(tile.ElementBytes(pointee)), tile.IsHalf(pointee)
	t := l.elem(result.Type())
	regs := make([]ir.Value, l.count(result.Type()))
	for r := range regs {
		off := l.extend(l.registerOf(op.Operand(1), r))
		switch {
		// Rounded down, so that the address is of the byte that the element is in.
		case half: // an odd number has no address
			off = l.create(arith.ShRSI, l.i64(), off, l.const64(1))
		case size > 1:
			off = l.create(arith.MulI, l.i64(), off, l.const64(size))
		}
		regs[r] = l.create(nvvm.PtrAdd, t, l.registerOf(op.Operand(0), r), off)
	}
	l.Bind(result, regs...)
	return nil
}

// programID: tile blocks are CTAs, or clusters of them, so their number in the grid is that of the CTA or cluster, along each of three axes
// (cuda_tile.get_tile_block_id).
func (l *lowering) programID(op ir.Op) error {
	prefix := "ctaid."
	if l.shared() {
		prefix = "clusterid."
	}
	if op.Is(tileas.Level.NumPrograms) {
		prefix = "n" + prefix
	}
	for i, axis := range []string{"x", "y", "z"} {
		l.Bind(op.Result(i), l.sreg(prefix+axis))
	}
	return nil
}
