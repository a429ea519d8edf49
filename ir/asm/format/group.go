package format

import (
	"fmt"

	"github.com/tilewright/tilewright/ir"
)

// group reads "( elements )?" or "( elements ) : ( others )?"; one of the elements is marked with ^.
func (c *formatCompiler) group() (Element, error) {
	c.pos++
	g := Element{Kind: Group, Unit: -1}
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
		g.Then = append(g.Then, e)
		if c.opt("^") {
			if anchor >= 0 {
				return g, fmt.Errorf("a group has one anchor")
			}
			anchor = len(g.Then) - 1
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
		if g.Other, err = c.list(true); err != nil {
			return g, err
		}
	}
	if err := c.expect("?"); err != nil {
		return g, err
	}
	return g, c.firstOf(&g)
}

// anchor notes what the presence of a group depends on.
func (c *formatCompiler) anchor(g *Element, at int) error {
	switch a := g.Then[at]; a.Kind {
	case Operand:
		if c.def.Operands[a.Index].Arity == ir.One {
			return fmt.Errorf("operand '%s' of a group must be optional", c.def.Operands[a.Index].Name)
		}
		g.Anchor = Target{TargetOperand, a.Index}
	case Region:
		g.Anchor = Target{TargetRegion, a.Index}
	case Attr:
		if f := c.def.Attrs[a.Index]; f.Arity == ir.One && f.Default == nil {
			return fmt.Errorf("attribute '%s' of a group must be optional", f.Name)
		}
		g.Anchor = Target{TargetAttr, a.Index}
	case UnitName:
		g.Anchor = Target{TargetAttr, a.Index}
		if len(g.Then) > 1 { // the other elements say that the attribute is there
			g.Unit = a.Index
			g.Then = append(g.Then[:at:at], g.Then[at+1:]...)
		} else {
			c.wantSpace, c.punctuation = true, false
		}
	case Type:
		g.Anchor = a.Targets[0]
	default:
		return fmt.Errorf("a group's anchor must be a variable or a type")
	}
	return nil
}

// firstOf finds the element by which parsing tells whether a group is there.
func (c *formatCompiler) firstOf(g *Element) error {
	for i := range g.Then {
		e := &g.Then[i]
		switch e.Kind {
		case Space, Newline:
			continue
		case Operand:
			if c.def.Operands[e.Index].Arity == ir.One {
				return fmt.Errorf("a group must not start with a required operand")
			}
		case Attr:
			if !startsApart(c.def.Attrs[e.Index].Kind) {
				return fmt.Errorf("a group must not start with attribute '%s', which is not told from its absence", e.Text)
			}
		case Literal, UnitName, Region:
		default:
			return fmt.Errorf("a group must start with a literal, an operand, a region or an attribute")
		}
		g.First = e
		return nil
	}
	return fmt.Errorf("a group must not be empty")
}

// startsApart reports whether the next token tells whether an attribute of the kind stands there.
func startsApart(k *ir.AttrKind) bool {
	return k == ir.SymNameKind || k == ir.SymRefKind || k == ir.StringKind || k == ir.I32Kind || k == ir.I64Kind
}
