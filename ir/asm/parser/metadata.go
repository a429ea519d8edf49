package parser

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/lexer"
	"github.com/tilewright/tilewright/ir/asm/resource"
)

// metadata reads {-# section: { group: { key: value, ... }, ... }, ... #-}.
func (p *parser) metadata() {
	p.Next()
	var groups []resource.Group
	p.metadataList("#-}", func(section string, pos ir.Pos) {
		if section != "external_resources" && section != "dialect_resources" {
			p.errorAt(pos, "unknown key '%s' in file metadata dictionary", section)
		}
		p.Expect("{")
		p.metadataList("}", func(key string, _ ir.Pos) {
			g := resource.Group{Section: section, Key: key}
			p.Expect("{")
			p.metadataList("}", func(key string, _ ir.Pos) { g.Entries = append(g.Entries, p.resource(key)) })
			groups = append(groups, g)
		})
	})
	if p.opts.Resources != nil {
		*p.opts.Resources = append(*p.opts.Resources, groups...)
	}
}

// metadataList reads "key: item, ..." up to the closing token.
func (p *parser) metadataList(closing string, item func(key string, pos ir.Pos)) {
	for !p.Opt(closing) {
		pos := p.Pos()
		key, ok := p.OptQuoted()
		if !ok {
			if p.Tok.Kind != lexer.Bare {
				p.errorf("expected identifier key in file metadata dictionary")
			}
			key = p.Keyword()
		}
		p.Expect(":")
		item(key, pos)
		if !p.Opt(",") {
			p.Expect(closing)
			return
		}
	}
}

func (p *parser) resource(key string) resource.Entry {
	r := resource.Entry{Key: key}
	switch word := p.PeekKeyword(); word {
	case "true", "false":
		r.IsBool, r.Bool = true, word == "true"
		p.Next()
	default:
		text, ok := p.OptQuoted()
		if !ok {
			p.errorf("expected a string or a boolean value for resource '%s'", key)
		}
		r.Text = text
	}
	return r
}
