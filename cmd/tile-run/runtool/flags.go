package runtool

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/sm"
)

// name is the name of the tool in messages.
const name = "tile-run"

// A config is what the command line says.
type config struct {
	inputs []string

	engineNames        []string
	level              string
	gpus               []string
	strict, strictAll  bool
	optLevel           int
	warpRoles          string
	math               string
	tensorMaps         contract.TensorMaps
	diff               []string
	adversarial        bool
	timeout            time.Duration
	repeat             int
	maxSteps           uint64
	races, threadRaces bool
	ordered            bool
	uninitialized      bool
	syncCheck          bool
	trace              []string
	traceBlock         string
	traced             [3]uint32 // traceBlock

	LaunchFlags
	checks []string

	out  []string
	json bool
	demo bool

	serve bool
	shmFD int // the descriptor of the memory that is shared with the client

	report       cli.Report
	reported     int        // pages
	given        []string   // the arguments
	profile      string     // form of the profile; "" for none
	profileBlock string     // the only CTA to count
	profiled     *[3]uint32 // profileBlock
	profileLines int

	fuzz      uint64 // how many random kernels to try
	fuzzLoops bool   // whether these all have loops
	// fuzzProducts says that they have large products
	fuzzProducts bool
	copies       string // options of tileas-plan-copies
	clusters     string // options of tileaa-partition-cluster
	seed         uint64 // of the first of them, or of how engines choose

	saveCase string
	exact    bool

	engines []*engine // that are asked for
	runs    []runner  // to make, in this order
	about   cli.About
	log     string
	flags   *pflag.FlagSet
}

// maxRepeat bounds how often a kernel is timed.
const maxRepeat = 1 << 20

// aliases are other spellings of flags.
var aliases = map[string]string{"gpu": "gpu-name"}

func newConfig() *config {
	c := &config{flags: cli.NewFlags(name, aliases)}
	fs := c.flags
	fs.StringSliceVar(&c.engineNames, "engine", []string{"interp"}, "run on these `ENGINES`: interp, tileaa, tileas, ptx or cuda; tileaa and tileas interpret what the kernel is lowered to there")
	fs.BoolVar(&c.exact, "exact", false, "make kernels exact first, with small integers for floats, and compare engines bit for bit: interp and ptx unless --diff-engines names others")
	fs.StringSliceVar(&c.diff, "diff-engines", nil, "run on these `ENGINES`, as in interp,ptx, and compare their outputs with each other too")
	fs.StringVar(&c.level, "level", "cuda_tile", "lower to this level, and let the interpreter run that: `cuda_tile|tileaa|tileas`; IR that is at the level or below is run as it is")
	fs.BoolVar(&c.strict, "strict-indices", false, "make the interpreter reject tiles outside of the index space of their view, which the specification leaves undefined")
	fs.BoolVar(&c.strictAll, "strict", false, "make the interpreter reject all that the specification leaves undefined, also where NVIDIA's compiler gives it a meaning. Examples: indices as with --strict-indices, dynamic strides of 0, stores of unspecified elements, tiles that are marked in bounds and are not")
	fs.StringSliceVar(&c.gpus, "gpu-name", []string{passes.DefaultGPU}, "compile for these `GPUS` when the engine needs code for one, as in sm_80,sm_90")
	fs.StringVar(&c.warpRoles, "warp-roles", "", tileir.WarpRolesUsage)
	fs.StringVar(&c.math, "math", "", tileir.MathUsage)
	fs.Var(&c.tensorMaps, "tensor-maps", contract.TensorMapsUsage+string(contract.DefaultTensorMaps))
	fs.IntVarP(&c.optLevel, "opt-level", "O", 3, "optimisation `LEVEL`, 0 to 3")
	fs.BoolVar(&c.uninitialized, "allow-uninitialized", false, "let registers of PTX that are read before they are written hold zeros, or anything with --adversarial, instead of rejecting that; so it is for PTX out of a cubin")
	fs.BoolVar(&c.adversarial, "adversarial", false, "let the engine be as unfriendly as the program allows. Asynchronous copies complete late, and warps of PTX, or groups of specialized warps at tileas, run in a random order (--seed)")
	fs.BoolVar(&c.syncCheck, "sync-check", false, "engine ptx: report races, missing fences and waits, and barriers that do not add up, for all schedules where the report says so (docs/check.md)")
	fs.DurationVar(&c.timeout, "timeout", 0, "stop a launch after this `TIME`, as in 30s")
	fs.IntVar(&c.repeat, "repeat", 0, "engine cuda: launch `N` more times and report the median time")
	fs.Uint64Var(&c.maxSteps, "max-steps", 0, "stop a tile block after `N` operations of the interpreter, a launch after so many warp instructions of the emulator; 0: no limit of one's own")
	fs.BoolVar(&c.races, "races", false, "make the interpreter reject accesses to the same memory that no token, or nothing that tile blocks release and acquire, orders")
	fs.BoolVar(&c.threadRaces, "thread-races", false, "make the interpreter reject accesses of shared memory at tileas that different threads make to the same byte with no barrier in between")
	fs.BoolVar(&c.ordered, "ordered-atomics", false, "let the interpreter run the tile blocks of kernels with atomics one after the other, in the order of the grid. So sums of floats and results of atomics are the same in each run")
	fs.StringSliceVar(&c.trace, "trace", nil, "print what the interpreter computes for these `VALUES`, by the names in the text of the module, as in %a,%b; all: for each")
	fs.StringVar(&c.traceBlock, "trace-block", "0,0,0", "the tile block `X,Y,Z` that is traced")
	fs.StringArrayVar(&c.out, "out", nil, "write outputs: of cases to the folder `DIR`, of a module as INDEX=FILE.npy")
	fs.StringVar(&c.saveCase, "save-case", "", "keep the launch of a module as a numeric case in the new folder `DIR`: what the first engine computes is what is expected")
	fs.BoolVar(&c.json, "json", false, "write the results as JSON")
	c.report.Define(fs)
	fs.StringVar(&c.profile, "profile", "", "count what the PTX executes and estimate its time, by unit and line, as `text|json|pprof|trace`; pprof and trace have the estimate only")
	fs.Lookup("profile").NoOptDefVal = profileText
	fs.StringVar(&c.profileBlock, "profile-block", "", "count what the tile block `X,Y,Z` executes, and nothing else")
	fs.IntVar(&c.profileLines, "profile-lines", 16, "show the `N` lines with the most work in a profile as text")
	fs.BoolVar(&c.demo, "demo", false, "show how a GEMM is compiled and run, and exit")
	fs.BoolVar(&c.serve, "serve", false, "answer frames on standard input, with launches of kernels, until it ends (docs/serve.md)")
	fs.IntVar(&c.shmFD, "shm-fd", -1, "with --serve: the file `DESCRIPTOR` of the memory that is shared with the client")
	fs.Uint64Var(&c.fuzz, "fuzz", 0, "compare `N` random kernels between interpreter and emulator, or the engines of --diff-engines. Kernels whose outputs differ are shrunk to files in the folder of --out. The seed of a kernel chooses the target and the level if no flag does")
	fs.BoolVar(&c.fuzzLoops, "fuzz-loops", false, "with --fuzz: kernels that all have loops, many of them around larger MMAs, which are pipelined")
	fs.BoolVar(&c.fuzzProducts, "fuzz-products", false, "with --fuzz: kernels that all have loops over products of 64 and more rows; without, an eighth has")
	fs.StringVar(&c.clusters, "clusters", "", "`OPTIONS` of tileaa-partition-cluster, as tile-opt --help-pass lists them")
	fs.StringVar(&c.copies, "copies", "", "`OPTIONS` of tileas-plan-copies, as tile-opt --help-pass lists them")
	fs.Uint64Var(&c.seed, "seed", 0, "the `SEED` of the first random kernel, of an adversarial run, or of the order in which the interpreter runs specialized warps")
	c.LaunchFlags.Define(fs)
	c.about.Define(fs)
	cli.DefineLog(fs, &c.log, "compiler and server do")
	fs.StringArrayVar(&c.checks, "check", nil, "compare a buffer with a file: `INDEX=FILE.npy`[,rtol=R][,atol=A]")
	return c
}

func parse(args []string) (*config, error) {
	c := newConfig()
	c.given = args
	if err := cli.Parse(c.flags, args); err != nil {
		return nil, err
	}
	if c.about.Asked() {
		return c, nil
	}
	c.inputs = c.flags.Args()
	return c, c.check()
}

// check rejects what makes no sense, and fills in what follows from the flags: the engines and what they run.
func (c *config) check() error {
	for _, check := range []func() error{c.checkTargets, c.report.Check, c.checkShapes, c.checkProfile, c.checkLevel, c.checkEngines} {
		if err := check(); err != nil {
			return err
		}
	}
	c.planRuns()
	if err := c.checkValues(); err != nil {
		return err
	}
	if c.flags.Changed("fuzz") {
		return c.checkFuzz()
	}
	if c.fuzzLoops {
		return fmt.Errorf("--fuzz-loops is for --fuzz")
	}
	if c.serve || c.flags.Changed("shm-fd") {
		return c.checkServe()
	}
	if err := c.checkEngineFlags(); err != nil {
		return err
	}
	if c.demo {
		return c.checkDemo()
	}
	return c.checkInputs()
}

func (c *config) checkTargets() error {
	for i, gpu := range c.gpus {
		if _, err := sm.Lookup(gpu); err != nil {
			return err
		}
		if slices.Contains(c.gpus[:i], gpu) {
			return fmt.Errorf("target '%s' is named twice", gpu)
		}
	}
	if len(c.gpus) == 0 {
		return fmt.Errorf("--gpu-name names no target")
	}
	return nil
}

// checkShapes checks numbers, and reads the coordinates and shapes that flags spell.
func (c *config) checkShapes() (err error) {
	if c.optLevel < 0 || c.optLevel > 3 {
		return fmt.Errorf("optimisation level must be 0 to 3, but got %d", c.optLevel)
	}
	if c.repeat < 0 || c.repeat > maxRepeat {
		return fmt.Errorf("--repeat must be 0 to %d, but got %d", maxRepeat, c.repeat)
	}
	if c.traced, err = parseCoordinates("--trace-block", c.traceBlock); err != nil {
		return err
	}
	return c.LaunchFlags.check()
}

// checkEngines looks up the engines that are named.
func (c *config) checkEngines() error {
	if c.exact && c.diff == nil {
		c.diff = []string{"interp", "ptx"}
	}
	names := c.engineNames
	if len(names) == 0 {
		return fmt.Errorf("--engine names no engine")
	}
	if c.diff != nil {
		if c.flags.Changed("engine") {
			return fmt.Errorf("--engine cannot be combined with --diff-engines or --exact, which compare several")
		}
		if names = c.diff; len(names) < 2 {
			return fmt.Errorf("--diff-engines needs two engines or more, but got '%s'", strings.Join(names, ","))
		}
	}
	for i, n := range names {
		e, err := engineNamed(n)
		if err != nil {
			return err
		}
		if slices.Contains(names[:i], n) {
			return fmt.Errorf("engine '%s' is named twice", n)
		}
		c.engines = append(c.engines, e)
	}
	return nil
}

func (c *config) checkDemo() error {
	if len(c.inputs) > 0 {
		return fmt.Errorf("--demo takes no input, but got '%s'", c.inputs[0])
	}
	if err := c.oneGPU("demo"); err != nil {
		return err
	}
	return c.only("demo", "gpu-name", "opt-level")
}

// levels are those at which the interpreter can be asked to run.
var levels = []string{"cuda_tile", "tileaa", "tileas"}

func (c *config) checkLevel() error {
	if slices.Contains(levels, c.level) {
		return nil
	}
	return fmt.Errorf("unknown level '%s'%s; levels: %s", c.level, suggest.DidYouMean(c.level, levels), strings.Join(levels, ", "))
}

// checkValues rejects values that would do nothing.
func (c *config) checkValues() error {
	switch {
	case c.timeout < 0, c.timeout == 0 && c.flags.Changed("timeout"):
		return fmt.Errorf("--timeout must be positive, but got %v", c.timeout)
	case c.exact && (len(c.checks) > 0 || c.saveCase != ""):
		return fmt.Errorf("--exact computes something else than the kernel, so that --check and --save-case are not for it")
	case c.flags.Changed("trace") && len(c.trace) == 0:
		return fmt.Errorf("--trace names no value")
	case c.flags.Changed("trace-block") && len(c.trace) == 0:
		return fmt.Errorf("--trace-block is for --trace")
	}
	return nil
}

// only rejects flags other than these, which a mode of the tool does not follow.
func (c *config) only(mode string, follows ...string) (err error) {
	c.flags.Visit(func(f *pflag.Flag) {
		if err == nil && f.Name != mode && !slices.Contains(follows, f.Name) {
			err = fmt.Errorf("--%s does nothing with --%s", f.Name, mode)
		}
	})
	return err
}

// checkEngineFlags rejects flags that nothing would follow.
func (c *config) checkEngineFlags() error {
	for _, e := range engines {
		for _, f := range e.flags {
			follows := func(e *engine) bool { return slices.Contains(e.flags, f) }
			if c.flags.Changed(f) && !slices.ContainsFunc(c.engines, follows) {
				return fmt.Errorf("--%s is for %s", f, enginesFollowing(f))
			}
		}
	}
	// The emulator's warps run in one order unless it is adversarial, so that a seed would do nothing.
	if c.flags.Changed("seed") && !c.adversarial && !c.exact && !slices.ContainsFunc(c.engines, interprets) {
		return fmt.Errorf("--seed is for --adversarial, --fuzz and the engines that interpret")
	}
	return nil
}

// enginesFollowing names the engines that follow a flag, of which none is asked for.
func enginesFollowing(flag string) string {
	var names []string
	for _, e := range engines {
		if slices.Contains(e.flags, flag) {
			names = append(names, "'"+e.name+"'")
		}
	}
	if len(names) == 1 {
		return "the engine " + names[0] + ", which is not asked for"
	}
	last := len(names) - 1
	return "the engines " + strings.Join(names[:last], ", ") + " and " + names[last] + ", none of which is asked for"
}

// interprets reports whether an engine is the interpreter, at one level or another.
func interprets(e *engine) bool { return slices.Contains(e.flags, "trace") }

// launchFlags describe a launch of a module; cases bring their own.
var launchFlags = []string{"entry", "grid", "arg", "array", "check", "segment", "save-case"}

func (c *config) checkInputs() error {
	if len(c.inputs) == 0 {
		return fmt.Errorf("no case and no module named")
	}
	if !c.oneModule() {
		for _, f := range launchFlags {
			if c.flags.Changed(f) {
				return fmt.Errorf("--%s describes the launch of a module, but '%s' is a case", f, c.inputs[0])
			}
		}
		if len(c.out) > 1 || len(c.out) == 1 && strings.Contains(c.out[0], "=") {
			return fmt.Errorf("--out names one folder for the outputs of cases, but got '%s'", strings.Join(c.out, "' and '"))
		}
		return nil
	}
	if info, err := os.Stat(c.inputs[0]); c.inputs[0] != "-" && (err != nil || info.IsDir() && !isDumps(c.inputs[0])) {
		return &inputError{c.inputs[0]}
	}
	if len(c.inputs) > 1 {
		return fmt.Errorf("expected one module, but got '%s' and '%s'", c.inputs[0], c.inputs[1])
	}
	if c.saveCase != "" && c.inputs[0] == "-" {
		return fmt.Errorf("--save-case keeps a copy of the module, which must be a file")
	}
	if c.grid == "" {
		if err := cli.NoPython(c.inputs[0]); err != nil {
			return err
		}
		return fmt.Errorf("running the module '%s' needs --grid", c.inputs[0])
	}
	return nil
}

// An inputError says that there is no such file.
type inputError struct{ path string }

func (e *inputError) Error() string {
	return fmt.Sprintf("cannot read '%s': no such file; a case, a folder of cases or a module is expected", e.path)
}

// oneModule reports whether the input is a module with its launch on the command line.
func (c *config) oneModule() bool { return !slices.ContainsFunc(c.inputs, isCase) }

// parseCoordinates reads X[,Y[,Z]] of a CTA; what is left out counts as 0.
func parseCoordinates(flag, s string) (id [3]uint32, err error) {
	parts := strings.Split(s, ",")
	if len(parts) > 3 {
		return id, fmt.Errorf("%s has %d dimensions, expected at most 3", flag, len(parts))
	}
	for i, p := range parts {
		n, err := strconv.ParseUint(strings.TrimSpace(p), 10, 31)
		if err != nil {
			return id, fmt.Errorf("%s=%s: '%s' is not a number from 0 to %d", flag, s, p, 1<<31-1)
		}
		id[i] = uint32(n)
	}
	return id, nil
}

// parseShape reads X[,Y[,Z]] of a flag; what is left out counts as 1. The engines check the bounds.
func parseShape(flag, s string) (shape [3]uint32, err error) {
	parts := strings.Split(s, ",")
	if len(parts) > 3 {
		return shape, fmt.Errorf("%s has %d dimensions, expected at most 3", flag, len(parts))
	}
	shape = [3]uint32{1, 1, 1}
	for i, p := range parts {
		n, err := strconv.ParseUint(strings.TrimSpace(p), 10, 31)
		if err != nil || n == 0 {
			return shape, fmt.Errorf("%s=%s: '%s' is not a number from 1 to %d", flag, s, p, 1<<31-1)
		}
		shape[i] = uint32(n)
	}
	return shape, nil
}

// tool is what the tool says of itself.
func (c *config) tool() *cli.Tool {
	return &cli.Tool{Name: name, Summary: "run kernels without a GPU, and compare what they compute with what is expected", Flags: c.flags,
		Usage: []cli.Line{
			{Command: " [flags] CASE.json|FOLDER...", Does: "run numeric cases"},
			{Command: " [flags] MODULE --grid X,Y,Z --arg ...", Does: "run a kernel of a module (bytecode, text, or PTX)"},
			{Command: " --demo", Does: "see what there is to see"},
			{Command: " --fuzz N [--seed SEED] [--out DIR]", Does: "compare the engines on random kernels"},
			{Command: " --serve [--shm-fd N]", Does: "run kernels for a program that sends frames"},
		},
		Examples: []cli.Line{
			{Command: " --diff-engines=interp,ptx --gpu-name=sm_120 case.json", Does: "run the tiles and the code, and compare"},
			{Command: " k.tileirbc --entry=k --grid=4 --arg=f32:a.npy --arg=i32:100 --check=0=want.npy", Does: "run one kernel"},
			{Command: " --trace=%29 case.json", Does: "print what an operation computes"},
			{Command: " --engine=ptx --profile case.json", Does: "count what the code executes, and estimate its time"},
			{Command: " --engine=interp,ptx --gpu-name=sm_80,sm_90,sm_120 case.json", Does: "one table of all engines and targets"},
		},
		Groups: []cli.Group{
			{Title: "Where it runs", Flags: []string{"engine", "diff-engines", "level", "gpu-name", "opt-level", "warp-roles", "math", "tensor-maps", "copies", "clusters", "block", "shared-bytes", "timeout", "max-steps", "repeat"}},
			{Title: "The launch of a module", Flags: []string{"entry", "grid", "arg", "array", "segment", "check"}},
			{Title: "Results", Flags: []string{"out", "save-case", "json"}},
			{Title: "Checks", Flags: []string{"strict", "strict-indices", "exact", "races", "thread-races", "sync-check", "ordered-atomics", "allow-uninitialized", "adversarial", "seed"}},
			{Title: "Watching", Flags: []string{"trace", "trace-block", "profile", "profile-block", "profile-lines", "report"}},
			{Title: "Instead of a launch", Flags: []string{"demo", "fuzz", "fuzz-loops", "fuzz-products", "serve", "shm-fd"}},
		}}
}

func writeHelp(w io.Writer) { newConfig().tool().WriteHelp(w) }
