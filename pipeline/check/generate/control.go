package generate

import (
	"fmt"
	"slices"
	"strings"
)

// A loop is what a break or a continue inside must know.
type loop struct {
	counts bool   // whether the first carried value is the counter, as in a loop; a for counts by itself
	next   string // what the counter is to become
	types  []typ  // of the other carried values, after which the token comes
}

// enter begins a region, and returns what leave takes to end it.
func (g *gen) enter() *scope {
	outer := g.scope
	inner := *outer
	inner.depth++
	inner.values = outer.values[:len(outer.values):len(outer.values)]
	g.scope = &inner
	return outer
}

func (g *gen) leave(outer *scope) { g.scope = outer }

// advance names the next token of the chain.
func (g *gen) advance() (before, after string) {
	before, g.token = g.token, g.name()
	return before, g.token
}

type weighted struct {
	weight int
	write  func(*gen)
}

// kinds lists the kinds of statements, each with how often it is to be: those without regions, and those with some.
func kinds() (plain, open []weighted) {
	return []weighted{
		{24, (*gen).arith}, {14, (*gen).reorder}, {2, (*gen).product}, {2, (*gen).stream}, {4, func(g *gen) { g.make(g.some()) }}, {6, (*gen).store}, {3, (*gen).atomic},
		{2, (*gen).elementary}, {1, (*gen).approximate}, {1, (*gen).pack}, {1, (*gen).readTable}, {1, (*gen).localMemory}, {2, (*gen).remark}, {1, (*gen).fence},
		{1, (*gen).choosePointers}, {3, (*gen).narrower}, {1, (*gen).divided},
	}, []weighted{{6, (*gen).ifs}, {2, (*gen).guard}, {4, (*gen).fors}, {3, (*gen).loops}}
}

// statements writes about n statements.
func (g *gen) statements(n int) {
	all, open := kinds()
	if g.depth < g.Depth {
		all = slices.Concat(all, open)
	}
	for range 1 + n/2 + g.r.IntN(n) {
		if g.budget--; g.budget < 0 {
			return
		}
		g.choose(all)
	}
}

// bound returns a number of iterations: a constant or what is only known when the kernel runs, perhaps zero.
func (g *gen) bound(t typ) value {
	if g.chance(2) {
		return g.number(t, int64(g.r.IntN(4)))
	}
	return g.masked(g.value(t), 3)
}

// condition is a truth value that the CTAs may differ in.
func (g *gen) condition() value { return g.value(scalar(i1)) }

// carried chooses what a loop or the arms of an if hand on.
func (g *gen) carried() (out []typ) {
	for range g.r.IntN(4) {
		t := g.some()
		if g.chance(6) {
			t.elem = i1
		}
		out = append(out, t)
	}
	return out
}

// valuesOf returns a value for each type.
func (g *gen) valuesOf(types []typ) (out []value) {
	for _, t := range types {
		out = append(out, g.value(t))
	}
	return out
}

// args spells operands: values and the token.
func (g *gen) args(values []value) string {
	return strings.Join(append(spell(values, func(v value) string { return v.name }), g.token), ", ")
}

// argTypes spells the types of values and of the token.
func argTypes(types []typ) string {
	return strings.Join(append(spell(types, typ.String), "token"), ", ")
}

// results puts the results of an operation in scope, the last of which is the token.
func (g *gen) results(name string, first int, types []typ) {
	for i, t := range types {
		g.values = append(g.values, value{fmt.Sprintf("%s#%d", name, first+i), t, !t.elem.float})
	}
	g.token = fmt.Sprintf("%s#%d", name, first+len(types))
}

func (g *gen) ifs() {
	cond, types, name := g.condition(), g.carried(), g.name()
	g.line("%s:%d = if %s -> (%s) {", name, len(types)+1, cond.name, argTypes(types))
	g.arm(types)
	g.line("} else {")
	g.arm(types)
	g.line("}")
	g.results(name, 0, types)
}

// arm writes a region of an if, which may leave the loop around or go on with the next iteration, or leave the kernel.
func (g *gen) arm(types []typ) {
	outer := g.enter()
	if !g.chance(4) {
		g.statements(4)
	}
	switch {
	case !g.chance(6):
		values := g.valuesOf(types)
		g.line("yield %s : %s", g.args(values), argTypes(types))
	case g.loop == nil:
		g.line("return")
	case g.loop.counts && g.chance(2):
		g.again("break", g.value(scalar(i32)).name)
	default:
		g.again("continue", g.loop.next)
	}
	g.leave(outer)
}

// again writes the end of an iteration. The counter counts in loops only.
func (g *gen) again(op, counter string) {
	values := g.valuesOf(g.loop.types)
	args, types := g.args(values), argTypes(g.loop.types)
	if g.loop.counts {
		args, types = counter+", "+args, "tile<i32>, "+types
	}
	g.line("%s %s : %s", op, args, types)
}

// carry spells the values that a loop starts with, and puts what carries them in scope of its body.
func (g *gen) carry(types []typ) (text string, bind func()) {
	values := g.valuesOf(types)
	var parts []string
	var inner []value
	for _, v := range values {
		arg := value{g.name(), v.typ, !v.elem.float}
		parts, inner = append(parts, arg.name+" = "+v.name), append(inner, arg)
	}
	token := g.name()
	parts = append(parts, token+" = "+g.token)
	return strings.Join(parts, ", "), func() {
		g.values = append(g.values, inner...)
		g.token = token
	}
}

// guard writes an if without results, which may do nothing but leave.
func (g *gen) guard() {
	cond, token := g.condition(), g.token
	g.line("if %s {", cond.name)
	outer := g.enter()
	for range g.r.IntN(3) {
		g.arith()
	}
	switch {
	case g.loop == nil && g.chance(3):
		g.line("return")
	case g.loop != nil && g.loop.counts && g.chance(2):
		g.again("break", g.value(scalar(i32)).name)
	case g.loop != nil && g.chance(2):
		g.again("continue", g.loop.next)
	}
	g.line("}")
	g.leave(outer)
	g.token = token
}

func (g *gen) fors() {
	types := g.carried()
	c := scalar(pick(g, []*elem{i32, i32, i64, i16, i8}))
	low, sign := int64(g.r.IntN(3)-1), ""
	if g.chance(4) {
		low, sign = max(low, 0), "unsigned "
	}
	lower, upper, step := g.number(c, low), g.bound(c), g.number(c, int64(1+g.r.IntN(2)))
	text, bind := g.carry(types)
	name, iv := g.name(), g.name()
	g.line("%s:%d = for %s%s in (%s to %s, step %s) : %s iter_values(%s) -> (%s) {", name, len(types)+1, sign, iv, lower.name, upper.name, step.name, c, text, argTypes(types))
	outer := g.enter()
	bind()
	g.values = append(g.values, value{iv, c, true})
	g.loop = &loop{types: types}
	g.inside()
	g.statements(5)
	g.again("continue", "")
	g.line("}")
	g.leave(outer)
	g.results(name, 0, types)
}

func (g *gen) loops() {
	types := g.carried()
	start, bound, one := g.number(scalar(i32), 0), g.bound(scalar(i32)), g.number(scalar(i32), 1)
	text, bind := g.carry(types)
	name, counter, done := g.name(), g.name(), g.name()
	all := "tile<i32>, " + argTypes(types)
	g.line("%s:%d = loop iter_values(%s = %s, %s) : %s -> %s {", name, len(types)+2, counter, start.name, text, all, all)
	outer := g.enter()
	bind()
	g.values = append(g.values, value{counter, scalar(i32), true})
	g.line("%s = cmpi greater_than_or_equal %s, %s, signed : tile<i32> -> tile<i1>", done, counter, bound.name)
	g.loop = &loop{counts: true, types: types}
	g.line("if %s {", done)
	body := g.enter()
	g.again("break", counter)
	g.leave(body)
	g.line("}")
	next := g.binary("addi", value{counter, scalar(i32), true}, one, true, "")
	g.loop.next = next.name
	g.inside()
	g.statements(5)
	g.again("continue", next.name)
	g.line("}")
	g.leave(outer)
	g.values = append(g.values, value{name + "#0", scalar(i32), true})
	g.results(name, 1, types)
}
