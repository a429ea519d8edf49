package elements

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
	"github.com/tilewright/tilewright/target/sm"
)

// packSmall is packBytes for elements several of which make up a byte.
func packSmall(l *core.Lowering, op ir.Op) error {
	if err := widened(l, op, op.Result(0), op.Operand(0)); err != nil {
		return err
	}
	width := ir.BitWidth(ir.ElementType(op.Operand(0).Type()))
	regs := l.Values(op.Operand(0))
	out := make([]ir.Value, len(regs)*width/8)
	for i, v := range regs {
		// A pair is made by its lower half.
		if low, high := roundedHalf(l, regs[i&^1]), roundedHalf(l, regs[min(i|1, len(regs)-1)]); !low.IsNil() && !high.IsNil() {
			if i%2 == 0 {
				out[i*width/8] = l.Make(nvvm.CvtE2M1x2, l.I8(), low, high)
			}
			continue
		}
		shift, b := i*width%8, l.ToByte(v)
		if shift == 0 {
			out[i*width/8] = b
			continue
		}
		b = l.Make(arith.ShLI, l.I8(), b, l.Const8(int64(shift)))
		out[i*width/8] = l.Make(arith.OrI, l.I8(), out[i*width/8], b)
	}
	l.Bind(op.Result(0), out...)
	return nil
}

// unpackSmall is unpackBytes for elements several of which make up a byte.
func unpackSmall(l *core.Lowering, op ir.Op) error {
	if err := widened(l, op, op.Operand(0), op.Result(0)); err != nil {
		return err
	}
	elem := l.Elem(op.Result(0).Type())
	var out []ir.Value
	for _, b := range l.Values(op.Operand(0)) {
		out = append(out, l.SplitByte(b, elem)...)
	}
	l.Bind(op.Result(0), out...)
	return nil
}

// A tile of f32 whose elements are in registers r becomes one of i8 with registers 4r to 4r + 3 in the same
// thread.
func packBytes(l *core.Lowering, op ir.Op) error {
	if ir.BitWidth(ir.ElementType(op.Operand(0).Type())) < 8 {
		return packSmall(l, op)
	}
	// The layouts are tied by Widen when they are assigned. With the bytes of one element in several threads this
	// would be an exchange, which nobody has planned.
	if err := widened(l, op, op.Operand(0), op.Result(0)); err != nil {
		return err
	}
	byteType := l.Elem(op.Result(0).Type())
	var out []ir.Value
	for _, v := range l.Values(op.Operand(0)) {
		v = l.Bits(v)
		t := v.Type()
		// The lowest byte first, as in memory on every target.
		for shift := 0; shift < ir.BitWidth(t); shift += 8 {
			b := v
			if shift > 0 {
				b = l.Make(arith.ShRUI, t, v, l.Const(l.Ctx.IntAttr(t, int64(shift))))
			}
			if t != byteType {
				b = l.Make(arith.TruncI, byteType, b)
			}
			out = append(out, b)
		}
	}
	l.Bind(op.Result(0), out...)
	return nil
}

func unpackBytes(l *core.Lowering, op ir.Op) error {
	if ir.BitWidth(ir.ElementType(op.Result(0).Type())) < 8 {
		return unpackSmall(l, op)
	}
	if err := widened(l, op, op.Result(0), op.Operand(0)); err != nil {
		return err
	}
	elem := l.Elem(op.Result(0).Type())
	t := l.Ctx.Int(ir.BitWidth(elem))
	regs := l.Values(op.Operand(0))
	n := t.Width / 8
	var out []ir.Value
	for ; len(regs) > 0; regs = regs[n:] {
		var whole ir.Value
		for i, b := range regs[:n] {
			if n > 1 {
				b = l.Make(arith.ExtUI, t, b)
			}
			if i > 0 {
				b = l.Make(arith.OrI, t, whole, l.Make(arith.ShLI, t, b, l.Const(l.Ctx.IntAttr(t, int64(8*i)))))
			}
			whole = b
		}
		if ir.Type(t) != elem {
			whole = l.Make(arith.Bitcast, elem, whole)
		}
		out = append(out, whole)
	}
	l.Bind(op.Result(0), out...)
	return nil
}

// widened checks that every thread holds all the parts of its wider elements.
func widened(l *core.Lowering, op ir.Op, wide, parts ir.Value) error {
	w, err := l.Layout(wide)
	if err != nil {
		return err
	}
	p, err := l.Layout(parts)
	if err != nil {
		return err
	}
	n := ir.BitWidth(ir.ElementType(wide.Type())) / ir.BitWidth(ir.ElementType(parts.Type()))
	if all, err := w.Widen(n); err != nil || !all.Equal(p) {
		return op.Errorf("needs a layout in which every thread holds all parts of its wider elements")
	}
	return nil
}

// roundedHalf returns the f32 that a half of a byte was rounded from, to the nearest, if an instruction rounds two of
// them; else a zero Value.
func roundedHalf(l *core.Lowering, v ir.Value) ir.Value {
	def := v.DefiningOp()
	if def.IsNil() || !def.Is(arith.FToF) || !l.Arch.Has(sm.CvtFP4) || def.Operand(0).Type() != l.Ctx.F32() || v.Type() != l.Ctx.Float(numeric.F4E2M1FN) {
		return ir.Value{}
	}
	if mode := def.StringAttr(arith.AttrRounding); mode != "" && mode != "nearest_even" {
		return ir.Value{}
	}
	return def.Operand(0)
}
