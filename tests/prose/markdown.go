package main

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// A passage is a run of prose and the line where it begins.
type passage struct {
	line int
	text string
}

// A page is the prose of a Markdown file.
type page struct {
	paragraphs []passage // paragraphs and items of lists
	others     []passage // headings and cells of tables
	wide       []passage // lines of prose over the limit of columns
}

var (
	item     = regexp.MustCompile(`^\s*([-*+]|[0-9]+[.)])\s+`)
	codeLine = regexp.MustCompile("^\\s*([-*+]\\s+)?`[^`]*`[.:]?$")
	linkLine = regexp.MustCompile(`^\s*([-*+]\s+)?(<sub>)?!?\[[^\]]*\]\([^)]*\)[.:]?(</sub>)?\s*$`)
	fence    = regexp.MustCompile("^\\s*(```|~~~)")
	rule     = regexp.MustCompile(`^[\s|:-]*$`)
)

// readPage splits Markdown into its prose. Blocks of code, quotations and comments have none.
func readPage(text string) *page {
	p := new(page)
	var open *passage // the paragraph that the next line may go on
	flush := func() {
		if open != nil {
			p.paragraphs = append(p.paragraphs, *open)
			open = nil
		}
	}
	fenced, commented, afterBlank, indent := false, false, true, 0
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		depth := len(line) - len(strings.TrimLeft(line, " "))
		switch {
		case fence.MatchString(line):
			flush()
			fenced = !fenced
			continue
		case fenced:
			continue
		case commented || strings.HasPrefix(trimmed, "<!--"):
			flush()
			commented = !strings.HasSuffix(trimmed, "-->")
			continue
		case trimmed == "":
			flush()
			afterBlank = true
			continue
		case strings.HasPrefix(trimmed, ">"):
			flush()
			continue
		case afterBlank && depth >= indent+4:
			continue // code; further lines of it come here too
		case strings.HasPrefix(trimmed, "|"):
			flush()
			p.row(i+1, trimmed)
			continue
		}
		afterBlank = false
		if utf8.RuneCountInString(line) > maxColumns && !linkLine.MatchString(line) && !codeLine.MatchString(line) {
			p.wide = append(p.wide, passage{i + 1, line})
		}
		if strings.HasPrefix(line, "#") {
			flush()
			p.others = append(p.others, passage{i + 1, strings.TrimLeft(line, "# ")})
			indent = 0
			continue
		}
		if mark := item.FindString(line); mark != "" {
			flush()
			indent, line = len(mark), line[len(mark):]
		} else if open == nil && depth < indent {
			indent = 0
		}
		if open == nil {
			open = &passage{i + 1, line}
		} else {
			open.text += "\n" + line
		}
	}
	flush()
	return p
}

// row reads the cells of a row of a table.
func (p *page) row(line int, row string) {
	if rule.MatchString(row) {
		return
	}
	row = code.ReplaceAllString(row, "`x`") // code may have a bar
	row = strings.ReplaceAll(row, `\|`, "/")
	for _, cell := range strings.Split(strings.Trim(row, "|"), "|") {
		if cell = strings.TrimSpace(cell); cell != "" {
			p.others = append(p.others, passage{line, cell})
		}
	}
}
