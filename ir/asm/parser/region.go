package parser

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/index"
	"github.com/tilewright/tilewright/ir/asm/lexer"
	"github.com/tilewright/tilewright/ir/asm/symbols"
)

// Region implements ir.AsmParser.
func (p *parser) Region(r ir.Region, args []ir.Argument) {
	p.enter()
	isolated := r.Arena() != p.arena
	syms, arena, defaults, builder, short, hook := p.syms, p.arena, p.defaults, p.builder, p.short, p.hook
	p.short, p.hook = nil, nil
	p.defaults = p.regionDefaults()
	if isolated {
		p.arena = r.Arena()
		p.arena.Reserve(p.roomFor)
		p.roomFor = 0
		p.syms = p.takeSymbols()
	}
	p.pushScope(r)
	p.top().open = p.Pos()
	p.Expect("{")
	p.regionBody(r, args)
	p.closeRegion()
	p.popScope(isolated)
	if isolated {
		p.syms.Reset()
		p.spare = append(p.spare, p.syms)
	}
	p.syms, p.arena, p.defaults, p.builder, p.short, p.hook = syms, arena, defaults, builder, short, hook
	p.leave()
}

// regionDefaults returns the dialects whose prefix is not needed in the regions of the operation that is being parsed.
func (p *parser) regionDefaults() *namespace {
	if d := p.def.Dialect; d.OpensNamespace() {
		return p.namespaceOf(d)
	}
	return p.namespaceOf(nil)
}

func (p *parser) takeSymbols() *symbols.Table {
	if n := len(p.spare); n > 0 {
		s := p.spare[n-1]
		p.spare = p.spare[:n-1]
		return s
	}
	return symbols.New()
}

func (p *parser) regionBody(r ir.Region, args []ir.Argument) {
	switch {
	case p.Tok.Kind == lexer.Caret:
		if len(args) > 0 {
			p.errorf("invalid block name in region with named arguments")
		}
	case len(args) > 0 || !p.Is("}"):
		b := r.AddBlock()
		for _, a := range args {
			p.addArg(b, a)
		}
		p.blockBody(b)
	}
	for p.Tok.Kind == lexer.Caret {
		p.block(r)
	}
}

func (p *parser) addArg(b ir.Block, a ir.Argument) {
	v := b.AddArg(a.Type)
	if a.Name != "" {
		p.define(a.Name, v, 1, a.Pos)
	}
}

// blockBody reads operations up to the next label or the end of the region.
func (p *parser) blockBody(b ir.Block) {
	p.builder = ir.BuilderAtEnd(b)
	var h *ahead
	if p.def.Traits.Has(ir.SymbolTable) {
		if h = p.readAhead(false); h != nil {
			defer p.stopAhead()
		}
	}
	for p.Tok.Kind != lexer.Caret && !p.Is("}") && !p.cut() {
		if _, ok := h.adopt(p); !ok {
			p.opOrSkip(false)
		}
	}
}

// cut reports whether the text ends where nobody expects it, for a parser that recovers.
func (p *parser) cut() bool { return p.Tok.Kind == lexer.EOF && p.opts.recovery != nil }

// closeRegion reads the brace at the end of a region.
func (p *parser) closeRegion() {
	if p.cut() {
		p.complain(p.Pos(), "expected '}', but got end of file")
		return
	}
	p.Expect("}")
}

// block reads "^name(%arg: type, ...):" and what follows.
func (p *parser) block(r ir.Region) {
	pos := p.Pos()
	name := p.Text()[1:]
	ref := p.blockRef(name)
	if ref.defined {
		p.errorNote(pos, "redefinition of block '^"+name+"'", ref.pos, "previously defined here")
	}
	if ref.block.IsNil() {
		ref.block = r.AddBlock()
	} else {
		r.TakeBlocks(ref.block.Region())
	}
	ref.defined, ref.pos = true, pos
	if r := p.opts.recovery; r != nil {
		r.index.Settle(ref.uses, int(pos))
		r.index.Mention(index.Mention{Pos: p.Tok.Pos, End: p.Tok.End, Def: p.Tok.Pos})
	}
	p.Next()
	if p.Is("(") {
		p.CommaList("(", ")", func() { p.addArg(ref.block, p.Argument(true)) })
	}
	p.Expect(":")
	p.blockBody(ref.block)
}

func (p *parser) blockRef(name string) *blockRef {
	s := p.top()
	ref := s.blocks[name]
	if ref == nil {
		if s.blocks == nil {
			s.blocks = make(map[string]*blockRef)
		}
		ref = &blockRef{}
		s.blocks[name] = ref
	}
	return ref
}

// Successor implements ir.AsmParser.
func (p *parser) Successor() ir.Block {
	if p.Tok.Kind != lexer.Caret {
		p.errorf("expected block name")
	}
	if p.top().region.IsNil() {
		p.errorf("operation outside of a region has no successors")
	}
	ref := p.blockRef(p.Text()[1:])
	if ref.block.IsNil() {
		ref.block, ref.pos = p.arena.NewRegion().AddBlock(), p.Pos()
	}
	if r := p.opts.recovery; r != nil {
		m := index.Mention{Pos: p.Tok.Pos, End: p.Tok.End, Def: -1}
		if ref.defined {
			m.Def = int(ref.pos)
		}
		ref.uses = append(ref.uses, r.index.Mention(m))
	}
	p.Next()
	return ref.block
}

// Argument implements ir.AsmParser.
func (p *parser) Argument(withType bool) ir.Argument {
	if p.Tok.Kind != lexer.Percent {
		p.errorf("expected SSA identifier")
	}
	a := ir.Argument{OperandRef: p.Operand()}
	if a.Number != 0 {
		p.errorAt(a.Pos, "result number not allowed in argument list")
	}
	if withType {
		p.Expect(":")
		a.Type = p.Type()
		a.Loc = p.OptLocation()
	}
	return a
}

// A lateLoc is an operation whose location is an alias that may be defined later in the file.
type lateLoc struct {
	op    ir.Op
	alias string
	pos   ir.Pos
	span  int // in the index, if there is one
}

// trailingLoc reads the location of an operation. An alias that is not defined yet stays in lookahead form.
func (p *parser) trailingLoc(f *opFrame) {
	if p.Tok.Kind != lexer.Bare || p.Text() != "loc" {
		return
	}
	p.Next()
	p.Expect("(")
	if p.Tok.Kind == lexer.Hash {
		name := p.Text()[1:]
		if p.After < len(p.Src) && p.Src[p.After] == ')' && p.attrAliases[name].value == nil {
			f.late = lateLoc{alias: name, pos: p.Pos()}
			if p.opts.recovery == nil {
				f.st.Loc = p.ctx.UnknownLoc()
			}
			p.Next()
			p.Expect(")")
			return
		}
	}
	loc := p.LocBody()
	if p.opts.recovery != nil {
		f.written = loc
	} else {
		f.st.Loc = loc
	}
	p.Expect(")")
}

func (p *parser) resolveLateLocs() {
	for _, l := range p.lateLocs {
		a, ok := p.attrAliases[l.alias]
		if a.broken {
			continue
		}
		if !ok {
			p.complain(l.pos, "operation location alias was never defined")
			continue
		}
		loc, ok := a.value.(ir.Location)
		if !ok {
			p.complain(l.pos, "expected location, but found an attribute that is none")
			continue
		}
		if r := p.opts.recovery; r != nil {
			r.index.WriteLoc(l.span, l.op, loc)
			continue
		}
		l.op.SetLoc(loc)
	}
}
