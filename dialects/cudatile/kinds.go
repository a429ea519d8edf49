package cudatile

import (
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// wired returns a shared kind with an encoding of this dialect.
func wired(k *ir.AttrKind, enc Encoding) *ir.AttrKind {
	c := *k
	c.Wire = Wire{Enc: enc}
	return &c
}

// The attribute kinds of the dialect's rows.
var (
	unitKind    = wired(ir.UnitKind, EncNone)
	stringKind  = wired(ir.StringKind, EncString)
	symNameKind = wired(ir.SymNameKind, EncString)
	typeKind    = wired(ir.TypeKind, EncType)
	arrayKind   = wired(ir.ArrayKind, EncAttrArray)
	boolKind    = wired(ir.BoolKind, EncBool)
	i64Kind     = wired(ir.I64Kind, EncU64)
	i32Kind     = wired(ir.I32Kind, EncU32)
	i32sKind    = wired(ir.I32ArrayKind, EncI32Array)
	boolsKind   = wired(ir.BoolsKind, EncBoolArray)

	natural32Kind = natural(i32Kind, "32-bit signless integer attribute whose value is non-negative")
	natural64Kind = natural(i64Kind, "64-bit signless integer attribute whose minimum value is 0")

	symRefKind = &ir.AttrKind{Name: "flat symbol ref", Desc: "flat symbol reference attribute", Wire: Wire{Enc: EncSymbol},
		Check: func(a ir.Attribute) bool { s, ok := a.(*ir.SymbolRefAttr); return ok && len(s.Nested) == 0 },
		Parse: func(p ir.AsmParser) ir.Attribute { return p.Context().SymbolRef(p.Symbol()) },
		Print: func(p ir.AsmPrinter, a ir.Attribute) { p.Symbol(a.(*ir.SymbolRefAttr).Root) }}
	predicateKind = &ir.AttrKind{Name: "assume predicate", Desc: "assume predicate attribute", Check: IsPredicate,
		Wire: Wire{Enc: EncTagged}, Parse: parsePredicate, Print: func(p ir.AsmPrinter, a ir.Attribute) { printShort(p, a) }}
	hintsKind = &ir.AttrKind{Name: "optimization_hints", Desc: "optimization hints attribute", Wire: Wire{Enc: EncHints},
		Check: func(a ir.Attribute) bool { _, ok := a.(*HintsAttr); return ok },
		Parse: parseHints, Print: func(p ir.AsmPrinter, a ir.Attribute) { printHints(p, a.(*HintsAttr)) }}
	denseKind = &ir.AttrKind{Name: "dense elements", Desc: "dense int or float elements attribute", Wire: Wire{Enc: EncConstant},
		Check: func(a ir.Attribute) bool { _, ok := a.(*ir.DenseElementsAttr); return ok }}

	signednessKind     = enumKind(Signednesses)
	overflowKind       = bracketed(enumKind(IntegerOverflows))
	roundingKind       = bracketed(enumKind(RoundingModes))
	orderingKind       = enumKind(ComparisonOrderings)
	predicateEnumKind  = enumKind(ComparisonPredicates)
	atomicModeKind     = enumKind(AtomicRMWModes)
	memoryOrderingKind = enumKind(MemoryOrderings)
	memoryScopeKind    = enumKind(MemoryScopes)
	visibilityKind     = enumKind(SymbolVisibilities)
	reductionKind      = enumKind(MultimemReductions)
)

func natural(k *ir.AttrKind, desc string) *ir.AttrKind {
	c := *k
	c.Desc = desc
	c.Check = func(a ir.Attribute) bool { return k.Check(a) && a.(*ir.IntegerAttr).Value >= 0 }
	return &c
}

// enumKind returns the kind of the values of e, which formats spell as a bare keyword.
func enumKind(e *Enum) *ir.AttrKind {
	return &ir.AttrKind{Name: "enum " + e.Name, Desc: e.Desc + " attribute", Wire: Wire{EncEnum, e},
		Check: func(a ir.Attribute) bool { _, ok := e.ValueOf(a); return ok },
		Parse: func(p ir.AsmParser) ir.Attribute { return orNil(parseKeywordOf(p, e)) },
		Print: func(p ir.AsmPrinter, a ir.Attribute) { v, _ := e.ValueOf(a); p.Str(e.Keyword(v)) },
	}
}

// bracketed returns the kind whose formats spell the keyword in angle brackets.
func bracketed(k *ir.AttrKind) *ir.AttrKind {
	c := *k
	c.Parse = func(p ir.AsmParser) ir.Attribute {
		p.Expect("<")
		a := k.Parse(p)
		p.Expect(">")
		return a
	}
	c.Print = func(p ir.AsmPrinter, a ir.Attribute) { p.Str("<" + a.(*EnumAttr).String() + ">") }
	return &c
}

func orNil(a *EnumAttr) ir.Attribute {
	if a == nil {
		return nil
	}
	return a
}

// parseKeywordOf parses a keyword of e, of the given values when there are some.
func parseKeywordOf(p ir.AsmParser, e *Enum, values ...uint32) *EnumAttr {
	kw := p.PeekKeyword()
	if kw == "" {
		p.Also(p.Pos(), "expected valid keyword")
	}
	v, ok := e.Lookup(kw)
	if !ok || len(values) > 0 && !isOneOf(v, values...) {
		p.Errorf("%s, got: '%s'", expectedKeyword(e, values), kw)
		return nil
	}
	p.Keyword()
	return e.Attr(p.Context(), v)
}

// expectedKeyword says what parseKeywordOf expects, in the words of the reference tools.
func expectedKeyword(e *Enum, values []uint32) string {
	keywords := e.Keywords(values...)
	switch e {
	case Signednesses:
		return "expected signedness to be one of: {'signed', 'unsigned'}"
	case ComparisonOrderings:
		return "expected 'comparison_ordering' to be one of: {'ordered', 'unordered'}"
	case ComparisonPredicates:
		return "expected 'comparison_predicate' to be one of: {'" + strings.Join(keywords, "', '") + "'}"
	case RoundingModes:
		return "expected rounding mode to be one of: '" + strings.Join(keywords, "', '") + "'"
	}
	return "expected string or keyword containing one of the following enum values for attribute '" + e.field() + "' [" +
		strings.Join(keywords, ", ") + "]"
}

// field is what rows call the attribute.
func (e *Enum) field() string {
	switch e {
	case AtomicRMWModes:
		return "mode"
	case MultimemReductions:
		return "reduction"
	}
	return e.Mnemonic
}

func enumDefault(e *Enum, v uint32) func(*ir.Context) ir.Attribute {
	return func(c *ir.Context) ir.Attribute { return e.Attr(c, v) }
}

func printShort(p ir.AsmPrinter, a ir.Attribute) { a.PrintAttr(p) }

// parsePredicate parses a predicate with or without "#cuda_tile.", or through an alias.
func parsePredicate(p ir.AsmParser) ir.Attribute {
	pos := p.Pos()
	switch kw := p.PeekKeyword(); kw {
	case "div_by", "same_elements", "bounded":
		p.ExpectKeyword(kw)
		return parseAttr(p, kw)
	case "":
		a := p.Attr(nil)
		if !p.Failed() && !IsPredicate(a) {
			p.ErrorAt(pos, "expected assume predicate attribute")
			return nil
		}
		return a
	default:
		p.Errorf("unknown assume predicate attribute: %s", kw)
		return nil
	}
}
