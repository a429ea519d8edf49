package compile

import (
	"context"
	"errors"
	"fmt"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/pipeline"
)

// A Fallback is an attempt at compiling that failed at nv_tileas or below, after which the next one optimizes less.
//
// What a pass decides there, others check: a property, a verifier, the memory of the target. A failed check says that
// the compiler was wrong, and not the program, if another attempt compiles it.
type Fallback struct {
	Failure *pipeline.Failure
	// Next is what the next attempt leaves out.
	Next string
}

// A setting bounds the optimization level at each level of the IR.
type setting struct {
	name string
	most map[*passes.Property]int
}

// safer are the settings of further attempts, in their order.
var safer = []setting{
	{"without pipelined loops and warp specialization", map[*passes.Property]int{property.TileAS: 1}},
	{"without asynchronous copies", map[*passes.Property]int{property.TileAS: 0}},
	{"without optimization", map[*passes.Property]int{property.CudaTile: 0, property.TileAA: 0, property.TileAS: 0, property.NVVM: 0}},
}

// withFallback compiles a module in as many attempts as it takes. Where all fail, diagnostics and error are those of
// the first one.
func withFallback(ctx context.Context, module ir.Op, opts Options) (*Result, error) {
	kept := copyOf(module)
	result, said, err := quietly(ctx, module, opts)
	saidFirst, errFirst := said, err
	var fallbacks []Fallback
	var remarks []*ir.Diagnostic
	for _, next := range safer {
		f := opts.wrong(err)
		if f == nil {
			break
		}
		fallbacks, remarks = append(fallbacks, Fallback{f, next.name}), append(remarks, remarkOf(f, said, next))
		safe := opts
		safe.Reproducer, safe.maxOpt = nil, next.most
		result, said, err = quietly(ctx, copyOf(kept), safe)
	}
	switch {
	case err == nil:
		result.Fallbacks, said = fallbacks, append(remarks, said...)
	case ctx.Err() == nil:
		said, err = saidFirst, errFirst
	}
	for _, d := range said {
		module.Context().Diag.Emit(d)
	}
	return result, err
}

// quietly compiles a module and returns what is to be said of it.
func quietly(ctx context.Context, module ir.Op, opts Options) (r *Result, said []*ir.Diagnostic, err error) {
	pop := module.Context().Diag.Push(func(d *ir.Diagnostic) { said = append(said, d) })
	defer pop()
	r, err = once(ctx, module, opts)
	return r, said, err
}

func copyOf(module ir.Op) ir.Op {
	return ir.NewBuilder(module.Context().NewArena()).Clone(module, ir.NewMapping())
}

// wrong returns the failure that an attempt with less optimization may not have; nil: the program or the options of
// a pass may be at fault.
func (o *Options) wrong(err error) *pipeline.Failure {
	var f *pipeline.Failure
	if !errors.As(err, &f) || f.Level == nil || f.Level.Rank() < property.TileAS.Rank() {
		return nil
	}
	for name := range o.PassOptions {
		if passes.Default.Lookup(name) == f.Pass {
			return nil
		}
	}
	return f
}

// remarkOf says what failed, where the user's construct is, and what is done about it.
func remarkOf(f *pipeline.Failure, said []*ir.Diagnostic, next setting) *ir.Diagnostic {
	loc, reason := f.Loc, f.Err.Error()
	for _, d := range said {
		if d.Severity == ir.Error {
			loc, reason = d.Loc, d.Message
			break
		}
	}
	d := remark.CompiledAgain.New(f.Symbol, loc, fmt.Sprintf("compiled again %s: %s: %s", next.name, f.What(), reason))
	args := []ir.DecisionArg{{Key: remark.PassKey, Value: f.Pass.Name}, {Key: remark.ReasonKey, Value: reason}}
	if f.Reproducer != "" {
		args = append(args, ir.DecisionArg{Key: remark.ReproducerKey, Value: f.Reproducer})
	}
	d.Decision.Args = args
	return d
}
