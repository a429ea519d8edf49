package parser

import (
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/lexer"
	"github.com/tilewright/tilewright/ir/asm/number"
)

// Context implements ir.AsmParser.
func (p *parser) Context() *ir.Context { return p.ctx }

// Failed implements ir.AsmParser. It is always false: an error unwinds the hook.
func (p *parser) Failed() bool { return p.err != nil }

// Pos implements ir.AsmParser.
func (p *parser) Pos() ir.Pos { return ir.Pos(p.Tok.Pos) }

// Expect implements ir.AsmParser.
func (p *parser) Expect(tok string) {
	if len(tok) == 1 && p.Tok.Kind == lexer.Punct && p.Tok.End == p.Tok.Pos+1 && p.Src[p.Tok.Pos] == tok[0] {
		p.Next()
		return
	}
	if p.Opt(tok) {
		return
	}
	got := p.got()
	if !strings.HasSuffix(got, "?)") { // who misspelt a word knows what it belongs to
		got += usage[tok]
	}
	if p.Tok.Kind != lexer.Error && p.Last > 0 && strings.Contains(p.Src[p.Last:p.Tok.Pos], "\n") {
		p.errorAt(ir.Pos(p.Last), "expected '%s'%s", tok, got) // it is missing at the end of its line
	}
	p.errorf("expected '%s'%s", tok, got)
}

// usage says what tokens are for that are often forgotten, for error messages.
var usage = map[string]string{
	"{": "; braces enclose the operations of a region, as in 'entry @k() { return }', and attributes, as in 'attributes {a = 1}'",
	"}": "; braces enclose the operations of a region, as in 'entry @k() { return }', and attributes, as in 'attributes {a = 1}'",
	":": "; a ':' stands before a type, as in '%x: tile<i32>' and '%y = iota : tile<8xi32>', and after a label",
}

// got says what stands instead of the expected, for error messages.
func (p *parser) got() string {
	if p.Tok.Kind == lexer.EOF {
		return ", but got end of file"
	}
	if text := p.Text(); len(text) <= 40 {
		near := ""
		if p.Tok.Kind == lexer.Bare && p.wantedAt == p.Tok.Pos {
			near = p.nearest(text, p.wanted)
		}
		return ", but got '" + text + "'" + near
	}
	return ""
}

// Opt implements ir.AsmParser.
func (p *parser) Opt(tok string) bool {
	if !p.Peek(tok) {
		return false
	}
	if p.Text() != tok { // the first colon of "::"
		p.Next()
	}
	p.Next()
	return true
}

// Peek implements ir.AsmParser.
func (p *parser) Peek(tok string) bool {
	if p.Tok.Kind != lexer.Punct {
		return false
	}
	if tok == "::" {
		return p.Text() == ":" && p.After < len(p.Src) && p.Src[p.After] == ':'
	}
	return p.Text() == tok
}

// Keyword implements ir.AsmParser.
func (p *parser) Keyword() string {
	if p.Tok.Kind != lexer.Bare {
		p.Errorf("expected valid keyword")
	}
	kw := p.Text()
	p.Next()
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
	if p.Tok.Kind != lexer.Bare {
		return false
	}
	if p.Text() != kw {
		p.want(kw)
		return false
	}
	p.Next()
	return true
}

// want notes a keyword that the token in lookahead is not.
func (p *parser) want(kw string) {
	if p.wantedAt != p.Tok.Pos {
		p.wanted, p.wantedAt = p.wanted[:0], p.Tok.Pos
	}
	p.wanted = append(p.wanted, kw)
}

// nearest completes an error about a name with those of the known ones that are like it.
func (p *parser) nearest(name string, known []string) string {
	if p.opts.Nearest == nil {
		return ""
	}
	return p.opts.Nearest(name, known)
}

// PeekKeyword implements ir.AsmParser.
func (p *parser) PeekKeyword() string {
	if p.Tok.Kind != lexer.Bare {
		return ""
	}
	return p.Text()
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
	negative := p.Is("-")
	if !negative && p.Tok.Kind != lexer.Int {
		return 0, false
	}
	pos := p.Pos()
	if negative {
		p.Next()
		if p.Tok.Kind != lexer.Int {
			p.errorf("expected integer value")
		}
	}
	v, ok := number.ParseInteger(p.Text())
	if !ok || negative && v > 1<<63 {
		p.errorAt(pos, "integer value too large")
	}
	p.Next()
	if negative {
		v = -v
	}
	return int64(v), true
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
	if p.Tok.Kind != lexer.String {
		return "", false
	}
	s := lexer.Unescape(p.Text())
	p.Next()
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

// DimList implements ir.AsmParser. The lexer takes "2x4xf32" for an integer and an identifier, so each x is split off
// by hand.
func (p *parser) DimList(dynamic bool) []int64 {
	var dims []int64
	for {
		at := p.Tok.End
		switch {
		case p.Tok.Kind == lexer.Int:
			text := p.Text()
			if len(text) > 1 && text[1] == 'x' {
				text, at = text[:1], p.Tok.Pos+1 // "0x4" here is a zero and the separator
			}
			d, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				p.errorf("integer value too large")
			}
			dims = append(dims, d)
		case p.Is("?"):
			if !dynamic {
				p.errorf("expected static shape")
			}
			dims = append(dims, -1)
		default:
			return dims
		}
		if at >= len(p.Src) || p.Src[at] != 'x' {
			p.After = at
			p.Next()
			p.errorf("expected 'x' in dimension list")
		}
		p.After = at + 1
		p.Next()
	}
}

// OptRepeat implements ir.AsmParser. It looks ahead in the text, because the lexer takes the beginning of a list of
// dimensions for the same tokens.
func (p *parser) OptRepeat() (int64, bool) {
	if p.Tok.Kind != lexer.Int {
		return 0, false
	}
	at, seen := p.Tok.End, false
	for ; at < len(p.Src) && p.Src[at] != '['; at++ {
		switch c := p.Src[at]; {
		case c == 'x' && !seen:
			seen = true
		case c != ' ' && c != '\t' && c != '\n':
			return 0, false
		}
	}
	if !seen || at == len(p.Src) {
		return 0, false
	}
	n, err := strconv.ParseInt(p.Text(), 10, 64)
	if err != nil {
		p.errorf("integer value too large")
	}
	p.After = at
	p.Next()
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
	if p.Tok.Kind != lexer.At {
		return "", false
	}
	name := p.Text()[1:]
	if name[0] == '"' {
		name = lexer.Unescape(name)
		if name == "" {
			p.errorf("expected non-empty symbol name")
		}
	}
	p.Next()
	return name, true
}
