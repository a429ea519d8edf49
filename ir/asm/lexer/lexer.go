package lexer

import "strings"

// A Kind sorts tokens.
type Kind uint8

// The kinds of tokens.
const (
	EOF     Kind = iota
	Bare         // bare identifier or keyword: add, tile, f32
	Percent      // %name
	Caret        // ^name
	At           // @name or @"name"
	Hash         // #name
	Bang         // !name
	Int          // decimal or hexadecimal integer
	Float
	String
	Punct
	Error
)

// A Token is a piece of the text.
type Token struct {
	Kind     Kind
	Pos, End int
}

// A Lexer splits text into tokens. It holds one token of lookahead in Tok; moving After back and calling Next reads
// again from there.
type Lexer struct {
	Src   string
	After int // offset of the text after Tok
	Tok   Token
	// Last is where the token before Tok ended.
	Last int

	Wrong string // what is wrong with a token of kind [Error]
}

// The classes of characters, for [IsClass].
const (
	ClassSpace = 1 << iota
	ClassDigit
	ClassHex
	ClassLetter // letter or underscore
	ClassBare   // what may follow in a bare identifier
	ClassSuffix // what a prefixed identifier consists of
	ClassPunct  // punctuation of one character
)

var charClass = func() (c [256]uint8) {
	for _, b := range " \t\r\n" {
		c[b] |= ClassSpace
	}
	for b := '0'; b <= '9'; b++ {
		c[b] |= ClassDigit | ClassHex | ClassBare | ClassSuffix
	}
	for b := 'a'; b <= 'z'; b++ {
		c[b] |= ClassLetter | ClassBare | ClassSuffix
		c[b-'a'+'A'] |= ClassLetter | ClassBare | ClassSuffix
		if b <= 'f' {
			c[b] |= ClassHex
			c[b-'a'+'A'] |= ClassHex
		}
	}
	for _, b := range "<>()[]},:=?+*|/" {
		c[b] |= ClassPunct
	}
	c['_'] |= ClassLetter | ClassBare | ClassSuffix
	c['$'] |= ClassBare | ClassSuffix
	c['.'] |= ClassBare | ClassSuffix
	c['-'] |= ClassSuffix
	return c
}()

// IsClass reports whether a character is of a class.
func IsClass(c byte, class uint8) bool { return charClass[c]&class != 0 }

// IsBare reports whether a name can stand without quotes.
func IsBare(s string) bool {
	if s == "" || !IsClass(s[0], ClassLetter) {
		return false
	}
	for i := range len(s) {
		if !IsClass(s[i], ClassBare) {
			return false
		}
	}
	return true
}

// Next reads the next token into Tok.
func (l *Lexer) Next() {
	src, i := l.Src, l.After
	l.Last = l.Tok.End
	for ; i < len(src); i++ {
		c := src[i]
		if charClass[c]&ClassSpace != 0 {
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
		kind, end := Punct, i+1
		switch class := charClass[c]; {
		case class&ClassLetter != 0:
			kind, end = Bare, l.Run(i+1, ClassBare)
		case class&ClassPunct == 0:
			kind, end = l.scan(i)
		}
		l.Tok.Kind, l.Tok.Pos, l.Tok.End, l.After = kind, i, end, end
		return
	}
	l.Tok, l.After = Token{EOF, len(src), len(src)}, len(src)
}

// Resume reads on from an offset, as if the text up to there were read.
func (l *Lexer) Resume(pos int) {
	l.Tok.End, l.After = pos, pos
	l.Next()
}

// scan returns the kind and the end of the token at offset i, which is no word, and not always one character.
func (l *Lexer) scan(i int) (Kind, int) {
	src := l.Src
	switch c := src[i]; c {
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return l.number(i)
	case '%':
		return l.prefixed(i, Percent)
	case '"':
		return l.StringAt(i)
	case '^':
		return l.prefixed(i, Caret)
	case '#':
		if strings.HasPrefix(src[i:], "#-}") {
			return Punct, i + 3
		}
		return l.prefixed(i, Hash)
	case '!':
		return l.prefixed(i, Bang)
	case '@':
		return l.symbol(i)
	case '-':
		if i+1 < len(src) && src[i+1] == '>' {
			return Punct, i + 2
		}
	case '.':
		if strings.HasPrefix(src[i:], "...") {
			return Punct, i + 3
		}
		return l.fail(i, "expected three consecutive dots for an ellipsis")
	case '{':
		if strings.HasPrefix(src[i:], "{-#") {
			return Punct, i + 3
		}
	default:
		return l.fail(i, "unexpected character")
	}
	return Punct, i + 1
}

func (l *Lexer) fail(i int, msg string) (Kind, int) {
	l.Wrong = msg
	return Error, i + 1
}

// Run returns the offset after the characters of a class that start at offset i.
func (l *Lexer) Run(i int, class uint8) int {
	for i < len(l.Src) && charClass[l.Src[i]]&class != 0 {
		i++
	}
	return i
}

// prefixed scans what follows % ^ # or !: digits, or letters, digits and punctuation not starting with a digit.
func (l *Lexer) prefixed(i int, kind Kind) (Kind, int) {
	at := i + 1
	if at < len(l.Src) && charClass[l.Src[at]]&ClassDigit != 0 {
		return kind, l.Run(at, ClassDigit)
	}
	end := l.Run(at, ClassSuffix)
	if end == at {
		return l.fail(i, "invalid "+map[Kind]string{Percent: "SSA name", Caret: "block name",
			Hash: "attribute name", Bang: "type name"}[kind])
	}
	return kind, end
}

func (l *Lexer) symbol(i int) (Kind, int) {
	at := i + 1
	if at < len(l.Src) && l.Src[at] == '"' {
		kind, end := l.StringAt(at)
		if kind == String {
			kind = At
		}
		return kind, end
	}
	if at < len(l.Src) && charClass[l.Src[at]]&ClassLetter != 0 {
		return At, l.Run(at, ClassBare)
	}
	return l.fail(i, "@ identifier expected to start with letter or '_'")
}

// number scans digits, 0xdigits, or digits with a point and an optional exponent.
func (l *Lexer) number(i int) (Kind, int) {
	src := l.Src
	if src[i] == '0' && i+2 < len(src) && src[i+1] == 'x' && charClass[src[i+2]]&ClassHex != 0 {
		return Int, l.Run(i+2, ClassHex)
	}
	end := l.Run(i, ClassDigit)
	if end >= len(src) || src[end] != '.' {
		return Int, end
	}
	end = l.Run(end+1, ClassDigit)
	if end < len(src) && src[end]|0x20 == 'e' {
		at := end + 1
		if at < len(src) && (src[at] == '+' || src[at] == '-') {
			at++
		}
		if n := l.Run(at, ClassDigit); n > at {
			end = n
		}
	}
	return Float, end
}

// StringAt returns the kind and the end of the string literal at offset i; the kind is [Error] if it is none.
func (l *Lexer) StringAt(i int) (Kind, int) {
	src := l.Src
	for at := i + 1; at < len(src); at++ {
		switch src[at] {
		case '"':
			return String, at + 1
		case '\n':
			return l.fail(i, "expected '\"' in string literal")
		case '\\':
			at++
			switch {
			case at < len(src) && strings.IndexByte(`"\nt`, src[at]) >= 0:
			case at+1 < len(src) && charClass[src[at]]&charClass[src[at+1]]&ClassHex != 0:
				at++
			default:
				return l.fail(i, "unknown escape in string literal")
			}
		}
	}
	return l.fail(i, "expected '\"' in string literal")
}

// Unescape returns the text of a string literal without its quotes.
func Unescape(lit string) string {
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

// Text returns the spelling of the token in lookahead.
func (l *Lexer) Text() string { return l.Src[l.Tok.Pos:l.Tok.End] }

// Is reports whether the token in lookahead is the given punctuation.
func (l *Lexer) Is(punct string) bool {
	return l.Tok.Kind == Punct && l.Src[l.Tok.Pos] == punct[0] && l.Text() == punct
}
