package warpspec

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/tests/tiles"
)

// TestHandedBackAttention: attention whose accumulator threads and the MMA warp hand to each other computes what the
// interpreter does, in every order, for as many iterations as it may have. Two CTAs share a tile block: each has an MMA warp,
// and both get the keys by one load.
func TestHandedBackAttention(t *testing.T) {
	t.Parallel()
	for i, a := range []struct {
		tiles.Attention
		ctas int
	}{
		{tiles.Attention{Elem: "f16", Queries: 128, Keys: 64, Depth: 64, Turns: 2, Exact: true}, 1}, {tiles.Attention{Elem: "bf16", Queries: 128, Keys: 128, Depth: 128, Turns: 3, Exact: true}, 1},
		{tiles.Attention{Elem: "f16", Queries: 64, Keys: 64, Depth: 64, Turns: 5, Exact: true}, 1}, {tiles.Attention{Elem: "bf16", Queries: 256, Keys: 64, Depth: 64, Turns: 2, Exact: true}, 1},
		{tiles.Attention{Elem: "f16", Queries: 256, Keys: 64, Depth: 64, Turns: 3, Exact: true}, 2}, {tiles.Attention{Elem: "bf16", Queries: 128, Keys: 64, Depth: 128, Turns: 2, Exact: true}, 2},
	} {
		k := a.Kernel()
		k.Text = strings.Replace(k.Text, ") {\n", fmt.Sprintf(") optimization_hints=<default = {num_cta_in_cga = %d}> {\n", a.ctas), 1)
		t.Run(fmt.Sprintf("%s, %d iterations, %d CTAs", k.Name, a.Turns, a.ctas), func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "k.mlir")
			if err := os.WriteFile(file, []byte(k.Text), 0o600); err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			if status := opttool.TileOpt().Main([]string{"--lower-to=loops-scheduled", "--gpu-name=sm_100", file}, strings.NewReader(""), &out, &errs); status != 0 {
				t.Fatalf("status %d\n%s", status, &errs)
			}
			if !strings.Contains(out.String(), `role "product"`) {
				t.Fatal("there is no MMA warp")
			}
			for seed := range 2 {
				kerneltest.DiffEngines(t, k, fmt.Sprintf("interp,tileas,ptx --gpu-name=sm_100 --adversarial --seed=%d", i+5*seed))
			}
		})
	}
}
