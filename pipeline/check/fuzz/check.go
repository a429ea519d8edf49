package fuzz

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/check/generate"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/hb"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// Options say what to compile for, and how long a kernel may run.
type Options struct {
	GPU      string // as in "sm_90"
	OptLevel int
	// Loops makes kernels that all have loops.
	Loops bool
	// Products makes kernels that all have large products; without, some have.
	Products bool
	// Exact makes kernels exact (package exact): all outputs must be the same, bit for bit.
	Exact bool
	// TensorMaps is who makes tensor maps.
	TensorMaps contract.TensorMaps
	// WarpRoles is the option of tileas-specialize-warps; "": none.
	WarpRoles string
	// Engines are what is compared with the interpreter; none: PTX alone.
	Engines []Engine
	// Adversarial makes the emulator, and the interpreter of the levels below, as unfriendly as the program allows,
	// on the course that Seed chooses.
	Adversarial bool
	Seed        uint64
	// Change, if it is set, changes the PTX before it runs: a test plants an error this way.
	Change func(ptx []byte) []byte

	emuSteps uint64 // that a launch may take in the emulator; 0: the usual bound
}

// The bounds of a run, which a kernel that was not shrunk stays far below.
const (
	interpSteps = 1 << 18
	emuSteps    = 1 << 22
)

// A Kind is what is wrong.
type Kind string

// The kinds of findings.
const (
	Rejected  Kind = "rejected"  // the module does not parse or verify
	Undefined Kind = "undefined" // the interpreter reports an error
	Compile   Kind = "compile"   // a pass fails
	Run       Kind = "run"       // the emulator reports an error
	Mismatch  Kind = "mismatch"  // the engines disagree
	Unordered Kind = "unordered" // the check of synchronization has a report
)

// An Engine is a way to run a kernel.
type Engine string

// The engines that can be compared with the interpreter at the level of the input.
const (
	TileAA Engine = "tileaa" // the interpreter after the conversion to nv_tileaa
	TileAS Engine = "tileas" // the interpreter at the end of level nv_tileas
	PTX    Engine = "ptx"    // the emulator
)

// A Finding is a kernel with which something is wrong.
type Finding struct {
	*generate.Kernel
	Kind    Kind
	Engine  Engine // with which; none if it is wrong for all
	Message string
	Want    *launch.Request // what the interpreter left, of a mismatch

	emuSteps uint64 // that the launch took in the emulator
}

// accidents are what messages about the same thing may differ in: numbers, names of values, types.
var accidents = regexp.MustCompile(`'(tensor|tile|!)[^']*'|%[\w#]+|-?\b(0x)?[0-9a-f]*[0-9][0-9a-f.]*\b`)

// Signature is the same for findings that are most likely the same.
func (f *Finding) Signature() string {
	if f.Kind == Mismatch {
		return string(f.Kind) + " " + string(f.Engine)
	}
	return string(f.Kind) + " " + string(f.Engine) + ": " + accidents.ReplaceAllString(f.Message, "N")
}

// Check runs a kernel in the interpreter and in other engines, and returns what is wrong with it first, or nil. The
// error is that ctx ended.
func Check(ctx context.Context, k *generate.Kernel, opts Options) (*Finding, error) {
	c := &check{Kernel: k, opts: opts}
	f := c.run(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return f, nil
}

// A check is the check of one kernel.
type check struct {
	*generate.Kernel
	opts   Options
	engine Engine
	want   *launch.Request
	steps  uint64
}

func (c *check) fail(kind Kind, format string, args ...any) *Finding {
	return &Finding{c.Kernel, kind, c.engine, fmt.Sprintf(format, args...), c.want, c.steps}
}

func (c *check) run(ctx context.Context) *Finding {
	var said bytes.Buffer
	module, err := read(c.Text, &said)
	if err != nil {
		return c.fail(Rejected, "%s", first(said.String(), err))
	}
	want := c.Launch.Clone()
	e := interp.New(module)
	e.MaxSteps, e.Races = interpSteps, true
	if err := e.Run(ctx, want); err != nil {
		return c.fail(Undefined, "%v", err)
	}
	c.want = want
	engines := c.opts.Engines
	if len(engines) == 0 {
		engines = []Engine{PTX}
	}
	for _, c.engine = range engines {
		if f := c.against(ctx); f != nil {
			return f
		}
	}
	return nil
}

// against runs the kernel in another engine.
func (c *check) against(ctx context.Context) *Finding {
	var said bytes.Buffer
	module, err := read(c.Text, &said)
	if err != nil {
		return c.fail(Rejected, "%s", first(said.String(), err))
	}
	options := compile.Options{GPU: c.opts.GPU, OptLevel: c.opts.OptLevel, TensorMaps: c.opts.TensorMaps, PassOptions: c.opts.passOptions()}
	if c.engine != PTX {
		options.To = passes.PropertyNamed(string(c.engine))
	}
	result, err := compile.To(ctx, module, options)
	if err != nil {
		return c.fail(Compile, "%s", first(said.String(), reason(err)))
	}
	engine, err := c.build(module, result)
	if err != nil {
		return c.fail(Run, "%v", err)
	}
	got := c.Launch.Clone()
	if err := engine.Run(ctx, got); err != nil {
		return c.fail(Run, "%v", err)
	}
	e, compiled := engine.(*emulate.Engine)
	if compiled {
		c.steps = e.Stats.WarpInstructions
	}
	if f := c.compare(got); f != nil || !compiled {
		return f
	}
	for i := range e.Sync.Findings {
		if f := &e.Sync.Findings[i]; !ofTheModel(f) {
			return c.fail(Unordered, "%v", f)
		}
	}
	return nil
}

// ofTheModel reports whether a report is about a multicast copy that fills a stage again. Arrivals of threads that free a
// stage of another CTA have the default scope, as in CUTLASS: they only read it (docs/async-model.md, Scopes of cluster
// handshakes).
func ofTheModel(f *hb.Finding) bool {
	return f.Kind == hb.TooNarrow && strings.Contains(f.Second.Instruction, ".multicast::cluster")
}

func (c *check) build(module ir.Op, result *compile.Result) (launch.Engine, error) {
	if c.engine != PTX {
		e := interp.New(module)
		e.MaxSteps, e.Adversarial, e.Seed = interpSteps, c.opts.Adversarial, c.opts.Seed
		e.Threads = c.engine == TileAS // barriers stand where they should
		return e, nil
	}
	ptx := result.PTX
	if c.opts.Change != nil {
		ptx = c.opts.Change(ptx)
	}
	e, err := emulate.New("ptx", ptx)
	if err != nil {
		return nil, err
	}
	result.Describe(e, c.Launch.Entry)
	e.MaxSteps, e.Adversarial, e.Seed = cmp.Or(c.opts.emuSteps, emuSteps), c.opts.Adversarial, c.opts.Seed
	e.Sync = new(emu.SyncReport)
	return e, nil
}

// compare compares what an engine left with what the interpreter did.
func (c *check) compare(got *launch.Request) *Finding {
	for i, a := range c.want.Args {
		if a.Buffer == nil {
			continue
		}
		d, err := launch.Compare(got.Args[i].Buffer, a.Buffer, c.Tolerance[i])
		if err != nil {
			return c.fail(Run, "argument %d: %v", i, err)
		}
		if !d.OK() {
			return c.fail(Mismatch, "argument %d: %d of %d elements differ, first element %d: %s", i, d.Mismatches, d.Elements, d.First, d.FirstPair)
		}
	}
	return nil
}

// read reads a kernel. What is wrong with it, then or later, is said in full.
func read(text []byte, said *bytes.Buffer) (ir.Op, error) {
	c := tileir.NewContext()
	c.Diag.Push(c.Diag.PrintTo(said))
	return tileir.Read(c, "kernel", text)
}

// reason is what a pass says about its failure.
func reason(err error) error {
	var f *pipeline.Failure
	if errors.As(err, &f) {
		return fmt.Errorf("pass '%s' failed on %s", f.Pass.Name, f.Op)
	}
	return err
}

// first is the first line of diagnostics, or else the error.
func first(said string, err error) string {
	line, _, _ := bytes.Cut([]byte(said), []byte("\n"))
	if len(line) == 0 {
		return err.Error()
	}
	return fmt.Sprintf("%v: %s", err, line)
}
