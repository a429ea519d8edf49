package nvvm

import (
	"github.com/tilewright/tilewright/ir"
)

// Names of attributes of variables.
const (
	AttrAlignment = "alignment" // i64: in bytes, a power of two
	AttrInit      = "value"
	AttrGlobal    = "global" // symbol
)

// Variables of the module.
var (
	GlobalVar = Dialect.Op(ir.OpDef{Name: "global", Summary: "A variable in global memory.",
		Attrs: []ir.Field{{Name: ir.SymName, Kind: ir.SymNameKind}, {Name: AttrInit, Kind: ir.TypedKind, Doc: "dense elements: type and initial values"},
			opt(AttrAlignment, ir.I64Kind)},
		Traits: ir.Symbol, Parse: parseGlobal, Print: printGlobal, Verify: verifyGlobal})
	AddressOf = Dialect.Op(ir.OpDef{Name: "addressof", Summary: "The address of a variable.",
		Attrs: []ir.Field{{Name: AttrGlobal, Kind: ir.SymRefKind}}, Results: []ir.Field{{Name: "result", Type: ptr}},
		Traits: ir.Pure, Syntax: "$global attr-dict `:` type($result)"})
)

// global @name = dense<..> : type {..}
func parseGlobal(p ir.AsmParser, st *ir.OpState) {
	st.SetAttr(ir.SymName, p.Context().String(p.Symbol()))
	p.Expect("=")
	st.SetAttr(AttrInit, p.Attr(nil))
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
}

func printGlobal(p ir.AsmPrinter, op ir.Op) {
	p.Str(" ")
	p.Symbol(op.SymbolName())
	p.Str(" = ")
	p.Attr(op.Attr(AttrInit))
	p.OptAttrDict(op, false, ir.SymName, AttrInit)
}

func verifyGlobal(op ir.Op) error {
	d, ok := op.Attr(AttrInit).(*ir.DenseElementsAttr)
	if !ok {
		return op.Errorf("needs dense elements, but got %s", ir.AttrString(op.Attr(AttrInit)))
	}
	t, ok := d.Type().(*ir.TensorType)
	if !ok || ir.BitWidth(t.Elem) == 0 {
		return op.Errorf("needs elements that are numbers, but got '%s'", ir.TypeString(d.Type()))
	}
	a, ok := op.IntAttr(AttrAlignment)
	switch natural := int64(ir.BitWidth(t.Elem)+7) / 8; {
	case !ok:
	case a < 1 || a&(a-1) != 0:
		return op.Errorf("alignment must be a power of two, but got %d", a)
	case a < natural: // PTX rejects it
		return op.Errorf("alignment must be at least the %d bytes of an element, but got %d", natural, a)
	}
	return nil
}
