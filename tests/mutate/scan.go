package mutate

import (
	"regexp"
	"strings"
)

// A Statement is an instruction of PTX that stands on a line of its own, as compilers write them.
type Statement struct {
	Line   int    // from 1
	Label  string // before it on the line, with its colon
	Guard  string // "@%p1", "@!%p1" or ""
	Op     string // "mbarrier.try_wait.parity.shared.b64"
	Args   []string
	block  int // which basic block of the text it is in
	indent string
}

// A Text is PTX by lines, with the instructions on them.
type Text struct {
	lines []string
	Code  []Statement
}

var statement = regexp.MustCompile(`^(\s*)([\w$]+:\s*)?(@!?[\w%]+\s+)?([a-z][\w.:]*)(?:\s+([^;]*?))?\s*;\s*(?://.*)?$`)

// leavers end a basic block.
var leavers = regexp.MustCompile(`^(bra|brx|ret|exit|trap|call)\b`)

// Scan finds the instructions of PTX. Directives and lines with several statements are none.
func Scan(ptx string) *Text {
	t := &Text{lines: strings.SplitAfter(ptx, "\n")}
	block := 0
	for i, line := range t.lines {
		m := statement.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil || strings.HasPrefix(m[4], ".") {
			if strings.Contains(line, ":") && !strings.HasPrefix(strings.TrimSpace(line), "//") {
				block++ // a label
			}
			continue
		}
		if m[2] != "" {
			block++
		}
		s := Statement{Line: i + 1, Label: m[2], Guard: strings.TrimSpace(m[3]), Op: m[4], Args: operands(m[5]), block: block, indent: m[1]}
		t.Code = append(t.Code, s)
		if leavers.MatchString(s.Op) {
			block++
		}
	}
	return t
}

// operands splits at the commas outside of brackets and braces.
func operands(text string) (out []string) {
	depth, from := 0, 0
	for i, c := range text {
		switch c {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(text[from:i]))
				from = i + 1
			}
		}
	}
	if rest := strings.TrimSpace(text[from:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// String writes a statement without its label.
func (s *Statement) String() string {
	text := s.Op
	if s.Guard != "" {
		text = s.Guard + " " + text
	}
	if len(s.Args) > 0 {
		text += " " + strings.Join(s.Args, ", ")
	}
	return text + ";"
}

// with is the statement with another operation or operand; the original keeps its own.
func (s *Statement) with(op string, arg int, value string) *Statement {
	c := *s
	if op != "" {
		c.Op = op
	}
	if arg >= 0 {
		c.Args = append([]string(nil), s.Args...)
		c.Args[arg] = value
	}
	return &c
}

// An Edit says what lines become. A line keeps its label.
type Edit map[int]string

// replace puts text in the place of a statement; "" drops it.
func (e Edit) replace(s *Statement, text string) Edit {
	e[s.Line] = s.indent + s.Label + text + "\n"
	return e
}

// around puts text before and after a statement.
func (e Edit) around(s *Statement, before, after string) Edit {
	return e.replace(s, strings.TrimSpace(before+" "+s.String()+" "+after))
}

// Apply returns the changed text.
func (t *Text) Apply(e Edit) string {
	var b strings.Builder
	for i, line := range t.lines {
		if changed, ok := e[i+1]; ok {
			line = changed
		}
		b.WriteString(line)
	}
	return b.String()
}

// Original is what stands on the first line that an edit changes, and its number.
func (t *Text) Original(e Edit) (line int, text string) {
	for i := range t.lines {
		if _, ok := e[i+1]; ok {
			return i + 1, strings.TrimSpace(t.lines[i])
		}
	}
	return 0, ""
}

var register = regexp.MustCompile(`%[a-z]+\d+`)

// defines returns the registers that a statement writes: those of its first operand, unless that is memory.
func (s *Statement) defines() []string {
	if len(s.Args) == 0 || strings.HasPrefix(s.Args[0], "[") || strings.HasPrefix(s.Op, "st") || strings.HasPrefix(s.Op, "bar") {
		return nil
	}
	return register.FindAllString(s.Args[0], -1)
}

// uses returns the registers that a statement reads, as far as addresses need: all but those that it defines.
func (s *Statement) uses() (out []string) {
	from := 1
	if s.defines() == nil {
		from = 0
	}
	for _, a := range s.Args[min(from, len(s.Args)):] {
		out = append(out, register.FindAllString(a, -1)...)
	}
	return append(out, register.FindAllString(s.Guard, -1)...)
}

// pure are the instructions that compute addresses, which may be executed twice.
var pure = regexp.MustCompile(`^(mov|add|sub|mul|mad|shl|shr|and|or|xor|not|selp|setp|cvt|cvta|mapa|lop3|bfi|bfe|min|max|elect)\b`)

// before returns the text of the instructions that compute what a statement needs, of those between two places in one
// block, and the statement itself. It fails where that is more than addresses.
func (t *Text) before(place, at int) (string, bool) {
	need := map[string]bool{}
	for _, r := range t.Code[at].uses() {
		need[r] = true
	}
	lines := []string{t.Code[at].String()}
	for i := at - 1; i >= place; i-- {
		s := &t.Code[i]
		wanted := false
		for _, r := range s.defines() {
			wanted = wanted || need[r]
		}
		if !wanted {
			continue
		}
		if !pure.MatchString(s.Op) || s.block != t.Code[at].block {
			return "", false
		}
		lines = append([]string{s.String()}, lines...)
		for _, r := range s.uses() {
			need[r] = true
		}
	}
	return strings.Join(lines, " "), true
}
