// Package testdialect defines a small dialect for the tests of generic passes: one operation for each kind of thing
// that such a pass must tell apart, in generic syntax.
package testdialect

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline"
)

// Dialect is the dialect "test".
var Dialect = &ir.Dialect{Name: "test"}

func init() {
	Dialect.Materialize = func(b *ir.Builder, v ir.Attribute, t ir.Type, _ ir.Location) ir.Op {
		return b.Create(Const, nil, []ir.Type{t}, ir.NamedAttr{Name: "value", Value: v})
	}
}

var (
	anyAttr = &ir.AttrKind{Name: "any", Desc: "any attribute", Check: func(ir.Attribute) bool { return true }}
	operand = []ir.Field{{Name: "in", Type: ir.AnyType, Arity: ir.Variadic}}
	result  = []ir.Field{{Name: "out", Type: ir.AnyType, Arity: ir.Variadic}}
	body    = []ir.Field{{Name: "body"}}
	symbol  = []ir.Field{{Name: ir.SymName, Kind: anyAttr, Arity: ir.Optional}}
)

// The operations.
var (
	Module = Dialect.Op(ir.OpDef{Name: "module", Attrs: symbol, Regions: body,
		Traits: ir.IsolatedFromAbove | ir.SymbolTable | ir.SingleBlock | ir.NoTerminator | ir.Symbol})
	Func = Dialect.Op(ir.OpDef{Name: "func", Attrs: symbol, Regions: body,
		Traits: ir.IsolatedFromAbove | ir.Symbol | ir.NoTerminator})

	// Const folds to its value, Add folds when its operands are constant.
	Const = Dialect.Op(ir.OpDef{Name: "const", Traits: ir.Pure | ir.ConstantLike, Results: result,
		Attrs: []ir.Field{{Name: "value", Kind: anyAttr}},
		Fold: func(op ir.Op, _ []ir.Attribute) []ir.FoldResult {
			return []ir.FoldResult{{Attr: op.Attr("value")}}
		}})
	Add = Dialect.Op(ir.OpDef{Name: "add", Traits: ir.Pure | ir.Commutative, Operands: operand, Results: result, Fold: foldAdd})
	Sub = Dialect.Op(ir.OpDef{Name: "sub", Traits: ir.Pure, Operands: operand, Results: result})

	Read  = effects("read", ir.Read)
	Write = effects("write", ir.Write)
	Alloc = effects("alloc", ir.Allocate)
	// Use has effects that are not declared.
	Use = Dialect.Op(ir.OpDef{Name: "use", Operands: operand, Results: result})

	// Region has the effects of what is in it; Graph likewise, and the order in it means nothing.
	Region   = Dialect.Op(ir.OpDef{Name: "region", Operands: operand, Results: result, Regions: body, Traits: ir.RecursiveEffects | ir.NoTerminator})
	Isolated = Dialect.Op(ir.OpDef{Name: "isolated", Regions: body, Traits: ir.IsolatedFromAbove | ir.NoTerminator})
	Graph    = Dialect.Op(ir.OpDef{Name: "graph", Regions: body, Traits: ir.GraphRegion | ir.NoTerminator | ir.SingleBlock})
	Yield    = Dialect.Op(ir.OpDef{Name: "yield", Operands: operand, Traits: ir.Terminator | ir.Pure})
	Br       = Dialect.Op(ir.OpDef{Name: "br", Operands: operand, Successors: -1, Traits: ir.Terminator})
	Ret      = Dialect.Op(ir.OpDef{Name: "ret", Operands: operand, Traits: ir.Terminator})
)

func effects(name string, kind ir.EffectKind) *ir.OpDef {
	return Dialect.Op(ir.OpDef{Name: name, Operands: operand, Results: result, Caps: []ir.CapImpl{
		ir.MemoryEffects.Is(func(_ ir.Op, add func(ir.Effect)) { add(ir.Effect{Kind: kind}) }),
	}})
}

func foldAdd(op ir.Op, operands []ir.Attribute) []ir.FoldResult {
	sum := int64(0)
	for _, a := range operands {
		c, ok := a.(*ir.IntegerAttr)
		if !ok {
			return nil
		}
		sum += c.Value
	}
	return []ir.FoldResult{{Attr: op.Context().IntAttr(op.Result(0).Type(), sum)}}
}

// Run parses text, runs a pass on every operation of the given name, and verifies the result. It returns the text of
// the result, what the pass reported, one diagnostic in a line, and its statistics by name.
func Run(t testing.TB, p *passes.Pass, options, anchor, text string) (out, diags string, stats map[string]int64) {
	t.Helper()
	reg := new(passes.Registry)
	if err := reg.Add(p); err != nil {
		t.Fatal(err)
	}
	ctx := ir.NewContext(Dialect)
	var sb strings.Builder
	ctx.Diag.Push(func(d *ir.Diagnostic) { sb.WriteString(d.Error() + "\n") })
	op, err := asm.Parse(ctx, "t.mlir", []byte(text), asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(op); err != nil {
		t.Fatal(err)
	}
	it, err := pipeline.ParsePass(reg, p.Name, options)
	if err != nil {
		t.Fatal(err)
	}
	pl := pipeline.New(op.Name())
	pl.Append(pipeline.NestPath(nil, op.Name(), anchor), it)
	res, err := (&pipeline.Manager{}).Run(context.Background(), pl, op)
	if err != nil {
		return "", sb.String(), nil
	}
	if len(res.Unmatched) > 0 {
		t.Fatal(res.Unmatched)
	}
	stats = make(map[string]int64)
	for _, s := range res.Statistics {
		stats[s.Statistic.Name] += s.Value
	}
	var buf bytes.Buffer
	if err := asm.Print(&buf, op, asm.PrintOptions{}); err != nil {
		t.Fatal(err)
	}
	return buf.String(), sb.String(), stats
}
