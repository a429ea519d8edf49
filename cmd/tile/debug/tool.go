package debug

import (
	"context"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/internal/tooling/debug"
	"github.com/tilewright/tilewright/internal/tooling/debug/dapserver"
)

const name = "tile debug"

// A config is what the command line says.
type config struct {
	listen   string
	python   string
	kernels  []string
	block    string
	entry    bool
	strict   bool
	ir       bool
	fakeCUDA bool
	module   bool
	gpu      string
	launch   runtool.LaunchFlags
	about    cli.About
	flags    *pflag.FlagSet

	target    string // what to debug; "": the client says it
	arguments []string
	texts     map[string][]byte // sources that are no files
}

func newConfig() *config {
	c := &config{flags: cli.NewFlags(name, nil), texts: make(map[string][]byte)}
	fs := c.flags
	fs.StringVar(&c.listen, "listen", "", "wait for one client at `HOST:PORT`; without it the client is on standard input and output")
	fs.StringVar(&c.block, "tile-block", "", "stop in the tile block `X,Y,Z` only; all run")
	fs.BoolVar(&c.entry, "stop-on-entry", false, "stop at the first operation")
	fs.BoolVar(&c.strict, "strict", false, "what the specification leaves undefined is an error")
	fs.BoolVar(&c.ir, "ir", false, "step through the text of Tile IR, not through the sources that it comes from")
	c.launch.Define(fs)
	fs.StringVar(&c.python, "python", "python3", "run programs by this `COMMAND`, which has the package tilewright")
	fs.StringArrayVar(&c.kernels, "kernel", nil, "of a program, debug the kernel `NAME` only; may be repeated")
	fs.BoolVar(&c.fakeCUDA, "fake-cuda", false, "of a program, take PyTorch's tensors of the CPU for those on \"cuda\"")
	fs.BoolVar(&c.module, "module", false, "the program is the name of a module")
	fs.StringVar(&c.gpu, "gpu-name", "", "the `GPU` that a program sees")
	c.about.Define(fs)
	return c
}

func (c *config) tool() *cli.Tool {
	return &cli.Tool{Name: name, Summary: "debug kernels in the interpreter, for clients of the Debug Adapter Protocol", Flags: c.flags,
		Usage: []cli.Line{
			{Command: " [flags]", Does: "debug what the client names in its request to launch"},
			{Command: " [flags] PROG.py [-- ARGUMENT...]", Does: "debug the kernels of a cuTile program, in the launches that it makes"},
			{Command: " [flags] CASE.json|FOLDER", Does: "debug the kernel of a numeric case"},
			{Command: " [flags] MODULE --grid X,Y,Z --arg ...", Does: "debug a kernel of a module"},
		},
		Examples: []cli.Line{
			{Command: " --listen 127.0.0.1:5678 prog.py"},
			{Command: " --tile-block 3,0,0 --stop-on-entry case.json"},
		},
		Groups: []cli.Group{
			{Title: "The session", Flags: []string{"listen", "tile-block", "stop-on-entry", "strict", "ir"}},
			{Title: "The program", Flags: []string{"python", "kernel", "fake-cuda", "module", "gpu-name"}},
		}}
}

// Main runs the command and returns its exit status. args are without its name.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Checked(name, stdout, stderr, func(stdout io.Writer) int { return run(ctx, args, stdin, stdout, stderr) })
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int {
		cli.Complain(stderr, name, cli.Why(ctx, err))
		return status
	}
	c := newConfig()
	if status, done := c.tool().Begin(args, &c.about, stdout, fail); done {
		return status
	}
	targets := c.flags.Args()
	if at := c.flags.ArgsLenAtDash(); at >= 0 {
		targets, c.arguments = targets[:at], targets[at:]
	}
	if len(targets) > 1 && isProgram(targets[0]) && c.arguments == nil {
		targets, c.arguments = targets[:1], targets[1:]
	}
	if len(targets) > 1 {
		return fail(cli.Usage, fmt.Errorf("one thing is debugged at a time, but got '%s'", strings.Join(targets, "', '")))
	}
	block, err := blockOf(c.block)
	if err != nil {
		return fail(cli.Usage, err)
	}
	if len(targets) == 1 {
		c.target = targets[0]
	}
	in, out := stdin, stdout
	if c.listen != "" {
		conn, err := c.accept(ctx, stderr)
		if err != nil {
			return fail(cli.Rejected, err)
		}
		defer conn.Close()
		defer context.AfterFunc(ctx, func() { conn.Close() })()
		in, out = conn, conn
	}
	err = dapserver.Serve(ctx, in, out, dapserver.Config{
		Load: func(ctx context.Context, l *dapserver.Launch, console func(string)) ([]*debug.Kernel, error) {
			l.StopOnEntry, l.Strict, l.IR = l.StopOnEntry || c.entry, l.Strict || c.strict, l.IR || c.ir
			if l.Block == nil {
				l.Block = block
			}
			return c.load(ctx, l, console)
		},
		Texts: func(file string) []byte { return c.texts[file] },
	})
	if err != nil {
		return fail(cli.Rejected, err)
	}
	return cli.OK
}

// blockOf reads the number of a tile block, whose last coordinates may be left out.
func blockOf(text string) (at []uint32, err error) {
	if text == "" {
		return nil, nil
	}
	parts := strings.Split(text, ",")
	if len(parts) > 3 {
		return nil, fmt.Errorf("--tile-block has %d numbers, expected at most 3", len(parts))
	}
	for _, p := range parts {
		n, err := strconv.ParseUint(strings.TrimSpace(p), 10, 31)
		if err != nil {
			return nil, fmt.Errorf("--tile-block: got %q, expected a number such as 3", p)
		}
		at = append(at, uint32(n))
	}
	return at, nil
}

// accept waits for one client. An address without a host is one of this machine, which others do not reach.
func (c *config) accept(ctx context.Context, stderr io.Writer) (net.Conn, error) {
	host, port, err := net.SplitHostPort(c.listen)
	if err != nil {
		return nil, fmt.Errorf("--listen: %w", err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	defer l.Close()
	defer context.AfterFunc(ctx, func() { l.Close() })()
	fmt.Fprintf(stderr, "%s: listening on %s\n", name, l.Addr())
	conn, err := l.Accept()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return conn, err
}
