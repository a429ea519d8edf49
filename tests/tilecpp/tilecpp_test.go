package tilecpp

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/cubin"
	"github.com/tilewright/tilewright/target/engine/npy"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
	"github.com/tilewright/tilewright/tests/programs"
)

// TestMain lets the test program be each of the tools.
func TestMain(m *testing.M) { programs.Main(m) }

//go:embed testdata/kernels.cu
var source []byte

// options are those with which nvcc makes Tile IR alone.
var options = []string{"--enable-tile", "--tile-only", "-std=c++20"}

// The module of the kernels, compiled once for all tests.
var (
	once     sync.Once
	bytecode []byte
	failure  error
)

// module compiles the kernels to a file. The compiler takes its assembler from where it lies itself, and needs none
// for this.
func module(t *testing.T) string {
	t.Helper()
	nvcc, dir := judges.Nvcc(t), t.TempDir()
	once.Do(func() {
		input := filepath.Join(dir, "kernels.cu")
		if err := os.WriteFile(input, source, 0o666); err != nil {
			failure = err
			return
		}
		output := filepath.Join(dir, "kernels.tilebc")
		said, err := exec.Command(nvcc, append(options, "--tilebc", "-arch=sm_90", input, "-o", output)...).CombinedOutput()
		if err != nil {
			failure = fmt.Errorf("nvcc: %w\n%s", err, said)
			return
		}
		bytecode, failure = os.ReadFile(output)
	})
	if failure != nil {
		t.Fatal(failure)
	}
	path := filepath.Join(dir, "k.tilebc")
	if err := os.WriteFile(path, bytecode, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// call runs a tool, and returns what it writes to both outputs.
func call(t *testing.T, name string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(filepath.Join(tools(t), name), args...)
	cmd.Env = append(os.Environ(), ptxas.EnvVar+"="+judges.Ptxas(t))
	said, err := cmd.CombinedOutput()
	return string(said), err
}

func tools(t *testing.T) string { return programs.Install(t) }

// TestText compares the module's text with what the reference disassembler prints, and writes its bytes anew.
func TestText(t *testing.T) {
	t.Parallel()
	k := module(t)
	want, err := exec.Command(judges.Tool(t, "tileirdisasm"), k).Output()
	if err != nil {
		t.Fatal(err)
	}
	got, err := exec.Command(filepath.Join(tools(t), "tileirdisasm"), k).Output()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the text differs from the reference's:\n%s", got)
	}
	if said, err := call(t, "tile-translate", "--mlir-to-cudatilebc", k, "-o", k+".again"); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	again, err := exec.Command(filepath.Join(tools(t), "tileirdisasm"), k+".again").Output()
	if err != nil {
		t.Fatal(err)
	}
	// The first line names the producer, which is us now.
	if _, rest, _ := bytes.Cut(want, []byte("\n")); !bytes.HasSuffix(again, rest) {
		t.Errorf("the module that was read and written has another text:\n%s", again)
	}
}

// TestValues runs the kernels on the interpreter, and as code for one target of each kind of architecture.
func TestValues(t *testing.T) {
	t.Parallel()
	k, dir := module(t), t.TempDir()
	var cases []string
	for i, l := range launches() {
		if !tier.Try(i, 5) {
			continue
		}
		cases = append(cases, write(t, k, filepath.Join(dir, l.entry), l))
	}
	said, err := call(t, "tile-run", append([]string{"--engine=interp,ptx", "--gpu-name=sm_80,sm_90,sm_100,sm_120"}, cases...)...)
	runs := len(cases) * 5
	if err != nil || !strings.Contains(said, fmt.Sprintf("%d runs: %d ok\n", runs, runs)) {
		t.Errorf("%v\n%s", err, said)
	}
}

// write makes a case of a launch, and returns its folder.
func write(t *testing.T, module, dir string, l launch) string {
	t.Helper()
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	type object = map[string]any
	buffer := func(file string, v any, o object) object {
		a, dtype := array(v)
		if err := npy.WriteFile(filepath.Join(dir, file), a); err != nil {
			t.Fatal(err)
		}
		if dtype != "" {
			o["dtype"] = dtype
		}
		return o
	}
	var args, expect []object
	for i, v := range l.args {
		if n, ok := v.(int32); ok {
			args = append(args, object{"scalar": "i32", "value": n})
			continue
		}
		file := fmt.Sprintf("in%d.npy", i)
		args = append(args, buffer(file, v, object{"buffer": file}))
		if want := l.want[i]; want != nil {
			file := fmt.Sprintf("want%d.npy", i)
			expect = append(expect, buffer(file, want, object{"arg": i, "file": file, "rtol": l.tol, "atol": 0}))
		}
	}
	text, err := json.Marshal(object{"module": "k.tilebc", "entry": l.entry, "grid": l.grid, "args": args, "expect": expect})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "case.json"), text, 0o666)
	}
	if err == nil {
		err = os.Link(module, filepath.Join(dir, "k.tilebc"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestSays checks what a kernel prints, and that its assertion fails with the text and the line of the source.
func TestSays(t *testing.T) {
	t.Parallel()
	k := module(t)
	for _, engine := range []string{"interp", "ptx"} {
		for n, want := range map[int]string{5: "n is 5\n", 3: `kernels\.cu:\d+: n > 3 failed`} {
			said, err := call(t, "tile-run", k, "--engine="+engine, "--entry=checked", "--grid=1", "--arg=i32[1]=2", "--arg=i32[1]", fmt.Sprintf("--arg=i32:%d", n))
			if (err == nil) != (n == 5) || !regexp.MustCompile(want).MatchString(said) {
				t.Errorf("%s, %d: %v\n%s", engine, n, err, said)
			}
		}
	}
}

// TestTargets compiles the kernels for every target with the assembler.
func TestTargets(t *testing.T) {
	t.Parallel()
	k := module(t)
	for i, gpu := range sm.Names() {
		if !tier.Try(i, 4) {
			continue
		}
		t.Run(gpu, func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "k.cubin")
			if said, err := call(t, "tilec", "--gpu-name="+gpu, k, "-o", out); err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			kernels(t, out)
		})
	}
}

// kernels reads a cubin, which has all the kernels as a launch by a grid alone needs them.
func kernels(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ks, err := cubin.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	if want := len(launches()) + 1; len(ks) != want {
		t.Errorf("%s has %d kernels, want %d", file, len(ks), want)
	}
}
