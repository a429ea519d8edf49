package passes

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/internal/testing/corpus"
)

const banner = "// -----// IR Dump After "

// TestDumpsAreInput lowers kernels to PTX with a dump after every pass, and feeds each dump back: it must parse and
// verify, and all four dialects of the lowering must have been seen.
func TestDumpsAreInput(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"matmul_f16", "softmax_online_bf16", "if_yields"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dumps := dumpsOf(t, filepath.Join(corpus.Dir(t), "cases", name, "k.tileirbc"))
			seen := make(map[string]bool)
			for i, dump := range dumps {
				title, text, _ := strings.Cut(dump, "\n")
				for _, d := range []string{"entry @", "nv_tileaa.func @", "nv_tileas.func @", "nvvm.func @"} {
					if strings.Contains(text, d) {
						seen[d] = true
					}
				}
				var out, errs bytes.Buffer
				if code := opttool.TileOpt().Main([]string{"-"}, strings.NewReader(text), &out, &errs); code != 0 {
					t.Errorf("dump %d, after %s: status %d\n%s", i, title, code, &errs)
				}
			}
			if len(dumps) < 12 || len(seen) != 4 {
				t.Errorf("%d dumps show the levels %v, expected at least 12 and all four levels", len(dumps), seen)
			}
		})
	}
}

func dumpsOf(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	args := []string{"--lower-to=ptx", "--gpu-name=sm_90", "--print-after-all", "-"}
	if code := opttool.TileOpt().Main(args, bytes.NewReader(data), &out, &errs); code != 0 {
		t.Fatalf("status %d\n%s", code, &errs)
	}
	return strings.Split(errs.String(), banner)[1:]
}
