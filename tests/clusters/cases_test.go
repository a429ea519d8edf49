package clusters

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
)

// clusterWays are those in which cases run that ask for clusters: the tiles below the pass that deals them out, and
// code of each target that has clusters.
var clusterWays = []string{
	"--engine=ptx --gpu-name=sm_90 --clusters=exchange=0 --adversarial --seed=1",
	"--engine=ptx --gpu-name=sm_90 --adversarial --seed=1",
	"--engine=interp --level=tileaa --gpu-name=sm_90",
	"--engine=ptx --gpu-name=sm_100 --adversarial --seed=2",
	"--engine=ptx --gpu-name=sm_120 --adversarial --seed=3",
	"--engine=interp --level=tileas --gpu-name=sm_120 --adversarial --seed=4",
	"--engine=ptx --gpu-name=sm_90 -O0 --adversarial --seed=5",
	"--engine=ptx --gpu-name=sm_90 --tensor-maps=params --adversarial --seed=6",
	"--engine=ptx --gpu-name=sm_90 --tensor-maps=device --adversarial --seed=7",
	"--engine=ptx --gpu-name=sm_80",
	"--engine=interp --level=tileas --gpu-name=sm_100 --clusters=exchange=0 --adversarial --seed=8",
	"--engine=ptx --gpu-name=sm_100 --clusters=exchange=0 --adversarial --seed=9",
	"--engine=ptx --gpu-name=sm_90 --clusters=exchange=0 -O0 --adversarial --seed=10",
}

// clusterWaysOutsideSlice are for all other cases: CTAs tell each other whatever lets them share a tile block, which
// in few cases is worth it.
const clusterWaysOutsideSlice = 1

// exchanging are cases in which CTAs tell each other something.
var exchanging = []string{"atomic_float", "early_exit", "grid_dependency", "if_yields", "layer_norm_bwd_dx", "layer_norm_fwd", "matmul_split_k", "mem_order", "reduce_full_f64", "reduce_xor_i64", "rms_norm", "rms_norm_gather", "scan_f32", "softmax_online_bf16", "softmax_rows_f16", "strided_view_maxpool", "ticket_last_block"}

// TestClusterCases runs the corpus cases with hints for clusters of two and four CTAs: whether such a hint is
// followed or not, the results are the same.
func TestClusterCases(t *testing.T) {
	t.Parallel()
	folder, names := corpus.Cases(t)
	for i, name := range names {
		if !tier.Try(i, 18) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for k, ctas := range []int64{2, 4} {
				ways := clusterWays
				switch {
				case slices.Contains(exchanging, name):
				case !slices.Contains(corpus.Representative, name) && i%2 != k:
					continue
				case !slices.Contains(corpus.Representative, name):
					ways = ways[:clusterWaysOutsideSlice]
				case k > 0:
					ways = ways[:5]
				}
				dir := hinted(t, filepath.Join(folder, name), ctas)
				for _, way := range ways {
					runHinted(t, dir, name, way)
				}
			}
		})
	}
}

// runHinted is runCase for cases about which the compiler has something to say.
func runHinted(t *testing.T, dir, name, way string) {
	t.Helper()
	var out, errs bytes.Buffer
	if status := runtool.Main(context.Background(), append(strings.Fields(way), dir), strings.NewReader(""), &out, &errs); status != 0 || !strings.Contains(out.String(), "]): ok") {
		t.Errorf("%s: status %d\n%s%s", way, status, &out, &errs)
	}
}

// hinted returns a copy of a case whose kernels have a hint for clusters.
func hinted(t *testing.T, dir string, ctas int64) string {
	t.Helper()
	to := t.TempDir()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(e.Name(), ".tileirbc") {
			data = withClusters(t, data, ctas)
		}
		if err := os.WriteFile(filepath.Join(to, e.Name()), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// withClusters gives all kernels of a module a hint for clusters.
func withClusters(t *testing.T, data []byte, ctas int64) []byte {
	t.Helper()
	ctx := tileir.NewContext()
	module, err := tileir.Read(ctx, "k.tileirbc", data)
	if err != nil {
		t.Fatal(err)
	}
	module.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(cudatile.Entry) {
			hint := ctx.Dict(ir.NamedAttr{Name: "num_cta_in_cga", Value: ctx.IntAttr(ctx.Int(32), ctas)})
			op.SetAttr("optimization_hints", cudatile.Hints(ctx, ctx.Dict(ir.NamedAttr{Name: cudatile.DefaultHints, Value: hint})))
			return ir.SkipBelow
		}
		return ir.Advance
	})
	out, err := bytecode.Encode(module.Body().First(), bytecode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// clusteredCase returns a numeric case whose tile blocks so many CTAs share.
func clusteredCase(t *testing.T, folder, name string, ctas int64) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, name, "k.tileirbc"))
	if err != nil {
		t.Fatal(err)
	}
	return withClusters(t, data, ctas)
}

// TestClusterPtxas assembles the cases of the slice for clusters of two CTAs, for every target that has them, and
// looks at how cubins say it: as those of tileiras do, of which the grid counts tile blocks.
func TestClusterPtxas(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	folder, _ := corpus.Cases(t)
	for i, name := range corpus.Representative {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := clusteredCase(t, folder, name, 2)
			for k, arch := range sm.All() {
				if arch.Has(sm.Clusters) && tier.Try(i+k, 18) {
					kerneltest.Assemble(t, tool, arch.Name, data)
				}
			}
		})
	}
}

// TestExchangePtxas assembles cases in which CTAs tell each other something.
func TestExchangePtxas(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	folder, _ := corpus.Cases(t)
	for i, name := range exchanging {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := clusteredCase(t, folder, name, 4)
			exchanges := compile.Options{PassOptions: map[string]string{"tileaa-partition-cluster": "exchange=0"}}
			for k, arch := range sm.All() {
				if arch.Has(sm.Clusters) && k%2 == i%2 && tier.Try(k/2+i, 6) {
					kerneltest.AssembleWith(t, tool, arch.Name, data, exchanges)
				}
			}
		})
	}
}
