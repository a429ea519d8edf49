package emu

import (
	"fmt"
	"slices"
)

// Bounds on what a module may declare. They keep memory proportional to
// the source text: a short declaration cannot ask for gigabytes.
const (
	maxSource     = 256 << 20
	maxStatements = 1 << 20
	maxNesting    = 64
	maxVarBytes   = 256 << 20 // all .global and .const variables of a module
	maxShared     = 16 << 20
	maxLocal      = 1 << 20
	maxParams     = 32 << 10
)

// textModule is a parsed PTX file. What its instructions mean is not looked at: the decoder does that.
type textModule struct {
	Name    string
	Version string // of .version
	Target  string // of .target

	src   string
	scope *scope
	vars  []*symbol // .global and .const
	funcs []*function
	taken []*function // whose address is taken
	named uint64      // functions that have an address
}

// parseText parses PTX. The name stands in errors, which have type *Error.
func parseText(name string, src []byte) (m *textModule, err error) {
	if len(src) > maxSource {
		return nil, &Error{name, 1, 1, fmt.Sprintf("source of %d bytes exceeds the limit of %d", len(src), maxSource)}
	}
	defer catch(&err)
	m = &textModule{Name: name, src: string(src), scope: newScope(nil)}
	p := &parser{lexer: lexer{name: name, src: m.src, line: 1}, m: m, scope: m.scope}
	p.advance()
	p.module()
	return m, nil
}

// catch turns a thrown *Error into a returned one; any other panic goes on.
func catch(err *error) {
	if r := recover(); r != nil {
		e, ok := r.(*Error)
		if !ok {
			panic(r)
		}
		*err = e
	}
}

// takes records that the address of a function is taken.
func (m *textModule) takes(f *function) {
	if !slices.Contains(m.taken, f) {
		m.taken = append(m.taken, f)
	}
}

// errorf makes an error at a place of the text.
func (m *textModule) errorf(at pos, format string, args ...any) *Error {
	l := lexer{name: m.Name}
	return l.errorf(at, format, args...)
}

// parser turns PTX text into functions with resolved names. It works by
// recursive descent with one token of look-ahead and stops at the first
// error, which it throws as *Error and Parse recovers.
type parser struct {
	lexer
	tok      token
	m        *textModule
	scope    *scope
	fn       *function
	depth    int
	stmts    int
	varBytes int64
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
		line := p.tok.line
		p.advance()
		if p.tok.line == line {
			p.skipLine()
		}
	case ".section":
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
func (p *parser) alias() {
	p.advance()
	name := p.ident("a function name")
	p.expect(",")
	of := p.ident("a function name")
	p.expect(";")
	f, g := p.scope.lookup(name.text), p.scope.lookup(of.text)
	switch {
	case f == nil || f.fn == nil || f.fn.defined:
		p.fail(name.pos, "'%s' is not a function without a body", name.text)
	case g == nil || g.fn == nil || !g.fn.defined || g.fn.entry:
		p.fail(of.pos, "'%s' is not a device function with a body", of.text)
	}
	addr := f.fn.addr
	*f.fn = *g.fn
	f.fn.name, f.fn.addr = name.text, addr
	p.m.funcs = append(p.m.funcs, f.fn)
}

// section skips a debug section: a name and one balanced brace group.
func (p *parser) section() {
	p.advance()
	p.advance()
	open := p.expect("{")
	for depth := 1; depth > 0; {
		switch {
		case p.tok.kind == tokEOF:
			p.fail(open.pos, "section is not closed")
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
			if v.space != spShared {
				p.m.vars = append(p.m.vars, v)
			}
		}
	default:
		p.fail(p.tok.pos, "unknown directive %s", p.tok)
	}
}

func (p *parser) declare(s *symbol) {
	if old := p.scope.syms[s.name]; old != nil {
		p.fail(s.pos, "'%s' is declared twice, first at line %d", s.name, old.pos.line)
	}
	p.scope.syms[s.name] = s
}

// integer parses a constant expression of integer type.
func (p *parser) integer() int64 {
	at := p.tok.pos
	o := p.constant()
	if o.kind != opInt {
		p.fail(at, "expected an integer constant")
	}
	return int64(o.bits)
}

// variable parses `.space .align N .type name[..] = init, ...;`.
func (p *parser) variable(extern bool) []*symbol {
	sp := map[string]space{
		".global": spGlobal, ".const": spConst, ".shared": spShared, ".local": spLocal, ".param": spParam,
	}[p.advance().text]
	var align int64
	var typ scalar
	vec := int64(1)
	for p.tok.kind == tokDot {
		t := p.advance()
		switch t.text {
		case ".align":
			align = p.alignment()
		case ".attribute":
			p.expect("(")
			for !p.accept(")") {
				if p.tok.kind == tokEOF {
					p.fail(t.pos, "attribute list is not closed")
				}
				p.advance()
			}
		case ".v2", ".v4", ".v8":
			vec = int64(t.text[2] - '0')
		case ".ptr", ".global", ".shared", ".const", ".local", ".param":
		default:
			s, ok := scalarByName[t.text[1:]]
			if !ok || s == tPred {
				p.fail(t.pos, "unknown variable type '%s'", t.text)
			}
			typ = s
		}
	}
	if typ == tNone {
		p.fail(p.tok.pos, "variable has no type")
	}
	var out []*symbol
	for {
		name := p.ident("a variable name")
		v := &symbol{name: name.text, pos: name.pos, typ: typ, space: sp, align: max(align, int64(typ.bytes())*vec), size: int64(typ.bytes()) * vec}
		if align > 0 && align < int64(typ.bytes()) {
			p.fail(name.pos, "alignment %d of '%s' is below that of its type .%s", align, v.name, typ)
		}
		p.dimensions(v, extern)
		p.declare(v)
		if p.tok.is("=") {
			p.advance()
			if sp != spGlobal && sp != spConst {
				p.fail(name.pos, "%s variable '%s' cannot have an initialiser", sp, v.name)
			}
			p.initialiser(v, 0, 0)
		}
		out = append(out, v)
		if !p.accept(",") {
			break
		}
	}
	p.expect(";")
	return out
}

func (p *parser) alignment() int64 {
	at := p.tok.pos
	n := p.integer()
	if n <= 0 || n > 1<<20 || n&(n-1) != 0 {
		p.fail(at, "alignment %d is not a power of two up to 2^20", n)
	}
	return n
}

// dimensions parses `[4][8]` after a variable's name and sets its size.
func (p *parser) dimensions(v *symbol, extern bool) {
	limit := map[space]int64{spGlobal: maxVarBytes, spConst: maxVarBytes, spShared: maxShared, spLocal: maxLocal, spParam: maxParams}[v.space]
	open := false
	for p.accept("[") {
		if p.accept("]") {
			open = true
			continue
		}
		at := p.tok.pos
		n := p.integer()
		p.expect("]")
		if n < 0 || v.size > 0 && n > limit/v.size {
			p.fail(at, "'%s' is larger than the limit of %d bytes for .%s", v.name, limit, v.space)
		}
		v.size *= n
	}
	if open {
		v.extern = extern && v.space == spShared
		if !v.extern && !p.tok.is("=") {
			p.fail(v.pos, "'%s' has no size", v.name)
		}
		if p.tok.is("=") {
			v.size = -v.size // the initialiser tells the size; see initialiser
		} else {
			v.size = 0
		}
	}
	if v.space == spGlobal || v.space == spConst {
		if p.varBytes += max(v.size, 0); p.varBytes > maxVarBytes {
			p.fail(v.pos, "module variables exceed %d bytes", maxVarBytes)
		}
	}
}

// initialiser parses a value or a braced list at byte off of v and
// returns the offset behind it.
func (p *parser) initialiser(v *symbol, off int64, depth int) int64 {
	defer p.nest()()
	if p.accept("{") {
		for !p.accept("}") {
			off = p.initialiser(v, off, depth+1)
			if !p.tok.is("}") {
				p.expect(",")
			}
		}
		if v.size < 0 && depth == 0 {
			v.size = off
			if p.varBytes += off; p.varBytes > maxVarBytes {
				p.fail(v.pos, "module variables exceed %d bytes", maxVarBytes)
			}
		}
		return off
	}
	it := initItem{off: off, size: v.typ.bytes()}
	if v.size >= 0 && off+int64(it.size) > v.size {
		p.fail(p.tok.pos, "too many initialisers for '%s'", v.name)
	}
	if p.tok.kind == tokIdent {
		name := p.advance()
		generic := name.text == "generic" && p.accept("(")
		if generic {
			name = p.ident("a variable name")
			p.expect(")")
		}
		it.sym = p.scope.lookup(name.text)
		if it.sym == nil || it.sym.reg || it.sym.space == spShared {
			p.fail(name.pos, "'%s' is not a variable that can initialise another", name.text)
		}
		if f := it.sym.fn; f != nil {
			p.m.takes(f)
			it.sym, it.bits = nil, f.addr
		} else if p.accept("+") {
			it.bits = uint64(p.integer())
		}
	} else {
		it.bits = immediate(p.constant(), v.typ)
	}
	if it.bits != 0 || it.sym != nil {
		v.init = append(v.init, it)
	}
	return off + int64(it.size)
}

// immediate is the bit pattern of a constant as a value of type t.
func immediate(o *operand, t scalar) uint64 {
	if o.kind == opInt {
		return o.bits & mask(t.bits())
	}
	if o.f32 {
		if t == tF64 {
			return f64bits(float64(f32from(o.bits)))
		}
		return o.bits & mask(t.bits())
	}
	switch t {
	case tF32:
		return f32bits(float32(f64from(o.bits)))
	case tF16:
		return fmtF16.round(f64from(o.bits), rnNearest)
	case tBF16:
		return fmtBF16.round(f64from(o.bits), rnNearest)
	}
	return o.bits & mask(t.bits())
}

// Directive is a performance-tuning directive of an entry, as written.
type Directive struct {
	Name string // with its dot, for example ".maxntid"
	Args []string
}

// function parses an entry or a device function, declaration or definition.
func (p *parser) function(entry bool) {
	p.advance()
	f := &function{entry: entry, scope: newScope(p.m.scope)}
	outer := p.scope
	p.scope, p.fn = f.scope, f
	defer func() { p.scope, p.fn = outer, nil }()
	if p.acceptDot(".attribute") {
		p.expect("(")
		for !p.accept(")") {
			p.advance()
		}
	}
	if p.tok.is("(") {
		f.rets = p.params(false)
	}
	name := p.ident("a function name")
	f.name, f.pos = name.text, name.pos
	if p.tok.is("(") {
		f.params = p.params(entry)
	}
	p.perfDirectives(f)
	old := p.m.scope.syms[f.name]
	switch {
	case old == nil:
		f.addr = windowCode + p.m.named*codeAlign
		p.m.named++
		p.m.scope.syms[f.name] = &symbol{name: f.name, pos: f.pos, fn: f}
	case old.fn == nil || old.fn.entry != f.entry:
		p.fail(f.pos, "'%s' is declared twice, first at line %d", f.name, old.pos.line)
	case p.tok.is("{") && old.fn.defined:
		p.fail(f.pos, "'%s' is defined twice, first at line %d", f.name, old.pos.line)
	case p.tok.is("{"):
		// Calls before this point hold the declaration: fill it in place.
		f.addr = old.fn.addr
		*old.fn = *f
		f = old.fn
		p.fn = f
	}
	if p.accept(";") {
		return
	}
	f.defined = true
	p.m.funcs = append(p.m.funcs, f)
	p.expect("{")
	p.body()
	// A label at the very end needs an instruction to stand before.
	p.add(stmt{op: "ret", text: "end of function", pos: p.tok.pos})
	p.expect("}")
}

// params parses a parenthesised parameter list and lays it out.
func (p *parser) params(entry bool) []*symbol {
	p.expect("(")
	var out []*symbol
	var off int64
	for !p.tok.is(")") {
		if p.tok.text != ".param" && p.tok.text != ".reg" {
			p.fail(p.tok.pos, "expected a parameter, got %s", p.tok)
		}
		s := &symbol{space: spParam, reg: p.advance().text == ".reg"}
		var align int64
		pointer := false
		for p.tok.kind == tokDot {
			t := p.advance()
			switch t.text {
			case ".align":
				if n := p.alignment(); !pointer {
					align = n
				}
			case ".ptr":
				pointer = true
			case ".global", ".shared", ".const", ".local":
			default:
				typ, ok := scalarByName[t.text[1:]]
				if !ok {
					p.fail(t.pos, "unknown parameter type '%s'", t.text)
				}
				s.typ = typ
			}
		}
		if s.typ == tNone || s.typ == tPred {
			p.fail(p.tok.pos, "parameter has no type")
		}
		name := p.ident("a parameter name")
		s.name, s.pos = name.text, name.pos
		s.size = int64(s.typ.bytes())
		s.align = max(align, s.size)
		p.dimensions(s, false)
		off = (off + s.align - 1) &^ (s.align - 1)
		s.offset = off
		if off += s.size; off > maxParams {
			p.fail(s.pos, "parameters exceed %d bytes", maxParams)
		}
		p.declare(s)
		out = append(out, s)
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return out
}

// perfDirectives parses what stands between a signature and its body. An
// unknown directive is kept with its arguments: they only tune.
func (p *parser) perfDirectives(f *function) {
	for p.tok.kind == tokDot {
		t := p.advance()
		d := Directive{Name: t.text}
		for p.tok.kind == tokInt || p.tok.kind == tokString || p.tok.kind == tokIdent || p.tok.is(",") {
			if a := p.advance(); !a.is(",") {
				d.Args = append(d.Args, a.text)
			}
		}
		if t.text == ".pragma" {
			p.expect(";")
		}
		f.perf.directives = append(f.perf.directives, d)
		dst := map[string]*[3]uint32{".reqntid": &f.perf.reqntid, ".maxntid": &f.perf.maxntid, ".reqnctapercluster": &f.perf.cluster}[t.text]
		if dst == nil {
			continue
		}
		if len(d.Args) < 1 || len(d.Args) > 3 {
			p.fail(t.pos, "'%s' takes one to three numbers, got %d", t.text, len(d.Args))
		}
		*dst = [3]uint32{1, 1, 1}
		for i, a := range d.Args {
			var n uint32
			if _, err := fmt.Sscanf(a, "%v", &n); err != nil || n == 0 {
				p.fail(t.pos, "'%s' takes positive numbers, got '%s'", t.text, a)
			}
			dst[i] = n
		}
	}
}

func (p *parser) add(s stmt) {
	if p.stmts++; p.stmts > maxStatements {
		p.fail(s.pos, "more than %d instructions", maxStatements)
	}
	if s.op != "call" {
		for _, o := range s.args {
			if o.sym != nil && o.sym.fn != nil {
				p.m.takes(o.sym.fn)
			}
		}
	}
	p.fn.body = append(p.fn.body, s)
}
