package lsp

import (
	"sort"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// maxItems bounds a list of proposals; the client asks again as the word grows.
const maxItems = 500

// complete proposes the names of operations where one may begin, and those of values after a percent sign.
func (s *snapshot) complete(offset int) completionList {
	start := offset
	for start > 0 && isWord(s.text[start-1]) {
		start--
	}
	word := s.text[start:offset]
	p := s.pieceAt(offset)
	var names []completionItem
	switch {
	case start > 0 && s.text[start-1] == '%':
		start--
		names = p.valueNames(start)
	case beginsOp(s.text[:start]):
		names = opNames(p.opensIn(start))
	}
	list := completionList{Items: []completionItem{}}
	edit := s.lines.span(start, offset)
	for _, n := range names {
		if !strings.HasPrefix(strings.TrimPrefix(n.Label, "%"), word) {
			continue
		}
		if list.Incomplete = len(list.Items) == maxItems; list.Incomplete {
			break
		}
		n.Edit = textEdit{edit, n.Label}
		list.Items = append(list.Items, n)
	}
	return list
}

func isWord(c byte) bool {
	return c == '_' || c == '.' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// beginsOp reports whether an operation may begin after a text: at the start of a line, and after the names of
// results.
func beginsOp(text string) bool {
	line := strings.TrimSpace(text[1+strings.LastIndexByte(text, '\n'):])
	return line == "" || strings.HasSuffix(line, "{") || strings.HasPrefix(line, "%") && strings.HasSuffix(line, "=")
}

// opensIn returns the dialects whose operations need no prefix at an offset.
func (p *piece) opensIn(offset int) []*ir.Dialect {
	syntax := tileir.Syntax()
	if p == nil {
		return syntax.TopDialects
	}
	// The innermost operation around that has regions, and was read; what stands in one that was not is not known.
	spans := p.index.Ops
	at := offset - p.start
	for _, s := range spans[sort.Search(len(spans), func(i int) bool { return spans[i].End > at }):] {
		if s.Start >= at || s.Op.NumRegions() == 0 {
			continue
		}
		if d := s.Op.Dialect(); d.OpensNamespace() {
			return []*ir.Dialect{d}
		}
		return nil
	}
	return syntax.TopDialects
}

func opNames(open []*ir.Dialect) (list []completionItem) {
	for _, d := range tileir.Dialects() {
		for _, def := range d.Ops() {
			name := def.FullName()
			for _, o := range open {
				if o.Name == d.Name {
					name = def.Name
				}
			}
			list = append(list, completionItem{Label: name, Kind: 3, Detail: def.Summary})
		}
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i].Label, list[j].Label
		if x, y := strings.Contains(a, "."), strings.Contains(b, "."); x != y {
			return y // those without a prefix first
		}
		return a < b
	})
	return list
}

// valueNames returns the values that are defined before an offset, in the same isolated operation as far unchanged
// read, the last one first.
func (p *piece) valueNames(offset int) (list []completionItem) {
	if p == nil {
		return nil
	}
	from := p.start
	for _, s := range p.index.Ops { // inner ones first
		if s.Op.HasTrait(ir.IsolatedFromAbove) && p.start+s.Start < offset && offset <= p.start+s.End {
			from = p.start + s.Start
			break
		}
	}
	seen := make(map[string]bool)
	for i := len(p.index.Mentions) - 1; i >= 0 && len(list) < maxPlaces; i-- {
		m := p.index.Mentions[i]
		name := p.text[p.start+m.Pos : p.start+m.End]
		if m.Def != m.Pos || p.start+m.Pos < from || p.start+m.Pos >= offset || name[0] != '%' || seen[name] {
			continue
		}
		seen[name] = true
		item := completionItem{Label: name, Kind: 6}
		if v, ok := p.index.Value(m); ok {
			item.Detail = clip(ir.TypeString(v.Type()))
		}
		list = append(list, item)
	}
	return list
}
