package lsp

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// samples are texts of all levels: tests of passes.
func samples(t *testing.T) (texts []string) {
	t.Helper()
	for _, pattern := range []string{"../../../tests/suite/*/*.mlir", "../../../tests/suite/*/*/*.mlir"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(names); i += 1 + len(names)/25 {
			text, err := os.ReadFile(names[i])
			if err != nil {
				t.Fatal(err)
			}
			if len(text) < 20_000 {
				texts = append(texts, string(text))
			}
		}
	}
	if len(texts) < 20 {
		t.Fatalf("%d texts", len(texts))
	}
	return texts
}

var trailing = regexp.MustCompile(` +\n`)

// What the printer prints is laid out already.
func TestFormatLeavesPrinted(t *testing.T) {
	printed := 0
	for _, text := range samples(t) {
		for _, c := range asm.Split([]byte(text)) {
			op, err := asm.Parse(tileir.NewContext(), "x", c.Text, tileir.Syntax())
			if err != nil {
				continue
			}
			var out strings.Builder
			if err := asm.Print(&out, op, asm.PrintOptions{}); err != nil {
				t.Fatal(err)
			}
			printed++
			// The reference printer, which ours is equal to, leaves blanks after the types of a reduction.
			if got, want := formatted(out.String()), trailing.ReplaceAllString(out.String(), "\n"); got != want {
				t.Errorf("laid out:\n%s\nprinted:\n%s", got, want)
			}
		}
	}
	if printed < 50 {
		t.Errorf("only %d inputs were printed", printed)
	}
}

// Kernels of every level as they are typed: cut off, and with a piece missing. Each is read in a bounded time and
// without a panic.
func TestHalfTyped(t *testing.T) {
	texts := samples(t)
	for n, text := range texts {
		for k := range 6 {
			at := (k*len(text) + n*17) / 6 % len(text)
			for _, typed := range []string{text[:at], text[:at] + text[min(len(text), at+9):], text[:at] + "\n%x = " + text[at:]} {
				began := time.Now()
				s := newSnapshot(context.Background(), "u", 1, strings.ToValidUTF8(typed, "?"), utf16Units)
				s.analyse(nil, 0)
				for _, d := range s.diagnostics(true) {
					if strings.Contains(d.Message, "bug in the compiler") {
						t.Fatalf("%s\n%s", d.Message, typed)
					}
				}
				s.outline()
				s.hover(context.Background(), at, true)
				s.definition(at)
				s.complete(at)
				if took := time.Since(began); took > 10*time.Second {
					t.Errorf("%v for\n%s", took, typed)
				}
			}
		}
	}
}
