package pipelining

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/tier"
)

// TestSerialSchedulerWithAsyncMMA: the scheduler that is the example of a plugin takes loops of which products are under way, too;
// each pass leaves what the case says.
func TestSerialSchedulerWithAsyncMMA(t *testing.T) {
	t.Parallel()
	for i, way := range []string{"matmul_bf16 sm_90", "matmul_bf16 sm_100", "mma_e4m3 sm_100", "mma_e5m2 sm_90"} {
		if !tier.Try(i+1, 2) {
			continue
		}
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			name, gpu, _ := strings.Cut(way, " ")
			dir := filepath.Join(corpus.Dir(t), "cases", name)
			var out, errs bytes.Buffer
			args := []string{"--lower-to=ptx", "--gpu-name=" + gpu, "--tensor-maps=params", "--schedule=serial", "--verify-each=exec", "--exec-case=" + dir, filepath.Join(dir, "k.tileirbc")}
			if status := opttool.TileOpt().Main(args, strings.NewReader(""), &out, &errs); status != 0 {
				t.Errorf("status %d\n%s", status, &errs)
			}
		})
	}
}
