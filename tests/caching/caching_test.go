package caching

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tilewright/tilewright/internal/tooling/demo"
	"github.com/tilewright/tilewright/tests/programs"
)

// TestMain lets the test program be the compiler.
func TestMain(m *testing.M) { programs.Main(m) }

// kernels writes small kernels that differ.
func kernels(t *testing.T, n int) (dir string, files []string) {
	t.Helper()
	dir = t.TempDir()
	for i := range n {
		text := fmt.Sprintf("entry @k%d(%%p: tile<ptr<i32>>) {\n  %%c = constant <i32: %d> : tile<i32>\n  %%t = make_token : token\n  %%u = store_ptr_tko weak %%p, %%c token = %%t : tile<ptr<i32>>, tile<i32> -> token\n  return\n}\n", i, i)
		file := filepath.Join(dir, fmt.Sprintf("k%d.mlir", i))
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return dir, files
}

func run(t *testing.T, bin string, args ...string) (out, errs string) {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, "tilec"), args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Errorf("tilec %v: %v\n%s", args, err, &stderr)
	}
	return stdout.String(), stderr.String()
}

// TestManyProcesses lets twenty processes at once compile kernels with one cache, which has room for a part of them,
// while entries are damaged.
func TestManyProcesses(t *testing.T) {
	t.Parallel()
	const processes, distinct = 20, 5
	bin, cache := programs.Install(t), t.TempDir()
	_, files := kernels(t, distinct)
	want := make([]string, distinct)
	for i, f := range files {
		want[i], _ = run(t, bin, f)
	}
	for round := range 3 {
		var wg sync.WaitGroup
		for i := range processes {
			wg.Go(func() {
				got, errs := run(t, bin, "--cache="+cache, "--cache-size=2k", files[i%distinct])
				if got != want[i%distinct] || errs != "" {
					t.Errorf("round %d, process %d: it wrote\n%s%s", round, i, got, errs)
				}
			})
		}
		wg.Wait()
		entries, err := filepath.Glob(filepath.Join(cache, "*", "*", "*"))
		if err != nil || len(entries) == 0 {
			t.Fatalf("the cache is empty: %v", err)
		}
		for i, e := range entries {
			if strings.HasSuffix(e, ".tmp") {
				t.Errorf("%s was left behind", e)
			}
			if i%2 == 0 {
				if err := os.WriteFile(e, []byte("damaged"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// A counter is a remote cache that counts the actions that it was asked for and had.
type counter struct {
	mu   sync.Mutex
	data map[string][]byte
	hits int
}

func (c *counter) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hits
}

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var body bytes.Buffer
	_, _ = body.ReadFrom(r.Body)
	switch data, ok := c.data[r.URL.Path]; {
	case r.Method == http.MethodPut:
		c.data[r.URL.Path] = body.Bytes()
	case !ok:
		http.NotFound(w, r)
	default:
		if strings.HasPrefix(r.URL.Path, "/ac/") {
			c.hits++
		}
		_, _ = w.Write(data)
	}
}

// TestKeysCoverWhatChangesTheResult compiles with changes of the input and of options: what changes the result is compiled, what does not
// comes from the cache.
func TestKeysCoverWhatChangesTheResult(t *testing.T) {
	t.Parallel()
	c := &counter{data: make(map[string][]byte)}
	s := httptest.NewServer(c)
	defer s.Close()
	bin := programs.Install(t)
	folder, err := demo.Extract(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	k := filepath.Join(folder, "k.tileirbc")
	data, err := os.ReadFile(k)
	if err != nil {
		t.Fatal(err)
	}
	renamed := filepath.Join(t.TempDir(), "other.bytecode")
	if err := os.WriteFile(renamed, data, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		hit  bool
	}{
		{[]string{k}, false}, {[]string{k}, true}, {[]string{renamed}, true}, {[]string{k, "--gpu-name=sm_80"}, false}, {[]string{k, "-O1"}, false}, {[]string{k, "-O0"}, false},
		{[]string{k, "--lineinfo"}, false}, {[]string{k, "--schedule=serial"}, false}, {[]string{k, "--emit=tileas"}, false}, {[]string{k, "--schedule=serial"}, true}, {[]string{k, "--timing"}, false},
		{[]string{k, "--remarks=all", "--remark-format=yaml", "--remarks-output-file=" + filepath.Join(folder, "r.yaml")}, false},
		{[]string{k, "--remarks=all", "--remark-format=yaml", "--remarks-output-file=" + filepath.Join(folder, "r2.yaml")}, true},
	} {
		want, _ := run(t, bin, tt.args...)
		before := c.count()
		got, _ := run(t, bin, append(tt.args, "--remote-cache="+s.URL)...)
		if hit := c.count() > before; got != want || hit != tt.hit {
			t.Errorf("%v: from the cache: %v, want %v; equal: %v", tt.args, hit, tt.hit, got == want)
		}
	}
	a, errA := os.ReadFile(filepath.Join(folder, "r.yaml"))
	b, errB := os.ReadFile(filepath.Join(folder, "r2.yaml"))
	if errA != nil || errB != nil || !bytes.Equal(a, b) || len(a) == 0 {
		t.Errorf("remarks from the cache differ: %v, %v", errA, errB)
	}
}

// TestCacheSurvivesKilledCompilers kills compilers in the middle; whoever comes after finds a cache in order.
func TestCacheSurvivesKilledCompilers(t *testing.T) {
	t.Parallel()
	bin, cache := programs.Install(t), t.TempDir()
	_, files := kernels(t, 1)
	want, _ := run(t, bin, files[0])
	for i := range 20 {
		cmd := exec.Command(filepath.Join(bin, "tilec"), "--cache="+cache, files[0])
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i*3) * time.Millisecond)
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
		if got, errs := run(t, bin, "--cache="+cache, files[0]); got != want || errs != "" {
			t.Fatalf("after a kill: %s%s", got, errs)
		}
	}
}

// TestBatchesAgree compiles several kernels for several targets, with one job and with many, without a cache and with one
// that is empty, full and dead: files and messages are the same.
func TestBatchesAgree(t *testing.T) {
	t.Parallel()
	bin, cache := programs.Install(t), t.TempDir()
	dir, files := kernels(t, 6)
	broken := filepath.Join(dir, "broken.mlir")
	if err := os.WriteFile(broken, []byte("entry @k() { frobnicate }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	files = slices.Insert(files, 3, broken)
	var first map[string]string
	var said string
	for _, extra := range []string{"-j1", "-j8", "-j8 --cache=" + cache, "-j2 --cache=" + cache, "-j2 --cache=" + cache} {
		out := filepath.Join(t.TempDir(), "out")
		args := append(strings.Fields(extra), "--output-dir="+out, "--gpu-name=sm_80,sm_90,sm_120")
		cmd := exec.Command(filepath.Join(bin, "tilec"), append(args, files...)...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != 1 {
			t.Fatalf("%s: %v", extra, err)
		}
		if !strings.HasSuffix(stderr.String(), "tilec: error: 3 of 21 compilations failed\n") {
			t.Errorf("%s: it says\n%s", extra, &stderr)
		}
		got := make(map[string]string)
		entries, err := os.ReadDir(out)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			data, err := os.ReadFile(filepath.Join(out, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			got[e.Name()] = string(data)
		}
		if first == nil {
			first, said = got, stderr.String()
			if len(got) != 18 || !strings.Contains(got["k5.sm_120.ptx"], ".target sm_120") {
				t.Fatalf("%d files", len(got))
			}
		}
		if stderr.String() != said {
			t.Errorf("%s: it says\n%swant\n%s", extra, &stderr, said)
		}
		for name, text := range first {
			if got[name] != text {
				t.Errorf("%s: %s differs", extra, name)
			}
		}
	}
}

// TestDeadServer compiles without the remote cache that is asked for.
func TestDeadServer(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	bin := programs.Install(t)
	_, files := kernels(t, 1)
	want, _ := run(t, bin, files[0])
	got, errs := run(t, bin, "--remote-cache="+s.URL, files[0])
	if got != want || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "warning: the remote cache at "+s.URL+" is not used any more") {
		t.Errorf("it wrote %d bytes and says %s", len(got), errs)
	}
}
