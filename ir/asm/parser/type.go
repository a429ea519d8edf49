package parser

import (
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/lexer"
	"github.com/tilewright/tilewright/ir/asm/number"
	"github.com/tilewright/tilewright/ir/numeric"
)

// builtinTypes returns the types that are spelled by one keyword, except integers.
func builtinTypes(ctx *ir.Context) map[string]ir.Type {
	types := map[string]ir.Type{"index": ctx.Index(), "none": ctx.None()}
	for _, f := range numeric.Formats() {
		types[f.String()] = ctx.Float(f)
	}
	return types
}

// Type implements ir.AsmParser.
func (p *parser) Type() ir.Type {
	t := p.optType()
	if t == nil && p.short != nil {
		p.Errorf("expected valid keyword") // that names a type
	} else if t == nil {
		p.errorf("expected type")
	}
	return t
}

// optType returns nil when the next token cannot start a type.
func (p *parser) optType() ir.Type {
	switch p.Tok.Kind {
	case lexer.Bare:
		return p.keywordType()
	case lexer.Bang:
		return p.prefixedType()
	case lexer.Punct:
		if p.Is("(") {
			return p.FuncType()
		}
	}
	return nil
}

func (p *parser) keywordType() ir.Type {
	word := p.Text()
	if t := p.recentType(p.short, p.Tok.Pos); t != nil {
		return t
	}
	if t := p.integerType(word); t != nil {
		p.Next()
		return t
	}
	if t := p.keywords[word]; t != nil {
		p.Next()
		return t
	}
	if word == "tensor" {
		return p.tensorType()
	}
	if d := p.short; d != nil && d.ParseType != nil {
		return p.parseDialectType(d, p.Tok.Pos, word)
	}
	return nil
}

// integerType returns the type that "i32" spells; nil when word is no such keyword.
func (p *parser) integerType(word string) ir.Type {
	if len(word) < 2 || len(word) > 9 || word[0] != 'i' {
		return nil
	}
	width := 0
	for i := 1; i < len(word); i++ {
		if !lexer.IsClass(word[i], lexer.ClassDigit) {
			return nil
		}
		width = width*10 + int(word[i]-'0')
	}
	if width < 1 || width > 64 {
		p.errorf("integer bitwidth is limited to 64 bits, but got '%s'", word)
	}
	if p.ints[width] == nil {
		p.ints[width] = p.ctx.Int(width)
	}
	return p.ints[width]
}

func (p *parser) tensorType() ir.Type {
	p.enter()
	defer p.leave()
	p.Next()
	p.Expect("<")
	pos := p.Pos()
	if p.Is("*") {
		p.errorf("unranked tensors are not supported")
	}
	shape := p.DimList(false)
	if number.Elements(shape) < 0 {
		p.errorAt(pos, "tensor has too many elements")
	}
	elem := p.Type()
	var encoding ir.Attribute
	if p.Opt(",") {
		encoding = p.Attr(nil)
	}
	p.Expect(">")
	return p.ctx.Tensor(shape, elem, encoding)
}

// prefixedType reads !alias, !dialect.mnemonic... or !dialect<mnemonic...>.
func (p *parser) prefixedType() ir.Type {
	start, name := p.Tok.Pos, p.Text()[1:]
	if t := p.recentType(nil, start); t != nil {
		return t
	}
	ns, mnemonic, dotted := strings.Cut(name, ".")
	verbose := !dotted && p.After < len(p.Src) && p.Src[p.After] == '<'
	if !dotted && !verbose {
		return p.useTypeAlias(name)
	}
	d := p.ctx.Dialect(ns)
	switch {
	case d == nil:
		p.checkUnregistered("opaque type", ns)
		return p.ctx.OpaqueType(ns, p.opaqueBody(mnemonic))
	case d.ParseType == nil:
		p.errorf("dialect '%s' provides no type parsing hook", ns)
	case verbose:
		p.Next()
		p.Expect("<")
		t := p.parseDialectType(d, p.Tok.Pos, p.PeekKeyword())
		p.Expect(">")
		return t
	}
	return p.parseDialectType(d, start, mnemonic)
}

// A recentType is a type with parameters that was read recently, and what it stands for. Its spelling ends with the
// bracket that closes the parameters, so a text that starts with it spells the type.
type recentType struct {
	text  string
	short *ir.Dialect // whose types need no prefix there, when it has none
	typeAlias
}

// recentType consumes a type that was read recently, if its spelling starts at the token in lookahead; nil when there
// is none.
func (p *parser) recentType(short *ir.Dialect, start int) ir.Type {
	if p.Tok.End == len(p.Src) || p.Src[p.Tok.End] != '<' {
		return nil
	}
	for i := range p.recent {
		r := &p.recent[i]
		if r.short == short && r.text != "" && strings.HasPrefix(p.Src[start:], r.text) {
			p.useAlias(r.aliasSize)
			p.Resume(start + len(r.text))
			return r.value
		}
	}
	return nil
}

// remember makes a type of a dialect that was read from the text between start and end one that is found by its
// spelling.
func (p *parser) remember(d *ir.Dialect, start, end int, t typeAlias) {
	if p.Src[start] == '!' {
		d = nil
	}
	p.recent[p.oldest] = recentType{p.Src[start:end], d, t}
	p.oldest = (p.oldest + 1) % len(p.recent)
}

// parseDialectType lets a dialect read the type whose mnemonic is the token in lookahead; start is where its spelling
// begins. Kernels repeat a few types thousands of times, so each spelling is parsed once.
func (p *parser) parseDialectType(d *ir.Dialect, start int, mnemonic string) ir.Type {
	end := p.Tok.End
	if end < len(p.Src) && p.Src[end] == '<' {
		end = p.Balanced(end)
	}
	var key string
	if end > 0 {
		key = p.Src[start:end]
		if t := p.dialectType[key]; t.value != nil && ir.TypeDialect(t.value) == d {
			if p.Src[end-1] == '>' {
				p.remember(d, start, end, t)
			}
			p.useAlias(t.aliasSize)
			p.Resume(end)
			return t.value
		}
	}
	peak, expanded := p.peak, p.expanded
	p.peak = p.depth
	p.enter()
	saved, hook := p.short, p.hook
	p.hook = nil
	if p.short = nil; d.ShortTypes {
		p.short = d
	}
	pos := p.Pos()
	p.Next()
	t := d.ParseType(p, mnemonic)
	if t == nil {
		p.errorAt(pos, "unknown type '%s' in dialect '%s'", mnemonic, d.Name)
	}
	p.short, p.hook = saved, hook
	p.leave()
	if end > 0 && p.Last == end {
		p.dialectType[key] = typeAlias{value: t, aliasSize: aliasSize{p.expanded - expanded, p.peak - p.depth}}
	}
	p.peak = max(p.peak, peak)
	return t
}

func (p *parser) checkUnregistered(what, ns string) {
	if !lexer.IsBare(ns) {
		p.errorf("expected the name of a dialect in an %s", what)
	}
	if !p.ctx.AllowUnregistered {
		p.errorf("%s of unregistered dialect '%s'. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used", what, ns)
	}
}

// opaqueBody returns the text of a dialect symbol that no dialect parses: the mnemonic and what stands in <> right
// after it.
func (p *parser) opaqueBody(mnemonic string) string {
	start := p.Tok.End
	end := start
	if strings.HasSuffix(mnemonic, "-") { // "<...->" could not be told from an arrow
		p.errorAt(ir.Pos(start), "expected the name of a symbol to end in a letter or digit")
	}
	if start < len(p.Src) && p.Src[start] == '<' {
		if end = p.Balanced(start); end == 0 {
			p.errorf("unbalanced '<' character in pretty dialect name")
		}
	}
	p.Resume(end)
	if mnemonic == "" {
		if start == end {
			p.errorAt(ir.Pos(start), "expected a name after the dialect of a symbol")
		}
		return p.Src[start+1 : end-1]
	}
	return mnemonic + p.Src[start:end]
}

// TypeList implements ir.AsmParser.
func (p *parser) TypeList() []ir.Type {
	var ts []ir.Type
	for {
		ts = append(ts, p.Type())
		if !p.Opt(",") {
			return ts
		}
	}
}

// FuncType implements ir.AsmParser.
func (p *parser) FuncType() *ir.FunctionType {
	p.enter()
	defer p.leave()
	in, out := p.signature(nil, nil)
	return p.ctx.Func(in, out)
}

// signature reads "(types) -> types" and appends to in and out.
func (p *parser) signature(in, out []ir.Type) (inputs, results []ir.Type) {
	in = p.parenTypes(in)
	p.Expect("->")
	if p.Is("(") {
		return in, p.parenTypes(out)
	}
	return in, append(out, p.nonFunctionType())
}

func (p *parser) nonFunctionType() ir.Type {
	if p.Is("(") {
		p.errorf("expected non-function type")
	}
	t := p.optType()
	if t == nil {
		p.errorf("expected non-function type")
	}
	return t
}

func (p *parser) parenTypes(ts []ir.Type) []ir.Type {
	p.Expect("(")
	if p.Opt(")") {
		return ts
	}
	for {
		ts = append(ts, p.Type())
		if !p.Opt(",") {
			break
		}
	}
	p.Expect(")")
	return ts
}
