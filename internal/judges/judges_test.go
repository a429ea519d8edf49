package judges

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/corpus"
)

// fakeEnvironment lays out a virtual environment with one wheel's program, marked as made from the current list.
func fakeEnvironment(t *testing.T, mark string) string {
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
	if err := os.WriteFile(filepath.Join(dir, markFile), []byte(mark), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
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
	hash, err := requirementsHash()
	if err != nil {
		t.Fatal(err)
	}
	dir := fakeEnvironment(t, hash)
	t.Setenv(EnvVar, dir)
	if !Available() {
		t.Error("a finished environment counts as absent")
	}
	if got, want := filepath.Base(filepath.Dir(filepath.Dir(Ptxas(t)))), "cu13"; got != want {
		t.Errorf("ptxas found under %q, want %q", got, want)
	}
	if got, want := Python(t), filepath.Join(dir, "bin", "python"); got != want {
		t.Errorf("Python = %q, want %q", got, want)
	}
}

func TestAbsentJudge(t *testing.T) {
	hash, err := requirementsHash()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, mark, tool, want string
	}{
		{"no environment", "", "ptxas", "no judges in"},
		{"another list", "0123456789abcdef", "ptxas", "installed from another .ci/judges.txt"},
		{"no such program", hash, "nosuch", "no program nosuch among the judges"},
		{"not executable", hash, "notes", "no program notes among the judges"},
	}
	for _, tt := range tests {
		for _, ci := range []string{"", "true"} {
			t.Run(fmt.Sprintf("%s/CI=%s", tt.name, ci), func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "absent")
				if tt.mark != "" {
					dir = fakeEnvironment(t, tt.mark)
				}
				t.Setenv(EnvVar, dir)
				t.Setenv("CI", ci)
				r := record(func(tb testing.TB) { Tool(tb, tt.tool) })
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

// TestScriptAgrees holds the two places that compute the environment's folder together.
func TestScriptAgrees(t *testing.T) {
	hash, err := requirementsHash()
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	dir := filepath.Join(cache, "tilewright", "judges-"+hash)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	// With the mark in place the script has nothing to install.
	if err := os.WriteFile(filepath.Join(dir, markFile), []byte(hash), 0o644); err != nil {
		t.Fatal(err)
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
		{Python(t), "--version", "Python 3"},
	}
	for _, tt := range tests {
		out, err := exec.Command(tt.path, tt.arg).CombinedOutput()
		if err != nil || !strings.Contains(string(out), tt.want) {
			t.Errorf("%s %s: %v, output %q does not contain %q", tt.path, tt.arg, err, out, tt.want)
		}
	}
}
