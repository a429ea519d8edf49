package dropin

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/tests/programs"
)

const reported = `cuda_tile.module @kernels {
  entry @double(%p: tile<ptr<f32>>) {
    %x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    %y = addf %x, %x rounding<nearest_even> : tile<f32>
    %u = store_ptr_tko weak %p, %y token = %t : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
`

// TestReports asks each tool for a report: it is there, the output is what it is without one, and a report that
// cannot be had is an error that leaves no file.
func TestReports(t *testing.T) {
	t.Parallel()
	bin, dir := programs.Install(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "k.mlir"), []byte(reported), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bad.mlir"), []byte("frob"), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(line string) (status int, out, errs string) {
		args := strings.Fields(line)
		cmd := exec.Command(filepath.Join(bin, args[0]), args[1:]...)
		cmd.Dir = dir
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		_ = cmd.Run()
		return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
	}
	for i, tc := range []string{"tilec k.mlir --gpu-name=sm_90", "tilec k.mlir --gpu-name=sm_90 --lineinfo", "tilec k.mlir --emit=tileas", "tile-opt k.mlir", "tile-opt k.mlir --lower-to=tileas", "tile-opt k.mlir --cse --canonicalize",
		"tile-run k.mlir --grid=1 --arg=f32[1]=1.5", "tile-run k.mlir --grid=1 --engine=ptx --gpu-name=sm_120 --arg=f32[1]=1.5"} {
		name := "r" + string(rune('a'+i)) + ".html"
		status, out, errs := run(tc + " --report=" + name)
		if status != 0 {
			t.Errorf("%s: status %d, %s", tc, status, errs)
			continue
		}
		if _, plain, _ := run(tc); out != plain {
			t.Errorf("%s: with a report it writes\n%s\nwithout one\n%s", tc, out, plain)
		}
		page, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.HasPrefix(string(page), "<!doctype html>") || !strings.HasSuffix(string(page), "</html>\n") {
			t.Errorf("%s: the report is '%.20s', %v", tc, page, err)
		}
	}
	if status, _, errs := run("tile-run k.mlir --grid=1 --arg=f32[1]=1.5 --gpu-name=sm_80,sm_90 --engine=ptx --report=pages/"); status != 0 {
		t.Errorf("a folder: %d, %s", status, errs)
	}
	for _, name := range []string{"k.1.html", "k.2.html"} {
		if _, err := os.Stat(filepath.Join(dir, "pages", name)); err != nil {
			t.Error(err)
		}
	}
	for _, tc := range []struct {
		line, says string
		status     int
	}{
		{"tilec k.mlir --report=r.txt", "must name a file that ends in .html, or a folder", 2},
		{"tile-opt k.mlir --report=-", "not to standard output", 2},
		{"tile-run k.mlir --grid=1 --arg=f32[1]=1.5 --gpu-name=sm_80,sm_90 --engine=ptx --report=one.html", "name a folder", 1},
		{"tilec k.mlir --report=absent/x.html", "absent", 1},
		{"tile-opt k.mlir --split-input-file --report=x.html", "--report is for one kernel", 2},
		{"tilec bad.mlir --report=bad.html", "error", 1},
		{"tile-opt bad.mlir --report=bad.html", "error", 1},
	} {
		if status, _, errs := run(tc.line); status != tc.status || !strings.Contains(errs, tc.says) {
			t.Errorf("%s: status %d, want %d: %s", tc.line, status, tc.status, errs)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "bad.html")); err == nil {
		t.Error("there is a report of what is no kernel")
	}
}
