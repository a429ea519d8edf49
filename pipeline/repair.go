package pipeline

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/passes"
)

// repair walks an order of steps and puts another step of a pass wherever a required property was destroyed on the way.
func (s *selection) repair(order []*Vertex) ([]*Vertex, error) {
	st := newState(s.goal.From, s.goal.Have...)
	var out []*Vertex
	for _, v := range order {
		var err error
		if out, err = s.satisfy(v, st, out, 0); err != nil {
			return nil, err
		}
		st.run(v.Pass, v.ID)
		out = append(out, v)
	}
	return out, nil
}

const maxRepairs = 8 // steps that need steps that need steps

func (s *selection) satisfy(v *Vertex, st *state, out []*Vertex, depth int) ([]*Vertex, error) {
	for _, prop := range v.Pass.Requires {
		if st.holds(prop) {
			continue
		}
		var p *passes.Pass
		if depth < maxRepairs && !prop.IsLevel() {
			p = s.supplier(prop, v.Level)
		}
		if p == nil || p.Level() != nil && p.Level() != v.Level {
			return nil, fmt.Errorf("'%s' requires '%s' (the IR %s), which %s, and no registered pass establishes it again at level '%s'",
				v.ID, prop, prop.Doc, st.lost(prop), v.Level.Level())
		}
		again := &Vertex{ID: p.Name, Pass: p, Level: v.Level, Why: fmt.Sprintf("establishes '%s' again, which '%s' requires", prop, v.ID)}
		if err := s.g.add(again); err != nil {
			return nil, err
		}
		var err error
		if out, err = s.satisfy(again, st, out, depth+1); err != nil {
			return nil, err
		}
		s.g.drop(prop, v.ID)
		if d := s.g.byID[st.destroyedBy[prop]]; d != nil {
			if err := s.g.connect(d, again, reason{text: saying("destroys '%s', which '%s' establishes again", prop, again.ID)}); err != nil {
				return nil, err
			}
		}
		if err := s.g.connect(again, v, supplies(prop, v)); err != nil {
			return nil, err
		}
		st.run(p, again.ID)
		out = append(out, again)
	}
	return out, nil
}

// A state is what is known about the IR at some place of a pipeline.
type state struct {
	known       map[*passes.Property]bool
	destroyedBy map[*passes.Property]string
	// level is the level of the IR; nil: not known, so that every level is taken to hold until a pass establishes one.
	level *passes.Property
}

func newState(level *passes.Property, have ...*passes.Property) *state {
	st := &state{known: make(map[*passes.Property]bool), destroyedBy: make(map[*passes.Property]string), level: level}
	if level != nil {
		st.known[level] = true
	}
	for _, p := range have {
		st.known[p] = true
	}
	return st
}

func (st *state) holds(prop *passes.Property) bool {
	return st.known[prop] || prop.IsLevel() && st.level == nil
}

func (st *state) run(p *passes.Pass, id string) {
	for _, prop := range p.Destroys {
		st.destroyedBy[prop] = id
		delete(st.known, prop)
	}
	for _, prop := range p.Establishes {
		if prop.IsLevel() && prop.Dialect() != "" { // IR stands at one level; what is no IR leaves it where it is
			st.leave(prop)
			st.level = prop
		}
		st.known[prop] = true
	}
}

// forget drops what a pass establishes, which it was not let finish.
func (st *state) forget(p *passes.Pass) {
	for _, prop := range p.Establishes {
		if !prop.IsLevel() {
			delete(st.known, prop)
		}
	}
}

// leave drops what is known about other levels than the next one.
func (st *state) leave(next *passes.Property) {
	for prop := range st.known {
		if at := prop.At(); at != nil && at != next && (!prop.IsLevel() || prop.Dialect() != "") {
			delete(st.known, prop)
		}
	}
}

// lost says why a property does not hold.
func (st *state) lost(prop *passes.Property) string {
	if by := st.destroyedBy[prop]; by != "" {
		return "'" + by + "' destroys"
	}
	return "no earlier pass establishes"
}

func (st *state) clone() *state {
	return &state{known: maps.Clone(st.known), destroyedBy: maps.Clone(st.destroyedBy), level: st.level}
}

// join takes over what is known of all parts that a nest ran on; without any, nothing has changed.
func (st *state) join(parts []*task) {
	if len(parts) == 0 {
		return
	}
	st.level = parts[0].state.level
	st.known = maps.Clone(parts[0].state.known)
	for _, p := range parts[1:] {
		maps.DeleteFunc(st.known, func(prop *passes.Property, _ bool) bool { return !p.state.known[prop] })
	}
	for _, p := range parts {
		maps.Copy(st.destroyedBy, p.state.destroyedBy)
	}
}

// toCheck lists the known properties that are in question after a pass, those that it establishes first, since it
// is the likelier to be wrong about them.
func (st *state) toCheck(p *passes.Pass, unchanged bool) []*passes.Property {
	out := slices.DeleteFunc(slices.Clone(p.Establishes), func(prop *passes.Property) bool { return !st.known[prop] })
	if unchanged {
		return out
	}
	first := len(out)
	for prop := range st.known {
		if !p.EstablishesProperty(prop) {
			out = append(out, prop)
		}
	}
	slices.SortFunc(out[first:], func(a, b *passes.Property) int { return strings.Compare(a.Name, b.Name) })
	return out
}
