package printer

import (
	"github.com/tilewright/tilewright/ir/asm/resource"
)

// resources prints the metadata at the end of a file.
func (p *printer) resources(groups []resource.Group) {
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

func (p *printer) resource(r resource.Entry) {
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
