package ir

// ParseFunction and PrintFunction are the syntax of operations that are functions with a body, for the rows of
// dialects:
//
//	@name(%a: type, ...) [attributes {...}] { ... }
func ParseFunction(p AsmParser, st *OpState) {
	st.SetAttr(SymName, p.Context().String(p.Symbol()))
	var args []Argument
	p.CommaList("(", ")", func() { args = append(args, p.Argument(true)) })
	st.Attrs = append(st.Attrs, p.OptAttrDict(true)...)
	p.Region(st.AddRegion(), args)
}

// PrintFunction is the inverse of ParseFunction.
func PrintFunction(p AsmPrinter, op Op) {
	p.Str(" ")
	p.Symbol(op.SymbolName())
	p.Str("(")
	for i, a := range op.Body().Args() {
		if i > 0 {
			p.Str(", ")
		}
		p.BlockArg(a)
	}
	p.Str(")")
	p.OptAttrDict(op, true, SymName)
	p.Str(" ")
	p.Region(op.Region(0), false, true)
}
