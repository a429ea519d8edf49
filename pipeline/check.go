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
}

// Inspect finds out what is known about a piece of IR: its level from the dialects in use (of several the highest one), and those properties of
// registered passes that can be checked.
func Inspect(reg *passes.Registry, op ir.Op) Input {
	var in Input
	mentioned := make(map[*passes.Property]bool)
	levelOf := make(map[string]*passes.Property)
	for _, p := range reg.Passes() {
		for _, prop := range slices.Concat(p.Requires, p.Establishes) {
			if mentioned[prop] {
				continue
			}
			mentioned[prop] = true
			if prop.IsLevel() {
				if prop.Dialect() != "" {
					levelOf[prop.Dialect()] = prop
				}
			} else if prop.Holds != nil && prop.Holds(op) {
				in.Have = append(in.Have, prop)
			}
		}
	}
	op.Walk(func(o ir.Op) ir.WalkResult {
		if d := o.Dialect(); d != nil {
			if l := levelOf[d.Name]; l != nil && (in.Level == nil || l.Rank() < in.Level.Rank()) {
				in.Level = l
			}
		}
		if in.Level != nil && in.Level.Rank() == 0 {
			return ir.Interrupt
		}
		return ir.Advance
	})
	return in
}

// Findings are what Check has to say about a pipeline that may run.
type Findings struct {
	// Warnings name requirements of which it cannot be told whether the input meets them, as it does when it is a dump of another run.
	Warnings []string
	// Hints name passes that default pipelines run in the other order, and why.
	Hints []string
}

// Check checks an explicit pipeline against what the passes declare. An error names a pass whose requirement is not met, and the pass that would supply it.
func Check(reg *passes.Registry, p *Pipeline, in Input) (found Findings, err error) {
	st := newState(in.Level, in.Have...)
	st.foreign = true
	var seen []*passes.Pass
	p.Walk(func(_ *Nest, it Item) {
		if err != nil {
			return
		}
		for _, prop := range it.Pass.Requires {
			if st.holds(prop) {
				continue
			}
			if !st.mayHold(prop) {
				err = fmt.Errorf("%s", unmet(reg, it.Pass, prop, st))
				return
			}
			found.Warnings = append(found.Warnings, unmet(reg, it.Pass, prop, st))
			st.known[prop] = true // say it once
		}
		st.run(it.Pass, it.Pass.Name)
		if !slices.Contains(seen, it.Pass) {
			found.Hints = append(found.Hints, orderHints(it.Pass, seen)...)
			seen = append(seen, it.Pass)
		}
	})
	return found, err
}

func unmet(reg *passes.Registry, p *passes.Pass, prop *passes.Property, st *state) string {
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
		return fmt.Sprintf("pass '%s' requires level '%s', but the IR is at level '%s' here; %s", p.Name, prop.Level(), st.level.Level(), help)
	}
	return fmt.Sprintf("pass '%s' requires '%s' (the IR %s), which %s; %s", p.Name, prop, prop.Doc, st.lost(prop), help)
}

// orderHints compares the place of p, at its first time, with the passes before it.
func orderHints(p *passes.Pass, before []*passes.Pass) []string {
	var out []string
	hint := func(first, second, reason string) {
		out = append(out, fmt.Sprintf("pass '%s' runs after '%s', but the pass graph has the opposite order: %s", second, first, reason))
	}
	ran := func(name string) bool {
		return slices.ContainsFunc(before, func(q *passes.Pass) bool { return q.Name == name })
	}
	for _, e := range p.Before {
		if ran(e.Pass) {
			hint(e.Pass, p.Name, e.Reason)
		}
	}
	for _, q := range before {
		for _, e := range q.After {
			if e.Pass == p.Name {
				hint(q.Name, p.Name, e.Reason)
			}
		}
	}
	return out
}
