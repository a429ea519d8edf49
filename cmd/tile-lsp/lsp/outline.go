package lsp

import (
	"slices"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
)

// maxSymbols bounds an outline.
const maxSymbols = 10_000

// An outliner makes the outline of a document: aliases, what has a name, and what has regions.
type outliner struct {
	s    *snapshot
	left int
}

func (s *snapshot) outline() []symbol {
	o := &outliner{s: s, left: maxSymbols}
	list := []symbol{}
	for _, p := range s.pieces {
		if p.index != nil {
			list = append(list, o.piece(p)...)
		}
	}
	return list
}

func (o *outliner) piece(p *piece) []symbol {
	var list []symbol
	for i, t := range p.tokens {
		if p.isAlias(i) && o.take() {
			list = append(list, symbol{Name: p.spell(t), Kind: kindConstant, Range: o.s.lines.span(t.Pos, t.End), Selection: o.s.lines.span(t.Pos, t.End)})
		}
	}
	// Operations stand after those inside, so that from the end on each comes before what is in it.
	spans := slices.Clone(p.index.Ops)
	slices.Reverse(spans)
	next := 0
	return append(list, o.inside(p, spans, &next, len(p.text)-p.start)...)
}

// inside returns the symbols of the operations from next on that begin before an end, last one first, and what is
// in them.
func (o *outliner) inside(p *piece, spans []asm.OpSpan, next *int, end int) (list []symbol) {
	from := -1
	if *next > 0 {
		from = spans[*next-1].Start
	}
	for *next < len(spans) && spans[*next].End <= end && spans[*next].Start > from {
		s := spans[*next]
		*next++
		children := o.inside(p, spans, next, s.End)
		if s.Op.NumRegions() == 0 && s.Op.SymbolName() == "" {
			continue
		}
		if o.take() {
			made := o.symbol(p, s)
			made.Children = children
			list = append(list, made)
		}
	}
	slices.Reverse(list)
	return list
}

func (o *outliner) take() bool {
	o.left--
	return o.left >= 0
}

func (o *outliner) symbol(p *piece, s asm.OpSpan) symbol {
	made := symbol{Name: p.text[p.start+s.Name : p.start+s.NameEnd], Kind: kindOperator, Range: o.s.lines.span(p.start+s.Start, p.start+s.End),
		Selection: o.s.lines.span(p.start+s.Name, p.start+s.NameEnd)}
	name := s.Op.SymbolName()
	switch def := s.Op.Def(); {
	case def.Traits.Has(ir.SymbolTable):
		made.Kind = kindModule
	case name != "" && s.Op.NumRegions() > 0:
		made.Kind = kindFunction
	case name != "":
		made.Kind = kindVariable
	}
	if name != "" {
		made.Name, made.Detail = clip("@"+name), made.Name
	} else if results := strings.TrimRight(strings.TrimSpace(p.text[p.start+s.Start:p.start+s.Name]), "="); results != "" {
		made.Detail = clip(strings.TrimSpace(results))
	}
	if strings.TrimSpace(made.Name) == "" {
		made.Name = "operation" // clients reject an empty name
	}
	return made
}

// flat is an outline for clients that know no tree.
func flat(uri, container string, tree []symbol) []symbolInformation {
	list := []symbolInformation{}
	for _, s := range tree {
		list = append(list, symbolInformation{s.Name, s.Kind, location{uri, s.Range}, container})
		list = append(list, flat(uri, s.Name, s.Children)...)
	}
	return list
}
