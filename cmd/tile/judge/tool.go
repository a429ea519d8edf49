package judge

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"text/tabwriter"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/target/sm"
)

const name = "tile judge"

//go:embed verdict.schema.json
var schemaText []byte

// A config is what the command line says.
type config struct {
	Options
	json   bool
	schema bool
	python string
	launch runtool.LaunchFlags
	about  cli.About
	flags  *pflag.FlagSet
}

func newConfig() *config {
	c := &config{flags: cli.NewFlags(name, map[string]string{"gpu": "gpu-name"})}
	c.flags.StringSliceVar(&c.GPUs, "gpu-name", []string{"sm_90", "sm_80", "sm_100", "sm_120"}, "compile for these `GPUS`; the first one is that of the estimate")
	c.flags.StringVar(&c.Reference, "reference", "", "what computes the same of the same arguments: the `ENTRY` of the module, with the same grid; of a program the function, of NumPy arrays")
	c.flags.IntVar(&c.Launches, "launches", 8, "draw `N` launches beside the case's own")
	c.flags.BoolVar(&c.Sizes, "sizes", true, "draw smaller sizes too, where the kernel can be asked so; --sizes=false: not")
	c.flags.BoolVar(&c.Bound, "bound", false, "compare with what is expected by a bound that follows from types and lengths of sums, not by the tolerances of the case")
	c.flags.Uint64Var(&c.Seed, "seed", 0, "draw launches from this `SEED`; by default from one that nobody knows before, which the verdict has")
	c.flags.Uint64Var(&c.MaxSteps, "max-steps", 1<<26, "a kernel that takes more than `N` operations of a tile block, or warp instructions, is wrong")
	c.flags.StringVar(&c.python, "python", "python3", "run programs by this `COMMAND`, which has the package tilewright")
	c.launch.Define(c.flags)
	c.flags.BoolVar(&c.json, "json", false, "write the verdicts as JSON")
	c.flags.BoolVar(&c.schema, "schema", false, "print the JSON Schema of --json, and exit")
	c.about.Define(c.flags)
	return c
}

func (c *config) tool() *cli.Tool {
	return &cli.Tool{Name: name, Summary: "say whether a kernel is right, in one verdict", Flags: c.flags,
		Usage: []cli.Line{
			{Command: " [flags] CASE.json|FOLDER...", Does: "judge the kernels of numeric cases"},
			{Command: " [flags] MODULE [--grid X,Y,Z --arg ...]", Does: "judge a kernel of a module, in a launch that is drawn if none is described"},
			{Command: " [flags] PROG.py [-- ARGUMENT...]", Does: "judge each launch of a cuTile program"},
		},
		Examples: []cli.Line{
			{Command: " --reference=plain case.json", Does: "compare with another entry of the module too"},
			{Command: " --reference=softmax_numpy prog.py", Does: "compare with a function of the program, by a bound of errors that is derived"},
		}}
}

// Main runs the command and returns its exit status: 0 if all kernels are right, 1 if not. args are without its name.
func Main(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
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
	if c.schema {
		if _, err := stdout.Write(schemaText); err != nil {
			return fail(cli.Rejected, err)
		}
		return cli.OK
	}
	if err := c.check(); err != nil {
		return fail(cli.Usage, err)
	}
	verdicts := []*Verdict{}
	status := cli.OK
	paths, more := c.flags.Args(), []string(nil)
	if at := c.flags.ArgsLenAtDash(); at >= 0 {
		paths, more = paths[:at], paths[at:]
	}
	for _, path := range paths {
		list, err := c.judge(ctx, path, more, stderr)
		if err != nil {
			return fail(cli.Rejected, err)
		}
		verdicts = append(verdicts, list...)
	}
	for _, v := range verdicts {
		if !v.Right {
			status = cli.Rejected
		}
	}
	write := writeText
	if c.json {
		write = writeJSON
	}
	if err := write(stdout, verdicts); err != nil {
		return fail(cli.Rejected, err)
	}
	return status
}
func writeJSON(w io.Writer, verdicts []*Verdict) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(verdicts)
}

// judge judges a program, a module or a case.
func (c *config) judge(ctx context.Context, path string, args []string, stderr io.Writer) ([]*Verdict, error) {
	if isProgram(path) {
		return c.judgeProgram(ctx, path, args, stderr)
	}
	k, opts, err := c.caseOf(path)
	if err != nil {
		return nil, err
	}
	v, err := Of(ctx, k, opts)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return []*Verdict{v}, nil
}

func (c *config) check() error {
	for _, gpu := range c.GPUs {
		if _, err := sm.Lookup(gpu); err != nil {
			return err
		}
	}
	switch {
	case len(c.GPUs) == 0:
		return fmt.Errorf("--gpu-name names no target")
	case c.Launches < 1:
		return fmt.Errorf("--launches must be positive, but got %d", c.Launches)
	case c.flags.NArg() == 0:
		return fmt.Errorf("nothing to judge is named; '%s --help' says more", name)
	}
	if !c.flags.Changed("seed") {
		c.Seed = rand.Uint64()
	}
	return nil
}

// writeText writes a table for each case, and the verdict.
func writeText(w io.Writer, verdicts []*Verdict) error {
	for _, v := range verdicts {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, k := range v.Checks {
			fmt.Fprintf(t, "%s\t%s\t%s\n", k.Name, k.Result, k.Detail)
		}
		if err := t.Flush(); err != nil {
			return err
		}
		word := "right"
		if !v.Right {
			word = fmt.Sprintf("not right (--seed=%d repeats the launches)", v.Seed)
		}
		if _, err := fmt.Fprintf(w, "%s: %s\n", v.Case, word); err != nil {
			return err
		}
	}
	return nil
}
