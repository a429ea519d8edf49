package compiletool

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/sm"
)

// A config is what the command line says.
type config struct {
	*persona
	input, output string

	gpu          string
	optLevel     int
	tensorMaps   contract.TensorMaps
	schedule     string
	warpRoles    string
	math         string
	log          string
	emit         string
	ptxas        string
	lineInfo     bool
	debug        bool
	sanitize     string
	controls     string
	preview      []string
	libraries    []string
	hostArch     string
	hostOS       string
	remarks      remarks
	why          string
	plan         string
	printPlan    bool
	arguments    string
	launches     string
	launchJSON   string
	caching      caching
	outputDir    string
	parallel     int
	version      bool
	listVersions bool
	help, hidden bool
	about        cli.About

	report                      cli.Report
	printing                    cli.Dumps
	debugInfo, generic          bool
	timing, stats, dumpPipeline bool
	verifyEach                  bool
	repro                       string

	complaints []string // about a command line that asks about the tool
	given      []string // the arguments
	added      []string // those of the environment
	flags      *pflag.FlagSet
}

// aliases are the spellings of tileiras and MLIR.
var aliases = map[string]string{
	"arch":                                "gpu-name",
	"gpu":                                 "gpu-name",
	"output":                              "output-file",
	"mlir-print-ir-before":                "print-before",
	"mlir-print-ir-after":                 "print-after",
	"mlir-print-ir-before-all":            "print-before-all",
	"mlir-print-ir-after-all":             "print-after-all",
	"mlir-print-ir-after-change":          "print-after-change",
	"mlir-print-ir-module-scope":          "print-module-scope",
	"mlir-print-ir-tree-dir":              "print-ir-tree-dir",
	"mlir-timing":                         "timing",
	"mlir-pass-statistics":                "pass-statistics",
	"mlir-pass-pipeline-crash-reproducer": "crash-reproducer",
}

// The outputs, besides the levels.
const (
	emitMLIR  = "mlir"
	emitPTX   = "ptx"
	emitCubin = "cubin"
)

var emissions = []string{emitMLIR, "tileaa", "tileas", "nvvm", emitPTX, emitCubin}

func newConfig(p *persona) *config {
	c := &config{persona: p, flags: cli.NewFlags(p.name, aliases)}
	fs := c.flags
	fs.StringVarP(&c.output, "output-file", "o", p.output, "write the result to `FILE`, completely or not at all")
	fs.StringVar(&c.gpu, "gpu-name", p.gpu, "compile for this `GPU`, which must be that of the module if it names one: "+strings.Join(sm.Names(), ", "))
	fs.IntVarP(&c.optLevel, "opt-level", "O", 3, "optimisation `LEVEL`, 0 to 3")
	fs.StringVar(&c.emit, "emit", "", "what to write: `"+strings.Join(emissions, "|")+"`; by default what the name of the output file says, else "+p.fallback())
	fs.StringVar(&c.ptxas, "ptxas", "", "the `PATH` of NVIDIA's PTX assembler, which makes cubins")
	fs.BoolVar(&c.lineInfo, "lineinfo", false, "keep source lines, as far as the input has them")
	fs.BoolVarP(&c.debug, "device-debug", "g", false, "keep debug information in a cubin, for debuggers (needs -O0)")
	fs.StringVar(&c.sanitize, "sanitize", "", "have ptxas instrument a cubin for this `TOOL`: memcheck")
	fs.StringVar(&c.controls, "apply-controls", "", "hand this `FILE` of controls to ptxas")
	fs.StringSliceVar(&c.preview, "preview", nil, "enable preview `FEATURES`: "+cli.PreviewSIMT)
	fs.StringArrayVarP(&c.libraries, "link-library", "l", nil, "load a tile `LIBRARY` (needs --preview=simt; not available yet)")
	fs.StringVar(&c.hostArch, "host-arch", "", "architecture of generated host code, of which there is none: `x86_64|aarch64`")
	fs.StringVar(&c.hostOS, "host-os", "", "system of generated host code, of which there is none: `linux|windows`")
	fs.Var(&c.tensorMaps, "tensor-maps", contract.TensorMapsUsage+string(p.maps))
	fs.StringVar(&c.warpRoles, "warp-roles", "", tileir.WarpRolesUsage)
	fs.StringVar(&c.math, "math", "", tileir.MathUsage)
	fs.StringVar(&c.schedule, "schedule", "", "let this `SCHEDULER` place the operations of loops: "+strings.Join(schedule.Names(), ", "))
	c.remarks.define(fs)
	if p != tileiras {
		for _, f := range c.remarks.flags() {
			fs.Lookup(f.name).NoOptDefVal = "all"
		}
		cli.WhyFlag(fs, &c.why)
		cli.PlanFlag(fs, &c.plan)
		fs.BoolVar(&c.printPlan, "print-plan", false, "print what each pass was told and decided for each kernel, and what alternatives would cost, instead of writing code; --plan reads it back")
		fs.StringVar(&c.launchJSON, "launch-json", "", "also write to this `FILE` how the kernels must be launched: threads, shared memory, tensor maps")
		fs.StringVar(&c.launches, "launches", "", "with --report: estimate the launches of this `FILE`, a list as tile tune takes it, whose entries are kernels of the input")
		fs.StringVar(&c.arguments, "arguments", "", "with --why and --report: what the parameters are in the program that launches the kernels, a `FILE` that the Python package writes")
	}
	c.caching.define(fs)
	fs.StringVar(&c.outputDir, "output-dir", "", "compile several files, for several architectures (--gpu-name=sm_90,sm_120), to `DIR`/NAME.GPU.ptx or .cubin")
	fs.IntVarP(&c.parallel, "jobs", "j", 0, "with --output-dir: compile `N` at a time; 0: as many as there are processors")
	fs.BoolVar(&c.version, "version", false, "print the version, and exit")
	if p != tileiras { // which has a way of its own to ask
		c.about.Define(fs)
		cli.DefineLog(fs, &c.log, "the compiler does")
	}
	fs.BoolVar(&c.listVersions, "list-versions", false, "list the versions of bytecode that are read, and exit")

	c.report.Define(fs)
	c.printing.Define(fs)
	fs.BoolVar(&c.debugInfo, "mlir-print-debuginfo", false, "print locations")
	fs.BoolVar(&c.generic, "mlir-print-op-generic", false, "print operations in the generic form")
	fs.BoolVar(&c.timing, "timing", false, "report how long the passes took")
	fs.BoolVar(&c.stats, "pass-statistics", false, "report the statistics of passes")
	fs.BoolVar(&c.dumpPipeline, "dump-pass-pipeline", false, "write the pipeline to standard error")
	fs.BoolVar(&c.verifyEach, "verify-each", true, "verify the IR after each pass; unless asked for, after the last of passes in a row")
	fs.StringVar(&c.repro, "crash-reproducer", "", "write a reproducer to `FILE` when a pass fails (when one crashes, there always is one)")
	return c
}

func (p *persona) fallback() string {
	if p.cubin {
		return emitCubin
	}
	return emitPTX
}

// bytecodeNames are endings of the names of files that hold bytecode.
var bytecodeNames = []string{"bc", "tilebc", "tileirbc", "bytecode"}

// A flagError is an error in the command line.
type flagError struct {
	failure
	err error
}

func (e *flagError) Error() string { return e.err.Error() }
func (e *flagError) Unwrap() error { return e.err }

// failureOf is how a run ends that had this error.
func failureOf(err error) failure {
	var f *flagError
	if errors.As(err, &f) {
		return f.failure
	}
	return badFlag
}

func flagErrorf(f failure, format string, args ...any) error {
	return &flagError{f, fmt.Errorf(format, args...)}
}

func parse(p *persona, program string, args []string) (*config, error) {
	c := newConfig(p)
	given := args
	args, added, err := addFlags(args)
	if err != nil {
		return c, &flagError{notCompiled, err}
	}
	c.given, c.added = given, added
	if p == tileiras {
		return c, c.parseReference(program, args)
	}
	return parseOwn(c, args)
}

// parseOne parses the command line of one job of a batch.
func parseOne(p *persona, args []string) (*config, error) { return parseOwn(newConfig(p), args) }

func parseOwn(c *config, args []string) (*config, error) {
	if err := cli.Parse(c.flags, args); err != nil {
		return nil, &flagError{badFlag, err}
	}
	if c.version || c.listVersions || c.about.Asked() {
		return c, nil
	}
	if err := c.checkBatch(); err != nil {
		return nil, err
	}
	if c.isBatch() {
		return c, nil // its jobs are checked
	}
	if err := c.checkInput(); err != nil {
		return nil, err
	}
	if err := c.checkOptions(); err != nil {
		return nil, err
	}
	if err := cli.CheckOutput(c.input, c.output); err != nil {
		return nil, &flagError{badCombination, err}
	}
	return c, c.chooseOutput()
}

// parseReference reads a command line as tileiras does. What does not depend on the input is checked after reading
// it, in the order of that tool (tileiras.go).
func (c *config) parseReference(program string, args []string) error {
	line := &cli.ReferenceLine{Name: c.name, Program: program, Flags: c.flags, Words: words, Suggested: suggested}
	line.Read(args)
	switch line.Asked {
	case "version":
		c.version = true
	case "list-versions":
		c.listVersions = true
	case "":
		if line.Wrong != nil {
			return &wrongLine{line.Wrong}
		}
		if c.input = strings.Join(line.Files, ""); c.input == "" {
			return errNoInput
		}
		return nil
	default:
		c.help, c.hidden = true, strings.HasSuffix(line.Asked, "-hidden")
	}
	c.complaints = line.Wrong
	return nil
}

func (c *config) checkInput() error {
	var err error
	if c.input, err = cli.Input(c.flags.Args()); err != nil {
		return &flagError{badFlag, err}
	}
	if c.input == "-" && !c.stdin {
		return flagErrorf(noInput, "no input file; standard input is not accepted")
	}
	return nil
}

func (c *config) checkOptions() error {
	if c.gpu == "" {
		return flagErrorf(badCombination, "--gpu-name is missing; architectures: %s", strings.Join(sm.Names(), ", "))
	}
	if _, err := sm.Lookup(c.gpu); err != nil {
		return &flagError{badFlag, err}
	}
	if c.optLevel < 0 || c.optLevel > 3 {
		return flagErrorf(badCombination, "invalid optimization level: %d; levels: 0 to 3", c.optLevel)
	}
	for _, choice := range []struct {
		flag, value string
		values      []string
	}{
		{"emit", c.emit, emissions},
		{"sanitize", c.sanitize, []string{"memcheck"}},
		{"schedule", c.schedule, schedule.Names()},
		{"host-arch", c.hostArch, []string{"x86_64", "aarch64"}},
		{"host-os", c.hostOS, []string{"linux", "windows"}},
	} {
		if choice.value != "" && !slices.Contains(choice.values, choice.value) {
			return flagErrorf(badFlag, "unknown value '%s' of --%s%s; values: %s", choice.value, choice.flag,
				suggest.DidYouMean(choice.value, choice.values), strings.Join(choice.values, ", "))
		}
	}
	for _, name := range c.printing.Passes() {
		if passes.Default.Lookup(name) == nil {
			return flagErrorf(badFlag, "unknown pass '%s'", name)
		}
	}
	if c.debug && c.optLevel > 0 {
		return flagErrorf(badCombination, "--device-debug needs -O0, but the optimization level is %d", c.optLevel)
	}
	for _, feature := range c.preview {
		if feature != cli.PreviewSIMT {
			return flagErrorf(badFlag, "unknown preview feature '%s'; there is '%s'", feature, cli.PreviewSIMT)
		}
	}
	if err := c.remarks.check(); err != nil {
		return err
	}
	if c.launches != "" && c.report.Path == "" {
		return flagErrorf(badCombination, "--launches is about --report, which is not asked for")
	}
	if c.arguments != "" && c.why == "" && c.report.Path == "" {
		return flagErrorf(badCombination, "--arguments is about --why and --report, and neither is asked for")
	}
	if c.printPlan && c.why != "" {
		return flagErrorf(badCombination, "--print-plan and --why both print instead of writing code")
	}
	if err := cli.CheckWhy(c.why); err != nil {
		return &flagError{badFlag, err}
	}
	if err := c.report.Check(); err != nil {
		return &flagError{badFlag, err}
	}
	return c.checkAvailable()
}

// checkAvailable names the options that cannot be honoured yet.
func (c *config) checkAvailable() error {
	if c.libraries != nil && c.persona != tileiras {
		return flagErrorf(notCompiled, "-l %s: tile libraries are not available yet", c.libraries[0])
	}
	return nil
}

func (c *config) chooseOutput() error {
	if c.emit == "" {
		c.emit = c.fallback()
		switch ext := strings.TrimPrefix(filepath.Ext(c.output), "."); {
		case ext == emitPTX, ext == emitCubin, ext == emitMLIR:
			c.emit = ext
		case slices.Contains(bytecodeNames, ext) && c.text:
			return flagErrorf(badCombination, "the name '%s' is one of bytecode, which is not written here (tile-translate does); --emit says what to write", c.output)
		}
	}
	switch {
	case c.launchJSON != "" && c.emit != emitPTX && c.emit != emitCubin:
		return flagErrorf(badCombination, "--launch-json is about PTX and cubins, but --emit is %s", c.emit)
	case c.launchJSON == "-" && (c.output == "" || c.output == "-"):
		return flagErrorf(badCombination, "--launch-json and the output cannot both go to standard output")
	}
	if c.emit != emitCubin {
		for flag, given := range map[string]bool{"sanitize": c.sanitize != "", "apply-controls": c.controls != "", "ptxas": c.ptxas != ""} {
			if given {
				return flagErrorf(badCombination, "--%s is for cubins, but the output is %s", flag, c.emit)
			}
		}
		return nil
	}
	if c.output == "-" && !c.flags.Changed("output-file") {
		return flagErrorf(badCombination, "a cubin is no text: name a file with -o, or standard output with -o -")
	}
	return nil
}

// options are those of passes that flags stand for.
func (c *config) options() map[string]string {
	out := make(map[string]string)
	if c.schedule != "" {
		out["tileas-schedule-loops"] = "scheduler=" + c.schedule
	}
	tileir.WarpRoles(out, c.warpRoles)
	tileir.Math(out, c.math)
	return out
}

// goal is the level to compile to.
func (c *config) goal() *passes.Property {
	for _, l := range property.Levels {
		if l.Level() == c.emit {
			return l
		}
	}
	return property.PTX
}

// tool is what the tool says of itself.
func (c *config) tool() *cli.Tool {
	return &cli.Tool{Name: c.name, Summary: "compile a Tile IR kernel to PTX or a cubin, or to the IR of a level on the way", Flags: c.flags,
		Usage: []cli.Line{{Command: " [flags] FILE"}, {Command: " --output-dir=DIR [flags] FILE..."}},
		Examples: []cli.Line{
			{Command: " --gpu-name=sm_90 k.tileirbc -o k.ptx", Does: "compile to PTX"},
			{Command: " --gpu-name=sm_120 k.tileirbc -o k.cubin", Does: "and on, by ptxas"},
			{Command: " --emit=tileas k.tileirbc", Does: "stop at the level of layouts"},
			{Command: " --output-dir=out --gpu-name=sm_90,sm_120 -j 8 *.tileirbc", Does: "many files for several architectures"},
			{Command: " --remarks=all k.tileirbc -o k.ptx", Does: "say what was decided"},
			{Command: " --why=tma k.tileirbc", Does: "say which loads and stores use TMA, what the others lack, and what that costs"},
		},
		Groups: []cli.Group{
			{Title: "What is made", Flags: []string{"output-file", "emit", "gpu-name", "opt-level", "lineinfo", "device-debug", "schedule", "warp-roles", "math", "tensor-maps", "output-dir", "jobs"}},
			{Title: "Assembler", Flags: []string{"ptxas", "sanitize", "apply-controls", "host-arch", "host-os"}},
			{Title: "Preview", Flags: []string{"preview", "link-library"}},
			{Title: "Remarks", Flags: []string{"why", "remarks", "remarks-passed", "remarks-missed", "remarks-failed", "remarks-analysis", "remark-format", "remarks-output-file"}},
			{Title: "Cache", Flags: []string{"cache", "cache-size", "remote-cache"}},
			{Title: "Watching passes", Flags: []string{"print-before", "print-after", "print-before-all", "print-after-all", "print-after-change", "print-after-failure", "print-module-scope", "print-ir-tree-dir", "report",
				"mlir-print-debuginfo", "mlir-print-op-generic", "dump-pass-pipeline", "timing", "pass-statistics", "verify-each", "crash-reproducer"}},
		}}
}

func writeHelp(w io.Writer, p *persona) { newConfig(p).tool().WriteHelp(w) }
