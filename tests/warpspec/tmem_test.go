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

// TestProducerWarpFeedsTMEM: kernels with a role that loads, whose products sum in TMEM, compute what the
// interpreter does, as late as is legal: at nv_tileas and as PTX, on each of the targets.
func TestProducerWarpFeedsTMEM(t *testing.T) {
	t.Parallel()
	for i, k := range []tiles.Kernel{
		tiles.Product{Elem: "f16", M: 128, N: 64, K: 64, Turns: 2}.Kernel(), tiles.Product{Elem: "bf16", M: 128, N: 128, K: 32, Turns: 6}.Kernel(),
		tiles.Product{Elem: "f8E4M3FN", M: 128, N: 64, K: 64, Turns: 5}.Kernel(), tiles.Product{Elem: "f16", M: 64, N: 64, K: 32, Turns: 9}.Kernel(),
		tiles.Attention{Elem: "f16", Queries: 128, Keys: 64, Depth: 64, Turns: 4, Exact: true}.Kernel(),
	} {
		t.Run(fmt.Sprintf("%d %s", i, k.Name), func(t *testing.T) {
			t.Parallel()
			gpu := []string{"sm_100", "sm_103", "sm_107", "sm_110"}[i%4]
			if text := tensorRoles(t, k, gpu); strings.Count(text, "role \"load\" warps(1)") != 1 {
				t.Fatalf("no role loads:\n%.4000s", text)
			}
			for seed := range 2 {
				kerneltest.DiffEngines(t, k, fmt.Sprintf("interp,tileas,ptx --gpu-name=%s --warp-roles=always --adversarial --seed=%d", gpu, 3*i+seed))
			}
		})
	}
}

// tensorRoles returns a kernel with roles, as it is lowered with barriers and fences.
func tensorRoles(t *testing.T, k tiles.Kernel, gpu string, flags ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "k.mlir")
	if err := os.WriteFile(file, []byte(k.Text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if status := opttool.TileOpt().Main(append([]string{"--lower-to=synchronised", "--gpu-name=" + gpu, "--warp-roles=always", file}, flags...), strings.NewReader(""), &out, &errs); status != 0 {
		t.Fatalf("status %d\n%s", status, &errs)
	}
	return out.String()
}
