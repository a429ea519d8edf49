package arch

import (
	"slices"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
)

// TestStatic: only programs that run kernels on a GPU reach the loader of its driver, with which a program is linked
// dynamically. The system's loader then takes longer than tilec's own start.
func TestStatic(t *testing.T) {
	t.Parallel()
	imports, err := readImports(corpus.Root())
	if err != nil {
		t.Fatal(err)
	}
	const loader = "target/engine/cuda"
	reaches := func(from string) bool {
		seen := []string{from}
		for i := 0; i < len(seen); i++ {
			for _, to := range imports[seen[i]] {
				if !slices.Contains(seen, to) {
					seen = append(seen, to)
				}
			}
		}
		return slices.Contains(seen, loader)
	}
	for _, main := range mains {
		if gpu := []string{"cmd/tile", "cmd/tile-run", "cmd/tile-tools"}; reaches(main) != slices.Contains(gpu, main) {
			t.Errorf("%s reaches %s: %v", main, loader, reaches(main))
		}
	}
}
