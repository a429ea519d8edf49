package generate

// loopStatements lists the statements of which a kernel with Options.Loops has one at least, each with how often it
// is to be.
func loopStatements() []weighted {
	return []weighted{{8, (*gen).stream}, {5, (*gen).fors}, {3, (*gen).loops}, {3, (*gen).divided}}
}

// choose writes one statement of a list.
func (g *gen) choose(all []weighted) {
	total := 0
	for _, k := range all {
		total += k.weight
	}
	at := g.r.IntN(total)
	for _, k := range all {
		if at -= k.weight; at < 0 {
			k.write(g)
			return
		}
	}
}

// inside writes what a loop has before its other statements: with Options.Loops, often another loop that loads as
// it goes.
func (g *gen) inside() {
	if g.Loops && g.depth < g.Depth && g.chance(2) {
		g.choose([]weighted{{3, (*gen).stream}, {1, (*gen).divided}})
	}
}

// divided writes a loop that divides, by a number that does not change in it, what it carries and its counter.
func (g *gen) divided() {
	e := pick(g, []*elem{i32, i32, i64, i16, i8})
	t := typ{pick(g, g.shapes), e}
	by, bounded := g.divisor(g.value(scalar(e)))
	by.b = g.splat(by.b, t.shape)
	s := &streamed{gen: g, counter: scalar(e)}
	if e == i8 || e == i16 {
		s.counter = scalar(i32)
	}
	s.begin(g.value(t))
	x := s.args[0]
	for range 1 + g.r.IntN(3) {
		of := x
		if s.counter.elem == e && g.chance(2) {
			of = g.binary("addi", x, g.splat(s.iv, t.shape), true, "")
		}
		x = g.binary(pick(g, []string{"addi", "xori", "subi"}), x, g.quotient(bounded(of), by), true, "")
	}
	s.end(x)
}
