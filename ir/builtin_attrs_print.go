package ir

// PrintAttr implements Attribute.
func (a *IntegerAttr) PrintAttr(p AsmPrinter) { p.IntegerAttr(a, true) }

// PrintAttr implements Attribute.
func (a *FloatAttr) PrintAttr(p AsmPrinter) {
	p.FloatBits(a.typ, a.Bits)
	p.Str(" : ")
	p.Type(a.typ)
}

// PrintAttr implements Attribute.
func (a *StringAttr) PrintAttr(p AsmPrinter) { p.Quoted(a.Value) }

// PrintAttr implements Attribute.
func (a *ArrayAttr) PrintAttr(p AsmPrinter) {
	p.Str("[")
	for i, e := range a.Elems {
		if i > 0 {
			p.Str(", ")
		}
		p.Attr(e)
	}
	p.Str("]")
}

// PrintAttr implements Attribute.
func (a *DictAttr) PrintAttr(p AsmPrinter) { p.AttrDict(a.Entries) }

// PrintAttr implements Attribute.
func (a *TypeAttr) PrintAttr(p AsmPrinter) { p.Type(a.Value) }

// PrintAttr implements Attribute.
func (*UnitAttr) PrintAttr(p AsmPrinter) { p.Str("unit") }

// PrintAttr implements Attribute.
func (a *SymbolRefAttr) PrintAttr(p AsmPrinter) {
	p.Symbol(a.Root)
	for _, n := range a.Nested {
		p.Str("::")
		p.Symbol(n)
	}
}

// PrintAttr implements Attribute.
func (a *DenseArrayAttr) PrintAttr(p AsmPrinter) {
	p.Str("array<")
	p.Type(a.Elem)
	for i, v := range a.Values {
		if i == 0 {
			p.Str(": ")
		} else {
			p.Str(", ")
		}
		switch elem := a.Elem.(type) {
		case *FloatType:
			p.FloatBits(elem, uint64(v))
		default:
			if BitWidth(elem) == 1 {
				p.Str(map[bool]string{true: "true", false: "false"}[v != 0])
			} else {
				p.Int(v)
			}
		}
	}
	p.Str(">")
}

// PrintAttr implements Attribute.
func (a *DenseElementsAttr) PrintAttr(p AsmPrinter) { p.DenseElements(a) }

// PrintAttr implements Attribute.
func (a *OpaqueAttr) PrintAttr(p AsmPrinter) { p.Str("#" + a.Namespace + "." + a.Body) }
