package reference

import (
	"fmt"
	"strings"
	"unicode"
)

// A doc is a page that is being written.
type doc struct{ strings.Builder }

func newDoc(title string) *doc {
	d := new(doc)
	d.WriteString(banner)
	d.heading(1, title)
	return d
}

func (d *doc) printf(format string, args ...any) { fmt.Fprintf(d, format, args...) }

func (d *doc) heading(level int, text string) {
	d.printf("%s %s\n\n", strings.Repeat("#", level), text)
}

// para writes a paragraph of plain text; nothing for an empty one.
func (d *doc) para(text string) {
	if text = strings.TrimSpace(text); text != "" {
		d.printf("%s\n\n", escape(text))
	}
}

func (d *doc) code(language, text string) {
	d.printf("```%s\n%s\n```\n\n", language, strings.TrimSpace(text))
}

// list writes what is in the list under a label; nothing for an empty one.
func (d *doc) list(label string, items []string) {
	if len(items) == 0 {
		return
	}
	if label != "" {
		d.printf("**%s**\n\n", label)
	}
	for _, item := range items {
		d.printf("- %s\n", item)
	}
	d.WriteString("\n")
}

// escaped are the characters that mean something to Markdown in the middle of a line.
const escaped = "\\*<>[]|$"

// escape makes plain text Markdown. What stands between backquotes is code and stays as it is.
func escape(text string) string {
	var sb strings.Builder
	code := false
	for _, r := range text {
		if r == '`' {
			code = !code
		}
		if !code && strings.ContainsRune(escaped, r) {
			sb.WriteByte('\\')
		}
		sb.WriteRune(r)
	}
	return sb.String()
}

// anchor returns the fragment that GitHub gives a heading.
func anchor(heading string) string {
	var sb strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			sb.WriteRune(r)
		case r == ' ':
			sb.WriteByte('-')
		}
	}
	return sb.String()
}

// link returns a link to a heading of the same page, in code type.
func link(text, heading string) string { return "[`" + text + "`](#" + anchor(heading) + ")" }

// codes quotes names.
func codes(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = "`" + n + "`"
	}
	return out
}

// sentence joins parts to one line that ends in a full stop.
func sentence(parts []string) string {
	line := strings.Join(parts, "; ")
	if line == "" {
		return ""
	}
	return strings.ToUpper(line[:1]) + line[1:] + "."
}
