package asm

import "github.com/tilewright/tilewright/ir"

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
	f        *format
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
func (p *parser) parseFormat(frame *opFrame, f *format) {
	st := &frame.st
	x := &frame.format
	x.f, x.st, x.frame, x.pos, x.regions = f, st, frame, p.Pos(), 0
	x.allOps, x.allRes = span{}, span{}
	n := len(f.def.Operands)
	if all := 2*n + len(f.def.Results); cap(x.spans) < all {
		x.spans = make([]span, all)
	} else {
		x.spans = x.spans[:all]
		clear(x.spans)
	}
	x.operands, x.opTypes, x.resTypes = x.spans[:n], x.spans[n:2*n], x.spans[2*n:]
	p.elements(x, f.elements)
	x.skipRegions(len(f.def.Regions))
	x.resolve(p)
}

func (p *parser) elements(x *formatParse, list []element) {
	for i := range list {
		p.element(x, &list[i])
	}
}

func (p *parser) element(x *formatParse, e *element) {
	switch e.kind {
	case elemLiteral:
		if e.bare {
			p.ExpectKeyword(e.text)
		} else {
			p.Expect(e.text)
		}
	case elemOperand:
		x.operands[e.index] = p.operandField(x, x.f.def.Operands[e.index].Arity)
	case elemOperands:
		p.allOperands(x)
	case elemAttr:
		if a := p.kindAttr(x.f.def.Attrs[e.index].Kind); a != nil {
			x.st.Attrs = append(x.st.Attrs, ir.NamedAttr{Name: e.text, Value: a})
		}
	case elemUnitName:
		p.ExpectKeyword(e.text)
		x.st.Attrs = append(x.st.Attrs, ir.NamedAttr{Name: e.text, Value: p.ctx.Unit()})
	case elemAttrDict, elemAttrDictKeyword:
		if e.kind == elemAttrDict && p.is("{") || e.kind == elemAttrDictKeyword && p.OptKeyword("attributes") {
			short := p.short
			p.short = nil
			x.st.Attrs = p.dict(x.st.Attrs)
			p.short = short
		}
	case elemRegion:
		p.formatRegions(x, e.index)
	case elemRegions:
		for p.is("{") {
			p.Region(x.st.AddRegion(), nil)
			if !p.Opt(",") {
				break
			}
		}
		x.regions = len(x.f.def.Regions)
	case elemSuccessors:
		p.formatSuccessors(x)
	case elemType:
		p.typeElement(x, e)
	case elemFuncType:
		pos := p.Pos()
		lo := len(x.frame.ins)
		x.frame.ins = p.parenTypes(x.frame.ins)
		x.allOps = span{int32(lo), int32(len(x.frame.ins)), int32(pos), true}
		p.Expect("->")
		lo = len(x.frame.ins)
		if p.is("(") {
			x.frame.ins = p.parenTypes(x.frame.ins)
		} else {
			x.frame.ins = append(x.frame.ins, p.nonFunctionType())
		}
		x.allRes = span{int32(lo), int32(len(x.frame.ins)), int32(pos), true}
	case elemCustom:
		e.custom.Parse(p, x.st, e.names)
		x.regions = len(x.st.Regions)
	case elemGroup:
		p.formatGroup(x, e)
	}
}

func (p *parser) formatGroup(x *formatParse, g *element) {
	if !p.groupStarts(g.first, x.f.def) {
		p.elements(x, g.other)
		return
	}
	p.elements(x, g.then)
	if g.unit >= 0 {
		x.st.Attrs = append(x.st.Attrs, ir.NamedAttr{Name: x.f.def.Attrs[g.unit].Name, Value: p.ctx.Unit()})
	}
}

func (p *parser) groupStarts(first *element, def *ir.OpDef) bool {
	switch first.kind {
	case elemLiteral:
		if first.bare {
			return p.PeekKeyword() == first.text
		}
		return p.Peek(first.text)
	case elemOperand:
		return p.tok.kind == tokPercent
	case elemUnitName:
		return p.PeekKeyword() == first.text
	case elemRegion:
		return p.is("{")
	}
	switch def.Attrs[first.index].Kind {
	case ir.SymNameKind, ir.SymRefKind:
		return p.tok.kind == tokAt
	case ir.StringKind:
		return p.tok.kind == tokString
	}
	return p.tok.kind == tokInt || p.is("-")
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
	case arity == ir.One || p.tok.kind == tokPercent:
		x.frame.refs = append(x.frame.refs, p.Operand())
	}
	s.hi = int32(len(x.frame.refs))
	return s
}

// allOperands reads all operands as one list and divides it among the fields.
func (p *parser) allOperands(x *formatParse) {
	fields := x.f.def.Operands
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
	arity := x.f.def.Regions[index].Arity
	if arity == ir.One || p.is("{") {
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
		if x.f.def.Regions[x.regions].Arity == ir.One {
			x.st.AddRegion()
		}
	}
}

func (p *parser) formatSuccessors(x *formatParse) {
	if p.tok.kind != tokCaret && x.f.def.Successors < 0 {
		return
	}
	p.CommaList("", "", func() { x.st.Succs = append(x.st.Succs, p.Successor()) })
}

func (p *parser) typeElement(x *formatParse, e *element) {
	s := span{lo: int32(len(x.frame.ins)), set: true, at: int32(p.Pos())}
	first := e.targets[0]
	arity := x.arity(first)
	if t := ir.Type(nil); arity == ir.One {
		t = p.Type()
		x.frame.ins = append(x.frame.ins, t)
	} else if !x.absent(e.targets) {
		if t = p.optType(); t != nil {
			x.frame.ins = append(x.frame.ins, t)
		}
		for t != nil && arity == ir.Variadic && p.Opt(",") {
			x.frame.ins = append(x.frame.ins, p.Type())
		}
	}
	s.hi = int32(len(x.frame.ins))
	for _, t := range e.targets {
		switch t.kind {
		case targetOperand:
			x.opTypes[t.index] = s
		case targetResult:
			x.resTypes[t.index] = s
		case targetOperands:
			x.allOps = s
		case targetResults:
			x.allRes = s
		}
	}
	if len(e.targets) > 1 && arity == ir.Optional && s.len() == 0 {
		p.errorf("expected type")
	}
}

// absent reports whether a type is of operands that are known to be absent, so that the next word is no type.
func (x *formatParse) absent(targets []target) bool {
	t := targets[0]
	return len(targets) == 1 && t.kind == targetOperand && x.operands[t.index].set && x.operands[t.index].len() == 0
}

// arity tells what a type directive reads for a target.
func (x *formatParse) arity(t target) ir.Arity {
	switch t.kind {
	case targetOperand:
		return x.f.def.Operands[t.index].Arity
	case targetResult:
		return x.f.def.Results[t.index].Arity
	}
	return ir.Variadic
}
