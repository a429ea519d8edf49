package suggest

import (
	"strings"
	"testing"
)

func TestDidYouMean(t *testing.T) {
	t.Parallel()
	known := []string{"fuse-fma", "cse", "canonicalize", "convert-cuda-tile-to-tileaa", "convert-tileaa-to-tileas"}
	tests := []struct{ name, want string }{
		{"fuse-fmaa", " (did you mean 'fuse-fma'?)"},
		{"fusefma", " (did you mean 'fuse-fma'?)"},
		{"cce", " (did you mean 'cse'?)"},
		{"canonicalise", " (did you mean 'canonicalize'?)"},
		{"convert", " (did you mean 'convert-tileaa-to-tileas' or 'convert-cuda-tile-to-tileaa'?)"},
		{"licm", ""},
		{"", ""},
		{strings.Repeat("x", 1000), ""},
	}
	for _, tt := range tests {
		if got := DidYouMean(tt.name, known); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
