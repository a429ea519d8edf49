package difference

import (
	"fmt"

	"github.com/tilewright/tilewright/ir"
)

// Options say what does not count.
type Options struct {
	// MadeUp reports whether a location is one that a reader invented, since the text had none. An operation without
	// operands that ends its block may have such a location: texts leave it out.
	MadeUp func(ir.Location) bool
}

// A Difference is the first place where two operations are not equal.
type Difference struct {
	Op   ir.Op  // of the first, or the one around what it lacks
	What string // as in "has 2 operands, then 3"
}

// Between returns the first difference between two operations of one context, or nil.
func Between(a, b ir.Op, opts Options) *Difference {
	c := &comparison{opts: opts, values: make(map[ir.Value]ir.Value), blocks: make(map[ir.Block]ir.Block)}
	if !c.op(a, b) {
		return c.found
	}
	// A use may stand before its definition, so that operands come last.
	for _, pair := range c.users {
		if !c.uses(pair[0], pair[1]) {
			return c.found
		}
	}
	return nil
}

// A comparison maps what is inside of the first operation to its counterpart in the second.
type comparison struct {
	opts   Options
	values map[ir.Value]ir.Value
	blocks map[ir.Block]ir.Block
	users  [][2]ir.Op // whose operands and successors are to be compared
	found  *Difference
}

func (c *comparison) differ(op ir.Op, format string, args ...any) bool {
	c.found = &Difference{Op: op, What: fmt.Sprintf(format, args...)}
	return false
}

// op compares all but operands and successors.
func (c *comparison) op(a, b ir.Op) bool {
	if a.Def() != b.Def() {
		return c.differ(a, "is '%s'", b.Name())
	}
	for _, n := range []struct {
		what string
		a, b int
	}{
		{"operands", a.NumOperands(), b.NumOperands()},
		{"results", a.NumResults(), b.NumResults()},
		{"regions", a.NumRegions(), b.NumRegions()},
		{"successors", a.NumSuccessors(), b.NumSuccessors()},
	} {
		if n.a != n.b {
			return c.differ(a, "has %d %s, then %d", n.a, n.what, n.b)
		}
	}
	for i := range a.NumResults() {
		if !c.value(a, a.Result(i), b.Result(i), "result") {
			return false
		}
	}
	if a.NumOperands() > 0 || a.NumSuccessors() > 0 {
		c.users = append(c.users, [2]ir.Op{a, b})
	}
	if !c.attrs(a, b) {
		return false
	}
	if x, y := a.Loc(), b.Loc(); x != y && !c.leftOut(b) {
		return c.differ(a, "has location %s, then %s", ir.AttrString(x), ir.AttrString(y))
	}
	for i := range a.NumRegions() {
		if !c.region(a, a.Region(i), b.Region(i)) {
			return false
		}
	}
	return true
}

// leftOut reports whether a reader added the operation: one that ends a block, which the text need not show.
func (c *comparison) leftOut(op ir.Op) bool {
	return c.opts.MadeUp != nil && op.HasTrait(ir.Terminator) && op.NumOperands() == 0 && c.opts.MadeUp(op.Loc())
}

func (c *comparison) value(op ir.Op, x, y ir.Value, what string) bool {
	if x.Type() != y.Type() {
		return c.differ(op, "%s #%d has type %s, then %s", what, x.Index(), ir.TypeString(x.Type()), ir.TypeString(y.Type()))
	}
	c.values[x] = y
	return true
}

func (c *comparison) attrs(a, b ir.Op) bool {
	for i, f := range a.Def().Attrs {
		x, y := a.AttrAt(i), b.AttrAt(i)
		if x == y {
			continue
		}
		if f.Default != nil {
			x, y = orDefault(x, f, a), orDefault(y, f, b)
		}
		if x != y && !(f.Kind.Same != nil && x != nil && y != nil && f.Kind.Same(x, y)) {
			return c.differ(a, "has attribute '%s' = %s, then %s", f.Name, attrText(x), attrText(y))
		}
	}
	if x, y := a.DiscardableAttrs(), b.DiscardableAttrs(); x != y {
		return c.differ(a, "has attributes %s, then %s", attrText(x), attrText(y))
	}
	return true
}

func orDefault(a ir.Attribute, f ir.Field, op ir.Op) ir.Attribute {
	if a == nil {
		return f.Default(op.Context())
	}
	return a
}

func attrText(a ir.Attribute) string {
	if a == nil {
		return "none"
	}
	return ir.AttrString(a)
}

func (c *comparison) region(op ir.Op, x, y ir.Region) bool {
	p, q := x.First(), y.First()
	for ; !p.IsNil() && !q.IsNil(); p, q = p.Next(), q.Next() {
		if !c.block(op, p, q) {
			return false
		}
	}
	if p.IsNil() != q.IsNil() {
		return c.differ(op, "region #%d has another number of blocks", x.Index())
	}
	return true
}

func (c *comparison) block(op ir.Op, x, y ir.Block) bool {
	c.blocks[x] = y
	if x.NumArgs() != y.NumArgs() {
		return c.differ(op, "a block has %d arguments, then %d", x.NumArgs(), y.NumArgs())
	}
	for i := range x.NumArgs() {
		if !c.value(op, x.Arg(i), y.Arg(i), "block argument") {
			return false
		}
	}
	p, q := x.First(), y.First()
	for ; !p.IsNil() && !q.IsNil(); p, q = p.Next(), q.Next() {
		if !c.op(p, q) {
			return false
		}
	}
	switch {
	case !p.IsNil():
		return c.differ(p, "is missing")
	case !q.IsNil():
		return c.differ(op, "has '%s' in addition", q.Name())
	}
	return true
}

// uses compares operands and successors. What stands outside of both operations is its own counterpart.
func (c *comparison) uses(a, b ir.Op) bool {
	for i := range a.NumOperands() {
		x, y := a.Operand(i), b.Operand(i)
		if inner, ok := c.values[x]; ok {
			x = inner
		}
		if x != y {
			return c.differ(a, "operand #%d is another value", i)
		}
	}
	for i := range a.NumSuccessors() {
		x, y := a.Successor(i), b.Successor(i)
		if inner, ok := c.blocks[x]; ok {
			x = inner
		}
		if x != y {
			return c.differ(a, "successor #%d is another block", i)
		}
	}
	return true
}
