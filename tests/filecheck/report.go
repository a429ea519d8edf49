package filecheck

import (
	"fmt"
	"sort"
	"strings"

	"github.com/tilewright/tilewright/internal/leaf/suggest"
)

// Failure says which directives did not hold.
type Failure struct{ Problems []Problem }

// Problem is one directive that did not hold.
type Problem struct {
	File      string // check file; empty when the problem is about no directive
	Line      int    // from 1
	Column    int    // from 1
	Directive string // as it is written, without the colon
	Message   string
	Source    string // the directive's line with a caret under the pattern
	Notes     []Note
}

// Note is a place in the input, or a remark without a place.
type Note struct {
	Message string
	File    string
	Line    int // from 1; zero: no place
	Column  int
	Context string // lines of the input around the place
}

func (f *Failure) Error() string {
	var b strings.Builder
	for i, p := range f.Problems {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.String())
	}
	return b.String()
}

// String prints the problem in the manner of LLVM's tools.
func (p Problem) String() string {
	var b strings.Builder
	if p.File == "" {
		b.WriteString("error: " + p.Message)
	} else {
		fmt.Fprintf(&b, "%s:%d:%d: error: %s: %s\n%s", p.File, p.Line, p.Column, p.Directive, p.Message, p.Source)
	}
	for _, n := range p.Notes {
		b.WriteByte('\n')
		if n.Line == 0 {
			b.WriteString("note: " + n.Message)
		} else {
			fmt.Fprintf(&b, "%s:%d:%d: note: %s\n%s", n.File, n.Line, n.Column, n.Message, n.Context)
		}
	}
	return b.String()
}

func (r *run) fail(p *pattern, message string, notes ...Note) {
	problem := Problem{
		File: r.checks.name, Line: p.line, Column: p.column, Directive: p.name, Message: message,
		Source: r.checks.quote(p.line, p.column), Notes: notes,
	}
	if p.line == 0 { // from an option and not from a file
		problem.File = ""
		problem.Message = fmt.Sprintf("%s '%s': %s", p.name, p.text, message)
	}
	r.problems = append(r.problems, problem)
}

// contextLines is how many lines before and after a place a note shows.
const contextLines = 2

func (r *run) note(message string, at int) Note {
	line := sort.SearchInts(r.lineStarts, at+1) // number of the line, from 1
	column := at - r.lineStarts[line-1] + 1
	var b strings.Builder
	for n := max(1, line-contextLines); n <= min(len(r.lineStarts), line+contextLines); n++ {
		text := r.line(n)
		if n == len(r.lineStarts) && text == "" && n != line {
			break // what follows the last newline is no line
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%6d | %s", n, text)
		if n == line {
			b.WriteString("\n       | " + strings.Repeat(" ", column-1) + "^")
		}
	}
	return Note{Message: message, File: r.name, Line: line, Column: column, Context: b.String()}
}

// line returns the text of a line of the input, from 1.
func (r *run) line(n int) string {
	end := len(r.input)
	if n < len(r.lineStarts) {
		end = r.lineStarts[n] - 1
	}
	return r.input[r.lineStarts[n-1]:end]
}

// lineStarts returns where each line begins.
func lineStarts(text string) []int {
	starts := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// quote returns a line of the check file with a caret under a column.
func (c *Checks) quote(line, column int) string {
	if line < 1 || line > len(c.lines) {
		return ""
	}
	return "    " + c.lines[line-1] + "\n    " + strings.Repeat(" ", column-1) + "^"
}

const (
	nearLines  = 2000 // how many lines are compared
	nearLength = 200  // how much of a pattern and of a line is compared
)

// nearest returns the place of the line that looks most like the pattern, or -1 when none comes near it.
func (r *run) nearest(p *pattern, from, to int) int {
	var b strings.Builder
	for _, q := range p.parts {
		if q.form == usePart {
			b.WriteString(r.vars[q.name])
		} else {
			b.WriteString(q.text)
		}
	}
	want := b.String()
	want = want[:min(len(want), nearLength)]
	if want == "" {
		return -1
	}
	best, bestAt := len(want)/2, -1
	for lines := 0; from < to && lines < nearLines; lines++ {
		end := to
		if i := strings.IndexByte(r.input[from:to], '\n'); i >= 0 {
			end = from + i
		}
		text := strings.TrimLeft(r.input[from:end], " \t")
		at := end - len(text)
		if d := suggest.Distance(want, text[:min(len(text), len(want))]); d < best {
			best, bestAt = d, at
		}
		from = end + 1
	}
	return bestAt
}
