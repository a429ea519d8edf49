package pipeline

import (
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/passes"
)

// Parse parses the text of a pipeline and looks up its passes. Errors are *SyntaxError.
func Parse(reg *passes.Registry, text string) (*Pipeline, error) { return ParseFor(reg, text, nil) }

// ParseFor parses the text of a pipeline for a target, which the names of default pipelines in it stand for the
// passes of. Nil: the default one at -O3.
func ParseFor(reg *passes.Registry, text string, target *passes.Target) (*Pipeline, error) {
	root, err := parseText(text)
	if err != nil {
		return nil, err
	}
	if target == nil {
		target = &passes.Target{OptLevel: 3}
	}
	b := &binder{reg: reg, text: text, target: target}
	n, err := b.nest(root)
	if err != nil {
		return nil, err
	}
	return &Pipeline{Root: n}, nil
}

type binder struct {
	reg    *passes.Registry
	text   string
	target *passes.Target
	depth  int // of pipelines by name inside others
}

func (b *binder) errorAt(pos int, format string, args ...any) error {
	return &SyntaxError{Text: b.text, Offset: pos, Msg: fmt.Sprintf(format, args...)}
}

func (b *binder) nest(n *element) (*OpPipeline, error) {
	if n.name != AnyOp && !strings.Contains(n.name, ".") {
		if b.reg.Lookup(n.name) != nil {
			return nil, b.errorAt(n.pos, "'%s' is a pass, not an operation; its options stand in '{...}'", n.name)
		}
		return nil, b.errorAt(n.pos, "expected the full name of an operation or 'any', but got '%s'", n.name)
	}
	items, err := b.elements(n.children, n.name)
	return &OpPipeline{Op: n.name, Items: items}, err
}

// elements returns the items of a nest for operations of some name.
func (b *binder) elements(nodes []*element, op string) (out []Item, err error) {
	for _, n := range nodes {
		items, err := b.element(n, op)
		if err != nil {
			return nil, err
		}
		out = append(out, items...)
	}
	return out, nil
}

// element returns the items that an element is: a nest, a pass, or those that the name of a pipeline stands for.
func (b *binder) element(n *element, op string) ([]Item, error) {
	if n.isNest {
		inner, err := b.nest(n)
		return []Item{{Nest: inner}}, err
	}
	if b.reg.Lookup(n.name) == nil {
		if items, ok, err := b.named(n, op); ok || err != nil {
			return items, err
		}
	}
	it, err := b.pass(n, op)
	return []Item{it}, err
}

func (b *binder) pass(n *element, op string) (Item, error) {
	p := b.reg.Lookup(n.name)
	if p == nil {
		if strings.Contains(n.name, ".") {
			return Item{}, b.errorAt(n.pos, "operation '%s' needs a list of passes in '(...)'", n.name)
		}
		return Item{}, b.errorAt(n.pos, "unknown pass '%s'%s", n.name, suggest.DidYouMean(n.name, passNames(b.reg)))
	}
	if !CanRunOn(p, op) {
		return Item{}, b.errorAt(n.pos, "pass '%s' runs on '%s' and cannot run on '%s'; nest it: %s(%s)", p.Name, p.On, op, p.On, p.Name)
	}
	return b.options(p, n)
}

// options returns a pass with the options that the text gives it.
func (b *binder) options(p *passes.Pass, n *element) (Item, error) {
	it := Item{Pass: p, Options: p.NewOptions()}
	for _, o := range n.opts {
		if err := passes.SetOption(it.Options, o.name, o.value); err != nil {
			return Item{}, b.errorAt(o.pos, "pass '%s': %v", p.Name, err)
		}
	}
	return it, nil
}

func passNames(reg *passes.Registry) []string {
	var names []string
	for _, p := range reg.Passes() {
		names = append(names, p.Name)
	}
	return names
}

// ParsePass returns a pass with options in the form "k=v k2=a,b", as on the command line. Errors are *SyntaxError in
// the text of the options, except that an unknown pass is a plain error.
func ParsePass(reg *passes.Registry, name, options string) (Item, error) {
	p := reg.Lookup(name)
	if p == nil {
		return Item{}, fmt.Errorf("unknown pass '%s'%s", name, suggest.DidYouMean(name, passNames(reg)))
	}
	return parseItem(p, options)
}

// parseItem returns a pass with options, as ParsePass does.
func parseItem(p *passes.Pass, options string) (Item, error) {
	text := "any(" + p.Name + "{" + options + "})"
	n, err := parseText(text)
	if err != nil {
		return Item{}, err
	}
	if len(n.children) != 1 {
		return Item{}, fmt.Errorf("options of pass '%s' contain an unmatched '}'", p.Name)
	}
	return (&binder{text: text}).options(p, n.children[0])
}
