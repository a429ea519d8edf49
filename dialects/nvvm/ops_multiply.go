package nvvm

import (
	"github.com/tilewright/tilewright/ir"
)

// AttrUnsigned says that a multiplication extends its operands with zeros.
const AttrUnsigned = "unsigned"

// Multiplications that nvvm-fuse-multiplies makes of several operations.
var (
	MulWide = Dialect.Op(ir.OpDef{Name: "mul.wide", Summary: "The product of two numbers of 32 bits, in 64 bits (PTX ISA, mul).",
		Operands: []ir.Field{{Name: "a", Type: i32}, {Name: "b", Type: i32}}, Attrs: []ir.Field{opt(AttrUnsigned, ir.UnitKind)},
		Results: []ir.Field{{Name: "result", Type: i64}}, Traits: ir.Pure, Syntax: "(`unsigned` $unsigned^)? $a `,` $b attr-dict",
		InferTypes: func(st *ir.OpState) ([]ir.Type, error) { return []ir.Type{st.Context().Int(64)}, nil }})
	MadLo = Dialect.Op(ir.OpDef{Name: "mad.lo", Summary: "a·b+c, the lower half of the product (PTX ISA, mad). The addend may be an address of the width.",
		Operands: []ir.Field{{Name: "a", Type: anyInt}, {Name: "b", Type: anyInt}, {Name: "c", Type: scalar}},
		Results:  []ir.Field{{Name: "result", Type: scalar}}, Traits: ir.Pure, Syntax: "$a `,` $b `,` $c attr-dict `:` type($a) `,` type($b) `,` type($c)",
		InferTypes: func(st *ir.OpState) ([]ir.Type, error) { return []ir.Type{st.Operands[2].Type()}, nil }, Verify: verifyMadLo})
)

func verifyMadLo(op ir.Op) error {
	a, b, c, d := op.Operand(0).Type(), op.Operand(1).Type(), op.Operand(2).Type(), op.Result(0).Type()
	switch {
	case a != b:
		return op.Errorf("requires factors of one type, but got '%s' and '%s'", ir.TypeString(a), ir.TypeString(b))
	case c != d:
		return op.Errorf("requires the type of the addend for the result, but got '%s' and '%s'", ir.TypeString(c), ir.TypeString(d))
	}
	p, isPtr := c.(*PtrType)
	if !isPtr && c != a || isPtr && p.Space.short() == (ir.BitWidth(a) == 64) {
		return op.Errorf("cannot add products of type '%s' to '%s'", ir.TypeString(a), ir.TypeString(c))
	}
	return nil
}
