package syntax

// parser turns PTX text into functions with resolved names. It works by
// recursive descent with one token of look-ahead and stops at the first
// error, which it throws as *Error and Parse recovers.
//
// A parser generator would need a grammar that the ISA gives only in pieces, and its errors would be worse.
type parser struct {
	lexer
	tok      token
	m        *Module
	scope    *scope
	fn       *Function
	depth    int
	stmts    int
	varBytes int64
	loc      Loc              // of the instructions that follow
	locs     map[[3]int32]Loc // of the lines so far, by file, line and column
	callers  map[Loc]int32    // the numbers of the module's callers
}

func (p *parser) fail(at pos, format string, args ...any) {
	panic(p.errorf(at, format, args...))
}

func (p *parser) advance() token {
	t := p.tok
	n, err := p.next()
	if err != nil {
		panic(err)
	}
	p.tok = n
	return t
}

func (p *parser) accept(punct string) bool {
	if p.tok.is(punct) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) expect(punct string) token {
	if !p.tok.is(punct) {
		p.fail(p.tok.pos, "expected '%s', got %s", punct, p.tok)
	}
	return p.advance()
}

func (p *parser) ident(what string) token {
	if p.tok.kind != tokIdent {
		p.fail(p.tok.pos, "expected %s, got %s", what, p.tok)
	}
	return p.advance()
}

func (p *parser) acceptDot(word string) bool {
	if p.tok.kind == tokDot && p.tok.text == word {
		p.advance()
		return true
	}
	return false
}

// The text is hostile: thousands of opening brackets must not overflow the stack.
func (p *parser) nest() func() {
	if p.depth++; p.depth > maxNesting {
		p.fail(p.tok.pos, "nesting deeper than %d", maxNesting)
	}
	return func() { p.depth-- }
}

// skipLine drops the rest of the source line, for .file and .loc, which
// have no terminator of their own.
func (p *parser) skipLine() {
	p.off = p.tok.off
	// The look-ahead token may stand on the next line already.
	if p.tok.kind == tokEOF {
		return
	}
	p.lexer.skipLine()
	p.advance()
}

func (p *parser) module() {
	for p.tok.kind != tokEOF {
		p.item()
	}
}

// item parses one module-level directive.
func (p *parser) item() {
	if p.accept(";") {
		return
	}
	if p.tok.kind != tokDot {
		p.fail(p.tok.pos, "expected a directive, got %s", p.tok)
	}
	switch p.tok.text {
	case ".version":
		p.advance()
		p.m.Version = p.advance().text
	case ".target":
		p.advance()
		p.m.Target = p.ident("a target").text
		for p.accept(",") {
			p.ident("a target option")
		}
	case ".address_size":
		t := p.advance()
		if n := p.integer(); n != 64 {
			p.fail(t.pos, "address size %d is not supported, only 64", n)
		}
	case ".file", ".loc":
		p.debugLine()
	case ".section":
		p.advance()
		p.section()
	case ".nv_intermediate_source_section":
		p.section()
	case ".pragma":
		p.pragma()
	case ".alias":
		p.alias()
	default:
		p.linked()
	}
}

// alias parses `.alias f, g;`: the function f, which is declared without a
// body, is another name of g.
//
// The alias gets a copy of the function, because names resolve to symbols before the end of the file, where .alias
// stands.
func (p *parser) alias() {
	p.advance()
	name := p.ident("a function name")
	p.expect(",")
	of := p.ident("a function name")
	p.expect(";")
	f, g := p.scope.lookup(name.text), p.scope.lookup(of.text)
	switch {
	case f == nil || f.Function == nil || f.Function.Defined:
		p.fail(name.pos, "'%s' is not a function without a body", name.text)
	case g == nil || g.Function == nil || !g.Function.Defined || g.Function.Entry:
		p.fail(of.pos, "'%s' is not a device function with a body", of.text)
	}
	addr := f.Function.Address
	*f.Function = *g.Function
	f.Function.Name, f.Function.Address = name.text, addr
	p.m.Funcs = append(p.m.Funcs, f.Function)
}

// section skips a debug section: a name and one balanced brace group.
//
// Debug information comes in sections and in .file and .loc lines; it says nothing that executes. The PTX that NVIDIA's
// compiler leaves in cubins brings the text that it was compiled from along, which is in no language of tokens.
func (p *parser) section() {
	p.advance()
	open := p.expect("{")
	for depth := 1; depth > 0; {
		switch {
		case p.tok.kind == tokEOF:
			p.fail(open.pos, "section is not closed")
		case p.tok.kind == tokDot && p.tok.text == ".source_begin":
			if !p.lexer.skipTo(".source_end") {
				p.fail(p.tok.pos, "source text is not closed")
			}
		case p.tok.is("{"):
			depth++
		case p.tok.is("}"):
			depth--
		}
		p.advance()
	}
}

func (p *parser) pragma() {
	p.advance()
	for !p.tok.is(";") {
		if p.tok.kind != tokString && !p.tok.is(",") {
			p.fail(p.tok.pos, "expected a pragma string, got %s", p.tok)
		}
		p.advance()
	}
	p.advance()
}

// linked parses an optional linking directive and what it applies to.
//
// Linkage means nothing to a module that is executed alone; extern marks dynamic shared memory and functions of the
// runtime.
func (p *parser) linked() {
	extern := false
	for {
		switch p.tok.text {
		case ".extern":
			extern = true
			p.advance()
			continue
		case ".visible", ".weak", ".common":
			p.advance()
			continue
		}
		break
	}
	switch p.tok.text {
	case ".entry":
		p.function(true)
	case ".func":
		p.function(false)
	case ".global", ".const", ".shared":
		for _, v := range p.variable(extern) {
			if v.Space != Shared {
				p.m.Vars = append(p.m.Vars, v)
			}
		}
	default:
		p.fail(p.tok.pos, "unknown directive %s", p.tok)
	}
}

func (p *parser) declare(s *Symbol) {
	if old := p.scope.syms[s.Name]; old != nil {
		p.fail(s.Pos, "'%s' is declared twice, first at line %d", s.Name, old.Pos.Line)
	}
	p.scope.syms[s.Name] = s
}

// integer parses a constant expression of integer type.
func (p *parser) integer() int64 {
	at := p.tok.pos
	o := p.constant()
	if o.Kind != OpInt {
		p.fail(at, "expected an integer constant")
	}
	return int64(o.Bits)
}
