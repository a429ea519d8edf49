package lsp

import (
	"sort"

	"github.com/tilewright/tilewright/ir/asm"
)

// maxPlaces bounds the uses of a name that are listed.
const maxPlaces = 10_000

// A place is where a name stands. The definition is one of its uses.
type place struct {
	start, end int
	def        bool
}

// places returns where the name at an offset stands, the definition among them if there is one, in the order of the
// text.
func (p *piece) places(at int) []place {
	if m, ok := p.mention(at); ok && m.Def >= 0 {
		var list []place
		for _, o := range p.index.Mentions {
			if o.Def == m.Def && len(list) < maxPlaces {
				list = append(list, place{p.start + o.Pos, p.start + o.End, o.Pos == m.Def})
			}
		}
		return list
	}
	t, ok := p.token(at)
	if !ok {
		return nil
	}
	switch t.Kind {
	case asm.SymbolName, asm.AttrName, asm.TypeName:
		return p.spelled(t)
	case asm.ValueName, asm.BlockName:
		return p.nearest(t)
	}
	return nil
}

// spelled returns where a symbol or an alias is used, which are names of the entire input.
func (p *piece) spelled(name asm.Token) (list []place) {
	isDef := p.isAlias
	if name.Kind == asm.SymbolName {
		defs := p.symbols()
		isDef = func(i int) bool { return defs[p.tokens[i].Pos] }
	}
	for i, t := range p.tokens {
		if t.Kind == name.Kind && p.spell(t) == p.spell(name) && len(list) < maxPlaces {
			list = append(list, place{t.Pos, t.End, isDef(i)})
		}
	}
	return list
}

// isAlias reports whether a token is the name of an alias in its definition.
func (p *piece) isAlias(i int) bool {
	return i+1 < len(p.tokens) && p.spell(p.tokens[i+1]) == "=" && (p.tokens[i].Kind == asm.AttrName || p.tokens[i].Kind == asm.TypeName)
}

// symbols returns the offsets where the operations that define symbols name them.
func (p *piece) symbols() map[int]bool {
	found := make(map[int]bool)
	for _, s := range p.index.Ops {
		name := s.Op.SymbolName()
		if name == "" {
			continue
		}
		for i := p.tokenFrom(p.start + s.Name); i < len(p.tokens) && p.tokens[i].Pos < p.start+s.End; i++ {
			t := p.tokens[i]
			if t.Kind == asm.SymbolName && (p.spell(t) == "@"+name || p.spell(t) == `@"`+name+`"`) {
				found[t.Pos] = true
				break
			}
			if p.spell(t) == "{" {
				break // what follows is inside of it
			}
		}
	}
	return found
}

// tokenFrom returns the first token from an offset on.
func (p *piece) tokenFrom(at int) int {
	return sort.Search(len(p.tokens), func(i int) bool { return p.tokens[i].Pos >= at })
}

// nearest guesses what is named in an operation that was not read: the last definition before it that has the name.
func (p *piece) nearest(t asm.Token) []place {
	best := -1
	for _, m := range p.index.Mentions {
		if m.Def == m.Pos && p.start+m.Pos <= t.Pos && p.text[p.start+m.Pos:p.start+m.End] == p.spell(t) {
			best = p.start + m.Pos
		}
	}
	if best < 0 {
		return nil
	}
	list := []place{{best, best + t.End - t.Pos, true}}
	if best != t.Pos {
		list = append(list, place{t.Pos, t.End, false})
	}
	return list
}

// mention returns the name of a value or block at an offset of the document.
func (p *piece) mention(at int) (asm.Mention, bool) { return p.index.At(at - p.start) }

func (s *snapshot) definition(offset int) []location {
	list := []location{}
	if p := s.pieceAt(offset); p != nil {
		for _, u := range p.places(offset) {
			if u.def {
				list = append(list, location{s.uri, s.lines.span(u.start, u.end)})
			}
		}
	}
	return list
}

func (s *snapshot) references(offset int, withDefinition bool) []location {
	list := []location{}
	if p := s.pieceAt(offset); p != nil {
		for _, u := range p.places(offset) {
			if !u.def || withDefinition {
				list = append(list, location{s.uri, s.lines.span(u.start, u.end)})
			}
		}
	}
	return list
}

func (s *snapshot) highlights(offset int) []highlight {
	list := []highlight{}
	if p := s.pieceAt(offset); p != nil {
		for _, u := range p.places(offset) {
			h := highlight{s.lines.span(u.start, u.end), 2}
			if u.def {
				h.Kind = 3
			}
			list = append(list, h)
		}
	}
	return list
}
