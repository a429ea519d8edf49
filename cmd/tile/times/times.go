package times

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
	"github.com/tilewright/tilewright/target/timing"
)

const name = "tile time"

// The ways to take a time.
const (
	byProfiler = "profiler"
	byEvents   = "events"
)

// What is timed.
const (
	codeMachine = "machine"
	codePTX     = "ptx"
)

type config struct {
	launch        runtool.LaunchFlags
	from          string
	device        string
	clock         float64
	warm          bool
	timed         string
	code          string
	json          bool
	list          bool
	lines         int
	uninitialized bool
	log           string
	flags         *pflag.FlagSet
}

func newConfig() *config {
	c := &config{flags: cli.NewFlags(name, nil)}
	fs := c.flags
	fs.StringVar(&c.device, "device", "H100 SXM5", "estimate for this `DEVICE`; --devices lists them")
	fs.Float64Var(&c.clock, "clock", 0, "the clock of the SMs in `MHZ`; 0: that of the device's peaks")
	fs.BoolVar(&c.warm, "warm", false, "the L2 cache holds what an earlier launch of the same left there")
	fs.StringVar(&c.timed, "timed-by", byProfiler, "estimate what a `profiler|events` would show; events also see the launch")
	fs.StringVar(&c.code, "code", codeMachine, "time `machine|ptx` code; machine code needs ptxas and nvdisasm, and without them it is PTX")
	fs.StringVar(&c.from, "launch", "", "take grid and arguments from this numeric case, `CASE.json`, whose module is not looked at")
	c.launch.Define(fs)
	fs.BoolVar(&c.json, "json", false, "write the estimate as JSON")
	fs.BoolVar(&c.list, "devices", false, "list the devices, and stop")
	fs.IntVar(&c.lines, "profile-lines", 0, "show the `N` hottest lines")
	fs.BoolVar(&c.uninitialized, "allow-uninitialized", false, "let registers that are read before they are written hold zeros, as PTX out of a cubin needs it")
	cli.DefineLog(fs, &c.log, "the launch does")
	return c
}

func (c *config) tool() *cli.Tool {
	return &cli.Tool{Name: name, Summary: "estimate how long a launch takes on a GPU, without one", Flags: c.flags,
		Usage: []cli.Line{
			{Command: " CASE.json", Does: "the launch of a numeric case"},
			{Command: " K.tileirbc --grid X,Y,Z --arg ...", Does: "a launch of a kernel, which is compiled for the device"},
			{Command: " K.ptx --grid X,Y,Z --arg ...", Does: "a launch of PTX of any compiler"},
		},
		Examples: []cli.Line{
			{Command: " k.ptx --device='H100 NVL' --grid=131072 --arg=f32[134217728]=uninitialized --arg=i32:1024"},
			{Command: " --devices"},
		},
		Groups: []cli.Group{
			{Title: "The device", Flags: []string{"device", "devices", "clock", "warm", "timed-by", "code"}},
			{Title: "The launch", Flags: []string{"launch", "entry", "grid", "block", "shared-bytes", "arg", "array", "segment", "allow-uninitialized"}},
			{Title: "The result", Flags: []string{"json", "profile-lines"}},
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
	err := cli.Parse(c.flags, args)
	switch {
	case errors.Is(err, cli.ErrHelp):
		c.tool().WriteHelp(stdout)
		return cli.OK
	case err != nil:
		return fail(cli.Usage, err)
	case c.list && c.flags.NArg() == 0:
		listDevices(stdout)
		return cli.OK
	}
	where, err := c.check()
	if err != nil {
		return fail(cli.Usage, err)
	}
	if ctx, err = cli.WithLog(ctx, stderr, c.log); err != nil {
		return fail(cli.Usage, err)
	}
	e, req, err := c.open(ctx, stdin, where.Arch)
	if err != nil {
		return fail(cli.Usage, err)
	}
	estimate, err := c.estimate(ctx, e, req, where)
	if err != nil {
		return fail(cli.Rejected, err)
	}
	if err := c.write(stdout, estimate); err != nil {
		return fail(cli.Rejected, err)
	}
	return cli.OK
}

func (c *config) estimate(ctx context.Context, e *emulate.Engine, req *launch.Request, where *emulate.Where) (*timing.Estimate, error) {
	e.AllowUninitialized = c.uninitialized
	where.Code = ptxas.Machine(ctx, e.Source(), e.Target(), req.Entry)
	if c.code == codePTX {
		where.Code.Instructions = nil
	}
	return e.Sample(ctx, req, *where)
}

// Of is the estimate of a command line, for programs that make tables.
func Of(ctx context.Context, args []string) (*timing.Estimate, error) {
	c := newConfig()
	if err := cli.Parse(c.flags, args); err != nil {
		return nil, err
	}
	where, err := c.check()
	if err != nil {
		return nil, err
	}
	e, req, err := c.open(ctx, strings.NewReader(""), where.Arch)
	if err != nil {
		return nil, err
	}
	return c.estimate(ctx, e, req, where)
}

// check rejects a command line that makes no sense, and says where the launch is timed.
func (c *config) check() (*emulate.Where, error) {
	switch {
	case c.flags.NArg() != 1:
		return nil, fmt.Errorf("expected one case, module or file of PTX, but got %d; '%s --help' says more", c.flags.NArg(), name)
	case c.timed != byProfiler && c.timed != byEvents:
		return nil, fmt.Errorf("--timed-by is '%s' or '%s', but got '%s'", byProfiler, byEvents, c.timed)
	case c.code != codeMachine && c.code != codePTX:
		return nil, fmt.Errorf("--code is '%s' or '%s', but got '%s'", codeMachine, codePTX, c.code)
	case c.flags.Changed("clock") && !(c.clock > 0 && c.clock < 1e5):
		return nil, fmt.Errorf("--clock must be a positive number of MHz, but got %g", c.clock)
	case c.lines < 0:
		return nil, fmt.Errorf("--profile-lines must not be negative, but got %d", c.lines)
	}
	chip := sm.ChipNamed(c.device)
	if chip == nil {
		var names []string
		for _, k := range sm.Chips() {
			names = append(names, k.Name)
		}
		return nil, fmt.Errorf("unknown device '%s'%s; devices: %s", c.device, suggest.DidYouMean(c.device, names), strings.Join(names, ", "))
	}
	arch, err := sm.Lookup(chip.Archs()[0])
	if err != nil {
		return nil, err
	}
	return &emulate.Where{Chip: chip, Arch: arch, MHz: c.clock, Warm: c.warm, Events: c.timed == byEvents}, nil
}

// open makes the kernel ready to run, and its launch.
func (c *config) open(ctx context.Context, stdin io.Reader, arch *sm.Arch) (*emulate.Engine, *launch.Request, error) {
	path, from := c.flags.Arg(0), c.from
	var data []byte
	var err error
	var kase *launch.Case
	if info, bad := os.Stat(path); bad == nil && info.IsDir() || strings.HasSuffix(path, ".json") {
		if from != "" {
			return nil, nil, fmt.Errorf("'%s' is a case, which says how its kernel is launched", path)
		}
		from = path
	}
	if from != "" {
		if c.launch.Described() {
			return nil, nil, fmt.Errorf("'%s' is a case, which says how its kernel is launched", from)
		}
		if kase, err = launch.LoadCase(from); err != nil {
			return nil, nil, err
		}
	}
	if from == path {
		path = filepath.Base(kase.Module)
		data, err = kase.ReadModule()
	} else {
		path, data, err = cli.Read(path, stdin)
	}
	if err != nil {
		return nil, nil, err
	}
	if kase == nil && !c.launch.Described() {
		return nil, nil, fmt.Errorf("a launch needs --grid, or --launch")
	}
	if emulate.IsPTX(data) {
		e, err := emulate.New(path, data)
		if err != nil {
			return nil, nil, err
		}
		if kase == nil {
			req, err := c.launch.PTX(path, e)
			return e, req, err
		}
		req := kase.Request()
		return e, req, c.launch.Kernel(path, e, req)
	}
	return c.compile(ctx, path, data, kase, arch)
}

// compile compiles a module for an architecture.
func (c *config) compile(ctx context.Context, path string, data []byte, kase *launch.Case, arch *sm.Arch) (*emulate.Engine, *launch.Request, error) {
	in := tileir.NewContext()
	var said strings.Builder
	in.Diag.Push(in.Diag.PrintTo(&said))
	module, err := tileir.Read(in, path, data)
	if err != nil {
		return nil, nil, fmt.Errorf("%w\n%s", err, strings.TrimSpace(said.String()))
	}
	var req *launch.Request
	if kase != nil {
		req = kase.Request()
	} else if req, err = c.launch.Module(path, module); err != nil {
		return nil, nil, err
	}
	code, err := compile.To(ctx, module, compile.Options{GPU: arch.Name, OptLevel: 3})
	if err != nil {
		return nil, nil, fmt.Errorf("%w\n%s", err, strings.TrimSpace(said.String()))
	}
	e, err := code.Emulator("<PTX of "+path+">", req.Entry)
	return e, req, err
}

func (c *config) write(w io.Writer, e *timing.Estimate) error {
	if c.json {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(e)
	}
	if _, err := fmt.Fprintf(w, "%.4g us on %s at %.0f MHz, an estimate; %.3g waves of tile blocks; of it %.3g us is the launch; bound by %s\n",
		e.Microseconds+e.LaunchMicroseconds, e.Chip, e.MHz, e.Waves, e.LaunchMicroseconds, e.Roofline.Bound); err != nil {
		return err
	}
	return e.WriteText(w, c.lines)
}

// listDevices writes the table of devices.
func listDevices(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "device\ttarget\tSMs\tMHz\tGB/s\tL2 MiB\tsource")
	for _, k := range sm.Chips() {
		source := k.Source
		if k.Estimate {
			source += " (an estimate)"
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%.0f\t%.0f\t%s\n", k.Name, strings.Join(k.Archs(), " "), k.SMs, k.MHz, k.GBytes, k.L2/(1<<20), source)
	}
	_ = t.Flush() // the writer of standard output keeps the error
}
