package generate

import "fmt"

// product writes an MMA of small integers, whose sums are exact in every order; often in a loop that adds several
// up.
func (g *gen) product() {
	f := pick(g, []mmaTypes{{f16, f32}, {f16, f16}, {bf16, f32}, {f32, f32}, {f64, f64}, {i8, i32}, {tf32, f32}, {f8e4m3, f32}, {f8e5m2, f32}, {f8e4m3, f16}, {f8e5m2, f16}})
	if g.chance(8) {
		g.scaled()
		return
	}
	m, n, k := 8<<g.r.IntN(3), 8<<g.r.IntN(3), 8<<g.r.IntN(3)
	batch := shape{}
	if g.chance(5) {
		batch = shape{2}
	}
	with := func(a, b int) shape { return append(append(shape{}, batch...), a, b) }
	sum := typ{with(m, n), f.acc}
	acc := g.constantZero(sum)
	if g.chance(3) {
		acc = g.small(sum)
	}
	if g.chance(2) {
		g.multiply(g.small(typ{with(m, k), f.operand}), g.small(typ{with(k, n), f.operand}), acc)
		return
	}
	lower, step := g.number(scalar(i32), 0), g.number(scalar(i32), 1)
	upper := g.bound(scalar(i32))
	out, iv, arg := g.name(), g.name(), g.name()
	g.line("%s = for %s in (%s to %s, step %s) : tile<i32> iter_values(%s = %s) -> (%s) {", out, iv, lower.name, upper.name, step.name, arg, acc.name, sum)
	outer := g.enter()
	g.values = append(g.values, value{iv, scalar(i32), true})
	next := g.multiply(g.small(typ{with(m, k), f.operand}), g.small(typ{with(k, n), f.operand}), value{arg, sum, true})
	g.line("continue %s : %s\n}", next.name, sum)
	g.leave(outer)
	g.values = append(g.values, value{out, sum, true})
}

func (g *gen) constantZero(t typ) value {
	zero := "0"
	if t.elem.float {
		zero = "0.0"
	}
	return g.def(t, true, "constant <%s: %s> : %s", t.elem.name, zero, t)
}

// small makes a tile of small integers of any type.
func (g *gen) small(t typ) value {
	from := pick(g, integers)
	v := g.value(t.of(from))
	v = g.masked(v, 7)
	v = g.binary("subi", v, g.number(v.typ, 3), true, "")
	switch {
	case t.elem == tf32:
		f := t.of(f32)
		v = g.def(f, true, "itof %s signed : %s -> %s", v.name, v.typ, f)
		return g.def(t, true, "ftof %s : %s -> %s", v.name, f, t)
	case t.elem.float:
		return g.def(t, true, "itof %s signed : %s -> %s", v.name, v.typ, t)
	case from.width < t.elem.width:
		return g.def(t, true, "exti %s signed : %s -> %s", v.name, v.typ, t)
	case from.width > t.elem.width:
		return g.def(t, true, "trunci %s : %s -> %s", v.name, v.typ, t)
	}
	return v
}

func (g *gen) multiply(a, b, acc value) value {
	types := fmt.Sprintf("%s, %s, %s", a.typ, b.typ, acc.typ)
	if a.elem == i8 {
		return g.def(acc.typ, true, "mmai %s, %s, %s %s %s : %s", a.name, b.name, acc.name, g.sign(), g.sign(), types)
	}
	fast := ""
	if a.elem.width == 8 && g.chance(3) {
		fast = " fast_acc"
	}
	return g.def(acc.typ, true, "mmaf %s, %s, %s%s : %s", a.name, b.name, acc.name, fast, types)
}

// scaled writes a product whose factors are scaled in blocks.
func (g *gen) scaled() {
	const block = 32
	e := pick(g, []*elem{f8e4m3, f8e5m2})
	m, n, blocks := 8<<g.r.IntN(2), 8<<g.r.IntN(2), 1<<g.r.IntN(2)
	k := block * blocks
	acc := g.small(typ{shape{m, n}, f32})
	a, b := g.small(typ{shape{m, k}, e}), g.small(typ{shape{k, n}, e})
	as, bs := g.scale(typ{shape{m, blocks}, f8e8m0}), g.scale(typ{shape{blocks, n}, f8e8m0})
	g.def(acc.typ, true, "mmaf_scaled %s, %s, %s, %s, %s : %s, %s, %s, %s, %s", a.name, b.name, acc.name, as.name, bs.name, a.typ, b.typ, acc.typ, as.typ, bs.typ)
}

// scale makes powers of two from 1 to 8.
func (g *gen) scale(t typ) value {
	n := g.masked(g.value(t.of(i32)), 3)
	p := g.binary("shli", g.number(n.typ, 1), n, true, "")
	f := n.of(f32)
	v := g.def(f, true, "itof %s signed : %s -> %s", p.name, p.typ, f)
	return g.reformat(v, t.elem)
}
