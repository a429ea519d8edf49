package passes

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/passes"
)

// TestPassesOnDumps runs passes on dumps that are not meant for them: every dump of a kernel with every pass, by name
// on the command line, as somebody does who is looking for a bug. What a pass cannot work on is refused with the
// reason; nothing panics, and what a pass leaves verifies.
func TestPassesOnDumps(t *testing.T) {
	t.Parallel()
	refused, ran := 0, 0
	for _, name := range []string{"matmul_f16", "softmax_online_bf16", "atomic_float"} {
		for i, dump := range dumpsOf(t, filepath.Join(corpus.Dir(t), "cases", name, "k.tileirbc")) {
			title, text, _ := strings.Cut(dump, "\n")
			for j, p := range passes.Default.Passes() {
				if !tier.Try(i+j, 20) {
					continue
				}
				var out, errs bytes.Buffer
				status := opttool.TileOpt().Main([]string{"--" + p.Name, "--gpu-name=sm_90", "--crash-reproducer=" + filepath.Join(t.TempDir(), "r.mlir"), "-"},
					strings.NewReader(text), &out, &errs)
				switch said := errs.String(); {
				case strings.Contains(said, "panic") || strings.Contains(said, "crashed") || strings.Contains(said, "left invalid IR"):
					t.Errorf("%s, dump %d (%s), --%s: %s", name, i, title, p.Name, said)
				case status == 0:
					ran++
				case !strings.Contains(said, "error: "):
					t.Errorf("%s, dump %d (%s), --%s: status %d without an error: %s", name, i, title, p.Name, status, said)
				default:
					refused++
				}
			}
		}
	}
	t.Logf("%d runs were refused, %d were not", refused, ran)
	if refused < tier.Count(250, 5_000) || ran < tier.Count(100, 2_000) {
		t.Errorf("%d runs were refused and %d were not, expected more of both", refused, ran)
	}
}
