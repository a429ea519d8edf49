package tests

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/target/engine/npy"
	"github.com/tilewright/tilewright/tests/tiles"
)

// TestRolesOfTensorMemory: kernels with a role that loads, whose products sum in tensor memory, compute what the interpreter does, as late as is legal: at nv_tileas and as PTX, on each of the targets.
func TestRolesOfTensorMemory(t *testing.T) {
	t.Parallel()
	for i, k := range []tiles.Kernel{
		tiles.Product{Elem: "f16", M: 128, N: 64, K: 64, Turns: 1}.Kernel(), tiles.Product{Elem: "bf16", M: 128, N: 128, K: 32, Turns: 6}.Kernel(),
		tiles.Product{Elem: "f8E4M3FN", M: 128, N: 64, K: 64, Turns: 5}.Kernel(), tiles.Product{Elem: "f16", M: 64, N: 64, K: 32, Turns: 9}.Kernel(),
		tiles.Attention{Elem: "f16", Queries: 128, Keys: 64, Depth: 64, Turns: 4, Exact: true}.Kernel(),
	} {
		t.Run(fmt.Sprintf("%d %s", i, k.Name), func(t *testing.T) {
			t.Parallel()
			gpu := []string{"sm_100", "sm_103", "sm_107", "sm_110"}[i%4]
			if text := tensorRoles(t, k, gpu); strings.Count(text, "role \"load\" warps(1)") != 1 {
				t.Fatalf("no role loads:\n%s", firstLines(text, 40))
			}
			for seed := range 2 {
				runsAlike(t, k, fmt.Sprintf("interp,tileas,ptx --gpu-name=%s --warp-roles=always --adversarial --seed=%d", gpu, 3*i+seed))
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

// TestRolesOfTensorMemoryPlants: mistakes in how a role that loads and one whose products sum in tensor memory meet are found, by the interpreter or by the check of properties.
func TestRolesOfTensorMemoryPlants(t *testing.T) {
	t.Parallel()
	k := tiles.Product{Elem: "f16", M: 128, N: 64, K: 64, Turns: 9}.Kernel()
	text := tensorRoles(t, k, "sm_100", "--before=tileas-specialize-warps:tileas-specialize-warps{roles=always together=true}") // TestProductRole has those of a warp that starts products
	compute, load, ok := strings.Cut(text, "role \"load\"")
	if !ok {
		t.Fatal("there is no role that loads")
	}
	drop := func(part, op string) string { // the first line with it that is not in front of the roles
		front, roles, ok := strings.Cut(part, "warp_specialize")
		if !ok {
			front, roles = "", part
		} else {
			front += "warp_specialize"
		}
		lines := strings.SplitAfter(roles, "\n")
		for i, l := range lines {
			if strings.Contains(l, "nv_tileas."+op+" ") {
				lines[i] = "\n"
				return front + strings.Join(lines, "")
			}
		}
		t.Fatalf("there is no '%s' in\n%s", op, part)
		return ""
	}
	whole := func(compute, load string) string { return compute + "role \"load\"" + load }
	dir := t.TempDir()
	args := []string{"--engine=interp", "--entry=k", "--grid=1,1,1", "--timeout=60s", "--adversarial"}
	for i, b := range k.Buffers {
		path := filepath.Join(dir, fmt.Sprintf("%d.npy", i))
		a := numbers(b, uint64(i))
		if err := npy.WriteFile(path, &a); err != nil {
			t.Fatal(err)
		}
		args = append(args, fmt.Sprintf("--arg=%s:%s", b.Elem, path))
	}
	for name, damaged := range map[string]string{
		"":                                  text,
		"nobody frees a slot":               whole(drop(compute, "mbarrier_arrive"), load),
		"the others do not wait for a copy": whole(drop(compute, "mbarrier_wait"), load),
		"the loader does not wait":          whole(compute, drop(load, "mbarrier_wait")),
		"no bytes are announced":            whole(compute, drop(load, "mbarrier_expect")),
		"a slot is freed under a product":   whole(drop(compute, "tensor_wait"), load),
		"one copy is left out":              whole(compute, drop(load, "tma_load")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "k.mlir")
			if err := os.WriteFile(file, []byte(damaged), 0o600); err != nil {
				t.Fatal(err)
			}
			found := false
			for seed := range 4 {
				var out, errs bytes.Buffer
				status := runtool.Main(t.Context(), append(args, fmt.Sprintf("--seed=%d", seed), file), strings.NewReader(""), &out, &errs)
				found = found || status != 0
				if name == "" && status != 0 {
					t.Errorf("seed %d: status %d\n%s", seed, status, &errs)
				}
			}
			if name != "" && !found {
				t.Error("nobody noticed")
			}
		})
	}
}
