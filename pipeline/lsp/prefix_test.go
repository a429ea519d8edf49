package lsp

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Kernels of every level as they are typed: cut off, and with a piece missing. Each is read in a bounded time and without a panic.
func TestHalfTyped(t *testing.T) {
	var texts []string
	for _, pattern := range []string{"../../tests/suite/*/*.mlir", "../../tests/suite/*/*/*.mlir"} {
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
