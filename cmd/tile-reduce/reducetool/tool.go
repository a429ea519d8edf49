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

	"github.com/spf13/pflag"

	"github.com/tilewright/tilewright/internal/cleanup"
	"github.com/tilewright/tilewright/internal/cli"
	"github.com/tilewright/tilewright/pipeline/check/shrink"
)

const name = "tile-reduce"

// A config is what the command line says.
type config struct {
	test     string
	testArgs []string
	output   string
	maxTests int
	timeout  time.Duration
	quiet    bool
	input    string
	about    cli.About

	flags *pflag.FlagSet
}

func newConfig() *config {
	c := &config{flags: cli.NewFlags(name, nil)}
	fs := c.flags
	fs.StringVar(&c.test, "test", "", "the `PROGRAM` that says with exit status 0 that a file is interesting")
	fs.StringArrayVar(&c.testArgs, "test-arg", nil, "an `ARGUMENT` for the program, before the path of the file")
	fs.StringVarP(&c.output, "output", "o", "-", "write the reduced module to `FILE`")
	fs.IntVar(&c.maxTests, "max-tests", 0, "stop after `N` runs of the program; 0: no limit")
	fs.DurationVar(&c.timeout, "timeout", time.Minute, "a run of the program that takes longer than `TIME` is not interesting")
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
	case c.test == "":
		return nil, errors.New("--test is missing: it names the program that says what is interesting")
	case c.maxTests < 0:
		return nil, fmt.Errorf("--max-tests must not be negative, but got %d", c.maxTests)
	case c.timeout <= 0:
		return nil, fmt.Errorf("--timeout must be positive, but got %v", c.timeout)
	}
	return c, cli.CheckOutput(c.input, c.output)
}

// tool is what the tool says of itself.
func (c *config) tool() *cli.Tool {
	return &cli.Tool{Name: name, Summary: "shrink a module while a program of yours finds it interesting", Flags: c.flags,
		Usage:    []cli.Line{{Command: " --test PROGRAM [flags] [FILE]"}},
		Examples: []cli.Line{{Command: " --test=./crashes.sh k.mlir -o small.mlir", Does: "keep what the script ends with status 0 for"}}}
}

// Main runs the tool and returns its exit status. args are without the program's name.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Checked(name, stdout, stderr, func(stdout io.Writer) int { return run(ctx, args, stdin, stdout, stderr) })
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int {
		fmt.Fprintf(stderr, "%s: error: %v\n", name, cli.Why(ctx, err))
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
	file, data, err := cli.Read(c.input, stdin)
	if err != nil {
		return fail(cli.Rejected, err)
	}
	dir, remove, err := cleanup.TempDir(name + "-")
	if err != nil {
		return fail(cli.Rejected, err)
	}
	defer remove()
	candidate := filepath.Join(dir, "candidate.mlir")
	opts := shrink.Options{MaxTests: c.maxTests, Interesting: func(ctx context.Context, text []byte) (bool, error) {
		if err := os.WriteFile(candidate, text, 0o666); err != nil {
			return false, err
		}
		return c.interesting(ctx, candidate)
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
