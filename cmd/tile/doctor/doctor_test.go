package doctor

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/scratch"
)

func call(args ...string) (status int, out, errs string) {
	var stdout, stderr bytes.Buffer
	status = Main(context.Background(), args, strings.NewReader(""), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// script puts a program on PATH.
func script(t *testing.T, dir, name, text string) string {
	t.Helper()
	return scratch.Script(t, dir, name, "#!/bin/sh\n"+text+"\n")
}

// TestDoctor examines a machine on which everything is a script.
func TestDoctor(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	t.Setenv("TILEWRIGHT_PTXAS", script(t, dir, "assembler", "echo release 13.5, V13.5.37"))
	t.Setenv("TILEWRIGHT_FLAGS", "-O1")
	script(t, dir, "tileiras", "echo tileiras: Tilewright")
	script(t, dir, "tileirdisasm", "echo tileirdisasm: NVIDIA")
	script(t, dir, "python3", `echo "cuda-tile 1.7.0"; echo "nvidia-cuda-tileiras 13.5.1"; echo "nvidia-cuda-nvcc 13.5.2"; [ -z "$PARTIAL" ] && echo "nvidia-nvvm 13.5.3" || true`)
	status, out, errs := call()
	if status != 0 || errs != "" {
		t.Fatalf("status %d\n%s", status, errs)
	}
	for _, want := range []string{"interpreter, emulator  built in", "V13.5.37; makes cubins", "is Tilewright", "is NVIDIA's", "whatever PATH says", "TILEWRIGHT_FLAGS       -O1"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	other := script(t, dir, "python-of-mine", `echo "cuda-tile 1.8.0"; echo "ptxas /env/nvidia/cu13/bin/ptxas"`)
	if _, out, _ := call("--python", other); !strings.Contains(out, "1.8.0") || !strings.Contains(out, "ptxas of this Python   /env/nvidia/cu13/bin/ptxas") {
		t.Errorf("of another Python it says\n%s", out)
	}
	t.Setenv("PARTIAL", "1")
	if _, out, _ := call(); !strings.Contains(out, "takes tileiras from PATH") {
		t.Errorf("it says\n%s", out)
	}
}

// TestEmpty examines a machine that has nothing.
func TestEmpty(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("TILEWRIGHT_PTXAS", "/nonexistent/ptxas")
	status, out, errs := call()
	if status != 0 || errs != "" || strings.Count(out, "none") < 4 {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
}
