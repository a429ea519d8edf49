package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/internal/tooling/syncreport"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
)

const name = "tile check"

// unsupported is the exit status for PTX that has what the emulator lacks, so that nothing is claimed. The others are
// cli.OK (nothing found), cli.Rejected (a finding) and cli.Usage.
const unsupported = 3

// patience bounds a launch unless --timeout does.
const patience = 2 * time.Minute

type config struct {
	launch        runtool.LaunchFlags
	from          string // a numeric case with the launch
	format        string
	timeout       time.Duration
	maxSteps      uint64
	uninitialized bool
	log           string
	flags         *pflag.FlagSet
}

func newConfig() *config {
	c := &config{flags: cli.NewFlags(name, nil)}
	fs := c.flags
	fs.StringVar(&c.from, "launch", "", "take grid and arguments from this numeric case, `CASE.json`, whose module is not looked at")
	c.launch.Define(fs)
	fs.StringVar(&c.format, "format", "text", "write the report as `text|json|sarif`")
	fs.DurationVar(&c.timeout, "timeout", patience, "stop the launch after this `TIME`, and say where each warp stands")
	fs.Uint64Var(&c.maxSteps, "max-steps", 0, "stop the launch after `N` warp instructions; 0: no limit of one's own")
	fs.BoolVar(&c.uninitialized, "allow-uninitialized", false, "let registers that are read before they are written hold zeros, as PTX out of a cubin needs it")
	cli.DefineLog(fs, &c.log, "the launch does")
	return c
}

func (c *config) tool() *cli.Tool {
	return &cli.Tool{Name: name, Summary: "prove that the synchronization of PTX is right, or say where it is not", Flags: c.flags,
		Usage: []cli.Line{
			{Command: " K.ptx --grid X,Y,Z --arg ...", Does: "check a launch of a kernel; status 1: something is found, 3: the PTX has what the emulator lacks"},
			{Command: " K.ptx --launch CASE.json", Does: "the same, with grid and arguments of a numeric case"},
		},
		Examples: []cli.Line{
			{Command: " k.ptx --grid=4 --arg=f32[1024]=random --arg=i32:1024"},
			{Command: " k.ptx --grid=8 --block=128 --shared-bytes=65536 --arg=f16:a.npy --format=sarif"},
		},
		Groups: []cli.Group{
			{Title: "The launch", Flags: []string{"launch", "entry", "grid", "block", "cluster", "shared-bytes", "arg", "array", "segment", "allow-uninitialized", "timeout", "max-steps"}},
			{Title: "The report", Flags: []string{"format"}},
		}}
}

// Main runs the command and returns its exit status. args are those behind its name.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Checked(name, stdout, stderr, func(stdout io.Writer) int { return run(ctx, args, stdin, stdout, stderr) })
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int {
		cli.Complain(stderr, name, cli.Why(ctx, err))
		return status
	}
	c := newConfig()
	if status, done := c.tool().Begin(args, nil, stdout, fail); done {
		return status
	}
	if err := c.check(); err != nil {
		return fail(cli.Usage, err)
	}
	ctx, err := cli.WithLog(ctx, stderr, c.log)
	if err != nil {
		return fail(cli.Usage, err)
	}
	file, data, err := cli.Read(c.flags.Arg(0), stdin)
	if err != nil {
		return fail(cli.Usage, err)
	}
	if !emulate.IsPTX(data) {
		return fail(cli.Usage, fmt.Errorf("'%s' is no PTX, which begins with '.version'", file))
	}
	e, err := emulate.New(file, data)
	if err != nil {
		return fail(unsupported, fmt.Errorf("%w\n    so nothing is claimed about '%s'", err, file))
	}
	req, err := c.request(file, e)
	if err != nil {
		return fail(cli.Usage, err)
	}
	r, err := c.launchOf(ctx, e, file, req)
	if err != nil {
		return fail(cli.Usage, err)
	}
	if err := r.Write(stdout, c.format); err != nil {
		return fail(cli.Rejected, err)
	}
	if r.Verdict == syncreport.OK {
		return cli.OK
	}
	return cli.Rejected
}

// check rejects a command line that makes no sense.
func (c *config) check() error {
	switch {
	case c.flags.NArg() != 1:
		return fmt.Errorf("expected one file of PTX, but got %d; '%s --help' says more", c.flags.NArg(), name)
	case !slices.Contains(syncreport.Formats, c.format):
		return fmt.Errorf("unknown format '%s'%s; formats: %s", c.format, suggest.DidYouMean(c.format, syncreport.Formats), suggest.List(syncreport.Formats))
	case c.timeout <= 0:
		return fmt.Errorf("--timeout must be positive, but got %v", c.timeout)
	case c.from == "" && !c.flags.Changed("grid"):
		return fmt.Errorf("a launch needs --grid, or --launch")
	}
	if c.from != "" {
		for _, f := range []string{"grid", "arg", "array", "segment"} {
			if c.flags.Changed(f) {
				return fmt.Errorf("--%s does nothing with --launch, which has it", f)
			}
		}
	}
	return nil
}

// request is the launch that the command line describes.
func (c *config) request(file string, e *emulate.Engine) (*launch.Request, error) {
	if c.from == "" {
		return c.launch.PTX(file, e)
	}
	k, err := launch.LoadCase(c.from)
	if err != nil {
		return nil, err
	}
	req := k.Request()
	return req, c.launch.Kernel(file, e, req)
}

// launchOf runs the launch. The error is one of the launch and not of its kernel.
func (c *config) launchOf(ctx context.Context, e *emulate.Engine, file string, req *launch.Request) (*syncreport.Report, error) {
	if err := req.OneDevice(); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	e.Sync, e.MaxSteps, e.AllowUninitialized = new(emu.SyncReport), c.maxSteps, c.uninitialized
	err := e.Run(limited, req)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if u := (*launch.Unfinished)(nil); errors.As(err, &u) && errors.Is(err, context.DeadlineExceeded) {
		u.Err = fmt.Errorf("the launch took longer than %v", c.timeout)
	}
	r := syncreport.New(file, req.Entry, e.Sync, err)
	if r == nil {
		return nil, err
	}
	return r, nil
}
