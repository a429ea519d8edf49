package damage

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
)

func sources(t *testing.T) (out []*Source) {
	t.Helper()
	dir := corpus.Dir(t)
	var files []string
	for _, pattern := range []string{"bytecode/*.tileirbc", "cases/*/*.tileirbc"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("no files for %s: %v", pattern, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := NewSource(file, data)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// TestModel takes every file apart and puts it together again.
func TestModel(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if got := s.c.bytes(); !bytes.Equal(got, s.Data) {
			t.Errorf("%s: came back as other bytes", s.Name)
		}
	}
}

// TestMake checks that a mutant can be made again, that it differs from its source, and that making it left the
// source alone.
func TestMake(t *testing.T) {
	t.Parallel()
	all := sources(t)
	seen := make(map[string]int)
	for i := range uint64(20 * len(kinds)) {
		m := Make(all, 7, i)
		if again := Make(all, 7, i); !bytes.Equal(m.Data, again.Data) {
			t.Fatalf("mutant %d, %s of %s: made twice, it differs", i, m.Kind, m.Source)
		}
		seen[m.Kind]++
	}
	for _, k := range Kinds() {
		if seen[k] != 20 {
			t.Errorf("%d mutants of kind %q, expected 20", seen[k], k)
		}
	}
	for _, s := range all {
		if got := s.c.bytes(); !bytes.Equal(got, s.Data) {
			t.Errorf("%s: was changed", s.Name)
		}
	}
}
