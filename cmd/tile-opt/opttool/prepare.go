package opttool

import (
	"fmt"
	"io"
	"slices"

	"github.com/rs/zerolog"
	"github.com/tilewright/tilewright/internal/suggest"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A session is one call of Main.
type session struct {
	tool   *Tool
	config *config
	stderr io.Writer
	log    zerolog.Logger
	timing *pipeline.Timing

	execCase *launch.Case    // to execute after each pass, or nil
	singles  []pipeline.Item // passes given as flags
	explicit *prepared
	plans    map[planKey]*prepared
	used     []*pipeline.Pipeline // for the report of times
}

// A planKey is what the default pipeline for an input depends on.
type planKey struct {
	from *passes.Property // the level of the input
	gpu  string
}

// A prepared pipeline is ready to run, on any number of chunks.
type prepared struct {
	pipeline *pipeline.Pipeline
	explicit bool            // written by the user, so that it is checked
	input    *pipeline.Input // what it starts from, where more than the level is known
	artifact string          // what the goal is when it is no IR
}

// prepareExplicit prepares what the command line names, before any input is read.
func (s *session) prepareExplicit() error {
	c := s.config
	for _, name := range slices.Concat(c.disabled, c.dumps.Passes()) {
		if s.tool.Registry.Lookup(name) == nil {
			return s.unknownPass(name)
		}
	}
	if c.execCase != "" {
		var err error
		if s.execCase, err = launch.LoadCase(c.execCase); err != nil {
			return err
		}
	}
	switch {
	case c.pipeline != "":
		p, err := pipeline.Parse(s.tool.Registry, c.pipeline)
		if err != nil {
			return err
		}
		s.explicit = s.finish(&prepared{pipeline: p, explicit: true})
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

// explicitly returns the pipeline that the command line names, for an outermost operation, or nil. Passes given as flags are nested as the rows of
// operations tell.
func (s *session) explicitly(root ir.Op) *prepared {
	if s.singles != nil && (s.explicit == nil || s.explicit.pipeline.Root.Op != root.Name()) {
		p := pipeline.New(root.Name())
		for _, it := range s.singles {
			p.Append(pipeline.NestPath(root.Context(), root.Name(), it.Pass.On), it)
		}
		s.explicit = s.finish(&prepared{pipeline: p, explicit: true})
	}
	return s.explicit
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
	p.pipeline = p.pipeline.Without(s.config.disabled)
	s.used = append(s.used, p.pipeline)
	if s.config.dumpPipeline {
		fmt.Fprintln(s.stderr, p.pipeline)
	}
	return p
}

// asked returns the target that the command line names.
func (s *session) asked() *passes.Target {
	return &passes.Target{GPU: s.config.gpu, OptLevel: s.config.optLevel}
}

// target returns what to compile an input for.
func (s *session) target(op ir.Op) (*passes.Target, error) {
	if s.tool.Target == nil {
		return s.asked(), nil
	}
	return s.tool.Target(op, s.config.gpu, s.config.optLevel)
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

// plan returns the default pipeline for input of a level; nil stands for the first one that a registered pass lowers.
func (s *session) plan(from *passes.Property, target *passes.Target) (*pipeline.Plan, error) {
	to, err := s.goal()
	if err != nil {
		return nil, err
	}
	if from == nil {
		for _, p := range s.tool.Registry.Passes() {
			if l := p.Level(); l != nil && p.TargetLevel() != nil && (from == nil || l.Rank() < from.Rank()) {
				from = l
			}
		}
	}
	return pipeline.NewPlan(s.tool.Registry, pipeline.Goal{From: from, To: to, Target: target})
}

func (s *session) planned(from *passes.Property, target *passes.Target, root ir.Op) (*prepared, error) {
	key := planKey{from, target.GPU}
	if p := s.plans[key]; p != nil {
		return p, nil
	}
	plan, err := s.plan(from, target)
	if err != nil {
		return nil, err
	}
	pl, err := plan.Pipeline(s.tool.Registry, root.Name(), root.Context())
	if err != nil {
		return nil, err
	}
	p := &prepared{pipeline: pl}
	if to := plan.Goal.To; to.IsLevel() && to.Dialect() == "" {
		p.artifact = to.Level()
	}
	s.plans[key] = s.finish(p)
	return p, nil
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
