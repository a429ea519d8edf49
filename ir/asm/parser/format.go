package parser

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/format"
	"github.com/tilewright/tilewright/ir/asm/lexer"
)

// A span is a run of operands or types that were read for a field.
type span struct {
	lo, hi int32
	at     int32 // its position in the text
	set    bool
}

func (s span) len() int    { return int(s.hi - s.lo) }
func (s span) pos() ir.Pos { return ir.Pos(s.at) }

// A formatParse holds what was read of an operation until everything is known.
type formatParse struct {
	f        *format.Format
	st       *ir.OpState
	frame    *opFrame
	spans    []span // that the lists below are parts of
	operands []span // by operand field, into frame.refs
	opTypes  []span // by operand field, into frame.ins
	resTypes []span // by result field, into frame.ins
	allOps   span   // types of all operands, into frame.ins
	allRes   span
	regions  int // region fields that were read or left out
	pos      ir.Pos
}

// parseFormat reads an operation by its declarative format.
func (p *parser) parseFormat(frame *opFrame, f *format.Format) {
	st := &frame.st
	x := &frame.format
	x.f, x.st, x.frame, x.pos, x.regions = f, st, frame, p.Pos(), 0
	x.allOps, x.allRes = span{}, span{}
	n := len(f.Def.Operands)
	if all := 2*n + len(f.Def.Results); cap(x.spans) < all {
		x.spans = make([]span, all)
	} else {
		x.spans = x.spans[:all]
		clear(x.spans)
	}
	x.operands, x.opTypes, x.resTypes = x.spans[:n], x.spans[n:2*n], x.spans[2*n:]
	p.elements(x, f.Elements)
	x.skipRegions(len(f.Def.Regions))
	x.placeOptional()
	x.resolve(p)
}

func (p *parser) elements(x *formatParse, list []format.Element) {
	for i := range list {
		p.element(x, &list[i])
	}
}

func (p *parser) element(x *formatParse, e *format.Element) {
	switch e.Kind {
	case format.Literal:
		if e.Bare {
			p.ExpectKeyword(e.Text)
		} else {
			p.Expect(e.Text)
		}
	case format.Operand:
		x.operands[e.Index] = p.operandField(x, x.f.Def.Operands[e.Index].Arity)
	case format.Operands:
		p.allOperands(x)
	case format.Attr:
		if a := p.kindAttr(x.f.Def.Attrs[e.Index].Kind); a != nil {
			x.st.Attrs = append(x.st.Attrs, ir.NamedAttr{Name: e.Text, Value: a})
		}
	case format.UnitName:
		p.ExpectKeyword(e.Text)
		x.st.Attrs = append(x.st.Attrs, ir.NamedAttr{Name: e.Text, Value: p.ctx.Unit()})
	case format.AttrDict, format.AttrDictKeyword:
		if e.Kind == format.AttrDict && p.Is("{") || e.Kind == format.AttrDictKeyword && p.OptKeyword("attributes") {
			short := p.short
			p.short = nil
			x.st.Attrs = p.dict(x.st.Attrs)
			p.short = short
		}
	case format.Region:
		p.formatRegions(x, e.Index)
	case format.Regions:
		for p.Is("{") {
			p.Region(x.st.AddRegion(), nil)
			if !p.Opt(",") {
				break
			}
		}
		x.regions = len(x.f.Def.Regions)
	case format.Successors:
		p.formatSuccessors(x)
	case format.Type:
		p.typeElement(x, e)
	case format.FuncType:
		pos := p.Pos()
		lo := len(x.frame.ins)
		x.frame.ins = p.parenTypes(x.frame.ins)
		x.allOps = span{int32(lo), int32(len(x.frame.ins)), int32(pos), true}
		p.Expect("->")
		lo = len(x.frame.ins)
		if p.Is("(") {
			x.frame.ins = p.parenTypes(x.frame.ins)
		} else {
			x.frame.ins = append(x.frame.ins, p.nonFunctionType())
		}
		x.allRes = span{int32(lo), int32(len(x.frame.ins)), int32(pos), true}
	case format.Custom:
		e.Custom.Parse(p, x.st, e.Names)
		x.regions = len(x.st.Regions)
	case format.Group:
		p.formatGroup(x, e)
	}
}

func (p *parser) formatGroup(x *formatParse, g *format.Element) {
	if !p.groupStarts(g.First, x.f.Def) {
		p.elements(x, g.Other)
		return
	}
	p.elements(x, g.Then)
	if g.Unit >= 0 {
		x.st.Attrs = append(x.st.Attrs, ir.NamedAttr{Name: x.f.Def.Attrs[g.Unit].Name, Value: p.ctx.Unit()})
	}
}

func (p *parser) groupStarts(first *format.Element, def *ir.OpDef) bool {
	switch first.Kind {
	case format.Literal:
		if first.Bare {
			return p.PeekKeyword() == first.Text
		}
		return p.Peek(first.Text)
	case format.Operand:
		return p.Tok.Kind == lexer.Percent
	case format.UnitName:
		return p.PeekKeyword() == first.Text
	case format.Region:
		return p.Is("{")
	}
	switch def.Attrs[first.Index].Kind {
	case ir.SymNameKind, ir.SymRefKind:
		return p.Tok.Kind == lexer.At
	case ir.StringKind:
		return p.Tok.Kind == lexer.String
	}
	return p.Tok.Kind == lexer.Int || p.Is("-")
}

func (p *parser) kindAttr(k *ir.AttrKind) ir.Attribute {
	if k.Parse != nil {
		return k.Parse(p)
	}
	return p.Attr(nil)
}

func (p *parser) operandField(x *formatParse, arity ir.Arity) span {
	s := span{lo: int32(len(x.frame.refs)), set: true, at: int32(p.Pos())}
	switch {
	case arity == ir.Variadic:
		x.frame.refs = p.operandRefs(x.frame.refs)
	case arity == ir.One || p.Tok.Kind == lexer.Percent:
		x.frame.refs = append(x.frame.refs, p.Operand())
	}
	s.hi = int32(len(x.frame.refs))
	return s
}

// allOperands reads all operands as one list and divides it among the fields.
func (p *parser) allOperands(x *formatParse) {
	fields := x.f.Def.Operands
	pos, lo := p.Pos(), len(x.frame.refs)
	x.frame.refs = p.operandRefs(x.frame.refs)
	extra := len(x.frame.refs) - lo
	for _, f := range fields {
		if f.Arity == ir.One {
			extra--
		}
	}
	for i, f := range fields {
		n := 1
		if f.Arity != ir.One {
			n, extra = max(extra, 0), 0
		}
		if n > len(x.frame.refs)-lo {
			p.errorAt(pos, "expected more operands: operand '%s' is missing", f.Name)
		}
		x.operands[i] = span{int32(lo), int32(lo + n), int32(pos), true}
		lo += n
	}
	if lo != len(x.frame.refs) {
		p.errorAt(x.frame.refs[lo].Pos, "unexpected operand: the operation takes %d", lo)
	}
}

func (p *parser) formatRegions(x *formatParse, index int) {
	x.skipRegions(index)
	arity := x.f.Def.Regions[index].Arity
	if arity == ir.One || p.Is("{") {
		p.Region(x.st.AddRegion(), nil)
		for arity == ir.Variadic && p.Opt(",") {
			p.Region(x.st.AddRegion(), nil)
		}
	}
	x.regions = index + 1
}

// skipRegions adds empty regions for those before a field that the text left out with their group.
func (x *formatParse) skipRegions(index int) {
	for ; x.regions < index; x.regions++ {
		if x.f.Def.Regions[x.regions].Arity == ir.One {
			x.st.AddRegion()
		}
	}
}

func (p *parser) formatSuccessors(x *formatParse) {
	if p.Tok.Kind != lexer.Caret && x.f.Def.Successors < 0 {
		return
	}
	p.CommaList("", "", func() { x.st.Succs = append(x.st.Succs, p.Successor()) })
}

func (p *parser) typeElement(x *formatParse, e *format.Element) {
	s := span{lo: int32(len(x.frame.ins)), set: true, at: int32(p.Pos())}
	first := e.Targets[0]
	arity := x.arity(first)
	if t := ir.Type(nil); arity == ir.One {
		t = p.Type()
		x.frame.ins = append(x.frame.ins, t)
	} else if !x.absent(e.Targets) {
		if t = p.optType(); t != nil {
			x.frame.ins = append(x.frame.ins, t)
		}
		for t != nil && arity == ir.Variadic && p.Opt(",") {
			x.frame.ins = append(x.frame.ins, p.Type())
		}
	}
	s.hi = int32(len(x.frame.ins))
	for _, t := range e.Targets {
		switch t.Kind {
		case format.TargetOperand:
			x.opTypes[t.Index] = s
		case format.TargetResult:
			x.resTypes[t.Index] = s
		case format.TargetOperands:
			x.allOps = s
		case format.TargetResults:
			x.allRes = s
		}
	}
	if len(e.Targets) > 1 && arity == ir.Optional && s.len() == 0 {
		p.errorf("expected type")
	}
}

// absent reports whether a type is of operands that are known to be absent, so that the next word is no type.
func (x *formatParse) absent(targets []format.Target) bool {
	t := targets[0]
	return len(targets) == 1 && t.Kind == format.TargetOperand && x.operands[t.Index].set && x.operands[t.Index].len() == 0
}

// arity tells what a type directive reads for a target.
func (x *formatParse) arity(t format.Target) ir.Arity {
	switch t.Kind {
	case format.TargetOperand:
		return x.f.Def.Operands[t.Index].Arity
	case format.TargetResult:
		return x.f.Def.Results[t.Index].Arity
	}
	return ir.Variadic
}
