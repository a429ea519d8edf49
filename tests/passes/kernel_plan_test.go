package passes_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tilec/compiletool"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/tier"
)

func tilec(t *testing.T, status int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if got := compiletool.Main(context.Background(), "tilec", append(args, "-o", "-"), strings.NewReader(""), &out, &errs); got != status {
		t.Fatalf("%q ended with %d: %s", args, got, errs.String())
	}
	return out.String(), errs.String()
}

// TestPrintedPlanCompilesToTheSame prints the plans of kernels and compiles as they say.
func TestPrintedPlanCompilesToTheSame(t *testing.T) {
	t.Parallel()
	folder, _ := corpus.Cases(t)
	for i, name := range corpus.Representative {
		for k, gpu := range []string{"sm_80", "sm_90", "sm_100"} {
			if !tier.Try(i+k, 9) {
				continue
			}
			t.Run(name+"/"+gpu, func(t *testing.T) {
				t.Parallel()
				module := filepath.Join(folder, name, "k.tileirbc")
				plan, _ := tilec(t, 0, "--gpu-name="+gpu, "--print-plan", module)
				file := filepath.Join(t.TempDir(), "k.plan")
				if err := os.WriteFile(file, []byte(plan), 0o666); err != nil {
					t.Fatal(err)
				}
				straight, _ := tilec(t, 0, "--gpu-name="+gpu, module)
				planned, _ := tilec(t, 0, "--gpu-name="+gpu, "--plan="+file, module)
				if straight != planned {
					t.Errorf("the plan compiles to other code:\n%s", plan)
				}
			})
		}
	}
}

// TestPlanByHand compiles one kernel of a module of two by a plan, and goes on from dumps of it.
func TestPlanByHand(t *testing.T) {
	t.Parallel()
	module := filepath.Join("..", "suite", "passes", "tileaa-plan-kernel.mlir")
	write := func(text string) string {
		file := filepath.Join(t.TempDir(), "k.plan")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const gpu = "--gpu-name=sm_90"
	shared := func(ptx, kernel string) string {
		_, after, _ := strings.Cut(ptx, ".b8 "+kernel+"_shared[")
		size, _, _ := strings.Cut(after, "]")
		return size
	}
	straight, _ := tilec(t, 0, gpu, module)
	file := write("kernel @large { tileas-specialize-warps{roles=none} tileas-schedule-loops{prefetch=1} }")
	planned, _ := tilec(t, 0, gpu, "--plan="+file, module)
	if a, b := shared(straight, "large"), shared(planned, "large"); a == b || b == "" {
		t.Errorf("the plan left the kernel alone: %s bytes of shared memory, and %s before", b, a)
	}
	if a, b := shared(straight, "unchanged_small"), shared(planned, "unchanged_small"); a != b || b == "" {
		t.Errorf("the plan is for one kernel, but the other one has %s bytes of shared memory instead of %s", b, a)
	}
	all, _ := tilec(t, 0, gpu, "--plan="+write("kernel @* { tileas-specialize-warps{roles=none} tileas-schedule-loops{prefetch=1} }"), module)
	if a, b := shared(all, "large"), shared(all, "unchanged_small"); a != shared(planned, "large") || b == shared(straight, "unchanged_small") {
		t.Errorf("a plan for all kernels leaves %s and %s bytes of shared memory", a, b)
	}
	// A dump carries the plan, and flags for all kernels count less than it.
	dump := filepath.Join(t.TempDir(), "dump.mlir")
	text, _ := tilec(t, 0, gpu, "--plan="+file, "--emit=tileas", module)
	if err := os.WriteFile(dump, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if again, _ := tilec(t, 0, "--emit=ptx", dump); again != planned {
		t.Error("a dump of tileas goes on to other code")
	}
	if again, _ := tilec(t, 0, gpu, "--warp-roles=none", "--plan="+file, module); shared(again, "large") != shared(planned, "large") {
		t.Error("--warp-roles counts more than the plan")
	}
}

// TestSearchedPlan plans a kernel without wgmma, which is dearer. A search finds wgmma again.
func TestSearchedPlan(t *testing.T) {
	t.Parallel()
	folder, _ := corpus.Cases(t)
	module := filepath.Join(folder, "fmha_full_f16", "k.tileirbc")
	file := filepath.Join(t.TempDir(), "k.plan")
	compiled := func(try string) string {
		if err := os.WriteFile(file, []byte("kernel @* { tileas-assign-layouts{async=false} tileaa-plan-kernel{try="+try+"} }"), 0o666); err != nil {
			t.Fatal(err)
		}
		ptx, _ := tilec(t, 0, "--gpu-name=sm_90", "--plan="+file, module)
		return ptx
	}
	if straight, _ := tilec(t, 0, "--gpu-name=sm_90", module); compiled("choose") != straight {
		t.Error("the cheapest candidate was not taken")
	}
	if strings.Contains(compiled("price"), "wgmma.mma") {
		t.Error("a candidate was taken that was only to be priced")
	}
}

// TestWrongPlans checks that a plan that cannot be followed is refused, with the place or the kernel.
func TestWrongPlans(t *testing.T) {
	t.Parallel()
	module := filepath.Join("..", "suite", "passes", "tileaa-plan-kernel.mlir")
	for _, c := range []struct{ plan, level, want string }{
		{"kernel @third { tileas-schedule-loops }", "-O3", "the plan is for kernel 'third', which the module does not have; it has large, whole, unchanged_small"},
		{"kernel @large { tileas-schedule-loops }", "-O1", "the plan of kernel 'large' has options of 'tileas-schedule-loops', which does not run on it"},
		{"kernel @large { tileas-specialize-warps{roles=many} }", "-O3", "roles"},
		{"kernel @large { tileas-schedule-loops{scheduler=none} }", "-O3", "none"},
		{"kernel @large {\n tileas-schedule-loops{prefetch=-} }", "-O3", ":2:24: error: pass 'tileas-schedule-loops': option 'prefetch' must be an integer, but got '-'"},
	} {
		file := filepath.Join(t.TempDir(), "k.plan")
		if err := os.WriteFile(file, []byte(c.plan), 0o666); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		if status := compiletool.Main(context.Background(), "tilec", []string{"--gpu-name=sm_90", c.level, "--plan=" + file, module, "-o", "-"}, strings.NewReader(""), &out, &errs); status == 0 ||
			!strings.Contains(errs.String(), c.want) || strings.Contains(errs.String(), "panic") {
			t.Errorf("%s at %s ended with %d: %s\nwant %s", c.plan, c.level, status, errs.String(), c.want)
		}
	}
}
