package pipeline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/passes"
)

// A Place names passes of a pipeline:
//
//	cse           all that are called so
//	cse#nvvm      the step of that label in a default pipeline
//	cse#2         the second in the pipeline, unless a step is called so
type Place struct {
	Pass *passes.Pass
	mark string // after the '#'; empty: all
}

// ParsePlace reads a place.
func ParsePlace(reg *passes.Registry, text string) (Place, error) {
	name, mark, marked := strings.Cut(text, "#")
	p := Place{reg.Lookup(name), mark}
	if p.Pass == nil {
		return p, fmt.Errorf("unknown pass '%s'%s", name, suggest.DidYouMean(name, passNames(reg)))
	}
	n, err := strconv.Atoi(mark)
	isStep := slices.ContainsFunc(p.Pass.Steps, func(s passes.Step) bool { return s.Label == mark })
	if marked && (mark == "" || !isStep && (err != nil || n < 1)) {
		var labels []string
		for _, s := range p.Pass.Steps {
			if s.Label != "" {
				labels = append(labels, s.Label)
			}
		}
		return p, fmt.Errorf("'%s' names no occurrence of pass '%s': after '#' comes a number from 1, or the label of a step%s", text, name, suggest.DidYouMean(mark, labels))
	}
	return p, nil
}

// ParsePlaces reads several.
func ParsePlaces(reg *passes.Registry, texts []string) (out []Place, err error) {
	for _, t := range texts {
		p, err := ParsePlace(reg, t)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func (pl Place) String() string {
	if pl.mark == "" {
		return pl.Pass.Name
	}
	return pl.Pass.Name + "#" + pl.mark
}

// An occurrence is a pass in a pipeline, with the name of the step that it is, if it is one.
type occurrence struct {
	pass *passes.Pass
	step string
}

// in returns which of the occurrences the place names.
func (pl Place) in(all []occurrence) (at []int) {
	var same []int
	for i, o := range all {
		if o.pass != pl.Pass {
			continue
		}
		if pl.mark != "" && o.step == pl.String() {
			return []int{i}
		}
		same = append(same, i)
	}
	if pl.mark == "" {
		return same
	}
	if n, err := strconv.Atoi(pl.mark); err == nil && n <= len(same) {
		return same[n-1 : n]
	}
	return nil
}

// Items returns the passes of the pipeline that a place names.
func (p *Pipeline) Items(pl Place) (out []*Item) {
	var items []*Item
	var all []occurrence
	p.Root.each(func(_ *OpPipeline, it *Item) {
		items = append(items, it)
		all = append(all, occurrence{it.Pass, it.Step})
	})
	for _, i := range pl.in(all) {
		out = append(out, items[i])
	}
	return out
}

// each calls f for each pass, as it stands in its nest.
func (n *OpPipeline) each(f func(*OpPipeline, *Item)) {
	for i := range n.Items {
		if it := &n.Items[i]; it.Nest != nil {
			it.Nest.each(f)
		} else {
			f(n, it)
		}
	}
}

// Without returns the pipeline without some passes.
func (p *Pipeline) Without(places []Place) *Pipeline {
	if len(places) == 0 {
		return p
	}
	gone := make(map[*Item]bool)
	for _, pl := range places {
		for _, it := range p.Items(pl) {
			gone[it] = true
		}
	}
	return &Pipeline{Root: p.Root.without(gone)}
}

func (n *OpPipeline) without(gone map[*Item]bool) *OpPipeline {
	out := &OpPipeline{Op: n.Op}
	for i := range n.Items {
		it := &n.Items[i]
		switch {
		case it.Nest != nil:
			out.Items = append(out.Items, Item{Nest: it.Nest.without(gone)})
		case !gone[it]:
			out.Items = append(out.Items, *it)
		}
	}
	return out
}
