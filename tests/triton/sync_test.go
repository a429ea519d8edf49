package triton

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/tests/triton/kernels"
)

// races are kernels of which Triton's code has races. In spin_lock all threads load a word that one of them stores
// next, with no barrier in between. For sm_90, both groups of consumers of matmul_warp_specialized compute the same
// tile, and each stores it.
var races = map[string]bool{"spin_lock": true, "sm_90/matmul_warp_specialized": true}

// TestSync runs every case with the check of synchronization, which must find nothing. The short tier has one target.
func TestSync(t *testing.T) {
	t.Parallel()
	for target, dir := range kernels.Builds(t) {
		if target != "sm_90" && !tier.All() {
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			t.Run(target+"/"+e.Name(), func(t *testing.T) {
				t.Parallel()
				c, err := kernels.Load(filepath.Join(dir, e.Name()))
				if err != nil {
					t.Fatal(err)
				}
				report := &emu.SyncReport{Accept: kernels.Unfenced}
				if _, err := c.Launch(t.Context(), c.Module, emu.Launch{Sync: report}); err != nil {
					t.Error(err)
				}
				name, _, _ := strings.Cut(e.Name(), ".")
				known := races[name] || races[target+"/"+name]
				if known && len(report.Findings) == 0 {
					t.Error("the races that are known of are not found")
				}
				for i := 0; i < len(report.Findings) && !known; i++ {
					t.Errorf("%s (%d times)", &report.Findings[i], report.Findings[i].Count)
				}
				for _, s := range report.Unchecked {
					t.Errorf("not checked: %s", s)
				}
				t.Log(report.Schedule())
			})
		}
	}
}
