package ir

import "strings"

// The attribute kinds that rows of every dialect share.
var (
	AnyAttrKind = &AttrKind{Name: "any", Desc: "any attribute", Check: func(Attribute) bool { return true }}
	UnitKind    = &AttrKind{Name: "unit", Desc: "unit attribute", Check: isKind[*UnitAttr]}
	StringKind  = &AttrKind{Name: "string", Desc: "string attribute", Check: isKind[*StringAttr]}
	TypeKind    = &AttrKind{Name: "type", Desc: "any type attribute", Check: isKind[*TypeAttr]}
	ArrayKind   = &AttrKind{Name: "array", Desc: "array attribute", Check: isKind[*ArrayAttr]}
	DictKind    = &AttrKind{Name: "dictionary", Desc: "dictionary of named attribute values", Check: isKind[*DictAttr]}
	SymRefKind  = &AttrKind{Name: "symbol reference", Desc: "symbol reference attribute", Check: isKind[*SymbolRefAttr]}
	TypedKind   = &AttrKind{Name: "typed", Desc: "TypedAttr instance", Check: func(a Attribute) bool {
		_, ok := a.(TypedAttribute)
		return ok
	}}
	SymNameKind = &AttrKind{Name: "symbol name", Desc: "string attribute", Check: isKind[*StringAttr],
		Parse: func(p AsmParser) Attribute { return p.Context().String(p.Symbol()) },
		Print: func(p AsmPrinter, a Attribute) { p.Symbol(a.(*StringAttr).Value) }}
	BoolKind     = intKind(1)
	I32Kind      = intKind(32)
	I64Kind      = intKind(64)
	I32ArrayKind = denseKind(32)
	I64ArrayKind = denseKind(64)
	BoolsKind    = denseKind(1)
)

func isKind[A Attribute](a Attribute) bool { _, ok := a.(A); return ok }

func intKind(width int) *AttrKind {
	name := "i" + itoa(width)
	return &AttrKind{Name: name, Desc: name + " attribute", Check: func(a Attribute) bool {
		i, ok := a.(*IntegerAttr)
		return ok && BitWidth(i.Type()) == width
	}, Parse: func(p AsmParser) Attribute { return p.Attr(p.Context().Int(width)) },
		Print: func(p AsmPrinter, a Attribute) { p.AttrNoType(a) }}
}

func denseKind(width int) *AttrKind {
	name := "i" + itoa(width) + " dense array"
	return &AttrKind{Name: name, Desc: name + " attribute", Check: func(a Attribute) bool {
		d, ok := a.(*DenseArrayAttr)
		return ok && BitWidth(d.Elem) == width
	}, Parse: func(p AsmParser) Attribute { return parseDenseList(p, width) },
		Print: func(p AsmPrinter, a Attribute) { printDenseList(p, a.(*DenseArrayAttr)) }}
}

func itoa(n int) string { return map[int]string{1: "1", 32: "32", 64: "64"}[n] }

func parseDenseList(p AsmParser, width int) Attribute {
	var values []int64
	p.CommaList("[", "]", func() {
		switch {
		case width == 1 && p.OptKeyword("true"):
			values = append(values, 1)
		case width == 1 && p.OptKeyword("false"):
			values = append(values, 0)
		default:
			values = append(values, p.Integer())
		}
	})
	return p.Context().DenseArray(p.Context().Int(width), values...)
}

func printDenseList(p AsmPrinter, a *DenseArrayAttr) {
	p.Str("[")
	for i, v := range a.Values {
		if i > 0 {
			p.Str(", ")
		}
		switch {
		case BitWidth(a.Elem) != 1:
			p.Int(v)
		case v != 0:
			p.Str("true")
		default:
			p.Str("false")
		}
	}
	p.Str("]")
}

// KeywordKind returns the kind of string attributes that are one of words; a format spells them as bare words.
func KeywordKind(name string, words ...string) *AttrKind {
	known := func(w string) bool {
		for _, k := range words {
			if k == w {
				return true
			}
		}
		return false
	}
	desc := name + ", one of {" + strings.Join(words, ", ") + "}"
	return &AttrKind{Name: name, Desc: desc,
		Check: func(a Attribute) bool { s, ok := a.(*StringAttr); return ok && known(s.Value) },
		Parse: func(p AsmParser) Attribute {
			pos := p.Pos()
			w := p.Keyword()
			if !p.Failed() && !known(w) {
				p.ErrorAt(pos, "expected %s, but got '%s'", desc, w)
				return nil
			}
			return p.Context().String(w)
		},
		Print: func(p AsmPrinter, a Attribute) { p.Str(a.(*StringAttr).Value) }}
}
