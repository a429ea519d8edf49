package cases

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/tier"
)

// TestSplitLayoutConversions executes cases whose layout conversions are cut into pieces as small as they get, at every
// level from the cut on. Results that bulk tensor copies take to memory are not converted.
func TestSplitLayoutConversions(t *testing.T) {
	t.Parallel()
	folder, _ := corpus.Cases(t)
	const pass = "tileas-materialize-convert-layout"
	for i, name := range []string{"batch_matmul", "fmha_full_f16", "matmul_f16_big_tile", "matmul_persistent", "mma_i8", "mma_tf32"} {
		if !tier.Try(i+1, 3) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(folder, name)
			run := func(flags ...string) string {
				var out, errs bytes.Buffer
				if status := opttool.TileOpt().Main(append(flags, "--gpu-name=sm_90", "--tensor-maps=none", filepath.Join(dir, "k.tileirbc")), strings.NewReader(""), &out, &errs); status != 0 {
					t.Fatalf("%v: status %d\n%s", flags, status, &errs)
				}
				return errs.String()
			}
			pipeline, _, _ := strings.Cut(run("--lower-to=ptx", "--dump-pass-pipeline"), "\n")
			cut := strings.Replace(pipeline, pass, pass+"{max-bytes=512}", 1)
			if cut == pipeline {
				t.Fatalf("the default pipeline has no %s: %s", pass, pipeline)
			}
			report := run("--pass-pipeline="+cut, "--verify-each=exec", "--exec-case="+dir, "--pass-statistics")
			if !regexp.MustCompile(`[1-9]\d* pieces`).MatchString(report) {
				t.Errorf("no conversion was cut:\n%s", report)
			}
		})
	}
}
