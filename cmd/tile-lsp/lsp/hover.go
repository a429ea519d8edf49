package lsp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
)

// patience is how long a hover waits for facts.
const patience = 2 * time.Second

// A card is what is shown of a name: code, and text below it, in the language of the client.
type card struct {
	markdown bool
	sb       strings.Builder
}

// code adds text that is shown as it is.
func (c *card) code(text string) {
	text = clip(text)
	if !c.markdown {
		c.sb.WriteString(text + "\n")
		return
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	fmt.Fprintf(&c.sb, "%smlir\n%s\n%s\n", fence, text, fence)
}

// text adds a paragraph of the documentation, or of what the server itself says.
func (c *card) text(text string) {
	if text != "" {
		c.sb.WriteString("\n" + clip(text) + "\n")
	}
}

func (s *snapshot) hover(ctx context.Context, offset int, markdown bool) *hover {
	p := s.pieceAt(offset)
	if p == nil {
		return nil
	}
	c := &card{markdown: markdown}
	t, ok := p.token(offset)
	m, named := p.mention(offset)
	if !named && ok && t.Kind == asm.ValueName { // in an operation with an error
		if list := p.nearest(t); list != nil {
			m, named = p.mention(list[0].start + 1)
			m.Pos, m.End = t.Pos-p.start, t.End-p.start
		}
	}
	if named {
		t.Pos, t.End, ok = p.start+m.Pos, p.start+m.End, p.valueCard(ctx, c, m)
	} else if ok {
		ok = p.tokenCard(c, t)
	}
	if !ok {
		return nil
	}
	kind := "plaintext"
	if markdown {
		kind = "markdown"
	}
	at := s.lines.span(t.Pos, t.End)
	return &hover{markup{kind, strings.TrimSpace(c.sb.String())}, &at}
}

// valueCard shows a value: its type, what is known of it, and where it comes from.
func (p *piece) valueCard(ctx context.Context, c *card, m asm.Mention) bool {
	v, ok := p.index.Value(m)
	if !ok {
		return false
	}
	name := p.text[p.start+m.Pos : p.start+m.End]
	if m.Number > 0 {
		name += fmt.Sprintf("#%d", m.Number)
	}
	from := "an argument of a block of '" + v.Block().ParentOp().Name() + "'"
	if v.Block().ParentOp().IsNil() {
		from = "an argument"
	}
	if !v.IsBlockArg() {
		from = "of '" + v.DefiningOp().Name() + "'"
	}
	c.code(name + " : " + ir.TypeString(v.Type()))
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	facts := append([]string{from}, p.describe(ctx, v)...)
	uses := 0
	for _, o := range p.index.Mentions {
		if o.Def == m.Def && o.Pos != m.Def {
			uses++
		}
	}
	facts = append(facts, fmt.Sprintf("uses: %d", uses))
	c.code(strings.Join(facts, "\n"))
	return true
}

// tokenCard shows an operation, an alias or a symbol.
func (p *piece) tokenCard(c *card, t asm.Token) bool {
	switch t.Kind {
	case asm.Word, asm.Quoted:
		s, ok := p.index.OpAt(t.Pos - p.start + 1)
		if !ok || t.Pos > p.start+s.Name || t.End < p.start+s.NameEnd {
			return false
		}
		opCard(c, s.Op.Def())
		if s.Written != nil {
			c.text("location:")
			c.code("loc(" + locationText(s.Written) + ")")
		}
		return true
	case asm.AttrName, asm.TypeName, asm.SymbolName:
		for _, u := range p.spelled(t) {
			if u.def {
				c.code(p.lineAt(u.start))
				return true
			}
		}
	}
	return false
}

func locationText(l ir.Location) string {
	if f := ir.FileLocOf(l); f != nil {
		return fmt.Sprintf("%q:%d:%d", f.File, f.Line, f.Column)
	}
	return ir.AttrString(l)
}

// lineAt returns the line around an offset, without its indentation.
func (p *piece) lineAt(at int) string {
	start := strings.LastIndexByte(p.text[:at], '\n') + 1
	line, _, _ := strings.Cut(p.text[start:], "\n")
	return strings.TrimSpace(line)
}

// opCard shows the row of an operation.
func opCard(c *card, def *ir.OpDef) {
	c.code(signature(def))
	if def.Unregistered {
		c.text("Nothing is known of this operation.")
		return
	}
	c.text(def.Summary)
	c.text(def.Doc)
	var list []string
	for _, part := range []struct {
		title  string
		fields []ir.Field
	}{{"operand", def.Operands}, {"attribute", def.Attrs}, {"result", def.Results}, {"region", def.Regions}} {
		for _, f := range part.fields {
			line := part.title + " " + f.Name
			if f.Arity != ir.One {
				line += " (" + f.Arity.String() + ")"
			}
			if f.Kind != nil {
				line += ": " + f.Kind.Name
			} else if f.Type.Desc != "" {
				line += ": " + f.Type.Desc
			}
			if f.Doc != "" {
				line += " - " + f.Doc
			}
			list = append(list, line)
		}
	}
	if list != nil {
		c.code(strings.Join(list, "\n"))
	}
}

// signature is the name of an operation with its fields.
func signature(def *ir.OpDef) string {
	list := func(fields []ir.Field) string {
		var names []string
		for _, f := range fields {
			names = append(names, f.Name)
		}
		return strings.Join(names, ", ")
	}
	text := def.FullName() + "(" + list(def.Operands) + ")"
	if len(def.Results) > 0 {
		text += " -> " + list(def.Results)
	}
	return text
}
