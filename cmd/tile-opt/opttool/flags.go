package opttool

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/check/expect"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// A config is what the command line says.
type config struct {
	input, output string

	pipeline       string
	singles        []single
	lowerTo        string
	gpu            string
	optLevel       int
	tensorMaps     contract.TensorMaps
	disabled       []string
	disabledPlaces []pipeline.Place
	authors        authors
	bisect         int
	runRepro       bool
	repro          string
	verify         string // of --verify-each
	verifyEach     bool
	execCase       string // "": nothing is executed
	exact          bool   // the input is made exact first, and the case with it
	races          bool
	roundtrip      bool
	noThreads      bool
	dumpPipeline   bool
	onlyDump       bool // show the default pipeline, of no input

	dumps  cli.Dumps
	report cli.Report

	timing        bool
	timingDisplay string
	stats         bool
	statsDisplay  string

	generic, debugInfo, prettyDebugInfo, localScope bool
	elide                                           int
	artifact                                        string

	split             bool
	verifyDiag        string
	allowUnregistered bool
	dropNames         bool
	noImplicit        bool

	schedule                string // the scheduler of loops
	warpRoles               string
	math                    string
	printDDG, printSchedule string // formats

	listPasses, json, showDialects, remarks bool
	why                                     string
	plan                                    string
	helpPass, showGraph                     string
	logLevel                                string
	about                                   cli.About

	args   []string
	accept func(ir.Op) bool
	flags  *pflag.FlagSet
}

// A single is a pass given as a flag.
type single struct{ name, options string }

// aliases are MLIR's spellings, and print-pass-graph for those who expect all output to be printed.
var aliases = map[string]string{
	"mlir-print-ir-before":                "print-before",
	"mlir-print-ir-after":                 "print-after",
	"mlir-print-ir-before-all":            "print-before-all",
	"mlir-print-ir-after-all":             "print-after-all",
	"mlir-print-ir-after-change":          "print-after-change",
	"mlir-print-ir-after-failure":         "print-after-failure",
	"mlir-print-ir-module-scope":          "print-module-scope",
	"mlir-print-ir-tree-dir":              "print-ir-tree-dir",
	"mlir-timing":                         "timing",
	"mlir-timing-display":                 "timing-display",
	"mlir-pass-statistics":                "pass-statistics",
	"mlir-pass-statistics-display":        "pass-statistics-display",
	"mlir-disable-threading":              "disable-threading",
	"mlir-print-value-users":              "print-value-users",
	"mlir-pass-pipeline-crash-reproducer": "crash-reproducer",
	"print-pass-graph":                    "show-pass-graph",
}

func (t *Tool) parseFlags(args []string) (*config, error) {
	c := &config{args: args}
	c.flags = cli.NewFlags(t.Name, aliases)
	c.define(c.flags)
	t.definePasses(c)
	if t.Flags != nil {
		c.accept = t.Flags(c.flags)
	}
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
	return c, c.check()
}

func (c *config) define(fs *pflag.FlagSet) {
	fs.StringVarP(&c.output, "output", "o", "-", "write the result to `FILE`, completely or not at all")
	fs.StringVar(&c.pipeline, "pass-pipeline", "", "run this `PIPELINE`, as in 'builtin.module(cuda_tile.module(cuda_tile.entry(cse)))'")
	fs.StringVar(&c.lowerTo, "lower-to", "", "run the default pipeline up to this `LEVEL` (or property)")
	fs.StringVar(&c.gpu, "gpu-name", "", "compile for this `GPU`, as in sm_90; by default that which the module names, or else "+passes.DefaultGPU+"")
	fs.IntVarP(&c.optLevel, "opt-level", "O", 3, "optimisation `LEVEL`, 0 to 3")
	fs.StringSliceVar(&c.disabled, "disable-pass", nil, "leave these `PASSES` out of whatever pipeline runs; cse#nvvm and cse#2 name one occurrence")
	fs.IntVar(&c.bisect, "opt-bisect-limit", -1, "let only the first `N` runs of optional passes take place, and report each on standard error")
	fs.StringVar(&c.verify, "verify-each", "true", "verify the IR after each pass: `true|false|exec`; exec: execute --exec-case too, and name the first pass that changes its outcome")
	fs.Lookup("verify-each").NoOptDefVal = "true"
	fs.BoolVar(&c.races, "races", false, "with --verify-each=exec and --bisect-exec: accesses that conflict and that no token orders count as well, where the interpreter executes")
	fs.BoolVar(&c.exact, "exact", false, "with --exec-case: make the kernel and the case exact first, so that each pass must keep what is computed bit for bit")
	fs.StringVar(&c.execCase, "exec-case", "", "with --verify-each=exec and --bisect-exec: the numeric case `CASE.json` of the kernel that is compiled")
	fs.BoolVar(&c.roundtrip, "verify-roundtrip", false, "check that the IR prints and parses back to itself before passes run")
	fs.BoolVar(&c.noThreads, "disable-threading", false, "process one operation at a time")
	fs.BoolVar(&c.dumpPipeline, "dump-pass-pipeline", false, "write the pipeline in its normal form to standard error")
	fs.StringVar(&c.repro, "crash-reproducer", "", "write a reproducer to `FILE` when a pass fails (when one crashes, there always is one)")
	fs.BoolVar(&c.runRepro, "run-reproducer", false, "run the pipeline that the input, a reproducer, names")

	c.authors.define(fs)
	c.dumps.Define(fs)
	c.report.Define(fs)

	fs.BoolVar(&c.timing, "timing", false, "report how long the passes took")
	fs.StringVar(&c.timingDisplay, "timing-display", "tree", "report times as `list|tree`")
	fs.BoolVar(&c.stats, "pass-statistics", false, "report the statistics of passes")
	fs.StringVar(&c.statsDisplay, "pass-statistics-display", "pipeline", "report statistics as `list|pipeline`")

	fs.BoolVar(&c.generic, "mlir-print-op-generic", false, "print operations in the generic form")
	fs.BoolVar(&c.debugInfo, "mlir-print-debuginfo", false, "print locations")
	fs.BoolVar(&c.prettyDebugInfo, "mlir-pretty-debuginfo", false, "print locations for readers")
	fs.BoolVar(&c.localScope, "mlir-print-local-scope", false, "print without aliases")
	fs.IntVar(&c.elide, "mlir-elide-elementsattrs-if-larger", 0, "leave out constants with more than `N` elements")
	fs.StringVar(&c.artifact, "print-artifact", "", "print what a pass left under this `NAME` (as \"ptx\") instead of the IR")

	fs.BoolVar(&c.split, "split-input-file", false, "process the parts between lines '// -----' one by one")
	expect.Flag(fs, &c.verifyDiag)
	fs.BoolVar(&c.allowUnregistered, "allow-unregistered-dialect", false, "admit operations of dialects that are not known")
	fs.BoolVar(&c.dropNames, "discard-value-names", false, "name values as if the text had not")
	fs.BoolVar(&c.noImplicit, "no-implicit-module", false, "do not wrap the input in a module")

	fs.Var(&c.tensorMaps, "tensor-maps", contract.TensorMapsUsage+string(contract.DefaultTensorMaps))
	fs.StringVar(&c.warpRoles, "warp-roles", "", "with --lower-to: "+tileir.WarpRolesUsage)
	fs.StringVar(&c.math, "math", "", "with --lower-to: "+tileir.MathUsage)
	fs.StringVar(&c.schedule, "schedule", "", "with --lower-to, --print-ddg and --print-schedule: let this `SCHEDULER` place the operations of loops, as exact; iterative is the default")
	fs.StringVar(&c.printDDG, "print-ddg", "", "lower to where loops are scheduled, and print their dependence graphs as `text|dot`")
	fs.Lookup("print-ddg").NoOptDefVal = "text"
	fs.StringVar(&c.printSchedule, "print-schedule", "", "lower to where loops are scheduled, and print their schedules as `text|svg`")
	fs.Lookup("print-schedule").NoOptDefVal = "text"

	fs.BoolVar(&c.listPasses, "list-passes", false, "list the passes, and exit")
	fs.BoolVar(&c.json, "json", false, "with --list-passes: as JSON")
	fs.StringVar(&c.helpPass, "help-pass", "", "explain `PASS`, and exit")
	fs.StringVar(&c.showGraph, "show-pass-graph", "", "show the pass graph as `text|dot|svg` (of the default pipeline with --lower-to), and exit")
	fs.Lookup("show-pass-graph").NoOptDefVal = "text"
	fs.BoolVar(&c.showDialects, "show-dialects", false, "list the dialects, and exit")
	cli.WhyFlag(fs, &c.why)
	cli.PlanFlag(fs, &c.plan)
	fs.BoolVar(&c.remarks, "remarks", false, "show as remarks what passes decided, and why not otherwise")
	c.about.Define(fs)
	cli.DefineLog(fs, &c.logLevel, "the compiler does")
}

// definePasses adds a flag for each name of each pass. They are hidden from the list of flags, since help shows the
// passes apart.
func (t *Tool) definePasses(c *config) {
	for _, p := range t.Registry.Passes() {
		add := func(options string) error {
			c.singles = append(c.singles, single{p.Name, strings.TrimSpace(options)})
			return nil
		}
		for _, name := range p.Names() {
			if c.flags.Lookup(name) != nil {
				continue // the tool's own flag counts; the pass can be run by --pass-pipeline
			}
			c.flags.Var(cli.Func{Do: add, TypeName: "options"}, name, p.Summary)
			f := c.flags.Lookup(name)
			f.NoOptDefVal, f.Hidden = " ", true
		}
	}
}

// checkVerify reads --verify-each.
func (c *config) checkVerify() error {
	var err error
	exec := c.verify == "exec"
	if c.verifyEach = exec; !exec {
		if c.verifyEach, err = strconv.ParseBool(c.verify); err != nil {
			return fmt.Errorf("--verify-each must be true, false or exec, but got '%s'", c.verify)
		}
	}
	switch {
	case exec && c.authors.bisect:
		return fmt.Errorf("--bisect-exec executes the case itself, and cannot be combined with --verify-each=exec")
	case c.authors.bisect && c.execCase == "":
		return fmt.Errorf("--bisect-exec needs --exec-case")
	case exec && c.execCase == "":
		return fmt.Errorf("--verify-each=exec needs --exec-case")
	case !exec && !c.authors.bisect && c.execCase != "":
		return fmt.Errorf("--exec-case is for --verify-each=exec and --bisect-exec")
	case c.exact && c.execCase == "":
		return fmt.Errorf("--exact is for --exec-case")
	case !exec && !c.authors.bisect && c.races:
		return fmt.Errorf("--races is for --verify-each=exec and --bisect-exec")
	}
	return nil
}

func (c *config) check() error {
	if len(c.authors.debugOnly) > 0 && c.logLevel == "" {
		c.logLevel = "trace"
	}
	if err := c.checkVerify(); err != nil {
		return err
	}
	if err := c.report.Check(); err != nil {
		return err
	}
	if err := c.dumps.Check(); err != nil {
		return err
	}
	var sources []string
	for _, s := range []struct {
		given bool
		flag  string
	}{{c.pipeline != "", "--pass-pipeline"}, {len(c.singles) > 0, "a pass as a flag"}, {c.lowerTo != "", "--lower-to"}, {c.printDDG != "", "--print-ddg"}, {c.printSchedule != "", "--print-schedule"}, {c.runRepro, "--run-reproducer"}} {
		if s.given {
			sources = append(sources, s.flag)
		}
	}
	if len(sources) == 0 && c.authors.bisect {
		c.lowerTo, sources = "ptx", []string{"--bisect-exec"}
	}
	if len(sources) > 1 {
		return fmt.Errorf("%s cannot be combined with %s", sources[0], sources[1])
	}
	if err := c.checkIgnored(len(sources) > 0); err != nil {
		return err
	}
	if v := c.view(); v != nil {
		c.lowerTo = v.after
	}
	if c.schedule != "" && c.lowerTo == "" {
		return fmt.Errorf("--schedule is for --lower-to, --print-ddg and --print-schedule; a pipeline names the scheduler as an option of %s", scheduling)
	}
	if c.warpRoles != "" && c.lowerTo == "" {
		return fmt.Errorf("--warp-roles is for --lower-to; a pipeline names them as an option of %s", tileir.Specializing)
	}
	if c.math != "" && c.lowerTo == "" {
		return fmt.Errorf("--math is for --lower-to; a pipeline names it as an option of %s", tileir.Expanding)
	}
	if c.schedule != "" && !slices.Contains(schedule.Names(), c.schedule) {
		return fmt.Errorf("unknown scheduler '%s'%s; schedulers: %s", c.schedule, suggest.DidYouMean(c.schedule, schedule.Names()), strings.Join(schedule.Names(), ", "))
	}
	if c.optLevel < 0 || c.optLevel > 3 {
		return fmt.Errorf("optimisation level must be 0 to 3, but got %d", c.optLevel)
	}
	for _, choice := range []struct {
		flag, value string
		values      []string
	}{
		{"timing-display", c.timingDisplay, []string{"list", "tree"}},
		{"pass-statistics-display", c.statsDisplay, []string{"list", "pipeline"}},
		{"print-ddg", c.printDDG, []string{"", "text", "dot"}},
		{"print-schedule", c.printSchedule, []string{"", "text", "svg"}},
		{"show-pass-graph", c.showGraph, []string{"", "text", "dot", "svg"}},
	} {
		if !slices.Contains(choice.values, choice.value) {
			return fmt.Errorf("--%s must be %s, but got '%s'", choice.flag, strings.TrimPrefix(strings.Join(choice.values, ", "), ", "), choice.value)
		}
	}
	if err := cli.CheckWhy(c.why); err != nil {
		return err
	}
	return expect.CheckFlag(c.verifyDiag)
}

// checkIgnored rejects flags that nothing would follow.
func (c *config) checkIgnored(hasPipeline bool) error {
	switch {
	case c.report.Path != "" && (c.split || c.noImplicit):
		return fmt.Errorf("--report is for one kernel, not for --split-input-file or --no-implicit-module")
	case c.authors.bisect && (c.split || c.dumpPipeline || c.dumps.Any() || c.runRepro || c.report.Path != "" || c.authors.trace != "" || c.bisect >= 0 || len(c.authors.debug) > 0):
		return fmt.Errorf("--bisect-exec runs the pipeline many times, and cannot be combined with --split-input-file, --run-reproducer, --report, -d, --opt-bisect-limit or what prints passes")
	case c.authors.bisect && c.artifact != "":
		return fmt.Errorf("--bisect-exec prints a module, and cannot be combined with --print-artifact")
	case c.json && !c.listPasses:
		return fmt.Errorf("--json is for --list-passes")
	case c.bisect < -1:
		return fmt.Errorf("--opt-bisect-limit must be -1, for no limit, or more, but got %d", c.bisect)
	case c.elide < 0:
		return fmt.Errorf("--mlir-elide-elementsattrs-if-larger must not be negative, but got %d", c.elide)
	case c.flags.Changed("pass-pipeline") && c.pipeline == "":
		return fmt.Errorf("--pass-pipeline is empty; 'builtin.module()' is a pipeline without passes")
	case c.dumpPipeline && !hasPipeline && len(c.flags.Args()) > 0:
		return fmt.Errorf("--dump-pass-pipeline shows the pipeline that runs on '%s', but none was asked for", c.input)
	}
	c.onlyDump = c.dumpPipeline && !hasPipeline
	for _, f := range []string{"before", "after", "debug-pass", "trace-rewrites", "disable-pass", "opt-bisect-limit", "crash-reproducer", "print-artifact", "races"} {
		if c.flags.Changed(f) && !hasPipeline {
			return fmt.Errorf("--%s is for a pipeline, but none was asked for", f)
		}
	}
	for _, f := range []string{"timing", "pass-statistics"} {
		if c.flags.Changed(f+"-display") && !c.flags.Changed(f) {
			return fmt.Errorf("--%s-display is for --%s", f, f)
		}
	}
	return nil
}

// tool is what the tool says of itself.
func (t *Tool) tool(fs *pflag.FlagSet) *cli.Tool {
	return &cli.Tool{Name: t.Name, Summary: "read IR as text or bytecode, run passes, and print the IR", Flags: fs,
		Usage: []cli.Line{{Command: " [flags] [FILE]", Does: ""}},
		Examples: []cli.Line{
			{Command: " --canonicalize --cse k.mlir", Does: "run two passes"},
			{Command: " --lower-to=tileas --gpu-name=sm_90 k.tileirbc", Does: "lower a kernel to the level of layouts"},
			{Command: " --lower-to=ptx --print-after-change k.tileirbc", Does: "watch every pass that changes something"},
			{Command: " --dump-pass-pipeline", Does: "print the default pipeline"},
			{Command: " --help-pass=licm", Does: "explain a pass"},
		},
		Groups: []cli.Group{
			{Title: "What runs", Flags: []string{"lower-to", "pass-pipeline", "gpu-name", "opt-level", "before", "after", "disable-pass", "debug-pass", "schedule", "warp-roles", "math", "tensor-maps", "opt-bisect-limit", "run-reproducer", "disable-threading"}},
			{Title: "Output", Flags: []string{"output", "print-artifact", "mlir-print-op-generic", "mlir-print-debuginfo", "mlir-pretty-debuginfo", "mlir-print-local-scope", "mlir-elide-elementsattrs-if-larger", "discard-value-names"}},
			{Title: "Watching passes", Flags: []string{"print-before", "print-after", "print-before-all", "print-after-all", "print-after-change", "print-after-failure", "print-ir-diff", "print-module-scope", "print-ir-tree-dir", "print-ddg", "print-schedule", "report",
				"dump-pass-pipeline", "remarks", "why", "timing", "timing-display", "pass-statistics", "pass-statistics-display", "trace-rewrites", "print-value-users", "log", "debug-only"}},
			{Title: "Checks", Flags: []string{"verify-each", "exec-case", "exact", "races", "bisect-exec", "verify-roundtrip", "verify-diagnostics", "crash-reproducer", "Wunsupported-hints", "Werr-hints"}},
			{Title: "Input", Flags: []string{"split-input-file", "allow-unregistered-dialect", "no-implicit-module"}},
			{Title: "Questions", Flags: []string{"list-passes", "json", "list-pipelines", "help-pass", "show-pass-graph", "show-dialects"}},
		}}
}

func (t *Tool) writeHelp(w io.Writer) {
	c := &config{}
	c.flags = cli.NewFlags(t.Name, aliases)
	c.define(c.flags)
	if t.Flags != nil {
		t.Flags(c.flags)
	}
	t.tool(c.flags).WriteHelp(w)
	fmt.Fprintf(w, "\nPasses, which run in the order of their flags (--help-pass=PASS explains one):\n")
	writePassLines(w, t.Registry.Passes(), "  --")
}
