package emu

import "strings"

// body parses the statements of a function up to its closing brace.
func (p *parser) body() {
	defer p.nest()()
	for !p.tok.is("}") {
		switch p.tok.kind {
		case tokEOF:
			p.fail(p.tok.pos, "function '%s' is not closed", p.fn.name)
		case tokDot:
			p.bodyDirective()
		case tokPunct:
			switch {
			case p.accept(";"):
			case p.accept("{"):
				p.scope = newScope(p.scope)
				p.body()
				p.scope = p.scope.up
				p.expect("}")
			case p.tok.is("@"):
				p.instruction()
			default:
				p.fail(p.tok.pos, "expected a statement, got %s", p.tok)
			}
		case tokIdent:
			p.instruction()
		default:
			p.fail(p.tok.pos, "expected a statement, got %s", p.tok)
		}
	}
}

func (p *parser) bodyDirective() {
	switch p.tok.text {
	case ".reg":
		p.registers()
	case ".local", ".shared", ".param", ".global", ".const":
		vars := p.variable(false)
		for _, v := range vars {
			if v.space == spGlobal || v.space == spConst {
				p.m.vars = append(p.m.vars, v)
			}
		}
		p.fn.vars = append(p.fn.vars, vars...)
	case ".extern":
		p.advance()
		if p.tok.text != ".shared" {
			p.fail(p.tok.pos, "expected '.shared' after '.extern', got %s", p.tok)
		}
		p.fn.vars = append(p.fn.vars, p.variable(true)...)
	case ".loc", ".file":
		line := p.tok.line
		p.advance()
		if p.tok.line == line {
			p.skipLine()
		}
	case ".pragma":
		p.pragma()
	case ".section":
		p.section()
	default:
		p.fail(p.tok.pos, "unknown directive %s", p.tok)
	}
}

// registers parses `.reg .b32 %a, %b, %r<100>;`.
func (p *parser) registers() {
	p.advance()
	if p.tok.kind != tokDot {
		p.fail(p.tok.pos, "expected a register type, got %s", p.tok)
	}
	t := p.advance()
	typ, ok := scalarByName[t.text[1:]]
	if !ok {
		p.fail(t.pos, "unknown register type '%s'", t.text)
	}
	if typ.bits() < 8 && typ != tPred {
		p.fail(t.pos, "registers cannot have type '%s'", t.text)
	}
	for {
		name := p.ident("a register name")
		if p.accept("<") {
			at := p.tok.pos
			n := p.integer()
			p.expect(">")
			if n < 0 || n > 1<<30 {
				p.fail(at, "register count %d out of range", n)
			}
			if p.scope.ranges == nil {
				p.scope.ranges = map[string]regRange{}
			}
			if old, dup := p.scope.ranges[name.text]; dup {
				p.fail(name.pos, "registers '%s' are declared twice, first at line %d", name.text, old.pos.line)
			}
			p.scope.ranges[name.text] = regRange{typ, uint64(n), name.pos}
		} else {
			p.declare(&symbol{name: name.text, pos: name.pos, reg: true, typ: typ})
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(";")
}

// instruction parses a label, or an instruction with its guard.
func (p *parser) instruction() {
	s := stmt{pos: p.tok.pos}
	start := p.tok.off
	if p.accept("@") {
		not := p.accept("!")
		s.guard = p.operand()
		s.guard.not = not
		if s.guard.kind != opReg || s.guard.sym.typ != tPred {
			p.fail(s.pos, "the guard is not a predicate register")
		}
	}
	op := p.ident("an instruction")
	if s.guard == nil && p.accept(":") {
		p.labelled(op)
		return
	}
	s.op = op.text
	for p.tok.kind == tokDot && p.tok.glued {
		s.mods = append(s.mods, p.advance().text[1:])
	}
	for !p.tok.is(";") {
		o := p.operand()
		if p.accept("|") {
			o.pred = p.operand()
		}
		s.args = append(s.args, o)
		if !p.accept(",") {
			break
		}
	}
	end := p.tok.off
	p.expect(";")
	s.text = strings.Join(strings.Fields(p.src[start:end]), " ") + ";"
	p.add(s)
}

// labelled parses what follows `name:`: nothing, or a table of branch
// targets or call prototype.
func (p *parser) labelled(name token) {
	if p.tok.kind == tokDot {
		switch p.tok.text {
		case ".branchtargets", ".calltargets":
			p.advance()
			var list []*operand
			for !p.accept(";") {
				list = append(list, p.operand())
				if !p.tok.is(";") {
					p.expect(",")
				}
			}
			if p.scope.lists == nil {
				p.scope.lists = map[string][]*operand{}
			}
			p.scope.lists[name.text] = list
			return
		case ".callprototype":
			for !p.accept(";") {
				if p.tok.kind == tokEOF {
					p.fail(name.pos, "'%s' is not closed", name.text)
				}
				p.advance()
			}
			if p.scope.protos == nil {
				p.scope.protos = map[string]bool{}
			}
			p.scope.protos[name.text] = true
			return
		}
	}
	if p.scope.labels == nil {
		p.scope.labels = map[string]int{}
	}
	if _, dup := p.scope.labels[name.text]; dup {
		p.fail(name.pos, "label '%s' is defined twice", name.text)
	}
	p.scope.labels[name.text] = len(p.fn.body)
}

// operand parses one instruction operand.
func (p *parser) operand() *operand {
	defer p.nest()()
	o := &operand{pos: p.tok.pos, scope: p.scope}
	switch {
	case p.accept("!"):
		o = p.operand()
		o.not = true
	case p.accept("{"):
		o.kind, o.list = opVector, p.operands("}")
	case p.accept("("):
		o.kind, o.list = opList, p.operands(")")
	case p.accept("["):
		o.kind = opAddr
		p.address(o)
	case p.tok.kind == tokIdent:
		p.named(o)
		if o.kind == opVar && (p.tok.is("+") || p.tok.is("-")) {
			o.off = p.offset()
		}
	case p.tok.is("-"):
		// A sign before a register, or a constant.
		p.advance()
		if p.tok.kind == tokIdent {
			o = p.operand()
			o.neg = !o.neg
			return o
		}
		c := p.unary()
		negate(c)
		c.pos = o.pos
		return c
	default:
		return p.constant()
	}
	return o
}

func (p *parser) operands(end string) []*operand {
	var out []*operand
	for !p.accept(end) {
		out = append(out, p.operand())
		if !p.tok.is(end) {
			p.expect(",")
		}
	}
	return out
}

// named resolves an identifier operand.
func (p *parser) named(o *operand) {
	t := p.advance()
	o.name = t.text
	if o.name == "_" {
		o.kind = opSink
		return
	}
	if p.tok.kind == tokDot && p.tok.glued {
		if y := p.scope.lookup(o.name); y != nil && y.reg {
			o.sel = p.advance().text[1:]
		} else if o.name[0] == '%' {
			o.name += p.advance().text
		}
	}
	o.sym = p.scope.lookup(o.name)
	switch {
	case o.sym == nil || o.sym.fn != nil:
		o.kind = opName
	case o.sym.reg:
		o.kind = opReg
	default:
		o.kind = opVar
	}
}

// offset parses the `+4`, `-4` and `+-4` that follow a base.
func (p *parser) offset() int64 {
	var off int64
	for {
		switch {
		case p.accept("+"):
			off += p.signed()
		case p.accept("-"):
			off -= p.signed()
		default:
			return off
		}
	}
}

func (p *parser) signed() int64 {
	at := p.tok.pos
	o := p.unary()
	if o.kind != opInt {
		p.fail(at, "expected an integer offset")
	}
	return int64(o.bits)
}

// address parses the inside of `[base+off]` and of `[map, {x, y}]`.
func (p *parser) address(o *operand) {
	if p.tok.kind == tokIdent {
		o.base = &operand{pos: p.tok.pos, scope: p.scope}
		p.named(o.base)
		o.off = p.offset()
	} else {
		at := p.tok.pos
		c := p.constant()
		if c.kind != opInt {
			p.fail(at, "expected an address")
		}
		o.off = int64(c.bits)
	}
	for p.accept(",") {
		o.list = append(o.list, p.operand())
	}
	p.expect("]")
}

// constant parses a constant expression by precedence climbing.
func (p *parser) constant() *operand { return p.binary(0) }

// precedence lists the binary operators from loosest to tightest.
var precedence = map[string]int{"|": 1, "^": 2, "&": 3, "+": 5, "-": 5, "*": 6, "/": 6}

func (p *parser) binary(level int) *operand {
	defer p.nest()()
	l := p.unary()
	for {
		if p.tok.kind != tokPunct {
			return l
		}
		op := p.tok
		prec := precedence[op.text]
		if prec == 0 || prec <= level {
			return l
		}
		p.advance()
		r := p.binary(prec)
		if l.kind != opInt || r.kind != opInt {
			p.fail(op.pos, "operator '%s' needs integer constants", op.text)
		}
		switch op.text {
		case "|":
			l.bits |= r.bits
		case "^":
			l.bits ^= r.bits
		case "&":
			l.bits &= r.bits
		case "+":
			l.bits += r.bits
		case "-":
			l.bits -= r.bits
		case "*":
			l.bits *= r.bits
		default:
			if r.bits == 0 {
				p.fail(op.pos, "division by zero in a constant")
			}
			l.bits = uint64(int64(l.bits) / int64(r.bits))
		}
	}
}

func (p *parser) unary() *operand {
	defer p.nest()()
	at := p.tok
	switch {
	case p.accept("-"):
		o := p.unary()
		negate(o)
		return o
	case p.accept("+"):
		return p.unary()
	case p.accept("~"):
		o := p.unary()
		if o.kind != opInt {
			p.fail(at.pos, "operator '~' needs an integer constant")
		}
		o.bits = ^o.bits
		return o
	case p.accept("("):
		o := p.constant()
		p.expect(")")
		return o
	case p.tok.kind == tokInt:
		p.advance()
		return &operand{kind: opInt, bits: at.bits, pos: at.pos, scope: p.scope}
	case p.tok.kind == tokFloat:
		p.advance()
		return &operand{kind: opFloat, bits: at.bits, f32: at.f32, pos: at.pos, scope: p.scope}
	}
	p.fail(at.pos, "expected a constant, got %s", at)
	return nil
}

func negate(o *operand) {
	switch {
	case o.kind == opInt:
		o.bits = -o.bits
	case o.f32:
		o.bits ^= 1 << 31
	default:
		o.bits ^= 1 << 63
	}
}
