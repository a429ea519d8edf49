package reducetool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/pflag"

	"github.com/tilewright/tilewright/internal/leaf/cleanup"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline/check/shrink"
)

const name = "tile-reduce"

// A config is what the command line says.
type config struct {
	test     string
	check    string
	pipeline string
	gpu      string
	optLevel int
	kase     string
	ptxas    string
	testArgs []string
	output   string
	maxTests int
	timeout  time.Duration
	quiet    bool
	log      string
	input    string
	about    cli.About
	checker  *checker // of --check

	flags *pflag.FlagSet
}

func newConfig() *config {
	c := &config{flags: cli.NewFlags(name, nil)}
	fs := c.flags
	fs.StringVar(&c.test, "test", "", "the `PROGRAM` that says with exit status 0 that a file is interesting")
	fs.StringVar(&c.check, "check", "", "look for what a `CHECK` that is built in finds, instead of asking a program: "+checksHelp())
	fs.StringVar(&c.pipeline, "pass-pipeline", "", "with --check=crashes and --check=invalid: run this `PIPELINE`; by default, the one to PTX")
	fs.StringVar(&c.gpu, "gpu-name", "", "with --check: compile for this `GPU`; by default that which the module names, or else "+passes.DefaultGPU)
	fs.IntVarP(&c.optLevel, "opt-level", "O", 3, "with --check: optimisation `LEVEL`, 0 to 3")
	fs.StringVar(&c.kase, "case", "", "with --check=engines: the numeric case `CASE.json`")
	fs.StringVar(&c.ptxas, "ptxas", "", "with --check=spills: the `PATH` of NVIDIA's PTX assembler")
	fs.StringArrayVar(&c.testArgs, "test-arg", nil, "an `ARGUMENT` for the program, before the path of the file")
	fs.StringVarP(&c.output, "output", "o", "-", "write the reduced module to `FILE`")
	fs.IntVar(&c.maxTests, "max-tests", 0, "stop after `N` runs of the program; 0: no limit")
	fs.DurationVar(&c.timeout, "timeout", time.Minute, "a run of the program that takes longer than `TIME` is not interesting")
	cli.DefineLog(fs, &c.log, "each test finds, and what a compiler that is built in does,")
	c.about.Define(fs)
	fs.BoolVarP(&c.quiet, "quiet", "q", false, "do not say what was kept")
	return c
}

func parse(args []string) (*config, error) {
	c := newConfig()
	if err := cli.Parse(c.flags, args); err != nil {
		return nil, err
	}
	if c.about.Asked() {
		return c, nil
	}
	var err error
	if c.input, err = cli.Input(c.flags.Args()); err != nil {
		return nil, err
	}
	switch {
	case c.test == "" && c.check == "":
		return nil, errors.New("--test is missing: it names the program that says what is interesting; or --check names a test that is built in")
	case c.test != "" && c.check != "":
		return nil, errors.New("--test and --check cannot be combined")
	case c.optLevel < 0 || c.optLevel > 3:
		return nil, fmt.Errorf("optimisation level must be 0 to 3, but got %d", c.optLevel)
	case c.maxTests < 0:
		return nil, fmt.Errorf("--max-tests must not be negative, but got %d", c.maxTests)
	case c.timeout <= 0:
		return nil, fmt.Errorf("--timeout must be positive, but got %v", c.timeout)
	}
	if c.check == "" {
		for _, f := range []string{"pass-pipeline", "gpu-name", "opt-level", "case", "ptxas"} {
			if c.flags.Changed(f) {
				return nil, fmt.Errorf("--%s is for --check", f)
			}
		}
	} else if c.checker, err = newChecker(c); err != nil {
		return nil, err
	}
	return c, cli.CheckOutput(c.input, c.output)
}

// tool is what the tool says of itself.
func (c *config) tool() *cli.Tool {
	return &cli.Tool{Name: name, Summary: "shrink a module while a program of yours, or a check, finds it interesting", Flags: c.flags,
		Usage: []cli.Line{{Command: " --test PROGRAM [flags] [FILE]"}, {Command: " --check CHECK [flags] [FILE]"}},
		Examples: []cli.Line{{Command: " --test=./crashes.sh k.mlir -o small.mlir", Does: "keep what the script ends with status 0 for"},
			{Command: " --check=crashes k.tileirbc -o small.mlir", Does: "keep what a pass crashes on"}}}
}

// Main runs the tool and returns its exit status. args are without the program's name.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Checked(name, stdout, stderr, func(stdout io.Writer) int { return run(ctx, args, stdin, stdout, stderr) })
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int {
		cli.Complain(stderr, name, cli.Why(ctx, err))
		return status
	}
	c, err := parse(args)
	if errors.Is(err, cli.ErrHelp) {
		newConfig().tool().WriteHelp(stdout)
		return cli.OK
	}
	if err != nil {
		return fail(cli.Usage, err)
	}
	if c.about.Asked() {
		if err := c.about.Answer(stdout, c.tool()); err != nil {
			return fail(cli.StatusOf(err, cli.Usage), err)
		}
		return cli.OK
	}
	if ctx, err = cli.WithLog(ctx, stderr, c.log); err != nil {
		return fail(cli.Usage, err)
	}
	file, data, err := cli.Read(c.input, stdin)
	if err != nil {
		return fail(cli.Rejected, err)
	}
	dir, remove, err := cleanup.TempDir(name + "-")
	if err != nil {
		return fail(cli.Rejected, err)
	}
	defer remove()
	if c.checker != nil {
		if err := c.checker.prepare(); err != nil {
			return fail(cli.Rejected, err)
		}
	}
	candidate := filepath.Join(dir, "candidate.mlir")
	interesting := func(ctx context.Context, text []byte) (bool, error) {
		if c.checker != nil {
			return c.checker.interesting(ctx, text)
		}
		if err := os.WriteFile(candidate, text, 0o666); err != nil {
			return false, err
		}
		return c.interesting(ctx, candidate)
	}
	opts := shrink.Options{MaxTests: c.maxTests, Interesting: func(ctx context.Context, text []byte) (bool, error) {
		start := time.Now()
		found, err := interesting(ctx, text)
		zerolog.Ctx(ctx).Debug().Int("bytes", len(text)).Bool("interesting", found).Dur("elapsed", time.Since(start)).Err(err).Msg("tested")
		return found, err
	}}
	if !c.quiet {
		opts.Progress = func(s shrink.Step) {
			fmt.Fprintf(stderr, "%s: %d operations left after test %d (%s)\n", name, s.Operations, s.Tests, s.Change)
		}
	}
	result, err := shrink.Module(ctx, file, data, opts)
	if result != nil {
		if werr := cli.Write(c.output, result.Text, stdout); werr != nil {
			return fail(cli.Rejected, werr)
		}
		fmt.Fprintf(stderr, "%s: from %d to %d operations in %d tests\n", name, result.Before, result.After, result.Tests)
	}
	if err != nil {
		return fail(cli.Rejected, err)
	}
	return cli.OK
}

// interesting runs the user's program on a file.
func (c *config) interesting(ctx context.Context, file string) (bool, error) {
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	cmd := exec.CommandContext(limited, c.test, append(c.testArgs[:len(c.testArgs):len(c.testArgs)], file)...)
	cmd.WaitDelay = time.Second // children of the program may hold its output open
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return true, nil
	case ctx.Err() != nil:
		return false, ctx.Err()
	case errors.As(err, &exit), limited.Err() != nil:
		return false, nil
	}
	var missing *exec.Error
	if errors.As(err, &missing) {
		err = missing.Err
	}
	return false, fmt.Errorf("cannot run --test=%s: %w", c.test, err)
}
