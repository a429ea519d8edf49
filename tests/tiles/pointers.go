package tiles

// Through changes elements through pointers to them, in place and in order.
func Through(shape ...int) Kernel {
	s := begin("through pointers, in place", shape...)
	s.ordered = true
	s.buffer("a", "i32", count(shape))
	s.pointers("p", "a", "i32", steps(shape), ragged(shape), shape)
	s.loadThrough("x", "p", "i32", "0", shape)
	s.op("y", "muli", typ("i32", shape...), "x", "x")
	s.storeThrough("y", "p", "i32", shape)
	return s.finish()
}

// steps are the strides of a shape in row-major order.
func steps(shape []int) []int {
	out := make([]int, len(shape))
	n := 1
	for d := len(shape) - 1; d >= 0; d-- {
		out[d] = n
		n *= shape[d]
	}
	return out
}

// SoftmaxThrough computes the softmax of rows through pointers.
func SoftmaxThrough(rows, columns int) Kernel {
	shape := []int{rows, columns}
	s := begin("softmax through pointers", shape...)
	for _, name := range []string{"a", "b"} {
		s.buffer(name, "f32", count(shape))
		s.pointers(name+"q", name, "f32", steps(shape), ragged(shape), shape)
	}
	t := typ("f32", shape...)
	s.loadThrough("x", "aq", "f32", "0xff800000", shape)
	s.reduce("m", "x", "maxf", "f32", "0xff800000", 1, shape...)
	s.spread("mm", "m", "f32", []int{rows}, []int{rows, 1}, shape)
	s.op("d", "subf", t, "x", "mm")
	s.op("e", "exp", t, "d")
	s.reduce("n", "e", "addf", "f32", "0.0", 1, shape...)
	s.spread("nn", "n", "f32", []int{rows}, []int{rows, 1}, shape)
	s.op("q", "divf", t, "e", "nn")
	s.storeThrough("q", "bq", "f32", shape)
	return s.finish()
}

// TransposeThrough stores to pointers whose rows are the columns of what is loaded.
func TransposeThrough(rows, columns int) Kernel {
	shape := []int{rows, columns}
	s := begin("transpose through pointers", shape...)
	s.buffer("a", "i32", count(shape))
	s.pointers("p", "a", "i32", steps(shape), ragged(shape), shape)
	s.buffer("b", "i32", count(shape))
	s.pointers("q", "b", "i32", []int{1, rows}, shape, shape)
	s.loadThrough("x", "p", "i32", "7", shape)
	s.storeThrough("x", "q", "i32", shape)
	return s.finish()
}

// Scatter adds to counters, several elements to one.
func Scatter(n int) Kernel {
	s := begin("scattered additions", n)
	s.buffer("a", "i32", n)
	s.view("in", "a", "i32", []int{n}, []int{n})
	s.buffer("b", "i32", 256)
	t, pt := typ("i32", n), typ("ptr<i32>", n)
	s.load("x", "in")
	s.constant("low", "i32", "255", n)
	s.op("bin", "andi", t, "x", "low")
	s.line("%%r = reshape %%b_p : tile<ptr<i32>> -> tile<1xptr<i32>>")
	s.line("%%bb = broadcast %%r : tile<1xptr<i32>> -> %s", pt)
	s.line("%%p = offset %%bb, %%bin : %[1]s, %[2]s -> %[1]s", pt, t)
	s.line("%%old, %%tt = atomic_rmw_tko relaxed device %%p, add, %%low token = %%t0 : %s, %s -> %s, token", pt, t, t)
	return s.finish()
}
