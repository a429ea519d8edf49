package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/passes"
)

// Names of the pipelines that follow from the pass graph, before the name of a level.
const (
	defaultTo = "default-to-" // the default pipeline from the first level to that one
	defaultAt = "default-at-" // its steps at that level
)

// Pipelines lists the named pipelines: those that are registered, and those that follow from the pass graph. Their
// elements are for a target.
func Pipelines(reg *passes.Registry, target *passes.Target) []*passes.Named {
	out := reg.Pipelines()
	for _, l := range graphLevels(reg) {
		for _, prefix := range []string{defaultAt, defaultTo} {
			if nests, err := graphPipeline(reg, target, prefix, l, moduleOf(reg)); err == nil && len(nests) > 0 {
				summary := fmt.Sprintf("the steps of the default pipeline at level %s", l.Level())
				if prefix == defaultTo {
					summary = fmt.Sprintf("the default pipeline down to level %s", l.Level())
				}
				text := (&OpPipeline{Items: nests}).text()
				out = append(out, &passes.Named{Name: prefix + l.Level(), Summary: summary, Elements: strings.TrimSuffix(strings.TrimPrefix(text, "("), ")")})
			}
		}
	}
	return out
}

func (n *OpPipeline) text() string { return (&Pipeline{Root: n}).String() }

// graphLevels returns the levels that conversions lead from or to, the first one first.
func graphLevels(reg *passes.Registry) (out []*passes.Property) {
	for _, p := range reg.Passes() {
		if p.TargetLevel() == nil {
			continue
		}
		for _, l := range []*passes.Property{p.Level(), p.TargetLevel()} {
			if l != nil && !slices.Contains(out, l) {
				out = append(out, l)
			}
		}
	}
	slices.SortFunc(out, func(a, b *passes.Property) int { return a.Rank() - b.Rank() })
	return out
}

// moduleOf returns the name of the operation that conversions run on.
func moduleOf(reg *passes.Registry) string {
	for _, p := range reg.Passes() {
		if p.TargetLevel() != nil {
			return p.On
		}
	}
	return ""
}

// graphPipeline returns the elements of a pipeline that follows from the graph, for a nest for root.
func graphPipeline(reg *passes.Registry, target *passes.Target, prefix string, level *passes.Property, root string) ([]Item, error) {
	all := graphLevels(reg)
	to := level
	if prefix == defaultAt {
		for i, l := range all {
			if l == level && i+1 < len(all) {
				to = all[i+1]
			}
		}
	}
	plan, err := NewPlan(reg, Goal{From: all[0], To: to, Target: target})
	if err != nil {
		return nil, err
	}
	if prefix == defaultAt {
		var at []*Vertex
		for _, v := range plan.Steps {
			if v.Level == level && v.Pass.TargetLevel() == nil {
				at = append(at, v)
			}
		}
		plan.Steps = at
	}
	p, err := plan.Pipeline(reg, root, nil)
	if err != nil {
		return nil, err
	}
	for i := range p.Root.Items {
		p.Root.Items[i].forgetSteps()
	}
	return p.Root.Items, nil
}

// forgetSteps makes passes ones that a user wrote: the place in a default pipeline that kernels are at does not
// follow from them.
func (it *Item) forgetSteps() {
	it.Step = ""
	if it.Nest != nil {
		for i := range it.Nest.Items {
			it.Nest.Items[i].forgetSteps()
		}
	}
}

// named returns the elements that a name stands for in a nest for operations of some name, and whether there is such
// a pipeline.
func (b *binder) named(n *element, op string) ([]Item, bool, error) {
	for _, p := range b.reg.Pipelines() {
		if p.Name != n.name {
			continue
		}
		if len(n.opts) > 0 {
			return nil, true, b.errorAt(n.pos, "pipeline '%s' has no options", n.name)
		}
		if b.depth++; b.depth > maxDepth {
			return nil, true, b.errorAt(n.pos, "pipeline '%s' consists of itself", n.name)
		}
		defer func() { b.depth-- }()
		root, err := parseText(AnyOp + "(" + p.Elements + ")")
		if err != nil {
			return nil, true, fmt.Errorf("pipeline '%s': %w", p.Name, err)
		}
		inner := &binder{reg: b.reg, text: AnyOp + "(" + p.Elements + ")", target: b.target, depth: b.depth}
		items, err := inner.elements(root.children, op)
		if err != nil {
			err = b.errorAt(n.pos, "pipeline '%s' cannot stand here: %v", n.name, err)
		}
		return items, true, err
	}
	for _, prefix := range []string{defaultTo, defaultAt} {
		name, ok := strings.CutPrefix(n.name, prefix)
		if !ok {
			continue
		}
		for _, l := range graphLevels(b.reg) {
			if l.Level() == name {
				items, err := b.fromGraph(n, op, prefix, l)
				return items, true, err
			}
		}
	}
	return nil, false, nil
}

// fromGraph returns the elements of a pipeline that follows from the graph. In a nest for the unit of its level it is
// the passes on that.
func (b *binder) fromGraph(n *element, op, prefix string, level *passes.Property) ([]Item, error) {
	if len(n.opts) > 0 {
		return nil, b.errorAt(n.pos, "pipeline '%s' has no options", n.name)
	}
	root := op
	if prefix == defaultAt && op == level.Unit() {
		root = moduleOf(b.reg)
	}
	items, err := graphPipeline(b.reg, b.target, prefix, level, root)
	switch {
	case err != nil:
		return nil, b.errorAt(n.pos, "pipeline '%s': %v", n.name, err)
	case prefix == defaultAt && op == level.Unit():
		var out []Item
		for _, it := range items {
			if it.Nest == nil || it.Nest.Op != op {
				return nil, b.errorAt(n.pos, "pipeline '%s' has steps on what is around '%s'", n.name, op)
			}
			out = append(out, it.Nest.Items...)
		}
		return out, nil
	}
	for _, u := range graphLevels(b.reg) {
		if op == u.Unit() {
			return nil, b.errorAt(n.pos, "pipeline '%s' is for a module, not for '%s'", n.name, op)
		}
	}
	return items, nil
}
