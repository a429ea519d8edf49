package ptxas

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/tilewright/tilewright/internal/leaf/cleanup"
	"github.com/tilewright/tilewright/internal/leaf/lazy"
)

// Options say how to assemble.
type Options struct {
	Arch           string   // spelling of the target, such as sm_90a
	OptLevel       int      // 0 to 3
	LineInfo       bool     // keep source lines
	Debug          bool     // keep full debug information
	ExtendedShared bool     // allow static shared memory above 48 KiB under every spelling
	Extra          []string // further arguments, as they are
}

func (o Options) args() []string {
	args := []string{"--verbose", "--gpu-name", o.Arch, "--opt-level", strconv.Itoa(o.OptLevel)}
	if o.LineInfo {
		args = append(args, "--generate-line-info")
	}
	if o.Debug {
		args = append(args, "--device-debug")
	}
	if o.ExtendedShared {
		args = append(args, "--enable-extended-smem=true")
	}
	return append(args, o.Extra...)
}

// Result is what the assembler made.
type Result struct {
	Cubin    []byte
	Entries  []Stats
	Warnings []Diagnostic
}

// killDelay is how long a killed assembler may hold its output open before it is given up.
const killDelay = 2 * time.Second

// Assemble turns PTX into a cubin. An input that the assembler rejects gives an [*Error]; a context that ends gives
// the context's error.
func (t *Tool) Assemble(ctx context.Context, ptx []byte, o Options) (*Result, error) {
	dir, remove, err := cleanup.TempDir("tilewright-ptxas-")
	if err != nil {
		return nil, fmt.Errorf("assembling PTX: %w", err)
	}
	defer remove()
	in, out := filepath.Join(dir, "module.ptx"), filepath.Join(dir, "module.cubin")
	if err := os.WriteFile(in, ptx, 0o600); err != nil {
		return nil, fmt.Errorf("assembling PTX: %w", err)
	}
	log, err := t.run(ctx, append(o.args(), in, "-o", out)...)
	// Messages name the folder, which is different in every run and gone afterwards.
	log = bytes.ReplaceAll(log, []byte(dir+string(filepath.Separator)), nil)
	messages, entries := parseLog(log)
	if err != nil {
		return nil, failure(ctx, err, log, messages, ptx)
	}
	cubin, err := os.ReadFile(out)
	if err != nil {
		return nil, fmt.Errorf("ptxas succeeded without output: %w", err)
	}
	if len(cubin) == 0 {
		return nil, errors.New("ptxas succeeded with an empty output")
	}
	return &Result{Cubin: cubin, Entries: entries, Warnings: quote(messages, ptx)}, nil
}

// run runs the assembler and returns what it printed.
func (t *Tool) run(ctx context.Context, args ...string) ([]byte, error) {
	// The kernel ties the child's life to the thread that starts it, so that thread must not go away before the child.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, t.Path, args...)
	cmd.WaitDelay = killDelay
	cmd.SysProcAttr = dieWithParent()
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	err := cmd.Run()
	return log.Bytes(), err
}

// failure explains why a run failed: the context ended, the input was rejected, or the program could not do its work.
func failure(ctx context.Context, err error, log []byte, messages []Diagnostic, ptx []byte) error {
	if ctx.Err() != nil {
		return fmt.Errorf("ptxas was stopped: %w", context.Cause(ctx))
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(messages) > 0 {
		return &Error{Diagnostics: quote(messages, ptx)}
	}
	if text := bytes.TrimSpace(log); len(text) > 0 {
		return fmt.Errorf("running ptxas: %w: %s", err, text)
	}
	return fmt.Errorf("running ptxas: %w", err)
}

var versionText = lazy.Regexp(`V\d+\.\d+\.\d+`)

// Version returns the assembler's version, such as "V13.5.37".
func (t *Tool) Version(ctx context.Context) (string, error) {
	log, err := t.run(ctx, "--version")
	if err != nil {
		return "", fmt.Errorf("asking ptxas for its version: %w", err)
	}
	v := versionText().Find(log)
	if v == nil {
		return "", fmt.Errorf("no version in the answer of %s", t.Path)
	}
	return string(v), nil
}
