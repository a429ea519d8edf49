package lsp

import "sort"

// An encoding says what a character of a position counts.
type encoding string

const (
	utf8Units  encoding = "utf-8"
	utf16Units encoding = "utf-16" // what a client counts that says nothing
)

// lines knows where the lines of a text begin: after \n, \r\n and, as the protocol has it, a lone \r, which ends no
// line for the parser.
//
// The text is UTF-8, as what comes out of JSON is. So how many units a character counts is seen from its first byte,
// and a sum may begin anywhere.
type lines struct {
	text   string
	starts []int
	units  encoding
	marks  []int // units before each block of bytes: a line may be as long as the text
}

const blockBytes = 1 << 10

func newLines(text string, units encoding) *lines {
	l := &lines{text: text, starts: []int{0}, units: units}
	n := 0
	for i := range len(text) {
		if i%blockBytes == 0 {
			l.marks = append(l.marks, n)
		}
		c := text[i]
		if n += l.width(c); c == '\n' || c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			l.starts = append(l.starts, i+1)
		}
	}
	l.marks = append(l.marks, n)
	return l
}

// width returns how many units the character counts that a byte is the first of; 0 for the other bytes of a character.
func (l *lines) width(c byte) int {
	switch {
	case l.units == utf8Units:
		return 1
	case c&0xc0 == 0x80:
		return 0
	case c >= 0xf0: // beyond 16 bits
		return 2
	}
	return 1
}

// before returns how many units stand before an offset.
func (l *lines) before(offset int) int {
	if offset == len(l.text) {
		return l.marks[len(l.marks)-1]
	}
	block := offset / blockBytes
	n := l.marks[block]
	for i := block * blockBytes; i < offset; i++ {
		n += l.width(l.text[i])
	}
	return n
}

// end returns where a line ends, without what ends it.
func (l *lines) end(line int) int {
	end := len(l.text)
	if line+1 < len(l.starts) {
		end = l.starts[line+1]
	}
	for end > l.starts[line] && (l.text[end-1] == '\n' || l.text[end-1] == '\r') {
		end--
	}
	return end
}

// offset returns the byte that a position stands for. A position after the end of a line or of the text stands for
// that end, and one inside of a character for its beginning.
func (l *lines) offset(p position) int {
	switch {
	case p.Line < 0:
		return 0
	case p.Line >= len(l.starts):
		return len(l.text)
	case p.Character <= 0:
		return l.starts[p.Line]
	}
	start, end := l.starts[p.Line], l.end(p.Line)
	if p.Character >= l.before(end)-l.before(start) {
		return end
	}
	want := l.before(start) + p.Character
	at := max(start, blockBytes*(sort.SearchInts(l.marks, want+1)-1))
	character := at // the beginning of the one that a sum has come to
	for n := l.before(at); at < end; at++ {
		c := l.text[at]
		if c&0xc0 != 0x80 {
			character = at
		}
		if n += l.width(c); n > want {
			break
		}
	}
	for character > start && l.text[character]&0xc0 == 0x80 {
		character--
	}
	return character
}

func (l *lines) position(offset int) position {
	offset = min(max(offset, 0), len(l.text))
	line := sort.Search(len(l.starts), func(i int) bool { return l.starts[i] > offset }) - 1
	return position{line, l.before(offset) - l.before(l.starts[line])}
}

func (l *lines) span(start, end int) span { return span{l.position(start), l.position(end)} }
