package arith

import (
	"github.com/tilewright/tilewright/ir"
)

func verifyShapes(op ir.Op) error {
	want := op.Result(0).Type()
	for i := range op.NumOperands() {
		if t := op.Operand(i).Type(); !SameShape(want, t) {
			return op.Errorf("requires the same shape and encoding for all operands and results, but got '%s' for operand #%d and '%s' for result #0",
				ir.TypeString(t), i, ir.TypeString(want))
		}
	}
	return nil
}

func inferCompare(st *ir.OpState) ([]ir.Type, error) {
	return []ir.Type{WithElement(st.Operands[0].Type(), st.Context().Int(1))}, nil
}

func verifyCompare(op ir.Op) error {
	if a, b := op.Operand(0).Type(), op.Operand(1).Type(); a != b {
		return op.Errorf("requires the same type for all operands, but got '%s' and '%s'", ir.TypeString(a), ir.TypeString(b))
	}
	return verifyShapes(op)
}

func verifySelect(op ir.Op) error {
	t := op.Result(0).Type()
	for i := 1; i <= 2; i++ {
		if v := op.Operand(i).Type(); v != t {
			return op.Errorf("requires both values to have the result type '%s', but got '%s' for operand #%d", ir.TypeString(t), ir.TypeString(v), i)
		}
	}
	if cond := op.Operand(0).Type(); cond != op.Context().Int(1) && !SameShape(cond, t) {
		return op.Errorf("requires a condition of type 'i1' or of the shape of the result, but got '%s' for result '%s'",
			ir.TypeString(cond), ir.TypeString(t))
	}
	return nil
}

func widths(op ir.Op) (in, out int) {
	return ir.BitWidth(ir.ElementType(op.Operand(0).Type())), ir.BitWidth(ir.ElementType(op.Result(0).Type()))
}

func wider(op ir.Op) error {
	if in, out := widths(op); in >= out {
		return op.Errorf("result must be wider than the operand, but got %d bits to %d", in, out)
	}
	return verifyShapes(op)
}

func narrower(op ir.Op) error {
	if in, out := widths(op); in <= out {
		return op.Errorf("result must be narrower than the operand, but got %d bits to %d", in, out)
	}
	return verifyShapes(op)
}

func verifyBitcast(op ir.Op) error {
	if in, out := widths(op); in != out {
		return op.Errorf("operand and result must be equally wide, but got %d bits to %d", in, out)
	}
	return verifyShapes(op)
}

func verifyConstant(op ir.Op) error {
	v, t := op.AttrAt(0).(ir.TypedAttribute), op.Result(0).Type()
	if !constantFits(v, t) {
		return op.Errorf("requires a value of type '%s' for the result type '%s', but got '%s'",
			ir.TypeString(valueType(t)), ir.TypeString(t), ir.TypeString(v.Type()))
	}
	return nil
}

// valueType returns the type of the attributes that are values of type t: t without its encoding.
func valueType(t ir.Type) ir.Type {
	if tt, ok := t.(*ir.TensorType); ok && tt.Encoding != nil {
		return tt.Context().Tensor(tt.Shape, tt.Elem, nil)
	}
	return t
}

// constantFits reports whether the attribute is a value of type t.
func constantFits(v ir.Attribute, t ir.Type) bool {
	typed, ok := v.(ir.TypedAttribute)
	return ok && typed.Type() == valueType(t)
}

func parseConstant(p ir.AsmParser, st *ir.OpState) {
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
	pos := p.Pos()
	v := p.Attr(nil)
	if p.Failed() {
		return
	}
	st.SetAttr(AttrValue, v)
	typed, ok := v.(ir.TypedAttribute)
	if !ok {
		p.ErrorAt(pos, "expected a typed constant, but got %s", ir.AttrString(v))
		return
	}
	t := typed.Type()
	if _, dense := v.(*ir.DenseElementsAttr); dense && p.OptKeyword("as") {
		t = p.Type() // the same tensor with an encoding
	}
	st.Types = []ir.Type{t}
}

func printConstant(p ir.AsmPrinter, op ir.Op) {
	p.OptAttrDict(op, false, AttrValue)
	p.Str(" ")
	v := op.AttrAt(0)
	p.Attr(v)
	if _, unprinted := v.(*ir.IntegerAttr); unprinted {
		return
	}
	if t := op.Result(0).Type(); v.(ir.TypedAttribute).Type() != t {
		p.Str(" as ")
		p.Type(t)
	}
}
