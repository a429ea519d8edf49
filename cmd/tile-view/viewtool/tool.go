package viewtool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/cmd/tile-view/view"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
)

const name = "tile-view"

type config struct {
	file    string
	port    int
	initial view.Flags
	sources []string
	python  string
	kernels []string
	module  bool
	fake    bool
	ptxas   string
	log     string
	about   cli.About
	flags   *pflag.FlagSet
}

func newConfig() *config {
	c := &config{flags: cli.NewFlags(name, nil)}
	fs := c.flags
	fs.IntVar(&c.port, "port", 0, "the `PORT` of the loopback interface to listen at; 0: one that is free")
	fs.StringVar(&c.initial.GPU, "gpu-name", "", "compile for this `GPU` at first: "+strings.Join(sm.Names(), ", "))
	fs.IntVarP(&c.initial.OptLevel, "opt-level", "O", 3, "optimise at this `LEVEL` at first: 0 to 3")
	fs.IntVar(&c.initial.Stages, "num-stages", 0, "how many stages software pipelines have at first; 0: the scheduler decides")
	fs.StringSliceVar(&c.initial.Disabled, "disable-pass", nil, "leave out these `PASSES` at first")
	fs.StringArrayVar(&c.sources, "sources", nil, "also show sources from this `FOLDER` when a location names them; those beside the kernel are shown")
	fs.StringVar(&c.ptxas, "ptxas", "", "assemble with this `PROGRAM`; by default the one that tilec finds")
	fs.StringVar(&c.python, "python", "python3", "run Python programs with this `PROGRAM`, which has the package tilewright")
	fs.StringArrayVar(&c.kernels, "kernel", nil, "of a Python program: show this kernel, by its `NAME` in the program; by default all")
	fs.BoolVar(&c.module, "module", false, "the Python program is the name of a module")
	fs.BoolVar(&c.fake, "fake-cuda", false, "a Python program gets PyTorch's tensors of the CPU for those on \"cuda\"")
	cli.DefineLog(fs, &c.log, "the compiler does")
	c.about.Define(fs)
	return c
}

func (c *config) tool() *cli.Tool {
	return &cli.Tool{Name: name, Summary: "show what becomes of a kernel in a browser, and compile again as the file or the flags change", Flags: c.flags,
		Usage: []cli.Line{{Command: " [flags] FILE", Does: "print the address of the page, and serve it until interrupted"},
			{Command: " [flags] PROG.py [ARGUMENTS]", Does: "the same for the kernels that a Python program launches, again as it is saved"}},
		Examples: []cli.Line{{Command: " k.tileirbc --gpu-name=sm_90", Does: "then open the address that is printed"}}}
}

// Main runs the tool and returns its exit status. args are without the program's name.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return cli.Checked(name, stdout, stderr, func(stdout io.Writer) int { return run(ctx, args, stdout, stderr) })
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int {
		cli.Complain(stderr, name, cli.Why(ctx, err))
		return status
	}
	c := newConfig()
	if status, done := c.tool().Begin(args, &c.about, stdout, fail); done {
		return status
	}
	if err := c.check(); err != nil {
		return fail(cli.Usage, err)
	}
	ctx, err := cli.WithLog(ctx, stderr, c.log)
	if err != nil {
		return fail(cli.Usage, err)
	}
	opts := view.Options{File: c.file, Flags: c.initial, Sources: append(c.sources, filepath.Dir(c.file))}
	if c.isProgram() {
		p, err := c.program(ctx)
		if p != nil {
			defer os.RemoveAll(p.Folder)
		}
		if err != nil {
			return fail(cli.Rejected, err)
		}
		opts.Program, opts.File = p, p.File()
		for _, file := range p.Watched() {
			opts.Sources = append(opts.Sources, filepath.Dir(file))
		}
	} else if info, err := os.Stat(c.file); err != nil { // asked first, as reading a pipe again would wait
		return fail(cli.Rejected, fmt.Errorf("cannot read '%s': %w", c.file, err))
	} else if !info.Mode().IsRegular() {
		return fail(cli.Rejected, fmt.Errorf("'%s' is no plain file", c.file))
	}
	if found, err := ptxas.Find(c.ptxas); err == nil {
		opts.Assembler = found
	} else if c.ptxas != "" {
		return fail(cli.Usage, err)
	}
	s, err := view.Listen(c.port, opts)
	if err != nil {
		return fail(cli.Rejected, err)
	}
	fmt.Fprintln(stdout, s.URL())
	if err := s.Serve(ctx); err != nil {
		return fail(cli.Rejected, err)
	}
	return cli.OK
}

// check looks at what the command line says.
func (c *config) check() error {
	files := c.flags.Args()
	switch {
	case len(files) != 1 && !c.isProgram():
		return fmt.Errorf("one file is expected, but got %d", len(files))
	case files[0] == "-":
		return errors.New("standard input cannot be watched: name a file")
	case c.port < 0 || c.port > 65535:
		return fmt.Errorf("--port must be 0 to 65535, but got %d", c.port)
	}
	for _, dir := range c.sources {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return fmt.Errorf("--sources must name a folder, but got '%s'", dir)
		}
	}
	c.file = files[0]
	return c.initial.Check()
}

// isProgram reports whether the first argument is a Python program.
func (c *config) isProgram() bool {
	return c.flags.NArg() > 0 && (c.module || strings.HasSuffix(c.flags.Arg(0), ".py"))
}

// program runs a Python program for the first time, so that one that fails ends the tool. The folder of what is
// returned is to be removed.
func (c *config) program(ctx context.Context) (*view.Program, error) {
	if _, err := os.Stat(c.file); err != nil && !c.module {
		return nil, fmt.Errorf("cannot read '%s': %w", c.file, err)
	}
	folder, err := os.MkdirTemp("", "tile-view")
	if err != nil {
		return nil, err
	}
	p := &view.Program{Name: c.file, Python: c.python, Folder: folder, Arguments: c.flags.Args()[1:]}
	if c.initial.GPU != "" {
		p.Flags = append(p.Flags, "--gpu="+c.initial.GPU)
	}
	for _, k := range c.kernels {
		p.Flags = append(p.Flags, "--kernel="+k)
	}
	if c.module {
		p.Flags = append(p.Flags, "-m")
	}
	if c.fake {
		p.Flags = append(p.Flags, "--fake-cuda")
	}
	return p, p.Make(ctx)
}
