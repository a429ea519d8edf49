package nvvmtoptx_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tilewright/tilewright/tests/ptxprobe"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden emits every testdata file; its first line names the architecture, as in "// sm_80".
func TestGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			gpu, _, _ := strings.Cut(strings.TrimPrefix(string(src), "// "), "\n")
			m, got := ptxprobe.Emit(t, ptxprobe.Parse(t, string(src)), gpu)
			golden := strings.TrimSuffix(file, ".mlir") + ".ptx"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			ptxprobe.Assemble(t, m, got)
		})
	}
}
