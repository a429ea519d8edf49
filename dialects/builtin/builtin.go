package builtin

import "github.com/tilewright/tilewright/ir"

// Dialect is builtin.
var Dialect = &ir.Dialect{Name: "builtin", Doc: "Modules, casts between converted and unconverted values, and the types and attributes that all dialects " +
	"share."}

// The operations.
var (
	Module = Dialect.Op(ir.OpDef{Name: "module", Summary: "A container of operations and symbols.",
		Traits: ir.IsolatedFromAbove | ir.SymbolTable | ir.NoTerminator | ir.SingleBlock | ir.Symbol,
		Attrs: []ir.Field{{Name: ir.SymName, Kind: ir.SymNameKind, Arity: ir.Optional, Doc: "the name"},
			{Name: "sym_visibility", Kind: ir.StringKind, Arity: ir.Optional, Doc: "who can refer to the name"}},
		Regions: []ir.Field{{Name: "bodyRegion", Blocks: 1, Doc: "the operations"}},
		Parse:   parseModule, Print: printModule,
		Caps: []ir.CapImpl{ir.PrivateSymbol.Is(func(op ir.Op) bool { return op.StringAttr("sym_visibility") == "private" })}})
	Cast = Dialect.Op(ir.OpDef{Name: "unrealized_conversion_cast", Summary: "Relates values before and after a type conversion.",
		Traits:   ir.Pure,
		Operands: []ir.Field{{Name: "inputs", Arity: ir.Variadic, Type: ir.AnyType, Doc: "values of the old types"}},
		Results:  []ir.Field{{Name: "outputs", Arity: ir.Variadic, Type: ir.AnyType, Doc: "values of the types that their users want"}},
		Parse:    parseCast, Print: printCast, Verify: verifyCast, Fold: foldCast})
)

// NewModule returns a detached module with an empty body, in an arena of its own. A nil location is unknown.
func NewModule(c *ir.Context, loc ir.Location) ir.Op {
	b := ir.NewBuilder(c.NewArena())
	st := b.NewState(Module, loc)
	st.AddRegion().AddBlock()
	return b.Insert(st)
}

// NewCast inserts a cast of vs to values of the given types and returns these.
func NewCast(b *ir.Builder, vs []ir.Value, types []ir.Type) []ir.Value {
	return b.Create(Cast, vs, types).Results()
}

// parseModule parses "@name attributes {...} { ... }", of which only the region is required.
func parseModule(p ir.AsmParser, st *ir.OpState) {
	if name, ok := p.OptSymbol(); ok {
		st.SetAttr(ir.SymName, p.Context().String(name))
	}
	st.Attrs = append(st.Attrs, p.OptAttrDict(true)...)
	body := st.AddRegion()
	p.Region(body, nil)
	if !p.Failed() && body.Empty() {
		body.AddBlock()
	}
}

func printModule(p ir.AsmPrinter, op ir.Op) {
	p.Str(" ")
	if name := op.SymbolName(); name != "" {
		p.Symbol(name)
		p.Str(" ")
	}
	if len(op.DiscardableAttrs().Entries) > 0 || op.Attr("sym_visibility") != nil {
		p.Str("attributes ")
		p.AttrDict(moduleAttrs(op))
		p.Str(" ")
	}
	p.Region(op.Region(0), false, true)
}

// moduleAttrs returns the attributes of a module but for its name.
func moduleAttrs(op ir.Op) []ir.NamedAttr {
	var out []ir.NamedAttr
	for _, a := range op.InherentAttrs() {
		if a.Name != ir.SymName {
			out = append(out, a)
		}
	}
	return append(out, op.DiscardableAttrs().Entries...)
}

// parseCast parses "%a, %b : types to types {attributes}".
func parseCast(p ir.AsmParser, st *ir.OpState) {
	pos := p.Pos()
	inputs := p.Operands()
	if len(inputs) > 0 {
		p.Expect(":")
		st.Operands = append(st.Operands, p.ResolveAll(inputs, p.TypeList(), pos)...)
	} else {
		p.Opt(":")
	}
	p.ExpectKeyword("to")
	st.Types = p.TypeList()
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
}

func printCast(p ir.AsmPrinter, op ir.Op) {
	if inputs := op.Operands(); len(inputs) > 0 {
		p.Str(" ")
		p.Operands(inputs)
		p.Str(" : ")
		types := make([]ir.Type, len(inputs))
		for i, v := range inputs {
			types[i] = v.Type()
		}
		p.Types(types)
	}
	p.Str(" to ")
	p.Types(op.ResultTypes())
	p.OptAttrDict(op, false)
}

func verifyCast(op ir.Op) error {
	if op.NumResults() == 0 {
		return op.Errorf("expected at least one result")
	}
	return nil
}

// foldCast undoes a cast that was undone by its operand: cast(cast(a)) back to the types of a is a.
func foldCast(op ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if op.NumOperands() == 0 {
		return nil
	}
	before := op.Operand(0).DefiningOp()
	if before.IsNil() || before.Def() != op.Def() || before.NumOperands() != op.NumResults() || before.NumResults() != op.NumOperands() {
		return nil
	}
	out := make([]ir.FoldResult, op.NumResults())
	for i := range op.NumOperands() {
		if op.Operand(i) != before.Result(i) {
			return nil
		}
	}
	for i := range op.NumResults() {
		if before.Operand(i).Type() != op.Result(i).Type() {
			return nil
		}
		out[i].Value = before.Operand(i)
	}
	return out
}
