package cudatiletesting

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
)

const evolvedMnemonic = "testing$bytecode_test_evolved"

// EvolvedType is a type that got parameters in 250.1: NewType, which an older file stands an i32 for, and two that
// may be nil.
type EvolvedType struct {
	ir.TypeBase
	Base, NewType ir.Type
	Padding       *cudatile.EnumAttr
	Optional      ir.Type
}

type evolvedKey struct {
	base, newType ir.Type
	padding       *cudatile.EnumAttr
	optional      ir.Type
}

// Evolved returns !cuda_tile.testing$bytecode_test_evolved<base, newType, padding, optional>; a nil newType is i32.
func Evolved(c *ir.Context, base, newType ir.Type, padding *cudatile.EnumAttr, optional ir.Type) *EvolvedType {
	if newType == nil {
		newType = c.Int(32)
	}
	return ir.UniqueType(c, ops.Dialect, evolvedKey{base, newType, padding, optional}, func() *EvolvedType {
		return &EvolvedType{Base: base, NewType: newType, Padding: padding, Optional: optional}
	})
}

// PrintType implements ir.Type.
func (t *EvolvedType) PrintType(p ir.AsmPrinter) {
	p.Str(evolvedMnemonic + "<")
	p.Type(t.Base)
	if t.NewType != p.Context().Int(32) {
		p.Str(", ")
		p.Type(t.NewType)
	}
	if t.Padding != nil {
		p.Str(", <" + t.Padding.String() + ">")
	}
	if t.Optional != nil {
		p.Str(", ")
		p.Type(t.Optional)
	}
	p.Str(">")
}

// parseType parses "<base, new type, padding, optional>". Where types follow each other, the first is the new one.
func parseType(p ir.AsmParser, mnemonic string) ir.Type {
	if mnemonic != evolvedMnemonic {
		return nil
	}
	p.Expect("<")
	pos := p.Pos()
	base := p.Type()
	var newType, optional ir.Type
	var padding *cudatile.EnumAttr
	for p.Opt(",") {
		switch {
		case p.Opt("<"):
			if v, ok := keywordOf(p, cudatile.PaddingValues); ok {
				padding = cudatile.PaddingValues.Attr(p.Context(), v)
			}
			p.Expect(">")
		case newType == nil && padding == nil:
			newType = p.Type()
		default:
			optional = p.Type()
		}
	}
	p.Expect(">")
	if !p.Failed() && !isNumber(base) {
		p.ErrorAt(pos, "expected a number type, but got '%s'", ir.TypeString(base))
	}
	if p.Failed() {
		return nil
	}
	return Evolved(p.Context(), base, newType, padding, optional)
}

func isNumber(t ir.Type) bool {
	switch t.(type) {
	case *ir.IntegerType, *ir.FloatType:
		return true
	}
	return false
}

// evolvedRow is how the type is stored. What is optional has a flag, from the version on that has it.
var evolvedRow = wire.TypeRow{Tag: testTag, Name: "BytecodeTestEvolvedType", Since: V250_0,
	Is: func(t ir.Type) bool { _, ok := t.(*EvolvedType); return ok },
	Fields: []wire.Field{
		{Name: "flags", Form: wire.Form{Enc: wire.EncVarint}, Since: V250_1},
		{Name: "baseType", Form: wire.Form{Enc: wire.EncType}},
		{Name: "newType", Form: wire.Form{Enc: wire.EncType}, Since: V250_1, Flag: 1},
		{Name: "optionalAttr", Form: wire.Form{Enc: wire.EncEnum, Enum: cudatile.PaddingValues}, Since: V250_1, Flag: 2},
		{Name: "optionalType", Form: wire.Form{Enc: wire.EncType}, Since: V250_1, Flag: 3},
	},
	Split: func(t ir.Type) wire.Parts {
		e := t.(*EvolvedType)
		parts := wire.Parts{"baseType": e.Base}
		if e.NewType != e.Context().Int(32) {
			parts["newType"] = e.NewType
		}
		if e.Padding != nil {
			parts["optionalAttr"] = e.Padding
		}
		if e.Optional != nil {
			parts["optionalType"] = e.Optional
		}
		return parts
	},
	Make: func(c *ir.Context, p wire.Parts) ir.Type {
		base, _ := p["baseType"].(ir.Type)
		newType, _ := p["newType"].(ir.Type)
		padding, _ := p["optionalAttr"].(*cudatile.EnumAttr)
		optional, _ := p["optionalType"].(ir.Type)
		return Evolved(c, base, newType, padding, optional)
	}}
