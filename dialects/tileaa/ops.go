package tileaa

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// Dialect is the nv_tileaa dialect.
var Dialect = &ir.Dialect{
	Name:    "nv_tileaa",
	Doc:     "Alias-aware tile level: dissolved views, memory objects, token order, integer facts.",
	Depends: []*ir.Dialect{arith.Dialect, scf.Dialect},

	VerifyAttr: contract.Verify,
}

func init() {
	objects, spec := tile.ParseObjects(Dialect), contract.ParseKernelSpec(Dialect)
	Dialect.ParseAttr = func(p ir.AsmParser, mnemonic string) ir.Attribute {
		if a := spec(p, mnemonic); a != nil || p.Failed() {
			return a
		}
		return objects(p, mnemonic)
	}
	Dialect.Attrs = []ir.DataDef{{
		Mnemonic: "objects", Summary: "The memory objects that an access may touch.",
		Doc: "`arg 0` is what parameter 0 points to, `alloca 1` is the memory of the alloca with that number, and " +
			"`global` is a variable of the module. `unknown` is all memory but that of allocas whose address never " +
			"escapes. The memory of two parameters may overlap; see package provenance.",
		Syntax:   "`<` (`arg` number | `alloca` number | `global` symbol | `unknown`) (`,` ...)* `>`",
		Examples: []string{"#nv_tileaa.objects<arg 0, arg 2>", "#nv_tileaa.objects<alloca 1, global @table, unknown>"},
		Rules: []ir.DataRule{{Text: "an access touches something", Rejected: "#nv_tileaa.objects<>"},
			{Text: "numbers are not negative", Rejected: "#nv_tileaa.objects<arg -1>"}},
	}, contract.KernelSpecDoc()}
}

// Objects returns the attribute that says which memory objects an access may touch.
func Objects(c *ir.Context, objects []tile.ObjectRef, unknown bool) *tile.ObjectsAttr {
	return tile.Objects(c, Dialect, objects, unknown)
}

// KernelSpec returns the attribute that says how a kernel is launched and scheduled; nil when that says nothing.
func KernelSpec(c *ir.Context, s contract.KernelSpec) ir.Attribute {
	return contract.NewKernelSpec(c, Dialect, s)
}

// SetNumWarps says how many warps a kernel has.
func SetNumWarps(kernel ir.Op, n int) {
	spec := contract.KernelSpecOf(kernel)
	spec.NumWarps = n
	kernel.SetAttr(contract.AttrKernelSpec, KernelSpec(kernel.Context(), spec))
}

// Level holds the rows that the dialect shares with nv_tileas.
var Level = tile.Define(Dialect)

// Names of the attributes of assume.
const (
	AttrDivBy = "div_by" // i64: the value (a pointer: its address in bytes) is divisible by it
	AttrLower = "lower"  // i64: the value is not less
	AttrUpper = "upper"  // i64: the value is not greater
)

// Assume passes a value on and promises facts about it; a program in which they do not hold has no meaning.
var Assume = Dialect.Op(ir.OpDef{
	Name: "assume", Summary: "Promises facts about a number or pointer.",
	Operands: []ir.Field{{Name: "value", Type: tile.TileLike}},
	Results:  []ir.Field{{Name: "result", Type: tile.TileLike}},
	Attrs: []ir.Field{{Name: AttrDivBy, Arity: ir.Optional, Kind: ir.I64Kind}, {Name: AttrLower, Arity: ir.Optional, Kind: ir.I64Kind},
		{Name: AttrUpper, Arity: ir.Optional, Kind: ir.I64Kind}},
	Traits: ir.Pure | ir.SameOperandsAndResultType, Verify: verifyAssume,
	Caps:   []ir.CapImpl{tile.Promise.Is(struct{}{})},
	Syntax: "$value (`div_by` `<` $div_by^ `>`)? (`lower` `<` $lower^ `>`)? (`upper` `<` $upper^ `>`)? attr-dict `:` type($result)",
})

func verifyAssume(op ir.Op) error {
	elem := ir.ElementType(op.Operand(0).Type())
	if _, ok := elem.(*ir.FloatType); ok {
		return op.Errorf("promises facts about integers and pointers, but got '%s'", ir.TypeString(elem))
	}
	div, hasDiv := op.IntAttr(AttrDivBy)
	lower, hasLower := op.IntAttr(AttrLower)
	upper, hasUpper := op.IntAttr(AttrUpper)
	switch _, isInt := elem.(*ir.IntegerType); {
	case !hasDiv && !hasLower && !hasUpper:
		return op.Errorf("must promise something")
	case hasDiv && div < 1:
		return op.Errorf("div_by must be positive, but got %d", div)
	case !isInt && (hasLower || hasUpper):
		return op.Errorf("a pointer has no bounds, but got '%s'", ir.TypeString(elem))
	case hasLower && hasUpper && lower > upper:
		return op.Errorf("lower must not be above upper, but got %d and %d", lower, upper)
	}
	return nil
}
