package lit

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Diff compares two files, as the command diff does: 0 when they are equal, 1 when they are not, 2 when that cannot
// be told. With -B blank lines do not count. What it prints is the place where they part.
func Diff(args []string, stdout, stderr io.Writer) int {
	var files []string
	skipBlank := false
	for _, a := range args {
		switch {
		case a == "-B" || a == "--ignore-blank-lines":
			skipBlank = true
		case len(a) > 1 && a[0] == '-':
			fmt.Fprintf(stderr, "%s: unknown option '%s'\n", diff, a)
			return 2
		default:
			files = append(files, a)
		}
	}
	if len(files) != 2 {
		fmt.Fprintf(stderr, "%s: expected two files, got %d\n", diff, len(files))
		return 2
	}
	var texts [2]string
	for i, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintf(stderr, "%s: %v\n", diff, err)
			return 2
		}
		texts[i] = string(text)
		if skipBlank {
			texts[i] = withoutBlankLines(texts[i])
		}
	}
	if texts[0] == texts[1] {
		return 0
	}
	fmt.Fprintf(stdout, "--- %s\n+++ %s\n%s", files[0], files[1], difference(texts[0], texts[1]))
	return 1
}

func withoutBlankLines(text string) string {
	lines := slices.Collect(strings.Lines(text))
	return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return l == "\n" }), "")
}

// differenceLines is how many lines after the first difference are shown.
const differenceLines = 5

// difference shows where two texts part.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	first := 0
	for first < len(w) && first < len(g) && w[first] == g[first] {
		first++
	}
	var b strings.Builder
	show := func(mark string, lines []string) {
		for n := first; n < min(len(lines), first+differenceLines); n++ {
			fmt.Fprintf(&b, "%s%5d | %s\n", mark, n+1, lines[n])
		}
	}
	show("-", w)
	show("+", g)
	return b.String()
}
