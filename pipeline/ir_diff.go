package pipeline

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/tilewright/tilewright/internal/leaf/lazy"
)

// A Diff is how differences of IR are shown.
type Diff struct {
	// Colour marks lines for a terminal.
	Colour bool
	// Context is how many equal lines stand around a difference.
	Context int
}

// DefaultContext is what other tools that show unified differences have.
const DefaultContext = 3

// Unified returns the differences of two texts of the same IR as a unified diff, "" where there are none.
//
// An operation that is inserted renumbers everything after it, and a diff of the texts as they are would show that
// and nothing else. So values of the new text have the names that they have in the old one; those that are new have
// their own with a prime.
func (d Diff) Unified(oldLabel, newLabel, old, new string) string {
	new = sameNames(old, new)
	edits := udiff.Lines(old, new)
	if len(edits) == 0 {
		return ""
	}
	u, err := udiff.ToUnifiedDiff(oldLabel, newLabel, old, edits, d.Context)
	if err != nil { // the edits are udiff's own
		return "cannot compare: " + err.Error() + "\n"
	}
	// udiff 0.4.1 does not count the equal lines between two edits of one hunk, so that the hunks after it begin at
	// a wrong line of the new text.
	moved := 0
	for _, h := range u.Hunks {
		h.ToLine = h.FromLine + moved
		for _, l := range h.Lines {
			switch l.Kind {
			case udiff.Insert:
				moved++
			case udiff.Delete:
				moved--
			}
		}
	}
	text := u.String()
	if !d.Colour {
		return text
	}
	var sb strings.Builder
	for line := range strings.Lines(text) {
		body, end := strings.CutSuffix(line, "\n")
		sb.WriteString(paint(body))
		if end {
			sb.WriteByte('\n')
		}
	}
	return sb.String()
}

// colours are those of diff --color and of git, by how a line begins. The heads of files look like lines that are
// gone or new, so they come first.
var colours = []struct{ prefix, code string }{{"--- ", "1"}, {"+++ ", "1"}, {"@@", "36"}, {"-", "31"}, {"+", "32"}}

func paint(line string) string {
	for _, c := range colours {
		if strings.HasPrefix(line, c.prefix) {
			return "\x1b[" + c.code + "m" + line + "\x1b[0m"
		}
	}
	return line
}

var valueName = lazy.Regexp(`%[A-Za-z0-9_$.-]+`)

// sameNames gives the values of a new text their names in an old one: lines that are equal but for names tell which
// is which.
func sameNames(old, new string) string {
	before, after := strings.SplitAfter(old, "\n"), strings.SplitAfter(new, "\n")
	pairs := aligned(before, after)
	n := &renamer{to: make(map[string]string), taken: make(map[string]string)}
	var sb strings.Builder
	for i, line := range after {
		if k, ok := pairs[i]; ok {
			n.learn(before[k], line)
		} else {
			n.define(line)
		}
		sb.WriteString(valueName().ReplaceAllStringFunc(line, n.name))
	}
	return sb.String()
}

// aligned pairs lines of the new text with lines of the old one that are equal but for names.
func aligned(before, after []string) map[int]int {
	masked := func(lines []string) string { return valueName().ReplaceAllString(strings.Join(lines, ""), "%") }
	old := masked(before)
	starts := make(map[int]int) // lines of the old text by where they start
	at := 0
	for i, l := range strings.SplitAfter(old, "\n") {
		starts[at] = i
		at += len(l)
	}
	pairs := make(map[int]int)
	k, i := 0, 0 // lines of the old text and of the new one that are next
	keep := func(to int) {
		for ; k < to; k, i = k+1, i+1 {
			pairs[i] = k
		}
	}
	for _, e := range udiff.Lines(old, masked(after)) {
		end, ok := starts[e.End]
		if !ok {
			end = len(before)
		}
		keep(starts[e.Start])
		k = end
		i += strings.Count(e.New, "\n")
	}
	keep(min(len(before), k+len(after)-i))
	return pairs
}

// A renamer knows the old names of values. Names come again in other functions and in regions side by side, so a
// definition counts from where it stands.
type renamer struct{ to, taken map[string]string }

func (n *renamer) set(name, old string) {
	if other, ok := n.taken[old]; ok && n.to[other] == old {
		delete(n.to, other)
	}
	n.to[name], n.taken[old] = old, name
}

// learn takes the names of a line from one that is equal but for them.
func (n *renamer) learn(old, line string) {
	if opensFunction(line) {
		clear(n.to)
		clear(n.taken)
	}
	olds, names := valueName().FindAllString(old, -1), valueName().FindAllString(line, -1)
	results := definitions(line)
	for i, name := range names {
		_, known := n.to[name]
		_, taken := n.taken[olds[i]]
		if i < results || !known && !taken {
			n.set(name, olds[i])
		}
	}
}

// define notes that the results of a line are new.
func (n *renamer) define(line string) {
	if opensFunction(line) {
		clear(n.to)
		clear(n.taken)
	}
	for _, name := range valueName().FindAllString(line, -1)[:definitions(line)] {
		n.to[name] = name + "'"
	}
}

// name returns the old name of a value, or its own with a prime, so that it is not taken for an old one.
func (n *renamer) name(name string) string {
	if old, ok := n.to[name]; ok {
		return old
	}
	return name + "'"
}

// definitions returns how many names stand on the left of the '=' that the operation of a line begins after.
func definitions(line string) int {
	left, _, ok := strings.Cut(line, " = ")
	if !ok || !strings.HasPrefix(strings.TrimSpace(left), "%") || strings.ContainsAny(left, "({") {
		return 0
	}
	return len(valueName().FindAllString(left, -1))
}

func opensFunction(line string) bool {
	return strings.Contains(line, " @") && strings.HasSuffix(strings.TrimSpace(line), "{")
}
