package syntax

import (
	"fmt"
)

// function parses an entry or a device function, declaration or definition.
func (p *parser) function(entry bool) {
	p.advance()
	f := &Function{Entry: entry, scope: newScope(p.m.scope)}
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
		f.Results = p.params(false)
	}
	name := p.ident("a function name")
	f.Name, f.Pos = name.text, name.pos
	if p.tok.is("(") {
		f.Params = p.params(entry)
	}
	p.perfDirectives(f)
	old := p.m.scope.syms[f.Name]
	switch {
	case old == nil:
		f.Address = windowCode + p.m.named*codeAlign
		p.m.named++
		p.m.scope.syms[f.Name] = &Symbol{Name: f.Name, Pos: f.Pos, Function: f}
	case old.Function == nil || old.Function.Entry != f.Entry:
		p.fail(f.Pos, "'%s' is declared twice, first at line %d", f.Name, old.Pos.Line)
	case p.tok.is("{") && old.Function.Defined:
		p.fail(f.Pos, "'%s' is defined twice, first at line %d", f.Name, old.Pos.Line)
	case p.tok.is("{"):
		// Calls before this point hold the declaration: fill it in place.
		f.Address = old.Function.Address
		*old.Function = *f
		f = old.Function
		p.fn = f
	}
	if p.accept(";") {
		return
	}
	f.Defined = true
	p.m.Funcs = append(p.m.Funcs, f)
	p.expect("{")
	p.body()
	// A label at the very end needs an instruction to stand before.
	p.add(Stmt{Op: "ret", Text: "end of function", Pos: p.tok.pos, Loc: p.loc})
	p.loc = Loc{}
	p.expect("}")
}

// params parses a parenthesised parameter list and lays it out.
func (p *parser) params(entry bool) []*Symbol {
	p.expect("(")
	var out []*Symbol
	var off int64
	for !p.tok.is(")") {
		hidden := entry && p.acceptDot(".hidden")
		if p.tok.text != ".param" && p.tok.text != ".reg" {
			p.fail(p.tok.pos, "expected a parameter, got %s", p.tok)
		}
		s := &Symbol{Space: Param, Register: p.advance().text == ".reg", Hidden: hidden}
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
				typ, ok := TypeByName[t.text[1:]]
				if !ok {
					p.fail(t.pos, "unknown parameter type '%s'", t.text)
				}
				s.Type = typ
			}
		}
		if s.Type == NoType || s.Type == Pred {
			p.fail(p.tok.pos, "parameter has no type")
		}
		name := p.ident("a parameter name")
		s.Name, s.Pos = name.text, name.pos
		s.Size = int64(s.Type.Bytes())
		s.Align = max(align, s.Size)
		p.dimensions(s, false)
		off = (off + s.Align - 1) &^ (s.Align - 1)
		s.Offset = off
		if off += s.Size; off > maxParams {
			p.fail(s.Pos, "parameters exceed %d bytes", maxParams)
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
func (p *parser) perfDirectives(f *Function) {
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
		f.Tuning.Directives = append(f.Tuning.Directives, d)
		f.Tuning.BlocksAreClusters = f.Tuning.BlocksAreClusters || t.text == ".blocksareclusters"
		dst := map[string]*[3]uint32{".reqntid": &f.Tuning.ReqNTID, ".maxntid": &f.Tuning.MaxNTID, ".reqnctapercluster": &f.Tuning.Cluster}[t.text]
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

func (p *parser) add(s Stmt) {
	if p.stmts++; p.stmts > MaxStatements {
		p.fail(s.Pos, "more than %d instructions", MaxStatements)
	}
	if s.Op != "call" {
		for _, o := range s.Args {
			if o.Sym != nil && o.Sym.Function != nil {
				p.m.takes(o.Sym.Function)
			}
		}
	}
	p.fn.Body = append(p.fn.Body, s)
}
