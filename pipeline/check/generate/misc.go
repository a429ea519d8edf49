package generate

import "fmt"

// readTable reads elements of a global, which holds a constant.
func (g *gen) readTable() {
	e := pick(g, stored)
	n := 4 << g.r.IntN(3)
	name := fmt.Sprintf("@table%d", len(g.tables))
	alignment := ""
	if g.chance(3) {
		alignment = " alignment = 64"
	}
	g.tables = append(g.tables, fmt.Sprintf("global %s%s <%s: %s> : %s\n", name, alignment, e.name, g.nested(shape{n}, e), typ{shape{n}, e}))
	p, s := g.name(), pick(g, g.shapes)
	g.line("%s = get_global %s : %s", p, name, scalar(e).ptr())
	index := g.masked(g.indexSource(typ{s, i32}), int64(n-1))
	ptrs, t := g.address(p, e, index)
	v := value{g.name(), t, true}
	g.line("%s, %s = load_ptr_tko weak %s%s : %s -> %s, token", v.name, g.name(), ptrs, g.maybeToken("token="), t.ptr(), t)
	g.values = append(g.values, v)
}

// localMemory writes a tile to memory of the CTA and reads it in another order.
func (g *gen) localMemory() {
	v := g.value(typ{pick(g, g.shapes), pick(g, g.elems)})
	size := max(8, v.elem.width) / 8 * v.shape.size()
	if size > g.local {
		return
	}
	g.local -= size
	base := g.name()
	g.line("%s = alloca num_elem = %d, alignment = %d : %s", base, v.shape.size(), 8<<g.r.IntN(2), scalar(v.elem).ptr())
	to, t := g.address(base, v.elem, g.shuffled(v.of(i32)))
	before, after := g.advance()
	g.line("%s = store_ptr_tko weak %s, %s token=%s : %s, %s -> token", after, to, v.name, before, t.ptr(), t)
	from, _ := g.address(base, v.elem, g.shuffled(v.of(i32)))
	r := value{g.name(), t, v.clean}
	before, after = g.advance()
	g.line("%s, %s = load_ptr_tko weak %s token=%s : %s -> %s, token", r.name, after, from, before, t.ptr(), t)
	g.values = append(g.values, r)
}

// remark says what is known anyway, or prints.
func (g *gen) remark() {
	t := typ{pick(g, g.shapes), pick(g, integers)}
	switch g.r.IntN(5) {
	case 0:
		v := g.masked(g.value(t), 31)
		c := g.def(t.of(i1), true, "cmpi less_than_or_equal %s, %s, unsigned : %s -> %s", v.name, g.number(t, 31).name, t, t.of(i1))
		g.line("assert %s, \"is masked\" : %s", c.name, c.typ)
	case 1:
		v := g.binary("shli", g.value(t), g.number(t, 3), true, "")
		g.def(t, true, "assume div_by<8>, %s : %s", v.name, t)
	case 2:
		if t.elem = pick(g, append([]*elem{i1}, integers...)); len(t.shape) > 0 {
			v := g.splat(g.value(scalar(t.elem)), t.shape)
			g.def(t, true, "assume same_elements<[%s]>, %s : %s", commas(t.shape), v.name, t)
		}
	case 3:
		e := pick(g, stored)
		form := "%d"
		switch {
		case e.float:
			form = pick(g, []string{"%f", "%g", "%8.3e"})
		case e == i64:
			form = "%lld"
		}
		v := g.value(typ{pick(g, []shape{nil, {4}}), e})
		before, after := g.advance()
		g.line("%s = print_tko \"value %s\\0A\", %s token=%s : %s -> token", after, form, v.name, before, v.typ)
	case 4:
		v := g.iota(t)
		if v.shape.size() <= int(v.elem.max()) {
			v = g.binary("andi", v, g.number(t, 63), true, "")
			g.def(t, true, "assume bounded<0, ?>, %s : %s", v.name, t)
		}
	}
}

func commas(s shape) string { return fmt.Sprint(s[0]) + rest(s[1:]) }

func rest(s shape) (out string) {
	for _, n := range s {
		out += fmt.Sprintf(", %d", n)
	}
	return out
}

// fence orders what is in order already.
func (g *gen) fence() {
	before, after := g.advance()
	switch g.r.IntN(4) {
	case 0:
		g.line("%s = memory_fence_alias_tko %s", after, before)
	case 1:
		g.line("%s = gdc_wait_tko token = %s -> token", after, before)
	case 2:
		g.line("%s = gdc_launch_dependents_tko token = %s -> token", after, before)
	case 3:
		g.line("%s = join_tokens %%start, %s : token", after, before)
	}
}

// choosePointers reads from one or the other of two places each.
func (g *gen) choosePointers() {
	t := typ{pick(g, g.shapes), pick(g, g.elems)}
	g.inputs[t.elem] = true
	p, _ := g.address("%in_"+t.elem.name, t.elem, g.masked(g.indexSource(t.of(i32)), g.inputSize()-1))
	q, _ := g.address("%in_"+t.elem.name, t.elem, g.masked(g.indexSource(t.of(i64)), g.inputSize()-1))
	c, r := g.truthOf(t.shape), g.name()
	g.line("%s = select %s, %s, %s : %s, %s", r, c.name, p, q, c.typ, t.ptr())
	v := value{g.name(), t, true}
	g.line("%s, %s = load_ptr_tko weak %s%s : %s -> %s, token", v.name, g.name(), r, g.maybeToken("token="), t.ptr(), t)
	g.values = append(g.values, v)
}
