package pipeline

import (
	"maps"
	"slices"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// record notes on an operation, and on the units inside it, how far they are, after a pass that ran on it.
func (r *running) record(it *Item, op ir.Op, st *state) {
	if !r.Record || op.Erased() || isOutput(it.Pass) {
		return
	}
	s := contract.State{GPU: r.target.GPU, OptLevel: r.target.OptLevel, Holds: st.names()}
	if s.GPU == "" {
		s.GPU = passes.DefaultGPU
	}
	if r.target.HasTensorMaps() {
		s.TensorMaps = r.target.Maps()
	}
	if r.Plan != nil {
		s.Options = r.Plan.Goal.Options
	} else if before, ok := contract.StateOf(op); ok {
		s.Options = before.Options
	}
	if r.Plan != nil && it.Step != "" {
		s.From, s.After = r.Plan.Goal.From.Level(), it.Step
	} else if before, ok := contract.StateOf(op); ok && before.After != "" {
		// A pass that a user put in leaves the place in the pipeline unchanged, unless it is the next conversion:
		// what stood before it is after.
		s.From, s.After = before.From, before.After
		if it.Pass.TargetLevel() != nil {
			s.After = it.Pass.Name
		}
	}
	if isUnit(op) {
		s.Options = r.optionsOf(op, s.Options)
		contract.SetState(op, s)
		return
	}
	contract.SetState(op, s)
	eachUnit(op, func(unit ir.Op) {
		own := s
		own.Options = r.optionsOf(unit, s.Options)
		contract.SetState(unit, own)
	})
}

// optionsOf returns options of passes for a kernel, with those of its plan in the place of others.
func (r *running) optionsOf(unit ir.Op, all map[string]string) map[string]string {
	r.mu.Lock()
	plan := r.kernels.Of(unit.SymbolName())
	r.mu.Unlock()
	if len(plan) == 0 {
		return all
	}
	out := maps.Clone(all)
	if out == nil {
		out = make(map[string]string)
	}
	maps.Copy(out, plan)
	return out
}

// isOutput reports whether a pass leaves something that is no IR. The IR after it is unchanged before it, and so is
// its place in the pipeline: whoever goes on from there wants the output again.
func isOutput(p *passes.Pass) bool {
	to := p.TargetLevel()
	return to != nil && to.Dialect() == ""
}

// isUnit reports whether an operation is what is compiled on its own at some level.
func isUnit(op ir.Op) bool {
	d := op.Dialect()
	if d == nil {
		return false
	}
	level := passes.LevelOf(d.Name)
	return level != nil && level.Unit() == op.Name()
}

// eachUnit calls f for the units inside op, also those inside symbol tables inside it.
func eachUnit(op ir.Op, f func(ir.Op)) {
	for i := range op.NumRegions() {
		for b := range op.Region(i).Blocks() {
			for inner := range b.Ops() {
				switch {
				case isUnit(inner):
					f(inner)
				case inner.HasTrait(ir.SymbolTable):
					eachUnit(inner, f)
				}
			}
		}
	}
}

// EachState calls f for the outermost operation and the units inside it that say how far they got.
func EachState(root ir.Op, f func(op ir.Op, s contract.State)) {
	say := func(op ir.Op) {
		if s, ok := contract.StateOf(op); ok {
			f(op, s)
		}
	}
	say(root)
	eachUnit(root, say)
}

// Forget removes what the outermost operation and the units inside it say of how far they got, for whoever goes
// another way from here.
func Forget(root ir.Op) {
	EachState(root, func(op ir.Op, _ contract.State) { op.SetAttr(contract.StateAttr, nil) })
}

// NeedsLocations reports whether the text of IR that says how far it got must have locations, or the code that it
// goes on to become would be another one.
func NeedsLocations(root ir.Op) bool {
	said := false
	EachState(root, func(ir.Op, contract.State) { said = true })
	return said && !root.Walk(func(op ir.Op) ir.WalkResult {
		if _, uses := ir.UsesLocation.Of(op); uses {
			return ir.Interrupt
		}
		return ir.Advance
	})
}

// names returns the names of the known properties other than levels, in alphabetical order.
func (st *state) names() []string {
	var out []string
	for prop := range st.known {
		if !prop.IsLevel() {
			out = append(out, prop.Name)
		}
	}
	slices.Sort(out)
	return out
}
