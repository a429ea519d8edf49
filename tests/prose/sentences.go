package main

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	image   = regexp.MustCompile(`!\[([^\]]*)\]\([^)]*\)`)
	link    = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	code    = regexp.MustCompile("``[^`]*``|`[^`]*`")
	comment = regexp.MustCompile(`<!--[^>]*-->`)
	quoted  = regexp.MustCompile(`(^|[ (])"[^"]*"`)
	names   = regexp.MustCompile("`x`(?:, `x`)+")
)

// plain returns the words of Markdown as a reader sees them. Inline code, a list of it, and a quotation are one word:
//
//	Operations: `add`, `sub`, `mul`            ->   Operations: `x`
//	It is rejected with "expected a number".   ->   It is rejected with "X".
func plain(text string) string {
	text = comment.ReplaceAllString(text, "")
	text = image.ReplaceAllString(text, "$1")
	text = link.ReplaceAllString(text, "$1")
	text = code.ReplaceAllString(text, "`x`")
	text = quoted.ReplaceAllString(strings.Join(strings.Fields(text), " "), `$1"X"`)
	return names.ReplaceAllString(text, "`x`")
}

// between are empty lines, and ends of lines before an item of a list.
var between = regexp.MustCompile(`\n\s*\n|\n\s*(?:[-*] |[0-9]+[.)] )`)

// sentences splits text at ends of paragraphs and of sentences: a full stop, question or exclamation mark before what
// begins another one.
func sentences(text string) (out []string) {
	for _, par := range between.Split(text, -1) {
		words := strings.Fields(plain(par))
		begin := 0
		for i, w := range words {
			if i+1 < len(words) && !(ends(w) && begins(words[i+1])) {
				continue
			}
			out = append(out, strings.Join(words[begin:i+1], " "))
			begin = i + 1
		}
	}
	return out
}

func ends(word string) bool {
	word = strings.TrimRight(word, "\"')*_\u201d")
	return strings.HasSuffix(word, ".") && word != "e.g." && word != "i.e." || strings.HasSuffix(word, "?") || strings.HasSuffix(word, "!")
}

func begins(word string) bool {
	for _, r := range word {
		switch {
		case unicode.IsUpper(r), unicode.IsDigit(r), r == '`', r == '-', r == '.':
			return true
		case unicode.IsLetter(r):
			return false
		}
	}
	return false
}

// countWords counts what has a letter or a digit.
func countWords(sentence string) (n int) {
	for _, w := range strings.Fields(sentence) {
		if strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
	}
	return n
}
