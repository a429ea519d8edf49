package parser

import (
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/lexer"
)

// scanStarts yields where isolated operations may start, and where each ends at the latest. It scans from the token in
// lookahead to the brace that closes the region; at the top, to the next definition of an alias. Only words at the
// start of a line or after a brace are considered.
func (p *parser) scanStarts(top bool, yield func(start, end int)) {
	s := lexer.Scanner{Lexer: lexer.Lexer{Src: p.Src}}
	last := -1
	defer func(from int) {
		if last >= 0 {
			yield(last, s.At)
		}
		p.scanned += s.At - from
	}(p.Tok.Pos)
	fresh := true // at the start of a line, or after a brace
	for s.At = p.Tok.Pos; s.At < len(s.Src); {
		c := s.Src[s.At]
		switch {
		case c == '\n' || lexer.IsClass(c, lexer.ClassSpace):
			fresh = fresh || c == '\n'
			s.At++
			continue
		case c == '/' && strings.HasPrefix(s.Src[s.At:], "//"):
			s.At = s.Find('\n')
			continue
		case c == '{':
			if !s.SkipBraces() {
				return
			}
			fresh = true
			continue
		case c == '}', fresh && top && (c == '#' || c == '!'):
			return
		case lexer.IsClass(c, lexer.ClassLetter):
			end := s.Run(s.At+1, lexer.ClassBare)
			if fresh && readsAhead(p.lookup(s.Src[s.At:end])) {
				if last >= 0 {
					yield(last, s.At)
				}
				last = s.At
			}
			s.At = end
		case c == '"':
			kind, end := s.StringAt(s.At)
			if kind != lexer.String {
				return
			}
			if fresh && readsAhead(p.ctx.LookupOp(s.Src[s.At+1:end-1])) {
				if last >= 0 {
					yield(last, s.At)
				}
				last = s.At
			}
			s.At = end
		default:
			s.At++
		}
		fresh = false
	}
}

// readsAhead reports whether operations of a row are read ahead: isolated ones, but not modules, which hold such
// themselves.
func readsAhead(def *ir.OpDef) bool {
	return def != nil && def.Traits.Has(ir.IsolatedFromAbove) && !def.Traits.Has(ir.SymbolTable)
}
