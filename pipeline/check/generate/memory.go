package generate

import (
	"fmt"
	"slices"
)

// address makes pointers into a buffer.
func (g *gen) address(base string, e *elem, index value) (name string, t typ) {
	t = index.of(e)
	p := g.detour(base, scalar(e))
	if len(t.shape) > 0 {
		ones := typ{make(shape, len(t.shape)), e}
		for i := range ones.shape {
			ones.shape[i] = 1
		}
		p = g.name()
		g.line("%s = reshape %s : %s -> %s", p, base, scalar(e).ptr(), ones.ptr())
		if t.shape.size() > 1 {
			q := g.name()
			g.line("%s = broadcast %s : %s -> %s", q, p, ones.ptr(), t.ptr())
			p = q
		}
	}
	name = g.name()
	g.line("%s = offset %s, %s : %s, %s -> %s", name, p, index.name, t.ptr(), index.typ, t.ptr())
	return g.detour(name, t), t
}

// detour takes pointers, sometimes, to another type and back.
func (g *gen) detour(p string, t typ) string {
	if !g.chance(10) {
		return p
	}
	q, back := g.name(), g.name()
	if g.chance(2) {
		address := t.of(i64)
		g.line("%s = ptr_to_int %s : %s -> %s", q, p, t.ptr(), address)
		g.line("%s = int_to_ptr %s : %s -> %s", back, q, address, t.ptr())
		return back
	}
	other := t.of(pick(g, slices.DeleteFunc(slices.Clone(stored), func(e *elem) bool { return e == t.elem })))
	g.line("%s = ptr_to_ptr %s : %s -> %s", q, p, t.ptr(), other.ptr())
	g.line("%s = ptr_to_ptr %s : %s -> %s", back, q, other.ptr(), t.ptr())
	return back
}

// loadPtr reads elements of an input from anywhere, some of them perhaps masked off.
func (g *gen) loadPtr(t typ) value {
	e := t.elem
	g.inputs[e] = true
	var index value
	it := t.of(pick(g, []*elem{i32, i32, i64, i16}))
	if len(t.shape) == 0 || g.chance(2) || t.shape.size() > int(it.elem.max()) {
		index = g.masked(g.indexSource(it), g.inputSize()-1)
	} else {
		index = g.count(it)
	}
	p, _ := g.address("%in_"+e.name, e, index)
	v := value{g.name(), t, true}
	mask, types := "", fmt.Sprintf("%s -> %s, token", t.ptr(), t)
	if g.chance(2) {
		m, other := g.truthOf(t.shape), g.constant(t)
		mask = fmt.Sprintf(", %s, %s", m.name, other.name)
		types = fmt.Sprintf("%s, %s, %s -> %s, token", t.ptr(), m.typ, t, t)
	}
	g.line("%s, %s = load_ptr_tko %s %s%s%s : %s", v.name, g.name(), g.order("acquire"), p, mask, g.maybeToken("token="), types)
	g.values = append(g.values, v)
	return v
}

// indexSource is an integer tile that may become an index. It does not load, so that making one ends.
func (g *gen) indexSource(t typ) value {
	if v, ok := g.any(func(v value) bool { return v.is(t) }); ok {
		return v
	}
	if len(t.shape) == 0 {
		return g.constant(t)
	}
	return g.count(t)
}

// truthOf makes a mask without loading.
func (g *gen) truthOf(s shape) value {
	t := typ{s, i1}
	if v, ok := g.any(func(v value) bool { return v.is(t) }); ok && g.chance(2) {
		return v
	}
	if len(s) == 0 {
		return g.constant(t)
	}
	c := typ{s, i32}
	limit := g.splat(g.number(scalar(i32), int64(g.r.IntN(s.size()+1))), s)
	return g.def(t, true, "cmpi less_than %s, %s, signed : %s -> %s", g.count(c).name, limit.name, c, t)
}

// order is the order and scope of an access: mostly none.
func (g *gen) order(strong string) string {
	if !g.chance(6) {
		return "weak"
	}
	return pick(g, []string{"relaxed", strong}) + " " + pick(g, []string{"tl_blk", "device", "sys"})
}

func (g *gen) maybeToken(clause string) string {
	if g.chance(2) {
		return " " + clause + g.token
	}
	return ""
}

// place reserves elements of an output and returns a pointer to them.
func (g *gen) place(o buffer, n int) string {
	base, at := "%mine_"+o.String(), g.places[o]
	if o.class == sums {
		base = "%" + o.String()
	}
	g.places[o] += n
	if at == 0 {
		return base
	}
	p, ptr := g.name(), scalar(o.elem).ptr()
	g.line("%s = offset %s, %s : %s, tile<i32> -> %s", p, base, g.number(scalar(i32), int64(at)).name, ptr, ptr)
	return p
}

// store writes a value to a place of its own.
func (g *gen) store() {
	if v, ok := g.any(func(value) bool { return true }); ok {
		g.storeTo(exact, v)
	}
}

// storeTo writes a value to a place of its own among the outputs of a class, and sometimes reads it back.
func (g *gen) storeTo(c class, v value) {
	o := buffer{c, v.elem}
	switch {
	case len(v.shape) == 2 && g.chance(5):
		g.scatter(o, v)
	case len(v.shape) > 0 && g.chance(2):
		g.storeView(o, v)
	default:
		g.storePtr(o, v)
	}
}

// storePtr writes elements in some order, some of them perhaps masked off.
func (g *gen) storePtr(o buffer, v value) {
	base := g.place(o, v.shape.size())
	index := g.shuffled(v.of(i32))
	p, t := g.address(base, v.elem, index)
	mask, types := "", fmt.Sprintf("%s, %s -> token", t.ptr(), t)
	if g.chance(3) {
		m := g.value(t.of(i1))
		mask, types = ", "+m.name, fmt.Sprintf("%s, %s, %s -> token", t.ptr(), t, m.typ)
	}
	before, after := g.advance()
	g.line("%s = store_ptr_tko %s %s, %s%s token=%s : %s", after, g.order("release"), p, v.name, mask, before, types)
	if o.class == exact && g.chance(4) {
		g.readBack(p, t)
	}
}

// readBack loads what was stored.
func (g *gen) readBack(p string, t typ) {
	r := value{g.name(), t, !t.elem.float}
	before, after := g.advance()
	g.line("%s, %s = load_ptr_tko weak %s token=%s : %s -> %s, token", r.name, after, p, before, t.ptr(), t)
	g.values = append(g.values, r)
}

// shuffled numbers elements in some order.
func (g *gen) shuffled(t typ) value {
	if len(t.shape) == 0 {
		return g.number(t, 0)
	}
	v := g.count(t)
	n := t.shape.size()
	if n == 1 {
		return v
	}
	switch g.r.IntN(4) {
	case 0:
		v = g.binary("xori", v, g.number(t, int64(g.r.IntN(n))), true, "")
	case 1: // a permutation as well: an odd factor is invertible
		v = g.binary("muli", v, g.number(t, int64(1+2*g.r.IntN(n))), true, "")
		v = g.binary("addi", v, g.number(t, int64(g.r.IntN(n))), true, "")
		v = g.binary("andi", v, g.number(t, int64(n-1)), true, "")
	}
	return v
}
