package dropin

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/cubin"
	"github.com/tilewright/tilewright/tests/programs"
)

// clustered is a kernel whose tile blocks several CTAs can share.
const clustered = `cuda_tile.module @m {
  entry @k(%%p: tile<ptr<f32>>) optimization_hints=<default = {num_cta_in_cga = %d}> {
    %%v = make_tensor_view %%p, shape = [256, 256], strides = [256, 1] : tensor_view<256x256xf32, strides=[256,1]>
    %%w = make_partition_view %%v : partition_view<tile=(64x64), tensor_view<256x256xf32, strides=[256,1]>>
    %%x, %%y, %%z = get_tile_block_id : tile<i32>
    %%t, %%a = load_view_tko weak %%w[%%x, %%y] : partition_view<tile=(64x64), tensor_view<256x256xf32, strides=[256,1]>>, tile<i32> -> tile<64x64xf32>, token
    %%s = addf %%t, %%t : tile<64x64xf32>
    %%b = store_view_tko weak %%s, %%w[%%x, %%y] token = %%a : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<256x256xf32, strides=[256,1]>>, tile<i32> -> token
    return
  }
}
`

// shape is what a cubin says of the launch of a kernel.
type shape struct {
	Language, Warps   int
	Cluster           [3]int
	BlocksAreClusters bool
}

// TestClusters compares what cubins of kernels with hints for clusters say of the launch with what those of tileiras
// do: a client launches both alike, with a grid of tile blocks.
func TestClusters(t *testing.T) {
	t.Parallel()
	reference, assembler := judges.Tool(t, program), judges.Ptxas(t)
	ours := filepath.Join(programs.Install(t), program)
	for i, gpu := range []string{"sm_90", "sm_100", "sm_120"} {
		for k, ctas := range []int{1, 2, 4, 8} {
			if !tier.Try(i+k, 3) {
				continue
			}
			t.Run(fmt.Sprintf("%s %d", gpu, ctas), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				in := filepath.Join(dir, "k.tileirbc")
				if err := os.WriteFile(in, encode(t, fmt.Sprintf(clustered, ctas)), 0o600); err != nil {
					t.Fatal(err)
				}
				want, got := launched(t, reference, in, gpu, assembler), launched(t, ours, in, gpu, assembler)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("-tileiras +tilec:\n%s", diff)
				}
				if (ctas > 1) != want.BlocksAreClusters || ctas > 1 && want.Cluster != [3]int{ctas, 1, 1} {
					t.Errorf("the reference has %+v", want)
				}
			})
		}
	}
}

// launched compiles a module of one kernel with one of the programs and returns what the cubin says.
func launched(t *testing.T, program, in, gpu, assembler string) shape {
	t.Helper()
	out := filepath.Join(t.TempDir(), "k.cubin")
	cmd := exec.Command(program, "--gpu-name="+gpu, in, "-o", out)
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(assembler)+string(os.PathListSeparator)+os.Getenv("PATH"))
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, text)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	kernels, err := cubin.Read(data)
	if err != nil || len(kernels) != 1 {
		t.Fatalf("%d kernels: %v", len(kernels), err)
	}
	k := kernels[0]
	return shape{k.Language, k.Block[0] / 32, k.Cluster, k.BlocksAreClusters}
}
