package syntax

import (
	"strings"
)

// body parses the statements of a function up to its closing brace.
func (p *parser) body() {
	defer p.nest()()
	for !p.tok.is("}") {
		switch p.tok.kind {
		case tokEOF:
			p.fail(p.tok.pos, "function '%s' is not closed", p.fn.Name)
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
			if v.Space == Global || v.Space == Const {
				p.m.Vars = append(p.m.Vars, v)
			}
		}
		p.fn.Vars = append(p.fn.Vars, vars...)
	case ".extern":
		p.advance()
		if p.tok.text != ".shared" {
			p.fail(p.tok.pos, "expected '.shared' after '.extern', got %s", p.tok)
		}
		p.fn.Vars = append(p.fn.Vars, p.variable(true)...)
	case ".loc", ".file":
		p.debugLine()
	case ".pragma":
		p.pragma()
	case ".section":
		p.advance()
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
	typ, ok := TypeByName[t.text[1:]]
	if !ok {
		p.fail(t.pos, "unknown register type '%s'", t.text)
	}
	if typ.Bits() < 8 && typ != Pred {
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
				p.fail(name.pos, "registers '%s' are declared twice, first at line %d", name.text, old.pos.Line)
			}
			p.scope.ranges[name.text] = regRange{typ, uint64(n), name.pos}
		} else {
			p.declare(&Symbol{Name: name.text, Pos: name.pos, Register: true, Type: typ})
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(";")
}

// instruction parses a label, or an instruction with its guard.
//
// The text of a statement is kept as written, with its white space evened out, for messages: a fault names the line
// and shows the instruction.
func (p *parser) instruction() {
	s := Stmt{Pos: p.tok.pos, Loc: p.loc}
	start := p.tok.off
	if p.accept("@") {
		not := p.accept("!")
		s.Guard = p.operand()
		s.Guard.Not = not
		if s.Guard.Kind != OpReg || s.Guard.Sym.Type != Pred {
			p.fail(s.Pos, "the guard is not a predicate register")
		}
	}
	op := p.ident("an instruction")
	if s.Guard == nil && p.accept(":") {
		p.labelled(op)
		return
	}
	s.Op = op.text
	for p.tok.kind == tokDot && p.tok.glued {
		s.Mods = append(s.Mods, p.advance().text[1:])
	}
	for !p.tok.is(";") {
		o := p.operand()
		if p.accept("|") {
			o.Pred = p.operand()
		}
		s.Args = append(s.Args, o)
		if !p.accept(",") {
			break
		}
	}
	end := p.tok.off
	p.expect(";")
	s.Text = strings.Join(strings.Fields(p.src[start:end]), " ") + ";"
	p.add(s)
}

// labelled parses what follows `name:`: nothing, or a table of branch
// targets or call prototype.
//
// Prototypes are skipped: what a call passes is known from its operands, and the sizes of the targets' parameters are
// compared with those.
func (p *parser) labelled(name token) {
	if p.tok.kind == tokDot {
		switch p.tok.text {
		case ".branchtargets", ".calltargets":
			p.advance()
			var list []*Operand
			for !p.accept(";") {
				list = append(list, p.operand())
				if !p.tok.is(";") {
					p.expect(",")
				}
			}
			if p.scope.lists == nil {
				p.scope.lists = map[string][]*Operand{}
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
	p.scope.labels[name.text] = len(p.fn.Body)
}
