package expr

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds of an expression.
const (
	maxText  = 4096 // bytes
	maxDepth = 64
)

// A node is a part of an expression. op is a name of an operator, or what the node is.
type node struct {
	op   string // "name", "number", "tuple", "index", "slice", "field", "call", "neg", "not", or a binary operator
	text string // of a name, a field or a function
	at   int    // where it begins
	num  Array  // of a number
	args []*node
}

// An Expr is a parsed expression.
type Expr struct {
	root *node
	text string
}

// String returns the text that was parsed.
func (e *Expr) String() string { return e.text }

// Parse parses an expression. An error names the place.
func Parse(text string) (*Expr, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("the expression has %d bytes, but at most %d are read", len(text), maxText)
	}
	p := &parser{text: text}
	p.next()
	root := p.tuple()
	if p.err == nil && p.tok != "" {
		p.fail("expected the end")
	}
	if p.err != nil {
		return nil, p.err
	}
	return &Expr{root, text}, nil
}

type parser struct {
	text  string
	pos   int // behind tok
	start int // of tok
	tok   string
	kind  byte // 'n' number, 'i' name, 'o' operator, 0 end
	depth int
	err   error
}

func (p *parser) fail(want string) *node {
	if p.err == nil {
		got := "'" + p.tok + "'"
		if p.tok == "" {
			got = "the end"
		}
		p.err = fmt.Errorf("column %d: %s, but got %s", p.start+1, want, got)
	}
	p.tok, p.kind = "", 0
	return &node{op: "number", num: Integer(0)}
}

var operators = []string{"==", "!=", "<=", ">=", "//", "**", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", ",", ":", "."}

func isName(r rune, first bool) bool {
	return r == '_' || unicode.IsLetter(r) || !first && unicode.IsDigit(r)
}

// next reads a token. A % before a name, where no operator can be, begins the name of an SSA value.
func (p *parser) next() {
	operand := p.kind == 'n' || p.kind == 'i' && p.tok != "and" && p.tok != "or" && p.tok != "not" || p.tok == ")" || p.tok == "]"
	for p.pos < len(p.text) && (p.text[p.pos] == ' ' || p.text[p.pos] == '\t' || p.text[p.pos] == '\n') {
		p.pos++
	}
	p.start = p.pos
	rest := p.text[p.pos:]
	take := func(n int, kind byte) { p.tok, p.kind, p.pos = rest[:n], kind, p.pos+n }
	if rest == "" || p.err != nil {
		p.tok, p.kind = "", 0
		return
	}
	run := func(s string, ok func(i int, r rune) bool) int {
		for i, r := range s {
			if !ok(i, r) {
				return i
			}
		}
		return len(s)
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case isName(r, true):
		take(run(rest, func(_ int, r rune) bool { return isName(r, false) }), 'i')
		return
	case r == '%' && !operand:
		if n := run(rest[1:], func(_ int, r rune) bool { return isName(r, false) || r == '#' }); n > 0 {
			take(n+1, 'i')
			return
		}
	case r >= '0' && r <= '9' || r == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		hex := strings.HasPrefix(rest, "0x")
		take(run(rest, func(i int, r rune) bool {
			return r < utf8.RuneSelf && isName(r, false) || r == '.' || !hex && (r == '+' || r == '-') && i > 0 && (rest[i-1] == 'e' || rest[i-1] == 'E')
		}), 'n')
		return
	}
	for _, o := range operators {
		if strings.HasPrefix(rest, o) {
			take(len(o), 'o')
			return
		}
	}
	take(size, 'o')
	if r == utf8.RuneError {
		p.tok = "?"
	}
	p.fail("expected an expression")
}

func (p *parser) accept(tok string) bool {
	if p.tok != tok || p.kind == 0 {
		return false
	}
	p.next()
	return true
}

// deeper counts nesting. It returns false where there is too much.
func (p *parser) deeper() bool {
	if p.depth++; p.depth > maxDepth {
		p.fail(fmt.Sprintf("expected at most %d levels", maxDepth))
		return false
	}
	return true
}

// tuple is one expression or several, with commas in between.
func (p *parser) tuple() *node {
	first := p.or()
	if p.tok != "," {
		return first
	}
	n := &node{op: "tuple", at: first.at, args: []*node{first}}
	for p.accept(",") && p.tok != ")" && p.tok != "" {
		n.args = append(n.args, p.or())
	}
	return n
}

// binary parses operands with operators of one precedence in between, from left to right.
func (p *parser) binary(operand func() *node, ops ...string) *node {
	left := operand()
	for {
		op := ""
		for _, o := range ops {
			if p.tok == o {
				op = o
			}
		}
		if op == "" || p.kind == 0 {
			return left
		}
		at := p.start
		p.next()
		left = &node{op: op, at: at, args: []*node{left, operand()}}
	}
}

func (p *parser) or() *node {
	if !p.deeper() {
		return p.fail("")
	}
	defer func() { p.depth-- }()
	return p.binary(func() *node { return p.binary(p.not, "and") }, "or")
}

func (p *parser) not() *node {
	at := p.start
	if p.tok == "not" && p.kind == 'i' {
		if !p.deeper() {
			return p.fail("")
		}
		defer func() { p.depth-- }()
		p.next()
		return &node{op: "not", at: at, args: []*node{p.not()}}
	}
	return p.binary(func() *node {
		return p.binary(func() *node { return p.binary(p.unary, "*", "/", "//", "%") }, "+", "-")
	}, "==", "!=", "<", "<=", ">", ">=")
}

func (p *parser) unary() *node {
	at := p.start
	if p.accept("-") {
		if !p.deeper() {
			return p.fail("")
		}
		defer func() { p.depth-- }()
		return &node{op: "neg", at: at, args: []*node{p.unary()}}
	}
	n := p.primary()
	for {
		at := p.start
		switch {
		case p.accept("["):
			n = &node{op: "index", at: at, args: append([]*node{n}, p.indices()...)}
		case p.accept("."):
			if p.kind != 'i' {
				return p.fail("expected a name")
			}
			n = &node{op: "field", at: at, text: p.tok, args: []*node{n}}
			p.next()
		default:
			return n
		}
	}
}

// indices are those behind a bracket, and the closing bracket.
func (p *parser) indices() (list []*node) {
	for {
		at := p.start
		part := &node{op: "slice", at: at, args: []*node{nil, nil}}
		if p.tok != ":" {
			part.args[0] = p.or()
		}
		if p.accept(":") {
			if p.tok != "]" && p.tok != "," {
				part.args[1] = p.or()
			}
		} else {
			part = part.args[0]
		}
		list = append(list, part)
		if p.accept(",") {
			continue
		}
		if !p.accept("]") {
			p.fail("expected ']'")
		}
		return list
	}
}

func (p *parser) primary() *node {
	at, tok := p.start, p.tok
	switch {
	case p.kind == 'n':
		p.next()
		if i, err := strconv.ParseInt(tok, 0, 64); err == nil {
			return &node{op: "number", at: at, num: Integer(i)}
		}
		f, err := strconv.ParseFloat(tok, 64)
		if err != nil {
			p.start, p.tok = at, tok
			return p.fail("expected a number")
		}
		return &node{op: "number", at: at, num: Scalar(Float, Elem{F: f})}
	case p.kind == 'i' && tok != "and" && tok != "or" && tok != "not":
		p.next()
		if !p.accept("(") {
			return &node{op: "name", at: at, text: tok}
		}
		n := &node{op: "call", at: at, text: tok}
		for p.tok != ")" && p.err == nil {
			n.args = append(n.args, p.or())
			if !p.accept(",") {
				break
			}
		}
		if !p.accept(")") {
			p.fail("expected ')'")
		}
		return n
	case p.accept("("):
		if p.accept(")") {
			return &node{op: "tuple", at: at}
		}
		n := p.tuple()
		if !p.accept(")") {
			p.fail("expected ')'")
		}
		return n
	}
	return p.fail("expected an expression")
}
