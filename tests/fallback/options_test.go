package fallback

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// kernel compiles a kernel of that name, and returns the result with what was said.
func kernel(t *testing.T, name string, opts compile.Options) (*compile.Result, string, error) {
	t.Helper()
	text, err := os.ReadFile("testdata/rejects.mlir")
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("entry @rejects"), []byte("entry @"+name), 1)
	var said bytes.Buffer
	c := tileir.NewContext()
	c.Diag.Push(c.Diag.PrintTo(&said))
	module, err := tileir.Read(c, name, text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := compile.To(context.Background(), module, opts)
	return r, said.String(), err
}

// TestFailuresWithoutFallback compiles as tests and searches for faults do, which want the failure.
func TestFailuresWithoutFallback(t *testing.T) {
	t.Parallel()
	_, said, err := kernel(t, "rejects", compile.Options{GPU: "sm_90", OptLevel: 3})
	if err == nil || !strings.Contains(said, "is rejected by a planted pass") {
		t.Errorf("%v\n%s", err, said)
	}
	r, _, err := kernel(t, "rejects", compile.Options{GPU: "sm_90", OptLevel: 3, Fallback: true})
	if err != nil || len(r.Fallbacks) != 1 || r.Fallbacks[0].Failure.Pass.Name != "plant-rejects" || r.Fallbacks[0].Failure.Symbol != "rejects" {
		t.Errorf("%v: %+v", err, r)
	}
	if r, _, err = kernel(t, "rejects", compile.Options{GPU: "sm_90", OptLevel: 1, Fallback: true}); err != nil || r.Fallbacks != nil {
		t.Errorf("-O1: %v: %+v", err, r)
	}
}

// TestReproducers asks for no reproducer. One is left nevertheless: a pass that returns an error is at fault, too, if
// the kernel compiles without it.
func TestReproducers(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, name := range []string{"rejects", "crashes", "breaks", "invalid", "before", "late"} {
		r, said, err := kernel(t, name, compile.Options{GPU: "sm_90", OptLevel: 3, Fallback: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Fallbacks[0].Failure.Pass.Name; got != "plant-"+name && name != "breaks" { // whose damage a later pass tells
			t.Errorf("%s: '%s' is named", name, got)
		}
		file := r.Fallbacks[0].Failure.Reproducer
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), "plant-"+name) || !strings.Contains(said, "warning: compiled again ") {
			t.Errorf("%s: %v\n%s\n%s", name, err, said, text)
		}
	}
	before, err := os.ReadDir(os.Getenv("TMPDIR"))
	if err != nil {
		t.Fatal(err)
	}
	// The program may be at fault where all attempts fail.
	if _, _, err := kernel(t, "always", compile.Options{GPU: "sm_90", OptLevel: 3, Fallback: true}); err == nil {
		t.Error("always compiles")
	}
	after, err := os.ReadDir(os.Getenv("TMPDIR"))
	if err != nil || len(after) != len(before) {
		t.Errorf("%d files became %d: %v", len(before), len(after), err)
	}
}

// TestWrongOptions gives a pass options that it rejects, and leaves out passes: both are for somebody who looks at
// passes.
func TestWrongOptions(t *testing.T) {
	t.Parallel()
	opts := compile.Options{GPU: "sm_80", OptLevel: 3, Fallback: true, PassOptions: map[string]string{"tileas-schedule-loops": "prefetch=99"}}
	if _, said, err := kernel(t, "plain", opts); err == nil || !strings.Contains(said, "options prefetch and at-once must be") {
		t.Errorf("%v\n%s", err, said)
	}
	opts.PassOptions = nil
	opts.Disabled = []string{"tileas-specialize-warps"}
	if _, said, err := kernel(t, "rejects", opts); err == nil || !strings.Contains(said, "is rejected by a planted pass") {
		t.Errorf("%v\n%s", err, said)
	}
}

// TestCancelTriesNothingAgain cancels a compilation: nothing is tried again.
func TestCancelTriesNothingAgain(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	module, err := tileir.Read(tileir.NewContext(), "k.mlir", []byte("cuda_tile.module @m {\n entry @k() {\n return\n }\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compile.To(ctx, module, compile.Options{GPU: "sm_90", Fallback: true}); err == nil || !strings.Contains(err.Error(), "stopped") {
		t.Errorf("got %v", err)
	}
}
