package confirm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	kit "github.com/tilewright/tilewright/internal/tooling/confirm"
	"github.com/tilewright/tilewright/target/engine/cuda"
	"github.com/tilewright/tilewright/target/sm"
)

const name = "tile confirm"

type config struct {
	out     string
	compare string
	kernels string
	standIn string
	only    []string
	minutes float64
	timeout time.Duration
	fresh   bool
	all     bool
	list    bool
	schema  bool
	worker  bool
	log     string
	flags   *pflag.FlagSet
}

func newConfig() *config {
	c := &config{flags: cli.NewFlags(name, nil)}
	fs := c.flags
	fs.StringVarP(&c.out, "out", "o", "confirm.json", "write answers to this `FILE` after each probe, and go on with what it lacks")
	fs.StringVar(&c.compare, "compare", "", "ask nothing: say what agrees with emulator and model in this `FILE`")
	fs.StringVar(&c.kernels, "kernels", "", "also run the numeric cases below this `FOLDER`, each a folder with case.json, and time them")
	fs.StringArrayVar(&c.only, "only", nil, "ask only probes whose name begins with `PREFIX`: 'fragment/', or 'form/add'")
	fs.Float64Var(&c.minutes, "minutes", 10, "stop after `N` minutes; the same command goes on later; 0: no limit")
	fs.DurationVar(&c.timeout, "timeout", 30*time.Second, "end a probe after this `TIME`")
	fs.BoolVar(&c.fresh, "fresh", false, "begin the file again")
	fs.BoolVar(&c.all, "all", false, "say of each probe what it gave, not only of those that disagree")
	fs.BoolVar(&c.list, "list", false, "print the probes of --stand-in's architecture, or all, with what a disagreement means, and exit")
	fs.BoolVar(&c.schema, "schema", false, "print the JSON Schema of the file, and exit")
	fs.StringVar(&c.standIn, "stand-in", "", "ask the emulator in the place of a GPU of `ARCH`: shows what the kit does, and confirms nothing")
	fs.BoolVar(&c.worker, "worker", false, "ask the device what standard input names, in a process of its own")
	_ = fs.MarkHidden("worker") // the flag was defined the line before
	cli.DefineLog(fs, &c.log, "the kit does")
	return c
}

func (c *config) tool() *cli.Tool {
	return &cli.Tool{Name: name, Summary: "ask a GPU whether the emulator and the model are right", Flags: c.flags,
		Usage: []cli.Line{
			{Command: "", Does: "ask the first GPU; needs its driver alone; status 1: something disagrees"},
			{Command: " --compare=FILE", Does: "say what agrees, on any machine"},
		},
		Examples: []cli.Line{{Command: " --out=h100.json"}, {Command: " --compare=h100.json --all"}, {Command: " --stand-in=sm_90 --only=fragment/"}},
		Groups: []cli.Group{
			{Title: "What is asked", Flags: []string{"only", "kernels", "minutes", "timeout", "stand-in"}},
			{Title: "Files and reports", Flags: []string{"out", "fresh", "compare", "all", "list", "schema"}},
		}}
}

// Main runs the command and returns its exit status: 0 if all answers agree, 1 if not. args are those behind its name.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Checked(name, stdout, stderr, func(stdout io.Writer) int { return run(ctx, args, stdin, stdout, stderr) })
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int {
		cli.Complain(stderr, name, cli.Why(ctx, err))
		return status
	}
	c := newConfig()
	err := cli.Parse(c.flags, args)
	switch {
	case errors.Is(err, cli.ErrHelp):
		c.tool().WriteHelp(stdout)
		return cli.OK
	case err == nil && c.flags.NArg() > 0:
		err = fmt.Errorf("it takes no argument, but got '%s'", strings.Join(c.flags.Args(), " "))
	}
	if err == nil {
		err = c.check()
	}
	if err == nil {
		ctx, err = cli.WithLog(ctx, stderr, c.log)
	}
	if err != nil {
		return fail(cli.Usage, err)
	}
	source := kit.Source{Kernels: c.kernels, StandIn: c.standIn != ""}
	switch {
	case c.schema:
		_, err = stdout.Write(kit.Schema)
	case c.list:
		err = c.writeList(stdout, source)
	case c.worker:
		err = kit.Work(ctx, stdin, stdout, c.open, source)
	default:
		return c.judge(ctx, source, stdout, stderr, fail)
	}
	if err != nil {
		return fail(cli.Rejected, err)
	}
	return cli.OK
}

func (c *config) check() error {
	if c.standIn != "" {
		if _, err := sm.Lookup(c.standIn); err != nil {
			return err
		}
	}
	switch {
	case c.minutes < 0:
		return fmt.Errorf("--minutes must not be negative, but got %v", c.minutes)
	case c.timeout <= 0:
		return fmt.Errorf("--timeout must be positive, but got %v", c.timeout)
	case c.compare != "" && (c.flags.Changed("out") || c.fresh || c.standIn != ""):
		return fmt.Errorf("--compare asks no device, so that --out, --fresh and --stand-in do nothing")
	}
	return nil
}

// judge asks the device, unless a file is there already, and says what agrees.
func (c *config) judge(ctx context.Context, source kit.Source, stdout, stderr io.Writer, fail func(int, error) int) int {
	var f *kit.File
	var err error
	stopped := false
	if c.compare != "" {
		if f, err = kit.Read(c.compare); err != nil {
			return fail(cli.Usage, err)
		}
	} else {
		f, err = c.ask(ctx, source, stderr)
		if stopped = errors.Is(err, kit.ErrLimit); stopped {
			cli.Warn(stderr, "%v", err)
		} else if err != nil {
			return fail(cli.Usage, err)
		}
	}
	cmp, err := kit.Compare(ctx, f, source)
	if err != nil {
		return fail(cli.Rejected, err)
	}
	if err := cmp.Write(stdout, c.all); err != nil {
		return fail(cli.Rejected, err)
	}
	if !cmp.OK() {
		return cli.Rejected
	}
	return cli.OK
}

// open opens the driver, or what stands in for one.
func (c *config) open() (*cuda.Library, error) {
	if c.standIn == "" {
		return cuda.Open()
	}
	return kit.StandIn(c.standIn).Library(), nil
}

// ask asks the device in processes of this program.
func (c *config) ask(ctx context.Context, source kit.Source, stderr io.Writer) (*kit.File, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := append(before(os.Args[1:]), "confirm", "--worker", "--stand-in="+c.standIn, "--kernels="+c.kernels)
	r := &kit.Run{Source: source, Path: c.out, Fresh: c.fresh, Kit: cli.Revision(), Only: c.only, Timeout: c.timeout, Limit: time.Duration(c.minutes * float64(time.Minute)),
		Command: func(ctx context.Context) *exec.Cmd {
			cmd := exec.CommandContext(ctx, program, args...)
			cmd.Args[0] = os.Args[0] // the name under which a program of many tools knows which one it is
			return cmd
		}}
	if cli.IsTerminal(stderr) {
		r.Progress = func(done, total int, id string) { fmt.Fprintf(stderr, "\r\x1b[K%d of %d: %.60s", done+1, total, id) }
		defer fmt.Fprint(stderr, "\r\x1b[K")
	}
	return r.Do(ctx)
}

// before are the words that chose this command in a program of many tools.
func before(args []string) (out []string) {
	for _, a := range args {
		if a == "confirm" {
			break
		}
		if !strings.HasPrefix(a, "-") {
			out = append(out, a)
		}
	}
	return out
}

// writeList writes each probe once, with the architectures that have it.
func (c *config) writeList(w io.Writer, source kit.Source) error {
	archs := sm.All()
	if c.standIn != "" {
		a, err := sm.Lookup(c.standIn) // check asked
		if err != nil {
			return err
		}
		archs = []*sm.Arch{a}
	}
	seen := make(map[string]bool)
	for _, a := range archs {
		list, err := source.Probes(a)
		if err != nil {
			return err
		}
		for _, p := range list {
			if seen[p.ID] {
				continue
			}
			seen[p.ID] = true
			if _, err := fmt.Fprintf(w, "%s\n    %s\n    look at: %s\n", p.ID, p.Means, p.Look); err != nil {
				return err
			}
		}
	}
	return nil
}
