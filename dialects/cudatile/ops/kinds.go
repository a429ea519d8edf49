package ops

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
)

// wired returns a shared kind with an encoding of this dialect.
func wired(k *ir.AttrKind, enc wire.Encoding) *ir.AttrKind {
	c := *k
	c.Wire = wire.Form{Enc: enc}
	return &c
}

// The attribute kinds of the dialect's rows.
var (
	unitKind    = wired(ir.UnitKind, wire.EncNone)
	stringKind  = wired(ir.StringKind, wire.EncString)
	symNameKind = wired(ir.SymNameKind, wire.EncString)
	typeKind    = wired(ir.TypeKind, wire.EncType)
	arrayKind   = wired(ir.ArrayKind, wire.EncAttrArray)
	boolKind    = wired(ir.BoolKind, wire.EncBool)
	i64Kind     = wired(ir.I64Kind, wire.EncU64)
	i32Kind     = wired(ir.I32Kind, wire.EncU32)
	i32sKind    = wired(ir.I32ArrayKind, wire.EncI32Array)
	boolsKind   = wired(ir.BoolsKind, wire.EncBoolArray)
	// inboundsKind is a promise for each index; no list at all promises as little as one of false.
	inboundsKind = same(boolsKind, func(a, b ir.Attribute) bool { return cudatile.PromisesNothing(a) && cudatile.PromisesNothing(b) })

	natural32Kind = natural(i32Kind, "32-bit signless integer attribute whose value is non-negative")
	natural64Kind = natural(i64Kind, "64-bit signless integer attribute whose minimum value is 0")

	symRefKind = &ir.AttrKind{Name: "flat symbol ref", Desc: "flat symbol reference attribute", Wire: wire.Form{Enc: wire.EncSymbol},
		Check: func(a ir.Attribute) bool { s, ok := a.(*ir.SymbolRefAttr); return ok && len(s.Nested) == 0 },
		Parse: func(p ir.AsmParser) ir.Attribute { return p.Context().SymbolRef(p.Symbol()) },
		Print: func(p ir.AsmPrinter, a ir.Attribute) { p.Symbol(a.(*ir.SymbolRefAttr).Root) }}
	predicateKind = &ir.AttrKind{Name: "assume predicate", Desc: "assume predicate attribute", Check: cudatile.IsPredicate,
		Wire: wire.Form{Enc: wire.EncTagged}, Parse: cudatile.ParsePredicate, Print: func(p ir.AsmPrinter, a ir.Attribute) { a.PrintAttr(p) }}
	hintsKind = &ir.AttrKind{Name: "optimization_hints", Desc: "optimization hints attribute", Wire: wire.Form{Enc: wire.EncHints},
		Check: func(a ir.Attribute) bool { _, ok := a.(*cudatile.HintsAttr); return ok }, Same: cudatile.SameHints,
		Parse: cudatile.ParseHints, Print: func(p ir.AsmPrinter, a ir.Attribute) { cudatile.PrintHints(p, a.(*cudatile.HintsAttr)) }}
	denseKind = &ir.AttrKind{Name: "dense elements", Desc: "dense int or float elements attribute", Wire: wire.Form{Enc: wire.EncConstant},
		Check: func(a ir.Attribute) bool { _, ok := a.(*ir.DenseElementsAttr); return ok }}

	signednessKind     = enumKind(cudatile.Signednesses)
	overflowKind       = bracketed(enumKind(cudatile.IntegerOverflows))
	roundingKind       = bracketed(enumKind(cudatile.RoundingModes))
	orderingKind       = enumKind(cudatile.ComparisonOrderings)
	predicateEnumKind  = enumKind(cudatile.ComparisonPredicates)
	atomicModeKind     = enumKind(cudatile.AtomicRMWModes)
	memoryOrderingKind = enumKind(cudatile.MemoryOrderings)
	memoryScopeKind    = enumKind(cudatile.MemoryScopes)
	visibilityKind     = enumKind(cudatile.SymbolVisibilities)
	reductionKind      = enumKind(cudatile.MultimemReductions)
)

func same(k *ir.AttrKind, same func(a, b ir.Attribute) bool) *ir.AttrKind {
	c := *k
	c.Same = same
	return &c
}

func natural(k *ir.AttrKind, desc string) *ir.AttrKind {
	c := *k
	c.Desc = desc
	c.Check = func(a ir.Attribute) bool { return k.Check(a) && a.(*ir.IntegerAttr).Value >= 0 }
	return &c
}

// enumKind returns the kind of the values of e, which formats spell as a bare keyword.
func enumKind(e *cudatile.Enum) *ir.AttrKind {
	return &ir.AttrKind{Name: "enum " + e.Name, Desc: e.Desc + " attribute", Wire: wire.Form{Enc: wire.EncEnum, Enum: e},
		Check:     func(a ir.Attribute) bool { _, ok := e.ValueOf(a); return ok },
		Canonical: e.Canonical,
		Parse:     func(p ir.AsmParser) ir.Attribute { return orNil(cudatile.ParseKeywordOf(p, e)) },
		Print:     func(p ir.AsmPrinter, a ir.Attribute) { v, _ := e.ValueOf(a); p.Str(e.Keyword(v)) },
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
	c.Print = func(p ir.AsmPrinter, a ir.Attribute) { p.Str("<" + a.(*cudatile.EnumAttr).String() + ">") }
	return &c
}

func enumDefault(e *cudatile.Enum, v uint32) func(*ir.Context) ir.Attribute {
	return func(c *ir.Context) ir.Attribute { return e.Attr(c, v) }
}

func orNil(a *cudatile.EnumAttr) ir.Attribute {
	if a == nil {
		return nil
	}
	return a
}
