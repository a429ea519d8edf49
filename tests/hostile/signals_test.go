//go:build unix

package hostile

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tilewright/tilewright/internal/testing/scratch"
	"github.com/tilewright/tilewright/tests/programs"
)

// TestSignals ends tools in the middle of their work. They say why, with the exit status that shells know, and leave
// nothing behind.
func TestSignals(t *testing.T) {
	t.Parallel()
	dir, in := programs.Install(t), t.TempDir()
	makeInputs(t, in)
	// A PTX assembler and a test that take their time, so that there is a temporary folder to be left behind.
	scratch.Script(t, in, "slow.sh", "#!/bin/sh\necho started >&2\n[ \"$1\" = --version ] && echo V1.2.3 && exit\ntouch "+in+"/started.$PPID\nexec sleep 60\n")
	for _, command := range []string{
		"tile-run IN/endless.mlir --entry=k --grid=1",
		"tile-run IN/endless.mlir --entry=k --grid=1 --engine=ptx -O0",
		"tilec IN/k.mlir -o out.cubin --ptxas=IN/slow.sh",
		"tileiras IN/matmul_f16/k.tileirbc --gpu-name=sm_90 -o out.cubin --ptxas=IN/slow.sh",
		"tile-reduce --test=IN/slow.sh IN/k.mlir -o out.mlir",
		"tile-opt --cse < IN/forever",
		"tile-view IN/k.mlir",
	} {
		for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
			t.Run(sig.String()+" "+command, func(t *testing.T) {
				t.Parallel()
				work, temp := t.TempDir(), t.TempDir()
				line := strings.Fields(strings.ReplaceAll(command, "IN/", in+"/"))
				cmd := exec.Command(filepath.Join(dir, line[0]), line[1:]...)
				if i := len(line) - 2; line[i] == "<" {
					r, w, err := os.Pipe()
					if err != nil {
						t.Fatal(err)
					}
					defer w.Close()
					defer r.Close()
					cmd.Args, cmd.Stdin = cmd.Args[:i], r
				}
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				cmd.Dir, cmd.Env = work, append(os.Environ(), "TMPDIR="+temp)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(300 * time.Millisecond) // it is in its work by then, or before it; both must do
				if err := cmd.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
				done := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() })
				_ = cmd.Wait() // the exit status tells
				done.Stop()
				if got, want := cmd.ProcessState.ExitCode(), 128+int(sig); got != want {
					t.Errorf("exit status %d, want %d\n%s", got, want, &stderr)
				}
				if m := internals.FindString(stderr.String()); m != "" {
					t.Errorf("it says %q:\n%s", m, &stderr)
				}
				if left := list(t, temp); left != nil {
					t.Errorf("temporary files left behind: %v", left)
				}
				if left := list(t, work); left != nil {
					t.Errorf("left behind: %v", left)
				}
			})
		}
	}
}

// TestClosedPipe closes the pipe that a tool writes to, as head does.
func TestClosedPipe(t *testing.T) {
	t.Parallel()
	dir := programs.Install(t)
	for _, command := range []string{"tile-run --demo", "tile-opt --list-passes --json", "tile-opt --help", "tile-run --help"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			temp := t.TempDir()
			line := strings.Fields(command)
			cmd := exec.Command(filepath.Join(dir, line[0]), line[1:]...)
			cmd.Env = append(os.Environ(), "TMPDIR="+temp)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			cmd.Stdout = w
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			_ = w.Close() // the child has its own
			if _, err := bufio.NewReaderSize(r, 16).ReadByte(); err != nil {
				t.Fatal(err)
			}
			_ = r.Close() // what is lost is what the test is about
			_ = cmd.Wait()
			if stderr.Len() > 0 {
				t.Errorf("it says\n%s", &stderr)
			}
			if left := list(t, temp); left != nil {
				t.Errorf("temporary files left behind: %v", left)
			}
		})
	}
}
