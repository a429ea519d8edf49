package lexer

import "strings"

// MaxDepth bounds how deeply types, attributes, locations and regions nest, taken together.
const MaxDepth = 256

// Balanced returns the offset after the bracket that closes the one at offset at, or 0.
func (l *Lexer) Balanced(at int) int {
	var open [MaxDepth]byte
	n := 0
	for i := at; i < len(l.Src); i++ {
		switch c := l.Src[i]; c {
		case '<', '[', '(', '{':
			if n == len(open) {
				return 0
			}
			open[n] = c
			n++
		case '>', ']', ')', '}':
			if c == '>' && l.Src[i-1] == '-' {
				continue
			}
			if open[n-1] != opening(c) {
				return 0
			}
			if n--; n == 0 {
				return i + 1
			}
		case '"':
			kind, end := l.StringAt(i)
			if kind != String {
				return 0
			}
			i = end - 1
		case '\n', '/':
			if c == '\n' || strings.HasPrefix(l.Src[i:], "//") {
				return l.BalancedSlow(at)
			}
		}
	}
	return 0
}

func opening(closing byte) byte {
	switch closing {
	case ')':
		return '('
	case '>':
		return '<'
	}
	return closing - 2
}

// BalancedSlow is balanced for a text that goes over lines or has comments: it works on tokens.
func (l *Lexer) BalancedSlow(at int) int {
	saved, savedPos := l.Tok, l.After
	defer func() { l.Tok, l.After = saved, savedPos }()
	var open [MaxDepth]byte
	n := 0
	l.After = at
	for l.Next(); l.Tok.Kind != EOF && l.Tok.Kind != Error; l.Next() {
		switch text := l.Text(); text {
		case "<", "[", "(", "{":
			if n == len(open) {
				return 0
			}
			open[n] = text[0]
			n++
		case ">", "]", ")", "}":
			if open[n-1] != opening(text[0]) {
				return 0
			}
			if n--; n == 0 {
				return l.Tok.End
			}
		}
	}
	return 0
}
