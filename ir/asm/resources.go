package asm

import "github.com/tilewright/tilewright/ir"

// A ResourceGroup is one group of a file's metadata: Key names it within a section, "external_resources" or "dialect_resources". A
// crash reproducer is the group "mlir_reproducer" of the former.
type ResourceGroup struct {
	Section, Key string
	Entries      []Resource
}

// A Resource is one entry: a string, or a boolean.
type Resource struct {
	Key    string
	Text   string
	IsBool bool
	Bool   bool
}

// Get returns the entry of that key.
func (g *ResourceGroup) Get(key string) (Resource, bool) {
	for _, r := range g.Entries {
		if r.Key == key {
			return r, true
		}
	}
	return Resource{}, false
}

// metadata reads {-# section: { group: { key: value, ... }, ... }, ... #-}.
func (p *parser) metadata() {
	p.next()
	var groups []ResourceGroup
	p.metadataList("#-}", func(section string, pos ir.Pos) {
		if section != "external_resources" && section != "dialect_resources" {
			p.errorAt(pos, "unknown key '%s' in file metadata dictionary", section)
		}
		p.Expect("{")
		p.metadataList("}", func(key string, _ ir.Pos) {
			g := ResourceGroup{Section: section, Key: key}
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
			if p.tok.kind != tokBare {
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

func (p *parser) resource(key string) Resource {
	r := Resource{Key: key}
	switch word := p.PeekKeyword(); word {
	case "true", "false":
		r.IsBool, r.Bool = true, word == "true"
		p.next()
	default:
		text, ok := p.OptQuoted()
		if !ok {
			p.errorf("expected a string or a boolean value for resource '%s'", key)
		}
		r.Text = text
	}
	return r
}

// resources prints the metadata at the end of a file.
func (p *printer) resources(groups []ResourceGroup) {
	if len(groups) == 0 {
		return
	}
	p.Str("\n{-#")
	p.indent++
	for i, g := range groups {
		if first := i == 0 || groups[i-1].Section != g.Section; first {
			if i > 0 {
				p.indent--
				p.Newline()
				p.Str("},")
			}
			p.Newline()
			p.Str(g.Section)
			p.Str(": {")
			p.indent++
		} else {
			p.Str(",")
		}
		p.Newline()
		p.keywordOrString(g.Key)
		p.Str(": {")
		p.indent++
		for k, r := range g.Entries {
			if k > 0 {
				p.Str(",")
			}
			p.Newline()
			p.resource(r)
		}
		p.indent--
		p.Newline()
		p.Str("}")
	}
	p.indent--
	p.Newline()
	p.Str("}")
	p.indent--
	p.Str("\n#-}\n")
}

func (p *printer) resource(r Resource) {
	p.keywordOrString(r.Key)
	p.Str(": ")
	switch {
	case !r.IsBool:
		p.Quoted(r.Text)
	case r.Bool:
		p.Str("true")
	default:
		p.Str("false")
	}
}
