package generate

import (
	"fmt"
	"strconv"
	"strings"
)

// reorder writes an operation on the shape of a tile.
func (g *gen) reorder() {
	v := g.value(g.some())
	switch g.r.IntN(11) {
	case 10:
		g.recurrence(v)
	case 0:
		g.reshape(v, g.sameSize(v.shape.size()))
	case 1:
		g.permute(v)
	case 2:
		g.spread(v)
	case 3:
		g.join(v)
	case 4:
		g.part(v)
	case 5:
		g.replace(v)
	case 6:
		g.extreme(v)
	default:
		g.combine(v)
	}
}

// sameSize returns a shape of n elements.
func (g *gen) sameSize(n int) shape {
	for _, s := range g.shapes {
		if s.size() == n && g.chance(2) {
			return s
		}
	}
	var s shape
	for left := log2(n); left > 0 && len(s) < 3; {
		k := 1 + g.r.IntN(left)
		if len(s) == 2 {
			k = left
		}
		s, left = append(s, 1<<k), left-k
	}
	return s
}

func (g *gen) permute(v value) value {
	if len(v.shape) < 2 {
		return v
	}
	order := g.r.Perm(len(v.shape))
	t := typ{make(shape, len(order)), v.elem}
	for i, d := range order {
		t.shape[i] = v.shape[d]
	}
	return g.def(t, v.clean, "permute %s [%s] : %s -> %s", v.name, strings.Join(spell(order, strconv.Itoa), ", "), v.typ, t)
}

// spread takes one row, or column, and repeats it.
func (g *gen) spread(v value) {
	if len(v.shape) == 0 {
		g.splat(v, pick(g, g.shapes))
		return
	}
	d := g.r.IntN(len(v.shape))
	s := append(shape{}, v.shape...)
	if s[d] > 1 {
		s[d] = 1
		v = g.extract(v, s)
	}
	s = append(shape{}, v.shape...)
	for i := range s {
		if s[i] == 1 && (i == d || g.chance(2)) {
			s[i] <<= g.r.IntN(5)
		}
	}
	if t := v.shaped(s...); s.size() <= maxTile && !t.is(v.typ) {
		g.def(t, v.clean, "broadcast %s : %s -> %s", v.name, v.typ, t)
	}
}

func (g *gen) join(v value) {
	if len(v.shape) == 0 || 2*v.shape.size() > maxTile {
		return
	}
	w := g.value(v.typ)
	d := g.r.IntN(len(v.shape))
	s := append(shape{}, v.shape...)
	s[d] *= 2
	t := v.shaped(s...)
	g.def(t, v.clean && w.clean, "cat %s, %s dim = %d : %s, %s -> %s", v.name, w.name, d, v.typ, w.typ, t)
}

// corner returns the coordinates of some subtile of a tile.
func (g *gen) corner(whole, part shape) string {
	var at []value
	for i := range whole {
		n := whole[i] / part[i]
		if n > 1 && g.chance(2) {
			at = append(at, g.masked(g.value(scalar(i32)), int64(n-1)))
		} else {
			at = append(at, g.number(scalar(i32), int64(g.r.IntN(n))))
		}
	}
	return names(at)
}

func (g *gen) extract(v value, s shape) value {
	t := v.shaped(s...)
	return g.def(t, v.clean, "extract %s[%s] : %s -> %s", v.name, g.corner(v.shape, s), v.typ, t)
}

// smaller returns the shape of a subtile of a tile.
func (g *gen) smaller(s shape) shape {
	out := append(shape{}, s...)
	for i := range out {
		out[i] >>= g.r.IntN(log2(out[i]) + 1)
	}
	return out
}

func (g *gen) part(v value) {
	if len(v.shape) > 0 {
		g.extract(v, g.smaller(v.shape))
	}
}

func (g *gen) replace(v value) {
	if len(v.shape) == 0 {
		return
	}
	p := g.value(v.shaped(g.smaller(v.shape)...))
	g.def(v.typ, v.clean && p.clean, "insert %s, %s[%s] : %s, %s", p.name, v.name, g.corner(v.shape, p.shape), p.typ, v.typ)
}

// A combiner is an associative and commutative operation, with what changes nothing.
type combiner struct{ op, rest, identity string }

// combine writes a reduction or a scan.
func (g *gen) combine(v value) {
	e := v.elem
	if len(v.shape) == 0 || e.moved && !v.clean {
		return
	}
	var c combiner
	if e == i1 {
		c = pick(g, []combiner{{"andi", "", "true"}, {"ori", "", "false"}, {"xori", "", "false"}, {"addi", "", "false"}, {"muli", "", "true"}})
	} else if e.float && g.chance(4) && !e.moved {
		v, c = g.small(v.typ), combiner{"addf", "", "0.0"} // exact in every order
	} else if e.float {
		rest := ""
		if !v.clean {
			rest = " propagate_nan"
		}
		c = pick(g, []combiner{{"minf", rest, e.high}, {"maxf", rest, e.low}})
	} else {
		c = pick(g, []combiner{{"addi", "", "0"}, {"muli", "", "1"}, {"xori", "", "0"}, {"ori", "", "0"}, {"andi", "", "-1"},
			{"mini", " signed", fmt.Sprint(e.max())}, {"maxi", " signed", fmt.Sprint(e.min())}, {"maxi", " unsigned", "0"}, {"mini", " unsigned", "-1"}})
	}
	d := g.r.IntN(len(v.shape))
	head, t := fmt.Sprintf("reduce %s dim=%d", v.name, d), v.typ
	if g.chance(2) {
		head = fmt.Sprintf("scan %s dim=%d reverse=%t", v.name, d, g.chance(2))
	} else {
		t = v.shaped(append(append(shape{}, v.shape[:d]...), v.shape[d+1:]...)...)
	}
	a, b, s := value{g.name(), scalar(e), true}, value{g.name(), scalar(e), true}, scalar(e)
	out := g.name()
	outer := g.enter()
	identity := c.identity
	before := g.out
	g.out = new(strings.Builder)
	var r value
	switch {
	case !e.float && e != i1 && g.chance(2):
		r, identity = g.associative(a, b)
	case e == f8e8m0: // the larger one
		x, y := g.reformat(a, f32), g.reformat(b, f32)
		less := g.def(scalar(i1), true, "cmpf less_than ordered %s, %s : %s -> %s", x.name, y.name, x.typ, scalar(i1))
		r, identity = g.def(s, true, "select %s, %s, %s : %s, %s", less.name, b.name, a.name, less.typ, s), "0x00"
	case e.moved:
		r = g.reformat(g.binary(c.op, g.reformat(a, f32), g.reformat(b, f32), true, c.rest), e)
	default:
		r = g.binary(c.op, a, b, true, c.rest)
	}
	if e != i1 {
		identity += " : " + e.name
	}
	body := g.out.String()
	g.out = before
	g.leave(outer)
	combine := func(out, head string, from, to typ) {
		g.line("%s = %s identities=[%s] : %s -> %s (%s: %s, %s: %s) {\n%syield %s : %s\n}", out, head, identity, from, to, a.name, s, b.name, s, body, r.name, s)
		g.values = append(g.values, value{out, to, v.clean || !e.float})
	}
	combine(out, head, v.typ, t)
	if d == 0 && len(t.shape) == len(v.shape)-1 && len(t.shape) > 0 { // as of all elements of a tile
		combine(g.name(), fmt.Sprintf("reduce %s dim=0", out), t, t.shaped(t.shape[1:]...))
	}
}

// associative writes an operation on two integers that is associative and commutative, and returns what changes
// nothing.
func (g *gen) associative(a, b value) (r value, identity string) {
	t := a.typ
	switch g.r.IntN(4) {
	case 0: // (1 + a)(1 + b) - 1
		sum := g.binary("addi", a, b, true, "")
		return g.binary("addi", sum, g.binary("muli", a, b, true, ""), true, ""), "0"
	case 1:
		k := g.r.IntN(100)
		return g.binary("addi", g.binary("addi", a, b, true, ""), g.number(t, int64(k)), true, ""), fmt.Sprint(-k)
	case 2:
		k := g.r.IntN(100)
		return g.binary("xori", g.binary("xori", a, b, true, ""), g.number(t, int64(k)), true, ""), fmt.Sprint(k)
	}
	// the larger one of two, with its last bit flipped twice
	one := g.number(t, 1)
	x, y := g.binary("xori", a, one, true, ""), g.binary("xori", b, one, true, "")
	return g.binary("xori", g.binary("maxi", x, y, true, " signed"), one, true, ""), fmt.Sprint(a.elem.min() ^ 1)
}

// recurrence writes a scan of x -> a*x + b, the composition of which is associative but not commutative.
func (g *gen) recurrence(v value) {
	if len(v.shape) == 0 || v.elem.float || v.elem.width < 8 {
		return
	}
	w, d, s := g.value(v.typ), g.r.IntN(len(v.shape)), scalar(v.elem)
	n := g.name()
	var x [7]string
	for i := range x {
		x[i] = g.name()
	}
	g.line("%s:2 = scan %s, %s dim=%d reverse=%t identities=[1 : %s, 0 : %s] : %s, %s -> %s, %s (%s: %s, %s: %s, %s: %s, %s: %s) {", n, v.name, w.name, d, g.chance(2),
		v.elem.name, v.elem.name, v.typ, v.typ, v.typ, v.typ, x[0], s, x[1], s, x[2], s, x[3], s)
	g.line("%s = muli %s, %s : %s\n%s = muli %s, %s : %s", x[4], x[0], x[1], s, x[5], x[2], x[1], s)
	g.line("%s = addi %s, %s : %s\nyield %s, %s : %s, %s\n}", x[6], x[5], x[3], s, x[4], x[6], s, s)
	g.values = append(g.values, value{n + "#0", v.typ, true}, value{n + "#1", v.typ, true})
}

// extreme writes a reduction, or a scan, of two tiles: the largest integer along a dimension and the first place that
// has it.
func (g *gen) extreme(v value) {
	if len(v.shape) == 0 || v.elem.width < 8 || v.elem.float {
		return
	}
	e, d := v.elem, g.r.IntN(len(v.shape))
	at := g.count(v.of(i32))
	t := v.typ
	head, tail := "scan", fmt.Sprintf(" reverse=%t", g.chance(2))
	if g.chance(2) {
		head, tail = "reduce", ""
		t = v.shaped(append(append(shape{}, v.shape[:d]...), v.shape[d+1:]...)...)
	}
	n := g.name()
	var a [8]string
	for i := range a {
		a[i] = g.name()
	}
	s, b, k := scalar(e), scalar(i1), scalar(i32)
	g.line("%s:2 = %s %s, %s dim=%d%s identities=[%d : %s, %d : i32] : %s, %s -> %s, %s (%s: %s, %s: %s, %s: %s, %s: %s) {", n, head, v.name, at.name, d, tail,
		e.min(), e.name, i32.max(), v.typ, at.typ, t, t.of(i32), a[0], s, a[1], s, a[2], k, a[3], k)
	g.line("%s = cmpi greater_than %s, %s, signed : %s -> %s", a[4], a[0], a[1], s, b)
	g.line("%s = cmpi equal %s, %s, signed : %s -> %s", a[5], a[0], a[1], s, b)
	least, first, which := g.name(), g.name(), g.name()
	g.line("%s = cmpi less_than %s, %s, signed : %s -> %s", least, a[2], a[3], k, b)
	g.line("%s = andi %s, %s : %s", first, a[5], least, b)
	g.line("%s = ori %s, %s : %s", which, a[4], first, b)
	g.line("%s = select %s, %s, %s : %s, %s", a[6], which, a[0], a[1], b, s)
	g.line("%s = select %s, %s, %s : %s, %s", a[7], which, a[2], a[3], b, k)
	g.line("yield %s, %s : %s, %s\n}", a[6], a[7], s, k)
	g.values = append(g.values, value{n + "#0", t, true}, value{n + "#1", t.of(i32), true})
}
