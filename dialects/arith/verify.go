package arith

import (
	"github.com/tilewright/tilewright/ir"
)

func verifyShapes(op ir.Op) error {
	want := op.Result(0).Type()
	for i := range op.NumOperands() {
		if !SameShape(want, op.Operand(i).Type()) {
			return op.Errorf("requires the same shape and encoding for all operands and results")
		}
	}
	return nil
}

func inferCompare(st *ir.OpState) ([]ir.Type, error) {
	return []ir.Type{WithElement(st.Operands[0].Type(), st.Context().Int(1))}, nil
}

func verifyCompare(op ir.Op) error {
	if op.Operand(0).Type() != op.Operand(1).Type() {
		return op.Errorf("requires all operands to have the same type")
	}
	return verifyShapes(op)
}

func verifySelect(op ir.Op) error {
	t := op.Result(0).Type()
	if op.Operand(1).Type() != t || op.Operand(2).Type() != t {
		return op.Errorf("requires both values to have the result type")
	}
	if cond := op.Operand(0).Type(); cond != op.Context().Int(1) && !SameShape(cond, t) {
		return op.Errorf("requires a scalar condition or one of the shape of the result")
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

// constantFits reports whether the attribute is a value of type t.
func constantFits(v ir.Attribute, t ir.Type) bool {
	switch v := v.(type) {
	case *ir.IntegerAttr:
		return v.Type() == t
	case *ir.FloatAttr:
		return v.Type() == t
	case *ir.DenseElementsAttr:
		tt, ok := t.(*ir.TensorType)
		return ok && v.Type() == ir.Type(tt.Context().Tensor(tt.Shape, tt.Elem, nil))
	}
	return false
}

func parseConstant(p ir.AsmParser, st *ir.OpState) {
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
	v := p.Attr(nil)
	if p.Failed() {
		return
	}
	st.SetAttr(AttrValue, v)
	typed, ok := v.(ir.TypedAttribute)
	if !ok {
		p.Errorf("expected a typed constant")
		return
	}
	t := typed.Type()
	if _, dense := v.(*ir.DenseElementsAttr); dense && p.OptKeyword("as") {
		t = p.Type() // the same tensor with an encoding
	}
	st.Types = []ir.Type{t}
}

func printConstant(p ir.AsmPrinter, op ir.Op) {
	p.Str(" ")
	p.OptAttrDict(op, false, AttrValue)
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
