package lsp

import (
	"strings"

	"github.com/tilewright/tilewright/ir/asm"
)

// indent is what the printer indents by.
const indent = 2

// format lays a text out: each line is indented as the printer would, no line ends in blanks, and there is at most
// one empty line at a time. Words are not moved between lines, and comments stay, which the printer would drop; so a
// text with errors can be laid out too.
//
// A line is indented by the braces, brackets and parentheses that are open where it begins; a label of a block by one
// less. A line that goes on with what the line before did not end is indented by two more.
func format(text string) []lineEdit {
	f := &formatter{text: text}
	for t := range asm.Tokens(text) {
		f.tokens = append(f.tokens, t)
	}
	empty := 0
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i
		}
		f.line(at, end, &empty)
		at = end + 1
	}
	return f.edits
}

// A lineEdit replaces the text between two offsets.
type lineEdit struct {
	start, end int
	text       string
}

type formatter struct {
	text   string
	tokens []asm.Token
	next   int // token
	depth  int // of what is open
	last   string
	label  bool // the last line was a label
	edits  []lineEdit
}

// separator is the line between inputs.
const separator = "// -----"

func (f *formatter) line(start, end int, empty *int) {
	trimmed := strings.Trim(f.text[start:end], " \t\r")
	if trimmed == "" {
		*empty++
		switch {
		case *empty > 1 && end < len(f.text):
			f.edits = append(f.edits, lineEdit{start, end + 1, ""})
		case end > start:
			f.edits = append(f.edits, lineEdit{start, end, ""})
		}
		return
	}
	*empty = 0
	first := start + strings.Index(f.text[start:end], trimmed)
	from := f.next
	for f.next < len(f.tokens) && f.tokens[f.next].Pos < end {
		f.next++
	}
	want := strings.Repeat(" ", f.indentation(trimmed, f.tokens[from:f.next]))
	if f.text[start:first] != want {
		f.edits = append(f.edits, lineEdit{start, first, want})
	}
	// A carriage return before the end of a line belongs to that end.
	tail := strings.TrimRight(f.text[first+len(trimmed):end], "\r")
	if behind := first + len(trimmed); tail != "" {
		f.edits = append(f.edits, lineEdit{behind, behind + len(tail), ""})
	}
}

// indentation returns how far a line is indented, and goes after its tokens.
func (f *formatter) indentation(line string, tokens []asm.Token) int {
	if line == separator {
		f.depth, f.last, f.label = 0, "", false
		return 0
	}
	depth := f.depth
	for _, t := range tokens { // what the line closes before anything else
		if f.closes(t) == 0 {
			break
		}
		depth--
	}
	more := 0
	if len(tokens) > 0 {
		isLabel := tokens[0].Kind == asm.BlockName && (f.last == "{" || f.last == "" || !f.continues())
		switch {
		case isLabel:
			more = -indent
		case depth == f.depth && f.continues():
			more = 2 * indent
		}
		f.label = isLabel
		f.last = f.text[tokens[len(tokens)-1].Pos:tokens[len(tokens)-1].End]
	} else if f.continues() { // a comment between
		more = 2 * indent
	}
	for _, t := range tokens {
		f.depth = max(0, f.depth+f.opens(t)-f.closes(t))
	}
	return max(0, indent*max(0, depth)+more)
}

// continues reports whether the line before ended in the middle of something.
func (f *formatter) continues() bool {
	switch f.last {
	case ",", "=", "->", "+":
		return true
	case ":":
		return !f.label
	}
	return false
}

func (f *formatter) opens(t asm.Token) int {
	if t.Kind == asm.Punctuation {
		switch f.text[t.Pos:t.End] {
		case "{", "(", "[", "{-#":
			return 1
		}
	}
	return 0
}

func (f *formatter) closes(t asm.Token) int {
	if t.Kind == asm.Punctuation {
		switch f.text[t.Pos:t.End] {
		case "}", ")", "]":
			return 1
		}
	}
	// The lexer has #-} in one.
	if t.Kind == asm.Punctuation && f.text[t.Pos:t.End] == "#-}" {
		return 1
	}
	return 0
}

func (s *snapshot) format() []textEdit {
	list := []textEdit{}
	for _, e := range format(s.text) {
		list = append(list, textEdit{s.lines.span(e.start, e.end), e.text})
	}
	return list
}
