package cases

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// syncTargets have the ways to synchronise: groups of copies, mbarriers and wgmma, tcgen05, and TMA without either.
var syncTargets = []string{"sm_80", "sm_90", "sm_100", "sm_120"}

// syncShort are the cases of the short tier: products, attention, reductions, atomics.
var syncShort = []string{"matmul_f16", "fmha_causal_f16_gqa", "softmax_rows_f16", "transpose_f16", "atomics_int"}

// TestSync runs cases with the check of synchronisation, which must find nothing in what the compiler makes.
func TestSync(t *testing.T) {
	t.Parallel()
	folder, names := corpus.Cases(t)
	folders := []string{folder}
	if tier.All() {
		folders = append(folders, filepath.Join(filepath.Dir(corpus.Dir(t)), "real", "cases"))
	}
	for _, folder := range folders {
		if folder != folders[0] {
			names = nil
			entries, err := os.ReadDir(folder)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				names = append(names, e.Name())
			}
		}
		for _, name := range names {
			if !tier.All() && !slices.Contains(syncShort, name) {
				continue
			}
			for _, gpu := range syncTargets {
				t.Run(name+"/"+gpu, func(t *testing.T) {
					t.Parallel()
					checkSync(t, filepath.Join(folder, name), gpu)
				})
			}
		}
	}
}

func checkSync(t *testing.T, dir, gpu string) {
	c, err := launch.LoadCase(dir)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, c.Module))
	if err != nil {
		t.Fatal(err)
	}
	module, err := tileir.Read(tileir.NewContext(), c.Module, data)
	if err != nil {
		t.Fatal(err)
	}
	result, err := compile.To(t.Context(), module, compile.Options{GPU: gpu, OptLevel: 3, LineInfo: true, Fallback: true})
	if err != nil {
		t.Fatal(err)
	}
	if dump := os.Getenv("TILEWRIGHT_SYNC_DUMP"); dump != "" {
		name := strings.ReplaceAll(t.Name(), "/", "_") + ".ptx"
		if err := os.WriteFile(filepath.Join(dump, name), result.PTX, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	e, err := emulate.New(c.Module, result.PTX)
	if err != nil {
		t.Fatal(err)
	}
	req := c.Request()
	if k := result.Kernel(req.Entry); k != nil {
		e.DynamicShared, e.TensorMaps = uint32(k.DynamicShared), k.TensorMaps
		for i := range min(len(k.Block), len(e.Block)) {
			e.Block[i] = uint32(k.Block[i])
		}
	}
	e.Sync = new(emu.SyncReport)
	if err := e.Run(context.Background(), req); err != nil {
		t.Error(err)
	}
	for i := range e.Sync.Findings {
		f := &e.Sync.Findings[i]
		t.Errorf("%s (%d times)", f, f.Count)
	}
	for _, s := range e.Sync.Unchecked {
		t.Errorf("not checked: %s", s)
	}
	t.Log(cmp.Or(e.Sync.Schedule(), "no launch"))
}
