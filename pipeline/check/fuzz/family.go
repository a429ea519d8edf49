package fuzz

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/check/generate"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/engine/interp"
)

// A Family is a set of passes that are tried in any order: those that work at one level, or at each level a little
// between the conversions.
type Family struct {
	Name  string
	Level *passes.Property // nil: all
}

// Families are all of them.
var Families = []Family{
	{"cuda_tile", property.CudaTile}, {"tileaa", property.TileAA}, {"tileas", property.TileAS}, {"nvvm", property.NVVM}, {"conversions", nil},
}

// The most passes that are run at a level: of the family, and of each level for the conversions.
const (
	familyPasses  = 8
	betweenPasses = 2
)

// CheckFamily lowers a kernel, and at the levels of a family runs passes that the seed chooses, in an order that it
// chooses, as often as it likes. A pass must reject what it cannot work on before it runs (its requirements). The
// verifier and the checks of properties run after each pass. The result is executed in the interpreter after every
// pass where it can be, and as PTX at the end. The result ran lists the passes, so that tile-opt can repeat them.
func CheckFamily(ctx context.Context, k *generate.Kernel, f Family, opts Options) (finding *Finding, ran []string, err error) {
	w := &walk{check: check{Kernel: k, opts: opts}, family: f, r: rand.New(rand.NewPCG(opts.Seed, 0x66616d))}
	finding = w.run(ctx)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	return finding, w.ran, nil
}

// A walk is a kernel on its way through a family.
type walk struct {
	check
	family Family
	r      *rand.Rand
	module ir.Op
	said   bytes.Buffer
	ran    []string
}

func (w *walk) target() *passes.Target {
	return &passes.Target{GPU: w.opts.GPU, OptLevel: w.opts.OptLevel}
}

func (w *walk) run(ctx context.Context) *Finding {
	var err error
	if w.module, err = read(w.Text, &w.said); err != nil {
		return w.fail(Rejected, "%s", first(w.said.String(), err))
	}
	w.want = w.Launch.Clone()
	e := interp.New(w.module)
	e.MaxSteps, e.Races = interpSteps, true
	if err := e.Run(ctx, w.want); err != nil {
		return w.fail(Undefined, "%v", err)
	}
	for _, level := range property.Levels[:len(property.Levels)-1] {
		if f := w.lower(ctx, level); f != nil {
			return f
		}
		n := 0
		switch w.family.Level {
		case level:
			n = 1 + w.r.IntN(familyPasses)
		case nil:
			n = w.r.IntN(betweenPasses + 1)
		}
		for ; n > 0; n-- {
			if f := w.step(ctx, level); f != nil {
				return f
			}
		}
	}
	w.engine = PTX
	return w.finish(ctx)
}

// lower takes the module to a level, by the shortest way.
func (w *walk) lower(ctx context.Context, level *passes.Property) *Finding {
	if pipeline.LevelOf(w.module) == level {
		return nil
	}
	if _, err := compile.To(ctx, w.module, compile.Options{GPU: w.opts.GPU, OptLevel: 0, To: level}); err != nil {
		return w.fail(Compile, "%s", first(w.said.String(), reason(err)))
	}
	return nil
}

// step runs a random pass of a level, if it can work on the module.
func (w *walk) step(ctx context.Context, level *passes.Property) *Finding {
	var pool []*passes.Pass
	for _, p := range passes.Default.Passes() {
		if placeOf(p, level) != "" && p.Applies(w.target()) {
			pool = append(pool, p)
		}
	}
	p := pool[w.r.IntN(len(pool))]
	if p.Level() == nil && scheduled(w.module) {
		return nil // a schedule is of the operations as they are
	}
	pl := pipeline.New(w.module.Name())
	item, err := pipeline.ParsePass(passes.Default, p.Name, "")
	if err != nil {
		return w.fail(Compile, "%v", err)
	}
	pl.Append(pipeline.NestPath(w.module.Context(), w.module.Name(), placeOf(p, level)), item)
	in := pipeline.Inspect(passes.Default, w.module, w.target())
	if _, err := pipeline.Check(passes.Default, pl, in); err != nil {
		return nil // it says what it needs
	}
	w.ran = append(w.ran, p.Name)
	m := &pipeline.Manager{Target: w.target(), Input: &in}
	if _, err := m.Run(ctx, pl, w.module); err != nil {
		return w.fail(Compile, "after %s: %s: %s", strings.Join(w.ran, ", "), reason(err), first(w.said.String(), err))
	}
	if level == property.NVVM {
		return nil
	}
	w.engine = Engine(level.Level())
	e := interp.New(w.module)
	e.MaxSteps = interpSteps
	got := w.Launch.Clone()
	if err := e.Run(ctx, got); err != nil {
		return w.fail(Run, "after %s: %v", strings.Join(w.ran, ", "), err)
	}
	return w.compare(got)
}

// scheduled reports whether a loop has a schedule that no pass has carried out yet.
func scheduled(module ir.Op) (found bool) {
	module.Walk(func(op ir.Op) ir.WalkResult {
		if found = tileas.ScheduleOf(op) != nil; found {
			return ir.Interrupt
		}
		return ir.Advance
	})
	return found
}

// changesResults are the passes that change what a kernel computes by intent.
var changesResults = map[string]bool{"fuse-fma": true, "make-exact": true}

// placeOf returns the name of the operation that a pass runs on when it transforms IR of a level and stays at it, or
// "". Passes that only print do not, and some change results by intent.
func placeOf(p *passes.Pass, level *passes.Property) string {
	if p.TargetLevel() != nil || changesResults[p.Name] || strings.HasPrefix(p.Name, "test-") || p.Level() != nil && p.Level() != level {
		return ""
	}
	for _, s := range p.Steps {
		if s.On != "" { // it is for operations of one kind
			if s.Level == level {
				return s.On
			}
			return ""
		}
	}
	if p.On == "" {
		return level.Unit()
	}
	if dialect, _, _ := strings.Cut(p.On, "."); dialect != level.Dialect() {
		return ""
	}
	return p.On
}

// finish compiles what there is to PTX and runs that.
func (w *walk) finish(ctx context.Context) *Finding {
	result, err := compile.To(ctx, w.module, compile.Options{GPU: w.opts.GPU, OptLevel: w.opts.OptLevel})
	if err != nil {
		return w.fail(Compile, "after %s: %s", strings.Join(w.ran, ", "), first(w.said.String(), reason(err)))
	}
	e, err := w.build(w.module, result)
	if err != nil {
		return w.fail(Run, "%v", err)
	}
	got := w.Launch.Clone()
	if err := e.Run(ctx, got); err != nil {
		return w.fail(Run, "after %s: %v", strings.Join(w.ran, ", "), err)
	}
	return w.compare(got)
}
