package generate

import (
	"fmt"
	"strings"
)

// make writes what gives a new value of a type out of nothing.
func (g *gen) make(t typ) value {
	e := t.elem
	switch k := g.r.IntN(8); {
	case k == 0 || len(t.shape) == 0 && k < 4:
		return g.constant(t)
	case k == 1 && t.shape.size() <= 16:
		return g.constants(t)
	case e == i1 && k == 4 && t.shape.size() <= 2:
		return g.iota(t)
	case e == i1 && k > 2 && k < 6:
		return g.compare(g.value(t.of(pick(g, g.elems))))
	case k < 4:
		return g.splat(g.value(scalar(e)), t.shape)
	case k < 5 && !e.float:
		return g.iota(t)
	case k < 7:
		return g.loadView(t)
	}
	return g.loadPtr(t)
}

// literal spells a number of a type.
func (g *gen) literal(e *elem) string {
	switch {
	case e == i1:
		return fmt.Sprint(g.chance(2))
	case e.some != nil:
		return pick(g, e.some)
	case e.float:
		return pick(g, []string{"0.0", "-0.0", "1.0", "-1.0", "0.5", "-2.5", "3.0", "12.0", "-100.0", "1024.0", e.low, e.high})
	case g.chance(4):
		return fmt.Sprint(int64(g.r.Uint64()) >> (64 - e.width))
	}
	return fmt.Sprint(pick(g, []int64{0, 1, -1, 2, 3, 5, 8, 64, 100, -7, e.min(), e.max()}))
}

func (g *gen) constant(t typ) value {
	return g.def(t, true, "constant <%s: %s> : %s", t.elem.name, g.literal(t.elem), t)
}

// constants writes a constant of differing elements.
func (g *gen) constants(t typ) value {
	if len(t.shape) == 0 {
		return g.constant(t)
	}
	return g.def(t, true, "constant <%s: %s> : %s", t.elem.name, g.nested(t.shape, t.elem), t)
}

func (g *gen) nested(s shape, e *elem) string {
	parts := make([]string, s[0])
	for i := range parts {
		if len(s) == 1 {
			parts[i] = g.literal(e)
		} else {
			parts[i] = g.nested(s[1:], e)
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// number is a constant of all the same number.
func (g *gen) number(t typ, n int64) value {
	if t.elem == i1 {
		return g.def(t, true, "constant <i1: %t> : %s", n&1 != 0, t)
	}
	return g.def(t, true, "constant <%s: %d> : %s", t.elem.name, n, t)
}

// splat gives a scalar a shape.
func (g *gen) splat(v value, s shape) value {
	if len(s) == 0 {
		return v
	}
	ones := make(shape, len(s))
	for i := range ones {
		ones[i] = 1
	}
	t := v.shaped(s...)
	v = g.reshape(v, ones)
	if s.size() == 1 {
		return v
	}
	return g.def(t, v.clean, "broadcast %s : %s -> %s", v.name, v.typ, t)
}

func (g *gen) reshape(v value, s shape) value {
	t := v.shaped(s...)
	return g.def(t, v.clean, "reshape %s : %s -> %s", v.name, v.typ, t)
}

// iota numbers the elements of a tile, or those along one dimension.
func (g *gen) iota(t typ) value {
	if n := t.shape.size(); n <= 1<<t.elem.width && len(t.shape) > 0 {
		return g.count(t)
	}
	return g.constant(t)
}

// count numbers the elements of a tile in row-major order.
func (g *gen) count(t typ) value {
	line := t.shaped(t.shape.size())
	v := g.def(line, true, "iota : %s", line)
	if len(t.shape) == 1 {
		return v
	}
	return g.reshape(v, t.shape)
}
