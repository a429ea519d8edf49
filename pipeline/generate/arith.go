package generate

import "strings"

func (g *gen) sign() string { return pick(g, []string{"signed", "unsigned"}) }

// arith writes an operation on elements.
func (g *gen) arith() {
	t := g.some()
	switch {
	case g.chance(8):
		g.truth(t.of(i1))
	case g.chance(6):
		g.pickElements(t)
	case g.chance(5):
		g.convert(g.value(t))
	case t.elem.float:
		g.float(t)
	default:
		g.integer(t)
	}
}

// binary writes an operation of two operands and a result of the same type.
func (g *gen) binary(op string, a, b value, clean bool, rest string) value {
	return g.def(a.typ, clean, "%s %s, %s%s : %s", op, a.name, b.name, rest, a.typ)
}

func (g *gen) unary(op string, a value, clean bool) value {
	return g.def(a.typ, clean, "%s %s : %s", op, a.name, a.typ)
}

func (g *gen) integer(t typ) value {
	a := g.value(t)
	switch k := g.r.IntN(16); k {
	case 0:
		return g.unary("negi", a, true)
	case 1:
		return g.unary("absi", a, true)
	case 2:
		return g.binary("shli", a, g.masked(g.value(t), int64(t.elem.width-1)), true, "")
	case 3:
		return g.binary("shri", a, g.masked(g.value(t), int64(t.elem.width-1)), true, " "+g.sign())
	case 4, 5:
		return g.divide(a, g.value(t))
	case 6, 7:
		return g.binary(pick(g, []string{"mini", "maxi"}), a, g.value(t), true, " "+g.sign())
	case 8:
		return g.binary("mulhii", a, g.value(t), true, "")
	default:
		return g.binary(pick(g, []string{"addi", "subi", "muli", "andi", "ori", "xori"}), a, g.value(t), true, "")
	}
}

// masked keeps some of the bits of integers.
func (g *gen) masked(v value, mask int64) value {
	v = g.binary("andi", v, g.number(v.typ, mask), true, "")
	if g.chance(8) { // what is known anyway
		return g.def(v.typ, true, "assume bounded<0, %d>, %s : %s", mask, v.name, v.typ)
	}
	return v
}

// divide writes a division whose divisor is not zero, and that does not overflow.
func (g *gen) divide(a, b value) value {
	one := g.number(a.typ, 1)
	var sign string
	switch g.r.IntN(3) {
	case 0:
		sign = " unsigned"
		b = g.binary("ori", b, one, true, "")
	case 1: // by a positive number
		sign = " signed"
		b = g.binary("ori", g.binary("shri", b, one, true, " unsigned"), one, true, "")
	case 2: // of a number that is not the smallest one
		sign = " signed"
		a = g.binary("shri", a, one, true, " signed")
		b = g.binary("ori", b, one, true, "")
	}
	if g.chance(3) {
		return g.binary("remi", a, b, true, sign)
	}
	rounding := pick(g, []string{"", "", " rounding<positive_inf>", " rounding<negative_inf>"})
	if sign == " unsigned" && rounding == " rounding<negative_inf>" { // is not allowed
		rounding = ""
	}
	return g.binary("divi", a, b, true, sign+rounding)
}

func (g *gen) float(t typ) value {
	a := g.value(t)
	switch k := g.r.IntN(14); k {
	case 0:
		return g.unary("negf", a, a.clean)
	case 1:
		return g.unary("absf", a, a.clean)
	case 2:
		return g.unary(pick(g, []string{"floor", "ceil"}), a, a.clean)
	case 3:
		return g.unary("sqrt", a, false)
	case 4, 5:
		b := g.value(t)
		if g.chance(3) {
			return g.binary(pick(g, []string{"minf", "maxf"}), a, b, a.clean && b.clean, " propagate_nan")
		}
		return g.binary(pick(g, []string{"minf", "maxf"}), a, b, a.clean || b.clean, "")
	case 6, 7:
		b, c := g.value(t), g.value(t)
		return g.def(t, false, "fma %s, %s, %s%s : %s", a.name, b.name, c.name, g.rounding(t.elem), t)
	case 8:
		return g.binary("divf", a, g.value(t), false, g.rounding(t.elem))
	default:
		return g.binary(pick(g, []string{"addf", "subf", "mulf"}), a, g.value(t), false, g.rounding(t.elem))
	}
}

// rounding is the clause of a rounding mode, mostly none.
func (g *gen) rounding(e *elem) string {
	if e.width < 32 || !g.chance(8) {
		return ""
	}
	return " rounding<" + pick(g, []string{"zero", "negative_inf", "positive_inf"}) + ">"
}

// compare writes a comparison of a value with another one.
func (g *gen) compare(a value) value {
	t := a.of(i1)
	b := g.value(a.typ)
	p := pick(g, []string{"equal", "not_equal", "less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal"})
	switch {
	case a.elem == i1:
		return g.binary("xori", a, b, true, "")
	case a.elem.float:
		return g.def(t, true, "cmpf %s %s %s, %s : %s -> %s", p, pick(g, []string{"ordered", "unordered"}), a.name, b.name, a.typ, t)
	}
	return g.def(t, true, "cmpi %s %s, %s, %s : %s -> %s", p, a.name, b.name, g.sign(), a.typ, t)
}

// truth writes what yields truth values.
func (g *gen) truth(t typ) value {
	if g.chance(2) {
		return g.compare(g.value(t.of(pick(g, g.elems))))
	}
	return g.binary(pick(g, []string{"andi", "ori", "xori"}), g.value(t), g.value(t), true, "")
}

// pickElements writes a select.
func (g *gen) pickElements(t typ) value {
	c, a, b := g.value(t.of(i1)), g.value(t), g.value(t)
	return g.def(t, a.clean && b.clean, "select %s, %s, %s : %s, %s", c.name, a.name, b.name, c.typ, t)
}

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
	case from.width == to.width && v.clean && g.chance(3):
		return cast(false, "bitcast", "")
	case from.float && to.float:
		return cast(v.clean, "ftof", "")
	case from.float:
		return g.truncate(v, to)
	case to.float:
		return cast(true, "itof", " "+g.sign())
	case from.width < to.width:
		return cast(true, "exti", " "+g.sign())
	default:
		return cast(true, "trunci", "")
	}
}

// truncate converts floats to integers, which it first makes fit.
func (g *gen) truncate(v value, to *elem) value {
	sign := g.sign()
	low := "-100.0"
	if sign == "unsigned" {
		low = "0.0"
	}
	limit := func(s string) value {
		return g.def(v.typ, true, "constant <%s: %s> : %s", v.elem.name, s, v.typ)
	}
	v = g.binary("maxf", v, limit(low), true, "")
	v = g.binary("minf", v, limit("120.0"), true, "")
	t := v.of(to)
	return g.def(t, true, "ftoi %s %s : %s -> %s", v.name, sign, v.typ, t)
}

// names spells values as operands.
func names(values []value) string {
	return strings.Join(spell(values, func(v value) string { return v.name }), ", ")
}
