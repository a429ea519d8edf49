package printer

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/lexer"
	"github.com/tilewright/tilewright/ir/asm/number"
)

// typeBody prints a type.
func (p *printer) typeBody(t ir.Type) {
	if it, ok := t.(*ir.IntegerType); ok {
		p.buf = append(p.buf, 'i')
		p.Int(int64(it.Width))
		return
	}
	d := ir.TypeDialect(t)
	if d == nil {
		if o, ok := t.(*ir.OpaqueType); ok {
			p.opaque('!', o.Namespace, o.Body)
		} else {
			t.PrintType(p)
		}
		return
	}
	if p.short != d {
		p.buf = append(p.buf, '!')
		p.Str(d.Name)
		p.buf = append(p.buf, '.')
	}
	saved := p.short
	if p.short = nil; d.ShortTypes {
		p.short = d
	}
	t.PrintType(p)
	p.short = saved
}

// Types implements ir.AsmPrinter.
func (p *printer) Types(ts []ir.Type) {
	for i, t := range ts {
		if i > 0 {
			p.Str(", ")
		}
		p.Type(t)
	}
}

// Attr implements ir.AsmPrinter.
func (p *printer) Attr(a ir.Attribute) { p.attr(a, withType) }

// AttrNoType implements ir.AsmPrinter.
func (p *printer) AttrNoType(a ir.Attribute) { p.attr(a, withoutType) }

// typeMode says whether the type of a number is printed; in a list those of i64 and f64 are implied.
type typeMode uint8

const (
	withType typeMode = iota
	withoutType
	impliedType
)

func (p *printer) attr(a ir.Attribute, mode typeMode) {
	if p.visit != nil {
		p.visit.child(a)
		return
	}
	if p.alias(a) {
		return
	}
	p.attrBody(a, mode)
}

// attrBody prints an attribute itself, though there be an alias.
func (p *printer) attrBody(a ir.Attribute, mode typeMode) {
	saved := p.short
	p.short = nil
	d := ir.AttrDialect(a)
	switch a := a.(type) {
	case *ir.IntegerAttr:
		p.integer(a, mode)
	case *ir.FloatAttr:
		start := len(p.buf)
		p.FloatBits(a.FloatType(), a.Bits)
		implied := ir.Type(p.f64())
		if bytes.HasPrefix(p.buf[start:], []byte("0x")) {
			implied = nil // a pattern without a type would be an integer
		}
		p.numberType(a.Type(), mode, implied)
	case *ir.ArrayAttr:
		p.array(a)
	case *ir.DenseElementsAttr:
		p.dense(a, mode)
	case *ir.OpaqueAttr:
		p.opaque('#', a.Namespace, a.Body)
	case ir.Location:
		if d == nil {
			p.Str("loc(")
			a.PrintAttr(p)
			p.Str(")")
		} else {
			p.dialectAttr(a, d)
		}
	default:
		if d == nil {
			a.PrintAttr(p)
		} else {
			p.dialectAttr(a, d)
		}
	}
	p.short = saved
}

func (p *printer) dialectAttr(a ir.Attribute, d *ir.Dialect) {
	p.buf = append(p.buf, '#')
	p.Str(d.Name)
	p.buf = append(p.buf, '.')
	if d.ShortTypes {
		p.short = d
	}
	a.PrintAttr(p)
}

// opaque prints a symbol of a dialect that is not registered: !ns.name<...> if the body is of that form, else
// !ns<body>.
func (p *printer) opaque(prefix byte, ns, body string) {
	p.buf = append(p.buf, prefix)
	p.Str(ns)
	name, _, bracket := strings.Cut(body, "<")
	if lexer.IsBare(name) && (!bracket || closesAtEnd(body, len(name))) {
		p.buf = append(p.buf, '.')
		p.Str(body)
		return
	}
	p.buf = append(p.buf, '<')
	p.Str(body)
	p.buf = append(p.buf, '>')
}

// closesAtEnd reports whether the bracket that opens at an offset is closed by the last character, as the parser sees
// it.
func closesAtEnd(body string, at int) bool {
	l := lexer.Lexer{Src: body}
	return l.Balanced(at) == len(body)
}

func (p *printer) f64() ir.Type {
	if p.ctx == nil {
		return nil
	}
	return p.ctx.F64()
}

func (p *printer) numberType(t ir.Type, mode typeMode, implied ir.Type) {
	if mode == withoutType || mode == impliedType && t == implied {
		return
	}
	p.Str(" : ")
	p.Type(t)
}

func (p *printer) integer(a *ir.IntegerAttr, mode typeMode) {
	it, ok := a.Type().(*ir.IntegerType)
	if ok && it.Width == 1 {
		p.boolean(a.Value != 0)
		return
	}
	p.Int(a.Value)
	if mode == impliedType && ok && it.Width == 64 {
		return
	}
	p.numberType(a.Type(), mode, nil)
}

func (p *printer) boolean(v bool) { p.buf = strconv.AppendBool(p.buf, v) }

// IntegerAttr implements ir.AsmPrinter.
func (p *printer) IntegerAttr(a *ir.IntegerAttr, typed bool) {
	if typed {
		p.integer(a, withType)
	} else {
		p.integer(a, withoutType)
	}
}

func (p *printer) array(a *ir.ArrayAttr) {
	p.buf = append(p.buf, '[')
	for i, e := range a.Elems {
		if i > 0 {
			p.Str(", ")
		}
		p.attr(e, impliedType)
	}
	p.buf = append(p.buf, ']')
}

// AttrDict implements ir.AsmPrinter.
func (p *printer) AttrDict(entries []ir.NamedAttr) {
	short := p.short
	p.short = nil // as the reference, and as parsing expects
	p.buf = append(p.buf, '{')
	for i, e := range entries {
		if i > 0 {
			p.Str(", ")
		}
		p.keywordOrString(e.Name)
		if _, unit := e.Value.(*ir.UnitAttr); unit {
			continue
		}
		p.Str(" = ")
		p.Attr(e.Value)
	}
	p.buf = append(p.buf, '}')
	p.short = short
}

// OptAttrDict implements ir.AsmPrinter.
func (p *printer) OptAttrDict(op ir.Op, keyword bool, elided ...string) {
	entries := p.takeEntries()
	fields := op.Def().Attrs
	for i := range fields {
		if op.AttrNumberAt(i) != 0 && !contains(elided, fields[i].Name) {
			entries = append(entries, ir.NamedAttr{Name: fields[i].Name, Value: op.AttrAt(i)})
		}
	}
	for _, e := range op.DiscardableAttrs().Entries {
		if !contains(elided, e.Name) {
			entries = append(entries, e)
		}
	}
	p.trailingDict(entries, keyword)
}

// takeEntries returns an empty list for trailingDict.
func (p *printer) takeEntries() []ir.NamedAttr {
	entries := p.entries[:0]
	p.entries = nil // an attribute may print attributes
	return entries
}

// trailingDict prints a blank and a dictionary with types spelled in full, unless it is empty.
func (p *printer) trailingDict(entries []ir.NamedAttr, keyword bool) {
	if len(entries) > 0 {
		if keyword {
			p.Str(" attributes")
		}
		p.Str(" ")
		p.AttrDict(entries)
	}
	p.entries = entries
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// FloatBits implements ir.AsmPrinter.
func (p *printer) FloatBits(t *ir.FloatType, bits uint64) {
	p.buf = number.AppendFloat(p.buf, t.Format, bits)
}

func (p *printer) dense(a *ir.DenseElementsAttr, mode typeMode) {
	shape, _ := ir.ShapeOf(a.Type())
	switch {
	case p.elided(a, shape):
		p.Str("dense_resource<" + elidedKey + ">")
	case number.Elements(shape) == 0:
		p.Str("dense<>")
	default:
		p.Str("dense<")
		p.DenseElements(a)
		p.Str(">")
	}
	p.numberType(a.Type(), mode, nil)
}

const elidedKey = "__elided__"

// elided reports whether a constant is too large for what the caller wants to see.
func (p *printer) elided(a *ir.DenseElementsAttr, shape []int64) bool {
	n := p.opts.ElideLargeElements
	return n > 0 && number.Elements(shape) > int64(n) && !a.IsSplat(ir.ElementType(a.Type()))
}

// DenseElements implements ir.AsmPrinter. It prints the literal alone: one number, or nested lists.
func (p *printer) DenseElements(a *ir.DenseElementsAttr) {
	shaped, ok := a.Type().(ir.ShapedType)
	if !ok {
		p.Str("<<elements of a type without shape>>")
		return
	}
	shape, elem := shaped.Dims(), shaped.ElemType()
	if a.IsSplat(elem) {
		p.element(elem, a.Bits(elem, 0))
		return
	}
	if p.elided(a, shape) {
		p.Str(elidedKey)
		return
	}
	at := 0
	p.elements(a, elem, shape, &at)
}

func (p *printer) elements(a *ir.DenseElementsAttr, elem ir.Type, shape []int64, at *int) {
	if len(shape) == 0 {
		p.element(elem, a.Bits(elem, *at))
		*at++
		return
	}
	p.buf = append(p.buf, '[')
	for i := range shape[0] {
		if i > 0 {
			p.Str(", ")
		}
		p.elements(a, elem, shape[1:], at)
	}
	p.buf = append(p.buf, ']')
}

func (p *printer) element(elem ir.Type, bits uint64) {
	if f, ok := elem.(*ir.FloatType); ok {
		p.FloatBits(f, bits)
		return
	}
	width := ir.BitWidth(elem)
	if width == 1 {
		p.boolean(bits != 0)
		return
	}
	p.Int(int64(bits<<(64-width)) >> (64 - width))
}

// LocBody implements ir.AsmPrinter.
func (p *printer) LocBody(l ir.Location) {
	if p.visit != nil {
		p.visit.child(l)
		return
	}
	if p.alias(l) {
		return
	}
	if d := ir.AttrDialect(l); d != nil {
		p.attrBody(l, withType)
		return
	}
	l.PrintAttr(p)
}

// Loc implements ir.AsmPrinter.
func (p *printer) Loc(l ir.Location) {
	switch {
	case p.opts.PrettyDebugInfo:
		p.Str(" ")
		p.prettyLoc(l)
	case p.opts.DebugInfo:
		p.Str(" loc(")
		p.LocBody(l)
		p.Str(")")
	}
}

// prettyLoc prints a location for human readers.
func (p *printer) prettyLoc(l ir.Location) {
	switch l := l.(type) {
	case *ir.UnknownLoc:
		p.Str("[unknown]")
	case *ir.FileLoc:
		p.Str(l.File)
		p.Str(":")
		p.Int(int64(l.Line))
		p.Str(":")
		p.Int(int64(l.Column))
	case *ir.NameLoc:
		p.Quoted(l.Name)
		if _, unknown := l.Child.(*ir.UnknownLoc); !unknown {
			p.Str("(")
			p.prettyLoc(l.Child)
			p.Str(")")
		}
	case *ir.CallSiteLoc:
		p.prettyLoc(l.Callee)
		p.Str(" at ")
		p.prettyLoc(l.Caller)
	case *ir.FusedLoc:
		p.Str("[")
		for i, child := range l.Locs {
			if i > 0 {
				p.Str(", ")
			}
			p.prettyLoc(child)
		}
		p.Str("]")
	default:
		if f := ir.FileLocOf(l); f != nil {
			p.prettyLoc(f)
		} else {
			p.LocBody(l)
		}
	}
}
