package hostile

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/tests/programs"
	"golang.org/x/sys/unix"
)

// terminal opens a pseudo terminal: the end that a program has as its terminal, and the one that sees what is shown.
func terminal(t *testing.T) (program, screen *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("this machine has no pseudo terminals: %v", err)
	}
	t.Cleanup(func() { screen.Close() })
	n, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	if program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	return program, screen
}

// TestTerminal calls tools on a terminal: bytes that are no text do not go there.
func TestTerminal(t *testing.T) {
	t.Parallel()
	dir, in := programs.Install(t), t.TempDir()
	makeInputs(t, in)
	for command, want := range map[string]string{
		"tile-translate --mlir-to-cudatilebc IN/k.mlir": "bytecode is no text",
		"tilec IN/k.mlir --emit=cubin -o -":             "a cubin is no text",
		"tile-opt IN/garbage.bin":                       "unexpected character",
		"tile-opt IN/escape.mlir":                       `\x1b[31m`,
		"tile-run IN/counts.mlir --entry=k --grid=1000000 --engine=ptx -O0 --timeout=3s": "/1000000",
		"tile-run IN/matmul_f16 --engine=ptx":                                            "ok",
		"tile-run IN/matmul_f16/k.tileirbc --entry=none --grid=1":                        "has no entry",
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			program, screen := terminal(t)
			line := strings.Fields(strings.ReplaceAll(command, "IN/", in+"/"))
			cmd := exec.Command(filepath.Join(dir, line[0]), line[1:]...)
			cmd.Stdout, cmd.Stderr = program, program
			cmd.Env = append(os.Environ(), "TERM=xterm", "NO_COLOR=1")
			cmd.Dir = t.TempDir()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			_ = program.Close() // the child has its own
			var shown bytes.Buffer
			_, _ = io.Copy(&shown, screen) // it ends with an error when the child has closed its end
			_ = cmd.Wait()                 // what it says is what counts
			if !strings.Contains(shown.String(), want) {
				t.Errorf("it shows\n%.1000q\nwant %q", shown.String(), want)
			}
			plain := strings.NewReplacer("\r", "", "\x1b[2K", "", "\x1b[K", "").Replace(shown.String())
			if !readable(plain) {
				t.Errorf("it shows %.500q", plain)
			}
		})
	}
}
