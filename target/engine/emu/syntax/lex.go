package syntax

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// pos is a place in the source, counted from one.
type pos struct{ Line, col int32 }

// Error is a rejection of PTX text.
type Error struct {
	Name      string
	Line, Col int
	Msg       string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Name, e.Line, e.Col, e.Msg)
}

type tokenKind uint8

const (
	tokEOF    tokenKind = iota
	tokIdent            // foo, %r1, $L1
	tokDot              // .word, also .shared::cta
	tokInt              // 12, 0x1f
	tokFloat            // 0f3F800000, 0d..., 1.5
	tokString           // "text"
	tokPunct            // any other single character
)

// Whether white space precedes a token matters in one place: ".x" after a name is a part of it (%tid.x, a modifier)
// only if they touch.
type token struct {
	kind  tokenKind
	text  string
	bits  uint64 // tokInt: value; tokFloat: f32 or f64 bits
	f32   bool   // tokFloat: bits are those of an f32
	glued bool   // no white space before it
	off   int    // byte offset
	pos
}

func (t token) is(text string) bool { return t.kind == tokPunct && t.text == text }

func (t token) String() string {
	if t.kind == tokEOF {
		return "end of file"
	}
	return "'" + t.text + "'"
}

type lexer struct {
	name string
	src  string
	off  int
	line int32
	bol  int // offset of the current line's first byte
}

func (l *lexer) errorf(p pos, format string, args ...any) *Error {
	return &Error{l.name, int(p.Line), int(p.col), fmt.Sprintf(format, args...)}
}

func (l *lexer) here() pos { return pos{l.line, int32(l.off-l.bol) + 1} }

func identStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c == '%'
}

func digit(c byte) bool     { return c >= '0' && c <= '9' }
func identPart(c byte) bool { return c != '%' && identStart(c) || digit(c) }

// skipSpace passes white space, comments and preprocessor line markers.
//
// A zero byte counts as white space: drivers hand PTX over as C strings.
func (l *lexer) skipSpace() *Error {
	for l.off < len(l.src) {
		switch c := l.src[l.off]; {
		case c == '\n':
			l.off++
			l.line++
			l.bol = l.off
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == 0:
			l.off++
		// Line markers of a preprocessor.
		case c == '#' && strings.TrimSpace(l.src[l.bol:l.off]) == "":
			l.skipLine()
		case strings.HasPrefix(l.src[l.off:], "//"):
			l.skipLine()
		case strings.HasPrefix(l.src[l.off:], "/*"):
			start := l.here()
			end := strings.Index(l.src[l.off+2:], "*/")
			if end < 0 {
				return l.errorf(start, "comment is not closed")
			}
			end += l.off + 4
			for ; l.off < end; l.off++ {
				if l.src[l.off] == '\n' {
					l.line++
					l.bol = l.off + 1
				}
			}
		default:
			return nil
		}
	}
	return nil
}

// skipLine moves to the end of the current line.
func (l *lexer) skipLine() {
	if i := strings.IndexByte(l.src[l.off:], '\n'); i >= 0 {
		l.off += i
	} else {
		l.off = len(l.src)
	}
}

// skipTo moves to the next line that begins with a word, and reports whether there is one.
func (l *lexer) skipTo(word string) bool {
	for l.off < len(l.src) {
		if l.skipLine(); l.off == len(l.src) {
			break
		}
		l.off++
		l.line++
		l.bol = l.off
		if strings.HasPrefix(l.src[l.off:], word) {
			return true
		}
	}
	return false
}

func (l *lexer) next() (token, *Error) {
	before := l.off
	if err := l.skipSpace(); err != nil {
		return token{}, err
	}
	t := token{glued: l.off == before, off: l.off, pos: l.here()}
	if l.off >= len(l.src) {
		return t, nil
	}
	c := l.src[l.off]
	switch {
	case identStart(c):
		t.kind = tokIdent
		l.off++
		for l.off < len(l.src) && identPart(l.src[l.off]) {
			l.off++
		}
	case digit(c):
		return l.number(t)
	// State spaces and modifiers with "::" are one word, as nothing is ever said about their parts.
	case c == '.' && l.off+1 < len(l.src) && identPart(l.src[l.off+1]):
		t.kind = tokDot
		l.off++
		for l.off < len(l.src) {
			if identPart(l.src[l.off]) {
				l.off++
			} else if strings.HasPrefix(l.src[l.off:], "::") {
				l.off += 2
			} else {
				break
			}
		}
	case c == '"':
		t.kind = tokString
		end := l.off + 1
		for end < len(l.src) && l.src[end] != '"' && l.src[end] != '\n' {
			if l.src[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(l.src) || l.src[end] != '"' {
			return t, l.errorf(t.pos, "string is not closed")
		}
		t.text = l.src[l.off+1 : end]
		l.off = end + 1
		return t, nil
	default:
		t.kind = tokPunct
		l.off++
	}
	t.text = l.src[t.off:l.off]
	return t, nil
}

// "0f" and "0d" are followed by the bits of a number, not by its value. Decimal constants are doubles until the type
// of the operand is known.
func (l *lexer) number(t token) (token, *Error) {
	end := l.off
	for end < len(l.src) && identPart(l.src[end]) {
		end++
	}
	text := l.src[l.off:end]
	lower := strings.ToLower(text)
	if len(lower) > 1 && lower[0] == '0' && (lower[1] == 'f' || lower[1] == 'd') {
		v, err := strconv.ParseUint(lower[2:], 16, 64)
		if want := map[byte]int{'f': 10, 'd': 18}[lower[1]]; err != nil || len(lower) != want {
			return t, l.errorf(t.pos, "malformed floating-point constant '%s'", text)
		}
		t.kind, t.bits, t.f32 = tokFloat, v, lower[1] == 'f'
	} else if end+1 < len(l.src) && l.src[end] == '.' && digit(l.src[end+1]) ||
		digit(lower[0]) && !strings.HasPrefix(lower, "0x") && strings.ContainsRune(lower, 'e') {
		end = l.off
		for end < len(l.src) && (digit(l.src[end]) || l.src[end] == '.' || l.src[end]|32 == 'e' ||
			(l.src[end] == '-' || l.src[end] == '+') && l.src[end-1]|32 == 'e') {
			end++
		}
		text = l.src[l.off:end]
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return t, l.errorf(t.pos, "malformed floating-point constant '%s'", text)
		}
		t.kind, t.bits = tokFloat, math.Float64bits(f)
	} else {
		v, err := strconv.ParseUint(strings.TrimSuffix(lower, "u"), 0, 64)
		if err != nil || strings.Contains(lower, "_") {
			return t, l.errorf(t.pos, "malformed integer constant '%s'", text)
		}
		t.kind, t.bits = tokInt, v
	}
	t.text = text
	l.off = end
	return t, nil
}
