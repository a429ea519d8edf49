package dropin

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/tests/programs"
)

// TestDelegate compiles with tileiras beside, as the environment asks for: no difference in what can be compared, a
// report in the dump, and a warning when one of the two cannot do it.
func TestDelegate(t *testing.T) {
	reference, assembler := judges.Tool(t, program), judges.Ptxas(t)
	bin, dir, in := programs.Install(t), filepath.Join(t.TempDir(), "dumps"), t.TempDir()
	inputs(t, in)
	t.Setenv("TILEWRIGHT_DELEGATE", reference)
	t.Setenv("TILEWRIGHT_DUMP_DIR", dir)
	t.Setenv(ptxas.EnvVar, assembler)
	ours := filepath.Join(bin, program)
	for _, args := range []string{"k.tileirbc --gpu-name sm_90 -o k.cubin", "--gpu-name sm_90 -o k.cubin -- k.tileirbc"} {
		if got := end(t, ours, args, in, assembler); got.Status != 0 || got.Errors != nil {
			t.Errorf("%+v", got)
		}
	}
	for _, folder := range []string{"k.1", "k.2"} {
		entries, err := os.ReadDir(filepath.Join(dir, folder))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		if want := []string{"command.txt", "cuda_tile.mlir", "delegate.txt", "errors.txt", "input.tileirbc", "kernel.cubin", "kernel.ptx", "nvvm.mlir", "tileaa.mlir", "tileas.mlir"}; !slices.Equal(names, want) {
			t.Errorf("the dump has %v, want %v", names, want)
		}
	}
	report, err := os.ReadFile(filepath.Join(dir, "k.1", "delegate.txt"))
	if err != nil || !strings.HasPrefix(string(report), "matmul_f16: threads [") {
		t.Errorf("the report is %q, %v", report, err)
	}
	got := end(t, ours, "k.tileirbc --gpu-name sm_90 -o k.cubin", in, "/nonexistent/ptxas")
	if got.Status != 5 || !strings.Contains(strings.Join(got.Errors, "\n"), "warning: TILEWRIGHT_DELEGATE: ") {
		t.Errorf("%+v", got)
	}
	t.Setenv("TILEWRIGHT_DELEGATE", "/nonexistent/tileiras")
	got = end(t, ours, "k.tileirbc --gpu-name sm_90 -o k.cubin", in, assembler)
	if got.Status != 0 || !strings.Contains(strings.Join(got.Errors, "\n"), "warning: TILEWRIGHT_DELEGATE: cannot run '/nonexistent/tileiras'") {
		t.Errorf("%+v", got)
	}
}

// TestDelegateOfBatch leaves a dump and a report for each compilation of a batch.
func TestDelegateOfBatch(t *testing.T) {
	reference, assembler := judges.Tool(t, program), judges.Ptxas(t)
	ours, dir, in := filepath.Join(programs.Install(t), "tilec"), filepath.Join(t.TempDir(), "dumps"), t.TempDir()
	inputs(t, in)
	t.Setenv("TILEWRIGHT_DELEGATE", reference)
	t.Setenv("TILEWRIGHT_DUMP_DIR", dir)
	t.Setenv("TILEWRIGHT_FLAGS", "-O2")
	if got := end(t, ours, "--output-dir=. --emit=cubin --gpu-name=sm_80,sm_90 -j 2 k.tileirbc", in, assembler); got.Status != 0 || got.Errors != nil {
		t.Errorf("%+v", got)
	}
	seen := make(map[string]bool)
	for _, folder := range []string{"k.1", "k.2"} {
		command, err := os.ReadFile(filepath.Join(dir, folder, "command.txt"))
		if err != nil {
			t.Fatal(err)
		}
		line, _, _ := strings.Cut(string(command), "\n")
		seen[line] = true
		if report, err := os.ReadFile(filepath.Join(dir, folder, "delegate.txt")); err != nil || !strings.HasPrefix(string(report), "matmul_f16: threads [") {
			t.Errorf("the report is %q, %v", report, err)
		}
	}
	for _, gpu := range []string{"sm_80", "sm_90"} {
		if want := `["--gpu-name=` + gpu + `" "--opt-level=2" "--" "k.tileirbc"]`; !seen[want] {
			t.Errorf("no %s among %v", want, seen)
		}
	}
}

// TestFlagsOfEnvironment adds flags where the front end owns the command line, and asks for what there is not yet.
func TestFlagsOfEnvironment(t *testing.T) {
	ours, in := filepath.Join(programs.Install(t), program), t.TempDir()
	inputs(t, in)
	version := func() string {
		t.Helper()
		got := end(t, ours, "--version >out.txt; cat out.txt >&2", in, "/nonexistent")
		return strings.Join(got.Errors, "\n")
	}
	plain := version()
	t.Setenv("TILEWRIGHT_FLAGS", "--emit=ptx '-O0'")
	if version() == plain {
		t.Error("the version, which is the key of caches, does not tell the flags")
	}
	if got := end(t, ours, "k.tileirbc --gpu-name sm_90 -O3 -o k.cubin && head -c 8 k.cubin >&2", in, "/nonexistent"); strings.Join(got.Errors, "") != ".version" {
		t.Errorf("%+v", got)
	}
	t.Setenv("TILEWRIGHT_FLAGS", "'--emit=ptx")
	if got := end(t, ours, "k.tileirbc --gpu-name sm_90 -o k.cubin", in, "/nonexistent"); got.Status != 5 || !strings.Contains(strings.Join(got.Errors, ""), "TILEWRIGHT_FLAGS: a quotation has no end") {
		t.Errorf("%+v", got)
	}
	t.Setenv("TILEWRIGHT_FLAGS", "")
	// A report of each compilation, in a folder that is made, and no failed build for one that cannot be written.
	t.Setenv("TILEWRIGHT_FLAGS", "--emit=ptx")
	t.Setenv("TILEWRIGHT_REPORT", filepath.Join(in, "reports"))
	for range 2 {
		if got := end(t, ours, "k.tileirbc --gpu-name sm_90 -o k.cubin", in, "/nonexistent"); got.Status != 0 || len(got.Errors) > 0 {
			t.Errorf("%+v", got)
		}
	}
	for _, name := range []string{"k.1.html", "k.2.html"} {
		if data, err := os.ReadFile(filepath.Join(in, "reports", name)); err != nil || !strings.HasPrefix(string(data), "<!doctype html>") {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Setenv("TILEWRIGHT_REPORT", filepath.Join(in, "k.tileirbc", "x.html"))
	if got := end(t, ours, "k.tileirbc --gpu-name sm_90 -o k.cubin", in, "/nonexistent"); got.Status != 0 || !strings.Contains(strings.Join(got.Errors, ""), "warning: TILEWRIGHT_REPORT: ") {
		t.Errorf("%+v", got)
	}
}
