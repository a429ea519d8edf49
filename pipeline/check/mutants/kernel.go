package mutants

import (
	"context"
	"fmt"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/check/generate"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// A Kernel is a kernel with its dumps.
type Kernel struct {
	*generate.Kernel
	GPU      string
	OptLevel int
	Dumps    []Dump
}

// A Dump is the IR after a pass.
type Dump struct {
	Text []byte
	Step string // the pass, or the step of it, that left this
	Next int    // steps of the plan that are done
	// Level is the dump's, and Have are the properties of it that the passes that follow count on.
	Level *passes.Property
	Have  []*passes.Property
}

// New compiles a kernel and keeps the dumps of levels 1 to 3 that differ from the one before.
func New(ctx context.Context, k *generate.Kernel, gpu string, optLevel int) (*Kernel, error) {
	out := &Kernel{Kernel: k, GPU: gpu, OptLevel: optLevel}
	module, err := tileir.Read(tileir.NewContext(), "kernel", k.Text)
	if err != nil {
		return nil, err
	}
	plan, err := out.plan(module)
	if err != nil {
		return nil, err
	}
	var last string
	for i, v := range plan.Steps {
		one := &pipeline.Plan{Goal: plan.Goal, Steps: plan.Steps[i : i+1], Graph: plan.Graph}
		if _, err := run(ctx, one, module, nil); err != nil {
			return nil, err
		}
		is := pipeline.Inspect(passes.Default, module, plan.Goal.Target)
		level := is.Level
		if level == nil || level.Rank() < property.TileAA.Rank() {
			continue
		}
		text, err := compile.Text(module, false)
		if err != nil {
			return nil, err
		}
		if i == len(plan.Steps)-1 || string(text) == last {
			continue
		}
		last = string(text)
		out.Dumps = append(out.Dumps, Dump{Text: text, Step: v.ID, Next: i + 1, Level: level, Have: is.Have})
	}
	if len(out.Dumps) == 0 {
		return nil, fmt.Errorf("no dumps")
	}
	return out, nil
}

// plan is the pipeline from the input to PTX, whatever the level of the module.
func (k *Kernel) plan(module ir.Op) (*pipeline.Plan, error) {
	return pipeline.NewPlan(passes.Default, pipeline.Goal{From: property.CudaTile, To: property.PTX, Target: k.target()})
}

func (k *Kernel) target() *passes.Target { return &passes.Target{GPU: k.GPU, OptLevel: k.OptLevel} }

// run runs the steps of a plan.
func run(ctx context.Context, plan *pipeline.Plan, module ir.Op, watch pipeline.Instrument) (*pipeline.Result, error) {
	p, err := plan.Pipeline(passes.Default, module.Name(), module.Context())
	if err != nil {
		return nil, err
	}
	m := &pipeline.Manager{Target: plan.Goal.Target}
	if watch != nil {
		m.Instruments = []pipeline.Instrument{watch}
	}
	return m.Run(ctx, p, module)
}
