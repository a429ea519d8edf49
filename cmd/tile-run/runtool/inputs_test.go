package runtool_test

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// encoded is the kernel of these tests as bytecode.
func encoded(t *testing.T, text string) []byte {
	t.Helper()
	module, err := tileir.Read(tileir.NewContext(), "k", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	inner := module.Body().First()
	data, err := bytecode.Encode(inner, bytecode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestCrashDump runs the module of a zip file as cuTile Python leaves it when a compiler fails.
func TestCrashDump(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, data := range map[string][]byte{"add_one.bytecode": encoded(t, kernel), "debug_info.txt": []byte("error:")} {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "dump.zip"), b.Bytes())
	status, _, errs := call(dir, "IN/dump.zip --grid 2 --arg f32[20] --arg i32:20 --save-case IN/kept", "")
	if status != 0 {
		t.Fatalf("status %d\n%s", status, errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "kept", "add_one.bytecode")); err != nil {
		t.Error(err)
	}
	if status, out, errs := call(dir, "IN/kept --engine=ptx", ""); status != 0 || !strings.Contains(out, "kept [ptx]: arg 0 (f32[20]): ok") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	write(t, filepath.Join(dir, "cut.zip"), b.Bytes()[:60])
	if status, _, errs := call(dir, "IN/cut.zip --grid 2", ""); status != 1 || !strings.Contains(errs, "no crash dump") {
		t.Errorf("status %d\n%s", status, errs)
	}
}

// TestDumps runs a kernel of a folder of bytecode, of which the newest file with the entry counts.
func TestDumps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	dumps := filepath.Join(dir, "dumps")
	if err := os.Mkdir(dumps, 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dumps, "spin.tileirbc"), encoded(t, spin))
	write(t, filepath.Join(dumps, "damaged.tileirbc"), encoded(t, kernel)[:50])
	write(t, filepath.Join(dumps, "add.tileirbc"), encoded(t, kernel))
	// A folder of cases is one whatever bytecode lies beside them.
	status, _, errs := call(dir, "IN/dumps --grid 2 --entry add_one --arg f32[20] --arg i32:20 --save-case IN/mixed/one", "")
	if status != 0 {
		t.Fatalf("status %d\n%s", status, errs)
	}
	write(t, filepath.Join(dir, "mixed", "k.tileirbc"), encoded(t, kernel))
	if status, out, errs := call(dir, "IN/mixed", ""); status != 0 || !strings.Contains(out, "one [interp]: arg 0") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	for _, tt := range []struct {
		args   string
		status int
		errors string
	}{
		{"--entry add_one --arg f32[20] --arg i32:20", 0, ""},
		{"--arg f32[20] --arg i32:20", 1, "have 2 entries, and --entry does not say which; entries: add_one, spin"},
		{"--entry add_on", 1, "has the entry 'add_on' (did you mean 'add_one'?)"},
	} {
		status, _, errs := call(dir, "IN/dumps --grid 2 "+tt.args, "")
		if status != tt.status || !strings.Contains(errs, tt.errors) {
			t.Errorf("%s: status %d\n%s", tt.args, status, errs)
		}
	}
}

// TestSaveCase keeps a launch, with memory that is two arguments, an address and a tolerance, and runs what was kept.
func TestSaveCase(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	const two = `entry @add(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %r: tile<ptr<f32>>, %x: tile<f32>) {
  %a, %t0 = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token
  %b, %t1 = load_ptr_tko weak %r : tile<ptr<f32>> -> tile<f32>, token
  %c = addf %a, %b : tile<f32>
  %d = addf %c, %x : tile<f32>
  %t2 = store_ptr_tko weak %p, %d : tile<ptr<f32>>, tile<f32> -> token
  return
}
`
	write(t, filepath.Join(dir, "two.mlir"), []byte(two))
	args := "IN/two.mlir --grid 1 --arg f32:IN/ones.npy --arg @0 --arg ptr:0x7f0000000004 --arg f32:2.5 --segment 0x7f0000000000=f32[2]=3"
	status, out, errs := call(dir, args+" --save-case IN/kept", "")
	if status != 0 {
		t.Fatalf("status %d\n%s%s", status, out, errs)
	}
	for _, engines := range []string{"interp", "ptx"} {
		if status, out, errs := call(dir, "IN/kept --engine="+engines, ""); status != 0 || !strings.Contains(out, "arg 0 (f32[20]): ok") {
			t.Errorf("%s: status %d\n%s%s", engines, status, out, errs)
		}
	}
	for _, tt := range []struct{ args, want string }{
		{args + " --save-case IN/kept", "exists already"},
		{args + " --check 0=IN/ones.npy --save-case IN/bad", "is not saved as"},
		{"IN/kept --save-case IN/again", "describes the launch of a module"},
	} {
		if status, _, errs := call(dir, tt.args, ""); status == 0 || !strings.Contains(errs, tt.want) {
			t.Errorf("%s: status %d\n%s", tt.args, status, errs)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".case-*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// TestTable runs a case on several engines and targets at once.
func TestTable(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	status, out, errs := call(dir, "IN/k.mlir --entry add_one --grid 2 --arg f32[20] --arg i32:20 --engine=interp,tileas,ptx --gpu-name=sm_80,sm_120", "")
	if status != 0 || errs != "" {
		t.Fatalf("status %d\n%s%s", status, out, errs)
	}
	for _, want := range []string{"interp ", "tileas sm_80", "tileas sm_120", "ptx sm_80", "ptx sm_120", "5 runs: 5 ok"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	status, out, _ = call(dir, "IN/k.mlir --entry add_one --grid 2 --arg f32[20] --arg i32:20 --diff-engines=interp,ptx --gpu-name=sm_80,sm_120", "")
	if status != 0 || strings.Count(out, "ptx against interp sm_") != 2 {
		t.Errorf("status %d\n%s", status, out)
	}
	for _, tt := range []struct{ args, want string }{
		{"--gpu-name=sm_80,sm_80", "target 'sm_80' is named twice"},
		{"--gpu-name=sm_80,sm_81", "sm_81"},
		{"--engine=", "names no engine"},
		{"--fuzz=1 --gpu-name=sm_80,sm_90", "--fuzz takes one target"},
		{"--demo --gpu-name=sm_80,sm_90", "--demo takes one target"},
		{"IN/k.ptx --grid 1 --engine=ptx --arg i32[1] --gpu-name=sm_80,sm_90", "is PTX"},
	} {
		if status, _, errs := call(dir, tt.args, ""); status == 0 || !strings.Contains(errs, tt.want) {
			t.Errorf("%s: status %d\n%s", tt.args, status, errs)
		}
	}
}

// TestCubin runs the PTX that NVIDIA's compiler leaves in a cubin.
func TestCubin(t *testing.T) {
	t.Parallel()
	compiler := judges.Tool(t, "tileiras")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "k.tileirbc"), encoded(t, kernel))
	for name, flags := range map[string][]string{"lines.cubin": {"--lineinfo"}, "plain.cubin": nil} {
		args := append([]string{"--gpu-name", "sm_80", filepath.Join(dir, "k.tileirbc"), "-o", filepath.Join(dir, name)}, flags...)
		if text, err := exec.CommandContext(t.Context(), compiler, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	status, out, errs := call(dir, "IN/lines.cubin --grid 2 --arg f32[20]=4 --arg i32:20 --engine=ptx --save-case IN/kept", "")
	if status != 0 {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	if status, out, errs := call(dir, "IN/kept --engine=ptx --allow-uninitialized", ""); status != 0 {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "kept", "lines.ptx")); err != nil {
		t.Error(err)
	}
	if status, _, errs := call(dir, "IN/plain.cubin --grid 2 --engine=ptx", ""); status != 1 || !strings.Contains(errs, "the cubin has no PTX") {
		t.Errorf("status %d\n%s", status, errs)
	}
}
