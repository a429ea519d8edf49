package judges

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/scratch"
)

// fakeEnvironment lays out a virtual environment with one wheel's program, marked as made from lists of these hashes.
func fakeEnvironment(t *testing.T, mark, tritonMark string) string {
	t.Helper()
	dir := t.TempDir()
	bin := filepath.Join(dir, "lib", "python3.11", "site-packages", "nvidia", "cu13", "bin")
	for _, d := range []string{bin, filepath.Join(dir, "bin")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	files := map[string]os.FileMode{
		filepath.Join(bin, "ptxas"):         0o755,
		filepath.Join(bin, "notes"):         0o644,
		filepath.Join(dir, "bin", "python"): 0o755,
	}
	for path, mode := range files {
		if err := os.WriteFile(path, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	writeMarks(t, dir, mark, tritonMark)
	return dir
}

func writeMarks(t *testing.T, dir, mark, tritonMark string) {
	t.Helper()
	for name, hash := range map[string]string{base.mark: mark, triton.mark: tritonMark} {
		if hash == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(hash), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// hashes are those of the two lists.
func hashes(t *testing.T) (judges, withTriton string) {
	t.Helper()
	for _, l := range []struct {
		list
		to *string
	}{{base, &judges}, {triton, &withTriton}} {
		var err error
		if *l.to, err = l.hash(); err != nil {
			t.Fatal(err)
		}
	}
	return judges, withTriton
}

// recorder is a testing.TB that records how a test was ended.
type recorder struct {
	testing.TB
	failed, skipped string
}

func (*recorder) Helper() {}
func (r *recorder) Fatalf(format string, args ...any) {
	r.failed = fmt.Sprintf(format, args...)
	panic(r)
}
func (r *recorder) Skipf(format string, args ...any) {
	r.skipped = fmt.Sprintf(format, args...)
	panic(r)
}

func record(f func(testing.TB)) (r *recorder) {
	r = &recorder{}
	defer func() {
		if v := recover(); v != nil && v != any(r) {
			panic(v)
		}
	}()
	f(r)
	return r
}

func TestToolFindsWheelPrograms(t *testing.T) {
	hash, tritonHash := hashes(t)
	dir := fakeEnvironment(t, hash, tritonHash)
	t.Setenv(EnvVar, dir)
	if !Available() {
		t.Error("a finished environment counts as absent")
	}
	if got, want := filepath.Base(filepath.Dir(filepath.Dir(Ptxas(t)))), "cu13"; got != want {
		t.Errorf("ptxas found under %q, want %q", got, want)
	}
	for name, got := range map[string]string{"Python": Python(t), "TritonPython": TritonPython(t)} {
		if want := filepath.Join(dir, "bin", "python"); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
}

func TestAbsentJudge(t *testing.T) {
	hash, tritonHash := hashes(t)
	tool := func(name string) func(testing.TB) { return func(tb testing.TB) { Tool(tb, name) } }
	withTriton := func(tb testing.TB) { TritonPython(tb) }
	tests := []struct {
		name, mark, tritonMark string
		ask                    func(testing.TB)
		want                   string
	}{
		{"no environment", "", "", tool("ptxas"), "what .ci/judges.txt lists is not installed in"},
		{"another list", "0123456789abcdef", tritonHash, tool("ptxas"), "installed from another .ci/judges.txt"},
		{"no such program", hash, tritonHash, tool("nosuch"), "no program nosuch among the judges"},
		{"not executable", hash, tritonHash, tool("notes"), "no program notes among the judges"},
		{"no Triton", hash, "", withTriton, "what .ci/judges-triton.txt lists is not installed in"},
		{"another Triton", hash, "0123456789abcdef", withTriton, "installed from another .ci/judges-triton.txt"},
	}
	for _, tt := range tests {
		for _, ci := range []string{"", "true"} {
			t.Run(fmt.Sprintf("%s/CI=%s", tt.name, ci), func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "absent")
				if tt.mark != "" {
					dir = fakeEnvironment(t, tt.mark, tt.tritonMark)
				}
				t.Setenv(EnvVar, dir)
				t.Setenv("CI", ci)
				r := record(tt.ask)
				message, other := r.skipped, r.failed
				if ci == "true" {
					message, other = r.failed, r.skipped
				}
				if other != "" {
					t.Errorf("ended the wrong way: %q", other)
				}
				for _, want := range []string{tt.want, installer} {
					if !strings.Contains(message, want) {
						t.Errorf("message %q does not contain %q", message, want)
					}
				}
			})
		}
	}
}

// TestAbsentRustc has no rustc on the PATH, and one that is rustup's shim without a toolchain.
func TestAbsentRustc(t *testing.T) {
	shim := t.TempDir()
	script := "#!/bin/sh\necho 'error: rustup could not choose a version of rustc to run' >&2\necho help >&2\nexit 1\n"
	scratch.Script(t, shim, "rustc", script)
	for path, want := range map[string]string{
		t.TempDir(): "executable file not found",
		shim:        "cannot compile an empty program: exit status 1: error: rustup could not choose a version of rustc to run; run apt-get",
	} {
		t.Setenv("PATH", path)
		for _, ci := range []string{"", "true"} {
			t.Setenv("CI", ci)
			r := record(func(tb testing.TB) { Rustc(tb) })
			message, other := r.skipped, r.failed
			if ci == "true" {
				message, other = other, message
			}
			if other != "" || !strings.Contains(message, want) {
				t.Errorf("CI=%s: ended with %q and %q, want %q", ci, message, other, want)
			}
		}
	}
}

// TestScriptAgrees holds the two places that compute the environment's folder together.
func TestScriptAgrees(t *testing.T) {
	hash, tritonHash := hashes(t)
	cache := t.TempDir()
	dir := filepath.Join(cache, "tilewright", "judges-"+hash)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	writeMarks(t, dir, hash, tritonHash) // so that the script has nothing to install
	for _, l := range []list{{".ci/judges-python.txt", ".tilewright-judges-python"}, tilecpp} {
		hash, err := l.hash()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, l.mark), []byte(hash), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv(EnvVar, "")
	out, err := exec.Command("bash", filepath.Join(corpus.Root(), installer)).Output()
	if err != nil {
		t.Fatalf("%s: %v", installer, err)
	}
	got, err := Path()
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.TrimSpace(string(out)); got != want {
		t.Errorf("Path = %q, the script prints %q", got, want)
	}
}

func TestInstalledJudgesRun(t *testing.T) {
	t.Parallel()
	tests := []struct{ path, arg, want string }{
		{Ptxas(t), "--version", "Ptx optimizing assembler"},
		{Tool(t, "tileiras"), "--version", "release"},
		{Tool(t, "tileirdisasm"), "--help", "USAGE"},
		{Tool(t, "nvdisasm"), "--version", "disassembler"},
		{Tool(t, "cuobjdump"), "--version", "cuobjdump"},
		{Nvcc(t), "--version", "nvcc"},
		{Python(t), "--version", "Python 3"},
	}
	for _, tt := range tests {
		out, err := exec.Command(tt.path, tt.arg).CombinedOutput()
		if err != nil || !strings.Contains(string(out), tt.want) {
			t.Errorf("%s %s: %v, output %q does not contain %q", tt.path, tt.arg, err, out, tt.want)
		}
	}
}
