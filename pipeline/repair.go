package pipeline

import (
	"fmt"

	"github.com/tilewright/tilewright/passes"
)

// repair walks an order of steps and puts another step of a pass wherever a required property was destroyed on the way.
func (s *selection) repair(order []*Vertex) ([]*Vertex, error) {
	st := newState(s.goal.From)
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
			if err := s.g.connect(d, again, reason{text: fmt.Sprintf("destroys '%s', which '%s' establishes again", prop, again.ID)}); err != nil {
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
	// foreign says that the IR is as some other run left it, so that what no pass of this one destroyed may hold.
	foreign bool
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

// mayHold reports whether a property that is not known to hold may be a property of the input.
func (st *state) mayHold(prop *passes.Property) bool {
	return st.foreign && !prop.IsLevel() && prop.Holds == nil && st.destroyedBy[prop] == ""
}

func (st *state) run(p *passes.Pass, id string) {
	for _, prop := range p.Destroys {
		st.destroyedBy[prop] = id
		delete(st.known, prop)
	}
	for _, prop := range p.Establishes {
		if prop.IsLevel() && prop.Dialect() != "" { // IR stands at one level; what is no IR leaves it where it is
			delete(st.known, st.level)
			st.level = prop
			st.foreign = false
		}
		st.known[prop] = true
	}
}

// lost says why a property does not hold.
func (st *state) lost(prop *passes.Property) string {
	if by := st.destroyedBy[prop]; by != "" {
		return "'" + by + "' destroys"
	}
	return "no earlier pass establishes"
}
