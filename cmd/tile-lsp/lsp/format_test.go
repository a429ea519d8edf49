package lsp

import (
	"slices"
	"testing"

	"github.com/tilewright/tilewright/ir/asm"
)

func formatted(text string) string {
	at, out := 0, ""
	for _, e := range format(text) {
		out += text[at:e.start] + e.text
		at = e.end
	}
	return out + text[at:]
}

func TestFormat(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"kernel", "cuda_tile.module @m {\nentry @k() {  \n\n\n\n      // why\n\treturn\n}\n    }\n", "cuda_tile.module @m {\n  entry @k() {\n\n    // why\n    return\n  }\n}\n"},
		{"carriage returns", "f {\r\nreturn  \r\n}\r\n", "f {\r\n  return\r\n}\r\n"},
		{"goes on", "f {\n%a = x %b,\n%c : t\n%d =\ny {\na = 1\n}\n}\n", "f {\n  %a = x %b,\n      %c : t\n  %d =\n      y {\n    a = 1\n  }\n}\n"},
		{"labels", "f {\n^bb0(%a: i32):\nbr ^bb1\n    ^bb1:\nreturn\n}\n", "f {\n^bb0(%a: i32):\n  br ^bb1\n^bb1:\n  return\n}\n"},
		{"inputs", "f {\n  // -----\ng {\nh\n}\n", "f {\n// -----\ng {\n  h\n}\n"},
		{"strings and comments", "f \"{\" { // {\nx \"}\"\n}\n", "f \"{\" { // {\n  x \"}\"\n}\n"},
		{"closed too often", "}\n}\nx {\ny\n", "}\n}\nx {\n  y\n"},
		{"no newline at the end", "x  ", "x"},
		{"already", "a {\n  b\n}\n", "a {\n  b\n}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := formatted(tt.text); got != tt.want {
				t.Errorf("got %q, expected %q", got, tt.want)
			}
		})
	}
}

// What is laid out has the same words, and stays as it is.
func FuzzFormat(f *testing.F) {
	f.Add("a {\n%x = b(\n) {-# \n#-} }\n// c\n\n\n^b:\n \r\n\t")
	f.Fuzz(func(t *testing.T, text string) {
		words := func(text string) (list []string) {
			for w := range asm.Tokens(text) {
				list = append(list, text[w.Pos:w.End])
			}
			return list
		}
		once := formatted(text)
		if !slices.Equal(words(text), words(once)) {
			t.Errorf("%q becomes %q", text, once)
		}
		if twice := formatted(once); twice != once {
			t.Errorf("%q, then %q, then %q", text, once, twice)
		}
	})
}
