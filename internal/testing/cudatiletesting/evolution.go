package cudatiletesting

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// parseEvolution parses "(%a, %b : types) new_attr = 1 token = %t : token priority = <low> test_attr = <7> -> token".
func parseEvolution(p ir.AsmParser, st *ir.OpState) {
	pos := p.Pos()
	p.Expect("(")
	inputs := p.Operands()
	p.Expect(":")
	types := p.TypeList()
	p.Expect(")")
	st.Operands = append(st.Operands, p.ResolveAll(inputs, types, pos)...)
	attr := func(name string, parse func() ir.Attribute) {
		if !p.OptKeyword(name) {
			return
		}
		p.Expect("=")
		if a := parse(); a != nil {
			st.SetAttr(name, a)
		}
	}
	attr("new_attr", func() ir.Attribute { return p.Attr(p.Context().Int(32)) })
	tokens := int64(0)
	if p.OptKeyword("token") {
		p.Expect("=")
		token := p.Operand()
		p.Expect(":")
		st.Operands = append(st.Operands, p.Resolve(token, p.Type()))
		tokens = 1
	}
	attr("priority", func() ir.Attribute { return parsePriority(p) })
	attr("test_attr", func() ir.Attribute { return parseValue(p) })
	p.Expect("->")
	st.Types = []ir.Type{p.Type()}
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
	st.SetAttr(ir.OperandSegmentSizes, p.Context().DenseI32(int64(len(inputs)), tokens))
}

// printEvolution is the inverse of parseEvolution. Of the types only those of the inputs have the prefix of the
// dialect.
func printEvolution(p ir.AsmPrinter, op ir.Op) {
	p.Str("(")
	lo, hi := op.OperandRange(0)
	inputs := op.Operands()[lo:hi]
	p.Operands(inputs)
	p.Str(" : ")
	for i, v := range inputs {
		if i > 0 {
			p.Str(", ")
		}
		p.Str(ir.TypeString(v.Type()))
	}
	p.Str(")")
	if a := op.Attr("new_attr"); a != nil {
		p.Str(" new_attr = ")
		p.AttrNoType(a)
	}
	if token := op.OperandNamed("optional_token"); !token.IsNil() {
		p.Str(" token = ")
		p.Operand(token)
		p.Str(" : ")
		p.Type(token.Type())
	}
	if a, ok := op.Attr("priority").(*cudatile.EnumAttr); ok {
		p.Str(" priority = <" + a.String() + ">")
	}
	if a, ok := op.Attr("test_attr").(*ValueAttr); ok {
		p.Str(" test_attr = <")
		p.Int(a.Value)
		p.Str(">")
	}
	p.Str(" -> ")
	p.Types(op.ResultTypes())
	p.OptAttrDict(op, false, "new_attr", "priority", "test_attr", ir.OperandSegmentSizes)
}
