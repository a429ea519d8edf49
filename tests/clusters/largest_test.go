package clusters

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// largestCases are cases whose tiles 16 CTAs can share: MMAs, copies, exchanges and atomics.
var largestCases = []string{"matmul_f16", "matmul_f16_big_tile", "layer_norm_fwd", "softmax_rows_f16", "transpose_f32", "vadd2d_f16", "matmul_split_k", "scan_f32"}

// TestLargestClusters runs cases in clusters of 16 CTAs, which are more than are portable.
func TestLargestClusters(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(corpus.Dir(t), "cases")
	for i, name := range largestCases {
		if !tier.Try(i, 9) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := hinted(t, filepath.Join(folder, name), 16)
			for _, way := range []string{
				"--engine=ptx --gpu-name=sm_90 --clusters=exchange=0 --adversarial --seed=1",
				"--engine=ptx --gpu-name=sm_100 --clusters=exchange=0 --adversarial --seed=2",
				"--engine=interp --level=tileas --gpu-name=sm_90 --clusters=exchange=0",
			} {
				runHinted(t, dir, name, way)
			}
		})
	}
	module, err := tileir.Read(tileir.NewContext(), "k.tileirbc", clusteredCase(t, folder, "matmul_f16_big_tile", 16))
	if err != nil {
		t.Fatal(err)
	}
	result, err := compile.To(t.Context(), module, compile.Options{GPU: "sm_90"})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(result.PTX), ".reqnctapercluster 16, 1, 1") {
		t.Error("no cluster of 16 CTAs")
	}
}
