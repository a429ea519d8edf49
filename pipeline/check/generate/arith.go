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
	case t.elem == i1:
		g.truth(t)
	case t.elem.moved:
		g.move(t)
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

// move writes an operation on elements that arithmetic does not take.
func (g *gen) move(t typ) {
	if g.chance(3) {
		g.pickElements(t)
		return
	}
	g.convert(g.value(t))
}

func (g *gen) integer(t typ) value {
	if g.chance(8) {
		return g.promised(t)
	}
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

// promised writes an operation on integers that are small enough for what it promises.
func (g *gen) promised(t typ) value {
	small := func() value { return g.masked(g.value(t), 1<<max(0, t.elem.width/2-1)-1) }
	flag := " overflow<" + pick(g, []string{"no_signed_wrap", "no_unsigned_wrap", "no_wrap"}) + ">"
	signed := " overflow<no_signed_wrap>"
	switch g.r.IntN(5) {
	case 0:
		return g.binary("addi", small(), small(), true, flag)
	case 1:
		return g.binary("muli", small(), small(), true, flag)
	case 2:
		return g.binary("subi", small(), small(), true, signed)
	case 3:
		a := small()
		return g.def(t, true, "negi %s%s : %s", a.name, signed, t)
	}
	a := small()
	b := g.number(t, int64(min(1, t.elem.width-1)))
	return g.binary("shli", a, b, true, flag)
}

// masked keeps some of the bits of integers.
func (g *gen) masked(v value, mask int64) value {
	v = g.binary("andi", v, g.number(v.typ, mask), true, "")
	if g.chance(8) && v.elem != i1 { // what is known anyway
		return g.def(v.typ, true, "assume bounded<0, %d>, %s : %s", mask, v.name, v.typ)
	}
	return v
}

// divide writes a division whose divisor is not zero, and that does not overflow.
func (g *gen) divide(a, b value) value {
	by, bounded := g.divisor(b)
	return g.quotient(bounded(a), by)
}

// A divisor is not zero, and divides numbers as the sign says.
type divisor struct {
	b    value
	sign string
}

// divisor makes a divisor of a number, and says how to bound a dividend so that no quotient overflows.
func (g *gen) divisor(b value) (by divisor, bounded func(a value) value) {
	one := g.number(b.typ, 1)
	same := func(a value) value { return a }
	k := g.r.IntN(3)
	if b.elem == i1 { // the others would shift by too much
		k = 0
	}
	switch k {
	case 0:
		return divisor{g.binary("ori", b, one, true, ""), " unsigned"}, same
	case 1: // by a positive number
		return divisor{g.binary("ori", g.binary("shri", b, one, true, " unsigned"), one, true, ""), " signed"}, same
	}
	// Of a number that is not the smallest one.
	return divisor{g.binary("ori", b, one, true, ""), " signed"}, func(a value) value {
		return g.binary("shri", a, g.number(a.typ, 1), true, " signed")
	}
}

func (g *gen) quotient(a value, by divisor) value {
	if g.chance(3) {
		return g.binary("remi", a, by.b, true, by.sign)
	}
	rounding := pick(g, []string{"", "", " rounding<positive_inf>", " rounding<negative_inf>"})
	if by.sign == " unsigned" && rounding == " rounding<negative_inf>" { // is not allowed
		rounding = ""
	}
	return g.binary("divi", a, by.b, true, by.sign+rounding)
}

// compare writes a comparison of a value with another one.
func (g *gen) compare(a value) value {
	t := a.of(i1)
	if a.elem.moved {
		return g.compare(g.arithmetic(a))
	}
	b := g.value(a.typ)
	p := pick(g, []string{"equal", "not_equal", "less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal"})
	if a.elem.float {
		return g.def(t, true, "cmpf %s %s %s, %s : %s -> %s", p, pick(g, []string{"ordered", "unordered"}), a.name, b.name, a.typ, t)
	}
	return g.def(t, true, "cmpi %s %s, %s, %s : %s -> %s", p, a.name, b.name, g.sign(), a.typ, t)
}

// truth writes what yields truth values.
func (g *gen) truth(t typ) value {
	switch g.r.IntN(6) {
	case 0, 1, 2:
		return g.compare(g.value(t.of(pick(g, g.elems))))
	case 3:
		return g.integer(t)
	}
	return g.binary(pick(g, []string{"andi", "ori", "xori"}), g.value(t), g.value(t), true, "")
}

// pickElements writes a select.
func (g *gen) pickElements(t typ) value {
	c, a, b := g.value(t.of(i1)), g.value(t), g.value(t)
	return g.def(t, a.clean && b.clean, "select %s, %s, %s : %s, %s", c.name, a.name, b.name, c.typ, t)
}

// names spells values as operands.
func names(values []value) string {
	return strings.Join(spell(values, func(v value) string { return v.name }), ", ")
}
