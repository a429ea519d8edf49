package compile

import (
	"bytes"
	"context"
	"fmt"

	"github.com/rs/zerolog"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/passes"
	_ "github.com/tilewright/tilewright/passes/all" // the default registry
	"github.com/tilewright/tilewright/passes/convert/nvvmtoptx"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emulate"
)

// Options say what to compile for.
type Options struct {
	// GPU is the architecture, as in "sm_90"; empty: the one that the module names, or else passes.DefaultGPU.
	GPU string
	// OptLevel is 0 to 3. With AnyOptLevel it gives way to what the module says that it was compiled at so far.
	OptLevel    int
	AnyOptLevel bool
	// LineInfo adds source lines to the PTX.
	LineInfo bool
	// TileLaunch makes kernels for launchers that give a grid and nothing else (nvvmtoptx.TileLaunch).
	TileLaunch bool
	// TensorMaps is where kernels have the tensor maps of TMA copies from; contract.AutoTensorMaps gives way to what
	// the module says.
	TensorMaps contract.TensorMaps
	// To is the level to reach; nil: PTX.
	To *passes.Property
	// Record notes on the IR how far it got, for IR that is printed.
	Record bool
	// NoVerify leaves out the verification after each pass.
	NoVerify bool
	// PassOptions are options of passes, by the name of the pass, as in "scheduler=exact".
	PassOptions map[string]string
	// Kernels are plans of kernels, which replace PassOptions for their passes.
	Kernels pipeline.KernelPlans
	// Disabled are names of passes that are left out. One that others need what it establishes of is an error.
	Disabled []string
	// Instruments watch the passes.
	Instruments []pipeline.Instrument
	// Decisions passes on as remarks what passes decided.
	Decisions bool
	// Reproducer says how to keep what is needed to repeat a failure; nil: not at all.
	Reproducer *pipeline.Reproducer
	// Fallback compiles again with less optimization what fails for a fault of the compiler (see Fallback). Without it
	// such a failure is an error, as tests and searches for faults want it.
	// Without Instruments the IR is verified after the last of passes in a row, and after each in a second run if one fails.
	Fallback bool

	maxOpt     map[*passes.Property]int // of a further attempt
	verifyLast bool                     // see pipeline.Manager
}

// A Result is what compiling yields.
type Result struct {
	// Module is the IR at the level that was reached; for PTX, what the text was printed from.
	Module ir.Op
	// PTX is the text of the PTX module, and Launch says how its kernels must be launched, if PTX was asked for.
	PTX    []byte
	Launch *nvvmtoptx.Launch
	// Pipeline is what ran, and Statistics what its passes counted.
	Pipeline   *pipeline.Pipeline
	Statistics []pipeline.StatisticValue
	// Kernels are the plans of kernels that were given, with what the compiler added to them.
	Kernels pipeline.KernelPlans
	// Fallbacks are the attempts that failed before this result.
	Fallbacks []Fallback
}

// Plan returns what is left of the default pipeline for a module, and what is known of the module.
func Plan(module ir.Op, opts Options) (*pipeline.Plan, *pipeline.Input, error) {
	target, err := tileir.Target(module, tileir.Asked{GPU: opts.GPU, OptLevel: opts.OptLevel, AnyOptLevel: opts.AnyOptLevel, TensorMaps: opts.TensorMaps})
	if err != nil {
		return nil, nil, err
	}
	if opts.To == nil {
		opts.To = property.PTX
	}
	if opts.LineInfo {
		nvvmtoptx.LineInfo.Set(target, true)
	}
	if opts.TileLaunch {
		nvvmtoptx.TileLaunch.Set(target, true)
	}
	from := pipeline.LevelOf(module)
	if from == nil {
		from = property.CudaTile
	}
	if from.Rank() > opts.To.Rank() {
		return nil, nil, fmt.Errorf("input is at level %s already, after %s", from.Level(), opts.To.Level())
	}
	return pipeline.PlanFor(passes.Default, module, pipeline.Goal{From: from, To: opts.To, Target: target, Options: opts.PassOptions, Kernels: opts.Kernels, MaxOpt: opts.maxOpt})
}

// To compiles a module, and logs to the logger of the context (zerolog.Ctx). The error is a *pipeline.Failure when a pass failed; its reasons are diagnostics of the
// context. The module is compiled in place, and in an unspecified state after a failure; Result.Module is another one
// after a fallback.
func To(ctx context.Context, module ir.Op, opts Options) (*Result, error) {
	if opts.Fallback && len(opts.Disabled) == 0 {
		return withFallback(ctx, module, opts)
	}
	return once(ctx, module, opts)
}

// once compiles a module in one attempt.
func once(ctx context.Context, module ir.Op, opts Options) (*Result, error) {
	plan, in, err := Plan(module, opts)
	if err != nil {
		return nil, err
	}
	p, err := plan.Pipeline(passes.Default, module.Name(), module.Context())
	if err != nil {
		return nil, err
	}
	off, err := pipeline.ParsePlaces(passes.Default, opts.Disabled)
	if err != nil {
		return nil, err
	}
	if err := plan.CheckWithout(off, in); err != nil {
		return nil, err
	}
	if opts.maxOpt == nil { // a further attempt leaves passes out
		if err := opts.Kernels.Check(pipeline.KernelNames(module), p); err != nil {
			return nil, err
		}
	}
	p = p.Without(off)
	m := &pipeline.Manager{Target: plan.Goal.Target, Plan: plan, Kernels: plan.Goal.Kernels, Input: in, Record: opts.Record, NoVerify: opts.NoVerify, VerifyLast: opts.verifyLast, Instruments: opts.Instruments, Reproducer: opts.Reproducer,
		Decisions: opts.Decisions, Log: *zerolog.Ctx(ctx)}
	ran, err := m.Run(ctx, p, module)
	if err != nil {
		return nil, err
	}
	result := &Result{Module: module, Pipeline: p, Statistics: ran.Statistics, Kernels: ran.Kernels}
	if text, ok := ran.Artifacts[nvvmtoptx.PTXArtifact].(passes.Text); ok {
		result.PTX = text
	}
	result.Launch, _ = ran.Artifacts[nvvmtoptx.LaunchArtifact].(*nvvmtoptx.Launch)
	return result, nil
}

// Kernel returns the description of the kernel of that name, or nil.
func (r *Result) Kernel(name string) *nvvmtoptx.Kernel {
	if r.Launch == nil {
		return nil
	}
	for _, k := range r.Launch.Kernels {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// Emulator returns an engine for launches of the kernel of that name, of the module that this is the code of.
func (r *Result) Emulator(file, kernel string) (*emulate.Engine, error) {
	e, err := emulate.New(file, r.PTX)
	if err == nil {
		r.Describe(e, kernel)
	}
	return e, err
}

// Describe tells an engine how the kernel of that name is launched.
func (r *Result) Describe(e *emulate.Engine, kernel string) {
	if k := r.Kernel(kernel); k != nil {
		Describe(e, k)
	}
}

// Describe tells an engine how a kernel is launched.
func Describe(e *emulate.Engine, k *nvvmtoptx.Kernel) {
	e.DynamicShared, e.TensorMaps = uint32(k.DynamicShared), k.TensorMaps
	for i := range min(len(k.Block), len(e.Block)) {
		e.Block[i] = uint32(k.Block[i])
	}
}

// Text prints a module as the tools do.
func Text(module ir.Op, debug bool) ([]byte, error) {
	var buf bytes.Buffer
	if err := asm.Print(&buf, module, asm.PrintOptions{DebugInfo: debug}); err != nil {
		return nil, err
	}
	if buf.Len() > 0 && buf.Bytes()[buf.Len()-1] != '\n' {
		buf.WriteByte('\n')
	}
	return buf.Bytes(), nil
}
