package corpus

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"
)

// A Module is a file with Tile IR: a kernel that people run, one that was reduced from such, or one of the corpus.
type Module struct {
	Name string // its path below the folder that the corpus is in
	Path string
	Data []byte
}

// Modules returns the modules of the corpus and of the folders beside it, each text once.
func Modules(t *testing.T) (out []Module) {
	t.Helper()
	beside := filepath.Dir(Dir(t))
	seen := map[[sha256.Size]byte]bool{}
	for _, pattern := range []string{
		"real/*.tileirbc", "real/cases/*/*.tileirbc", "real/defects/*.mlir", "perf/*.tileirbc", "corpus/bytecode/*.tileirbc", "corpus/cases/*/*.tileirbc",
	} {
		files, err := filepath.Glob(filepath.Join(beside, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256(data)
			if seen[sum] {
				continue
			}
			seen[sum] = true
			name, err := filepath.Rel(beside, file)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, Module{filepath.ToSlash(name), file, data})
		}
	}
	if len(out) == 0 {
		t.Errorf("there are no modules beside %s", Dir(t))
	}
	return out
}
