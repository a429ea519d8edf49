package lexer

import "strings"

// A Scanner finds matching braces. It knows for each character that matters where it occurs next, so a long text
// without any is passed over quickly.
type Scanner struct {
	Lexer // of its own, for strings and words
	At    int
	// The offsets, from at on, of the next brace, quote and comment; to be found again when they lie before it.
	open, closing, quoteAt, comment int
}

// Find returns the offset of the next byte c, or the end of the text.
func (s *Scanner) Find(c byte) int {
	if i := strings.IndexByte(s.Src[s.At:], c); i >= 0 {
		return s.At + i
	}
	return len(s.Src)
}

func (s *Scanner) findComment() int {
	if i := strings.Index(s.Src[s.At:], "//"); i >= 0 {
		return s.At + i
	}
	return len(s.Src)
}

// SkipBraces goes from an opening brace to after the one that closes it. It reports whether there is one.
func (s *Scanner) SkipBraces() bool {
	for depth := 0; ; {
		if s.open < s.At {
			s.open = s.Find('{')
		}
		if s.closing < s.At {
			s.closing = s.Find('}')
		}
		if s.quoteAt < s.At {
			s.quoteAt = s.Find('"')
		}
		if s.comment < s.At {
			s.comment = s.findComment()
		}
		next := min(s.open, s.closing, s.quoteAt, s.comment)
		if next == len(s.Src) {
			s.At = next
			return false
		}
		s.At = next + 1
		switch next {
		case s.open:
			depth++
		case s.closing:
			if depth--; depth == 0 {
				return true
			}
		case s.quoteAt:
			kind, end := s.StringAt(next)
			if kind != String {
				return false
			}
			s.At = end
		case s.comment:
			s.At = s.Find('\n')
		}
	}
}
