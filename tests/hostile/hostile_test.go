//go:build unix

package hostile

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/tests/programs"
)

// TestMain lets the test program be each of the tools.
func TestMain(m *testing.M) { programs.Main(m) }

func pipe(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Fatal(err)
	}
}

//go:embed testdata/invocations.txt
var table string

// An invocation is a line of the table:
//
//	STATUS TOOL ARGUMENTS [< FILE] [> FILE] :: part of what it says on standard error
//
// IN is the folder of inputs. With "> FILE" standard output is that file. A status with a + allows for output in
// spite of a failure.
type invocation struct {
	line   int
	status int
	output bool
	shell  string
	want   string
}

var invocationLine = regexp.MustCompile(`^(\d)(\+?) (.+?)(?: :: (.*))?$`)

// limit is after how long a call is taken to hang.
const limit = time.Minute

// minimum is how many calls there are at least.
const minimum = 300

// TestInvocations makes each call of the table, and gives each tool each file that is no kernel.
func TestInvocations(t *testing.T) {
	t.Parallel()
	dir, in := programs.Install(t), t.TempDir()
	files := makeInputs(t, in)
	var calls []invocation
	for i, line := range strings.Split(table, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		m := invocationLine.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("invocations.txt:%d: %q is no invocation", i+1, line)
		}
		calls = append(calls, invocation{i + 1, int(m[1][0] - '0'), m[2] != "", m[3], m[4]})
	}
	slices.Sort(files)
	for _, f := range files {
		for command, status := range map[string]int{
			"tile-opt IN/%s": 1, "tile-opt --lower-to=ptx -o out IN/%s": 1, "tilec IN/%s -o out.ptx": 1, "tileiras --gpu-name=sm_90 --emit=ptx -o out IN/%s": 3,
			"tile-translate --mlir-to-cudatilebc -o out IN/%s": 1, "tile-run --entry=k --grid=1 IN/%s": 1, "tile-reduce --test=IN/test.sh -o out IN/%s": 1,
			"tile judge IN/%s": 1, "tile link -o out IN/%s": 1,
		} {
			calls = append(calls, invocation{0, status, false, fmt.Sprintf(command, f), ""})
		}
	}
	if len(calls) < minimum {
		t.Errorf("%d calls, expected at least %d", len(calls), minimum)
	}
	t.Logf("%d calls", len(calls))
	for i, c := range calls {
		if !tier.Try(i, 7) {
			continue
		}
		t.Run(c.shell, func(t *testing.T) {
			t.Parallel()
			c.check(t, dir, in)
		})
	}
}

// internals are words of Go that no user should have to read.
var internals = regexp.MustCompile(`goroutine |panic|runtime error|strconv\.|context canceled|context deadline|reflect\.|%!|0xc0000|unexpected EOF|invalid syntax|<nil>|nil pointer|exec:|&\{|\*errors|internal error`)

// maxWords bounds what a tool says about one mistake.
const maxWords = 4 << 10

func (c *invocation) check(t *testing.T, bin, in string) {
	work, temp := t.TempDir(), t.TempDir()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", strings.ReplaceAll(c.shell, "IN/", in+"/"))
	cmd.Dir = work
	cmd.Env = []string{"PATH=" + bin + ":/usr/bin:/bin", "TMPDIR=" + temp, "HOME=" + work, "TILEWRIGHT_PTXAS=/nonexistent/ptxas"}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		t.Fatalf("invocations.txt:%d: it hangs", c.line)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	status, said := cmd.ProcessState.ExitCode(), stderr.String()
	right := status == c.status
	if c.line == 0 { // a file that is no kernel: some parse, and are then rejected
		right = status == c.status || c.status == 3 && status == 5
	}
	if !right {
		t.Errorf("invocations.txt:%d: exit status %d, want %d\n%s%s", c.line, status, c.status, said, stdout.String())
	}
	if !strings.Contains(said, strings.ReplaceAll(c.want, "IN/", in+"/")) {
		t.Errorf("invocations.txt:%d: it says\n%swant %q", c.line, said, c.want)
	}
	if status != 0 && said == "" && !c.output {
		t.Error("it fails without a word")
	}
	if status == 0 && c.want == "" && said != "" {
		t.Errorf("it succeeds, and says\n%s", said)
	}
	if m := internals.FindString(said); m != "" {
		t.Errorf("it says %q:\n%.2000s", m, said)
	}
	if len(said) > maxWords {
		t.Errorf("it says %d bytes, which begin with\n%.500s", len(said), said)
	}
	if !readable(said) {
		t.Errorf("it sends to the terminal %.500q", said)
	}
	if status != 0 && stdout.Len() > 0 && !c.output {
		t.Errorf("it fails, and writes\n%.300s", stdout.String())
	}
	if left := list(t, temp); left != nil {
		t.Errorf("temporary files left behind: %v", left)
	}
	if left := list(t, work); status != 0 && left != nil {
		t.Errorf("it fails, and leaves %v", left)
	} else if slices.ContainsFunc(left, func(f string) bool { return strings.HasSuffix(f, ".tmp") }) {
		t.Errorf("it leaves %v", left)
	}
}

// readable reports whether text is safe to show on a terminal.
func readable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f })
}

// list names the files of a folder.
func list(t *testing.T, dir string) (names []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
