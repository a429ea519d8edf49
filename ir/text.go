package ir

import (
	"math"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir/numeric"
)

// TypeString returns the spelling of a type, without aliases; of a very long one only the beginning.
func TypeString(t Type) string {
	if t == nil {
		return "<<null type>>"
	}
	p := &textPrinter{ctx: t.base().ctx}
	p.Type(t)
	return p.text()
}

// AttrString returns the spelling of an attribute, without aliases; of a very long one only the beginning.
func AttrString(a Attribute) string {
	if a == nil {
		return "<<null attribute>>"
	}
	p := &textPrinter{ctx: a.abase().ctx}
	p.Attr(a)
	return p.text()
}

// maxText bounds what goes into a message: a type can be exponentially longer than its definition through aliases.
const maxText = 4096

// A textPrinter spells types, attributes and locations for messages. Package asm prints operations, with aliases and
// the short forms of dialects. This printer needs neither and cannot import asm.
type textPrinter struct {
	ctx *Context
	buf []byte
}

var _ AsmPrinter = (*textPrinter)(nil)

func (p *textPrinter) text() string {
	if p.full() {
		return string(p.buf[:maxText]) + "..."
	}
	return string(p.buf)
}

func (p *textPrinter) full() bool { return len(p.buf) > maxText }

// Context implements AsmPrinter.
func (p *textPrinter) Context() *Context { return p.ctx }

// Str implements AsmPrinter.
func (p *textPrinter) Str(s string) {
	if !p.full() {
		p.buf = append(p.buf, s...)
	}
}

// Int implements AsmPrinter.
func (p *textPrinter) Int(v int64) { p.Str(strconv.FormatInt(v, 10)) }

// Quoted implements AsmPrinter: quotes, backslashes and what is not printable ASCII become a backslash and two
// hexadecimal digits.
func (p *textPrinter) Quoted(s string) {
	const hex = "0123456789ABCDEF"
	buf := make([]byte, 0, len(s)+2)
	buf = append(buf, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\':
			buf = append(buf, '\\', '\\')
		case c == '"' || c < ' ' || c > '~':
			buf = append(buf, '\\', hex[c>>4], hex[c&15])
		default:
			buf = append(buf, c)
		}
	}
	p.Str(string(append(buf, '"')))
}

// Newline implements AsmPrinter; a message is one line.
func (p *textPrinter) Newline() { p.Str(" ") }

// Indent implements AsmPrinter.
func (p *textPrinter) Indent(int) {}

// Type implements AsmPrinter.
func (p *textPrinter) Type(t Type) {
	if p.full() {
		return
	}
	if d := TypeDialect(t); d != nil {
		p.Str("!" + d.Name + ".")
	}
	t.PrintType(p)
}

// Types implements AsmPrinter.
func (p *textPrinter) Types(ts []Type) {
	for i, t := range ts {
		p.comma(i)
		p.Type(t)
	}
}

func (p *textPrinter) comma(i int) {
	if i > 0 {
		p.Str(", ")
	}
}

// Attr implements AsmPrinter.
func (p *textPrinter) Attr(a Attribute) {
	if p.full() {
		return
	}
	if l, ok := a.(Location); ok && AttrDialect(a) == nil {
		p.Str("loc(")
		p.LocBody(l)
		p.Str(")")
		return
	}
	if d := AttrDialect(a); d != nil {
		p.Str("#" + d.Name + ".")
	}
	a.PrintAttr(p)
}

// AttrNoType implements AsmPrinter.
func (p *textPrinter) AttrNoType(a Attribute) {
	switch a := a.(type) {
	case *IntegerAttr:
		p.IntegerAttr(a, false)
	case *FloatAttr:
		p.FloatBits(a.typ, a.Bits)
	default:
		p.Attr(a)
	}
}

// AttrDict implements AsmPrinter.
func (p *textPrinter) AttrDict(entries []NamedAttr) {
	p.Str("{")
	for i, e := range entries {
		p.comma(i)
		if isBareName(e.Name) {
			p.Str(e.Name)
		} else {
			p.Quoted(e.Name)
		}
		if _, unit := e.Value.(*UnitAttr); !unit {
			p.Str(" = ")
			p.Attr(e.Value)
		}
	}
	p.Str("}")
}

// isBareName reports whether a name needs no quotes: [A-Za-z_][A-Za-z0-9_$.]*
func isBareName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '$' || c == '.')) {
			return false
		}
	}
	return s != ""
}

// OptAttrDict implements AsmPrinter.
func (p *textPrinter) OptAttrDict(op Op, keyword bool, elided ...string) {
	var entries []NamedAttr
	for _, e := range append(op.InherentAttrs(), op.DiscardableAttrs().Entries...) {
		skip := false
		for _, name := range elided {
			skip = skip || name == e.Name
		}
		if !skip {
			entries = append(entries, e)
		}
	}
	if len(entries) == 0 {
		return
	}
	if keyword {
		p.Str(" attributes")
	}
	p.Str(" ")
	p.AttrDict(entries)
}

// IntegerAttr implements AsmPrinter.
func (p *textPrinter) IntegerAttr(a *IntegerAttr, withType bool) {
	if BitWidth(a.typ) == 1 {
		p.Str(strconv.FormatBool(a.Value != 0))
		return
	}
	p.Int(a.Value)
	if withType {
		p.Str(" : ")
		p.Type(a.typ)
	}
}

// FloatBits implements AsmPrinter. It prints six digits after the point if they identify the value, else as many as it
// takes. For infinities and NaNs it prints the bit pattern.
func (p *textPrinter) FloatBits(t *FloatType, bits uint64) {
	v := t.Format.Decode(bits)
	if math.IsInf(v, 0) || math.IsNaN(v) {
		p.Str("0x" + strings.ToUpper(strconv.FormatUint(bits, 16)))
		return
	}
	for digits := 6; ; digits++ {
		s := strconv.FormatFloat(v, 'e', digits, 64)
		if back, err := strconv.ParseFloat(s, 64); digits == 17 || err == nil && t.Format.Encode(back, numeric.Env{}) == bits {
			p.Str(s)
			return
		}
	}
}

// DenseElements implements AsmPrinter.
func (p *textPrinter) DenseElements(a *DenseElementsAttr) {
	elem := ElementType(a.typ)
	dims, _ := ShapeOf(a.typ)
	p.Str("dense<")
	if a.IsSplat(elem) {
		p.element(a, elem, 0)
	} else {
		next := 0
		p.elements(a, elem, dims, &next)
	}
	p.Str("> : ")
	p.Type(a.typ)
}

func (p *textPrinter) elements(a *DenseElementsAttr, elem Type, dims []int64, next *int) {
	if len(dims) == 0 {
		if (*next+1)*DenseElemBytes(elem) <= len(a.Data) {
			p.element(a, elem, *next)
		}
		*next++
		return
	}
	p.Str("[")
	for i := range int(dims[0]) {
		if p.full() {
			return
		}
		p.comma(i)
		p.elements(a, elem, dims[1:], next)
	}
	p.Str("]")
}

func (p *textPrinter) element(a *DenseElementsAttr, elem Type, i int) {
	bits := a.Bits(elem, i)
	if f, ok := elem.(*FloatType); ok {
		p.FloatBits(f, bits)
		return
	}
	w := BitWidth(elem)
	switch {
	case w == 1:
		p.Str(strconv.FormatBool(bits&1 != 0))
	case w > 0:
		p.Int(int64(bits<<(64-w)) >> (64 - w))
	default:
		p.Int(int64(bits))
	}
}

// Symbol implements AsmPrinter.
func (p *textPrinter) Symbol(name string) {
	p.Str("@")
	if isBareName(name) {
		p.Str(name)
	} else {
		p.Quoted(name)
	}
}

// LocBody implements AsmPrinter.
func (p *textPrinter) LocBody(l Location) {
	if p.full() {
		return
	}
	if d := AttrDialect(l); d != nil {
		p.Str("#" + d.Name + ".")
	}
	l.PrintAttr(p)
}

// Loc implements AsmPrinter; a message leaves locations out.
func (p *textPrinter) Loc(Location) {}

// Operand implements AsmPrinter: the value's name, or its number in the arena.
func (p *textPrinter) Operand(v Value) {
	switch {
	case v.IsNil():
		p.Str("<<null value>>")
	case v.Name() != "":
		p.Str("%" + v.Name())
	default:
		p.Str("%" + strconv.Itoa(v.ID()))
	}
}

// Operands implements AsmPrinter.
func (p *textPrinter) Operands(vs []Value) {
	for i, v := range vs {
		p.comma(i)
		p.Operand(v)
	}
}

// Successor implements AsmPrinter.
func (p *textPrinter) Successor(b Block) { p.Str("^bb" + strconv.Itoa(b.ID())) }

// Region implements AsmPrinter; a message shows only that there is one.
func (p *textPrinter) Region(Region, bool, bool) { p.Str("{...}") }

// BlockArg implements AsmPrinter.
func (p *textPrinter) BlockArg(v Value) {
	p.Operand(v)
	p.Str(": ")
	p.Type(v.Type())
}
