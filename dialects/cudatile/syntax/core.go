package syntax

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// ParseModule parses "@name attributes {...} { ... }". The public grammar wants the name, which nothing refers to and
// bytecode does not hold; front ends write modules without, whose name is empty then.
func ParseModule(p ir.AsmParser, st *ir.OpState) {
	name, _ := p.OptSymbol()
	st.SetAttr(ir.SymName, p.Context().String(name))
	st.Attrs = append(st.Attrs, p.OptAttrDict(true)...)
	body := st.AddRegion()
	p.Region(body, nil)
	if body.Empty() {
		body.AddBlock()
	}
}

// PrintModule prints module.
func PrintModule(p ir.AsmPrinter, op ir.Op) {
	if name := op.SymbolName(); name != "" {
		p.Str(" ")
		p.Symbol(name)
	}
	p.OptAttrDict(op, true, ir.SymName)
	p.Str(" ")
	p.Region(op.Region(0), false, true)
}

// ParseEntry parses "@name(%arg: type {attributes}, ...) optimization_hints=<...> { ... } {attributes}".
func ParseEntry(p ir.AsmParser, st *ir.OpState) {
	pos := p.Pos()
	c := p.Context()
	st.SetAttr(ir.SymName, c.String(p.Symbol()))
	args, dicts := parseSignature(p)
	inputs := make([]ir.Type, len(args))
	for i, a := range args {
		inputs[i] = a.Type
	}
	var results []ir.Type
	if p.Opt("->") {
		results = parseResultTypes(p)
	}
	if p.Failed() {
		return
	}
	st.SetAttr("function_type", c.TypeAttr(c.Func(inputs, results)))
	if dicts != nil {
		st.SetAttr("arg_attrs", c.Array(dicts...))
	}
	if p.OptKeyword("optimization_hints") {
		p.Expect("=")
		st.SetAttr("optimization_hints", cudatile.ParseHints(p))
	}
	body := st.AddRegion()
	p.Region(body, args)
	if p.Failed() {
		return
	}
	terminate(p, body, cudatile.Return, pos)
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
}

// parseSignature parses "(%a: type, ...)" or "(type, ...)". The dictionaries of the arguments are nil when all are
// empty.
func parseSignature(p ir.AsmParser) (args []ir.Argument, dicts []ir.Attribute) {
	given := false
	p.CommaList("(", ")", func() {
		var a ir.Argument
		name, named := p.OptOperand()
		if len(args) > 0 && named != (args[0].Name != "") {
			p.Errorf("expected SSA identifier") // all arguments are named or none is
			return
		}
		if named {
			a.OperandRef = name
			p.Expect(":")
		}
		a.Type = p.Type()
		dict := p.OptAttrDict(false)
		a.Loc = p.OptLocation()
		given = given || len(dict) > 0
		args = append(args, a)
		dicts = append(dicts, p.Context().Dict(dict...))
	})
	if !given {
		dicts = nil
	}
	return args, dicts
}

// parseResultTypes parses "type" or "(type {attributes}, ...)".
func parseResultTypes(p ir.AsmParser) (types []ir.Type) {
	if !p.Peek("(") {
		return []ir.Type{p.Type()}
	}
	p.CommaList("(", ")", func() {
		types = append(types, p.Type())
		p.OptAttrDict(false)
	})
	return types
}

// PrintEntry prints entry.
func PrintEntry(p ir.AsmPrinter, op ir.Op) {
	p.Str(" ")
	p.Symbol(op.SymbolName())
	var dicts []ir.Attribute
	if a, ok := op.Attr("arg_attrs").(*ir.ArrayAttr); ok {
		dicts = a.Elems
	}
	printArgs(p, op.Body(), dicts)
	if t, ok := op.Attr("function_type").(*ir.TypeAttr); ok {
		if f, ok := t.Value.(*ir.FunctionType); ok && len(f.Results) > 0 {
			p.Str(" -> ")
			printResultTypes(p, f.Results)
		}
	}
	if h, ok := op.Attr("optimization_hints").(*cudatile.HintsAttr); ok && len(h.Dict.Entries) > 0 {
		p.Str(" optimization_hints=")
		cudatile.PrintHints(p, h)
	}
	p.Str(" ")
	p.Region(op.Region(0), false, true)
	p.OptAttrDict(op, false, ir.SymName, "function_type", "arg_attrs", "res_attrs", "optimization_hints")
}

// printResultTypes prints "type" or "(type, ...)".
func printResultTypes(p ir.AsmPrinter, types []ir.Type) {
	if len(types) == 1 {
		p.Types(types)
		return
	}
	p.Str("(")
	p.Types(types)
	p.Str(")")
}

// printArgs prints "(%a: type {attributes}, ...)" for the arguments of a block. The dictionaries may be nil.
func printArgs(p ir.AsmPrinter, b ir.Block, dicts []ir.Attribute) {
	p.Str("(")
	for i := range b.NumArgs() {
		if i > 0 {
			p.Str(", ")
		}
		p.BlockArg(b.Arg(i))
		if i >= len(dicts) {
			continue
		}
		if d, ok := dicts[i].(*ir.DictAttr); ok && len(d.Entries) > 0 {
			p.Str(" ")
			p.AttrDict(d.Entries)
		}
	}
	p.Str(")")
}

// terminate adds the terminator that the text may leave out to the last block of a region.
func terminate(p ir.AsmParser, r ir.Region, terminator *ir.OpDef, pos ir.Pos) {
	b := r.Last()
	if b.IsNil() {
		b = r.AddBlock()
	}
	if b.Terminator().IsNil() {
		builder := ir.BuilderAtEnd(b)
		builder.Loc = p.LocAt(pos)
		builder.Create(terminator, nil, nil)
	}
}

// HidesTerminator reports whether the terminator of a region is the one that parsing adds.
func HidesTerminator(r ir.Region, terminator *ir.OpDef) bool {
	t := r.First().Terminator()
	if !terminator.Is(t) || t.NumOperands() > 0 || len(t.DiscardableAttrs().Entries) > 0 {
		return false
	}
	// Parsing takes an unknown operation at the end for a terminator.
	prev := t.Prev()
	return prev.IsNil() || !prev.Def().Unregistered
}

// ParseGlobal parses global.
func ParseGlobal(p ir.AsmParser, st *ir.OpState) {
	c := p.Context()
	visibility := cudatile.Public
	switch {
	case p.OptKeyword("private"):
		visibility = cudatile.Private
	case p.OptKeyword("public"):
	}
	st.SetAttr("symbol_visibility", visibility.Attr(c))
	if p.OptKeyword("constant") {
		st.SetAttr("constant", c.Unit())
	}
	st.SetAttr(ir.SymName, c.String(p.Symbol()))
	alignment := int64(0)
	if p.OptKeyword("alignment") {
		p.Expect("=")
		alignment = p.Integer()
	}
	st.SetAttr("alignment", c.IntAttr(c.Int(64), alignment))
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
	if value := parseDense(p); value != nil {
		st.SetAttr("value", value)
	}
}

// PrintGlobal prints global.
func PrintGlobal(p ir.AsmPrinter, op ir.Op) {
	p.Str(" ")
	if cudatile.VisibilityOf(op) == cudatile.Private {
		p.Str("private ")
	}
	if op.HasUnitAttr("constant") {
		p.Str(" constant")
	}
	p.Str(" ")
	p.Symbol(op.SymbolName())
	if v, _ := op.IntAttr("alignment"); v != 0 {
		p.Str(" alignment = ")
		p.Int(v)
	}
	p.OptAttrDict(op, false, ir.SymName, "value", "alignment", "constant", "symbol_visibility")
	printDense(p, op)
}

// ParseConstant parses constant.
func ParseConstant(p ir.AsmParser, st *ir.OpState) {
	value := parseDense(p)
	if value == nil {
		return
	}
	st.SetAttr("value", value)
	st.Types = append(st.Types, value.Type())
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
}

// PrintConstant prints constant.
func PrintConstant(p ir.AsmPrinter, op ir.Op) {
	printDense(p, op)
	p.OptAttrDict(op, false, valueName...)
}

// valueName is a list of its own, so that there is none to be made for each constant.
var valueName = []string{"value"}

// printDense prints " <elem: literal> : type".
func printDense(p ir.AsmPrinter, op ir.Op) {
	a, ok := op.Attr("value").(*ir.DenseElementsAttr)
	if !ok {
		p.Str(" <<no elements>>")
		return
	}
	p.Str(" <")
	p.Str(cudatile.ElemText(cudatile.ElemOf(a.Type())))
	p.Str(": ")
	p.DenseElements(a)
	p.Str("> : ")
	p.Type(a.Type())
}

// parseDense parses "<elem: literal> : type". The literal comes before the type that it must fit.
func parseDense(p ir.AsmParser) *ir.DenseElementsAttr {
	p.Expect("<")
	pos := p.Pos()
	elem := literalElem(p)
	if p.Failed() {
		return nil
	}
	if !allNumbers.Has(elem) {
		p.ErrorAt(pos, wrongElem, numberElems.Desc(), cudatile.Quoted(elem))
		return nil
	}
	p.Expect(":")
	var number [8]byte
	size := ir.DenseElemBytes(elem)
	data, dims := number[:size], []int64(nil)
	if p.Peek("[") {
		data, dims = parseLists(p, elem)
	} else {
		binary.LittleEndian.PutUint64(number[:], p.Number(elem))
	}
	p.Expect(">")
	p.Expect(":")
	pos = p.Pos()
	t := p.Type()
	if p.Failed() {
		return nil
	}
	tile, ok := t.(*cudatile.TileType)
	switch {
	case !ok:
		p.ErrorAt(pos, "result #0 must be tile of %s values, but got %s", numberElems.Desc(), cudatile.Quoted(t))
	case tile.Elem != elem:
		p.ErrorAt(pos, "mismatch between the element type: %s and the tile element type %s", cudatile.Quoted(elem), cudatile.Quoted(tile.Elem))
	case dims != nil && !slices.Equal(dims, tile.Shape):
		p.ErrorAt(pos, "inferred shape of elements literal (%s) does not match type (%s)", shapeText(dims), shapeText(tile.Shape))
	default:
		return p.Context().Dense(t, data)
	}
	return nil
}

var (
	numberElems = cudatile.Elems(cudatile.NumberNames) // that diagnostics list
	allNumbers  = cudatile.Elems(cudatile.NumberNames + " " + cudatile.NewestFloat)
)

// A literal collects the elements of nested lists of numbers.
type literal struct {
	p    ir.AsmParser
	elem ir.Type
	data []byte
	dims []int64
	leaf int // depth of the numbers, plus one; 0 before the first
}

// parseLists parses nested lists of numbers. It returns the elements, or one of them when all are equal, and the
// lengths of the lists.
func parseLists(p ir.AsmParser, elem ir.Type) (data []byte, dims []int64) {
	l := literal{p: p, elem: elem}
	l.parse(0)
	return l.splat(), l.dims
}

// maxLiteralDepth bounds the nesting; a tile with more dimensions has only such of size one.
const maxLiteralDepth = 64

func (l *literal) parse(depth int) {
	if l.p.Failed() {
		return
	}
	if !l.p.Peek("[") {
		if l.leaf != 0 && l.leaf != depth+1 || depth < len(l.dims) {
			l.ragged()
			return
		}
		l.leaf = depth + 1
		l.number()
		return
	}
	if depth == maxLiteralDepth || l.leaf != 0 && depth+1 >= l.leaf {
		l.ragged()
		return
	}
	first := depth == len(l.dims)
	if first {
		l.dims = append(l.dims, 0)
	}
	n := int64(0)
	l.p.CommaList("[", "]", func() { n++; l.parse(depth + 1) })
	if first {
		l.dims[depth] = n
	} else if l.dims[depth] != n {
		l.ragged()
	}
}

func (l *literal) ragged() {
	l.p.Errorf("tensor literal is invalid; ranks are not consistent between elements")
}

// number reads one element. An integer may be written as signed or as unsigned.
func (l *literal) number() {
	v := l.p.Number(l.elem)
	for range ir.DenseElemBytes(l.elem) {
		l.data = append(l.data, byte(v))
		v >>= 8
	}
}

// splat returns the elements, or the first when all are equal.
func (l *literal) splat() []byte {
	size := ir.DenseElemBytes(l.elem)
	for i := size; i < len(l.data); i++ {
		if l.data[i] != l.data[i-size] {
			return l.data
		}
	}
	return l.data[:min(size, len(l.data))]
}

// ParseOldPow parses an fpowf by its old name.
func ParseOldPow(p ir.AsmParser, st *ir.OpState) {
	st.Def = cudatile.Pow
	source := p.Operand()
	p.Expect(",")
	exponent := p.Operand()
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
	p.Expect(":")
	t := p.Type()
	st.Operands = append(st.Operands, p.Resolve(source, t), p.Resolve(exponent, t))
	st.Types = append(st.Types, t)
}

// shapeText spells a shape for diagnostics.
func shapeText(shape []int64) string { return fmt.Sprintf("[%s]", cudatile.SizesText(shape, ", ")) }
