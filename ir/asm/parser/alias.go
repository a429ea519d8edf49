package parser

import (
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// A few lines of aliases can stand for a text of any length and depth, so what they are written out is measured:
// aliasSize remembers it for each alias.
type aliasSize struct {
	bytes int
	depth int
}

type attrAlias struct {
	value  ir.Attribute
	broken bool // its definition has an error
	aliasSize
}

type typeAlias struct {
	value  ir.Type
	broken bool // its definition has an error
	aliasSize
}

const (
	maxAliasBytes = 1 << 20 // of one alias, written out
	// The aliases that a file uses stand for at most so many bytes of each of its own, plus maxAliasBytes.
	maxExpansion = 64
)

// defineAttrAlias reads "#name = attribute".
func (p *parser) defineAttrAlias() {
	name := p.aliasName("attribute", func(name string) bool { return p.attrAliases[name].value != nil })
	var a ir.Attribute
	size := p.measure(func() { a = p.Attr(nil) })
	p.attrAliases[name] = attrAlias{value: a, aliasSize: size}
}

// defineTypeAlias reads "!name = type".
func (p *parser) defineTypeAlias() {
	name := p.aliasName("type", func(name string) bool { return p.typeAliases[name].value != nil })
	var t ir.Type
	size := p.measure(func() { t = p.Type() })
	p.typeAliases[name] = typeAlias{value: t, aliasSize: size}
}

func (p *parser) aliasName(what string, known func(string) bool) string {
	name := p.Text()[1:]
	if known(name) {
		p.errorf("redefinition of %s alias id '%s'", what, name)
	}
	if strings.IndexByte(name, '.') >= 0 {
		p.errorf("%s names with a '.' are reserved for dialect-defined names", what)
	}
	p.Next()
	p.Expect("=")
	return name
}

// measure returns how large and deep what body reads is with its aliases written out.
func (p *parser) measure(body func()) aliasSize {
	pos, expanded := p.Pos(), p.expanded
	p.peak = 0
	body()
	size := aliasSize{p.Last - int(pos) + p.expanded - expanded, p.peak}
	if size.bytes > maxAliasBytes {
		p.errorAt(pos, "alias stands for more than %d bytes", maxAliasBytes)
	}
	return size
}

// useAlias accounts for an alias that is the token in lookahead.
func (p *parser) useAlias(size aliasSize) {
	p.reach(p.depth + size.depth)
	p.expanded += size.bytes
	if p.expanded > p.maxExpanded() {
		p.errorf("aliases stand for more than %d bytes", p.expanded)
	}
}

func (p *parser) maxExpanded() int { return maxAliasBytes + maxExpansion*len(p.Src) }

// useAttrAlias consumes #name.
func (p *parser) useAttrAlias(name string) ir.Attribute {
	a := p.attrAliases[name]
	if a.broken {
		p.follows()
	}
	if a.value == nil {
		p.errorf("undefined symbol alias id '%s'", name)
	}
	p.useAlias(a.aliasSize)
	p.Next()
	return a.value
}

// useTypeAlias consumes !name.
func (p *parser) useTypeAlias(name string) ir.Type {
	t := p.typeAliases[name]
	if t.broken {
		p.follows()
	}
	if t.value == nil {
		p.errorf("undefined symbol alias id '%s'", name)
	}
	p.useAlias(t.aliasSize)
	p.Next()
	return t.value
}
