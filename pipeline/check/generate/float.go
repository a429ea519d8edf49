package generate

func (g *gen) float(t typ) value {
	a := g.value(t)
	switch k := g.r.IntN(15); k {
	case 0:
		return g.unary("negf", a, a.clean)
	case 1:
		return g.unary("absf", a, a.clean)
	case 2:
		return g.unary(pick(g, []string{"floor", "ceil"}), a, a.clean)
	case 3:
		return g.def(t, false, "sqrt %s%s : %s", a.name, g.rounding(t.elem), t)
	case 4, 5:
		b := g.value(t)
		if g.chance(3) {
			return g.binary(pick(g, []string{"minf", "maxf"}), a, b, a.clean && b.clean, g.flush(t.elem)+" propagate_nan")
		}
		return g.binary(pick(g, []string{"minf", "maxf"}), a, b, a.clean || b.clean, g.flush(t.elem))
	case 6, 7:
		b, c := g.value(t), g.value(t)
		return g.def(t, false, "fma %s, %s, %s%s : %s", a.name, b.name, c.name, g.rounding(t.elem), t)
	case 8:
		return g.binary("divf", a, g.value(t), false, g.rounding(t.elem))
	case 9:
		return g.binary("remf", a, g.value(t), false, "")
	default:
		return g.binary(pick(g, []string{"addf", "subf", "mulf"}), a, g.value(t), false, g.rounding(t.elem))
	}
}

// rounding is the clause of a rounding mode, mostly none, and of what becomes of subnormal numbers.
func (g *gen) rounding(e *elem) string {
	if e.width < 32 || !g.chance(8) {
		return g.flush(e)
	}
	return " rounding<" + pick(g, []string{"zero", "negative_inf", "positive_inf"}) + ">" + g.flush(e)
}

func (g *gen) flush(e *elem) string {
	if e != f32 || !g.chance(8) {
		return ""
	}
	return " flush_to_zero"
}

// An elementary is a function that engines compute with different errors.
type elementary struct {
	op       string
	operands int
}

var elementaries = []elementary{{"exp", 1}, {"exp2", 1}, {"log", 1}, {"log2", 1}, {"sin", 1}, {"cos", 1}, {"tan", 1}, {"sinh", 1}, {"cosh", 1}, {"tanh", 1},
	{"rsqrt", 1}, {"atan2", 2}, {"fpowf", 2}}

// elementary stores what a function gives, or shows it in another order, among the outputs that need not be the same
// bit for bit.
func (g *gen) elementary() {
	t := typ{pick(g, g.shapes), pick(g, floats)}
	a := g.value(t)
	if g.chance(10) {
		n := g.value(t.of(pick(g, []*elem{i8, i16, i32, i1})))
		if n.elem != i1 {
			n = g.masked(n, 7)
		}
		g.display(near, g.hidden(t, "fpowi %s, %s : %s, %s", a.name, n.name, t, n.typ))
		return
	}
	f := pick(g, elementaries)
	args := a.name
	if f.operands == 2 {
		args += ", " + g.value(t).name
	}
	rest := ""
	switch {
	case (f.op == "exp" || f.op == "tanh") && g.chance(3):
		rest = " rounding<full>"
	}
	g.display(near, g.hidden(t, "%s %s%s : %s", f.op, args, rest, t))
}

// approximate stores what an operation gives that is asked to be approximate, for ordinary numbers.
func (g *gen) approximate() {
	t := typ{pick(g, g.shapes), f32}
	v := g.ordinary(t)
	switch g.r.IntN(6) {
	case 0:
		v = g.hidden(t, "divf %s, %s rounding<%s> : %s", v.name, g.ordinary(t).name, pick(g, []string{"approx", "full"}), t)
	case 1:
		v = g.hidden(t, "sqrt %s rounding<approx>%s : %s", v.name, g.flush(f32), t)
	case 2:
		v = g.hidden(t, "%s %s flush_to_zero : %s", pick(g, []string{"exp2", "rsqrt"}), v.name, t)
	case 3:
		v = g.hidden(t, "divf %s, %s rounding<approx> flush_to_zero : %s", v.name, g.ordinary(t).name, t)
	default:
		v = g.hidden(t, "%s %s rounding<approx> : %s", pick(g, []string{"exp", "tanh"}), v.name, t)
	}
	g.display(rough, v)
}

// ordinary makes numbers from 1/8 to 16.
func (g *gen) ordinary(t typ) value {
	n := g.masked(g.value(t.of(i32)), 127)
	n = g.binary("addi", n, g.number(n.typ, 1), true, "")
	v := g.def(t, true, "itof %s unsigned : %s -> %s", n.name, n.typ, t)
	return g.binary("mulf", v, g.def(t, true, "constant <%s: 0.125> : %s", t.elem.name, t), true, "")
}

// hidden is def for a value that nothing else may use.
func (g *gen) hidden(t typ, format string, args ...any) value {
	v := g.def(t, false, format, args...)
	g.values = g.values[:len(g.values)-1]
	return v
}

// display stores a value that may have an error, some of its elements perhaps and in another order.
func (g *gen) display(c class, v value) {
	outer := g.values
	g.values = g.values[:len(outer):len(outer)]
	switch {
	case len(v.shape) == 0:
	case g.chance(4):
		v = g.reshape(v, g.sameSize(v.shape.size()))
	case g.chance(4):
		v = g.extract(v, g.smaller(v.shape))
	case len(v.shape) > 1 && g.chance(3):
		v = g.permute(v)
	}
	g.values = outer
	g.storeTo(c, v)
}
