package generate

// convert writes a conversion of a value to some other type.
func (g *gen) convert(v value) value {
	to := pick(g, append(stored[:len(stored):len(stored)], g.elems...))
	return g.convertTo(v, to)
}

func (g *gen) convertTo(v value, to *elem) value {
	t, from := v.of(to), v.elem
	cast := func(clean bool, op, rest string) value {
		return g.def(t, clean, "%s %s%s : %s -> %s", op, v.name, rest, v.typ, t)
	}
	switch {
	case from == to:
		return v
	case from.width == to.width && v.clean && from != tf32 && to != tf32 && g.chance(3):
		return cast(false, "bitcast", "")
	case from.float && to.float:
		return g.reformat(v, to)
	case from.float:
		return g.truncate(v, to)
	case to == f8e8m0:
		return g.convertTo(g.convertTo(v, f32), to)
	case to.float:
		return cast(true, "itof", " "+g.sign())
	case from.width < to.width:
		return cast(true, "exti", " "+g.sign())
	case to.width > 1 && g.chance(4):
		v = g.masked(v, to.max())
		return cast(true, "trunci", " overflow<no_wrap>")
	default:
		return cast(true, "trunci", "")
	}
}

// arithmetic converts to a type that arithmetic takes, and which holds all numbers.
func (g *gen) arithmetic(v value) value {
	if v.elem.moved {
		return g.reformat(v, f32)
	}
	return v
}

// reformat converts a float to another format.
func (g *gen) reformat(v value, to *elem) value {
	rounding, clean := "", v.clean
	switch to {
	case f8e8m0: // has powers of two only
		v = g.limit(g.unary("absf", g.arithmetic(v), v.clean), "0.0078125", "1024.0")
		rounding = " rounding<" + pick(g, []string{"zero", "positive_inf"}) + ">"
	case f8e4m3: // has no infinity
		v = g.limit(g.arithmetic(v), "-448.0", "448.0")
	case tf32:
		if v.elem == f32 && g.chance(3) {
			rounding = " rounding<" + pick(g, []string{"zero", "nearest_away"}) + ">"
		}
	default:
		if v.elem.width > to.width && v.elem != tf32 && to.width > 8 && g.chance(6) {
			rounding = " rounding<zero>"
		}
	}
	if v.elem == to {
		return v
	}
	t := v.of(to)
	return g.def(t, clean || to.width <= 8 && to != f8e5m2, "ftof %s%s : %s -> %s", v.name, rounding, v.typ, t)
}

// limit makes numbers of an arithmetic type lie between two, and of a NaN the lower one.
func (g *gen) limit(v value, low, high string) value {
	bound := func(s string) value { return g.def(v.typ, true, "constant <%s: %s> : %s", v.elem.name, s, v.typ) }
	v = g.binary("maxf", v, bound(low), true, "")
	return g.binary("minf", v, bound(high), true, "")
}

// truncate converts floats to integers, which it first makes fit, unless the operation is to do that.
func (g *gen) truncate(v value, to *elem) value {
	sign, rest := g.sign(), ""
	if v.elem.moved || g.chance(4) {
		rest = " saturating"
	} else {
		low, high := "-100.0", "120.0"
		switch {
		case to == i1 && sign == "unsigned":
			low, high = "0.0", "1.0"
		case to == i1:
			low, high = "-1.0", "0.0"
		case sign == "unsigned":
			low = "0.0"
		}
		v = g.limit(v, low, high)
	}
	t := v.of(to)
	return g.def(t, true, "ftoi %s %s%s : %s -> %s", v.name, sign, rest, v.typ, t)
}

// pack changes the width of elements without changing the bytes.
func (g *gen) pack() {
	t := typ{shape{16 << g.r.IntN(3)}, pick(g, stored)}
	if t.elem == i1 || t.elem == i8 {
		return
	}
	v := g.value(t)
	if !v.clean {
		v = g.make(t)
	}
	if t.elem.width == 8 || !v.clean { // has the width already, or bits that may differ
		return
	}
	bytes := typ{shape{t.shape[0] * t.elem.width / 8}, i8}
	p := g.def(bytes, true, "pack %s : %s -> %s", v.name, t, bytes)
	to := pick(g, stored)
	if to.width == 8 || to == i1 || to == tf32 {
		to = t.elem
	}
	u := typ{shape{bytes.shape[0] * 8 / to.width}, to}
	if to != tf32 || t.elem == tf32 {
		g.def(u, to == t.elem, "unpack %s : %s -> %s", p.name, bytes, u)
	}
}
