package viewtool

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tilewright/tilewright/internal/testing/scratch"
)

// exporter stands for a Python with the package tilewright: its kernel is the text of the program after the first line,
// and a program that begins with "fail" fails.
const exporter = `#!/bin/sh
[ "$1 $2 $3" = "-m tilewright export" ] || exit 9
out=$5
program=$6
if head -1 "$program" | grep -q fail; then echo "$program:1: no such kernel" >&2; exit 1; fi
tail -n +2 "$program" > "$out/kernels.tileirbc"
echo "$program" > "$out/sources.txt"
echo '{}' > "$out/arguments.json"
`

func scripted(t *testing.T) (dir, python string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for Python is a shell script")
	}
	dir = t.TempDir()
	return dir, scratch.Script(t, dir, "python", exporter)
}

// TestProgram serves the kernels of a Python program, and again when the program has changed. What it says when it
// fails is on the page, and the folder of its kernels is gone in the end.
func TestProgram(t *testing.T) {
	dir, python := scripted(t)
	t.Setenv("TMPDIR", dir)
	program := filepath.Join(dir, "prog.py")
	write := func(first, name string) {
		text := first + "\ncuda_tile.module @m { entry @" + name + "(%x: tile<ptr<f32>>) { return } }\n"
		if err := os.WriteFile(program, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("# good", "before")
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	out, in := io.Pipe()
	var stderr bytes.Buffer
	ended := make(chan int)
	go func() { ended <- Main(ctx, []string{"--python", python, program}, in, &stderr) }()
	line := make([]byte, 256)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	url := strings.TrimSpace(string(line[:n]))
	go io.Copy(io.Discard, out)
	await := func(path, want string) {
		t.Helper()
		var text []byte
		for ctx.Err() == nil {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			text, _ = io.ReadAll(r.Body)
			r.Body.Close()
			if strings.Contains(string(text), want) {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Fatalf("no %q in %s", want, text)
	}
	await("state?known=", `"generation":1`) // pages are compressed
	write("# good", "afterwards")
	await("state?known=", `"generation":2`)
	write("fail", "broken")
	await("state?known=", "no such kernel")
	stop()
	if status := <-ended; status != 0 {
		t.Errorf("status %d: %s", status, &stderr)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "tile-view*")); left != nil {
		t.Errorf("%v is left", left)
	}
}

// TestProgramFails checks that a program without kernels ends the tool with a line, before anything is served.
func TestProgramFails(t *testing.T) {
	dir, python := scripted(t)
	program := filepath.Join(dir, "prog.py")
	if err := os.WriteFile(program, []byte("fail\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--python", python, program}, program + ":1: no such kernel"},
		{[]string{"--python", python, filepath.Join(dir, "none.py")}, "cannot read"},
		{[]string{"--python", filepath.Join(dir, "none"), program}, "cannot run"},
	} {
		var stdout, stderr bytes.Buffer
		if status := Main(t.Context(), tt.args, &stdout, &stderr); status != 1 || !strings.Contains(stderr.String(), tt.want) || stdout.Len() > 0 {
			t.Errorf("%v: status %d, %q: %s", tt.args, status, &stdout, &stderr)
		}
	}
}
