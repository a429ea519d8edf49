package cases

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/pipeline/check/fuzz"
)

// exactCases are those of the short tier: attention, norms, products of several types, and sums of CTAs.
var exactCases = []string{"fmha_causal_f16_gqa", "layer_norm_bwd_dx", "mma_e4m3", "rms_norm", "softmax_online_bf16"}

// TestExact: on small integers, PTX of the targets leaves what the interpreter leaves, bit for bit.
func TestExact(t *testing.T) {
	t.Parallel()
	for i, dir := range caseFolders(t) {
		gpus := "--gpu-name=sm_90"
		if tier.All() {
			gpus = "--gpu-name=" + strings.Join(tier.Sample(i), ",")
		}
		if !tier.All() && !slices.Contains(exactCases, filepath.Base(dir)) {
			continue
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			var out, errs bytes.Buffer
			status := runtool.Main(context.Background(), []string{"--exact", gpus, dir}, strings.NewReader(""), &out, &errs)
			if status != 0 || !strings.Contains(out.String(), "ptx against interp") {
				t.Errorf("status %d\n%s%s", status, &out, &errs)
			}
		})
	}
}

// TestVerifyEachExact executes exact cases after every pass of the default pipeline.
func TestVerifyEachExact(t *testing.T) {
	t.Parallel()
	folder, _ := corpus.Cases(t)
	for i, name := range exactCases {
		if !tier.Try(i, len(exactCases)) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(folder, name)
			var out, errs bytes.Buffer
			status := opttool.TileOpt().Main([]string{"--lower-to=ptx", "--gpu-name=sm_90", "--verify-each=exec", "--exact", "--exec-case=" + dir,
				filepath.Join(dir, "k.tileirbc")}, strings.NewReader(""), &out, &errs)
			if status != 0 || slices.ContainsFunc(strings.Split(strings.TrimSpace(errs.String()), "\n"), func(line string) bool { return line != "" && !kerneltest.IgnoredHint(line) }) {
				t.Errorf("status %d\n%s", status, &errs)
			}
		})
	}
}

// TestExactKernels runs exact random kernels.
func TestExactKernels(t *testing.T) {
	t.Parallel()
	const parts = 4
	each := uint64(tier.Count(4, 128))
	for part := range uint64(parts) {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			for i := range each {
				seed := 5000 + part*each + i
				opts := fuzz.ForSeed(seed, fuzz.Options{OptLevel: -1, Exact: true, Adversarial: seed%2 == 1, Seed: seed, Loops: seed%4 == 3})
				k, err := fuzz.Generate(seed, opts)
				if err != nil {
					t.Fatal(err)
				}
				if f, err := fuzz.Check(t.Context(), k, opts); err != nil {
					t.Fatal(err)
				} else if f != nil {
					t.Errorf("seed %d, %s -O%d: %s %s: %s", seed, opts.GPU, opts.OptLevel, f.Engine, f.Kind, f.Message)
				}
			}
		})
	}
}
