package tune

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/internal/leaf/cache"
	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	search "github.com/tilewright/tilewright/internal/tooling/tune"
	"github.com/tilewright/tilewright/internal/tooling/tune/gpu"
	"github.com/tilewright/tilewright/target/engine/cuda"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
)

const name = "tile tune"

type config struct {
	device  string
	clock   float64
	warm    bool
	timed   string
	ptxas   bool
	slack   float64
	exact   bool
	all     bool
	jobs    int
	json    bool
	top     int
	cache   string
	remote  string
	known   string
	ask     int
	answer  string
	measure int
	log     string
	options search.Options
	flags   *pflag.FlagSet
}

// The ways to take a time.
const (
	byProfiler = "profiler"
	byEvents   = "events"
)

// cacheVar names the folder of the cache, as for tilec.
const cacheVar = "TILEWRIGHT_CACHE"

func newConfig() *config {
	c := &config{flags: cli.NewFlags(name, nil)}
	fs := c.flags
	fs.StringVar(&c.device, "device", "H100 SXM5", "tune for this `DEVICE`; 'tile time --devices' lists them")
	fs.Float64Var(&c.clock, "clock", 0, "the clock of the SMs in `MHZ`; 0: that of the device's peaks")
	fs.BoolVar(&c.warm, "warm", false, "the L2 cache holds what an earlier launch of the same left there")
	fs.StringVar(&c.timed, "timed-by", byProfiler, "estimate what a `profiler|events` would show; events also see the launch")
	fs.BoolVar(&c.ptxas, "ptxas", false, "time the machine code of ptxas, which must be there, and take its registers; else PTX is timed")
	fs.Float64Var(&c.slack, "slack", 0.01, "do not estimate what could be faster than the best by this `PART` of its time only")
	fs.BoolVar(&c.exact, "exact", false, "take only configurations of the numerics class of the first one")
	fs.BoolVar(&c.all, "all", false, "estimate all configurations")
	fs.IntVarP(&c.jobs, "jobs", "j", 0, "let `N` workers estimate; 0: one for each processor; the result does not depend on it")
	fs.BoolVar(&c.json, "json", false, "write the result as JSON")
	fs.IntVar(&c.top, "top", 0, "show the `N` best; 0: all")
	fs.StringVar(&c.cache, "cache", os.Getenv(cacheVar), "keep answers in the folder `DIR`, and take them from there")
	fs.Lookup("cache").DefValue = "" // the environment is not for the reference pages
	fs.StringVar(&c.remote, "remote-cache", "", "keep answers on the server at `URL` too, which speaks the protocol of Bazel's HTTP caches")
	fs.IntVar(&c.ask, "ask", 0, "answer nothing: write the result, or up to `N` questions that need an answer first")
	fs.StringVar(&c.known, "known", "", "take answers from this `FILE`")
	fs.StringVar(&c.answer, "answer", "", "write answers to these `QUESTIONS`, as in screen:0,estimate:3")
	fs.IntVar(&c.measure, "measure", 0, "let the first GPU time the `K` best, and rank them by that")
	cli.DefineLog(fs, &c.log, "the search does")
	return c
}

func (c *config) tool() *cli.Tool {
	return &cli.Tool{Name: name, Summary: "choose the fastest configuration of a kernel, without a GPU", Flags: c.flags,
		Usage: []cli.Line{
			{Command: " LIST.json", Does: "configurations of a list"},
			{Command: " FOLDER", Does: "the numeric cases in a folder"},
		},
		Examples: []cli.Line{{Command: " matmul.json --device='H100 NVL'"}, {Command: " cases/ --exact --json"}},
		Groups: []cli.Group{
			{Title: "The device", Flags: []string{"device", "clock", "warm", "timed-by", "ptxas"}},
			{Title: "The search", Flags: []string{"slack", "exact", "all", "jobs", "measure"}},
			{Title: "The result", Flags: []string{"json", "top"}},
			{Title: "Answers from elsewhere", Flags: []string{"cache", "remote-cache", "ask", "known", "answer"}},
		}}
}

// Main runs the command and returns its exit status. args are those behind its name.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Checked(name, stdout, stderr, func(stdout io.Writer) int { return run(ctx, args, stdout, stderr) })
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
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
	}
	device, err := c.check()
	if err != nil {
		return fail(cli.Usage, err)
	}
	if ctx, err = cli.WithLog(ctx, stderr, c.log); err != nil {
		return fail(cli.Usage, err)
	}
	configs, err := search.Read(c.flags.Arg(0))
	if err != nil {
		return fail(cli.Usage, err)
	}
	kept, err := cache.Open(cache.Options{Dir: c.cache, Bytes: cacheBytes, URL: c.remote, Warn: func(format string, args ...any) { cli.Warn(stderr, format, args...) }})
	if err != nil {
		return fail(cli.Usage, fmt.Errorf("--remote-cache: %w", err))
	}
	if kept != nil {
		defer kept.Close()
	}
	if err := c.search(ctx, search.NewOracle(device, configs, kept), stdout); err != nil {
		return fail(cli.Rejected, err)
	}
	return cli.OK
}

// cacheBytes bounds the folder of the cache, as of tilec.
const cacheBytes = 1 << 30

func (c *config) search(ctx context.Context, o *search.Oracle, stdout io.Writer) error {
	known, err := c.readKnown(o)
	if err != nil {
		return err
	}
	if c.answer != "" {
		list, err := search.ParseQuestions(c.answer, len(o.Configs))
		if err != nil {
			return err
		}
		answers := make(search.Answers)
		if err := o.Ask(ctx, list, answers, c.jobs); err != nil {
			return err
		}
		return o.WriteAnswers(stdout, answers)
	}
	var r *search.Result
	if c.ask > 0 {
		r, err = search.Search(o.Device, o.Configs, c.options, known, c.ask)
		if missing := search.Missing(nil); errors.As(err, &missing) {
			return json.NewEncoder(stdout).Encode(map[string]search.Missing{"questions": missing})
		}
	} else {
		r, err = search.Run(ctx, o, c.options, known, c.jobs)
	}
	if err == nil && c.measure > 0 && c.ask == 0 {
		library, err := cuda.Open()
		if err != nil {
			return fmt.Errorf("--measure: %w", err)
		}
		if err := o.Measure(ctx, gpu.Of(library), r, c.measure); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	if c.json || c.ask > 0 {
		return r.WriteJSON(stdout)
	}
	return r.WriteText(stdout, c.top)
}

func (c *config) readKnown(o *search.Oracle) (search.Answers, error) {
	if c.known == "" {
		return make(search.Answers), nil
	}
	data, err := cli.ReadFile(c.known)
	if err != nil {
		return nil, err
	}
	known, err := o.ReadAnswers(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.known, err)
	}
	return known, nil
}

// check rejects a command line that makes no sense, and says what is tuned for.
func (c *config) check() (*search.Device, error) {
	switch {
	case c.flags.NArg() != 1:
		return nil, fmt.Errorf("expected one list or folder, but got %d; '%s --help' says more", c.flags.NArg(), name)
	case c.timed != byProfiler && c.timed != byEvents:
		return nil, fmt.Errorf("--timed-by is '%s' or '%s', but got '%s'", byProfiler, byEvents, c.timed)
	case c.flags.Changed("clock") && !(c.clock > 0 && c.clock < 1e5):
		return nil, fmt.Errorf("--clock must be a positive number of MHz, but got %g", c.clock)
	case !(c.slack >= 0 && c.slack < 1):
		return nil, fmt.Errorf("--slack must be from 0 to 1, but got %g", c.slack)
	case c.jobs < 0 || c.top < 0 || c.ask < 0 || c.measure < 0:
		return nil, errors.New("--jobs, --top, --ask and --measure must not be negative")
	case c.ask > 0 && c.answer != "":
		return nil, errors.New("--ask and --answer exclude each other")
	}
	if c.jobs == 0 {
		c.jobs = runtime.GOMAXPROCS(0)
	}
	c.options = search.Options{Slack: c.slack, Exact: c.exact, All: c.all}
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
	hash, err := cli.ProgramHash()
	if err != nil {
		return nil, err
	}
	d := &search.Device{Chip: chip, Arch: arch, MHz: c.clock, Warm: c.warm, Events: c.timed == byEvents, PTXAS: c.ptxas, Version: fmt.Sprintf("%x", hash)}
	if c.ptxas {
		tool, err := ptxas.Find("")
		if err != nil {
			return nil, fmt.Errorf("--ptxas: %w", err)
		}
		data, err := os.ReadFile(tool.Path)
		if err != nil {
			return nil, err
		}
		hash, err := cli.HashOf(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		d.Version += fmt.Sprintf(" %x", hash)
	}
	return d, nil
}
