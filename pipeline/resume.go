package pipeline

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// PlanFor returns what is left of the default pipeline for a module, and what is known of the module. Goal.From may
// be nil: it is found out.
//
// IR that says how far it got (contract.State) goes on from there, so that any dump ends as the run that it is of.
// Other IR below the first level starts from its level, without the steps that would only establish what it has
// already.
func PlanFor(reg *passes.Registry, module ir.Op, goal Goal) (*Plan, *Input, error) {
	if goal.Target == nil {
		goal.Target = new(passes.Target)
	}
	if err := CheckClaims(module, goal.Target); err != nil {
		return nil, nil, err
	}
	marks, err := marksOf(reg, module)
	if err != nil {
		return nil, nil, err
	}
	if marks.from == "" {
		in := Inspect(reg, module, goal.Target)
		if in.Level != nil {
			goal.From = in.Level
		}
		for _, p := range in.Have {
			if p.At() != nil {
				goal.Have = append(goal.Have, p)
			}
		}
		plan, err := NewPlan(reg, goal)
		return plan, &in, err
	}
	if goal.From = passes.PropertyNamed(marks.from); goal.From == nil || !goal.From.IsLevel() {
		return nil, nil, fmt.Errorf("the input says that it comes from level '%s', and there is none", marks.from)
	}
	if err = marks.addTo(reg, &goal); err != nil {
		return nil, nil, err
	}
	plan, err := NewPlan(reg, goal)
	if err != nil {
		return nil, nil, err
	}
	in, err := plan.resume(module, marks)
	return plan, in, err
}

// CheckClaims returns an error if a module or a kernel says that it has a property that it does not have, or that
// nobody knows.
func CheckClaims(module ir.Op, target *passes.Target) error {
	check := func(op ir.Op) error {
		s, _ := contract.StateOf(op)
		var props []*passes.Property
		for _, name := range s.Holds {
			p := passes.PropertyNamed(name)
			if p == nil {
				return op.Errorf("says that it has the property '%s', which there is none of", name)
			}
			props = append(props, p)
		}
		if p, why := passes.FirstBroken(props, op, target); why != nil {
			return op.Errorf("says that it has the property '%s' (the IR %s), but does not: %s", p, p.Doc, why.Message)
		}
		return nil
	}
	err := check(module)
	eachUnit(module, func(unit ir.Op) {
		if err == nil {
			err = check(unit)
		}
	})
	return err
}

// Marks are how far the parts of a module got, by their own word.
type marks struct {
	from  string
	root  string // the last step on the module itself; "" when it does not say
	units []string
	// options are those of passes for all kernels, and kernels those that are for one.
	options map[string]string
	kernels KernelPlans
}

// marksOf collects them. Units that say nothing got as far as the module.
func marksOf(reg *passes.Registry, module ir.Op) (marks, error) {
	var m marks
	var err error
	note := func(op ir.Op) string {
		s, ok := contract.StateOf(op)
		for pass, text := range optionsByPass(reg, s.Options) {
			had, ok := m.options[pass]
			if p := reg.Lookup(pass); op != module && p != nil && noPlan(p) == "" {
				if !ok || had != text {
					m.kernels = m.kernels.with(op.SymbolName(), pass, text)
				}
				continue
			}
			if ok && had != text {
				err = op.Errorf("was compiled with the options '%s' of %s so far, but something else in the module with '%s'", text, pass, had)
			}
			if m.options == nil {
				m.options = make(map[string]string)
			}
			m.options[pass] = text
		}
		switch {
		case !ok || s.From == "":
			return ""
		case m.from != "" && s.From != m.from:
			err = op.Errorf("says that it comes from level '%s', but something else in the module from '%s'", s.From, m.from)
		}
		m.from = s.From
		return s.After
	}
	m.root = note(module)
	eachUnit(module, func(unit ir.Op) {
		if after := note(unit); after != "" {
			m.units = append(m.units, after)
		} else {
			m.units = append(m.units, m.root)
		}
	})
	return m, err
}

// addTo puts the options of passes that a module was compiled with so far into the goal. Those that the user gives now
// stay: options for all kernels, and plans, which replace them.
func (m *marks) addTo(reg *passes.Registry, goal *Goal) error {
	check := func(options map[string]string) error {
		for _, pass := range slices.Sorted(maps.Keys(options)) {
			if _, err := ParsePass(reg, pass, options[pass]); err != nil {
				return fmt.Errorf("the input says that it was compiled with the options '%s' of %s: %w", options[pass], pass, err)
			}
		}
		return nil
	}
	if err := check(m.options); err != nil {
		return err
	}
	given := optionsByPass(reg, goal.Options)
	all := maps.Clone(m.options)
	if all == nil {
		all = make(map[string]string)
	}
	maps.Copy(all, given)
	goal.Options = all
	kernels := goal.Kernels
	for _, kernel := range slices.Sorted(maps.Keys(m.kernels)) {
		if err := check(m.kernels[kernel]); err != nil {
			return err
		}
		for _, pass := range slices.Sorted(maps.Keys(m.kernels[kernel])) {
			_, overruled := given[pass]
			if _, planned := goal.Kernels.Of(kernel)[pass]; !overruled && !planned {
				kernels = kernels.with(kernel, pass, m.kernels[kernel][pass])
			}
		}
	}
	goal.Kernels = kernels
	return nil
}

// resume cuts off the steps that all parts of a module are after, and returns what is known of it then. What only
// some are after is left out when the pipeline runs (see Plan.after).
func (p *Plan) resume(module ir.Op, m marks) (*Input, error) {
	p.order = make(map[string]int)
	for i, v := range p.full {
		for _, name := range v.Pass.Names() {
			p.order[name+strings.TrimPrefix(v.ID, v.Pass.Name)] = i + 1 // 0: not after any
		}
	}
	place := func(after string) (int, error) {
		n := p.order[after]
		if n == 0 && after != "" {
			return 0, fmt.Errorf("the input says that it is after step '%s', which the pipeline from '%s' at -O%d for %s does not have", after, m.from,
				p.Goal.Target.OptLevel, p.Goal.Target.GPU)
		}
		return n, nil
	}
	start, err := place(m.root)
	if err != nil {
		return nil, err
	}
	for i, after := range m.units {
		n, err := place(after)
		if err != nil {
			return nil, err
		}
		if i == 0 || n < start {
			start = n
		}
	}
	st := newState(p.Goal.From)
	for _, v := range p.full[:start] {
		st.run(v.Pass, v.ID)
	}
	if at := LevelOf(module); at != nil && at != st.level {
		return nil, fmt.Errorf("the input says that it is after step '%s', where the IR is at level '%s', but it is at level '%s'", p.full[start-1].ID, st.level.Level(), at.Level())
	}
	in := &Input{Level: st.level}
	for prop := range st.known {
		if !prop.IsLevel() {
			in.Have = append(in.Have, prop)
		}
	}
	if prop, why := passes.FirstBroken(in.Have, module, p.Goal.Target); why != nil {
		return nil, fmt.Errorf("the input says that it is after step '%s', but it lacks '%s' (the IR %s): %w", p.full[start-1].ID, prop, prop.Doc, why)
	}
	p.Steps = p.Steps[min(start, len(p.Steps)):]
	return in, nil
}

// after reports whether an operation is after a step by its own word, or that of what is around it.
func (p *Plan) behind(step string, op ir.Op) bool {
	if p.order == nil {
		return false
	}
	for ; !op.IsNil(); op = op.ParentOp() {
		if s, ok := contract.StateOf(op); ok && s.From != "" {
			return p.order[s.After] >= p.order[step]
		}
	}
	return false
}
