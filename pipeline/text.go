package pipeline

import (
	"cmp"
	"fmt"
	"strings"
)

// Bounds on the text of a pipeline, far above what anyone writes.
const (
	maxTextLen  = 1 << 20
	maxDepth    = 32
	maxElements = 1 << 16
)

// An element is a name in the text of a pipeline with its options or nested elements. Names are not looked up yet.
type element struct {
	name     string
	pos      int // of the name
	isNest   bool
	children []*element
	opts     []optionText
}

type optionText struct {
	name, value string
	pos         int
}

// A SyntaxError is a fault in the text of a pipeline, or of a plan of kernels.
type SyntaxError struct {
	File   string // that the text is from; "": it is a pipeline of the command line
	Text   string
	Offset int
	Msg    string
}

func (e *SyntaxError) Error() string {
	line, col := e.position()
	return fmt.Sprintf("%s:%d:%d: error: %s", cmp.Or(e.File, "pass pipeline"), line, col, e.Msg)
}

func (e *SyntaxError) position() (line, col int) {
	before := e.Text[:e.Offset]
	return 1 + strings.Count(before, "\n"), e.Offset - strings.LastIndexByte(before, '\n')
}

const snippetWidth = 100

// Detail returns the message with the text around the place and a caret under it.
func (e *SyntaxError) Detail() string {
	_, col := e.position()
	lineText := e.Text[e.Offset-col+1:]
	if i := strings.IndexByte(lineText, '\n'); i >= 0 {
		lineText = lineText[:i]
	}
	if cut := col - 1 - snippetWidth/2; cut > 0 && len(lineText) > snippetWidth {
		lineText, col = "..."+lineText[cut:], col-cut+3
	}
	if len(lineText) > snippetWidth {
		lineText = lineText[:snippetWidth] + "..."
	}
	return e.Error() + "\n" + strings.ToValidUTF8(lineText, "?") + "\n" + strings.Repeat(" ", col-1) + "^\n"
}

type textParser struct {
	text  string
	pos   int
	count int
}

func (p *textParser) errorAt(pos int, format string, args ...any) error {
	return &SyntaxError{Text: p.text, Offset: pos, Msg: fmt.Sprintf(format, args...)}
}

// parseText parses NAME '(' elements ')'.
func parseText(text string) (*element, error) {
	p := &textParser{text: text}
	if len(text) > maxTextLen {
		p.text = text[:snippetWidth]
		return nil, p.errorAt(0, "pipeline of %d bytes is longer than the limit of %d", len(text), maxTextLen)
	}
	root, err := p.element(0)
	if err != nil {
		return nil, err
	}
	if !root.isNest {
		return nil, p.errorAt(root.pos, "expected a pipeline anchored on an operation, as in 'builtin.module(%s)', but got '%s'", root.name, root.name)
	}
	if p.blank(); p.pos < len(text) {
		return nil, p.errorAt(p.pos, "expected the end of the pipeline, but got %s", p.next())
	}
	return root, nil
}

func (p *textParser) element(depth int) (*element, error) {
	p.blank()
	start := p.pos
	for p.pos < len(p.text) && isNameByte(p.text[p.pos]) {
		p.pos++
	}
	n := &element{name: p.text[start:p.pos], pos: start}
	if n.name == "" {
		return nil, p.errorAt(start, "expected the name of a pass or an operation, but got %s", p.next())
	}
	if p.count++; p.count > maxElements {
		return nil, p.errorAt(start, "pipeline has more than %d elements", maxElements)
	}
	p.blank()
	switch p.peek() {
	case '(':
		return n, p.nest(n, depth)
	case '{':
		return n, p.options(n)
	}
	return n, nil
}

func (p *textParser) nest(n *element, depth int) error {
	open := p.pos
	if depth >= maxDepth {
		return p.errorAt(open, "pipeline is nested more than %d deep", maxDepth)
	}
	n.isNest = true
	p.pos++
	p.blank()
	if p.peek() == ')' {
		p.pos++
		return nil
	}
	for {
		child, err := p.element(depth + 1)
		if err != nil {
			return err
		}
		n.children = append(n.children, child)
		p.blank()
		switch p.peek() {
		case ',':
			p.pos++
		case ')':
			p.pos++
			return nil
		case 0:
			return p.errorAt(open, "'(' of '%s' is not closed", n.name)
		default:
			return p.errorAt(p.pos, "expected ',' or ')' after '%s', but got %s", child.name, p.next())
		}
	}
}

// options parses '{' (NAME ['=' VALUE])* '}' with blanks in between.
func (p *textParser) options(n *element) error {
	open := p.pos
	p.pos++
	for {
		p.blank()
		start := p.pos
		switch p.peek() {
		case '}':
			p.pos++
			return nil
		case 0:
			return p.errorAt(open, "'{' of '%s' is not closed", n.name)
		}
		for p.pos < len(p.text) && isNameByte(p.text[p.pos]) {
			p.pos++
		}
		o := optionText{name: p.text[start:p.pos], pos: start, value: "true"}
		if o.name == "" {
			return p.errorAt(start, "expected the name of an option of '%s', but got %s", n.name, p.next())
		}
		if p.count++; p.count > maxElements {
			return p.errorAt(start, "pipeline has more than %d elements", maxElements)
		}
		if p.peek() == '=' {
			p.pos++
			v, err := p.value(o.name)
			if err != nil {
				return err
			}
			o.value = v
		}
		if c := p.peek(); c != '}' && c != 0 && !isBlank(c) {
			return p.errorAt(p.pos, "expected a blank or '}' after option '%s', but got %s", o.name, p.next())
		}
		n.opts = append(n.opts, o)
	}
}

// value parses a quoted value, a value in braces, or one that ends at a blank or brace.
func (p *textParser) value(option string) (string, error) {
	start := p.pos
	switch c := p.peek(); c {
	case '"', '\'':
		return p.quoted(c, option)
	case '{':
		depth := 0
		for ; p.pos < len(p.text); p.pos++ {
			switch p.text[p.pos] {
			case '{':
				depth++
			case '}':
				depth--
			}
			if depth == 0 {
				p.pos++
				return p.text[start+1 : p.pos-1], nil
			}
		}
		return "", p.errorAt(start, "'{' of the value of option '%s' is not closed", option)
	}
	for p.pos < len(p.text) && isPlainByte(p.text[p.pos]) {
		p.pos++
	}
	return p.text[start:p.pos], nil
}

func (p *textParser) quoted(quote byte, option string) (string, error) {
	start := p.pos
	var sb strings.Builder
	for p.pos++; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; {
		case c == quote:
			p.pos++
			return sb.String(), nil
		case c == '\\' && p.pos+1 < len(p.text) && (p.text[p.pos+1] == quote || p.text[p.pos+1] == '\\'):
			p.pos++
			sb.WriteByte(p.text[p.pos])
		default:
			sb.WriteByte(c)
		}
	}
	return "", p.errorAt(start, "the quoted value of option '%s' is not closed", option)
}

func (p *textParser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

// next describes what stands at the current place.
func (p *textParser) next() string {
	if p.pos >= len(p.text) {
		return "the end"
	}
	return fmt.Sprintf("%q", p.text[p.pos:p.pos+1])
}

func (p *textParser) blank() {
	for p.pos < len(p.text) && isBlank(p.text[p.pos]) {
		p.pos++
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' || c == '$'
}

// isPlainByte reports whether a value may contain c without quotes.
func isPlainByte(c byte) bool {
	return c > ' ' && c != 0x7f && !strings.ContainsRune("{}\"'\\=", rune(c))
}
