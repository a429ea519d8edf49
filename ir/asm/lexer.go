package asm

import "strings"

type tokenKind uint8

const (
	tokEOF     tokenKind = iota
	tokBare              // bare identifier or keyword: add, tile, f32
	tokPercent           // %name
	tokCaret             // ^name
	tokAt                // @name or @"name"
	tokHash              // #name
	tokBang              // !name
	tokInt               // decimal or hexadecimal integer
	tokFloat
	tokString
	tokPunct
	tokError
)

// A token is a piece of the text.
type token struct {
	kind     tokenKind
	pos, end int
}

// A lexer splits text into tokens. It holds one token of lookahead in tok; moving pos back and calling next reads again from there.
type lexer struct {
	src string
	pos int // behind tok
	tok token
	// last is where the token before tok ended.
	last int

	lexError string // what is wrong with a tokError
}

const (
	classSpace = 1 << iota
	classDigit
	classHex
	classLetter // letter or underscore
	classBare   // what may follow in a bare identifier
	classSuffix // what a prefixed identifier consists of
	classPunct  // punctuation of one character
)

var charClass = func() (c [256]uint8) {
	for _, b := range " \t\r\n" {
		c[b] |= classSpace
	}
	for b := '0'; b <= '9'; b++ {
		c[b] |= classDigit | classHex | classBare | classSuffix
	}
	for b := 'a'; b <= 'z'; b++ {
		c[b] |= classLetter | classBare | classSuffix
		c[b-'a'+'A'] |= classLetter | classBare | classSuffix
		if b <= 'f' {
			c[b] |= classHex
			c[b-'a'+'A'] |= classHex
		}
	}
	for _, b := range "<>()[]},:=?+*|/" {
		c[b] |= classPunct
	}
	c['_'] |= classLetter | classBare | classSuffix
	c['$'] |= classBare | classSuffix
	c['.'] |= classBare | classSuffix
	c['-'] |= classSuffix
	return c
}()

// next reads the next token into tok.
func (l *lexer) next() {
	src, i := l.src, l.pos
	l.last = l.tok.end
	for ; i < len(src); i++ {
		c := src[i]
		if charClass[c]&classSpace != 0 {
			continue
		}
		if c == '/' && i+1 < len(src) && src[i+1] == '/' {
			n := strings.IndexByte(src[i:], '\n')
			if n < 0 {
				break
			}
			i += n
			continue
		}
		kind, end := tokPunct, i+1
		switch class := charClass[c]; {
		case class&classLetter != 0:
			kind, end = tokBare, l.run(i+1, classBare)
		case class&classPunct == 0:
			kind, end = l.scan(i)
		}
		l.tok.kind, l.tok.pos, l.tok.end, l.pos = kind, i, end, end
		return
	}
	l.tok, l.pos = token{tokEOF, len(src), len(src)}, len(src)
}

// resume reads on from an offset, as if the text up to there were read.
func (l *lexer) resume(pos int) {
	l.tok.end, l.pos = pos, pos
	l.next()
}

// scan returns the kind and the end of the token at offset i, which is no word, and not always one character.
func (l *lexer) scan(i int) (tokenKind, int) {
	src := l.src
	switch c := src[i]; c {
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return l.number(i)
	case '%':
		return l.prefixed(i, tokPercent)
	case '"':
		return l.quoted(i)
	case '^':
		return l.prefixed(i, tokCaret)
	case '#':
		if strings.HasPrefix(src[i:], "#-}") {
			return tokPunct, i + 3
		}
		return l.prefixed(i, tokHash)
	case '!':
		return l.prefixed(i, tokBang)
	case '@':
		return l.symbol(i)
	case '-':
		if i+1 < len(src) && src[i+1] == '>' {
			return tokPunct, i + 2
		}
	case '.':
		if strings.HasPrefix(src[i:], "...") {
			return tokPunct, i + 3
		}
		return l.fail(i, "expected three consecutive dots for an ellipsis")
	case '{':
		if strings.HasPrefix(src[i:], "{-#") {
			return tokPunct, i + 3
		}
	default:
		return l.fail(i, "unexpected character")
	}
	return tokPunct, i + 1
}

func (l *lexer) fail(i int, msg string) (tokenKind, int) {
	l.lexError = msg
	return tokError, i + 1
}

func (l *lexer) run(i int, class uint8) int {
	for i < len(l.src) && charClass[l.src[i]]&class != 0 {
		i++
	}
	return i
}

// prefixed scans what follows % ^ # or !: digits, or letters, digits and punctuation not starting with a digit.
func (l *lexer) prefixed(i int, kind tokenKind) (tokenKind, int) {
	at := i + 1
	if at < len(l.src) && charClass[l.src[at]]&classDigit != 0 {
		return kind, l.run(at, classDigit)
	}
	end := l.run(at, classSuffix)
	if end == at {
		return l.fail(i, "invalid "+map[tokenKind]string{tokPercent: "SSA name", tokCaret: "block name",
			tokHash: "attribute name", tokBang: "type name"}[kind])
	}
	return kind, end
}

func (l *lexer) symbol(i int) (tokenKind, int) {
	at := i + 1
	if at < len(l.src) && l.src[at] == '"' {
		kind, end := l.quoted(at)
		if kind == tokString {
			kind = tokAt
		}
		return kind, end
	}
	if at < len(l.src) && charClass[l.src[at]]&classLetter != 0 {
		return tokAt, l.run(at, classBare)
	}
	return l.fail(i, "@ identifier expected to start with letter or '_'")
}

// number scans digits, 0xdigits, or digits with a point and an optional exponent.
func (l *lexer) number(i int) (tokenKind, int) {
	src := l.src
	if src[i] == '0' && i+2 < len(src) && src[i+1] == 'x' && charClass[src[i+2]]&classHex != 0 {
		return tokInt, l.run(i+2, classHex)
	}
	end := l.run(i, classDigit)
	if end >= len(src) || src[end] != '.' {
		return tokInt, end
	}
	end = l.run(end+1, classDigit)
	if end < len(src) && src[end]|0x20 == 'e' {
		at := end + 1
		if at < len(src) && (src[at] == '+' || src[at] == '-') {
			at++
		}
		if n := l.run(at, classDigit); n > at {
			end = n
		}
	}
	return tokFloat, end
}

func (l *lexer) quoted(i int) (tokenKind, int) {
	src := l.src
	for at := i + 1; at < len(src); at++ {
		switch src[at] {
		case '"':
			return tokString, at + 1
		case '\n':
			return l.fail(i, "expected '\"' in string literal")
		case '\\':
			at++
			switch {
			case at < len(src) && strings.IndexByte(`"\nt`, src[at]) >= 0:
			case at+1 < len(src) && charClass[src[at]]&charClass[src[at+1]]&classHex != 0:
				at++
			default:
				return l.fail(i, "unknown escape in string literal")
			}
		}
	}
	return l.fail(i, "expected '\"' in string literal")
}

// unescape returns the text of a string literal without its quotes.
func unescape(lit string) string {
	lit = lit[1 : len(lit)-1]
	if strings.IndexByte(lit, '\\') < 0 {
		return lit
	}
	out := make([]byte, 0, len(lit))
	for i := 0; i < len(lit); i++ {
		c := lit[i]
		if c == '\\' {
			i++
			switch lit[i] {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case '"', '\\':
				c = lit[i]
			default:
				c = hexDigit(lit[i])<<4 | hexDigit(lit[i+1])
				i++
			}
		}
		out = append(out, c)
	}
	return string(out)
}

func hexDigit(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	}
	return c - 'a' + 10
}

// text returns the spelling of the token in lookahead.
func (l *lexer) text() string { return l.src[l.tok.pos:l.tok.end] }

// is reports whether the token in lookahead is the given punctuation.
func (l *lexer) is(punct string) bool {
	return l.tok.kind == tokPunct && l.src[l.tok.pos] == punct[0] && l.text() == punct
}
