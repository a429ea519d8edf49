package source

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const maxLine = 200 // longer lines are not shown

// firstColumn is the number of the first column of a file, in the locations of those who write them. Python counts from
// 0 (ast, "col_offset"), and cuTile stores its numbers: a decorated function begins at k.py:33:0. Compilers of C++ and
// Rust count from 1, as the text of Tile IR does.
func firstColumn(file string) uint32 {
	if strings.HasSuffix(file, ".py") {
		return 0
	}
	return 1
}

// Line returns a line of the text of a file and, on a line of its own, a caret below the column, which counts bytes
// as locations in such files do (firstColumn). Lines count from 1. It returns "" where there is no such line, and no
// caret where the line has no such column: a file may have changed since a module was made of it.
func Line(file string, text []byte, line, column uint32) string {
	if text == nil || line == 0 {
		return ""
	}
	column += 1 - firstColumn(file)
	for ; line > 1; line-- {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			return ""
		}
		text = text[i+1:]
	}
	text, _, _ = bytes.Cut(text, []byte{'\n'})
	if len(text) > maxLine {
		return ""
	}
	s := strings.TrimSuffix(string(text), "\r")
	if column == 0 || int(column) > len(s)+1 {
		return Printable(s) + "\n"
	}
	pad := []rune(Printable(s[:column-1]))
	for i, c := range pad {
		if c != '\t' {
			pad[i] = ' '
		}
	}
	return Printable(s) + "\n" + string(pad) + "^\n"
}

// Printable spells bytes that are no text, and characters that a terminal would take for a command or for a change of
// direction, as Go does.
func Printable(text string) string {
	safe := true
	for _, r := range text {
		safe = safe && (r == '\t' || r == '\n' || r != utf8.RuneError && unicode.IsPrint(r))
	}
	if safe {
		return text
	}
	var sb strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && text[i] != 0xef: // the replacement character itself begins so
			fmt.Fprintf(&sb, "\\x%02x", text[i])
		case r == '\t', r == '\n', unicode.IsPrint(r):
			sb.WriteRune(r)
		default:
			sb.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return sb.String()
}
