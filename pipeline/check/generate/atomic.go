package generate

import (
	"fmt"
	"slices"
)

// atomics are the kinds of atomics on the counters. Each has a part of its own, where the order does not matter.
var atomics = []string{"add", "xor", "or", "and", "max", "min", "umax", "umin"}

// atomic changes memory in one of the ways whose outcome does not depend on the order.
func (g *gen) atomic() {
	switch g.r.IntN(4) {
	case 0:
		g.count16()
	case 1:
		g.sum()
	case 2:
		g.ownAtomic()
	case 3:
		g.compareAndSwap()
	}
}

// count16 changes counters that the elements of a tile choose.
func (g *gen) count16() {
	g.counts = true
	t := typ{pick(g, g.shapes), i32}
	kind := g.r.IntN(len(atomics))
	v := g.value(t)
	index := g.masked(g.value(t), 1<<counterLog-1)
	index = g.binary("addi", index, g.number(t, int64(kind)<<counterLog), true, "")
	p, _ := g.address("%counts", i32, index)
	g.update(p, atomics[kind], v, false)
}

// update writes an atomic operation. What was there before is in scope if the caller says so, and there is no mask:
// an element that is masked off has no value.
func (g *gen) update(p, kind string, v value, known bool) {
	t := v.typ
	mask, types := "", fmt.Sprintf("%s, %s -> %s, token", t.ptr(), t, t)
	if g.chance(2) {
		known = false
		m := g.value(t.of(i1))
		mask, types = ", "+m.name, fmt.Sprintf("%s, %s, %s -> %s, token", t.ptr(), t, m.typ, t)
	}
	before, after := g.advance()
	old := value{g.name(), t, !t.elem.float}
	g.line("%s, %s = atomic_rmw_tko %s %s, %s, %s%s token=%s : %s", old.name, after, g.scoped(), p, kind, v.name, mask, before, types)
	if known {
		g.values = append(g.values, old)
	}
}

func (g *gen) scoped() string {
	return pick(g, []string{"relaxed", "relaxed", "acquire", "release", "acq_rel"}) + " " + pick(g, []string{"device", "sys"})
}

// sum adds to places that all CTAs share. Sums of floats are of small integers, so that they are exact.
func (g *gen) sum() {
	t := typ{pick(g, g.shapes), g.summable()}
	if t.elem.width == 16 && g.loop != nil {
		t.elem = f32 // else a sum could have too many digits
	}
	kind := "addf"
	var v value
	if t.elem.float {
		v = g.small(t)
	} else {
		kind = pick(g, atomics)
		v = g.value(t)
	}
	o := buffer{sums, t.elem}
	if len(t.shape) > 0 && g.chance(2) {
		x := g.tensorOf(func(size int) string { return g.place(o, size) }, t.elem, t.shape, 2*t.shape.size(), forAtomic)
		before, after := g.advance()
		g.line("%s = atomic_red_view_tko relaxed %s %s[%s], %s, %s token=%s : %s, %s, %s -> token", after, "device", x.view, names(x.at), kind,
			v.name, before, t, x.viewType, x.index)
		return
	}
	p, _ := g.address(g.place(o, t.shape.size()), t.elem, g.shuffled(t.of(i32)))
	g.update(p, kind, v, false)
}

// summable chooses a type that atomics add.
func (g *gen) summable() *elem {
	e := pick(g, []*elem{i32, i64, f32, f64, f16, bf16})
	if e == bf16 && g.NoBF16Atomics {
		return f16
	}
	return e
}

// ownAtomic changes places that nobody else does, so that what was there is known.
func (g *gen) ownAtomic() {
	t := typ{pick(g, g.shapes), g.summable()}
	kind := "addf"
	var v value
	switch {
	case t.elem.width >= 32 && g.chance(3):
		kind = "xchg"
		v = g.clean(t)
	case t.elem.float:
		v = g.small(t)
	default:
		kind, v = pick(g, atomics), g.value(t)
	}
	p, _ := g.address(g.place(buffer{exact, t.elem}, t.shape.size()), t.elem, g.shuffled(t.of(i32)))
	g.update(p, kind, v, true)
}

// clean returns a value without NaN.
func (g *gen) clean(t typ) value {
	if v := g.value(t); v.clean {
		return v
	}
	return g.constant(t)
}

// compareAndSwap changes places that nobody else does, and which hold what it expects, at times.
func (g *gen) compareAndSwap() {
	t := typ{pick(g, g.shapes), pick(g, []*elem{i32, i64, f32, f64})}
	want := g.number(scalar(i32), outputFill)
	if t.elem != i32 {
		want = g.convertExactly(want, t.elem)
	}
	want = g.splat(want, t.shape)
	if g.chance(3) {
		want = g.clean(t)
	}
	v := g.clean(t)
	p, _ := g.address(g.place(buffer{exact, t.elem}, t.shape.size()), t.elem, g.shuffled(t.of(i32)))
	mask, types := "", fmt.Sprintf("%s, %s -> %s, token", t.ptr(), t, t)
	masked := g.chance(2)
	if masked {
		m := g.value(t.of(i1))
		mask, types = ", "+m.name, fmt.Sprintf("%s, %s, %s -> %s, token", t.ptr(), t, m.typ, t)
	}
	before, after := g.advance()
	old := value{g.name(), t, !t.elem.float}
	g.line("%s, %s = atomic_cas_tko %s %s, %s, %s%s token=%s : %s", old.name, after, g.scoped(), p, want.name, v.name, mask, before, types)
	if !masked {
		g.values = append(g.values, old)
	}
}

// convertExactly converts a small integer.
func (g *gen) convertExactly(v value, to *elem) value {
	t := v.of(to)
	if slices.Contains(floats, to) {
		return g.def(t, true, "itof %s signed : %s -> %s", v.name, v.typ, t)
	}
	return g.def(t, true, "exti %s signed : %s -> %s", v.name, v.typ, t)
}
