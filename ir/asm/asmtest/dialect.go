package asmtest

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
)

// Dialect has one operation for each feature of formats and hooks; Short spells its types and operations short.
var (
	Dialect = &ir.Dialect{Name: "t"}
	Short   = &ir.Dialect{Name: "s", ShortTypes: true}
)

type boxType struct {
	ir.TypeBase
	elem ir.Type
}

type boxKey struct{ elem ir.Type }

func (b *boxType) PrintType(p ir.AsmPrinter) {
	p.Str("box<")
	p.Type(b.elem)
	p.Str(">")
}

func (b *boxType) Dims() []int64     { return []int64{2, 2} }
func (b *boxType) ElemType() ir.Type { return b.elem }

type unitType struct{ ir.TypeBase }

func (*unitType) PrintType(p ir.AsmPrinter) { p.Str("tok") }

type unitKey struct{ d *ir.Dialect }

type layoutAttr struct {
	ir.AttrBase
	n     int64
	inner ir.Attribute
}

type layoutKey struct {
	n     int64
	inner ir.Attribute
}

func (a *layoutAttr) PrintAttr(p ir.AsmPrinter) {
	p.Str("layout<")
	p.Int(a.n)
	if a.inner != nil {
		p.Str(", ")
		p.Attr(a.inner)
	}
	p.Str(">")
}

// scopedLoc is a location of a dialect: #s.scoped<loc in attribute>.
type scopedLoc struct {
	ir.LocBase
	loc   ir.Location
	scope ir.Attribute
}

type scopedKey struct {
	loc   ir.Location
	scope ir.Attribute
}

func (l *scopedLoc) PrintAttr(p ir.AsmPrinter) {
	p.Str("scoped<")
	p.Attr(l.loc)
	p.Str(" in ")
	p.Attr(l.scope)
	p.Str(">")
}

func (l *scopedLoc) SourceLoc() *ir.FileLoc { return ir.FileLocOf(l.loc) }

func init() {
	for _, d := range []*ir.Dialect{Dialect, Short} {
		d.ParseType = func(p ir.AsmParser, mnemonic string) ir.Type {
			c := p.Context()
			switch mnemonic {
			case "box":
				p.Expect("<")
				elem := p.Type()
				p.Expect(">")
				return ir.UniqueType(c, d, struct {
					d *ir.Dialect
					k boxKey
				}{d, boxKey{elem}}, func() *boxType { return &boxType{elem: elem} })
			case "tok":
				return ir.UniqueType(c, d, unitKey{d}, func() *unitType { return &unitType{} })
			}
			return nil
		}
		d.ParseAttr = func(p ir.AsmParser, mnemonic string) ir.Attribute { return parseTestAttr(p, d, mnemonic) }
		d.AttrAlias = func(a ir.Attribute) string {
			if _, ok := a.(*layoutAttr); ok {
				return "layout"
			}
			return ""
		}
	}
	Dialect.Directives = map[string]ir.Directive{"Flags": {
		Parse: func(p ir.AsmParser, st *ir.OpState, fields []string) {
			for _, f := range fields {
				if p.OptKeyword("set_" + f) {
					st.SetAttr(f, p.Context().BoolAttr(true))
				}
			}
		},
		Print: func(p ir.AsmPrinter, op ir.Op, fields []string) {
			for i, f := range fields {
				if op.Attr(f) != nil {
					p.Str([]string{"", " "}[min(i, 1)] + "set_" + f)
				}
			}
		},
	}}
}

func parseTestAttr(p ir.AsmParser, d *ir.Dialect, mnemonic string) ir.Attribute {
	c := p.Context()
	p.Expect("<")
	defer p.Expect(">")
	switch mnemonic {
	case "layout":
		a := layoutAttr{n: p.Integer()}
		if p.Opt(",") {
			a.inner = p.Attr(nil)
		}
		return ir.UniqueAttr(c, d, layoutKey{a.n, a.inner}, func() *layoutAttr { return &a })
	case "scoped":
		pos := p.Pos()
		loc, ok := p.Attr(nil).(ir.Location)
		if !ok {
			p.ErrorAt(pos, "expected a location")
		}
		p.ExpectKeyword("in")
		scope := p.Attr(nil)
		return ir.UniqueAttr(c, d, scopedKey{loc, scope}, func() *scopedLoc { return &scopedLoc{loc: loc, scope: scope} })
	}
	return nil
}

// AnyField is a field of any type.
func AnyField(name string) ir.Field { return ir.Field{Name: name, Type: ir.AnyType} }

// OptField is an optional field of any type.
func OptField(name string) ir.Field {
	return ir.Field{Name: name, Type: ir.AnyType, Arity: ir.Optional}
}

// optWidth is an optional integer of the given width.
func optWidth(name string, width int) ir.Field {
	is := func(t ir.Type) bool { i, ok := t.(*ir.IntegerType); return ok && i.Width == width }
	return ir.Field{Name: name, Type: ir.TypeConstraint{Desc: name, Check: is}, Arity: ir.Optional}
}

func varField(name string) ir.Field {
	return ir.Field{Name: name, Type: ir.AnyType, Arity: ir.Variadic}
}

var (
	onlyI1 = ir.TypeConstraint{Desc: "i1", Check: func(t ir.Type) bool { return ir.BitWidth(t) == 1 },
		Only: func(c *ir.Context) ir.Type { return c.Int(1) }}
	mode = ir.KeywordKind("mode", "fast", "slow")
)

var (
	Module = Dialect.Op(ir.OpDef{Name: "module", Traits: ir.IsolatedFromAbove | ir.SymbolTable | ir.NoTerminator,
		Regions: []ir.Field{{Name: "body"}}})
	TestFunc = Dialect.Op(ir.OpDef{Name: "func", Traits: ir.IsolatedFromAbove | ir.Symbol | ir.NoTerminator,
		Attrs: []ir.Field{{Name: ir.SymName, Kind: ir.SymNameKind}}, Regions: []ir.Field{{Name: "body"}},
		Parse: func(p ir.AsmParser, st *ir.OpState) {
			st.SetAttr(ir.SymName, p.Context().String(p.Symbol()))
			var args []ir.Argument
			p.CommaList("(", ")", func() { args = append(args, p.Argument(true)) })
			st.Attrs = append(st.Attrs, p.OptAttrDict(true)...)
			r := st.AddRegion()
			p.Region(r, args)
			if r.Empty() {
				r.AddBlock()
			}
		},
		Print: func(p ir.AsmPrinter, op ir.Op) {
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
			p.OptAttrDict(op, true, ir.SymName)
			p.Str(" ")
			p.Region(op.Region(0), false, true)
		}})
	_ = Dialect.Op(ir.OpDef{Name: "add", Operands: []ir.Field{AnyField("lhs"), AnyField("rhs")}, Results: []ir.Field{AnyField("result")},
		Traits: ir.SameOperandsAndResultType, Attrs: []ir.Field{{Name: "mode", Kind: mode, Arity: ir.Optional}},
		Syntax:      "$lhs `,` $rhs (`mode` `<` $mode^ `>`)? attr-dict `:` type($result)",
		ResultNames: func(op ir.Op, name func(ir.Value, string)) { name(op.Result(0), "sum") }})
	_ = Dialect.Op(ir.OpDef{Name: "pair", Results: []ir.Field{AnyField("a"), AnyField("b"), AnyField("c")},
		Syntax: "attr-dict `:` type($a, $b) `,` type($c)",
		ResultNames: func(op ir.Op, name func(ir.Value, string)) {
			name(op.Result(0), "p")
			name(op.Result(2), "third")
		}})
	_ = Dialect.Op(ir.OpDef{Name: "call", Operands: []ir.Field{varField("args")}, Results: []ir.Field{varField("results")},
		Attrs:  []ir.Field{{Name: "callee", Kind: ir.SymRefKind}},
		Syntax: "$callee `(` operands `)` attr-dict `:` functional-type(operands, results)"})
	_ = Dialect.Op(ir.OpDef{Name: "load", Traits: ir.AttrSizedOperandSegments,
		Operands: []ir.Field{AnyField("ptr"), OptField("mask"), OptField("other"), {Name: "pred", Type: onlyI1, Arity: ir.Optional}},
		Results:  []ir.Field{AnyField("value"), AnyField("token")},
		Attrs: []ir.Field{{Name: "align", Kind: ir.I32Kind, Arity: ir.Optional}, {Name: "volatile", Kind: ir.UnitKind, Arity: ir.Optional},
			{Name: "times", Kind: ir.I64Kind, Default: func(c *ir.Context) ir.Attribute { return c.IntAttr(c.Int(64), 1) }}},
		Syntax: "$ptr (`,` $mask^)? (`or` $other^ `:` type($other))? (`if` $pred^)? (`align` `` `=` `` $align^)? " +
			"(`volatile` $volatile^)? (`times` $times^)? attr-dict `:` type($ptr) (`,` type($mask)^)? `->` type($value, $token)"})
	_ = Dialect.Op(ir.OpDef{Name: "alike", Traits: ir.AttrSizedOperandSegments,
		Operands: []ir.Field{AnyField("first"), optWidth("i1", 1), optWidth("i8", 8), OptField("any")},
		Syntax:   "$first (`,` $i1^)? (`,` $i8^)? (`,` $any^)? attr-dict `:` type($first) (`,` type($i1)^)? (`,` type($i8)^)? (`,` type($any)^)?"})
	_ = Dialect.Op(ir.OpDef{Name: "ret", Traits: ir.Terminator, Operands: []ir.Field{varField("values")},
		Syntax: "attr-dict ($values^ `:` type($values))?"})
	_ = Dialect.Op(ir.OpDef{Name: "br", Traits: ir.Terminator, Successors: -1, Operands: []ir.Field{varField("args")},
		Syntax: "successors (`(` $args^ `:` type($args) `)`)? attr-dict"})
	_ = Dialect.Op(ir.OpDef{Name: "region", Regions: []ir.Field{{Name: "first"}, {Name: "second"}}, Traits: ir.NoTerminator,
		Attrs:  []ir.Field{{Name: "hot", Kind: ir.UnitKind, Arity: ir.Optional}},
		Syntax: "($hot^)? $first `else` $second attr-dict-with-keyword"})
	_ = Dialect.Op(ir.OpDef{Name: "flags", Attrs: []ir.Field{{Name: "x", Kind: ir.BoolKind, Arity: ir.Optional},
		{Name: "y", Kind: ir.BoolKind, Arity: ir.Optional}}, Syntax: "custom<Flags>($x, $y) attr-dict"})
	_ = Dialect.Op(ir.OpDef{Name: "alt", Operands: []ir.Field{OptField("v")}, Syntax: "(`some` $v^ `:` type($v)) : (`none`)? attr-dict"})
	_ = Dialect.Op(ir.OpDef{Name: "infer", Operands: []ir.Field{AnyField("x")}, Results: []ir.Field{AnyField("r")},
		Syntax: "$x attr-dict `:` type($x)",
		InferTypes: func(st *ir.OpState) ([]ir.Type, error) {
			return []ir.Type{st.Context().Tensor(nil, st.Operands[0].Type(), nil)}, nil
		}})

	_ = Dialect.Op(ir.OpDef{Name: "try", Regions: []ir.Field{{Name: "body"}, {Name: "handlers", Arity: ir.Variadic}, {Name: "finally"}},
		Traits: ir.NoTerminator, Syntax: "$body (`catch` $handlers^)? (`finally` $finally^)? attr-dict"})
	_ = Dialect.Op(ir.OpDef{Name: "both", Regions: []ir.Field{{Name: "list", Arity: ir.Variadic}}, Traits: ir.NoTerminator,
		Syntax: "regions attr-dict"})
	_ = Dialect.Op(ir.OpDef{Name: "split", Results: []ir.Field{varField("a"), varField("b")}, Traits: ir.AttrSizedResultSegments,
		Operands: []ir.Field{AnyField("x"), varField("rest")},
		Syntax:   "`(` operands `)` attr-dict `:` type(operands) `->` type($a) `|` type($b)"})
	_ = Dialect.Op(ir.OpDef{Name: "only", Operands: []ir.Field{{Name: "c", Type: onlyI1}}, Results: []ir.Field{{Name: "r", Type: onlyI1}},
		Attrs: []ir.Field{{Name: "to", Kind: ir.SymRefKind, Arity: ir.Optional}, {Name: "note", Kind: ir.StringKind, Arity: ir.Optional},
			{Name: "n", Kind: ir.I32Kind, Arity: ir.Optional}},
		Syntax: "$c ($to^ `/`)? ($note^)? ($n^)? attr-dict"})
	_ = Dialect.Op(ir.OpDef{Name: "loop", Regions: []ir.Field{{Name: "body"}}, Operands: []ir.Field{varField("inits")},
		Parse: parseLoop, Print: printLoop})
	_ = Dialect.Op(ir.OpDef{Name: "late", Attrs: []ir.Field{{Name: "n", Kind: ir.I32Kind}}, Syntax: "attr-dict $n"})
	_ = Dialect.Op(ir.OpDef{Name: "tag", Attrs: []ir.Field{{Name: "tag", Kind: ir.I64Kind}},
		Parse: func(p ir.AsmParser, st *ir.OpState) {
			st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
			st.SetAttr("tag", p.Attr(nil))
		},
		Print: func(p ir.AsmPrinter, op ir.Op) {
			p.OptAttrDict(op, false, "tag")
			p.Str(" ")
			p.AttrNoType(op.Attr("tag"))
		}})
	_ = Dialect.Op(ir.OpDef{Name: "next", Traits: ir.Terminator, Syntax: "attr-dict"})

	_ = Short.Op(ir.OpDef{Name: "kernel", Traits: ir.NoTerminator | ir.IsolatedFromAbove, Regions: []ir.Field{{Name: "body"}},
		Syntax:   "$body attr-dict",
		ArgNames: func(op ir.Op, name func(ir.Value, string)) { name(op.Body().Arg(0), "first") }})
	_ = Short.Op(ir.OpDef{Name: "const", Attrs: []ir.Field{{Name: "value", Kind: ir.TypedKind}}, Results: []ir.Field{AnyField("result")},
		Parse: func(p ir.AsmParser, st *ir.OpState) {
			c := p.Context()
			pos := p.Pos()
			p.Expect("<")
			elem := c.F32()
			box := ir.UniqueType(c, Short, struct {
				d *ir.Dialect
				k boxKey
			}{Short, boxKey{elem}}, func() *boxType { return &boxType{elem: elem} })
			st.SetAttr("value", p.DenseLiteral(box, box.Dims(), box.elem))
			p.Expect(">")
			p.Expect(":")
			if t := p.Type(); t != ir.Type(box) {
				p.ErrorAt(pos, "expected a box of f32")
			}
			st.Types = []ir.Type{box}
		},
		Print: func(p ir.AsmPrinter, op ir.Op) {
			p.Str(" <")
			p.DenseElements(op.Attr("value").(*ir.DenseElementsAttr))
			p.Str("> : ")
			p.Type(op.Result(0).Type())
		}})
	_ = Short.Op(ir.OpDef{Name: "id", Operands: []ir.Field{AnyField("x")}, Results: []ir.Field{AnyField("r")},
		Syntax: "$x attr-dict `:` type($x, $r)"})
)

// t.loop has an implicit terminator: loop (%a = %x, ...) : types loc(...) [ints] dims "text" @symbol keyword { ... }
func parseLoop(p ir.AsmParser, st *ir.OpState) {
	c := p.Context()
	var args []ir.Argument
	var inits []ir.OperandRef
	p.CommaList("(", ")", func() {
		args = append(args, p.Argument(false))
		p.Expect("=")
		inits = append(inits, p.Operand())
	})
	if len(args) > 0 {
		p.Expect(":")
		pos := p.Pos()
		types := p.TypeList()
		st.Operands = p.ResolveAll(inits, types, pos)
		for i := range args {
			args[i].Type = types[i]
		}
	}
	if l := p.OptLocation(); l != nil {
		st.SetAttr("where", l)
	}
	if p.Peek("[") {
		var ints []int64
		p.CommaList("[", "]", func() { ints = append(ints, p.Integer()) })
		st.SetAttr("ints", c.DenseI64(ints...))
	}
	if p.OptKeyword("dims") {
		p.Expect("<")
		st.SetAttr("dims", c.DenseI64(p.DimList(true)...))
		st.SetAttr("elem", c.TypeAttr(p.Type()))
		p.Expect(">")
	}
	if s, ok := p.OptQuoted(); ok {
		st.SetAttr("text", c.String(s))
	}
	if s, ok := p.OptSymbol(); ok {
		st.SetAttr("sym", c.SymbolRef(s))
	}
	if p.PeekKeyword() == "use" {
		p.ExpectKeyword("use")
		ops := p.Operands()
		p.Expect(":")
		f := p.FuncType()
		st.Operands = append(st.Operands, p.ResolveAll(ops, f.Inputs, p.Pos())...)
		st.Types = f.Results
	}
	if v, ok := p.OptInteger(); ok {
		st.SetAttr("count", c.IntAttr(c.Index(), v))
	}
	r := st.AddRegion()
	p.Region(r, args)
	if r.Empty() {
		r.AddBlock()
	}
	if b := r.First(); b.Terminator().IsNil() {
		ir.BuilderAtEnd(b).Create(Dialect.Lookup("next"), nil, nil)
	}
}

func printLoop(p ir.AsmPrinter, op ir.Op) {
	n := op.Body().NumArgs()
	p.Str(" (")
	for i, a := range op.Body().Args() {
		if i > 0 {
			p.Str(", ")
		}
		p.Operand(a)
		p.Str(" = ")
		p.Operand(op.Operand(i))
	}
	p.Str(")")
	if n > 0 {
		p.Str(" : ")
		for i, a := range op.Body().Args() {
			if i > 0 {
				p.Str(", ")
			}
			p.Type(a.Type())
		}
	}
	if l, ok := op.Attr("where").(ir.Location); ok {
		p.Str(" loc(")
		p.LocBody(l)
		p.Str(")")
	}
	if a, ok := op.Attr("ints").(*ir.DenseArrayAttr); ok {
		p.Str(" [")
		for i, v := range a.Values {
			if i > 0 {
				p.Str(", ")
			}
			p.IntegerAttr(p.Context().IntAttr(p.Context().Int(64), v), false)
		}
		p.Str("]")
	}
	if a, ok := op.Attr("dims").(*ir.DenseArrayAttr); ok {
		p.Str(" dims<")
		for _, d := range a.Values {
			if d < 0 {
				p.Str("?x")
			} else {
				p.Int(d)
				p.Str("x")
			}
		}
		p.Type(op.Attr("elem").(*ir.TypeAttr).Value)
		p.Str(">")
	}
	if s := op.StringAttr("text"); s != "" {
		p.Str(" ")
		p.Quoted(s)
	}
	if a, ok := op.Attr("sym").(*ir.SymbolRefAttr); ok {
		p.Str(" ")
		p.Symbol(a.Root)
	}
	if op.NumOperands() > n {
		p.Str(" use ")
		p.Operands(op.Operands()[n:])
		p.Str(" : (")
		var types []ir.Type
		for _, v := range op.Operands()[n:] {
			types = append(types, v.Type())
		}
		p.Types(types)
		p.Str(") -> (")
		p.Types(op.ResultTypes())
		p.Str(")")
	}
	if a, ok := op.Attr("count").(*ir.IntegerAttr); ok {
		p.Indent(2)
		p.Newline()
		p.AttrNoType(a)
		p.Indent(-2)
	}
	p.Str(" ")
	p.Region(op.Region(0), false, false)
}

// NewContext returns a context of the two dialects, and the text of its diagnostics.
func NewContext(t testing.TB) (*ir.Context, *strings.Builder) {
	t.Helper()
	ctx := ir.NewContext(Dialect, Short)
	ctx.AllowUnregistered = true
	diags := &strings.Builder{}
	ctx.Diag.Push(ctx.Diag.PrintTo(diags))
	return ctx, diags
}
