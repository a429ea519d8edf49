package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// Input is what is known about the IR that an explicit pipeline starts from.
type Input struct {
	// Level is its level, or nil when it is not known.
	Level *passes.Property
	// Have are other properties that it has.
	Have []*passes.Property
	// Lacks says why it does not have others.
	Lacks map[*passes.Property]*ir.Diagnostic
}

// Inspect finds out what is known about a piece of IR for the target. Its level is the highest one of the dialects in
// use. Its properties are those properties of that level that registered passes mention and that hold.
func Inspect(reg *passes.Registry, op ir.Op, target *passes.Target) Input {
	in := Input{Level: LevelOf(op), Lacks: make(map[*passes.Property]*ir.Diagnostic)}
	seen := make(map[*passes.Property]bool)
	for _, p := range reg.Passes() {
		for _, prop := range slices.Concat(p.Requires, p.Establishes) {
			if seen[prop] || prop.IsLevel() || !prop.Checkable() || prop.At() != nil && prop.At() != in.Level {
				continue
			}
			seen[prop] = true
			if d := prop.Holds(op, target); d != nil {
				in.Lacks[prop] = d
			} else {
				in.Have = append(in.Have, prop)
			}
		}
	}
	return in
}

// LevelOf returns the level of a piece of IR: of several that there are operations of, the highest one; nil if there
// are none.
func LevelOf(op ir.Op) *passes.Property {
	var level *passes.Property
	op.Walk(func(o ir.Op) ir.WalkResult {
		if d := o.Dialect(); d != nil {
			if l := passes.LevelOf(d.Name); l != nil && (level == nil || l.Rank() < level.Rank()) {
				level = l
			}
		}
		if level != nil && level.Rank() == 0 {
			return ir.Interrupt
		}
		return ir.Advance
	})
	return level
}

// Check checks an explicit pipeline against what the passes declare. An error names a pass whose requirement is not
// met, and the pass that would supply it. What is returned without an error are hints: passes that default pipelines
// run in the other order, and why.
func Check(reg *passes.Registry, p *Pipeline, in Input) (hints []string, err error) {
	st := newState(in.Level, in.Have...)
	var seen []*passes.Pass
	p.Walk(func(_ *OpPipeline, it Item) {
		if err != nil {
			return
		}
		for _, prop := range it.Pass.Requires {
			if !st.holds(prop) {
				err = newUnmet(reg, it.Pass, prop, st, in.Lacks[prop])
				return
			}
		}
		st.run(it.Pass, it.Pass.Name)
		if !slices.Contains(seen, it.Pass) {
			hints = append(hints, orderHints(it.Pass, seen)...)
			seen = append(seen, it.Pass)
		}
	})
	return hints, err
}

// An Unmet is the error of a pipeline in which a pass does not get what it requires.
type Unmet struct {
	text string
	// Why says where the input lacks it, nil where an earlier pass is to blame.
	Why *ir.Diagnostic
}

func (u *Unmet) Error() string { return u.text }

func newUnmet(reg *passes.Registry, p *passes.Pass, prop *passes.Property, st *state, why *ir.Diagnostic) *Unmet {
	var names []string
	for _, s := range reg.Passes() {
		if s.EstablishesProperty(prop) {
			names = append(names, "'"+s.Name+"'")
		}
	}
	help := "no registered pass establishes it"
	if names != nil {
		help = strings.Join(names, " or ") + " would establish it"
	}
	if prop.IsLevel() {
		return &Unmet{text: fmt.Sprintf("pass '%s' requires level '%s', but the IR is at level '%s' here; %s", p.Name, prop.Level(), st.level.Level(), help)}
	}
	u := &Unmet{text: fmt.Sprintf("pass '%s' requires '%s' (the IR %s), which %s; %s", p.Name, prop, prop.Doc, st.lost(prop), help)}
	if why != nil && st.destroyedBy[prop] == "" {
		u.text += ". The input does not have it: " + why.Message
		u.Why = why
	}
	return u
}

// orderHints compares the place of p, at its first time, with the passes before it.
func orderHints(p *passes.Pass, before []*passes.Pass) []string {
	var out []string
	hint := func(first, second, reason string) {
		out = append(out, fmt.Sprintf("pass '%s' runs after '%s', but the pass graph has the opposite order: %s", second, first, reason))
	}
	ran := func(name string) bool {
		return slices.ContainsFunc(before, func(q *passes.Pass) bool { return q.Called(name) })
	}
	for _, e := range p.Before {
		if ran(e.Pass) {
			hint(e.Pass, p.Name, e.Reason)
		}
	}
	for _, q := range before {
		for _, e := range q.After {
			if p.Called(e.Pass) {
				hint(q.Name, p.Name, e.Reason)
			}
		}
	}
	return out
}
