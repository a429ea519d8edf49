package pipeline

import (
	"fmt"

	"github.com/tilewright/tilewright/passes"
)

// CheckWithout returns an error if the plan cannot do without some passes, before anything runs. The error names one
// of them, and the pass that needs what it establishes. in is what the plan starts from.
func (p *Plan) CheckWithout(disabled []Place, in *Input) error {
	if len(disabled) == 0 {
		return nil
	}
	level := p.Goal.From
	if in != nil && in.Level != nil {
		level = in.Level
	}
	st := newState(level, p.Goal.Have...)
	if in != nil {
		for _, prop := range in.Have {
			st.known[prop] = true
		}
	}
	all := make([]occurrence, len(p.Steps))
	for i, v := range p.Steps {
		all[i] = occurrence{v.Pass, v.ID}
	}
	off := make(map[int]bool)
	for _, pl := range disabled {
		for _, i := range pl.in(all) {
			off[i] = true
		}
	}
	missing := make(map[*passes.Property]string) // the pass that would have established it
	for i, v := range p.Steps {
		if off[i] {
			for _, prop := range v.Pass.Establishes {
				if !st.holds(prop) {
					missing[prop] = v.Pass.Name
				}
			}
			continue
		}
		for _, prop := range v.Pass.Requires {
			if by := missing[prop]; by != "" && !st.holds(prop) {
				return fmt.Errorf("pass '%s' cannot be disabled: it establishes '%s' (the IR %s), which pass '%s' requires", by, prop, prop.Doc, v.Pass.Name)
			}
		}
		st.run(v.Pass, v.ID)
	}
	if by := missing[p.Goal.To]; by != "" && !st.known[p.Goal.To] {
		return fmt.Errorf("pass '%s' cannot be disabled: it establishes '%s' (the IR %s), which is the goal", by, p.Goal.To, p.Goal.To.Doc)
	}
	return nil
}
