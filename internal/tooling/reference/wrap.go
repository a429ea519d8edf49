package reference

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// columns is how wide lines of prose may be.
const columns = 120

var (
	listMark = regexp.MustCompile(`^(-|[0-9]+\.) `)
	// unbroken is text without spaces outside of inline code.
	unbroken = regexp.MustCompile("(?:`[^`]*`|\\S)+")
	// startsBlock is what Markdown takes for the start of another block at the start of a line.
	startsBlock = regexp.MustCompile(`^([-+]|[0-9]+[.)]|#.*|=+)$`)
)

// wrap breaks paragraphs and items of lists, which are a line each, into lines of at most so many columns.
func wrap(page string) string {
	var out []string
	fenced := false
	for _, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if fenced || utf8.RuneCountInString(line) <= columns || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "|") {
			out = append(out, line)
			continue
		}
		indent := strings.Repeat(" ", len(listMark.FindString(line)))
		current := ""
		for _, word := range unbroken.FindAllString(line, -1) {
			switch {
			case current == "":
				current = word
			case utf8.RuneCountInString(current)+1+utf8.RuneCountInString(word) > columns:
				if at := strings.LastIndex(current, " "); startsBlock.MatchString(word) && at > 0 {
					current, word = current[:at], current[at+1:]+" "+word
				}
				out = append(out, current)
				current = indent + word
			default:
				current += " " + word
			}
		}
		out = append(out, current)
	}
	return strings.Join(out, "\n")
}
