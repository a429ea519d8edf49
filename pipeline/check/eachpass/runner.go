package eachpass

import (
	"context"
	"fmt"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A Runner executes a case on IR of any level.
type Runner struct {
	Case   *launch.Case
	Target *passes.Target
	// Races makes accesses that nothing orders errors, where the interpreter executes.
	Races bool
	// Threads says that barriers are in place, so that threads may not meet in shared memory without one.
	Threads bool
}

// Run executes the case and returns what it leaves.
func (r Runner) Run(ctx context.Context, module ir.Op) (*launch.Request, error) {
	engine, err := r.engine(ctx, module)
	if err != nil {
		return nil, err
	}
	req := r.Case.Request()
	return req, engine.Run(ctx, req)
}

// emulated reports whether a module is below the levels that the interpreter runs, so that its PTX is.
func emulated(module ir.Op) bool {
	return pipeline.LevelOf(module) == property.NVVM
}

func (r Runner) engine(ctx context.Context, module ir.Op) (launch.Engine, error) {
	if emulated(module) {
		return r.emulator(ctx, module)
	}
	e := interp.New(module)
	e.Threads, e.Races = r.Threads, r.Races
	e.LooseIndices = true // as compiled code takes a tile outside the index space
	return e, nil
}

// emulator makes PTX of a copy of a module.
func (r Runner) emulator(ctx context.Context, module ir.Op) (launch.Engine, error) {
	rest := ir.NewBuilder(module.Context().NewArena()).Clone(module, ir.NewMapping())
	pipeline.Forget(rest)
	// No more passes than PTX needs: those that optimise have not had their turn yet, and a fault of theirs is not
	// one of this pass.
	result, err := compile.To(ctx, rest, compile.Options{GPU: r.Target.GPU, NoVerify: true})
	if err != nil {
		return nil, fmt.Errorf("the rest of the lowering: %w", err)
	}
	e, err := emulate.New(r.Case.Name+".ptx", result.PTX)
	if err != nil {
		return nil, err
	}
	result.Describe(e, r.Case.Entry)
	return e, nil
}
