package lsp

import (
	"strings"
	"testing"
	"unicode/utf16"
)

func TestPositions(t *testing.T) {
	const text = "a𝄞b\r\né\rx\n\n" + "end"
	for _, tt := range []struct {
		units     encoding
		line, at  int
		offset    int
		backwards bool // the offset stands for the position
	}{
		{utf16Units, 0, 0, 0, true}, {utf16Units, 0, 1, 1, true}, {utf16Units, 0, 2, 1, false} /* inside of a pair */, {utf16Units, 0, 3, 5, true}, {utf16Units, 0, 4, 6, true},
		{utf16Units, 0, 99, 6, false}, {utf16Units, 1, 0, 8, true}, {utf16Units, 1, 1, 10, true}, {utf16Units, 2, 0, 11, true}, {utf16Units, 2, 1, 12, true}, {utf16Units, 3, 0, 13, true},
		{utf16Units, 4, 3, 17, true}, {utf16Units, 9, 0, 17, false}, {utf16Units, -1, 5, 0, false}, {utf16Units, 0, -5, 0, false},
		{utf8Units, 0, 5, 5, true}, {utf8Units, 0, 3, 1, false}, {utf8Units, 1, 2, 10, true},
	} {
		l := newLines(text, tt.units)
		if got := l.offset(position{tt.line, tt.at}); got != tt.offset {
			t.Errorf("%s: offset of %d:%d is %d, expected %d", tt.units, tt.line, tt.at, got, tt.offset)
		}
		if got := l.position(tt.offset); tt.backwards && got != (position{tt.line, tt.at}) {
			t.Errorf("%s: position of %d is %v, expected %d:%d", tt.units, tt.offset, got, tt.line, tt.at)
		}
	}
}

// Each offset of a long line counts what Go's own encoder counts.
func TestLongLine(t *testing.T) {
	text := strings.Repeat("aé𝄞x", 2000)
	l := newLines(text, utf16Units)
	units := 0
	for i, r := range text {
		if got := l.position(i); got != (position{0, units}) {
			t.Fatalf("position of %d is %v, expected %d", i, got, units)
		}
		if got := l.offset(position{0, units}); got != i {
			t.Fatalf("offset of %d is %d, expected %d", units, got, i)
		}
		units += len(utf16.Encode([]rune{r}))
	}
}
