package generate

import (
	"fmt"
	"strings"
)

// mostTurns is how often loops over an input run.
const mostTurns = 7

// stream writes a loop as real kernels have them. It loads a tile in each iteration, from a place that the counter
// alone decides, and multiplies it or adds it up. Loop schedulers prefetch such loads. So it matters what the prologue
// and the last iterations do.
func (g *gen) stream() {
	s := &streamed{gen: g, counter: scalar(pick(g, []*elem{i32, i32, i32, i64}))}
	switch g.r.IntN(4) {
	case 0:
		s.sums()
	case 1:
		s.twice()
	default:
		s.products()
	}
}

// A streamed is such a loop in the making.
type streamed struct {
	*gen
	counter typ
	iv      value
	carried []value // with what they start
	args    []value // in the body
	results []string
	outer   *scope
}

// begin writes the head of the loop.
func (s *streamed) begin(carried ...value) {
	g := s.gen
	low := int64(g.r.IntN(3))
	lower, step, sign := g.number(s.counter, low), g.number(s.counter, int64(1+g.r.IntN(3))), ""
	upper := g.number(s.counter, int64(g.r.IntN(mostTurns+1)))
	if g.chance(2) {
		upper = g.masked(g.value(s.counter), mostTurns)
	}
	if g.chance(4) {
		sign = "unsigned "
	}
	var init []string
	for _, v := range carried {
		a := value{g.name(), v.typ, true}
		s.args, init = append(s.args, a), append(init, a.name+" = "+v.name)
	}
	s.carried, s.iv = carried, value{g.name(), s.counter, true}
	name := g.name()
	for i := range carried {
		s.results = append(s.results, fmt.Sprintf("%s#%d", name, i))
	}
	g.line("%s:%d = for %s%s in (%s to %s, step %s) : %s iter_values(%s) -> (%s) {", name, len(carried), sign, s.iv.name, lower.name, upper.name, step.name, s.counter,
		strings.Join(init, ", "), strings.Join(spell(carried, func(v value) string { return v.typ.String() }), ", "))
	s.outer = g.enter()
	g.values = append(g.values, s.iv)
}

// end writes the end of the loop, given what the next iteration gets.
func (s *streamed) end(next ...value) {
	s.line("continue %s : %s\n}", names(next), strings.Join(spell(next, func(v value) string { return v.typ.String() }), ", "))
	s.leave(s.outer)
	for i, v := range s.carried {
		s.values = append(s.values, value{s.results[i], v.typ, true})
	}
}

// view makes a view of small integers in which tiles follow each other along a dimension.
func (s *streamed) view(t typ, along int) (view, viewType string) {
	g, e := s.gen, t.elem
	g.few[e] = true
	dims := append(shape{}, t.shape...)
	dims[along] *= mostTurns
	if g.chance(3) { // the last tile reaches over the edge
		dims[along] -= g.r.IntN(t.shape[along])
	}
	if g.Products {
		g.cut(dims, t.shape, along)
	}
	base := "%few_" + e.name
	if !g.chance(4) {
		base = g.name()
		g.line("%s = assume div_by<16>, %%few_%s : %s", base, e.name, scalar(e).ptr())
	}
	dimMap := ""
	if len(dims) == 2 && g.chance(3) { // as it is for a transposed operand
		dims[0], dims[1] = dims[1], dims[0]
		dimMap = ", dim_map=[1, 0]"
	}
	strides := dense(dims)
	tv, tt := g.tensorView(base, e, dims, strides)
	view = g.name()
	viewType = fmt.Sprintf("partition_view<tile=(%s), padding_value = zero, %s%s>", t.shape, tt, dimMap)
	g.line("%s = make_partition_view %s : %s", view, tv, viewType)
	return view, viewType
}

// load loads the tile of this iteration.
func (s *streamed) load(t typ, view, viewType string, along int) value {
	g := s.gen
	var at []value
	for range t.shape {
		at = append(at, g.number(s.counter, 0))
	}
	at[along] = s.iv
	v := value{g.name(), t, true}
	g.line("%s, %s = load_view_tko weak %s[%s] : %s, %s -> %s, token", v.name, g.name(), view, names(at), viewType, s.counter, t)
	g.values = append(g.values, v)
	return v
}

// side is an extent of an operand. Copies to shared memory are profitable for the larger ones.
func (s *streamed) side() int {
	if s.Loops {
		return 16 << s.r.IntN(3)
	}
	return 16 << s.r.IntN(2)
}

// sides returns the sides of a product, and of the batch that it is of.
func (s *streamed) sides() (batch shape, m, n, k int) {
	if s.Products {
		return s.largeSides()
	}
	return nil, s.side(), s.side(), s.side()
}

// mmaTypes are the element types of the operands and of the accumulator of an MMA.
type mmaTypes struct{ operand, acc *elem }

func (s *streamed) forms() []mmaTypes {
	if s.Products {
		return largeTypes
	}
	return []mmaTypes{{f16, f32}, {f16, f32}, {bf16, f32}, {i8, i32}, {f32, f32}, {f8e4m3, f32}, {f64, f64}}
}

// products adds up MMAs of tiles of two inputs, or of one input and another value.
func (s *streamed) products() {
	g := s.gen
	f := pick(g, s.forms())
	batch, m, n, k := s.sides()
	with := func(rows, columns int) shape { return append(append(shape{}, batch...), rows, columns) }
	a, b, sum := typ{with(m, k), f.operand}, typ{with(k, n), f.operand}, typ{with(m, n), f.acc}
	last := len(batch) + 1
	repeated := b
	if g.Products && len(batch) > 0 && (m+n+k)/16%2 == 0 { // no draw of its own, so that kernels of seeds stay what they are
		b = b.shaped(k, n)
	}
	from := b
	converted := f.operand == f16 && g.chance(3)
	if converted { // through registers
		from = b.of(i8)
	}
	if f.operand == tf32 {
		a, from = a.of(f32), b.of(f32)
	}
	va, ta := s.view(a, last)
	vb, tb := s.view(from, len(from.shape)-2)
	carried := []value{g.constantZero(sum)}
	late := g.chance(3) // what one iteration loads, the next one multiplies
	if late {
		carried = append(carried, g.small(a))
	}
	var around *streamed
	if (m+2*n+k)/16%4 == 0 { // no draw of its own, so that other kernels of seeds stay what they are
		around = &streamed{gen: g, counter: s.counter}
		around.begin(carried...)
		carried = around.args
	}
	s.begin(carried...)
	if around != nil {
		s.iv = g.binary("mini", g.binary("addi", s.iv, around.iv, true, ""), g.number(s.counter, mostTurns-1), true, " signed")
	}
	x := s.load(a, va, ta, last)
	y := s.load(from, vb, tb, len(from.shape)-2)
	if f.operand == tf32 {
		y = g.def(b, true, "ftof %s : %s -> %s", y.name, from, b)
	}
	if converted {
		y = g.def(b, true, "itof %s signed : %s -> %s", y.name, from, b)
	}
	if len(b.shape) < len(repeated.shape) { // one for all of the batch
		one := repeated.shaped(1, k, n)
		y = g.def(one, true, "reshape %s : %s -> %s", y.name, b, one)
		y = g.def(repeated, true, "broadcast %s : %s -> %s", y.name, one, repeated)
	}
	left := x
	if late {
		left = s.args[1]
	}
	factor := left
	if f.operand == tf32 {
		factor = g.def(a.of(tf32), true, "ftof %s : %s -> %s", left.name, a, a.of(tf32))
	}
	next := []value{g.multiply(factor, y, s.args[0])}
	if late {
		next = append(next, x)
	}
	s.end(next...)
	if around != nil {
		around.end(g.values[len(g.values)-len(next):]...)
		s.carried, s.results = around.carried, around.results
	}
}

// twice multiplies what a product yields, with arithmetic in between that carries a value, as attention does.
func (s *streamed) twice() { s.attend(func() value { return s.iv }) }

// attend is twice with tiles at the place that at returns in the loop.
func (s *streamed) attend(at func() value) {
	g := s.gen
	f := pick(g, []*elem{f16, bf16})
	_, m, n, k := s.sides()
	q, b, c := typ{shape{m, k}, f}, typ{shape{k, n}, f}, typ{shape{n, k}, f}
	score, sum := typ{shape{m, n}, f32}, typ{shape{m, k}, f32}
	left := g.small(q)
	if g.Products && g.chance(2) { // as a query is, before the loop
		left = s.early(q)
	}
	vb, tb := s.view(b, 1)
	vc, tc := s.view(c, 0)
	none, high, low := g.constantZero(score), g.number(score.of(i32), 8), g.number(score.of(i32), -8)
	up, down := g.def(score, true, "itof %s signed : %s -> %s", high.name, high.typ, score), g.def(score, true, "itof %s signed : %s -> %s", low.name, low.typ, score)
	s.begin(g.constantZero(sum), down)
	iv := s.iv
	s.iv = at()
	p := g.multiply(left, s.load(b, vb, tb, 1), none)
	p = g.binary("minf", p, up, true, "") // small enough for all that follows to be exact
	p = g.binary("maxf", p, s.args[1], true, "")
	most := g.binary("minf", p, none, true, "")
	r := g.def(score.of(f), true, "ftof %s : %s -> %s", p.name, score, score.of(f))
	before := s.args[0]
	if g.Products && s.counter.elem == i32 && (m+n+k)/16%2 == 0 { // no draw of its own, so that kernels of seeds stay what they are
		before = s.turned(before, (m+n)/16%2 == 0)
	}
	v := s.load(c, vc, tc, 0)
	s.iv = iv
	s.end(g.multiply(r, v, before), most)
}

// turned changes the sign of some rows of an accumulator in some iterations, as attention scales them: all rows of
// groups of 32, which warps have, or every other row. Each iteration leaves some rows unchanged.
func (s *streamed) turned(v value, groups bool) value {
	g, m := s.gen, v.typ.shape[0]
	rows := typ{shape{m}, i32}
	row := g.def(rows, true, "iota : %s", rows)
	if groups {
		row = g.binary("shri", row, g.number(rows, 5), true, " unsigned")
	}
	one := g.def(typ{shape{1}, i32}, true, "reshape %s : %s -> %s", s.iv.name, s.counter, typ{shape{1}, i32})
	turn := g.def(rows, true, "broadcast %s : %s -> %s", one.name, one.typ, rows)
	odd := g.binary("andi", g.binary("andi", row, turn, true, ""), g.number(rows, 1), true, "")
	sign := g.binary("subi", g.number(rows, 1), g.binary("addi", odd, odd, true, ""), true, "")
	factor := g.def(rows.of(f32), true, "itof %s signed : %s -> %s", sign.name, rows, rows.of(f32))
	column := typ{shape{m, 1}, f32}
	factor = g.def(column, true, "reshape %s : %s -> %s", factor.name, factor.typ, column)
	factor = g.def(v.typ, true, "broadcast %s : %s -> %s", factor.name, column, v.typ)
	return g.binary("mulf", v, factor, true, " rounding<nearest_even>")
}

// sums adds tiles of integers up, in an order that shows.
func (s *streamed) sums() {
	g := s.gen
	e := pick(g, []*elem{i32, i32, i64, i8})
	t := typ{shape{1 << g.r.IntN(3), 64 << g.r.IntN(3)}, e}
	view, viewType := s.view(t, 0)
	three := g.number(t, 3)
	s.begin(g.value(t), g.number(t, 1))
	x := s.load(t, view, viewType, 0)
	v := g.binary("muli", s.args[0], three, true, "")
	v = g.binary("addi", v, s.args[1], true, "")
	s.end(g.binary("addi", v, x, true, ""), x)
}
