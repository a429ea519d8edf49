package pipeline

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/passes"
)

// connectAll adds the edges that follow from what the passes of the graph's steps declare. conversions maps a level
// to the step that leaves it.
func (g *Graph) connectAll(conversions map[*passes.Property]*Vertex) error {
	for _, connect := range []func() error{
		func() error { return g.connectStages(conversions) },
		g.connectDeclared,
		g.connectEstablishers,
		g.connectDestroyers,
	} {
		if err := connect(); err != nil {
			return err
		}
	}
	return nil
}

// saying returns a text that is made when it is asked for, as hardly one of the hundreds of a plan is.
func saying(format string, args ...any) func() string {
	return func() string { return fmt.Sprintf(format, args...) }
}

func stage(format string, args ...any) reason {
	return reason{text: saying(format, args...), stage: true}
}

// declared is the reason that a pass gives. Between levels the order of the levels says enough.
func declared(e passes.Edge, a, b *Vertex) reason {
	return reason{text: func() string { return e.Reason }, stage: a.Level != b.Level}
}

func supplies(prop *passes.Property, v *Vertex) reason {
	return reason{saying("establishes '%s', which '%s' requires", prop, v.ID), false, prop, v.ID}
}

// connectStages puts every step between the conversions to and from its level.
func (g *Graph) connectStages(conversions map[*passes.Property]*Vertex) error {
	for _, v := range g.vertices {
		out := conversions[v.Level]
		if out == v {
			if next := conversions[v.Pass.TargetLevel()]; next != nil {
				if err := g.connect(v, next, stage("establishes '%s'", next.Level)); err != nil {
					return err
				}
			}
			continue
		}
		if out != nil {
			if err := g.connect(v, out, stage("works on '%s', which '%s' leaves", v.Level, out.ID)); err != nil {
				return err
			}
		}
		for _, in := range conversions {
			if in.Pass.TargetLevel() == v.Level {
				if err := g.connect(in, v, stage("establishes '%s'", v.Level)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// connectDeclared adds the edges that passes and steps name.
func (g *Graph) connectDeclared() error {
	for _, v := range g.vertices {
		for _, e := range slices.Concat(v.Pass.After, v.step.After) {
			for _, other := range g.named(e.Pass, v) {
				if err := g.connect(other, v, declared(e, other, v)); err != nil {
					return err
				}
			}
		}
		for _, e := range slices.Concat(v.Pass.Before, v.step.Before) {
			for _, other := range g.named(e.Pass, v) {
				if err := g.connect(v, other, declared(e, other, v)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// named returns the steps that an edge of v means: the one of that full name, else those of the pass at v's level,
// else all of the pass.
func (g *Graph) named(name string, v *Vertex) []*Vertex {
	name, label, hasLabel := strings.Cut(name, "#")
	var same, all []*Vertex
	for _, other := range g.vertices {
		switch {
		case !other.Pass.Called(name):
		case hasLabel:
			if other.ID == other.Pass.Name+"#"+label {
				return []*Vertex{other}
			}
		case other != v:
			all = append(all, other)
			if other.Level == v.Level {
				same = append(same, other)
			}
		}
	}
	if same != nil {
		return same
	}
	return all
}

// connectEstablishers puts before each step one that establishes what it requires: the first of its level that need
// not run after it. Where there is none at the level, the order of the levels is enough.
func (g *Graph) connectEstablishers() error {
	return g.eachRequirement(func(v *Vertex, prop *passes.Property, at []*Vertex) error {
		var err error
		for _, e := range at {
			err = g.connect(e, v, supplies(prop, v))
			if err == nil {
				return nil
			}
			if !errors.As(err, new(*CycleError)) {
				return err
			}
		}
		return err
	})
}

// connectDestroyers keeps a step that destroys a property away from between those that establish and require it:
// after the latter, or else before the former. Where neither is possible, the property is established once more
// (see Plan).
func (g *Graph) connectDestroyers() error {
	return g.eachRequirement(func(v *Vertex, prop *passes.Property, at []*Vertex) error {
		for _, d := range g.vertices {
			if d == v || d.Level != v.Level || !d.Pass.DestroysProperty(prop) || g.reaches(v, d) {
				continue
			}
			if !g.reaches(d, v) {
				if err := g.connect(v, d, reason{text: saying("requires '%s', which '%s' destroys", prop, d.ID)}); err != nil {
					return err
				}
				continue
			}
			for i := len(at) - 1; i >= 0; i-- {
				if e := at[i]; g.reaches(e, v) && !g.reaches(e, d) {
					if err := g.connect(d, e, reason{saying("destroys '%s', which '%s' establishes for '%s'", prop, e.ID, v.ID), false, prop, v.ID}); err != nil {
						return err
					}
					break
				}
			}
		}
		return nil
	})
}

// eachRequirement calls f for each property, other than a level, that a step requires, with the other steps of its
// level that establish it.
func (g *Graph) eachRequirement(f func(v *Vertex, prop *passes.Property, at []*Vertex) error) error {
	for _, v := range g.vertices {
		for _, prop := range v.Pass.Requires {
			if prop.IsLevel() {
				continue
			}
			var at []*Vertex
			for _, e := range g.vertices {
				if e != v && e.Level == v.Level && e.Pass.EstablishesProperty(prop) {
					at = append(at, e)
				}
			}
			if err := f(v, prop, at); err != nil {
				return err
			}
		}
	}
	return nil
}
