package sweep

import (
	"fmt"
	"math/rand/v2"
)

func tileK(k int) string { return fmt.Sprint(k) }

// An attention has queries of one head in rows, and loops over keys.
type attention struct {
	elem          string
	queries, keys int // of a tile
	head          int
	rope          int  // elements of a second part of the head that V lacks, as latent attention has; 0: none
	shared        bool // V is K, as latent attention has it
	causal, lse   bool
	paged         bool // a table tells where the keys of an iteration are
	static        bool
	hints         hints
}

func drawAttention(r *rand.Rand) *attention {
	a := &attention{elem: pick(r, "f16", "bf16", "bf16", "f8E4M3FN"), queries: pick(r, sizes...), keys: pick(r, sizes...), head: pick(r, 32, 64, 128, 128, 256), causal: chance(r, 2),
		lse: chance(r, 2), paged: chance(r, 3), static: chance(r, 4), hints: drawHints(r)}
	if chance(r, 6) {
		a.head, a.rope, a.shared, a.queries, a.causal = 512, 64, true, pick(r, 16, 32, 64, 128), false
	}
	return a
}

func (a *attention) kernel() Kernel {
	s := begin(a.hints, a.static)
	m, n, d := a.queries, a.keys, a.head
	q := s.view(a.elem, false, 1, m, d)
	k := s.view(a.elem, true, 1, d, n)
	v := k
	v = s.view(a.elem, false, 1, n, d)
	var qr, kr view
	if a.rope > 0 {
		qr, kr = s.view(a.elem, false, 1, m, a.rope), s.view(a.elem, true, 1, a.rope, n)
	}
	out := s.view(a.elem, false, 1, m, d)
	scale := s.param("f32")
	column, scores, sum := tile("f32", m, 1), tile("f32", m, n), tile("f32", m, d)
	query := s.reshaped(s.load(q, "%by", "%bx", "%c0"), a.elem, []int{1, m, d}, []int{m, d})
	var queryRope string
	if a.rope > 0 {
		queryRope = s.reshaped(s.load(qr, "%by", "%bx", "%c0"), a.elem, []int{1, m, a.rope}, []int{m, a.rope})
	}
	s.line("%%least = constant <f32: 0xFF800000> : %s\n%%none = constant <f32: 0.0> : %s\n%%zero = constant <f32: 0.0> : %s\n%%noscores = constant <f32: 0.0> : %s", column, column, sum, scores)
	wide, narrow := s.spread(scale, "f32", m, n), s.spread(scale, "f32", m, 1)
	end := s.size()
	var table view
	if a.paged {
		table = s.view("i32", false, 1, 1)
	}
	var rows string
	if a.causal {
		tall := s.op("constant <i32: %d> : tile<i32>", m)
		first := s.op("muli %%bx, %s : tile<i32>", tall)
		last := s.op("addi %s, %s : tile<i32>", first, tall)
		wideKeys := s.op("constant <i32: %d> : tile<i32>", n)
		end = s.op("divi %s, %s signed rounding<positive_inf> : tile<i32>", last, wideKeys)
		i := s.op("iota : %s", tile("i32", m))
		rows = s.op("addi %s, %s : %s", i, s.spread(first, "i32", m), tile("i32", m))
		rows = s.op("reshape %s : %s -> %s", rows, tile("i32", m), tile("i32", m, 1))
		rows = s.op("broadcast %s : %s -> %s", rows, tile("i32", m, 1), tile("i32", m, n))
	}
	s.line("%%loop:3 = for %%i in (%%c0 to %s, step %%c1) : tile<i32> iter_values(%%acc = %%zero, %%l = %%none, %%max = %%least) -> (%s, %s, %s) {", end, sum, column, column)
	page, place := "%by", "%i"
	if a.paged {
		page, place = s.reshaped(s.load(table, "%by", "%i"), "i32", []int{1, 1}, nil), "%c0"
	}
	key := s.reshaped(s.load(k, page, "%c0", place), a.elem, []int{1, d, n}, []int{d, n})
	x := s.op("mmaf %s, %s, %%noscores : %s, %s, %s", query, key, tile(a.elem, m, d), tile(a.elem, d, n), scores)
	if a.rope > 0 {
		y := s.reshaped(s.load(kr, page, "%c0", place), a.elem, []int{1, a.rope, n}, []int{a.rope, n})
		x = s.op("mmaf %s, %s, %s : %s, %s, %s", queryRope, y, x, tile(a.elem, m, a.rope), tile(a.elem, a.rope, n), scores)
	}
	if a.causal {
		x = a.masked(s, x, rows)
	}
	top := s.op("mulf %s, %s : %s", a.reduced(s, x, "maxf", "0xFF800000"), narrow, column)
	top = s.op("maxf %%max, %s : %s", top, column)
	minus := s.op("negf %s : %s", s.op("broadcast %s : %s -> %s", top, column, scores), scores)
	p := s.op("exp2 %s flush_to_zero : %s", s.op("fma %s, %s, %s : %s", x, wide, minus, scores), scores)
	sums := a.reduced(s, p, "addf", "0.0")
	alpha := s.op("exp2 %s flush_to_zero : %s", s.op("subf %%max, %s : %s", top, column), column)
	l := s.op("fma %%l, %s, %s : %s", alpha, sums, column)
	acc := s.op("mulf %%acc, %s : %s", s.op("broadcast %s : %s -> %s", alpha, column, sum), sum)
	value := s.op("permute %s [1, 0] : %s -> %s", key, tile(a.elem, d, n), tile(a.elem, n, d))
	if !a.shared {
		value = s.reshaped(s.load(v, page, place, "%c0"), a.elem, []int{1, n, d}, []int{n, d})
	}
	pn := s.op("ftof %s : %s -> %s", p, scores, tile(a.elem, m, n))
	acc = s.op("mmaf %s, %s, %s : %s, %s, %s", pn, value, acc, tile(a.elem, m, n), tile(a.elem, n, d), sum)
	s.line("continue %s, %s, %s : %s, %s, %s\n}", acc, l, top, sum, column, column)
	o := s.op("divf %%loop#0, %s rounding<approx> flush_to_zero : %s", s.op("broadcast %%loop#1 : %s -> %s", column, sum), sum)
	o = s.op("ftof %s : %s -> %s", o, sum, tile(a.elem, m, d))
	s.store(out, s.reshaped(o, a.elem, []int{m, d}, []int{1, m, d}), "%by", "%bx", "%c0")
	if a.lse {
		to := s.view("f32", false, 1, m)
		e := s.op("addf %%loop#2, %s : %s", s.op("log2 %%loop#1 : %s", column), column)
		s.store(to, s.op("reshape %s : %s -> %s", e, column, tile("f32", 1, m)), "%by", "%bx")
	}
	name := []any{"attention", a.elem, fmt.Sprintf("%dx%d", m, n), "head", d}
	for _, f := range []struct {
		on   bool
		word string
	}{{a.rope > 0, "latent"}, {a.causal, "causal"}, {a.lse, "lse"}, {a.paged, "paged"}} {
		if f.on {
			name = append(name, f.word)
		}
	}
	return s.kernel(name...)
}

// masked leaves out keys behind the query.
func (a *attention) masked(s *source, x, rows string) string {
	m, n := a.queries, a.keys
	wide := tile("i32", m, n)
	first := s.op("muli %%i, %s : tile<i32>", s.op("constant <i32: %d> : tile<i32>", n))
	columns := s.op("addi %s, %s : %s", s.op("iota : %s", tile("i32", n)), s.spread(first, "i32", n), tile("i32", n))
	columns = s.op("broadcast %s : %s -> %s", s.op("reshape %s : %s -> %s", columns, tile("i32", n), tile("i32", 1, n)), tile("i32", 1, n), wide)
	seen := s.op("cmpi greater_than_or_equal %s, %s, signed : %s -> %s", rows, columns, wide, tile("i1", m, n))
	never := s.op("constant <f32: 0xFF800000> : %s", tile("f32", m, n))
	return s.op("select %s, %s, %s : %s, %s", seen, x, never, tile("i1", m, n), tile("f32", m, n))
}

// reduced reduces the rows of scores to a column.
func (a *attention) reduced(s *source, x, op, identity string) string {
	m, n := a.queries, a.keys
	r := s.op("reduce %s dim=1 identities=[%s : f32] : %s -> %s\n(%%lhs: tile<f32>, %%rhs: tile<f32>) {\n%%r = %s %%lhs, %%rhs : tile<f32>\nyield %%r : tile<f32>\n}", x, identity, tile("f32", m, n), tile("f32", m), op)
	return s.op("reshape %s : %s -> %s", r, tile("f32", m), tile("f32", m, 1))
}
