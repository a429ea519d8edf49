package pipeline

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// A Splice puts passes into a pipeline, before the passes that a place names or after them.
type Splice struct {
	Place    Place
	After    bool
	text     string
	elements []*element
}

// ParseSplice reads PLACE:ELEMENTS, as in "cse#nvvm:my-pass{n=3},dce". The elements are those of a textual pipeline,
// and stand in the nest of the pass that the place names; those for an operation inside of that one's are nested.
func ParseSplice(reg *passes.Registry, text string, after bool) (*Splice, error) {
	place, elements, ok := strings.Cut(text, ":")
	if !ok || strings.TrimSpace(elements) == "" {
		return nil, fmt.Errorf("expected PASS:PASSES, as in 'cse:my-pass,dce', but got '%s'", text)
	}
	s := &Splice{After: after, text: AnyOp + "(" + elements + ")"}
	var err error
	if s.Place, err = ParsePlace(reg, place); err != nil {
		return nil, err
	}
	root, err := parseText(s.text)
	if err != nil {
		return nil, err
	}
	s.elements = root.children
	return s, nil
}

// Into puts the passes into a pipeline. ctx, which may be nil, has the rows that tell how operations are nested.
func (s *Splice) Into(p *Pipeline, reg *passes.Registry, ctx *ir.Context, target *passes.Target) error {
	at := make(map[*Item]bool)
	for _, it := range p.Items(s.Place) {
		at[it] = true
	}
	if len(at) == 0 {
		return fmt.Errorf("pass '%s' does not stand in the pipeline, so nothing can be put before or after it", s.Place)
	}
	b := &binder{reg: reg, text: s.text, target: target}
	m := new(misfits)
	if err := s.into(p.Root, p.Root.Op, at, b, ctx, m); err != nil {
		return err
	}
	if m.placed == 0 {
		return m.first
	}
	return nil
}

// misfits are occurrences of the pass in nests that the elements do not fit, as of canonicalize, which stands in
// several. Where the place says no occurrence, these are not meant.
type misfits struct {
	placed int
	first  error
}

// A misfit says that a pass cannot be put into a nest.
type misfit struct{ error }

func (s *Splice) into(n *OpPipeline, root string, at map[*Item]bool, b *binder, ctx *ir.Context, m *misfits) error {
	var out []Item
	for i := range n.Items {
		it := &n.Items[i]
		if it.Nest != nil {
			if err := s.into(it.Nest, root, at, b, ctx, m); err != nil {
				return err
			}
		}
		if !at[it] {
			out = append(out, *it)
			continue
		}
		items, err := s.items(n.Op, root, b, ctx)
		if _, ok := err.(misfit); ok && s.Place.mark == "" {
			m.first = cmp.Or(m.first, err)
			out = append(out, *it)
			continue
		}
		if err != nil {
			return err
		}
		m.placed++
		if s.After {
			out = append(append(out, *it), items...)
		} else {
			out = append(append(out, items...), *it)
		}
	}
	n.Items = out
	return nil
}

// items returns the elements for a nest.
func (s *Splice) items(op, root string, b *binder, ctx *ir.Context) ([]Item, error) {
	inner := &Pipeline{Root: &OpPipeline{Op: op}}
	for _, el := range s.elements {
		if el.isNest {
			n, err := b.nest(el)
			if err != nil {
				return nil, err
			}
			inner.Root.Items = append(inner.Root.Items, Item{Nest: n})
			continue
		}
		var path []string
		if p := b.reg.Lookup(el.name); p != nil && !CanRunOn(p, op) {
			path = NestPath(ctx, op, p.On)
			if len(path) == 0 || op != root && ctx != nil && !isInside(ctx, p.On, op) {
				return nil, misfit{b.errorAt(el.pos, "pass '%s' runs on '%s', and cannot be put beside '%s', which stands in a nest for '%s'", p.Name, p.On, s.Place, op)}
			}
		}
		on := op
		if len(path) > 0 {
			on = path[len(path)-1]
		}
		items, err := b.element(el, on)
		if err != nil {
			return nil, err
		}
		for _, it := range items {
			inner.Append(path, it)
		}
	}
	return inner.Root.Items, nil
}

// isInside reports whether operations of one name stand inside those of another, as rows tell.
func isInside(ctx *ir.Context, name, outer string) bool {
	for depth := 0; depth < maxDepth; depth++ {
		if name == outer {
			return true
		}
		def := ctx.LookupOp(name)
		if def == nil || len(def.Parents) != 1 {
			return false
		}
		name = def.Parents[0]
	}
	return false
}
