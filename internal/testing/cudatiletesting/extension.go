package cudatiletesting

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
)

// The versions of the bytecode that exist for tests.
var (
	V250_0 = ir.Version{Major: 250}
	V250_1 = ir.Version{Major: 250, Minor: 1}
)

// Extension adds what is for tests to cuda_tile.
var Extension = &ir.Extension{Of: ops.Dialect}

// The operations.
var (
	// Func is a function that may return values and take tiles of any rank.
	Func = Extension.Op(funcRow())
	// Pow is what fpowf is called up to 13.3.
	Pow = Extension.Op(powRow())
	// NewAttribute got attributes in 250.1.
	NewAttribute = Extension.Op(ir.OpDef{Name: "testing$bytecode_test_new_attribute", Opcode: 0x3000, Since: V250_0,
		Summary: "Got attributes in a later version.",
		Attrs: []ir.Field{
			{Name: "new_flag", Kind: unitKind, Arity: ir.Optional, Since: V250_1},
			{Name: "new_param", Kind: i32Kind, Since: V250_1,
				Default: func(c *ir.Context) ir.Attribute { return c.IntAttr(c.Int(32), defaultParam) }}},
		Syntax: "(`new_flag` $new_flag^)? (`new_param` `=` $new_param^)? attr-dict"})
	// Evolution got an operand, a result and attributes in 250.1.
	Evolution = Extension.Op(ir.OpDef{Name: "testing$bytecode_test_evolution", Opcode: 0x3002, Since: V250_0,
		Summary: "Got an operand, a result and attributes in a later version.", Traits: ir.AttrSizedOperandSegments,
		Operands: []ir.Field{
			{Name: "inputs", Type: tileType, Arity: ir.Variadic},
			{Name: "optional_token", Type: tokenType, Arity: ir.Optional, Since: V250_1}},
		Attrs: []ir.Field{
			{Name: "new_attr", Kind: i32Kind, Arity: ir.Optional, Since: V250_1},
			{Name: "priority", Kind: priorityKind, Arity: ir.Optional},
			{Name: "test_attr", Kind: valueKind, Arity: ir.Optional, Since: V250_1}},
		Results: []ir.Field{{Name: "result_token", Type: tokenType, Since: V250_1}},
		Parse:   parseEvolution, Print: printEvolution})
)

const defaultParam = 42

func init() {
	Extension.ParseType, Extension.ParseAttr = parseType, parseAttr
	released := slices.DeleteFunc(slices.Clone(cudatile.Versions), cudatile.V13_3.Less)
	Extension.Data = &wire.Format{
		Versions: append(released, V250_0, V250_1),
		Newest:   cudatile.V13_3,
		Ops:      Extension.Ops(),

		AnyArguments: true,
		Types:        append(slices.Clone(wire.TypeRows), evolvedRow),
		Attrs:        append(slices.Clone(wire.AttrRows), valueRow),
	}
}

// funcRow is an entry without the rules for kernels.
func funcRow() ir.OpDef {
	def := *cudatile.Entry
	def.Name, def.Summary, def.Opcode, def.Since = "testing$func", "A function that need not be an entry.", 0x3001, V250_0
	def.Attrs = slices.DeleteFunc(slices.Clone(def.Attrs), func(f ir.Field) bool { return f.Name == "optimization_hints" })
	def.Verify, def.StandsFor = nil, cudatile.Entry
	return def
}

// powRow is fpowf under its old name, which the dialect itself reads as the new one.
func powRow() ir.OpDef {
	def := *cudatile.Pow
	def.Name = cudatile.OldPow.Name
	return def
}

func kind(base *ir.AttrKind, wire wire.Form) *ir.AttrKind {
	k := *base
	k.Wire = wire
	return &k
}

var (
	unitKind = kind(ir.UnitKind, wire.Form{Enc: wire.EncNone})
	i32Kind  = kind(ir.I32Kind, wire.Form{Enc: wire.EncU32})

	tileType  = ir.TypeConstraint{Desc: "tile", Check: func(t ir.Type) bool { _, ok := t.(*cudatile.TileType); return ok }}
	tokenType = ir.TypeConstraint{Desc: "token", Check: func(t ir.Type) bool { _, ok := t.(*cudatile.TokenType); return ok },
		Only: func(c *ir.Context) ir.Type { return cudatile.Token(c) }}
)
