package report

import (
	"strconv"
	"strings"
)

// A book keeps each different line once.
type book struct {
	text []string
	at   map[string]int
}

func newBook() *book { return &book{at: make(map[string]int)} }

func (b *book) line(s string) int {
	n, ok := b.at[s]
	if !ok {
		n = len(b.text)
		b.text = append(b.text, s)
		b.at[s] = n
	}
	return n
}

// split cuts the text of a dump, whose operations end with mark and their labels, into lines with labels.
//
// An operation with regions is marked at its last line. The lines where it and its further regions begin get its
// labels as well: those that open the braces which it closes.
func (b *book) split(text string) (lines []int, marked [][]int) {
	type opening struct{ lines []int }
	var open []opening
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		line, found := unmark(line)
		here := len(lines)
		lines = append(lines, b.line(line))
		marked = append(marked, found)
		trimmed := strings.TrimLeft(line, " ")
		opens := strings.HasSuffix(trimmed, "{")
		if !strings.HasPrefix(trimmed, "}") {
			if opens {
				open = append(open, opening{[]int{here}})
			}
			continue
		}
		if len(open) == 0 {
			continue
		}
		last := open[len(open)-1]
		open = open[:len(open)-1]
		if opens {
			open = append(open, opening{append(last.lines, here)})
			continue
		}
		for _, i := range last.lines {
			marked[i] = found
		}
	}
	return lines, marked
}

// unmark takes the marks of a line off. Several operations may end on one line, the outermost last.
func unmark(line string) (text string, found []int) {
	for {
		i := strings.LastIndex(line, mark)
		if i < 0 {
			return line, found
		}
		end := i + len(mark)
		for end < len(line) && (line[end] == ',' || '0' <= line[end] && line[end] <= '9') {
			end++
		}
		for digits := range strings.SplitSeq(line[i+len(mark):end], ",") {
			if n, err := strconv.Atoi(digits); err == nil {
				found = append(found, n)
			}
		}
		line = line[:i] + line[end:]
	}
}
