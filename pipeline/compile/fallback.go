package compile

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/pipeline"
)

// A Fallback is an attempt at compiling that failed, after which the next one optimizes less.
//
// What a pass decides, others check: a property, a verifier, the memory of the target. A failed check says that the
// compiler was wrong, and not the program, if another attempt compiles it. So does a panic.
type Fallback struct {
	Failure *pipeline.Failure
	// Next is what the next attempt leaves out.
	Next string
}

// Count says how many attempts failed, as tools print it among their statistics.
func Count(fallbacks []Fallback) string {
	return fmt.Sprintf("%d fallbacks: attempts that failed before this one, which optimizes less", len(fallbacks))
}

// A Bound is the highest optimization level of steps at each level of the IR; levels that it lacks are not bounded.
type Bound map[*passes.Property]int

// A setting is how another attempt compiles.
type setting struct {
	name string
	most Bound
}

// safer are the settings of further attempts, in their order. The last one decides nothing.
var safer = []setting{
	{"without pipelined loops and warp specialization", Bound{property.TileAS: 1}},
	{"without asynchronous copies", Bound{property.TileAS: 0}},
	{"at -O1", Bound{property.CudaTile: 1, property.TileAA: 1, property.TileAS: 0, property.NVVM: 1}},
	{"without optimization", Bound{property.CudaTile: 0, property.TileAA: 0, property.TileAS: 0, property.NVVM: 0}},
}

// withFallback compiles a module in as many attempts as it takes.
func withFallback(ctx context.Context, module ir.Op, opts Options) (*Result, error) {
	kept := copyOf(module)
	if opts.Reproducer == nil {
		opts.Reproducer = new(pipeline.Reproducer)
	}
	again := *opts.Reproducer
	if again.Input == nil {
		again.Input = func() (ir.Op, error) { return copyOf(kept), nil }
	}
	opts.Reproducer = &again
	var result *Result
	fallbacks, err := Attempts(ctx, module.Context(), opts.Kernels.And(opts.PassOptions), func(most Bound) (err error) {
		if most == nil && !opts.NoVerify && len(opts.Instruments) == 0 { // who watches passes is to see each verified
			if result, err = quickly(ctx, module, opts); err == nil {
				return nil
			}
			module = copyOf(kept)
		}
		if most != nil {
			module = copyOf(kept)
			opts.Reproducer = &pipeline.Reproducer{Input: again.Input} // the file that was asked for is of the first attempt
		}
		opts.maxOpt = most
		result, err = once(ctx, module, opts)
		return err
	})
	if err != nil {
		return nil, err
	}
	result.Fallbacks = fallbacks
	return result, nil
}

// quickly compiles a module with less verification, which says nothing if it fails: the pass that it would name need not be
// the one to blame.
func quickly(ctx context.Context, module ir.Op, opts Options) (*Result, error) {
	opts.verifyLast, opts.Reproducer = true, nil
	var said []*ir.Diagnostic
	heard := module.Context().Diag.Push(func(d *ir.Diagnostic) { said = append(said, d) })
	result, err := once(ctx, module, opts)
	heard()
	if err == nil {
		for _, d := range said {
			module.Context().Diag.Emit(d)
		}
	}
	return result, err
}

// Attempts compiles in as many attempts as it takes, of which the first one is not bounded. It returns those that
// failed, each of which is a warning with the pass to blame and the file that repeats it. Where all fail, diagnostics
// and error are those of the first one. options are options of passes that somebody asked for: if such a pass fails,
// nothing is tried again.
func Attempts(ctx context.Context, c *ir.Context, options map[string]string, attempt func(most Bound) error) ([]Fallback, error) {
	quietly := func(most Bound) (said []*ir.Diagnostic, err error) {
		defer c.Diag.Push(func(d *ir.Diagnostic) { said = append(said, d) })()
		err = attempt(most)
		return said, err
	}
	said, err := quietly(nil)
	saidFirst, errFirst := said, err
	var fallbacks []Fallback
	var reasons [][]*ir.Diagnostic
	var most Bound
	for _, next := range safer {
		f := wrong(err, options)
		if f == nil || ctx.Err() != nil {
			break
		}
		if !next.changes(f, most) {
			continue
		}
		fallbacks, reasons, most = append(fallbacks, Fallback{f, next.name}), append(reasons, said), next.most
		said, err = quietly(maps.Clone(most))
	}
	if err != nil {
		if fallbacks = nil; ctx.Err() == nil {
			said, err = saidFirst, errFirst
		}
	}
	for i, f := range fallbacks {
		f.Failure.Keep()
		c.Diag.Emit(f.warning(reasons[i]))
	}
	for _, d := range said {
		c.Diag.Emit(d)
	}
	return fallbacks, err
}

// changes reports whether other passes run than in the attempt that failed with a bound, as far as that one went.
func (s setting) changes(f *pipeline.Failure, before Bound) bool {
	for level, most := range s.most {
		had, bounded := before[level]
		if !bounded {
			had = f.OptLevel
		}
		if most < min(had, f.OptLevel) && level.Rank() <= f.Level.Rank() {
			return true
		}
	}
	return false
}

func copyOf(module ir.Op) ir.Op {
	return ir.NewBuilder(module.Context().NewArena()).Clone(module, ir.NewMapping())
}

// wrong returns the failure that an attempt with less optimization may not have; nil: there is none, or the options of
// a pass may be at fault.
func wrong(err error, options map[string]string) *pipeline.Failure {
	var f *pipeline.Failure
	if !errors.As(err, &f) || f.Level == nil {
		return nil
	}
	for name := range options {
		if passes.Default.Lookup(name) == f.Pass {
			return nil
		}
	}
	return f
}

// warning says what failed, where the user's construct is, and what was done about it.
func (b Fallback) warning(said []*ir.Diagnostic) *ir.Diagnostic {
	f := b.Failure
	loc, reason := f.Loc, f.Err.Error()
	for _, d := range said {
		if d.Severity == ir.Error {
			loc, reason = d.Loc, d.Message
			break
		}
	}
	d := remark.CompiledAgain.New(f.Symbol, loc, fmt.Sprintf("compiled again %s: %s: %s", b.Next, f.What(), reason))
	d.Severity, d.Decision.Always = ir.Warning, true
	args := []ir.DecisionArg{{Key: remark.PassKey, Value: f.Pass.Name}, {Key: remark.ReasonKey, Value: reason}}
	if f.Reproducer != "" {
		args = append(args, ir.DecisionArg{Key: remark.ReproducerKey, Value: f.Reproducer})
	}
	d.Decision.Args = args
	return d
}
