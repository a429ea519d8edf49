package debug

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tilewright/tilewright/internal/leaf/cleanup"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/internal/tooling/debug"
	"github.com/tilewright/tilewright/internal/tooling/debug/dapserver"
	"github.com/tilewright/tilewright/internal/tooling/why"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/ir/source"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// binEnv tells the Python package where the tools are.
const binEnv = "TILEWRIGHT_BIN"

// The files that the Python package writes beside the cases of a program.
const (
	casesFile     = "cases.txt"
	argumentsFile = "arguments.json"
)

// isProgram reports whether a path is that of a Python program.
func isProgram(path string) bool { return strings.HasSuffix(path, ".py") }

// load returns the kernels that a launch means.
func (c *config) load(ctx context.Context, l *dapserver.Launch, console func(string)) ([]*debug.Kernel, error) {
	target, args := c.target, c.arguments
	switch {
	case target == "" && c.listen != "" && l.Program != "":
		// Whoever reaches the port would run what they like.
		return nil, fmt.Errorf("a debugger that listens debugs what its command line names, which names nothing")
	case target == "" && l.Program == "":
		return nil, fmt.Errorf("neither the command line nor the client names what to debug")
	case target == "":
		target, args = l.Program, l.Args
		if l.Cwd != "" && !filepath.IsAbs(target) {
			target = filepath.Join(l.Cwd, target)
		}
	}
	switch info, err := os.Stat(target); {
	case isProgram(target) || c.module:
		return c.program(ctx, l, target, args, console)
	case err != nil:
		return nil, err
	case info.IsDir() || strings.HasSuffix(target, ".json"):
		k, err := c.readCase(l, target)
		if err != nil {
			return nil, err
		}
		return []*debug.Kernel{k}, nil
	}
	data, err := cli.ReadFile(target)
	if err != nil {
		return nil, err
	}
	module, err := read(target, data)
	if err != nil {
		return nil, err
	}
	req, err := c.launch.Module(target, module)
	if err != nil {
		return nil, err
	}
	k, err := c.kernel(l, &debug.Launch{Name: req.Entry, Module: module, Request: req.Clone}, filepath.Dir(target))
	if err != nil {
		return nil, err
	}
	return []*debug.Kernel{k}, nil
}

// read reads a module. An error says what is wrong with it.
func read(name string, data []byte) (ir.Op, error) {
	ctx := tileir.NewContext()
	var said bytes.Buffer
	ctx.Diag.Push(ctx.Diag.PrintTo(&said))
	module, err := tileir.Read(ctx, name, data)
	if err != nil {
		return ir.Op{}, errors.Join(err, errors.New(strings.TrimSpace(said.String())))
	}
	return module, nil
}

// readCase reads a case, with what its parameters are if the Python package has written it.
func (c *config) readCase(l *dapserver.Launch, path string) (*debug.Kernel, error) {
	k, err := launch.LoadCase(path)
	if err != nil {
		return nil, err
	}
	data, err := k.ReadModule()
	if err != nil {
		return nil, err
	}
	folder := filepath.Dir(k.Path)
	module, err := read(filepath.Join(folder, k.Module), data)
	if err != nil {
		return nil, err
	}
	out := &debug.Launch{Name: k.Name, Module: module, Request: k.Request}
	if said, err := why.ReadArguments(filepath.Join(folder, argumentsFile)); err == nil {
		kernel := said[k.Entry]
		if out.Arguments = kernel.Parameters; kernel.Name != "" {
			out.Name = kernel.Name
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return c.kernel(l, out, l.Cwd)
}

// kernel prepares a launch. An entry that comes from no source is shown as the text of its module.
func (c *config) kernel(l *dapserver.Launch, k *debug.Launch, folder string) (*debug.Kernel, error) {
	req := k.Request()
	if err := req.Validate(); err != nil {
		return nil, err
	}
	hasPlaces := false
	k.Module.Walk(func(op ir.Op) ir.WalkResult {
		if interp.IsEntry(op) && op.SymbolName() == req.Entry {
			hasPlaces = debug.HasPlaces(op)
			return ir.Interrupt
		}
		return ir.Advance
	})
	if l.IR || !hasPlaces {
		text := []byte(asm.String(k.Module) + "\n")
		name := fmt.Sprintf("%s.%d.mlir", k.Name, len(c.texts)+1)
		module, err := read(name, text)
		if err != nil {
			return nil, err
		}
		k.Module, c.texts[name] = module, text
	}
	reader := new(source.Reader)
	k.Text = func(file string) []byte {
		if !filepath.IsAbs(file) && folder != "" {
			file = filepath.Join(folder, file)
		}
		return reader.Text(file)
	}
	return debug.NewKernel(k)
}

// program runs a Python program, which records its launches, and returns their kernels in the order of the launches. A
// program that fails is debugged as far as it came.
func (c *config) program(ctx context.Context, l *dapserver.Launch, program string, args []string, console func(string)) ([]*debug.Kernel, error) {
	dir, err := os.MkdirTemp("", "tile-debug-")
	if err != nil {
		return nil, err
	}
	forget := cleanup.Add(dir)
	defer func() { os.RemoveAll(dir); forget() }()
	folder := filepath.Join(dir, "launches")
	line := []string{"-m", "tilewright", "export", "--cases", "--output", folder}
	for _, k := range slices.Concat(c.kernels, l.Kernels) {
		line = append(line, "--kernel", k)
	}
	if c.gpu != "" {
		line = append(line, "--gpu", c.gpu)
	}
	for flag, set := range map[string]bool{"--fake-cuda": c.fakeCUDA, "--strict": l.Strict, "-m": c.module} {
		if set {
			line = append(line, flag)
		}
	}
	cmd := exec.CommandContext(ctx, c.python, append(append(line, program), args...)...)
	said := &said{console: console}
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = l.Cwd, said, said, time.Second
	cmd.Env = os.Environ()
	if os.Getenv(binEnv) == "" {
		if self, err := os.Executable(); err == nil {
			cmd.Env = append(cmd.Env, binEnv+"="+filepath.Dir(self))
		}
	}
	failed := cmd.Run()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	list, err := os.ReadFile(filepath.Join(folder, casesFile))
	switch {
	case err != nil && strings.Contains(said.tail, "No module named tilewright"):
		return nil, fmt.Errorf("%s has no package tilewright, which runs Python programs: install its wheel, or name another Python with --python", c.python)
	case err != nil && said.tail != "":
		return nil, fmt.Errorf("'%s' has recorded no launch: %s", program, strings.TrimSpace(said.tail))
	case err != nil:
		return nil, fmt.Errorf("'%s' has recorded no launch: %w", program, errors.Join(failed, err))
	case failed != nil:
		console("the program did not end as it should; its kernels can be debugged up to there\n")
	}
	var kernels []*debug.Kernel
	for name := range strings.Lines(string(list)) {
		k, err := c.readCase(l, filepath.Join(folder, filepath.Base(strings.TrimSpace(name))))
		if err != nil {
			return nil, err
		}
		kernels = append(kernels, k)
	}
	return kernels, nil
}

// said passes on what a program prints, and keeps the end of it.
type said struct {
	console func(string)
	tail    string
}

// maxTail bounds what is kept.
const maxTail = 4 << 10

// Write implements io.Writer.
func (s *said) Write(text []byte) (int, error) {
	s.console(string(text))
	s.tail += string(text)
	s.tail = s.tail[max(0, len(s.tail)-maxTail):]
	return len(text), nil
}
