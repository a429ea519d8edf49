package nvvm

import "github.com/tilewright/tilewright/ir"

// Conversions between addresses and integers; the bits stay as they are.
var (
	PtrToInt = Dialect.Op(ir.OpDef{Name: "ptrtoint", Summary: "An address as an integer of its width.",
		Operands: []ir.Field{{Name: "ptr", Type: ptr}}, Results: []ir.Field{{Name: "result", Type: anyInt}}, Traits: ir.Pure,
		Syntax: "$ptr attr-dict `:` type($ptr) `->` type($result)", Verify: verifyAddressBits})
	IntToPtr = Dialect.Op(ir.OpDef{Name: "inttoptr", Summary: "An integer as an address of its width.",
		Operands: []ir.Field{{Name: "bits", Type: anyInt}}, Results: []ir.Field{{Name: "result", Type: ptr}}, Traits: ir.Pure,
		Syntax: "$bits attr-dict `:` type($bits) `->` type($result)", Verify: verifyAddressBits})
)

func verifyAddressBits(op ir.Op) error {
	width := func(t ir.Type) int {
		if p, ok := t.(*PtrType); ok {
			if p.Space.short() {
				return 32
			}
			return 64
		}
		return ir.BitWidth(t)
	}
	if a, b := width(op.Operand(0).Type()), width(op.Result(0).Type()); a != b {
		return op.Errorf("operand and result must be equally wide, but got %d bits to %d", a, b)
	}
	return nil
}
