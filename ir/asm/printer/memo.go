package printer

import "github.com/tilewright/tilewright/ir"

// A typeMemo keeps the texts of the types that were printed last. How a type is spelled depends, besides on the
// aliases, which do not change, on the dialect whose types are printed short.
type typeMemo [64]struct {
	number int // 0: free
	short  *ir.Dialect
	text   string
}

// maxMemoText bounds what is kept of each type.
const maxMemoText = 256

// known prints the type of a number, if its text is known, and reports whether it is.
func (p *printer) known(number int) bool {
	if p.types == nil || number == 0 {
		return false
	}
	e := &p.types[number%len(p.types)]
	if e.number != number || e.short != p.short {
		return false
	}
	p.buf = append(p.buf, e.text...)
	return true
}

// keep prints a type and makes its text known.
func (p *printer) keep(number int, t ir.Type) {
	start := len(p.buf)
	p.typeBody(t)
	if text := p.buf[start:]; p.types != nil && len(text) <= maxMemoText {
		e := &p.types[number%len(p.types)]
		e.number, e.short, e.text = number, p.short, string(text)
	}
}

// Type implements ir.AsmPrinter.
func (p *printer) Type(t ir.Type) {
	if p.visit != nil {
		p.visit.child(t)
		return
	}
	if n := ir.TypeNumber(t); !p.known(n) {
		p.keep(n, t)
	}
}

func (p *printer) valueType(v ir.Value) {
	switch {
	case v.IsNil():
		p.Str("<<NULL TYPE>>")
	case p.visit != nil:
		p.visit.child(v.Type())
	default:
		if n := v.TypeNumber(); !p.known(n) {
			p.keep(n, v.Type())
		}
	}
}
