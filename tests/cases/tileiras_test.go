package cases

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/cubin"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// tileirasEvery returns n for TestTileirasAgrees to take every n-th case: tileiras compiles for seconds, each.
func tileirasEvery() int {
	switch {
	case tier.Exhaustive():
		return 1
	case tier.All():
		return 4
	}
	return 32
}

// tileirasTargets are those for which NVIDIA's compiler is asked for code. From sm_90 on, kernels with
// tensor maps do not run: only its driver fills those.
func tileirasTargets() []string {
	if tier.Exhaustive() {
		return tier.Generations
	}
	return []string{"sm_80"}
}

// tileirasRefuses are what its compiler has no code for.
var tileirasRefuses = map[string]string{
	"cast_e4m3_f32": "sm_80", "cast_e5m2_f16": "sm_80", "cast_many": "sm_80", "mma_e4m3": "sm_80", "mma_e5m2": "sm_80", "block_scaled_matmul_mxf8": "sm_80 sm_90",
	"own_quant_sat_f8": "sm_80", "unsloth_fp8_weight_dequant_kernel_ct": "sm_80", "unsloth_w8a8_block_fp8_matmul_kernel_ct_tma": "sm_80",
	"chunk_gated_delta_rule_intra_chunk_prepare_kernel": "sm_80 sm_90 sm_120",
}

// tileirasReports are the kinds of what the check of synchronization finds in its code.
// docs/measurements/synchronization.md says what they are. On sm_100 the launch ends there.
var tileirasReports = map[string][]emu.SyncKind{
	"unsloth_grouped_gemm_dX_kernel_ct/sm_90":  {"proxy", "register"},
	"unsloth_grouped_gemm_dX_kernel_ct/sm_100": {"proxy", "tensor-fence", "register"},
}

// storesUnspecified are cases that store what they compute of elements outside a tensor. The adversarial emulator makes
// up what code leaves in registers there.
var storesUnspecified = map[string]bool{"attention_fmha_fwd_kernel_with_lse": true}

// tileirasRight is of how many cases the code gives what is expected: docs/STATUS.md has the numbers. The others are
// refused, launch what they should not (on sm_80 that is one), have reports, or take what only its driver makes.
var tileirasRight = map[string]int64{"sm_80": 185, "sm_90": 139, "sm_100": 139, "sm_120": 140}

// TestTileirasAgrees runs the code that NVIDIA's own compiler makes of the numeric cases, which it leaves in cubins
// with line information. It is the independent judge of the emulator and of the expectations: neither this compiler
// nor its authors' reading of the PTX ISA has a part in that code.
func TestTileirasAgrees(t *testing.T) {
	t.Parallel()
	compiler := judges.Tool(t, "tileiras")
	dirs := caseFolders(t)
	for _, gpu := range tileirasTargets() {
		t.Run(gpu, func(t *testing.T) {
			t.Parallel()
			var right atomic.Int64
			t.Run("cases", func(t *testing.T) {
				for i, dir := range dirs {
					if i%tileirasEvery() != 0 {
						continue
					}
					name := filepath.Base(dir)
					t.Run(name, func(t *testing.T) {
						t.Parallel()
						c, err := launch.LoadCase(dir)
						if err != nil {
							t.Fatal(err)
						}
						file := filepath.Join(t.TempDir(), "k.cubin")
						text, err := exec.CommandContext(t.Context(), compiler, "--gpu-name", gpu, "--lineinfo", filepath.Join(dir, c.Module), "-o", file).CombinedOutput()
						if refused := strings.Contains(tileirasRefuses[name], gpu); err != nil || refused {
							if !refused || err == nil {
								t.Errorf("refused: %v, and the list says %v\n%s", err, refused, text)
							}
							return
						}
						if runTileiras(t, c, file, gpu, false) && (storesUnspecified[name] || runTileiras(t, c, file, gpu, true)) {
							right.Add(1)
						}
					})
				}
			})
			if n := right.Load(); tier.Exhaustive() && n != tileirasRight[gpu] || n == 0 {
				t.Errorf("the code of %d cases gives what is expected, want that of %d", n, tileirasRight[gpu])
			}
		})
	}
}

// runTileiras executes the PTX in a cubin, and reports whether it gives what is expected. What the emulator cannot
// run is no failure here: TestTileirasAgrees counts what it runs.
func runTileiras(t *testing.T, c *launch.Case, file, gpu string, adversarial bool) bool {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ptx, err := cubin.PTX(data)
	if err != nil {
		t.Fatal(err)
	}
	e, err := emulate.New("tileiras.ptx", ptx)
	if err != nil {
		if strings.Contains(err.Error(), "'%perctamemoryoffset' is not declared") { // memory that its driver gives to thread blocks; no document says how
			return false
		}
		t.Fatal(err)
	}
	e.AllowUninitialized, e.TileBlocks, e.Adversarial, e.Seed = true, true, adversarial, 1
	if !adversarial {
		e.Sync = new(emu.SyncReport)
	}
	req := c.Request()
	err = e.Run(context.Background(), req)
	switch reports := tileirasReports[c.Name+"/"+gpu]; {
	case e.Sync != nil && judgeReports(t, reports, e.Sync), reports != nil:
		return false
	}
	switch {
	case err != nil && strings.Contains(err.Error(), "has the hidden parameter"):
		return false
	case c.Name == "saxpy_static_shape":
		// It launches a tile block beyond the index space of its views, where its code, unlike ours, accesses memory.
		if err == nil || !strings.Contains(err.Error(), "out of bounds") {
			t.Errorf("error is %v, want one of an access that is out of bounds", err)
		}
		return false
	case err != nil:
		t.Fatal(err)
	}
	report, err := launch.Check(c.Name, req, c.Expect)
	if err != nil {
		t.Fatal(err)
	}
	if !report.OK() {
		var sb strings.Builder
		if err := report.WriteText(&sb); err != nil {
			t.Fatal(err)
		}
		t.Errorf("adversarial %v:\n%s", adversarial, &sb)
	}
	return report.OK()
}

// judgeReports compares what the check of synchronization finds in tileiras's code with the kinds of what is known. It
// says whether it found anything.
func judgeReports(t *testing.T, known []emu.SyncKind, r *emu.SyncReport) bool {
	t.Helper()
	var kinds []emu.SyncKind
	for i := range r.Findings {
		f := &r.Findings[i]
		if !slices.Contains(kinds, f.Kind) {
			kinds = append(kinds, f.Kind)
		}
		if !slices.Contains(known, f.Kind) {
			t.Errorf("%s (%d times)", f, f.Count)
		}
	}
	if len(kinds) != len(known) {
		t.Errorf("the kinds of findings are %q, but %q are known", kinds, known)
	}
	for _, s := range r.Unchecked {
		t.Errorf("not checked: %s", s)
	}
	return len(r.Findings) > 0
}
