package asm

import (
	"fmt"

	"github.com/tilewright/tilewright/ir"
)

// group reads "( elements )?" or "( elements ) : ( others )?"; one of the elements is marked with ^.
func (c *formatCompiler) group() (element, error) {
	c.pos++
	g := element{kind: elemGroup, unit: -1}
	anchor := -1
	for {
		c.skip()
		if c.pos == len(c.src) {
			return g, fmt.Errorf("expected ')' to close a group")
		}
		if c.opt(")") {
			break
		}
		e, err := c.element(true)
		if err != nil {
			return g, err
		}
		g.then = append(g.then, e)
		if c.opt("^") {
			if anchor >= 0 {
				return g, fmt.Errorf("a group has one anchor")
			}
			anchor = len(g.then) - 1
		}
	}
	if anchor < 0 {
		return g, fmt.Errorf("a group needs an anchor")
	}
	if err := c.anchor(&g, anchor); err != nil {
		return g, err
	}
	if c.opt(":") {
		if err := c.expect("("); err != nil {
			return g, err
		}
		var err error
		if g.other, err = c.list(true); err != nil {
			return g, err
		}
	}
	if err := c.expect("?"); err != nil {
		return g, err
	}
	return g, c.firstOf(&g)
}

// anchor notes what the presence of a group depends on.
func (c *formatCompiler) anchor(g *element, at int) error {
	switch a := g.then[at]; a.kind {
	case elemOperand:
		if c.def.Operands[a.index].Arity == ir.One {
			return fmt.Errorf("operand '%s' of a group must be optional", c.def.Operands[a.index].Name)
		}
		g.anchor = target{targetOperand, a.index}
	case elemRegion:
		g.anchor = target{targetRegion, a.index}
	case elemAttr:
		if f := c.def.Attrs[a.index]; f.Arity == ir.One && f.Default == nil {
			return fmt.Errorf("attribute '%s' of a group must be optional", f.Name)
		}
		g.anchor = target{targetAttr, a.index}
	case elemUnitName:
		g.anchor = target{targetAttr, a.index}
		if len(g.then) > 1 { // the other elements say that the attribute is there
			g.unit = a.index
			g.then = append(g.then[:at:at], g.then[at+1:]...)
		} else {
			c.wantSpace, c.punctuation = true, false
		}
	case elemType:
		g.anchor = a.targets[0]
	default:
		return fmt.Errorf("a group's anchor must be a variable or a type")
	}
	return nil
}

// firstOf finds the element by which parsing tells whether a group is there.
func (c *formatCompiler) firstOf(g *element) error {
	for i := range g.then {
		e := &g.then[i]
		switch e.kind {
		case elemSpace, elemNewline:
			continue
		case elemOperand:
			if c.def.Operands[e.index].Arity == ir.One {
				return fmt.Errorf("a group must not start with a required operand")
			}
		case elemAttr:
			if !startsApart(c.def.Attrs[e.index].Kind) {
				return fmt.Errorf("a group must not start with attribute '%s', which is not told from its absence", e.text)
			}
		case elemLiteral, elemUnitName, elemRegion:
		default:
			return fmt.Errorf("a group must start with a literal, an operand, a region or an attribute")
		}
		g.first = e
		return nil
	}
	return fmt.Errorf("a group must not be empty")
}

// startsApart reports whether the next token tells whether an attribute of the kind stands there.
func startsApart(k *ir.AttrKind) bool {
	return k == ir.SymNameKind || k == ir.SymRefKind || k == ir.StringKind || k == ir.I32Kind || k == ir.I64Kind
}
