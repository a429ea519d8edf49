package sweep

import "math/rand/v2"

// An mmaType is the element type of operands, of the accumulator and of the buffers of operands.
type mmaType struct{ operand, sum, stored string }

var mmaTypes = []mmaType{
	{"f16", "f32", "f16"}, {"bf16", "f32", "bf16"}, {"f16", "f16", "f16"}, {"tf32", "f32", "f32"}, {"f32", "f32", "f32"}, {"f64", "f64", "f64"},
	{"f8E4M3FN", "f32", "f8E4M3FN"}, {"i8", "i32", "i8"},
}

// A gemm multiplies matrices in a loop over K.
type gemm struct {
	types            mmaType
	m, n, k          int
	transA, transB   bool // as stored: [K, M], [N, K]
	two, epilogue    bool // two products of one A; a bias and a function before the store
	static, straight bool // straight: one step of K
	hints            hints
}

func drawGEMM(r *rand.Rand) *gemm {
	return &gemm{types: pick(r, mmaTypes...), m: pick(r, sizes...), n: pick(r, sizes...), k: pick(r, sizes...), transA: chance(r, 3), transB: chance(r, 2),
		two: chance(r, 4), epilogue: chance(r, 2), static: chance(r, 3), straight: chance(r, 8), hints: drawHints(r)}
}

func (g *gemm) kernel() Kernel {
	s := begin(g.hints, g.static)
	t := g.types
	a := s.view(t.stored, g.transA, g.m, g.k)
	bs := []view{s.view(t.stored, g.transB, g.k, g.n)}
	if g.two {
		bs = append(bs, s.view(t.stored, g.transB, g.k, g.n))
	}
	sum := tile(t.sum, g.m, g.n)
	zero := "0.0"
	if t.sum == "i32" {
		zero = "0"
	}
	s.line("%%zero = constant <%s: %s> : %s", t.sum, zero, sum)
	out := s.view(g.result(), false, g.m, g.n)
	var bias view
	if g.epilogue {
		bias = s.view(t.sum, false, 1, g.n)
	}
	var results []string
	if g.straight {
		results = g.step(s, a, bs, "%c0", []string{"%zero", "%zero"})
	} else {
		steps := s.size()
		if g.two {
			s.line("%%sums:2 = for %%i in (%%c0 to %s, step %%c1) : tile<i32> iter_values(%%s0 = %%zero, %%s1 = %%zero) -> (%s, %s) {", steps, sum, sum)
			next := g.step(s, a, bs, "%i", []string{"%s0", "%s1"})
			s.line("continue %s, %s : %s, %s\n}", next[0], next[1], sum, sum)
			results = []string{"%sums#0", "%sums#1"}
		} else {
			s.line("%%sums = for %%i in (%%c0 to %s, step %%c1) : tile<i32> iter_values(%%s0 = %%zero) -> (%s) {", steps, sum)
			s.line("continue %s : %s\n}", g.step(s, a, bs, "%i", []string{"%s0"})[0], sum)
			results = []string{"%sums"}
		}
	}
	x := results[0]
	if g.two {
		if t.sum == "i32" {
			x = s.op("muli %s, %s : %s", x, results[1], sum)
		} else {
			x = s.op("mulf %s, %s : %s", x, results[1], sum)
		}
	}
	if g.epilogue {
		x = g.finish(s, x, bias)
	}
	if g.result() != t.sum {
		x = s.op("ftof %s : %s -> %s", x, sum, tile(g.result(), g.m, g.n))
	}
	s.store(out, x, "%bx", "%by")
	order := func(transposed bool) string {
		if transposed {
			return "T"
		}
		return "N"
	}
	kind := "gemm"
	if g.two {
		kind = "dual gemm"
	}
	if g.straight {
		kind += " without a loop"
	}
	if g.epilogue {
		kind += " with epilogue"
	}
	return s.kernel(kind, order(g.transA)+order(g.transB), t.operand, t.sum, dims([]int{g.m, g.n})+tileK(g.k))
}

// result is the element type of what is stored.
func (g *gemm) result() string {
	switch g.types.operand {
	case "f16", "bf16":
		return g.types.operand
	case "f8E4M3FN":
		return "bf16"
	}
	return g.types.sum
}

// step multiplies the operands of one step of K.
func (g *gemm) step(s *source, a view, bs []view, i string, sums []string) []string {
	t := g.types
	sum := tile(t.sum, g.m, g.n)
	convert := func(x string, m, n int) string {
		if t.stored == t.operand {
			return x
		}
		return s.op("ftof %s : %s -> %s", x, tile(t.stored, m, n), tile(t.operand, m, n))
	}
	x := convert(s.load(a, "%bx", i), g.m, g.k)
	var out []string
	for n, b := range bs {
		y := convert(s.load(b, i, "%by"), g.k, g.n)
		if t.operand == "i8" {
			out = append(out, s.op("mmai %s, %s, %s signed signed : %s, %s, %s", x, y, sums[n], tile("i8", g.m, g.k), tile("i8", g.k, g.n), sum))
		} else {
			out = append(out, s.op("mmaf %s, %s, %s : %s, %s, %s", x, y, sums[n], tile(t.operand, g.m, g.k), tile(t.operand, g.k, g.n), sum))
		}
	}
	return out
}

// finish adds a bias, and takes a function of floats.
func (g *gemm) finish(s *source, x string, bias view) string {
	t := g.types.sum
	sum := tile(t, g.m, g.n)
	row := s.load(bias, "%c0", "%by")
	wide := s.op("broadcast %s : %s -> %s", row, tile(t, 1, g.n), sum)
	if t == "i32" {
		return s.op("addi %s, %s : %s", x, wide, sum)
	}
	x = s.op("addf %s, %s : %s", x, wide, sum)
	if t != "f32" {
		return s.op("maxf %s, %%zero : %s", x, sum)
	}
	minus := s.op("negf %s : %s", x, sum)
	e := s.op("exp %s : %s", minus, sum)
	one := s.op("constant <f32: 1.0> : %s", sum)
	d := s.op("addf %s, %s : %s", e, one, sum)
	return s.op("divf %s, %s rounding<approx> : %s", x, d, sum)
}
