package asm

import (
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// scanStarts yields where isolated operations may start from the token in lookahead on to the brace that closes the region, or, at the top,
// to the next definition of an alias; and where the operation ends at the latest. Only words at the start of a line or
// behind a brace are considered.
func (p *parser) scanStarts(top bool, yield func(start, end int)) {
	s := scanner{lexer: lexer{src: p.src}}
	last := -1
	defer func(from int) {
		if last >= 0 {
			yield(last, s.at)
		}
		p.scanned += s.at - from
	}(p.tok.pos)
	fresh := true // at the start of a line, or behind a brace
	for s.at = p.tok.pos; s.at < len(s.src); {
		c := s.src[s.at]
		switch class := charClass[c]; {
		case c == '\n' || class&classSpace != 0:
			fresh = fresh || c == '\n'
			s.at++
			continue
		case c == '/' && strings.HasPrefix(s.src[s.at:], "//"):
			s.at = s.find('\n')
			continue
		case c == '{':
			if !s.skipBraces() {
				return
			}
			fresh = true
			continue
		case c == '}', fresh && top && (c == '#' || c == '!'):
			return
		case class&classLetter != 0:
			end := s.run(s.at+1, classBare)
			if fresh && readsAhead(p.lookup(s.src[s.at:end])) {
				if last >= 0 {
					yield(last, s.at)
				}
				last = s.at
			}
			s.at = end
		case c == '"':
			kind, end := s.quoted(s.at)
			if kind != tokString {
				return
			}
			if fresh && readsAhead(p.ctx.LookupOp(s.src[s.at+1:end-1])) {
				if last >= 0 {
					yield(last, s.at)
				}
				last = s.at
			}
			s.at = end
		default:
			s.at++
		}
		fresh = false
	}
}

// readsAhead reports whether operations of a row are read ahead: isolated ones, but not modules, which hold such themselves.
func readsAhead(def *ir.OpDef) bool {
	return def != nil && def.Traits.Has(ir.IsolatedFromAbove) && !def.Traits.Has(ir.SymbolTable)
}

// A scanner finds matching braces. It knows for each character that matters where it occurs next, so a long text without any is passed
// over quickly.
type scanner struct {
	lexer // of its own, for strings and words
	at    int
	// The offsets, from at on, of the next brace, quote and comment; to be found anew when they lie before it.
	open, closing, quoteAt, comment int
}

// find returns the offset of the next byte c, or the end of the text.
func (s *scanner) find(c byte) int {
	if i := strings.IndexByte(s.src[s.at:], c); i >= 0 {
		return s.at + i
	}
	return len(s.src)
}

func (s *scanner) findComment() int {
	if i := strings.Index(s.src[s.at:], "//"); i >= 0 {
		return s.at + i
	}
	return len(s.src)
}

// skipBraces goes from an opening brace to behind the one that closes it. It reports whether there is one.
func (s *scanner) skipBraces() bool {
	for depth := 0; ; {
		if s.open < s.at {
			s.open = s.find('{')
		}
		if s.closing < s.at {
			s.closing = s.find('}')
		}
		if s.quoteAt < s.at {
			s.quoteAt = s.find('"')
		}
		if s.comment < s.at {
			s.comment = s.findComment()
		}
		next := min(s.open, s.closing, s.quoteAt, s.comment)
		if next == len(s.src) {
			s.at = next
			return false
		}
		s.at = next + 1
		switch next {
		case s.open:
			depth++
		case s.closing:
			if depth--; depth == 0 {
				return true
			}
		case s.quoteAt:
			kind, end := s.quoted(next)
			if kind != tokString {
				return false
			}
			s.at = end
		case s.comment:
			s.at = s.find('\n')
		}
	}
}
