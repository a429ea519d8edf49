package opttool

import (
	"fmt"
	"io"
	"slices"

	"github.com/rs/zerolog"
	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sm"
)

// A session is one call of Main.
type session struct {
	tool   *Tool
	config *config
	stderr io.Writer
	log    zerolog.Logger
	timing *pipeline.Timing

	execCase *launch.Case         // to execute after each pass, or nil
	singles  []pipeline.Item      // passes given as flags
	kernels  pipeline.KernelPlans // of --plan
	explicit *prepared
	used     []*pipeline.Pipeline // for the report of times
}

// A prepared pipeline is ready to run, on any number of chunks.
type prepared struct {
	pipeline *pipeline.Pipeline
	explicit bool            // written by the user, so that it is checked
	input    *pipeline.Input // what it starts from, where more than the level is known
	artifact string          // what the goal is when it is no IR
	plan     *pipeline.Plan  // of a default pipeline
	again    bool            // another one failed before
}

// prepareExplicit prepares what the command line names, before any input is read.
func (s *session) prepareExplicit() error {
	c := s.config
	if s.tool.Target != nil && c.gpu != "" { // also where nothing depends on it
		if _, err := sm.Lookup(c.gpu); err != nil {
			return err
		}
	}
	for _, name := range c.dumps.Passes() {
		if s.tool.Registry.Lookup(name) == nil {
			return s.unknownPass(name)
		}
	}
	var err error
	if c.disabledPlaces, err = pipeline.ParsePlaces(s.tool.Registry, c.disabled); err != nil {
		return err
	}
	if err := c.authors.check(s.tool); err != nil {
		return err
	}
	if s.kernels, _, err = cli.ReadPlan(s.tool.Registry, c.plan); err != nil {
		return err
	}
	if c.execCase != "" {
		var err error
		if s.execCase, err = launch.LoadCase(c.execCase); err != nil {
			return err
		}
	}
	switch {
	case c.pipeline != "":
		// What is parsed here for the target that the command line names is parsed again for that of the input, which
		// names of pipelines stand for other passes for.
		_, err := pipeline.ParseFor(s.tool.Registry, c.pipeline, s.asked())
		return err
	case len(c.singles) > 0:
		for _, single := range c.singles {
			it, err := pipeline.ParsePass(s.tool.Registry, single.name, single.options)
			if err != nil {
				return err
			}
			s.singles = append(s.singles, it)
		}
	case c.lowerTo != "":
		_, err := s.goal()
		return err
	}
	return nil
}

// explicitly returns the pipeline that the command line names, for an outermost operation and a target, or nil.
// Passes given as flags are nested as the rows of operations tell.
func (s *session) explicitly(root ir.Op, target *passes.Target) (*prepared, error) {
	if s.config.pipeline != "" {
		p, err := pipeline.ParseFor(s.tool.Registry, s.config.pipeline, target)
		if err == nil {
			err = s.splice(p, root.Context(), target)
		}
		if err != nil {
			return nil, err
		}
		return s.finish(&prepared{pipeline: p, explicit: true}), nil
	}
	if s.singles != nil && (s.explicit == nil || s.explicit.pipeline.Root.Op != root.Name()) {
		p := pipeline.New(root.Name())
		for _, it := range s.singles {
			p.Append(pipeline.NestPath(root.Context(), root.Name(), it.Pass.On), it)
		}
		if err := s.splice(p, root.Context(), target); err != nil {
			return nil, err
		}
		s.explicit = s.finish(&prepared{pipeline: p, explicit: true})
	}
	return s.explicit, nil
}

func (s *session) unknownPass(name string) error {
	var names []string
	for _, p := range s.tool.Registry.Passes() {
		names = append(names, p.Name)
	}
	return fmt.Errorf("unknown pass '%s'%s", name, suggest.DidYouMean(name, names))
}

// finish does what is common to all pipelines.
func (s *session) finish(p *prepared) *prepared {
	p.pipeline = p.pipeline.Without(s.config.off())
	s.used = append(s.used, p.pipeline)
	if s.config.dumpPipeline {
		fmt.Fprintln(s.stderr, p.pipeline)
	}
	return p
}

// asked returns the target that the command line names.
func (s *session) asked() *passes.Target {
	return &passes.Target{GPU: s.config.gpu, OptLevel: s.config.optLevel, TensorMaps: s.config.tensorMaps}
}

// target returns what to compile an input for.
func (s *session) target(op ir.Op) (*passes.Target, error) {
	if s.tool.Target == nil {
		return s.asked(), nil
	}
	return s.tool.Target(op, tileir.Asked{GPU: s.config.gpu, OptLevel: s.config.optLevel, AnyOptLevel: !s.config.flags.Changed("opt-level"), TensorMaps: s.config.tensorMaps})
}

// goal returns the property that --lower-to names.
func (s *session) goal() (*passes.Property, error) {
	if p := passes.PropertyNamed(s.config.lowerTo); p != nil {
		return p, nil
	}
	var names []string
	for _, p := range levels(s.tool.Registry) {
		names = append(names, p.Level())
	}
	return nil, fmt.Errorf("unknown level '%s'; there is %s", s.config.lowerTo, quoteList(names))
}

// first returns the level that registered passes lower first, for input that is at none.
func (s *session) first() (from *passes.Property) {
	for _, p := range s.tool.Registry.Passes() {
		if l := p.Level(); l != nil && p.TargetLevel() != nil && (from == nil || l.Rank() < from.Rank()) {
			from = l
		}
	}
	return from
}

// plan returns the default pipeline from the first level on.
func (s *session) plan(target *passes.Target) (*pipeline.Plan, error) {
	to, err := s.goal()
	if err != nil {
		return nil, err
	}
	return pipeline.NewPlan(s.tool.Registry, pipeline.Goal{From: s.first(), To: to, Target: target, Options: s.config.options()})
}

// planned returns what is left of the default pipeline for an input, with the optimization of its levels bounded.
func (s *session) planned(target *passes.Target, root ir.Op, most compile.Bound) (*prepared, error) {
	to, err := s.goal()
	if err != nil {
		return nil, err
	}
	plan, in, err := pipeline.PlanFor(s.tool.Registry, root, pipeline.Goal{From: s.first(), To: to, Target: target, Options: s.config.options(), Kernels: s.kernels, MaxOpt: most})
	if err != nil {
		return nil, err
	}
	if err := plan.CheckWithout(s.config.off(), in); err != nil {
		return nil, err
	}
	pl, err := plan.Pipeline(s.tool.Registry, root.Name(), root.Context())
	if err != nil {
		return nil, err
	}
	if most == nil {
		if err := s.kernels.Check(pipeline.KernelNames(root), pl); err != nil {
			return nil, err
		}
	}
	if err := s.show(pl); err != nil {
		return nil, err
	}
	if len(s.config.authors.splices) > 0 {
		if err := s.splice(pl, root.Context(), target); err != nil {
			return nil, err
		}
		if _, err := pipeline.Check(s.tool.Registry, pl.Without(s.config.off()), *in); err != nil {
			return nil, err
		}
	}
	p := &prepared{pipeline: pl, plan: plan, input: in, again: most != nil}
	if to.IsLevel() && to.Dialect() == "" {
		p.artifact = to.Level()
	}
	return s.finish(p), nil
}

// levels returns the levels that registered passes speak of, in order.
func levels(reg *passes.Registry) []*passes.Property {
	var out []*passes.Property
	add := func(p *passes.Property) {
		if p != nil && p.IsLevel() && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	for _, p := range reg.Passes() {
		for _, prop := range slices.Concat(p.Requires, p.Establishes) {
			add(prop)
		}
		for _, step := range p.Steps {
			add(step.Level)
		}
	}
	slices.SortStableFunc(out, func(a, b *passes.Property) int { return a.Rank() - b.Rank() })
	return out
}

func (s *session) newContext() *ir.Context {
	ctx := ir.NewContext(s.tool.Dialects...)
	for _, x := range s.tool.Extensions {
		ctx.Extend(x)
	}
	ctx.AllowUnregistered = s.config.allowUnregistered
	return ctx
}
