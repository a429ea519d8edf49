package ir

import (
	"strconv"
	"strings"
)

// TypeString returns the spelling of a type, without aliases; of a very long one only the beginning.
func TypeString(t Type) string {
	if t == nil {
		return "<<null type>>"
	}
	p := newTextPrinter()
	p.Type(t)
	return p.String()
}

// AttrString returns the spelling of an attribute, without aliases; of a very long one only the beginning.
func AttrString(a Attribute) string {
	if a == nil {
		return "<<null attribute>>"
	}
	p := newTextPrinter()
	p.Attr(a)
	return p.String()
}

// maxText bounds what goes into a message: a type can be exponentially longer than its definition through aliases.
const maxText = 4096

func newTextPrinter() *BasePrinter {
	p := &BasePrinter{Limit: maxText}
	p.Self = p
	return p
}

// A BasePrinter is an AsmPrinter that spells types, attributes and locations, for messages. A printer of whole operations embeds it,
// sets Self to itself, and redefines what it does better (aliases, value names, regions).
type BasePrinter struct {
	// Self receives the calls for the parts of what is printed.
	Self AsmPrinter
	// Ctx is what Context returns.
	Ctx *Context
	// Buf holds the text so far.
	Buf []byte
	// Limit ends the text soon after so many bytes; 0: no limit.
	Limit int

	depth int
}

var _ AsmPrinter = (*BasePrinter)(nil)

// String returns the text.
func (p *BasePrinter) String() string {
	if p.full() {
		return string(p.Buf[:p.Limit]) + "..."
	}
	return string(p.Buf)
}

func (p *BasePrinter) full() bool { return p.Limit > 0 && len(p.Buf) > p.Limit }

// Context implements AsmPrinter.
func (p *BasePrinter) Context() *Context { return p.Ctx }

// Str implements AsmPrinter.
func (p *BasePrinter) Str(s string) {
	if !p.full() {
		p.Buf = append(p.Buf, s...)
	}
}

// Int implements AsmPrinter.
func (p *BasePrinter) Int(v int64) { p.Self.Str(strconv.FormatInt(v, 10)) }

// Quoted implements AsmPrinter: quotes, backslashes and what is not printable ASCII become a backslash and two hexadecimal digits.
func (p *BasePrinter) Quoted(s string) {
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
	p.Self.Str(string(append(buf, '"')))
}

// Newline implements AsmPrinter.
func (p *BasePrinter) Newline() { p.Self.Str("\n" + strings.Repeat("  ", max(p.depth, 0))) }

// Indent implements AsmPrinter.
func (p *BasePrinter) Indent(by int) { p.depth += by }

// Type implements AsmPrinter.
func (p *BasePrinter) Type(t Type) {
	if p.full() {
		return
	}
	if d := TypeDialect(t); d != nil {
		p.Self.Str("!" + d.Name + ".")
	}
	t.PrintType(p.Self)
}

// Types implements AsmPrinter.
func (p *BasePrinter) Types(ts []Type) {
	for i, t := range ts {
		p.comma(i)
		p.Self.Type(t)
	}
}

func (p *BasePrinter) comma(i int) {
	if i > 0 {
		p.Self.Str(", ")
	}
}

// Attr implements AsmPrinter.
func (p *BasePrinter) Attr(a Attribute) {
	if p.full() {
		return
	}
	if l, ok := a.(Location); ok && AttrDialect(a) == nil {
		p.Self.Str("loc(")
		p.Self.LocBody(l)
		p.Self.Str(")")
		return
	}
	if d := AttrDialect(a); d != nil {
		p.Self.Str("#" + d.Name + ".")
	}
	a.PrintAttr(p.Self)
}

// AttrNoType implements AsmPrinter.
func (p *BasePrinter) AttrNoType(a Attribute) {
	switch a := a.(type) {
	case *IntegerAttr:
		p.Self.IntegerAttr(a, false)
	case *FloatAttr:
		p.Self.FloatBits(a.typ, a.Bits)
	default:
		p.Self.Attr(a)
	}
}

// AttrDict implements AsmPrinter.
func (p *BasePrinter) AttrDict(entries []NamedAttr) {
	p.Self.Str("{")
	for i, e := range entries {
		p.comma(i)
		if isBareName(e.Name) {
			p.Self.Str(e.Name)
		} else {
			p.Self.Quoted(e.Name)
		}
		if _, unit := e.Value.(*UnitAttr); !unit {
			p.Self.Str(" = ")
			p.Self.Attr(e.Value)
		}
	}
	p.Self.Str("}")
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
func (p *BasePrinter) OptAttrDict(op Op, keyword bool, elided ...string) {
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
		p.Self.Str(" attributes")
	}
	p.Self.Str(" ")
	p.Self.AttrDict(entries)
}

// IntegerAttr implements AsmPrinter.
func (p *BasePrinter) IntegerAttr(a *IntegerAttr, withType bool) {
	if BitWidth(a.typ) == 1 {
		p.Self.Str(strconv.FormatBool(a.Value != 0))
		return
	}
	p.Self.Int(a.Value)
	if withType {
		p.Self.Str(" : ")
		p.Self.Type(a.typ)
	}
}

// FloatBits implements AsmPrinter: as FormatFloat spells it.
func (p *BasePrinter) FloatBits(t *FloatType, bits uint64) { p.Self.Str(FormatFloat(t, bits)) }

// FormatFloat spells a constant as MLIR does: six digits behind the point if they identify the value, else the shortest decimal
// that does, and for infinities and NaNs the bit pattern in hexadecimal.
func FormatFloat(t *FloatType, bits uint64) string {
	v := t.Format.Decode(bits)
	if v-v != 0 { // infinity or NaN
		return "0x" + strings.ToUpper(strconv.FormatUint(bits, 16))
	}
	short := strconv.FormatFloat(v, 'e', 6, 64)
	if back, err := strconv.ParseFloat(short, 64); err == nil && back == v {
		return short
	}
	return strconv.FormatFloat(v, 'e', -1, 64)
}

// DenseElements implements AsmPrinter.
func (p *BasePrinter) DenseElements(a *DenseElementsAttr) {
	elem := ElementType(a.typ)
	dims, _ := ShapeOf(a.typ)
	p.Self.Str("dense<")
	if a.IsSplat(elem) {
		p.element(a, elem, 0)
	} else {
		next := 0
		p.elements(a, elem, dims, &next)
	}
	p.Self.Str("> : ")
	p.Self.Type(a.typ)
}

func (p *BasePrinter) elements(a *DenseElementsAttr, elem Type, dims []int64, next *int) {
	if len(dims) == 0 {
		if (*next+1)*DenseElemBytes(elem) <= len(a.Data) {
			p.element(a, elem, *next)
		}
		*next++
		return
	}
	p.Self.Str("[")
	for i := range int(dims[0]) {
		if p.full() {
			return
		}
		p.comma(i)
		p.elements(a, elem, dims[1:], next)
	}
	p.Self.Str("]")
}

func (p *BasePrinter) element(a *DenseElementsAttr, elem Type, i int) {
	bits := a.Bits(elem, i)
	if f, ok := elem.(*FloatType); ok {
		p.Self.FloatBits(f, bits)
		return
	}
	w := BitWidth(elem)
	switch {
	case w == 1:
		p.Self.Str(strconv.FormatBool(bits&1 != 0))
	case w > 0:
		p.Self.Int(int64(bits<<(64-w)) >> (64 - w))
	default:
		p.Self.Int(int64(bits))
	}
}

// Symbol implements AsmPrinter.
func (p *BasePrinter) Symbol(name string) {
	p.Self.Str("@")
	if isBareName(name) {
		p.Self.Str(name)
	} else {
		p.Self.Quoted(name)
	}
}

// LocBody implements AsmPrinter.
func (p *BasePrinter) LocBody(l Location) {
	if p.full() {
		return
	}
	if d := AttrDialect(l); d != nil {
		p.Self.Str("#" + d.Name + ".")
	}
	l.PrintAttr(p.Self)
}

// Loc implements AsmPrinter; a message leaves locations out.
func (p *BasePrinter) Loc(Location) {}

// Operand implements AsmPrinter: the value's name, or its number in the arena.
func (p *BasePrinter) Operand(v Value) {
	switch {
	case v.IsNil():
		p.Self.Str("<<null value>>")
	case v.Name() != "":
		p.Self.Str("%" + v.Name())
	default:
		p.Self.Str("%" + strconv.Itoa(v.ID()))
	}
}

// Operands implements AsmPrinter.
func (p *BasePrinter) Operands(vs []Value) {
	for i, v := range vs {
		p.comma(i)
		p.Self.Operand(v)
	}
}

// Successor implements AsmPrinter.
func (p *BasePrinter) Successor(b Block) { p.Self.Str("^bb" + strconv.Itoa(b.ID())) }

// Region implements AsmPrinter; a message shows only that there is one.
func (p *BasePrinter) Region(Region, bool, bool) { p.Self.Str("{...}") }

// BlockArg implements AsmPrinter.
func (p *BasePrinter) BlockArg(v Value) {
	p.Self.Operand(v)
	p.Self.Str(": ")
	p.Self.Type(v.Type())
}
