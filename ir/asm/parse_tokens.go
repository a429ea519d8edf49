package asm

import (
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// Context implements ir.AsmParser.
func (p *parser) Context() *ir.Context { return p.ctx }

// Failed implements ir.AsmParser. It is always false: an error unwinds the hook.
func (p *parser) Failed() bool { return p.err != nil }

// Pos implements ir.AsmParser.
func (p *parser) Pos() ir.Pos { return ir.Pos(p.tok.pos) }

// Expect implements ir.AsmParser.
func (p *parser) Expect(tok string) {
	if len(tok) == 1 && p.tok.kind == tokPunct && p.tok.end == p.tok.pos+1 && p.src[p.tok.pos] == tok[0] {
		p.next()
		return
	}
	if p.Opt(tok) {
		return
	}
	if p.tok.kind != tokError && p.last > 0 && strings.Contains(p.src[p.last:p.tok.pos], "\n") {
		p.errorAt(ir.Pos(p.last), "expected '%s'%s", tok, p.got()) // it is missing at the end of its line
	}
	p.errorf("expected '%s'%s", tok, p.got())
}

// got says what stands instead of the expected, for error messages.
func (p *parser) got() string {
	if p.tok.kind == tokEOF {
		return ", but got end of file"
	}
	if text := p.text(); len(text) <= 40 {
		return ", but got '" + text + "'"
	}
	return ""
}

// Opt implements ir.AsmParser.
func (p *parser) Opt(tok string) bool {
	if !p.Peek(tok) {
		return false
	}
	if p.text() != tok { // the first colon of "::"
		p.next()
	}
	p.next()
	return true
}

// Peek implements ir.AsmParser.
func (p *parser) Peek(tok string) bool {
	if p.tok.kind != tokPunct {
		return false
	}
	if tok == "::" {
		return p.text() == ":" && p.pos < len(p.src) && p.src[p.pos] == ':'
	}
	return p.text() == tok
}

// Keyword implements ir.AsmParser.
func (p *parser) Keyword() string {
	if p.tok.kind != tokBare {
		p.Errorf("expected valid keyword")
	}
	kw := p.text()
	p.next()
	return kw
}

// ExpectKeyword implements ir.AsmParser.
func (p *parser) ExpectKeyword(kw string) {
	if !p.OptKeyword(kw) {
		p.Errorf("expected '%s'", kw)
	}
}

// OptKeyword implements ir.AsmParser.
func (p *parser) OptKeyword(kw string) bool {
	if p.tok.kind != tokBare || p.text() != kw {
		return false
	}
	p.next()
	return true
}

// PeekKeyword implements ir.AsmParser.
func (p *parser) PeekKeyword() string {
	if p.tok.kind != tokBare {
		return ""
	}
	return p.text()
}

// Integer implements ir.AsmParser.
func (p *parser) Integer() int64 {
	v, ok := p.OptInteger()
	if !ok {
		p.Errorf("expected integer value")
	}
	return v
}

// OptInteger implements ir.AsmParser.
func (p *parser) OptInteger() (int64, bool) {
	negative := p.is("-")
	if !negative && p.tok.kind != tokInt {
		return 0, false
	}
	pos := p.Pos()
	if negative {
		p.next()
		if p.tok.kind != tokInt {
			p.errorf("expected integer value")
		}
	}
	v, ok := parseInteger(p.text())
	if !ok || negative && v > 1<<63 {
		p.errorAt(pos, "integer value too large")
	}
	p.next()
	if negative {
		v = -v
	}
	return int64(v), true
}

// parseInteger reads a hexadecimal literal, or a decimal one, which may have leading zeros.
func parseInteger(text string) (v uint64, ok bool) {
	if len(text) > 1 && text[1] == 'x' {
		v, err := strconv.ParseUint(text[2:], 16, 64)
		return v, err == nil
	}
	if len(text) > 18 { // which may be too large
		v, err := strconv.ParseUint(text, 10, 64)
		return v, err == nil
	}
	for i := range len(text) {
		v = 10*v + uint64(text[i]-'0')
	}
	return v, true
}

// Quoted implements ir.AsmParser.
func (p *parser) Quoted() string {
	s, ok := p.OptQuoted()
	if !ok {
		p.Errorf("expected string")
	}
	return s
}

// OptQuoted implements ir.AsmParser.
func (p *parser) OptQuoted() (string, bool) {
	if p.tok.kind != tokString {
		return "", false
	}
	s := unescape(p.text())
	p.next()
	return s, true
}

// CommaList implements ir.AsmParser.
func (p *parser) CommaList(open, closing string, item func()) {
	if open != "" {
		p.Expect(open)
		if p.Opt(closing) {
			return
		}
	}
	for {
		item()
		if !p.Opt(",") {
			break
		}
	}
	if closing != "" {
		p.Expect(closing)
	}
}

// DimList implements ir.AsmParser. The lexer takes "2x4xf32" for an integer and an identifier, so each x is split off by hand.
func (p *parser) DimList(dynamic bool) []int64 {
	var dims []int64
	for {
		at := p.tok.end
		switch {
		case p.tok.kind == tokInt:
			text := p.text()
			if len(text) > 1 && text[1] == 'x' {
				text, at = text[:1], p.tok.pos+1 // "0x4" here is a zero and the separator
			}
			d, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				p.errorf("integer value too large")
			}
			dims = append(dims, d)
		case p.is("?"):
			if !dynamic {
				p.errorf("expected static shape")
			}
			dims = append(dims, -1)
		default:
			return dims
		}
		if at >= len(p.src) || p.src[at] != 'x' {
			p.pos = at
			p.next()
			p.errorf("expected 'x' in dimension list")
		}
		p.pos = at + 1
		p.next()
	}
}

// OptRepeat implements ir.AsmParser. It looks ahead in the text, because the lexer takes the beginning of a list of dimensions for the same tokens.
func (p *parser) OptRepeat() (int64, bool) {
	if p.tok.kind != tokInt {
		return 0, false
	}
	at, seen := p.tok.end, false
	for ; at < len(p.src) && p.src[at] != '['; at++ {
		switch c := p.src[at]; {
		case c == 'x' && !seen:
			seen = true
		case c != ' ' && c != '\t' && c != '\n':
			return 0, false
		}
	}
	if !seen || at == len(p.src) {
		return 0, false
	}
	n, err := strconv.ParseInt(p.text(), 10, 64)
	if err != nil {
		p.errorf("integer value too large")
	}
	p.pos = at
	p.next()
	return n, true
}

// Symbol implements ir.AsmParser.
func (p *parser) Symbol() string {
	s, ok := p.OptSymbol()
	if !ok {
		p.Errorf("expected valid '@'-identifier for symbol name")
	}
	return s
}

// OptSymbol implements ir.AsmParser.
func (p *parser) OptSymbol() (string, bool) {
	if p.tok.kind != tokAt {
		return "", false
	}
	name := p.text()[1:]
	if name[0] == '"' {
		name = unescape(name)
		if name == "" {
			p.errorf("expected non-empty symbol name")
		}
	}
	p.next()
	return name, true
}
