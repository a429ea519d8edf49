package runtool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/source"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/check/exact"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/cuda"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/tensormap"
)

// An engine is a way to run a kernel.
type engine struct {
	name     string
	flags    []string // that not every engine follows
	compiles bool     // it runs what depends on the target
	// build makes a program ready to run, given its IR, unless it is PTX, and the GPU that the command line names, if
	// it does. The IR may be changed.
	build func(ctx context.Context, c *config, p *program, module ir.Op, entry, gpu string) (launch.Engine, error)
}

// A runner is an engine, and the target that it gets code for.
type runner struct {
	*engine
	gpu string // "" where the engine needs no code
}

// planRuns takes each engine with each target, where they matter to it.
func (c *config) planRuns() {
	for _, e := range c.engines {
		if !e.compiles && c.level == "cuda_tile" {
			c.runs = append(c.runs, runner{e, ""})
			continue
		}
		for _, gpu := range c.gpus {
			c.runs = append(c.runs, runner{e, gpu})
		}
	}
}

// oneGPU rejects several targets, for a mode of the tool that has one.
func (c *config) oneGPU(mode string) error {
	if len(c.gpus) > 1 {
		return fmt.Errorf("--%s takes one target, but got '%s'", mode, strings.Join(c.gpus, "', '"))
	}
	return nil
}

// interpFlags are what the interpreter follows at any level.
var interpFlags = []string{"strict", "strict-indices", "races", "thread-races", "ordered-atomics", "adversarial", "seed", "trace", "trace-block"}

// The engines. Those that are called as a level lower to it and interpret that, which --level does for engine interp.
var engines = []*engine{
	{"interp", append([]string{"level"}, interpFlags...), false, buildInterp},
	{"tileaa", interpFlags, true, buildLevel("tileaa")},
	{"tileas", interpFlags, true, buildLevel("tileas")},
	{"ptx", []string{"adversarial", "seed", "block", "shared-bytes", "profile", "allow-uninitialized", "sync-check"}, true, buildEmulator},
	{"cuda", []string{"repeat", "block", "shared-bytes"}, true, buildCUDA},
}

func engineNamed(n string) (*engine, error) {
	var all []string
	for _, e := range engines {
		if e.name == n {
			return e, nil
		}
		all = append(all, e.name)
	}
	return nil, fmt.Errorf("unknown engine '%s'%s; engines: %s", n, suggest.DidYouMean(n, all), strings.Join(all, ", "))
}

// A program is a file to run. Each engine reads it again, since compiling changes the IR.
type program struct {
	name string
	data []byte
	// assembled is set for PTX out of a cubin. NVIDIA's compiler reads registers that a masked load did not write,
	// where what it computes of them is masked too.
	assembled bool
	exact     bool      // it is made exact when it is read
	errs      io.Writer // takes diagnostics
	// prints takes what the kernel prints: the tool's standard output, unless that is JSON.
	prints io.Writer
}

// read reads the program as IR. An error says in short what the diagnostics, which it writes, say in full.
func (p *program) read() (ir.Op, error) {
	ctx := tileir.NewContext()
	ctx.Diag.FindSources(new(source.Reader).Text)
	rejected := &rejection{name: p.name}
	print := ctx.Diag.PrintTo(p.errs)
	ctx.Diag.Push(func(d *ir.Diagnostic) {
		print(d)
		if len(rejected.why) < maxReported {
			rejected.why = append(rejected.why, d.Error())
		}
	})
	module, err := tileir.Read(ctx, p.name, p.data)
	if err != nil {
		return ir.Op{}, rejected
	}
	if p.exact {
		if err := exact.Module(context.Background(), module); err != nil {
			return ir.Op{}, short(err)
		}
	}
	return module, nil
}

// A rejection is a program that is not valid. The message is short, since the diagnostics have been printed.
type rejection struct {
	name string
	why  []string
}

// maxReported bounds the diagnostics that results repeat.
const maxReported = 20

func (r *rejection) Error() string { return fmt.Sprintf("'%s' was rejected", r.name) }

func buildInterp(ctx context.Context, c *config, p *program, module ir.Op, entry, gpu string) (launch.Engine, error) {
	if module.IsNil() {
		return nil, fmt.Errorf("'%s' is PTX, which only engine ptx runs", p.name)
	}
	if err := c.lower(ctx, module, c.level, gpu); err != nil {
		return nil, err
	}
	return c.newInterp(p, module, entry)
}

func buildLevel(level string) func(context.Context, *config, *program, ir.Op, string, string) (launch.Engine, error) {
	return func(ctx context.Context, c *config, p *program, module ir.Op, entry, gpu string) (launch.Engine, error) {
		if module.IsNil() {
			return nil, fmt.Errorf("'%s' is PTX, which only engine ptx runs", p.name)
		}
		if err := c.lower(ctx, module, level, gpu); err != nil {
			return nil, err
		}
		return c.newInterp(p, module, entry)
	}
}

func (c *config) newInterp(p *program, module ir.Op, entry string) (launch.Engine, error) {
	e := interp.New(module)
	if !c.strictAll {
		e.AsCompiled()
	}
	e.LooseIndices = e.LooseIndices && !c.strict
	e.Races, e.Threads, e.OrderedAtomics, e.MaxSteps = c.races, c.threadRaces, c.ordered, c.maxSteps
	e.Adversarial, e.Seed = c.adversarial, c.seed
	e.Output = p.prints
	e.Progress = progress(p.errs, p.name)
	if c.trace != nil {
		trace, err := newTracer(p.errs, module, entry, c.trace)
		if err != nil {
			return nil, err
		}
		e.Trace, e.TraceBlock = trace.event, c.traced
	}
	return e, nil
}

// lower brings a module to the level that the interpreter is to run.
func (c *config) lower(ctx context.Context, module ir.Op, level, gpu string) error {
	to := passes.PropertyNamed(level)
	if at := pipeline.LevelOf(module); at != nil && at.Rank() >= to.Rank() {
		return nil
	}
	_, err := compile.To(ctx, module, compile.Options{GPU: c.asked(gpu), OptLevel: c.optLevel, AnyOptLevel: !c.flags.Changed("opt-level"), TensorMaps: c.tensorMaps, PassOptions: c.passOptions(), To: to})
	return short(err)
}

// passOptions returns the options of passes that flags stand for.
func (c *config) passOptions() map[string]string {
	out := make(map[string]string)
	if c.copies != "" {
		out["tileas-plan-copies"] = c.copies
	}
	if c.clusters != "" {
		out["tileaa-partition-cluster"] = c.clusters
	}
	tileir.WarpRoles(out, c.warpRoles)
	tileir.Math(out, c.math)
	return out
}

// asked returns a GPU if the command line names it; the default counts for modules that name none.
func (c *config) asked(gpu string) string {
	if c.flags.Changed("gpu-name") {
		return gpu
	}
	return ""
}

func buildEmulator(ctx context.Context, c *config, p *program, module ir.Op, entry, gpu string) (launch.Engine, error) {
	text, kernel, err := p.ptx(ctx, c, module, entry, gpu)
	if err != nil {
		return nil, err
	}
	file := p.name
	if !module.IsNil() {
		file = "<PTX of " + p.name + ">"
	}
	e, err := emulate.New(file, text)
	if err != nil {
		return nil, err
	}
	e.Block, e.DynamicShared, e.TensorMaps = kernel.block, kernel.shared, kernel.maps
	e.Adversarial, e.Seed = c.adversarial, c.seed
	e.MaxSteps = c.maxSteps
	e.AllowUninitialized = c.uninitialized || p.assembled
	e.TileBlocks = p.assembled
	e.Stdout = p.prints
	e.Progress = progress(p.errs, p.name)
	e.Profile = c.newProfile()
	if c.syncCheck {
		e.Sync = new(emu.SyncReport)
	}
	return e, nil
}

func buildCUDA(ctx context.Context, c *config, p *program, module ir.Op, entry, gpu string) (launch.Engine, error) {
	if p.assembled { // what its driver does for a cubin of tiles, it does not do for the PTX: parameters that are hidden, clusters for CTAs
		return nil, fmt.Errorf("'%s' is PTX out of a cubin, which only engine ptx runs", p.name)
	}
	text, kernel, err := p.ptx(ctx, c, module, entry, gpu)
	if err != nil {
		return nil, err
	}
	e, err := cuda.New(text)
	if err != nil {
		return nil, err
	}
	e.Block, e.DynamicShared, e.TensorMaps, e.Repeat = kernel.block, kernel.shared, kernel.maps, c.repeat
	return e, nil
}

// A kernel is what a launch of PTX needs beside its arguments.
type kernel struct {
	block  [3]uint32       // all zero: what the entry demands
	shared uint32          // dynamic shared memory, in bytes
	maps   []tensormap.Map // of hidden parameters
}

// ptx returns the PTX of a program, and how to launch the entry: as the compiler says, or the command line.
func (p *program) ptx(ctx context.Context, c *config, module ir.Op, entry, gpu string) (text []byte, k kernel, err error) {
	if module.IsNil() {
		if len(c.gpus) > 1 {
			return nil, k, fmt.Errorf("'%s' is PTX, which is for the target that it names, so that --gpu-name does nothing", p.name)
		}
		return p.data, kernel{block: c.block, shared: c.shared}, nil
	}
	for _, f := range []string{"block", "shared-bytes"} {
		if c.flags.Changed(f) {
			return nil, k, fmt.Errorf("--%s is for PTX, but '%s' is compiled, which decides that", f, p.name)
		}
	}
	result, err := compile.To(ctx, module, compile.Options{GPU: c.asked(gpu), OptLevel: c.optLevel, AnyOptLevel: !c.flags.Changed("opt-level"), TensorMaps: c.tensorMaps, PassOptions: c.passOptions(), LineInfo: true, Fallback: true})
	if err != nil {
		return nil, k, short(err)
	}
	if described := result.Kernel(entry); described != nil {
		k.shared, k.maps = uint32(described.DynamicShared), described.TensorMaps
		for i := range min(len(described.Block), len(k.block)) {
			k.block[i] = uint32(described.Block[i])
		}
	}
	return result.PTX, k, nil
}

// short leaves out of an error what the diagnostics said already.
func short(err error) error {
	var f *pipeline.Failure
	if errors.As(err, &f) {
		return fmt.Errorf("pass '%s' failed on %s", f.Pass.Name, f.Op)
	}
	return err
}
