package tiles

import (
	"fmt"
	"strings"
)

// A Product is a GEMM in a loop along K, of tiles of M x K by K x N elements.
type Product struct {
	Elem    string // f16, bf16, f8E4M3FN, i8, tf32 or f32
	M, N, K int
	Turns   int  // iterations of the loop
	Ragged  bool // extents that end inside of the last tiles, and rows that start anywhere
	Blocks  int  // tile blocks along M and N; 0: one
}

// Kernel returns the kernel, which writes sums, scaled and rounded to the operands' type where that is a float of 16
// bits, and adds what an epilogue adds.
func (p Product) Kernel() Kernel {
	s := begin(fmt.Sprintf("MMA of %s%s", p.Elem, map[bool]string{true: ", ragged"}[p.Ragged]), p.M, p.N, p.K)
	blocks := max(1, p.Blocks)
	m, n, k := p.M*blocks, p.N*blocks, p.K*p.Turns
	if p.Ragged {
		m, n, k = m-3, n-5, k-7
	}
	from, sum, to := p.Elem, "f32", p.Elem
	switch p.Elem {
	case "i8":
		sum, to = "i32", "i32"
	case "tf32":
		from, to = "f32", "f32"
	case "f8E4M3FN":
		to = "f32"
	}
	s.line("%%bx, %%by, %%bz = get_tile_block_id : tile<i32>")
	s.matrix("left", "a", from, m, k, p.M, p.K)
	s.matrix("right", "b", from, k, n, p.K, p.N)
	s.matrix("out", "c", to, m, n, p.M, p.N)
	s.constant("turns", "i32", fmt.Sprint(p.Turns))
	s.constant("one", "i32", "1")
	s.constant("none", sum, map[bool]string{true: "0", false: "0.0"}[sum == "i32"], p.M, p.N)
	t := typ(sum, p.M, p.N)
	s.line("%%sum = for %%i in (%%zero to %%turns, step %%one) : tile<i32> iter_values(%%acc = %%none) -> (%s) {", t)
	s.loadAt("x", "left", "bx", "i")
	s.loadAt("y", "right", "i", "by")
	x, y, elem := "x", "y", from
	if p.Elem == "tf32" {
		s.line("%%xr = ftof %%x : %s -> %s", typ(from, p.M, p.K), typ("tf32", p.M, p.K))
		s.line("%%yr = ftof %%y : %s -> %s", typ(from, p.K, p.N), typ("tf32", p.K, p.N))
		x, y, elem = "xr", "yr", "tf32"
	}
	s.multiply("next", x, y, "acc", elem, sum, p.M, p.N, p.K)
	s.line("continue %%next : %s", t)
	s.line("}")
	result := "sum"
	if sum == "f32" {
		s.constant("half", sum, "0.5", p.M, p.N)
		s.op("scaled", "mulf", t, "sum", "half")
		result = "scaled"
	}
	if to != sum {
		s.line("%%small = ftof %%%s : %s -> %s", result, t, typ(to, p.M, p.N))
		result = "small"
	}
	s.storeAt(result, "out", "bx", "by")
	return s.finish()
}

// multiply multiplies and adds.
func (s *source) multiply(result, x, y, acc, elem, sum string, m, n, k int) {
	op, signs := "mmaf", ""
	if sum == "i32" {
		op, signs = "mmai", " signed signed"
	}
	s.line("%%%s = %s %%%s, %%%s, %%%s%s : %s, %s, %s", result, op, x, y, acc, signs, typ(elem, m, k), typ(elem, k, n), typ(sum, m, n))
}

// matrix adds a parameter and a view of it as a matrix of so many rows and columns, entire, cut into tiles.
func (s *source) matrix(name, buffer, elem string, rows, columns, m, n int) {
	s.buffer(buffer, elem, rows*columns)
	s.viewIn(name, buffer, elem, []int{rows, columns}, []int{columns, 1}, []int{m, n}, "")
}

// viewIn names a view of a buffer with strides of its own, and what else the partition says.
func (s *source) viewIn(name, buffer, elem string, extents, strides, shape []int, more string) {
	list := func(ns []int) string { return strings.TrimSuffix(strings.ReplaceAll(dims(ns), "x", ", "), ", ") }
	t := fmt.Sprintf("tensor_view<%s%s, strides=[%s]>", dims(extents), elem, list(strides))
	s.line("%%%s_v = make_tensor_view %%%s_p, shape = [%s], strides = [%s] : %s", name, buffer, list(extents), list(strides), t)
	p := fmt.Sprintf("partition_view<tile=(%s), padding_value = zero, %s%s>", strings.TrimSuffix(dims(shape), "x"), t, more)
	s.line("%%%[1]s_w = make_partition_view %%%[1]s_v : %[2]s", name, p)
	s.views[name] = view{p, typ(elem, shape...), len(shape)}
}

// loadAt loads a tile of a view, which nothing orders.
func (s *source) loadAt(value, name string, at ...string) {
	v := s.views[name]
	s.tokens++
	s.line("%%%s, %%t%d = load_view_tko weak %%%s_w[%%%s] token = %%t0 : %s, tile<i32> -> %s, token", value, s.tokens, name, strings.Join(at, ", %"), v.typ, v.tile)
}

// storeAt stores a tile of a view, which nothing orders.
func (s *source) storeAt(value, name string, at ...string) {
	v := s.views[name]
	s.tokens++
	s.line("%%t%d = store_view_tko weak %%%s, %%%s_w[%%%s] token = %%t0 : %s, %s, tile<i32> -> token", s.tokens, value, name, strings.Join(at, ", %"), v.tile, v.typ)
}

// An Attention is attention of a CTA of queries over all keys, by online softmax.
type Attention struct {
	Elem          string // f16 or bf16
	Queries, Keys int    // of a tile
	Depth         int
	Turns         int  // iterations of the loop
	Blocks        int  // tile blocks; 0: one
	Parts         int  // of the depth, each with a Q K^T that adds to the one before; 0: one
	Exact         bool // what is stored is not rounded to the operands' type
}

// Kernel returns the kernel.
func (a Attention) Kernel() Kernel {
	s := begin("attention of "+a.Elem, a.Queries, a.Keys, a.Depth)
	q, k, d := a.Queries, a.Keys, a.Depth
	keys, blocks, parts := k*a.Turns, max(1, a.Blocks), max(1, a.Parts)
	s.line("%%bx, %%by, %%bz = get_tile_block_id : tile<i32>")
	s.matrix("queries", "q", a.Elem, q*blocks, d, q, d/parts)
	s.buffer("k", a.Elem, keys*d)
	s.viewIn("keys", "k", a.Elem, []int{keys, d}, []int{d, 1}, []int{d / parts, k}, ", dim_map=[1, 0]")
	s.matrix("values", "v", a.Elem, keys, d, k, d)
	to := a.Elem
	if a.Exact {
		to = "f32"
	}
	s.matrix("out", "c", to, q*blocks, d, q, d)
	// Scores are integers, whose powers of two are exact, and no sum is near to zero.
	s.kernel.Buffers[0].Least, s.kernel.Buffers[0].Most = -1, 1
	s.kernel.Buffers[1].Least, s.kernel.Buffers[1].Most = -1, 1
	s.kernel.Buffers[2].Least, s.kernel.Buffers[2].Most = 1, 3
	column, scores, sums := typ("f32", q, 1), typ("f32", q, k), typ("f32", q, d)
	s.constant("turns", "i32", fmt.Sprint(a.Turns))
	s.constant("one", "i32", "1")
	s.constant("o0", "f32", "0.0", q, d)
	s.constant("l0", "f32", "0.0", q, 1)
	s.constant("m0", "f32", "0xFF800000", q, 1)
	s.constant("s0", "f32", "0.0", q, k)
	s.constant("scale", "f32", "1.0", q, k)
	for i := range parts {
		s.constant(fmt.Sprint("from", i), "i32", fmt.Sprint(i))
		s.loadAt(fmt.Sprint("x", i), "queries", "bx", fmt.Sprint("from", i))
	}
	s.line("%%r:3 = for %%i in (%%zero to %%turns, step %%one) : tile<i32> iter_values(%%oc = %%o0, %%lc = %%l0, %%mc = %%m0) -> (%s, %s, %s) {", sums, column, column)
	for i := range parts {
		s.loadAt(fmt.Sprint("y", i), "keys", fmt.Sprint("from", i), "i")
		s.multiply(fmt.Sprint("s", i+1), fmt.Sprint("x", i), fmt.Sprint("y", i), fmt.Sprint("s", i), a.Elem, "f32", q, k, d/parts)
	}
	s.op("z", "mulf", scores, fmt.Sprint("s", parts), "scale")
	s.reduce("top", "z", "maxf", "f32", "0xFF800000", 1, q, k)
	s.line("%%top1 = reshape %%top : %s -> %s", typ("f32", q), column)
	s.op("m", "maxf", column, "mc", "top1")
	s.line("%%mb = broadcast %%m : %s -> %s", column, scores)
	s.op("zc", "subf", scores, "z", "mb")
	s.op("p", "exp2", scores, "zc")
	s.reduce("part", "p", "addf", "f32", "0.0", 1, q, k)
	s.line("%%part1 = reshape %%part : %s -> %s", typ("f32", q), column)
	s.op("md", "subf", column, "mc", "m")
	s.op("alpha", "exp2", column, "md")
	s.line("%%l = fma %%lc, %%alpha, %%part1 : %s", column)
	s.line("%%ab = broadcast %%alpha : %s -> %s", column, sums)
	s.op("od", "mulf", sums, "oc", "ab")
	s.loadAt("w", "values", "i", "zero")
	s.line("%%ph = ftof %%p : %s -> %s", scores, typ(a.Elem, q, k))
	s.multiply("o", "ph", "w", "od", a.Elem, "f32", q, d, k)
	s.line("continue %%o, %%l, %%m : %s, %s, %s", sums, column, column)
	s.line("}")
	s.line("%%lb = broadcast %%r#1 : %s -> %s", column, sums)
	s.op("on", "divf", sums, "r#0", "lb")
	result := "on"
	if !a.Exact {
		s.line("%%oh = ftof %%on : %s -> %s", sums, typ(a.Elem, q, d))
		result = "oh"
	}
	s.storeAt(result, "out", "bx", "zero")
	return s.finish()
}

// Chain multiplies three matrices, entire tiles without a loop: the first product is an operand of the second.
func Chain(elem string, m, k, n, l int) Kernel {
	s := begin("chain of "+elem, m, k, n, l)
	s.matrix("a", "a", elem, m, k, m, k)
	s.matrix("b", "b", elem, k, n, k, n)
	s.matrix("c", "c", elem, n, l, n, l)
	s.matrix("out", "d", elem, m, l, m, l)
	s.loadAt("x", "a", "zero", "zero")
	s.loadAt("y", "b", "zero", "zero")
	s.loadAt("z", "c", "zero", "zero")
	s.constant("s0", "f32", "0.0", m, n)
	s.constant("r0", "f32", "0.0", m, l)
	s.multiply("s", "x", "y", "s0", elem, "f32", m, n, k)
	s.line("%%sh = ftof %%s : %s -> %s", typ("f32", m, n), typ(elem, m, n))
	s.multiply("r", "sh", "z", "r0", elem, "f32", m, l, n)
	s.line("%%rh = ftof %%r : %s -> %s", typ("f32", m, l), typ(elem, m, l))
	s.storeAt("rh", "out", "zero", "zero")
	return s.finish()
}
