package parser

import (
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/lexer"
)

// Attr implements ir.AsmParser.
func (p *parser) Attr(t ir.Type) ir.Attribute {
	short := p.short
	p.short = nil // types in attributes are spelled in full
	a := p.attr(t)
	p.short = short
	return a
}

func (p *parser) attr(t ir.Type) ir.Attribute {
	switch p.Tok.Kind {
	case lexer.Int, lexer.Float:
		return p.numberAttr(t)
	case lexer.String:
		return p.ctx.String(p.Quoted())
	case lexer.At:
		return p.symbolRef()
	case lexer.Hash:
		return p.prefixedAttr()
	case lexer.Bang:
		return p.ctx.TypeAttr(p.Type())
	case lexer.Bare:
		return p.keywordAttr(t)
	case lexer.Punct:
		switch p.Text() {
		case "-":
			return p.numberAttr(t)
		case "[":
			return p.arrayAttr()
		case "{":
			return p.ctx.Dict(p.dict(nil)...)
		case "(":
			return p.ctx.TypeAttr(p.Type())
		}
	}
	p.errorf("expected attribute value")
	return nil
}

func (p *parser) keywordAttr(t ir.Type) ir.Attribute {
	switch word := p.Text(); word {
	case "true", "false":
		p.Next()
		if t != nil && t != ir.Type(p.ctx.Int(1)) {
			p.errorAt(ir.Pos(p.Last-len(word)), "expected i1 type for 'true' or 'false' values, but got %s", ir.TypeString(t))
		}
		return p.ctx.BoolAttr(word == "true")
	case "unit":
		p.Next()
		return p.ctx.Unit()
	case "array":
		return p.denseArray()
	case "dense":
		return p.denseElements(t)
	case "loc":
		return p.Location()
	case "dense_resource", "sparse", "opaque", "affine_map", "affine_set", "strided", "distinct":
		p.errorf("'%s' attributes are not supported", word)
	}
	if ty := p.optType(); ty != nil {
		return p.ctx.TypeAttr(ty)
	}
	p.errorf("expected attribute value")
	return nil
}

func (p *parser) arrayAttr() ir.Attribute {
	p.enter()
	defer p.leave()
	var elems []ir.Attribute
	p.CommaList("[", "]", func() { elems = append(elems, p.Attr(nil)) })
	return p.ctx.Array(elems...)
}

func (p *parser) symbolRef() ir.Attribute {
	root := p.Symbol()
	var nested []string
	for p.Opt("::") {
		nested = append(nested, p.Symbol())
	}
	return p.ctx.SymbolRef(root, nested...)
}

// prefixedAttr reads #alias, #dialect.mnemonic... or #dialect<mnemonic...>.
func (p *parser) prefixedAttr() ir.Attribute {
	name := p.Text()[1:]
	ns, mnemonic, dotted := strings.Cut(name, ".")
	verbose := !dotted && p.After < len(p.Src) && p.Src[p.After] == '<'
	if !dotted && !verbose {
		return p.useAttrAlias(name)
	}
	d := p.ctx.Dialect(ns)
	if d == nil {
		p.checkUnregistered("opaque attribute", ns)
		return p.ctx.OpaqueAttr(ns, p.opaqueBody(mnemonic))
	}
	if d.ParseAttr == nil {
		p.errorf("dialect '%s' provides no attribute parsing hook", ns)
	}
	p.enter()
	defer p.leave()
	pos := p.Pos()
	p.Next()
	if verbose {
		p.Expect("<")
		mnemonic = p.Keyword()
	}
	short, hook := p.short, p.hook
	p.short, p.hook = nil, nil
	if d.ShortTypes {
		p.short = d
	}
	a := d.ParseAttr(p, mnemonic)
	p.short, p.hook = short, hook
	if a == nil {
		p.errorAt(pos, "unknown attribute '%s' in dialect '%s'", mnemonic, ns)
	}
	if verbose {
		p.Expect(">")
	}
	return a
}

// dict reads {name = value, unit, ...} and appends to entries, whose names must not be given again.
func (p *parser) dict(entries []ir.NamedAttr) []ir.NamedAttr {
	p.enter()
	defer p.leave()
	var seen map[string]bool // only for large dictionaries
	p.CommaList("{", "}", func() {
		name, ok := p.OptQuoted()
		if !ok {
			if p.Tok.Kind != lexer.Bare {
				p.errorf("expected attribute name")
			}
			name = p.Keyword()
		}
		if name == "" {
			p.errorAt(ir.Pos(p.Last), "expected valid attribute name")
		}
		if p.def != nil && p.def.Dialect != nil {
			if now, ok := p.def.Dialect.FormerAttrs[name]; ok {
				name = now
			}
		}
		if seen == nil && len(entries) >= 16 {
			seen = make(map[string]bool)
			for i := range entries {
				seen[entries[i].Name] = true
			}
		}
		duplicate := seen[name]
		if seen != nil {
			seen[name] = true
		} else {
			for i := range entries {
				duplicate = duplicate || entries[i].Name == name
			}
		}
		if duplicate {
			p.errorAt(ir.Pos(p.Last-len(name)), "duplicate key '%s' in dictionary attribute", name)
		}
		value := ir.Attribute(nil)
		if p.Opt("=") {
			value = p.Attr(nil)
		} else {
			value = p.ctx.Unit()
		}
		entries = append(entries, ir.NamedAttr{Name: name, Value: value})
	})
	return entries
}

// OptAttrDict implements ir.AsmParser.
func (p *parser) OptAttrDict(keyword bool) []ir.NamedAttr {
	if keyword && !p.OptKeyword("attributes") || !keyword && !p.Is("{") {
		return nil
	}
	short := p.short
	p.short = nil
	entries := p.dict(nil)
	p.short = short
	return entries
}

// Location implements ir.AsmParser.
func (p *parser) Location() ir.Location {
	l := p.OptLocation()
	if l == nil {
		p.errorf("expected location")
	}
	return l
}

// OptLocation implements ir.AsmParser.
func (p *parser) OptLocation() ir.Location {
	if !p.OptKeyword("loc") {
		return nil
	}
	p.Expect("(")
	l := p.LocBody()
	p.Expect(")")
	return l
}

// LocBody implements ir.AsmParser.
func (p *parser) LocBody() ir.Location {
	p.enter()
	defer p.leave()
	switch {
	case p.Tok.Kind == lexer.Hash:
		pos := p.Pos()
		l, ok := p.Attr(nil).(ir.Location)
		if !ok {
			p.errorAt(pos, "expected location, but found an attribute that is none")
		}
		return l
	case p.Tok.Kind == lexer.String:
		return p.fileOrNameLoc()
	case p.OptKeyword("unknown"):
		return p.ctx.UnknownLoc()
	case p.OptKeyword("callsite"):
		p.Expect("(")
		callee := p.LocBody()
		p.ExpectKeyword("at")
		caller := p.LocBody()
		p.Expect(")")
		return p.ctx.CallSiteLoc(callee, caller)
	case p.OptKeyword("fused"):
		var metadata ir.Attribute
		if p.Opt("<") {
			metadata = p.Attr(nil)
			p.Expect(">")
		}
		var locs []ir.Location
		p.CommaList("[", "]", func() { locs = append(locs, p.LocBody()) })
		return p.ctx.FusedLoc(locs, metadata)
	}
	if l := p.OptLocation(); l != nil {
		return l
	}
	p.errorf("expected location instance")
	return nil
}

func (p *parser) fileOrNameLoc() ir.Location {
	s := p.Quoted()
	switch {
	case p.Opt(":"):
		line := p.locNumber("line")
		p.Expect(":")
		return p.ctx.FileLoc(s, line, p.locNumber("column"))
	case p.Opt("("):
		child := p.LocBody()
		p.Expect(")")
		return p.ctx.NameLoc(s, child)
	}
	return p.ctx.NameLoc(s, nil)
}

func (p *parser) locNumber(what string) uint32 {
	pos := p.Pos()
	v, ok := p.OptInteger()
	if !ok {
		p.errorf("expected integer %s number", what)
	}
	if v < 0 || v > 1<<32-1 {
		p.errorAt(pos, "%s number is out of range", what)
	}
	return uint32(v)
}
