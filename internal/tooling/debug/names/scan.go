package names

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A place is a position in a source: lines count from 1, columns from 0 in bytes.
type place struct{ line, column uint32 }

// A source is what a Python file says about names, by where the expressions begin.
type source struct {
	assigned   map[place]string   // name = expression; or the statement name += expression
	loops      map[place][]string // for name in ...
	parameters map[place]string   // of functions, at the name
}

// A token of Python. Only names, operators and the ends of statements matter.
type token struct {
	text string
	at   place
	kind byte // 'n' name, 'o' operator, 'x' anything else
}

// maxTokens bounds what is kept of a statement. A longer one assigns nothing.
const maxTokens = 1 << 12

// scan reads a file. It never fails: what is no Python names nothing.
func scan(text []byte) *source {
	s := &source{make(map[place]string), make(map[place][]string), make(map[place]string)}
	var statement []token
	depth := 0
	line, start := uint32(1), 0
	flush := func() {
		if len(statement) < maxTokens {
			s.statement(statement)
		}
		statement = statement[:0]
	}
	for i := 0; i < len(text); {
		at := place{line, uint32(i - start)}
		add := func(n int, kind byte) {
			if len(statement) < maxTokens {
				statement = append(statement, token{string(text[i : i+n]), at, kind})
			}
			i += n
		}
		c := text[i]
		switch {
		case c == '\n':
			if i++; depth == 0 {
				flush()
			}
			line, start = line+1, i
		case c == '\\' && i+1 < len(text) && text[i+1] == '\n':
			i += 2
			line, start = line+1, i
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			i++
		case c == '#':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case c == '"' || c == '\'':
			n, lines, last := quoted(text[i:])
			add(n, 'x')
			if line += lines; lines > 0 {
				start = i - last
			}
		case c == '_' || c >= utf8.RuneSelf || unicode.IsLetter(rune(c)):
			n := 0
			for _, r := range string(text[i:min(len(text), i+256)]) {
				if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
					break
				}
				n += utf8.RuneLen(r)
			}
			add(max(1, min(n, len(text)-i)), 'n')
		case c >= '0' && c <= '9':
			n := 1
			for i+n < len(text) && (text[i+n] >= '0' && text[i+n] <= '9' || text[i+n] == '.' || unicode.IsLetter(rune(text[i+n]))) {
				n++
			}
			add(n, 'x')
		case c == ';' && depth == 0:
			i++
			flush()
		default:
			switch c {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth = max(0, depth-1)
			}
			add(operator(string(text[i:min(len(text), i+3)])), 'o')
			if c == ':' && depth == 0 && len(statement) > 0 && compound[statement[0].text] {
				flush() // what follows on the line is a statement of its own
			}
		}
	}
	flush()
	return s
}

// compound statements have a header that ends with a colon.
var compound = map[string]bool{"if": true, "elif": true, "else": true, "for": true, "while": true, "with": true, "def": true, "class": true, "try": true, "except": true, "finally": true}

// operator returns the length of an operator of Python.
func operator(s string) int {
	for _, o := range []string{"//=", "**=", ">>=", "<<=", "...", "==", "!=", "<=", ">=", ":=", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", "**", "//", "<<", ">>"} {
		if strings.HasPrefix(s, o) {
			return len(o)
		}
	}
	return 1
}

// quoted returns the length of the string that a text begins with, the newlines in it, and the bytes behind the last.
func quoted(text []byte) (n int, lines uint32, last int) {
	end := text[:1]
	if len(text) >= 3 && text[1] == text[0] && text[2] == text[0] {
		end = text[:3]
	}
	for n = len(end); n < len(text) && !bytes.HasPrefix(text[n:], end); n++ {
		if text[n] == '\\' {
			n++
		} else if text[n] == '\n' && len(end) == 1 {
			return n, 0, 0 // not closed
		}
	}
	n = min(n+len(end), len(text))
	return n, uint32(bytes.Count(text[:n], []byte{'\n'})), n - 1 - bytes.LastIndexByte(text[:n], '\n')
}

// statement notes what a statement names.
func (s *source) statement(list []token) {
	if len(list) == 0 {
		return
	}
	switch {
	case list[0].text == "async":
		s.statement(list[1:])
		return
	case list[0].text == "def":
		s.function(list)
		return
	case list[0].text == "for":
		for i, t := range list[1:] {
			if t.text == "in" {
				s.loops[list[0].at] = identifiers(list[1 : i+1])
				return
			}
		}
		return
	case compound[list[0].text]:
		return
	}
	depth, begin := 0, 0
	var targets [][]token
	for i, t := range list {
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case "=":
			if depth == 0 {
				targets = append(targets, list[begin:i])
				begin = i + 1
			}
		case "+=", "-=", "*=", "/=", "%=", "//=", "**=", "&=", "|=", "^=", "@=", "<<=", ">>=":
			if depth == 0 && i == 1 && list[0].kind == 'n' {
				s.assigned[list[0].at] = list[0].text // cuTile gives it the place of the statement
				return
			}
		}
	}
	right := list[begin:]
	for _, t := range targets {
		names, values := identifiers(t), split(right)
		switch {
		case len(names) == 1 && len(split(t)) == 1:
			s.name(names[0], right)
		case len(names) == len(values) && len(names) == len(split(t)):
			for i, n := range names {
				s.name(n, values[i])
			}
		}
	}
}

// name notes that an expression is assigned. Its operation may be placed at a parenthesis, or at what is in it.
func (s *source) name(name string, expression []token) {
	if name == "" {
		return
	}
	for _, t := range expression {
		if _, known := s.assigned[t.at]; !known {
			s.assigned[t.at] = name
		}
		if t.text != "(" {
			return
		}
	}
}

// function notes the parameters of a definition.
func (s *source) function(list []token) {
	if len(list) < 3 || list[2].text != "(" {
		return
	}
	depth := 0
	for i, t := range list[2:] {
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		if t.kind == 'n' && depth == 1 && (list[i+1].text == "(" || list[i+1].text == "," || strings.HasPrefix(list[i+1].text, "*")) {
			s.parameters[t.at] = t.text
		}
	}
}

// split divides tokens at the commas that are in no bracket, after outer parentheses of a tuple are taken off.
func split(list []token) (parts [][]token) {
	depth, begin := 0, 0
	for i, t := range list {
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ",":
			if depth == 0 {
				parts = append(parts, list[begin:i])
				begin = i + 1
			}
		}
	}
	if begin < len(list) {
		parts = append(parts, list[begin:])
	}
	return parts
}

// identifiers are the names of targets, "" where a target is no plain name, as in a[0] = 1. A type behind a colon does
// not count.
func identifiers(list []token) (names []string) {
	for len(list) > 1 && list[0].text == "(" && list[len(list)-1].text == ")" {
		list = list[1 : len(list)-1]
	}
	for _, t := range split(list) {
		name := ""
		if len(t) > 0 && t[0].kind == 'n' && (len(t) == 1 || t[1].text == ":") {
			name = t[0].text
		}
		names = append(names, name)
	}
	return names
}
